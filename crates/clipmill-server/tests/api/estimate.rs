//! Estimates of tasks.

use serde_json::{Value, json};

use crate::harness::{API, Service, named_task, task};

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
            "uniqueSegments": 1, "outputSeconds": 10.0, "mostSimilar": null, "warnings": [],
        })
    );
    assert_eq!(service.submit(&user, &task()).await.data()["estimatedDotCount"], 20);
    assert_eq!(service.get(&user, &format!("{API}/list")).await.data()["total"], 1);

    // An estimate needs no points.
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

/// The harness takes every upload for 10 s of 640×360.
#[tokio::test]
async fn facts_about_an_upload_take_precedence_over_declared_lengths() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 10).await, service.user("bob", 10).await);
    let estimate = format!("{API}/estimate");
    let upload = service.upload(&ann, "/open-api/v1/uploads", "MEDIA").await.data()["url"].clone();
    let text = service.upload(&ann, "/open-api/v1/uploads", "text").await.data()["url"].clone();
    let with = |url: &Value, seconds: f64| {
        let mut body = task();
        body["params"]["videoList"] = json!([{ "filename": url, "duration": seconds }]);
        body
    };
    let warning = "declared as 100 s but 10.00 s long; the actual length is used";
    let warning = json!([{ "path": "/params/videoList/0/duration", "message": warning,
        "code": "declared_wrong", "params": { "declared": "100", "real": "10.00" } }]);
    let no_media = "this upload contains no video, audio or image, so videos that use it will fail; upload the media file itself";
    let no_media = json!([{ "path": "/params/videoList/0/filename", "message": no_media,
        "code": "upload_without_media", "params": {} }]);
    for (body, points, seconds, warnings) in [
        (with(&upload, 10.0), 10, 10.0, json!([])),
        (with(&upload, 10.9), 10, 10.0, json!([])),
        (with(&upload, 100.0), 10, 10.0, warning),
        (with(&text, 7.0), 14, 7.0, no_media),
    ] {
        let response = service.post(&ann, &estimate, body.to_string()).await.data();
        assert_eq!(response["estimatedDotCount"], points, "{body}");
        assert_eq!(
            (&response["outputSeconds"], &response["warnings"]),
            (&json!(seconds), &warnings),
            "{body}"
        );
    }
    // The actual price is covered, although twice as much was declared.
    let held = service.submit(&ann, &with(&upload, 20.0)).await.data();
    assert_eq!(held["estimatedDotCount"], 10);

    // The length of another user's upload is not revealed, neither by a price nor by a warning.
    for path in [&estimate, &format!("{API}/submit")] {
        let foreign = service.post(&bob, path, with(&upload, 100.0).to_string()).await.error(40001);
        let nowhere = with(&json!("upload://00000000000000000000000000000000"), 100.0).to_string();
        let nowhere = service.post(&bob, path, nowhere).await.error(40001);
        assert_eq!(foreign["errors"][0]["message"], nowhere["errors"][0]["message"]);
    }
}

/// A repeated submission gets the first response, even if more facts are known by then.
#[tokio::test]
async fn a_repeat_costs_nothing_more() {
    let service = Service::start().await;
    let ann = service.user("ann", 10).await;
    let upload = service.upload(&ann, "/open-api/v1/uploads", "MEDIA").await.data()["url"].clone();
    let mut body = named_task("one");
    body["params"]["videoList"] = json!([{ "filename": upload, "duration": 50 }]);
    let first = service.submit(&ann, &body).await.data();
    let again = service.submit(&ann, &body).await.data();
    assert_eq!((&again["taskNo"], &again["estimatedDotCount"]), (&first["taskNo"], &json!(10)));
}

#[tokio::test]
async fn with_preflight_the_files_are_probed() {
    let service = Service::start().await;
    let user = service.user("alice", 100).await;
    let path = format!("{API}/estimate?preflight=true");
    let response = service.post(&user, &path, task().to_string()).await;
    assert!(response.header("ratelimit").starts_with("\"submitting\";"), "{response:?}");
    let estimate = response.data();
    assert_eq!(estimate["estimatedDotCount"], 0);
    assert_eq!(
        estimate["warnings"],
        json!([{
            "path": "",
            "message": "item 1 could not be rendered: DOWNLOAD_FAILED: simulated failure (https://media.example/a.mp4)",
            "code": "item_impossible_for",
            "params": {
                "item": "1", "code": "DOWNLOAD_FAILED", "why": "simulated failure",
                "input": "https://media.example/a.mp4",
            },
        }])
    );

    let mut many = task();
    let videos = (0..101).map(|i| json!({ "filename": format!("https://m.example/{i}.mp4"), "duration": 1 }));
    many["params"]["videoList"] = videos.collect();
    let errors = service.post(&user, &path, many.to_string()).await.error(40001);
    assert_eq!(errors["errors"][0]["path"], "/query/preflight");
}
