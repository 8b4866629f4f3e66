//! A task for tests of code that uses the store.

use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::request::{Policy, parse};
use clipmill_store::sqlite::SqliteStore;
use clipmill_store::{NewTask, NewUser, Quota, Store, SubmitOutcome};

/// Submits a task without items for a new user.
pub async fn submitted(store: &SqliteStore) -> (UserId, TaskNo) {
    let user = NewUser { name: "ann".into(), webhook_secret: "whsec_x".into() };
    let user = store.users().add(user, 1).await.unwrap().id;
    let body = r#"{"taskType":"videoDeduplication",
        "params":{"videoList":[{"filename":"https://media.example/a.mp4","duration":1}]}}"#;
    let request = parse(body.as_bytes(), &Policy::default()).unwrap().request;
    let task_no = TaskNo::new(1, [1; 10]);
    let task = NewTask {
        user,
        task_no: task_no.clone(),
        request,
        request_sha256: [1; 32],
        seed: 1,
        items: vec![],
        warnings: vec![],
        traceparent: None,
        quota: Quota::default(),
        template: None,
    };
    assert!(matches!(store.tasks().submit(task, 1).await.unwrap(), SubmitOutcome::Created(_)));
    (user, task_no)
}
