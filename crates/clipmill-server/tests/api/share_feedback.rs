//! Texts of shares, and the feedback of their viewers, who have no key.

use std::io::{Cursor, Read};
use std::net::IpAddr;

use axum::body::Body;
use clipmill_server::clock;
use clipmill_server::http::client::ClientAddress;
use clipmill_store::Scope;
use serde_json::{Value, json};

use crate::files::finished;
use crate::harness::{ApiResponse, Service, User, request};
use crate::shares::look;

async fn share(service: &Service, user: &User, task_no: &str, wanted: &Value) -> Value {
    service.send("POST", user, &format!("/open-api/v1/share/{task_no}"), wanted).await.data()
}

/// The path of a share's page.
fn page(share: &Value) -> String {
    share["url"].as_str().unwrap().strip_prefix("http://127.0.0.1:8080").unwrap().to_owned()
}

async fn post_from(service: &Service, address: &str, path: &str, body: &Value) -> ApiResponse {
    let address: IpAddr = address.parse().unwrap();
    let call = request("POST", path).header("content-type", "application/json");
    service.call(call.extension(ClientAddress(address)).body(body.to_string().into()).unwrap()).await
}

async fn post(service: &Service, path: &str, body: &Value) -> ApiResponse {
    post_from(service, "8.8.8.8", path, body).await
}

async fn view(service: &Service, page: &str) -> ApiResponse {
    service.call(request("GET", &format!("{page}/feedback")).body(Body::empty()).unwrap()).await
}

/// What the owner sees.
fn own(task_no: &str, share: &Value) -> String {
    format!("/open-api/v1/share/{task_no}/{}", share["shareId"])
}

#[tokio::test]
async fn viewers_pick_and_comment_and_the_owner_reads_and_deletes() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 1_000).await, service.user("bob", 1_000).await);
    let task_no = finished(&service, &ann).await;
    let wanted = json!({ "title": "Mugs <b>", "message": "Pick\n\"two\"", "feedback": true });
    let made = share(&service, &ann, &task_no, &wanted).await;
    for (name, value) in wanted.as_object().unwrap() {
        assert_eq!(made[name], *value, "{made}");
    }
    let (page, own) = (page(&made), own(&task_no, &made));
    let html = String::from_utf8(look(&service, made["url"].as_str().unwrap()).await.body.to_vec()).unwrap();
    assert!(html.contains("<h1 dir=\"auto\">Mugs &lt;b&gt;</h1>"), "{html}");
    assert!(html.contains("Pick\n&quot;two&quot;</p>") && html.contains("src=\"/s/share.js\""), "{html}");

    let pick = async |picked: bool| {
        post(&service, &format!("{page}/picks"), &json!({ "item": "1", "picked": picked })).await.data();
        view(&service, &page).await.data()["videos"][0]["picked"].clone()
    };
    assert_eq!(
        [pick(true).await, pick(true).await, pick(false).await, pick(true).await],
        [true, true, false, true]
    );
    let comments = format!("{page}/comments");
    let script = "<script>alert(1)</script>\n好";
    let first = post(&service, &comments, &json!({ "text": script, "name": "Li", "item": "1" })).await.data();
    let second = post(&service, &comments, &json!({ "text": " all good " })).await.data();
    assert_eq!((&first["item"], &first["text"], &first["name"]), (&json!("1"), &json!(script), &json!("Li")));
    assert_eq!((&second["text"], &second["name"]), (&json!("all good"), &Value::Null));
    let viewed = view(&service, &page).await;
    assert_eq!(
        (viewed.header("content-type"), viewed.header("cache-control")),
        ("application/json", "no-store")
    );
    let viewed = viewed.data();
    assert_eq!((&viewed["title"], &viewed["comments"]), (&json!("Mugs <b>"), &json!([first, second])));
    assert!(!viewed.to_string().contains(&task_no), "numbers of tasks are private: {viewed}");
    let url = viewed["videos"][0]["url"].as_str().unwrap();
    assert_eq!(look(&service, url).await.status, 200);
    // The page never contains texts of viewers.
    let html = String::from_utf8(look(&service, made["url"].as_str().unwrap()).await.body.to_vec()).unwrap();
    assert!(!html.contains("alert"), "{html}");

    let feedback = service.get(&ann, &format!("{own}/feedback")).await.data();
    assert_eq!(feedback["picks"], json!([{ "taskNo": task_no, "itemNo": 1 }]));
    let about = |at: usize| [&feedback["comments"][at]["taskNo"], &feedback["comments"][at]["itemNo"]];
    assert_eq!((about(0), about(1)), ([&json!(task_no), &json!(1)], [&Value::Null, &Value::Null]));

    // Other users, keys without the scope, and other tasks of the owner have no access.
    let comment = format!("{own}/comments/{}", first["commentId"]);
    service.get(&bob, &format!("{own}/feedback")).await.error(40400);
    service.send("DELETE", &bob, &comment, &Value::Null).await.error(40400);
    let of_bob = finished(&service, &bob).await;
    let through = comment.replace(&task_no, &of_bob);
    service.send("DELETE", &bob, &through, &Value::Null).await.error(40400);
    let reader = service.scoped(&ann, &[Scope::Read]).await;
    service.send("DELETE", &reader, &comment, &Value::Null).await.error(40300);
    let other = finished(&service, &ann).await;
    service.get(&ann, &format!("{own}/feedback").replace(&task_no, &other)).await.error(40400);
    service.send("DELETE", &ann, &comment, &Value::Null).await.data();
    service.send("DELETE", &ann, &comment, &Value::Null).await.error(40400);
    assert_eq!(view(&service, &page).await.data()["comments"], json!([second]));
}

#[tokio::test]
async fn feedback_is_off_by_default_and_ends_with_the_share() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    let task_no = finished(&service, &ann).await;
    let off = share(&service, &ann, &task_no, &json!({})).await;
    assert_eq!(
        (&off["feedback"], &off["title"], &off["message"]),
        (&json!(false), &Value::Null, &Value::Null)
    );
    let empty = service.get(&ann, &format!("{}/feedback", own(&task_no, &off))).await.data();
    assert_eq!(empty, json!({ "picks": [], "comments": [] }));
    let revoked = share(&service, &ann, &task_no, &json!({ "feedback": true })).await;
    let (pick, comment) = (json!({ "item": "1", "picked": true }), json!({ "text": "x" }));
    let given = post(&service, &format!("{}/comments", page(&revoked)), &comment).await.data();
    service.send("DELETE", &ann, &own(&task_no, &revoked), &Value::Null).await.data();
    let soon = clipmill_server::view::rfc3339(clock::now_ms() + 300);
    let expired = share(&service, &ann, &task_no, &json!({ "feedback": true, "expiresAt": soon })).await;
    let expired_page = page(&expired);
    while view(&service, &expired_page).await.status != 404 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let open = share(&service, &ann, &task_no, &json!({ "feedback": true })).await;
    let (at, signature) = (page(&open), page(&off));
    let (at, signature) = (at.rsplit_once('/').unwrap().0, signature.rsplit_once('/').unwrap().1);
    let mut bodies = Vec::new();
    // Off, revoked, expired, the signature of another share, another share's number.
    for page in [page(&off), page(&revoked), expired_page, format!("{at}/{signature}"), format!("{at}9/x")] {
        for response in [
            view(&service, &page).await,
            post(&service, &format!("{page}/picks"), &pick).await,
            post(&service, &format!("{page}/comments"), &comment).await,
        ] {
            response.error(40400);
            bodies.push(response.body);
        }
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]));
    for ended in [&revoked, &expired] {
        service.get(&ann, &format!("{}/feedback", own(&task_no, ended))).await.error(40400);
    }
    let comment = format!("{}/comments/{}", own(&task_no, &revoked), given["commentId"]);
    service.send("DELETE", &ann, &comment, &Value::Null).await.error(40400);
    // Disabled users have no pages.
    service.store.users().switch_off(ann.id, "unpaid", clock::now_ms()).await.unwrap();
    view(&service, &page(&open)).await.error(40400);
}

#[tokio::test]
async fn wrong_feedback_is_refused() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    let task_no = finished(&service, &ann).await;
    for (wrong, at) in [
        (json!({ "title": "x".repeat(121) }), "/title"),
        (json!({ "message": "x".repeat(501) }), "/message"),
        (json!({ "feedback": 1 }), "/feedback"),
    ] {
        let response = service.send("POST", &ann, &format!("/open-api/v1/share/{task_no}"), &wrong).await;
        assert_eq!(response.error(40001)["errors"][0]["path"], at, "{wrong}");
    }
    let page = page(&share(&service, &ann, &task_no, &json!({ "feedback": true })).await);
    let (picks, comments) = (format!("{page}/picks"), format!("{page}/comments"));
    for (path, wrong, at) in [
        (&picks, json!({ "item": "2", "picked": true }), "/item"),
        (&picks, json!({ "item": "1-1", "picked": true }), "/item"),
        (&picks, json!({ "item": "01", "picked": true }), "/item"),
        (&picks, json!({ "item": 1, "picked": true }), "/item"),
        (&picks, json!({ "item": "1" }), "/picked"),
        (&comments, json!({ "text": "\n " }), "/text"),
        (&comments, json!({ "text": "x".repeat(501) }), "/text"),
        (&comments, json!({ "text": "a\u{0}" }), "/text"),
        (&comments, json!({ "text": "x", "name": "x".repeat(61) }), "/name"),
        (&comments, json!({ "text": "x", "item": "9" }), "/item"),
    ] {
        let response = post(&service, path, &wrong).await;
        assert_eq!(response.error(40001)["errors"][0]["path"], at, "{wrong}");
    }
    post(&service, &comments, &json!({ "text": "😀".repeat(500), "name": "好".repeat(60) })).await.data();
    post(&service, &comments, &json!({ "text": "x".repeat(9_000) })).await.error(41300);
    // A form of another host's page cannot send JSON, and none of its scripts is allowed to.
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let call = request("POST", &comments).header("content-type", kind);
        let body = json!({ "text": "x" }).to_string();
        service.call(call.body(body.into()).unwrap()).await.error(41500);
    }
    let preflight = request("OPTIONS", &comments)
        .header("origin", "https://evil.example")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type");
    let response = service.call(preflight.body(Body::empty()).unwrap()).await;
    assert!(!response.headers.contains_key("access-control-allow-origin") && !response.status.is_success());
    assert_eq!(view(&service, &page).await.data()["comments"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn feedback_is_limited_by_address_and_per_share() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    let task_no = finished(&service, &ann).await;
    let page = page(&share(&service, &ann, &task_no, &json!({ "feedback": true })).await);
    let comments = format!("{page}/comments");
    let comment =
        async |address: &str| post_from(&service, address, &comments, &json!({ "text": "x" })).await;
    let mut added = 0;
    let refused = loop {
        let response = comment("8.8.8.8").await;
        if response.status == 429 {
            break response;
        }
        response.data();
        added += 1;
    };
    assert!(added >= 60, "{added}");
    assert_eq!(refused.error(42907)["seconds"], 1);
    assert_eq!(refused.header("retry-after"), "1");
    // Wrong links count too.
    let guess = post_from(&service, "8.8.8.8", "/s/1/x/comments", &json!({ "text": "x" })).await;
    assert!([404, 429].contains(&guess.status.as_u16()));
    for call in added..200 {
        comment(&format!("8.8.4.{}", call / 20)).await.data();
    }
    assert_eq!(comment("8.8.5.5").await.error(40912)["limit"], 200);
    post_from(&service, "8.8.5.5", &format!("{page}/picks"), &json!({ "item": "1", "picked": true }))
        .await
        .data();
}

#[tokio::test]
async fn viewers_do_not_use_up_what_the_owner_and_others_need() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    let task_no = finished(&service, &ann).await;
    let made = share(&service, &ann, &task_no, &json!({ "feedback": true })).await;
    let mut slow_viewers = Vec::new();
    while let Ok(permit) = service.app.semaphores.shared_archives.try_acquire(ann.id) {
        slow_viewers.push(permit);
    }
    let archive = format!("{}/all.zip", made["url"].as_str().unwrap());
    look(&service, &archive).await.error(42903);
    let own = service.get(&ann, &format!("/open-api/v1/download/{task_no}")).await;
    assert_eq!(own.status, 200);
    drop(slow_viewers);
    assert_eq!(look(&service, &archive).await.status, 200);

    let page = page(&made);
    let mut read = 0;
    while view(&service, &page).await.status == 200 {
        read += 1;
    }
    assert!(read >= 300, "{read}");
    view(&service, &page).await.error(42907);
    post_from(&service, "8.8.4.4", &format!("{page}/comments"), &json!({ "text": "x" })).await.data();
}

#[tokio::test]
async fn a_share_of_several_tasks_is_downloaded_as_one_zip_and_commented() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    let (first, second) = (finished(&service, &ann).await, finished(&service, &ann).await);
    let tasks = json!([{ "taskNo": second }, { "taskNo": first }]);
    let body = json!({ "tasks": tasks, "title": "Spring: mugs", "feedback": true });
    let made = service.send("POST", &ann, "/open-api/v1/share", &body).await.data();
    assert_eq!((&made["title"], &made["feedback"]), (&json!("Spring: mugs"), &json!(true)));
    let url = made["url"].as_str().unwrap();
    let html = String::from_utf8(look(&service, url).await.body.to_vec()).unwrap();
    assert!(html.contains("/all.zip\" download>Download all (2)</a>"), "{html}");
    let archive = look(&service, &format!("{url}/all.zip")).await;
    assert_eq!((archive.status.as_u16(), archive.header("content-type")), (200, "application/zip"));
    assert!(archive.header("content-disposition").contains("filename=\"videos.zip\""), "{archive:?}");
    assert_eq!(archive.header("x-robots-tag"), "noindex, nofollow, noarchive");
    let mut zip = zip::ZipArchive::new(Cursor::new(archive.body.to_vec())).unwrap();
    let mut content = Vec::new();
    for name in ["1-1.mp4", "2-1.mp4"] {
        content.clear();
        zip.by_name(name).unwrap().read_to_end(&mut content).unwrap();
        assert_eq!(content, b"0123456789", "{name}");
    }
    assert_eq!(zip.len(), 2);

    let page = page(&made);
    post(&service, &format!("{page}/picks"), &json!({ "item": "2-1", "picked": true })).await.data();
    post(&service, &format!("{page}/comments"), &json!({ "text": "x", "item": "1-1" })).await.data();
    let videos = view(&service, &page).await.data()["videos"].clone();
    let video = |at: usize| (videos[at]["item"].as_str().unwrap(), videos[at]["picked"].as_bool().unwrap());
    assert_eq!((video(0), video(1)), (("1-1", false), ("2-1", true)));
    for task in [&first, &second] {
        let feedback = service.get(&ann, &format!("{}/feedback", own(task, &made))).await.data();
        assert_eq!(feedback["picks"], json!([{ "taskNo": first, "itemNo": 1 }]));
        assert_eq!(feedback["comments"][0]["taskNo"], json!(second));
    }
    service.send("DELETE", &ann, &own(&first, &made), &Value::Null).await.data();
    assert_eq!(look(&service, &format!("{url}/all.zip")).await.status, 404);
}

#[tokio::test]
async fn the_files_of_the_page_are_sent() {
    let service = Service::start().await;
    for (name, kind) in
        [("share.css", "text/css; charset=utf-8"), ("share.js", "text/javascript; charset=utf-8")]
    {
        let file = service.call(request("GET", &format!("/s/{name}")).body(Body::empty()).unwrap()).await;
        assert_eq!((file.status.as_u16(), file.header("content-type")), (200, kind));
        assert!(file.headers.contains_key("etag"), "{name}");
    }
    let script = service.call(request("GET", "/s/share.js").body(Body::empty()).unwrap()).await;
    let script = String::from_utf8(script.body.to_vec()).unwrap();
    for unsafe_word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
        assert!(!script.contains(unsafe_word), "{unsafe_word}");
    }
}
