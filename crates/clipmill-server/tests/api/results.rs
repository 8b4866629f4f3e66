//! Results of tasks as inputs: who may use them, what they cost, and how long a chain may be.

use clipmill_core::ids::TaskNo;
use clipmill_server::clock;
use serde_json::{Value, json};

use crate::harness::{API, ApiResponse, Service, User};

const BATCHES: &str = "/open-api/v1/batches";

/// A mix of one output of four seconds, at 720 lines, for each of `items`.
fn mix(items: usize) -> Value {
    let group = json!({ "videos": [{ "url": "https://media.example/a.mp4", "duration": 4 }] });
    json!({ "taskType": "baseVideoMix", "params": {
        "videoList": vec![group; items], "options": { "resolution": "720:1280" } } })
}

fn vary(urls: &[String]) -> Value {
    let videos: Vec<Value> = urls.iter().map(|url| json!({ "filename": url })).collect();
    json!({ "taskType": "videoDeduplication", "params": { "videoList": videos } })
}

fn url(task_no: &str, item_no: u32) -> String {
    format!("result://{task_no}/{item_no}")
}

async fn submitted(service: &Service, user: &User, body: &Value) -> String {
    service.submit(user, body).await.data()["taskNo"].as_str().unwrap().to_owned()
}

/// The paths and messages of field errors.
fn errors(response: &ApiResponse) -> Vec<(String, String)> {
    let data = response.error(40001);
    let text = |error: &Value, name: &str| error[name].as_str().unwrap().to_owned();
    data["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| (text(error, "path"), text(error, "message")))
        .collect()
}

#[tokio::test]
async fn an_output_is_priced_before_it_exists() {
    let service = Service::start().await;
    let ann = service.user("ann", 1000).await;
    let source = submitted(&service, &ann, &mix(2)).await;
    // Two outputs of 4 s at 1 point per second; the length is not declared again.
    let body = vary(&[url(&source, 1), url(&source, 2)]);
    let estimate = service.post(&ann, &format!("{API}/estimate"), body.to_string()).await.data();
    assert_eq!((&estimate["estimatedDotCount"], &estimate["outputSeconds"]), (&json!(8), &json!(8.0)));
    assert_eq!(estimate["warnings"], json!([]));
    let second = service.submit(&ann, &body).await.data();
    assert_eq!(second["estimatedDotCount"], 8);
    // In a chain, too; a part of an output costs its part.
    let part = json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [{ "videos": [{ "url": url(second["taskNo"].as_str().unwrap(), 2), "from": 1 }] }],
        "options": { "resolution": "1080:1920" } } });
    assert_eq!(service.submit(&ann, &part).await.data()["estimatedDotCount"], 6);
    let status =
        service.get(&ann, &format!("{API}/status/{}", second["taskNo"].as_str().unwrap())).await.data();
    assert_eq!(status["status"], 0, "it waits");
    // Estimates that probe files need the file.
    let path = format!("{API}/estimate?preflight=true");
    let response = service.post(&ann, &path, body.to_string()).await;
    let not_ready =
        "this result is not ready yet; wait until its task has ended, or submit the task, which waits for it";
    let places = ["/params/videoList/0/filename", "/params/videoList/1/filename"];
    assert_eq!(errors(&response), places.map(|place| (place.to_owned(), not_ready.to_owned())));
    let probe = json!({ "url": url(&source, 1) });
    let response = service.post(&ann, "/open-api/v1/probe", probe.to_string()).await;
    assert_eq!(errors(&response), [("/url".to_owned(), not_ready.to_owned())]);
}

#[tokio::test]
async fn only_own_results_can_be_used_and_others_look_unknown() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 100).await);
    let source = submitted(&service, &ann, &mix(1)).await;
    let unknown = TaskNo::new(clock::now_ms(), [7; 10]).to_string();
    let message = "is not a result of one of your tasks, or is no longer stored";
    let place = || vec![("/params/videoList/0/filename".to_owned(), message.to_owned())];
    for (user, url) in
        [(&bob, url(&source, 1)), (&bob, url(&unknown, 1)), (&ann, url(&source, 2)), (&ann, url(&unknown, 1))]
    {
        let body = vary(std::slice::from_ref(&url));
        assert_eq!(errors(&service.submit(user, &body).await), place(), "{url}");
        for path in ["estimate", "estimate?preflight=true"] {
            let response = service.post(user, &format!("{API}/{path}"), body.to_string()).await;
            assert_eq!(errors(&response), place(), "{url}");
        }
        let preview = json!({ "request": body });
        for path in ["/open-api/v1/preview", "/open-api/v1/preview/clip"] {
            let response = service.post(user, path, preview.to_string()).await;
            assert_eq!(errors(&response)[0].1, message, "{path} {url}");
        }
        for path in ["/open-api/v1/probe", "/open-api/v1/thumbnail"] {
            let response = service.post(user, path, json!({ "url": url }).to_string()).await;
            assert_eq!(errors(&response), [("/url".to_owned(), message.to_owned())], "{path} {url}");
        }
    }
    let malformed = errors(&service.submit(&ann, &vary(&[format!("result://{source}")])).await);
    assert!(malformed[0].1.starts_with("must name an output: result://"), "{malformed:?}");
    let mut captioned = mix(1);
    captioned["params"]["options"]["subtitle"] = json!({ "url": url(&source, 1) });
    let refused = errors(&service.submit(&ann, &captioned).await);
    let expected = "a result is a video; give a file with captions";
    assert_eq!(refused, [("/params/options/subtitle/url".to_owned(), expected.to_owned())]);
    // Nothing of Ann's was read or changed.
    assert_eq!(service.get(&bob, &format!("{API}/list")).await.data()["total"], 0);
}

#[tokio::test]
async fn a_chain_has_five_tasks_at_most() {
    let service = Service::start().await;
    let ann = service.user("ann", 1000).await;
    let mut last = submitted(&service, &ann, &mix(1)).await;
    for _ in 1..5 {
        last = submitted(&service, &ann, &vary(&[url(&last, 1)])).await;
    }
    let refused = errors(&service.submit(&ann, &vary(&[url(&last, 1)])).await);
    let message = "results may be used by at most 5 tasks in a row; download this one and upload it";
    assert_eq!(refused, [("/params/videoList/0/filename".to_owned(), message.to_owned())]);
}

#[tokio::test]
async fn rows_of_a_batch_name_results() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 1000).await, service.user("bob", 1000).await);
    let source = submitted(&service, &ann, &mix(2)).await;
    let batch = |urls: &[String]| {
        json!({
            "clientBatchId": "june",
            "request": { "taskType": "videoDeduplication", "params": { "videoList": [{ "filename": "{{clip}}" }] } },
            "variables": [{ "name": "clip", "type": "url" }],
            "rows": urls.iter().map(|url| json!({ "clip": url })).collect::<Vec<_>>(),
        })
    };
    let good = batch(&[url(&source, 1), url(&source, 2)]);
    let response = service.send("POST", &bob, BATCHES, &good).await.error(40001);
    let rows: Vec<_> =
        response["errors"].as_array().unwrap().iter().map(|e| (&e["row"], &e["column"])).collect();
    assert_eq!(rows, [(&json!(1), &json!("clip")), (&json!(2), &json!("clip"))]);
    let wrong = service.send("POST", &ann, BATCHES, &batch(&[url(&source, 1), url(&source, 3)])).await;
    assert_eq!(wrong.error(40001)["errors"][0]["row"], 2);
    let submitted = service.send("POST", &ann, BATCHES, &good).await.data();
    assert_eq!(submitted["estimatedDotCount"], 8, "{submitted}");
    clipmill_server::batches::Batches::new(service.app.clone()).round(&Default::default()).await.unwrap();
    let list = service.get(&ann, &format!("{API}/list?taskType=videoDeduplication")).await.data();
    assert_eq!(list["total"], 2, "{list}");
    // Their estimates are known, too: a third task of the chain costs the same.
    let row = list["list"][0]["taskNo"].as_str().unwrap();
    assert_eq!(service.submit(&ann, &vary(&[url(row, 1)])).await.data()["estimatedDotCount"], 4);
}
