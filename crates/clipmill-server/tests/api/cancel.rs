//! Cancelling over HTTP: the response in each state, and permissions.

use axum::body::Body;
use clipmill_core::ids::TaskNo;
use clipmill_store::{CancelOutcome, ClaimLimits, Scope};
use serde_json::{Value, json};

use crate::harness::{API, ApiResponse, Service, User, keyed, named_task, task};

async fn cancel(service: &Service, user: &User, task_no: &str) -> ApiResponse {
    service.call(keyed(user, "POST", &format!("{API}/cancel/{task_no}")).body(Body::empty()).unwrap()).await
}

async fn submitted(service: &Service, user: &User) -> String {
    service.submit(user, &task()).await.data()["taskNo"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_cancelled_task_releases_its_points_and_stays_cancelled() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let task_no = submitted(&service, &ann).await;
    let status = cancel(&service, &ann, &task_no).await.data();
    assert_eq!((&status["status"], &status["statusName"]), (&json!(5), &json!("cancelled")));
    assert_eq!((&status["failedItems"], &status["completedItems"]), (&json!(0), &json!(0)));
    let error = json!({ "code": "CANCELLED", "message": "The task was cancelled before this output was rendered.",
        "messageCode": "cancelled_before", "messageParams": {}, "input": null, "retryable": false, "charged": false });
    assert_eq!(status["items"][0]["error"], error);
    let again = cancel(&service, &ann, &task_no).await.data();
    assert_eq!(again["finishTime"], status["finishTime"]);
    let balance = service.get(&ann, &format!("{API}/balance")).await.data();
    assert_eq!(balance, json!({ "balance": 100, "held": 0, "total": 100 }));
}

#[tokio::test]
async fn a_task_that_ended_otherwise_cannot_be_cancelled() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let task_no = submitted(&service, &ann).await;
    let claim =
        service.store.queue().claim("worker", 1, 1_000, ClaimLimits::default()).await.unwrap().unwrap();
    service.store.jobs().complete_preflight(claim.lease, Default::default(), 2).await.unwrap();
    let refused = cancel(&service, &ann, &task_no).await;
    let data = refused.error(40901);
    assert_eq!(data, json!({ "taskNo": task_no, "status": 6, "statusName": "rejected" }));
    assert!(refused.json()["msg"].as_str().unwrap().contains("rejected"));
}

#[tokio::test]
async fn cancelling_races_the_end_and_itself() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    for _ in 0..10 {
        let task_no = submitted(&service, &ann).await;
        let claim =
            service.store.queue().claim("worker", 1, 1_000, ClaimLimits::default()).await.unwrap().unwrap();
        let end = service.store.jobs().complete_preflight(claim.lease, Default::default(), 2);
        let cancels = futures_util::future::join_all((0..8).map(|_| cancel(&service, &ann, &task_no)));
        let (ended, answers) = futures_util::future::join(end, cancels).await;
        // The first call decided the outcome for all.
        for response in answers {
            match ended {
                Ok(()) => drop(response.error(40901)),
                Err(_) => assert_eq!(response.data()["status"], 5),
            }
        }
        let balance = service.get(&ann, &format!("{API}/balance")).await.data();
        assert_eq!(balance, json!({ "balance": 100, "held": 0, "total": 100 }));
    }
    assert_eq!(service.store.points().audit().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn only_the_owner_with_the_right_scope_cancels() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 100).await);
    let task_no = submitted(&service, &ann).await;
    let of_another = cancel(&service, &bob, &task_no).await;
    of_another.error(40400);
    assert_eq!(of_another.body, cancel(&service, &bob, "VP1").await.body);
    let reader = service.scoped(&ann, &[Scope::Read]).await;
    cancel(&service, &reader, &task_no).await.error(40300);
    // Nothing had changed: the owner can still do it.
    let task_no = TaskNo::parse(&task_no).unwrap();
    let cancelled = service.store.tasks().cancel(ann.id, &task_no, 1).await.unwrap();
    assert_eq!(cancelled, Some(CancelOutcome::Cancelled));
}

#[tokio::test]
async fn a_repeat_of_a_cancelled_submit_is_the_cancelled_task() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let first = service.submit(&ann, &named_task("order 1")).await.data();
    cancel(&service, &ann, first["taskNo"].as_str().unwrap()).await.data();
    let again = service.submit(&ann, &named_task("order 1")).await.data();
    assert_eq!((&again["taskNo"], &again["duplicate"]), (&first["taskNo"], &Value::Bool(true)));
    let mut other = named_task("order 1");
    other["params"]["videoList"][0]["duration"] = json!(11);
    service.submit(&ann, &other).await.error(40900);
    assert_eq!(service.get(&ann, &format!("{API}/balance")).await.data()["held"], 0);
}
