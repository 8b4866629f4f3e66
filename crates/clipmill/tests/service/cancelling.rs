//! Cancelling a running task, and items that are delivered before their task ends.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Service, count, ffmpegs, long_clip, probe, samples};

/// One output that takes long, before it one of a second if `quick` is given.
async fn slow_request(service: &Service, quick: bool) -> Value {
    let long = service.upload(&long_clip(service.data.path())).await;
    let city = service.upload(&samples().join("city.mp4")).await;
    let quick = quick.then(|| json!({ "videos": [{ "url": city }], "totalDuration": 1 }));
    let slow = json!({ "videos": [{ "url": long }] });
    json!({ "taskType": "baseVideoMix", "params": {
        "videoList": quick.into_iter().chain([slow]).collect::<Vec<_>>(),
        "options": { "resolution": "1080:1920", "resolutionMode": "crop", "fps": 60, "originalVolume": 0 } } })
}

#[tokio::test]
async fn cancelling_ends_ffmpeg() {
    let service = Service::start(1000).await;
    let task_no = service.accepted(&slow_request(&service, false).await).await;
    service
        .wait_until(&task_no, |status| status["status"] == json!(2) && ffmpegs(service.data.path()) > 0)
        .await;
    let (status, response) = service.cancel(&task_no).await;
    #[allow(clippy::disallowed_methods, reason = "what is promised is a time")]
    let answered = Instant::now();
    assert_eq!((status, &response["data"]["status"]), (200, &json!(5)), "{response:#}");
    while ffmpegs(service.data.path()) > 0 {
        assert!(answered.elapsed() < Duration::from_secs(2), "ffmpeg continues");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    println!("ffmpeg was gone {:?} after the answer", answered.elapsed());
    assert_eq!(service.get("/video-process/balance").await["balance"], json!(1000));
    let (status, again) = service.cancel(&task_no).await;
    assert_eq!((status, &again["data"]["finishTime"]), (200, &response["data"]["finishTime"]));
    // The service continues with other work, and cancelled work leaves nothing behind.
    let city = service.upload(&samples().join("city.mp4")).await;
    let next = json!({ "taskType": "baseVideoMix", "params": { "videoList": [
        { "videos": [{ "url": city }], "totalDuration": 1 }] } });
    assert_eq!(service.ended(&service.accepted(&next).await).await["status"], json!(3));
    assert_eq!(count(&service.data.path().join("cache/tmp"), "mp4"), 0);
    assert_eq!(service.status(&task_no).await["status"], json!(5));
    service.assert_audit();
}

#[tokio::test]
async fn an_item_is_delivered_before_others_and_remains_when_they_are_cancelled() {
    let service = Service::start_with(1000, &[("CLIPMILL_WORKER_SLOTS", "1")]).await;
    let task_no = service.accepted(&slow_request(&service, true).await).await;
    let status = service.wait_until(&task_no, |status| status["items"][0]["url"].is_string()).await;
    assert_eq!((&status["status"], &status["completedItems"]), (&json!(2), &json!(1)), "{status:#}");
    assert_eq!(status["items"][1]["url"], Value::Null);
    assert_eq!((&status["consumedDotCount"], &status["finishTime"]), (&json!(2), &Value::Null));
    let file = service.data.path().join("downloaded.mp4");
    service.download(&status["items"][0]["url"], &file).await;
    assert!(probe(&file, "stream=nb_read_packets").contains(&"nb_read_packets=60".to_owned()));

    service.wait_until(&task_no, |_| ffmpegs(service.data.path()) > 0).await;
    let (_, response) = service.cancel(&task_no).await;
    let data = &response["data"];
    assert_eq!(
        (&data["status"], &data["completedItems"], &data["failedItems"]),
        (&json!(5), &json!(1), &json!(0))
    );
    assert!(data["progressPercent"].as_u64().unwrap() < 100);
    assert_eq!(data["items"][1]["error"]["code"], json!("CANCELLED"));
    service.download(&data["items"][0]["url"], &file).await;
    let balance = service.get("/video-process/balance").await;
    assert_eq!(balance, json!({ "balance": 998, "held": 0, "total": 998 }));
    service.assert_audit();
}

#[tokio::test]
async fn cancelling_races_completion() {
    let service = Service::start(1000).await;
    let city = service.upload(&samples().join("city.mp4")).await;
    let request = json!({ "taskType": "baseVideoMix", "params": { "videoList": [
        { "videos": [{ "url": city }], "totalDuration": 1 }] } });
    assert_eq!(service.ended(&service.accepted(&request).await).await["status"], json!(3));
    let mut completed = 1;
    // Everything is cached by now: a task is short, and cancelling hits it at any stage.
    for round in 0..12 {
        let task_no = service.accepted(&request).await;
        tokio::time::sleep(Duration::from_millis(60 * round)).await;
        let (status, response) = service.cancel(&task_no).await;
        let ended = service.status(&task_no).await;
        match status {
            200 => assert_eq!((&ended["status"], &ended["consumedDotCount"]), (&json!(5), &json!(0))),
            409 => {
                assert_eq!((&response["code"], &response["data"]["status"]), (&json!(40901), &json!(3)));
                assert_eq!((&ended["status"], &ended["consumedDotCount"]), (&json!(3), &json!(1)));
                completed += 1;
            }
            other => panic!("{other}: {response:#}"),
        }
        assert_eq!(service.cancel(&task_no).await.0, status, "the second answer is like the first");
    }
    let balance = service.get("/video-process/balance").await;
    assert_eq!(balance, json!({ "balance": 1000 - completed, "held": 0, "total": 1000 - completed }));
    service.assert_audit();
}

#[tokio::test]
async fn work_that_another_task_needs_is_done_once_and_continues() {
    let service = Service::start(1000).await;
    let long = service.upload(&long_clip(service.data.path())).await;
    let request = json!({ "taskType": "baseVideoMix", "params": { "videoList": [{ "videos": [{ "url": long }] }],
        "options": { "resolution": "720:1280", "resolutionMode": "crop", "originalVolume": 0 } } });
    let first = service.accepted(&request).await;
    service.wait_until(&first, |status| status["status"] == json!(2)).await;
    let second = service.accepted(&request).await;
    // Waiting for the segment that is being made for the first.
    service.wait_until(&second, |status| status["status"].as_u64() >= Some(1)).await;
    assert_eq!(service.cancel(&first).await.0, 200);
    let status = service.ended(&second).await;
    assert_eq!(status["status"], json!(3), "{status:#}");
    let log = service.log();
    let rendered = log.lines().filter(|line| line.contains("made=Rendered"));
    let segments: Vec<_> =
        rendered.filter_map(|line| line.split_once("segment=")?.1.split(' ').next()).collect();
    let distinct: BTreeSet<_> = segments.iter().collect();
    assert!(!segments.is_empty() && distinct.len() == segments.len(), "{log}");
    assert!(!log.contains("the lease was lost"), "{log}");
    assert_eq!(service.status(&first).await["status"], json!(5));
    let points = status["consumedDotCount"].as_u64().unwrap();
    assert_eq!(service.get("/video-process/balance").await["balance"], json!(1000 - points));
    service.assert_audit();
}
