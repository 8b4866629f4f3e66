//! Retrying a failed row of a batch.

use serde_json::json;

use crate::batches::{BATCHES, batch, continue_batches, send};
use crate::harness::{API, Service, User};

#[tokio::test]
async fn a_failed_row_is_retried_as_another_task_of_the_batch() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let number = send(&service, &ann, &batch()).await.data()["batchNo"].as_str().unwrap().to_owned();
    continue_batches(&service).await;
    let row = async |row: usize| {
        service.get(&ann, &format!("{BATCHES}/{number}/rows")).await.data()["list"][row - 1].clone()
    };
    let retry = async |user: &User, row: &str| {
        service.send("POST", user, &format!("{BATCHES}/{number}/rows/{row}/retry"), &json!({})).await
    };
    assert_eq!(retry(&ann, "2").await.error(40913), json!({ "batchNo": number, "row": 2 }));
    let first = row(2).await["taskNo"].as_str().unwrap().to_owned();
    service.send("POST", &ann, &format!("{API}/cancel/{first}"), &json!({})).await.data();

    let bob = service.user("bob", 100).await;
    for (user, row) in [(&bob, "2"), (&ann, "4"), (&ann, "0"), (&ann, "x"), (&ann, "4294967296")] {
        assert_eq!(retry(user, row).await.status.as_u16(), 404, "{row}");
    }
    let open = retry(&ann, "2").await.data();
    assert_eq!((&open["waitingRows"], &open["statusName"]), (&json!(1), &json!("executing")));
    continue_batches(&service).await;
    let second = row(2).await;
    assert_ne!(second["taskNo"], json!(first));
    let task =
        service.get(&ann, &format!("{API}/status/{}", second["taskNo"].as_str().unwrap())).await.data();
    assert_eq!((&task["clientTaskId"], &task["name"]), (&json!("june#2.1"), &json!("=1+1")));
    let failed = service.get(&ann, &format!("{BATCHES}/{number}/rows?state=failed")).await.data();
    assert_eq!(failed["total"], json!(0));

    service.send("POST", &ann, &format!("{BATCHES}/{number}/cancel"), &json!({})).await.data();
    continue_batches(&service).await;
    retry(&ann, "2").await.error(40907);
}
