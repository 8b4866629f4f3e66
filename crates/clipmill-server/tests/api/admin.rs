//! Operators' calls over HTTP.

use axum::body::Body;
use clipmill_store::Scope;
use serde_json::json;

use crate::harness::{API, ApiResponse, Service, User, keyed, task};

const ADMIN: &str = "/open-api/v1/admin";

#[tokio::test]
async fn users_are_created_listed_and_granted_points() {
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

    // The key works, and its user's actions are visible in the list of users.
    let ann = User { id: clipmill_core::ids::UserId(id), key: made["apiKey"].as_str().unwrap().to_owned() };
    service.submit(&ann, &task()).await.data();
    let users =
        async |search: &str| service.get(&operator, &format!("{ADMIN}/users?search={search}")).await.data();
    let one = users("nn_").await;
    assert_eq!(
        (&one["total"], &one["list"][0]["name"], &one["list"][0]["held"], &one["list"][0]["tasks"]),
        (&json!(1), &json!("Ann_1"), &json!(20), &json!(1))
    );
    assert_eq!(users("").await["total"], 2);
    assert_eq!(users("%25").await["total"], 0);
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
async fn the_queue_is_paused_and_resumed() {
    let service = Service::start().await;
    let operator = service.scoped(&service.user("op", 0).await, &[Scope::Admin]).await;
    let control = async |what: &str| {
        let data = service.post(&operator, &format!("{ADMIN}/queue/{what}"), "").await.data();
        (data["paused"].as_bool().unwrap(), data["changed"].as_bool().unwrap())
    };
    assert_eq!(control("pause").await, (true, true));
    assert_eq!(control("pause").await, (true, false));
    assert_eq!(service.get(&operator, &format!("{ADMIN}/queue")).await.data()["paused"], true);
    assert_eq!(control("resume").await, (false, true));
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

/// An operator, and calls as one.
struct Operator<'a> {
    service: &'a Service,
    user: User,
}

impl<'a> Operator<'a> {
    async fn of(service: &'a Service) -> Self {
        let user = service.scoped(&service.user("op", 0).await, &[Scope::Admin]).await;
        Self { service, user }
    }

    async fn get(&self, path: &str) -> ApiResponse {
        self.service.get(&self.user, &format!("{ADMIN}/{path}")).await
    }

    async fn post(&self, path: &str, body: serde_json::Value) -> ApiResponse {
        self.service.post(&self.user, &format!("{ADMIN}/{path}"), body.to_string()).await
    }

    async fn delete(&self, path: &str) -> ApiResponse {
        let call = keyed(&self.user, "DELETE", &format!("{ADMIN}/{path}")).body(Body::empty()).unwrap();
        self.service.call(call).await
    }
}

#[tokio::test]
async fn keys_are_issued_listed_and_revoked() {
    let service = Service::start().await;
    let (op, ann) = (Operator::of(&service).await, service.user("ann", 0).await);
    let keys = format!("users/{}/keys", ann.id);
    let issued = op.post(&keys, json!({ "scopes": ["read"], "expireTime": "2999-01-01" })).await.data();
    assert_eq!(
        (&issued["scopes"], &issued["expireTime"]),
        (&json!(["read"]), &json!("2999-01-01T00:00:00.000Z"))
    );
    let reader = User { id: ann.id, key: issued["apiKey"].as_str().unwrap().to_owned() };
    service.get(&reader, &format!("{API}/balance")).await.data();
    service.submit(&reader, &task()).await.error(40300);
    let standard = op.post(&keys, json!({})).await.data();
    assert_eq!((&standard["scopes"], &standard["expireTime"]), (&json!(["read", "submit"]), &json!(null)));

    let listed = op.get(&keys).await.data();
    assert_eq!((&listed["total"], &listed["list"][1]["keyId"]), (&json!(3), &issued["keyId"]));
    let shown = listed["list"][1]["prefix"].as_str().unwrap();
    assert!(reader.key.starts_with(shown) && shown.len() == 12, "only how it begins is shown");

    let revoked = op.delete(&format!("keys/{}", issued["keyId"])).await.data();
    assert!(revoked["revokeTime"].is_string());
    service.get(&reader, &format!("{API}/balance")).await.error(40101);
    service.get(&ann, &format!("{API}/balance")).await.data();
    for (body, path) in [
        (json!({ "scopes": ["read", "root"] }), "/scopes/1"),
        (json!({ "scopes": [] }), "/scopes"),
        (json!({ "expireTime": "yesterday" }), "/expireTime"),
        (json!({ "expireTime": "2001-01-01" }), "/expireTime"),
    ] {
        assert_eq!(op.post(&keys, body).await.error(40001)["errors"][0]["path"], path);
    }
    op.get("users/999/keys").await.error(40400);
    op.post("users/x/keys", json!({})).await.error(40400);
    op.delete("keys/999999").await.error(40400);

    // Operators cannot lock themselves out.
    let own = op.get(&format!("users/{}/keys", op.user.id)).await.data();
    let own = own["list"].as_array().unwrap().iter().find(|key| key["current"] == true).unwrap();
    assert_eq!(
        op.delete(&format!("keys/{}", own["keyId"])).await.error(40001)["errors"][0]["path"],
        "/keyId"
    );
    op.get("queue").await.data();
}

#[tokio::test]
async fn a_user_is_disabled_with_a_reason_and_enabled_again() {
    let service = Service::start().await;
    let (op, ann, bob) =
        (Operator::of(&service).await, service.user("ann", 100).await, service.user("bob", 100).await);
    let task_no = service.submit(&ann, &task()).await.data()["taskNo"].as_str().unwrap().to_owned();
    let switch = format!("users/{}", ann.id);
    let off =
        op.post(&format!("{switch}/off"), json!({ "reason": "invoice 17 {id} is unpaid" })).await.data();
    assert_eq!((&off["offReason"], &off["cancelled"]), (&json!("invoice 17 {id} is unpaid"), &json!(0)));
    let refused = service.get(&ann, &format!("{API}/status/{task_no}")).await;
    assert_eq!(refused.error(40301)["reason"], "invoice 17 {id} is unpaid");
    service.submit(&ann, &task()).await.error(40301);
    service.submit(&bob, &task()).await.data();
    let listed = op.get("users?search=ann").await.data();
    assert_eq!(listed["list"][0]["offReason"], "invoice 17 {id} is unpaid");

    op.post(&format!("{switch}/on"), json!({})).await.data();
    let status = service.get(&ann, &format!("{API}/status/{task_no}")).await.data();
    assert_eq!(status["status"], 0, "submitted tasks continue");
    let off = op.post(&format!("{switch}/off"), json!({ "reason": "hostile", "cancel": true })).await.data();
    assert_eq!(off["cancelled"], 1);
    op.post(&format!("{switch}/on"), json!({})).await.data();
    let status = service.get(&ann, &format!("{API}/status/{task_no}")).await.data();
    assert_eq!(status["statusName"], "cancelled");
    assert_eq!(service.get(&ann, &format!("{API}/balance")).await.data()["held"], 0);

    op.post(&format!("{switch}/off"), json!({})).await.error(40001);
    op.post("users/999/off", json!({ "reason": "x" })).await.error(40400);
    op.post("users/999/on", json!({})).await.error(40400);
    let own = op.post(&format!("users/{}/off", op.user.id), json!({ "reason": "x" })).await;
    assert_eq!(own.error(40001)["errors"][0]["path"], "/userId");
    op.get("queue").await.data();
}

#[tokio::test]
async fn points_are_deducted_with_their_reason() {
    let service = Service::start().await;
    let (op, ann) = (Operator::of(&service).await, service.user("ann", 100).await);
    service.submit(&ann, &task()).await.data();
    let take = async |points: u64, remark: &str| {
        op.post("deductions", json!({ "userId": ann.id, "points": points, "remark": remark })).await
    };
    let refused = take(100, "all of it").await.error(40200);
    assert_eq!((&refused["needed"], &refused["available"]), (&json!(100), &json!(80)));
    let taken = take(80, "paid back by bank").await.data();
    assert_eq!((&taken["balance"], &taken["held"]), (&json!(0), &json!(20)));
    take(1, "once more").await.error(40200);
    assert_eq!(take(1, " ").await.error(40001)["errors"][0]["path"], "/remark");
    let records = service.get(&ann, &format!("{API}/records?type=adjust")).await.data();
    let record = &records["list"][0];
    assert_eq!(
        (&records["total"], &record["dotCount"], &record["amount"], &record["remark"]),
        (&json!(1), &json!(-80), &json!(80), &json!("paid back by bank"))
    );
    op.post("deductions", json!({ "userId": 999, "points": 1, "remark": "x" })).await.error(40400);
    assert_eq!(service.store.points().audit().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_pause_is_shown_only_to_users_with_waiting_tasks() {
    let service = Service::start().await;
    let (op, ann) = (Operator::of(&service).await, service.user("ann", 100).await);
    let submit = async || service.submit(&ann, &task()).await.data()["taskNo"].as_str().unwrap().to_owned();
    let (waits, ended) = (submit().await, submit().await);
    service.post(&ann, &format!("{API}/cancel/{ended}"), "").await.data();
    op.post("queue/pause", json!({ "reason": "a new disk until noon" })).await.data();
    let queue = op.get("queue").await.data();
    assert_eq!((&queue["paused"], &queue["pauseReason"]), (&json!(true), &json!("a new disk until noon")));
    let status = async |task_no: &str| service.get(&ann, &format!("{API}/status/{task_no}")).await.data();
    let task_status = status(&waits).await;
    assert_eq!(task_status["paused"]["reason"], "a new disk until noon");
    let warning = task_status["warnings"].as_array().unwrap().last().unwrap()["message"].as_str().unwrap();
    assert!(warning.contains("(a new disk until noon)"), "{warning}");
    let over = status(&ended).await;
    assert_eq!((&over["paused"], over["warnings"].to_string().contains("disk")), (&json!(null), false));
    let listed = service.get(&ann, &format!("{API}/list")).await.data();
    assert_eq!(listed["list"][1]["paused"]["reason"], "a new disk until noon");
    assert_eq!(
        op.post("queue/pause", json!({ "reason": "x".repeat(201) })).await.error(40001)["errors"][0]["path"],
        "/reason"
    );
    op.post("queue/resume", json!({})).await.data();
    assert_eq!(op.get("queue").await.data()["pauseReason"], json!(null));
}

#[tokio::test]
async fn an_operator_sees_the_state_of_any_task_but_no_files() {
    let service = Service::start().await;
    let (op, ann) = (Operator::of(&service).await, service.user("ann", 100).await);
    let sent = service.submit(&ann, &task()).await.data();
    let task_no = sent["taskNo"].as_str().unwrap();
    let seen = op.get(&format!("tasks/{task_no}")).await.data();
    assert_eq!((&seen["userName"], &seen["taskNo"]), (&json!("ann"), &sent["taskNo"]));
    assert_eq!((&seen["statusName"], &seen["failures"]), (&json!("pending submission"), &json!([])));
    for absent in ["items", "downloadUrl", "coverUrl"] {
        assert!(seen.get(absent).is_none(), "{absent}: {seen}");
    }
    for unknown in ["VP00000000000000000000000000", "x", "%00"] {
        op.get(&format!("tasks/{unknown}")).await.error(40400);
    }
    for search in [&task_no[20..], "ANN", "%25", ""] {
        assert_eq!(op.get(&format!("failures?search={search}")).await.data()["total"], 0);
    }
    for wrong in ["%00".to_owned(), "x".repeat(256)] {
        for list in ["failures", "users", "usage"] {
            op.get(&format!("{list}?search={wrong}")).await.error(40001);
        }
    }
}

#[tokio::test]
async fn causes_and_use_are_counted_over_a_period() {
    let service = Service::start().await;
    let (op, _ann) = (Operator::of(&service).await, service.user("ann", 100).await);
    let causes = op.get("failures/causes").await.data();
    assert_eq!((&causes["total"], &causes["list"]), (&json!(0), &json!([])));
    let usage = op.get("usage?search=ann&from=2026-01-01&to=2026-02-01").await.data();
    assert_eq!(usage["from"], "2026-01-01T00:00:00.000Z");
    assert_eq!(usage["to"], "2026-02-01T00:00:00.000Z");
    let one = &usage["list"][0];
    assert_eq!(
        (&usage["total"], &one["userName"], &one["points"], &one["outputSeconds"], &one["storedBytes"]),
        (&json!(1), &json!("ann"), &json!(0), &json!(0.0), &json!(500))
    );
    assert_eq!(usage["sum"]["outputs"], 0);
    for path in ["failures/causes?from=soon", "usage?to=x", "usage?search=%00", "usage?pageSize=0"] {
        op.get(path).await.error(40001);
    }
}
