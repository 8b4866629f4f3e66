//! Operators' calls over HTTP.

use clipmill_store::Scope;
use serde_json::json;

use crate::harness::{API, Service, User, task};

const ADMIN: &str = "/open-api/v1/admin";

#[tokio::test]
async fn users_are_made_found_and_given_points() {
    let service = Service::start().await;
    let operator = service.scoped(&service.user("op", 0).await, &[Scope::Admin]).await;
    let post = async |path: &str, body: serde_json::Value| {
        service.post(&operator, &format!("{ADMIN}/{path}"), body.to_string()).await
    };
    let made = post("users", json!({ "name": "Ann_1", "points": 5 })).await.data();
    post("users", json!({ "name": "Ann_1" })).await.error(40001);
    let id = made["userId"].as_i64().unwrap();
    let granted = post("grants", json!({ "userId": id, "points": 15, "remark": "welcome" })).await.data();
    assert_eq!((&granted["balance"], &granted["held"]), (&json!(20), &json!(0)));
    post("grants", json!({ "userId": 999, "points": 1 })).await.error(40400);
    post("grants", json!({ "userId": id, "points": 0 })).await.error(40001);

    // The key works, and the work shows.
    let ann = User { id: clipmill_core::ids::UserId(id), key: made["apiKey"].as_str().unwrap().to_owned() };
    service.submit(&ann, &task()).await.data();
    let found =
        async |search: &str| service.get(&operator, &format!("{ADMIN}/users?search={search}")).await.data();
    let one = found("nn_").await;
    assert_eq!(
        (&one["total"], &one["list"][0]["name"], &one["list"][0]["held"], &one["list"][0]["tasks"]),
        (&json!(1), &json!("Ann_1"), &json!(20), &json!(1))
    );
    assert_eq!(found("").await["total"], 2);
    assert_eq!(found("%25").await["total"], 0);
    for control in ["%00", "nn%00", "%0a"] {
        service.get(&operator, &format!("{ADMIN}/users?search={control}")).await.error(40001);
    }
    let queue = service.get(&operator, &format!("{ADMIN}/queue")).await.data();
    assert_eq!(
        (&queue["paused"], &queue["depth"][0]["kind"], &queue["depth"][0]["count"]),
        (&json!(false), &json!("preflight"), &json!(1))
    );
    assert_eq!(service.get(&operator, &format!("{ADMIN}/workers")).await.data()["total"], 0);
    assert_eq!(
        service.get(&operator, &format!("{ADMIN}/failures?code=MEDIA_DAMAGED")).await.data()["total"],
        0
    );
    service.get(&operator, &format!("{ADMIN}/failures?code=X")).await.error(40001);
}

#[tokio::test]
async fn the_queue_is_paused_and_goes_on() {
    let service = Service::start().await;
    let operator = service.scoped(&service.user("op", 0).await, &[Scope::Admin]).await;
    let told = async |what: &str| {
        let data = service.post(&operator, &format!("{ADMIN}/queue/{what}"), "").await.data();
        (data["paused"].as_bool().unwrap(), data["changed"].as_bool().unwrap())
    };
    assert_eq!(told("pause").await, (true, true));
    assert_eq!(told("pause").await, (true, false));
    assert_eq!(service.get(&operator, &format!("{ADMIN}/queue")).await.data()["paused"], true);
    assert_eq!(told("resume").await, (false, true));
    assert_eq!(service.post(&operator, &format!("{ADMIN}/queue/requeue"), "").await.data()["requeued"], 0);
}

#[tokio::test]
async fn a_task_without_files_has_nothing_to_download() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let task_no = service.submit(&ann, &task()).await.data()["taskNo"].as_str().unwrap().to_owned();
    let path = format!("/open-api/v1/download/{task_no}");
    service.get(&ann, &path).await.error(40903);
    service.get(&ann, &format!("{path}?expires=9999999999&signature=AAAA")).await.error(40300);
    assert_eq!(
        service.get(&ann, &format!("{API}/status/{task_no}")).await.data()["downloadUrl"],
        json!(null)
    );
}
