//! Killed during work and restarted: nothing is lost, nothing is rendered twice, points are correct.

use serde_json::{Value, json};

use crate::harness::{Service, count, ffmpegs, long_clip, samples};

/// Twelve distinct segments: every group uses its clips with another size or cut.
async fn long_request(service: &Service) -> Value {
    let city = service.upload(&samples().join("city.mp4")).await;
    let bunny = service.upload(&samples().join("bigbuckbunny.mp4")).await;
    let group = |i: usize| json!({ "videos": [{ "url": city }, { "url": bunny }], "totalDuration": 8.0 + 0.4 * i as f64 });
    json!({ "taskType": "baseVideoMix", "params": {
        "videoList": (0..6).map(group).collect::<Vec<_>>(),
        "options": { "resolution": "720:1280", "resolutionMode": "crop", "fps": 60 } } })
}

/// Killed processes need a moment to be gone.
async fn wait_for_no_orphans(service: &Service) {
    for _ in 0..600 {
        if ffmpegs(service.data.path()) == 0 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{} processes outlived the service", ffmpegs(service.data.path()));
}

#[tokio::test]
async fn kill_nine_in_the_middle_loses_and_repeats_nothing() {
    let mut service = Service::start(1000).await;
    let request = long_request(&service).await;
    let task_no = service.accepted(&request).await;
    let segments = service.data.path().join("cache/segments");
    // Killed as soon as some, but not all, segments are finished.
    service.wait_until(&task_no, |_| count(&segments, "mp4") >= 2).await;
    service.wait_until(&task_no, |_| ffmpegs(service.data.path()) > 0).await;
    service.kill();
    wait_for_no_orphans(&service).await;
    let before = service.log();
    assert!(before.matches("made=Rendered").count() >= 2);

    service.boot();
    let status = service.ended(&task_no).await;
    assert_eq!((&status["status"], &status["completedItems"]), (&json!(3), &json!(6)), "{status:#}");
    // Each segment's file was stored once: segments finished before the kill are not rendered again.
    let log = service.log();
    let mut made: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("made=Rendered"))
        .filter_map(|line| line.split("segment=").nth(1))
        .collect();
    let total = made.len();
    made.sort_unstable();
    made.dedup();
    assert_eq!(made.len(), total, "a segment was rendered twice");
    let points: u64 = status["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["duration"].as_f64().unwrap().ceil() as u64)
        .sum();
    assert_eq!(status["consumedDotCount"], json!(points));
    let balance = service.get("/video-process/balance").await;
    assert_eq!(balance, json!({ "balance": 1000 - points, "held": 0, "total": 1000 - points }));
    assert_eq!(count(&service.data.path().join("cache/tmp"), "mp4"), 0, "no scratch files are left");
    service.assert_audit();
}

#[tokio::test]
async fn a_stop_returns_unfinished_work_and_leaves_no_process() {
    let mut service = Service::start_with(1000, &[("CLIPMILL_WORKER_DRAIN", "0s")]).await;
    let request = long_request(&service).await;
    let task_no = service.accepted(&request).await;
    service
        .wait_until(&task_no, |status| {
            status["status"] == json!(2) && status["progressPercent"].as_u64() >= Some(1)
        })
        .await;
    assert_eq!(service.terminate(), 0, "{}", service.log());
    assert_no_log_left(&service);
    wait_for_no_orphans(&service).await;

    service.boot();
    let status = service.ended(&task_no).await;
    assert_eq!((&status["status"], &status["failedItems"]), (&json!(3), &json!(0)), "{status:#}");
    service.assert_audit();
}

/// A closed database consists of a single file.
fn assert_no_log_left(service: &Service) {
    for name in ["clipmill.db-wal", "clipmill.db-shm"] {
        assert!(!service.data.path().join(name).exists(), "{name} is left");
    }
}

#[tokio::test]
async fn a_stop_finishes_running_work_and_starts_nothing() {
    let slots = ("CLIPMILL_WORKER_SLOTS", "1");
    let mut service = Service::start_with(1000, &[slots, ("CLIPMILL_WORKER_DRAIN", "10m")]).await;
    let request = long_request(&service).await;
    let task_no = service.accepted(&request).await;
    let segments = service.data.path().join("cache/segments");
    service.wait_until(&task_no, |_| ffmpegs(service.data.path()) > 0).await;
    let made = || count(&segments, "mp4") + count(&segments, "wav");
    let before = made();
    assert_eq!(service.terminate(), 0, "{}", service.log());
    assert_no_log_left(&service);
    // One slot: the running job, or the next one if that ended at the same moment; not all of them.
    assert!((1..=2).contains(&(made() - before)), "{before} then {}", made());
    wait_for_no_orphans(&service).await;
    assert_eq!(count(&service.data.path().join("cache/tmp"), "mp4"), 0);

    service.boot();
    let log = service.log();
    assert!(!log.contains("jobs of the previous run returned to the queue"), "no leases were left: {log}");
    let (status, response) = service.cancel(&task_no).await;
    assert_eq!((status, &response["data"]["status"]), (200, &json!(5)));
    service.assert_audit();
}

#[tokio::test]
async fn a_second_signal_returns_work_at_once() {
    let mut service = Service::start_with(1000, &[("CLIPMILL_WORKER_DRAIN", "10m")]).await;
    let long = service.upload(&long_clip(service.data.path())).await;
    let request = json!({ "taskType": "baseVideoMix", "params": { "videoList": [{ "videos": [{ "url": long }] }],
        "options": { "resolution": "1080:1920", "resolutionMode": "crop", "fps": 60 } } });
    let task_no = service.accepted(&request).await;
    service.wait_until(&task_no, |_| ffmpegs(service.data.path()) > 0).await;
    service.signal();
    while !service.log().contains("running work may finish") {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(service.terminate(), 0, "{}", service.log());
    assert_no_log_left(&service);
    assert!(!service.log().contains("made=Rendered"), "the long piece was not waited for");
    service.boot();
    let log = service.log();
    assert!(!log.contains("jobs of the previous run returned to the queue"), "it was handed back: {log}");
    assert_eq!(service.cancel(&task_no).await.0, 200);
    service.assert_audit();
}

#[tokio::test]
async fn a_folder_is_served_by_one_process() {
    let service = Service::start(0).await;
    let output = crate::harness::run(&[
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--data",
        service.data.path().to_str().unwrap(),
    ]);
    assert_eq!(output.0, 1);
    assert!(output.2.contains("another clipmill"), "{}", output.2);
}

#[tokio::test]
async fn a_missing_segment_is_rendered_again() {
    let service = Service::start(100).await;
    let city = service.upload(&samples().join("city.mp4")).await;
    let request =
        json!({ "taskType": "baseVideoMix", "params": { "videoList": [{ "videos": [{ "url": city }] }] } });
    assert_eq!(service.ended(&service.accepted(&request).await).await["status"], json!(3));
    std::fs::remove_dir_all(service.data.path().join("cache/segments")).unwrap();
    let status = service.ended(&service.accepted(&request).await).await;
    assert_eq!(status["status"], json!(3), "{status:#}");
}

#[tokio::test]
async fn the_idle_service_is_small() {
    let service = Service::start(0).await;
    service.get("/video-process/balance").await;
    let status = std::fs::read_to_string(format!("/proc/{}/status", service.process_id())).unwrap();
    // Pages of the program file come in addition, most of all in an unoptimised build.
    // `make bench` checks the total against 60 MiB, in a release build.
    let line = status.lines().find(|line| line.starts_with("RssAnon")).unwrap();
    let kib: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(kib < 24 * 1024, "{kib} KiB of its own");
}

/// The service is killed while it accepts a batch, and again while its rows become tasks: after resubmission, each
/// row is one task.
#[tokio::test]
async fn a_batch_interrupted_by_kills_is_processed_once() {
    const ROWS: usize = 1_000;
    let mut service = Service::start(5_000).await;
    let rows: Vec<Value> = (1..=ROWS).map(|n| json!({ "title": format!("row {n}") })).collect();
    // Nothing listens there, so each task is rejected at its preflight.
    let batch = json!({
        "clientBatchId": "thousand",
        "request": { "taskType": "baseVideoMix", "name": "{{title}}", "params": {
            "videoList": [{ "videos": [{ "url": "http://127.0.0.1:9/a.mp4", "duration": 1 }] }],
            "options": { "resolution": "720:1280" } } },
        "variables": [{ "name": "title", "type": "text" }],
        "rows": rows,
    });
    {
        let sent = service.post("/batches", &batch);
        let killed = tokio::time::sleep(std::time::Duration::from_millis(150));
        tokio::select! { _ = sent => {}, () = killed => {} }
    }
    service.kill();
    service.boot();
    let (status, response) = service.post("/batches", &batch).await;
    assert_eq!(status, 200, "{response}");
    let path = format!("/batches/{}", response["data"]["batchNo"].as_str().unwrap());
    let made = async |service: &Service| service.get(&path).await["madeRows"].as_u64().unwrap() as usize;
    while made(&service).await < ROWS / 4 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    service.kill();
    service.boot();
    let (status, again) = service.post("/batches", &batch).await;
    assert_eq!((status, &again["data"]["duplicate"]), (200, &json!(true)), "{again}");
    let mut ended = service.get(&path).await;
    while ended["status"] == 2 {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        ended = service.get(&path).await;
    }
    let counts = (&ended["status"], &ended["madeRows"], &ended["failedItems"]);
    assert_eq!(counts, (&json!(4), &json!(ROWS), &json!(ROWS)), "{ended}");
    assert_eq!(service.get("/video-process/list").await["total"], ROWS);
    let balance = service.get("/video-process/balance").await;
    assert_eq!(balance, json!({ "balance": 5_000, "held": 0, "total": 5_000 }));
    service.assert_audit();
}
