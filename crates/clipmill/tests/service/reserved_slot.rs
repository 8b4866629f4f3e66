//! The slot for users without a running job, which exists if the memory allows it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Service, long_clip, run};

/// The running renders and the worker's slots, without the reserved one.
fn renders_and_slots(service: &Service) -> (u64, u64) {
    let (status, stdout, stderr) = run(&["queue", "--json", "--data", service.data.path().to_str().unwrap()]);
    assert_eq!(status, 0, "{stderr}");
    let queue: Value = serde_json::from_str(&stdout).unwrap();
    let running = queue["running"].as_array().unwrap();
    let renders = running.iter().filter(|job| job["kind"] == "segment").count() as u64;
    (renders, queue["workers"][0]["slots"].as_u64().unwrap())
}

#[tokio::test]
async fn one_user_does_not_occupy_the_reserved_slot() {
    let service = Service::start(5_000).await;
    let folder = tempfile::tempdir().unwrap();
    let url = service.upload(&long_clip(folder.path())).await;
    let (_, slots) = renders_and_slots(&service);
    let group = |n: u64| json!({ "videos": [{ "url": url }], "totalDuration": 2.0 + n as f64 / 2.0 });
    let groups: Vec<Value> = (0..slots + 4).map(group).collect();
    let options = json!({ "originalVolume": 0, "fps": 30 });
    let task = json!({ "taskType": "baseVideoMix", "params": { "videoList": groups, "options": options } });
    let task_no = service.accepted(&task).await;
    let mut max = 0;
    while service.status(&task_no).await["status"].as_u64() < Some(3) {
        max = max.max(renders_and_slots(&service).0);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!((1..=slots).contains(&max), "{max} renders in {slots} slots");
    assert_eq!(service.status(&task_no).await["status"], 3);
}
