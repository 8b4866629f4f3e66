//! Seeds that are drawn because a request has none.

use clipmill_server::batches::Batches;
use serde_json::{Value, json};

use crate::harness::{API, Service, named_task, task};
use crate::mcp::facts;

/// The chance that none of so many seeds is too high by accident is one in 65,536.
const TIMES: usize = 16;

fn unnamed(mut task: Value) -> Value {
    let request = task.as_object_mut().unwrap();
    request.remove("clientTaskId");
    task
}

/// Seeds from 2^52 on are those of further items: a task whose seed is one of them has no series of its own.
#[tokio::test]
async fn every_way_to_submit_draws_a_seed_that_begins_a_series() {
    let service = Service::start().await;
    let user = service.user("ann", 1_000_000).await;
    let variables = json!([{ "name": "title", "type": "text", "default": "a" }]);
    let mut request = unnamed(task());
    request["name"] = json!("{{title}}");
    let template = json!({ "name": "t", "request": request, "variables": variables });
    let template = service.send("POST", &user, "/open-api/v1/templates", &template).await.data();
    let by_template = json!({ "template": template["templateNo"], "values": { "title": "b" } });
    for number in 0..TIMES {
        service.submit(&user, &unnamed(task())).await.data();
        service.submit(&user, &named_task(&format!("named {number}"))).await.data();
        service.submit(&user, &by_template).await.data();
        let arguments = json!({ "request": unnamed(task()), "maxPoints": 1_000, "again": true });
        facts(&service, &user, "submit_task", arguments).await;
        let batch = |name: &str| {
            let id = format!("{name} {number}");
            json!({ "clientBatchId": id, "template": template["templateNo"], "rows": [{}, { "title": "c" }] })
        };
        service.send("POST", &user, "/open-api/v1/batches", &batch("sent")).await.data();
        let arguments = json!({ "batch": batch("agent"), "maxPoints": 1_000 });
        facts(&service, &user, "submit_batch", arguments).await;
    }
    let mut batches = Batches::new(service.app.clone());
    let mut tasks = Vec::new();
    while tasks.len() < 8 * TIMES {
        batches.round(&Default::default()).await.unwrap();
        tasks = listed(&service, &user).await;
    }
    for task_no in &tasks {
        let status = service.get(&user, &format!("{API}/status/{task_no}")).await.data();
        let seed = status["items"][0]["seed"].as_u64().unwrap();
        assert!(seed < 1 << 52, "{seed}: {status:#}");
    }
}

async fn listed(service: &Service, user: &crate::harness::User) -> Vec<String> {
    let (mut found, mut page) = (Vec::new(), 1);
    loop {
        let list = service.get(user, &format!("{API}/list?pageNo={page}&pageSize=100")).await.data();
        let tasks = list["list"].as_array().unwrap();
        if tasks.is_empty() {
            return found;
        }
        found.extend(tasks.iter().map(|task| task["taskNo"].as_str().unwrap().to_owned()));
        page += 1;
    }
}
