//! Shares: a page without a key that gives access to nothing else.

use axum::body::Body;
use serde_json::{Value, json};

use crate::files::finished;
use crate::harness::{API, ApiResponse, Service, User, request};

pub async fn look(service: &Service, url: &str) -> ApiResponse {
    let path = url.strip_prefix("http://127.0.0.1:8080").unwrap();
    service.call(request("GET", path).body(Body::empty()).unwrap()).await
}

async fn share(service: &Service, user: &User, task_no: &str, wanted: &Value) -> Value {
    service.send("POST", user, &format!("/open-api/v1/share/{task_no}"), wanted).await.data()
}

#[tokio::test]
async fn a_share_shows_its_videos_and_nothing_else() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 1_000).await, service.user("bob", 1_000).await);
    let task_no = finished(&service, &ann).await;
    let made = share(&service, &ann, &task_no, &json!({})).await;
    let url = made["url"].as_str().unwrap();
    let page = look(&service, url).await;
    assert_eq!((page.status.as_u16(), page.header("x-robots-tag")), (200, "noindex, nofollow, noarchive"));
    assert!(page.header("content-security-policy").starts_with("default-src 'none'"));
    assert!(
        !page.header("content-security-policy").contains("unsafe"),
        "neither scripts nor styles in the page"
    );
    let html = String::from_utf8(page.body.to_vec()).unwrap();
    assert!(html.contains("/1.mp4") && html.contains("noindex"), "{html}");
    assert!(!html.contains("<script") && !html.contains("all.zip"), "one video, no feedback: {html}");
    assert!(!html.contains(&task_no), "the page tells no task's number");
    let file = look(&service, &format!("{url}/1.mp4")).await;
    assert_eq!((file.status.as_u16(), file.header("content-type")), (200, "video/mp4"));
    let kept = look(&service, &format!("{url}/1.mp4?download=1")).await;
    assert_eq!(kept.header("content-disposition"), "attachment; filename=\"1.mp4\"");
    let secret = json!({ "name": "For nobody else" });
    service.send("PATCH", &ann, &format!("{API}/{task_no}"), &secret).await.data();
    let file = look(&service, &format!("{url}/1.mp4")).await;
    assert_eq!(file.header("content-disposition"), "inline; filename=\"1.mp4\"", "nothing about the task");
    for wrong in ["/2.mp4", "/01.mp4", "/1.exe", "/x.mp4", "/..%2f1.mp4"] {
        assert_eq!(look(&service, &format!("{url}{wrong}")).await.status, 404, "{wrong}");
    }
    // Neither another number nor another signature gives access.
    let (at, signature) = url.rsplit_once('/').unwrap();
    let other = format!("{}/{signature}", at.replace("/s/", "/s/9"));
    for guessed in [other, format!("{at}/AAAA"), format!("{at}/{}", &signature[1..]), format!("{at}/%00")] {
        assert_eq!(look(&service, &guessed).await.status, 404, "{guessed}");
    }

    let path = format!("/open-api/v1/share/{task_no}");
    assert_eq!(service.send("POST", &bob, &path, &json!({})).await.code(), 40400);
    assert_eq!(service.get(&bob, &path).await.code(), 40400);
    let one = format!("{path}/{}", made["shareId"]);
    assert_eq!(service.send("DELETE", &bob, &one, &json!(null)).await.code(), 40400);
    assert_eq!(service.get(&ann, &path).await.data()[0]["url"], url);
    assert_eq!(service.send("DELETE", &ann, &one, &json!(null)).await.code(), 0);
    for gone in [url.to_owned(), format!("{url}/1.mp4")] {
        assert_eq!(look(&service, &gone).await.status, 404, "{gone}");
    }
    let listed = service.get(&ann, &path).await.data();
    assert_eq!((&listed[0]["revoked"], &listed[0]["url"]), (&json!(true), &Value::Null));
}

#[tokio::test]
async fn a_share_ends_at_its_expiry() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    let task_no = finished(&service, &ann).await;
    let soon = clipmill_server::view::rfc3339(clipmill_server::clock::now_ms() + 400);
    let made = share(&service, &ann, &task_no, &json!({ "items": [1], "expiresAt": soon })).await;
    let url = made["url"].as_str().unwrap();
    while look(&service, url).await.status != 404 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(look(&service, &format!("{url}/1.mp4")).await.status, 404);
    let path = format!("/open-api/v1/share/{task_no}");
    for wrong in [
        json!({ "items": [] }),
        json!({ "items": [99] }),
        json!({ "items": [0] }),
        json!({ "items": "all" }),
        json!({ "expiresAt": "soon" }),
        json!({ "expiresAt": "2020-01-01" }),
        json!([]),
    ] {
        assert_eq!(service.send("POST", &ann, &path, &wrong).await.code(), 40001, "{wrong}");
    }
}

#[tokio::test]
async fn one_link_shows_videos_of_several_tasks() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 1_000).await, service.user("bob", 1_000).await);
    let (first, second) = (finished(&service, &ann).await, finished(&service, &ann).await);
    let foreign = finished(&service, &bob).await;
    let wide = "/open-api/v1/share";
    let wanted = json!({ "tasks": [{ "taskNo": second, "items": [1] }, { "taskNo": first }] });
    let made = service.send("POST", &ann, wide, &wanted).await.data();
    assert_eq!(
        made["tasks"],
        json!([{ "taskNo": second, "items": [1] }, { "taskNo": first, "items": null }])
    );
    let url = made["url"].as_str().unwrap();
    let html = String::from_utf8(look(&service, url).await.body.to_vec()).unwrap();
    let (at_first, at_second) = (html.find("/1-1.mp4\"").unwrap(), html.find("/2-1.mp4\"").unwrap());
    assert!(at_first < at_second && !html.contains(&first) && !html.contains(&second), "{html}");
    for name in ["1-1.mp4", "2-1.mp4"] {
        let file = look(&service, &format!("{url}/{name}")).await;
        assert_eq!((file.status.as_u16(), file.header("content-type")), (200, "video/mp4"), "{name}");
    }
    for wrong in ["1.mp4", "0-1.mp4", "3-1.mp4", "1-2.mp4", "01-1.mp4", "1-1-1.mp4", "-1.mp4", "1-.mp4"] {
        assert_eq!(look(&service, &format!("{url}/{wrong}")).await.status, 404, "{wrong}");
    }
    for number in [&first, &second] {
        let path = format!("/open-api/v1/share/{number}");
        assert_eq!(service.get(&ann, &path).await.data()[0]["url"], url);
    }

    for (wrong, at) in [
        (json!({}), "/tasks"),
        (json!({ "tasks": [] }), "/tasks"),
        (json!({ "tasks": [{ "taskNo": first, "items": [] }] }), "/tasks/0/items"),
        (json!({ "tasks": [{ "taskNo": first }, { "taskNo": second, "items": [2] }] }), "/tasks/1/items"),
        (json!({ "tasks": [{ "taskNo": first }, { "taskNo": foreign }] }), "/tasks/1/taskNo"),
        (json!({ "tasks": [{ "taskNo": "nonsense" }] }), "/tasks/0/taskNo"),
        (json!({ "tasks": [{ "taskNo": first }], "expiresAt": "2020-01-01" }), "/expiresAt"),
    ] {
        let response = service.send("POST", &ann, wide, &wrong).await;
        assert_eq!(
            (response.code(), &response.json()["data"]["errors"][0]["path"]),
            (40001, &json!(at)),
            "{wrong}"
        );
    }
    // A share of a single task is like any other.
    let alone = service.send("POST", &ann, wide, &json!({ "tasks": [{ "taskNo": first }] })).await.data();
    assert_eq!((&alone["tasks"], &alone["taskNo"]), (&Value::Null, &json!(first)));

    let through = format!("/open-api/v1/share/{second}/{}", made["shareId"]);
    assert_eq!(service.send("DELETE", &bob, &through, &json!(null)).await.code(), 40400);
    assert_eq!(service.send("DELETE", &ann, &through, &json!(null)).await.code(), 0);
    for gone in [url.to_owned(), format!("{url}/1-1.mp4"), format!("{url}/2-1.mp4")] {
        assert_eq!(look(&service, &gone).await.status, 404, "{gone}");
    }
}
