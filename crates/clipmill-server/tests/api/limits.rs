//! `maxPoints`: the price limit of a task or a batch.

use axum::body::Body;
use axum::http::header;
use clipmill_server::batches::Batches;
use serde_json::{Value, json};

use crate::harness::{API, Service, User, keyed, named_task};

const BATCHES: &str = "/open-api/v1/batches";

async fn held(service: &Service, user: &User) -> Value {
    service.get(user, &format!("{API}/balance")).await.data()["held"].clone()
}

/// A task that costs 20 points.
fn limited(max_points: u64) -> Value {
    let mut task = named_task("mine");
    task["maxPoints"] = json!(max_points);
    task
}

#[tokio::test]
async fn an_estimate_above_max_points_is_refused() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let refused = service.submit(&ann, &limited(19)).await;
    assert_eq!(
        (refused.status.as_u16(), refused.error(40201)),
        (402, json!({ "price": 20, "maxPoints": 19 }))
    );
    let call = keyed(&ann, "POST", &format!("{API}/submit"))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT_LANGUAGE, "zh");
    let message = service.call(call.body(Body::from(limited(19).to_string())).unwrap()).await.json();
    let message = message["msg"].as_str().unwrap();
    assert!(message.contains("20 点") && message.contains("19"), "{message}");
    assert_eq!(held(&service, &ann).await, 0);
    // An estimate returns the price regardless of the limit.
    let estimate = service.send("POST", &ann, &format!("{API}/estimate"), &limited(0)).await.data();
    assert_eq!(estimate["estimatedDotCount"], 20);

    let first = service.submit(&ann, &limited(20)).await.data();
    for limit in [1, 20, 99] {
        let again = service.submit(&ann, &limited(limit)).await.data();
        assert_eq!((&again["taskNo"], &again["duplicate"]), (&first["taskNo"], &json!(true)));
    }
    let number = first["taskNo"].as_str().unwrap();
    let request = service.get(&ann, &format!("{API}/request/{number}")).await.data();
    assert_eq!(request["maxPoints"], 20, "the first value is kept");
    assert_eq!(service.get(&ann, &format!("{API}/status/{number}")).await.data()["price"], json!(null));
}

#[tokio::test]
async fn a_template_has_a_limit_that_its_use_can_replace() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let mut request = limited(19);
    request.as_object_mut().unwrap().remove("clientTaskId");
    let template = json!({ "name": "Mugs", "request": request, "variables": [] });
    let number =
        service.send("POST", &ann, "/open-api/v1/templates", &template).await.data()["templateNo"].clone();
    let used = json!({ "template": number });
    assert_eq!(service.submit(&ann, &used).await.error(40201)["maxPoints"], 19);
    let used = json!({ "template": number, "maxPoints": 20 });
    service.submit(&ann, &used).await.data();
}

/// Three rows of 10 points.
fn batch() -> Value {
    json!({
        "clientBatchId": "june",
        "request": { "taskType": "baseVideoMix", "params": {
            "videoList": [{ "videos": [{ "url": "https://media.example/{{n}}.mp4", "duration": 5 }] }],
            "options": { "resolution": "1080:1920" },
        } },
        "variables": [{ "name": "n", "type": "number" }],
        "rows": [{ "n": 1 }, { "n": 2 }, { "n": 3 }],
    })
}

#[tokio::test]
async fn a_batch_is_limited_as_a_whole_and_its_rows_by_their_request() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let send = async |change: &dyn Fn(&mut Value)| {
        let mut batch = batch();
        change(&mut batch);
        service.send("POST", &ann, BATCHES, &batch).await
    };
    let above = send(&|batch| batch["maxPoints"] = json!(29)).await;
    assert_eq!(above.error(40201), json!({ "price": 30, "maxPoints": 29 }));
    // The error contains the number of the row.
    let above = send(&|batch| batch["request"]["maxPoints"] = json!(9)).await;
    assert_eq!(above.error(40201), json!({ "price": 10, "maxPoints": 9, "row": 1 }));
    // The limit applies to all rows, even if fewer could be accepted.
    let above = send(&|batch| {
        batch["maxPoints"] = json!(29);
        batch["partial"] = json!(true);
    });
    assert_eq!(above.await.code(), 40201);
    assert_eq!(held(&service, &ann).await, 0);

    let first = send(&|batch| batch["maxPoints"] = json!(30)).await.data();
    assert_eq!((&first["estimatedDotCount"], &held(&service, &ann).await), (&json!(30), &json!(30)));
    let again = send(&|batch| batch["maxPoints"] = json!(1)).await.data();
    assert_eq!((&again["batchNo"], &again["duplicate"]), (&first["batchNo"], &json!(true)));
    Batches::new(service.app.clone()).round(&Default::default()).await.unwrap();
    assert_eq!(held(&service, &ann).await, 30);
}
