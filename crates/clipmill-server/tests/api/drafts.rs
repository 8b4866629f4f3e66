//! Drafts: saved, changed by one of several devices, listed, deleted.

use serde_json::{Value, json};

use crate::harness::{Service, User};

const DRAFTS: &str = "/open-api/v1/drafts";

fn draft(name: &str) -> Value {
    json!({ "name": name, "taskType": "proVideoMix", "body": { "clips": [], "step": 2, "note": "a\u{0}b" } })
}

async fn save(service: &Service, user: &User, draft: &Value) -> Value {
    service.send("POST", user, DRAFTS, draft).await.data()
}

fn path(saved: &Value) -> String {
    format!("{DRAFTS}/{}", saved["draftNo"].as_str().unwrap())
}

#[tokio::test]
async fn a_change_does_not_overwrite_a_newer_one() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 0).await, service.user("bob", 0).await);
    let saved = save(&service, &ann, &draft("Mug")).await;
    assert!(saved["draftNo"].as_str().unwrap().starts_with("DP"), "{saved}");
    let path = path(&saved);
    let read = service.get(&ann, &path).await.data();
    assert_eq!(read["body"], draft("Mug")["body"]);
    assert_eq!((&read["taskType"], &read["updateTime"]), (&json!("proVideoMix"), &saved["updateTime"]));

    // What was read is sent back as it is, with a change.
    let mut change = read.clone();
    change["body"]["step"] = json!(3);
    change["name"] = json!("Blue mug");
    let first = service.send("PUT", &ann, &path, &change).await.data();
    assert!(first["updateTime"].as_str() > saved["updateTime"].as_str(), "{first}");
    let mut other = read.clone();
    other["body"]["step"] = json!(9);
    let conflict = service.send("PUT", &ann, &path, &other).await;
    assert_eq!(conflict.error(40910), json!({ "updateTime": first["updateTime"] }));
    assert!(conflict.json()["msg"].as_str().unwrap().contains(first["updateTime"].as_str().unwrap()));
    let read = service.get(&ann, &path).await.data();
    assert_eq!((&read["name"], &read["body"]["step"]), (&json!("Blue mug"), &json!(3)));

    // Without the time, nothing is replaced; a time must be one.
    for (time, message) in [(Value::Null, "is required"), (json!("now"), "must be")] {
        other["updateTime"] = time;
        let error = service.send("PUT", &ann, &path, &other).await.error(40001)["errors"][0].take();
        assert_eq!(error["path"], "/updateTime");
        assert!(error["message"].as_str().unwrap().starts_with(message), "{error}");
    }

    other["updateTime"] = first["updateTime"].clone();
    for (method, body) in [("GET", &Value::Null), ("PUT", &other), ("DELETE", &Value::Null)] {
        service.send(method, &bob, &path, body).await.error(40400);
    }
    assert_eq!(service.get(&bob, DRAFTS).await.data()["total"], 0);
    service.send("PUT", &ann, &path, &other).await.data();
    service.send("DELETE", &ann, &path, &Value::Null).await.data();
    for (method, body) in [("GET", &Value::Null), ("PUT", &other), ("DELETE", &Value::Null)] {
        service.send(method, &ann, &path, body).await.error(40400);
    }
}

#[tokio::test]
async fn of_ten_changes_at_once_one_is_saved() {
    let service = Service::start().await;
    let ann = service.user("ann", 0).await;
    let saved = save(&service, &ann, &draft("Mug")).await;
    let path = path(&saved);
    let change = json!({ "name": "Mug", "body": {}, "updateTime": saved["updateTime"] });
    let changes = (0..10).map(|_| service.send("PUT", &ann, &path, &change));
    let codes: Vec<u64> =
        futures_util::future::join_all(changes).await.iter().map(crate::harness::ApiResponse::code).collect();
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?}");
    assert_eq!(codes.iter().filter(|code| **code == 40910).count(), 9, "{codes:?}");
}

#[tokio::test]
async fn drafts_are_listed_without_bodies_and_limited_in_number_and_size() {
    let service = Service::start().await;
    let ann = service.user("ann", 0).await;
    let first = save(&service, &ann, &draft("draft 0")).await;
    for number in 1..100 {
        save(&service, &ann, &draft(&format!("draft {number}"))).await;
    }
    let refused = service.send("POST", &ann, DRAFTS, &draft("one more")).await;
    assert_eq!(refused.error(40911), json!({ "limit": 100 }));
    let change = json!({ "name": "draft 0", "body": {}, "updateTime": first["updateTime"] });
    let changed = service.send("PUT", &ann, &path(&first), &change).await.data();
    assert_eq!(changed["taskType"], Value::Null);

    let page = service.get(&ann, &format!("{DRAFTS}?pageNo=1&pageSize=3")).await.data();
    let names: Vec<&str> =
        page["list"].as_array().unwrap().iter().map(|draft| draft["name"].as_str().unwrap()).collect();
    assert_eq!((&page["total"], names), (&json!(100), vec!["draft 0", "draft 99", "draft 98"]));
    assert!(page["list"][1].get("body").is_none(), "{page}");
    assert_eq!(
        service.get(&ann, &format!("{DRAFTS}?pageNo=34&pageSize=3")).await.data()["list"][0]["name"],
        "draft 1"
    );

    let mut large = draft("large");
    large["updateTime"] = changed["updateTime"].clone();
    large["body"] = json!({ "text": "x".repeat(1 << 20) });
    service.send("PUT", &ann, &path(&first), &large).await.error(41300);
    large["body"] = json!({ "text": "x".repeat((1 << 20) - 200) });
    service.send("PUT", &ann, &path(&first), &large).await.data();
}

#[tokio::test]
async fn drafts_count_as_storage() {
    let service = Service::with(|config| {
        config.limits.stored_bytes_per_user = clipmill_server::config::units::ByteSize(10_000);
    })
    .await;
    let ann = service.user("ann", 0).await;
    let sized = |bytes: usize| json!({ "name": "Mug", "body": { "text": "x".repeat(bytes) } });
    let saved = save(&service, &ann, &sized(6_000)).await;
    let full = service.send("POST", &ann, DRAFTS, &sized(6_000)).await.error(40902);
    assert!((6_000..6_600).contains(&full["storedBytes"].as_u64().unwrap()), "{full}");
    // A change needs only the difference.
    let mut change = sized(9_000);
    change["updateTime"] = saved["updateTime"].clone();
    let saved = service.send("PUT", &ann, &path(&saved), &change).await.data();
    change["updateTime"] = saved["updateTime"].clone();
    let saved = service.send("PUT", &ann, &path(&saved), &change).await.data();
    change["body"]["text"] = json!("x".repeat(10_000));
    change["updateTime"] = saved["updateTime"].clone();
    service.send("PUT", &ann, &path(&saved), &change).await.error(40902);
    service.send("DELETE", &ann, &path(&saved), &Value::Null).await.data();
    save(&service, &ann, &sized(6_000)).await;
}

#[tokio::test]
async fn uploads_that_a_draft_names_are_kept() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 0).await, service.user("bob", 0).await);
    let url = async |user: &User, content: &'static str| {
        let upload = service.upload(user, "/open-api/v1/uploads", content).await.data();
        upload["url"].as_str().unwrap().to_owned()
    };
    let file = |url: &str| format!("/open-api/v1/uploads/{}", url.trim_start_matches("upload://"));
    let (first, second, of_bob) = (url(&ann, "one").await, url(&ann, "two").await, url(&bob, "three").await);
    // An upload that does not exist (any more) does not prevent saving.
    let body = json!({ "clips": [{ "url": first }, { "url": of_bob }, { "url": "upload://gone" }] });
    let saved = save(&service, &ann, &json!({ "name": "Mug", "body": body })).await;
    let refused = service.send("DELETE", &ann, &file(&first), &Value::Null).await;
    assert_eq!(refused.error(40904), json!({ "neededBy": saved["draftNo"] }));
    service.send("DELETE", &bob, &file(&of_bob), &Value::Null).await.data();

    let change = json!({ "name": "Mug", "body": { "logo": second }, "updateTime": saved["updateTime"] });
    service.send("PUT", &ann, &path(&saved), &change).await.data();
    service.send("DELETE", &ann, &file(&first), &Value::Null).await.data();
    service.send("DELETE", &ann, &file(&second), &Value::Null).await.error(40904);
    service.send("DELETE", &ann, &path(&saved), &Value::Null).await.data();
    service.send("DELETE", &ann, &file(&second), &Value::Null).await.data();
}
