//! What a task would come to.

use serde_json::json;

use crate::harness::{API, Service, task};

#[tokio::test]
async fn an_estimate_is_what_submit_would_hold_and_stores_nothing() {
    let service = Service::start().await;
    let user = service.user("alice", 100).await;
    let path = format!("{API}/estimate");
    let estimate = service.post(&user, &path, task().to_string()).await.data();
    assert_eq!(
        estimate,
        json!({
            "estimatedDotCount": 20, "totalItems": 1, "distinctCombinations": null,
            "uniqueSegments": 1, "outputSeconds": 10.0, "warnings": [],
        })
    );
    assert_eq!(service.submit(&user, &task()).await.data()["estimatedDotCount"], 20);
    assert_eq!(service.get(&user, &format!("{API}/list")).await.data()["total"], 1);

    // No points are needed to ask.
    let poor = service.user("bob", 0).await;
    service.post(&poor, &path, task().to_string()).await.data();
}

#[tokio::test]
async fn an_estimate_checks_as_submit_does() {
    let service = Service::start().await;
    let user = service.user("alice", 100).await;
    let path = format!("{API}/estimate");
    let mut body = task();
    body["params"]["videoList"][0]["filename"] = json!("upload://nobodys");
    body["params"]["foo"] = json!(1);
    let errors = service.post(&user, &path, body.to_string()).await.error(40001);
    assert_eq!(errors["errors"][0]["path"], "/params/videoList/0/filename");
    service.post(&user, &path, "{").await.error(40000);
    service.post(&user, &format!("{path}?preflight=yes"), task().to_string()).await.error(40001);
}

#[tokio::test]
async fn with_preflight_the_files_are_looked_at() {
    let service = Service::start().await;
    let user = service.user("alice", 100).await;
    let path = format!("{API}/estimate?preflight=true");
    let answer = service.post(&user, &path, task().to_string()).await;
    assert!(answer.header("ratelimit").starts_with("\"submitting\";"), "{answer:?}");
    let estimate = answer.data();
    assert_eq!(estimate["estimatedDotCount"], 0);
    assert_eq!(
        estimate["warnings"],
        json!([{
            "path": "",
            "message": "item 1 could not be made: DOWNLOAD_FAILED: told to (https://media.example/a.mp4)",
        }])
    );

    let mut many = task();
    let videos = (0..101).map(|i| json!({ "filename": format!("https://m.example/{i}.mp4"), "duration": 1 }));
    many["params"]["videoList"] = videos.collect();
    let errors = service.post(&user, &path, many.to_string()).await.error(40001);
    assert_eq!(errors["errors"][0]["path"], "/query/preflight");
}
