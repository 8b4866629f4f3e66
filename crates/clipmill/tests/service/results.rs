//! Results as inputs: a mix and its variations sent together, and everything that can happen to the source meanwhile.

use std::path::Path;
use std::time::Duration;

use clipmill_media::ffmpeg::process::{Ffmpeg, Limits, Program};
use serde_json::{Value, json};

use crate::harness::{Service, clipmill, count, probe, run, samples};
use crate::s3_server::{self, BUCKET, SECRET, s3_server};

/// One output of so many seconds for each number.
async fn mix(service: &Service, seconds: &[u32]) -> Value {
    let clip = service.upload(&samples().join("city.mp4")).await;
    let group = |seconds: &u32| json!({ "videos": [{ "url": clip }], "totalDuration": seconds });
    json!({ "taskType": "baseVideoMix", "params": {
        "videoList": seconds.iter().map(group).collect::<Vec<_>>(),
        "options": { "resolution": "720:1280", "resolutionMode": "crop" } } })
}

fn result(task_no: &str, item_no: u32) -> String {
    format!("result://{task_no}/{item_no}")
}

/// A mirrored copy of each video.
fn mirror(urls: &[&str]) -> Value {
    // Of other files, the length must be declared.
    let video = |url: &&str| match url.starts_with("result://") {
        true => json!({ "filename": url }),
        false => json!({ "filename": url, "duration": 7.6 }),
    };
    let videos: Vec<Value> = urls.iter().map(video).collect();
    json!({ "taskType": "videoDeduplication", "params": {
        "seed": 5, "videoList": videos, "options": { "isMirror": true } } })
}

fn queue(service: &Service, change: &str) {
    let (status, output, error) = run(&["queue", change, "--data", service.data.path().to_str().unwrap()]);
    assert_eq!(status, 0, "{output}{error}");
}

fn rendered(service: &Service) -> usize {
    service.log().matches("made=Rendered").count()
}

/// The similarity of a video and the mirror image of another, over all frames.
async fn mirrored_similarity(a: &Path, b: &Path) -> f64 {
    let graph = "[1:v]hflip[m];[0:v][m]ssim=f=-[out]";
    let args = ["-nostdin", "-v", "error", "-i", a.to_str().unwrap(), "-i", b.to_str().unwrap()];
    let args = args.into_iter().chain(["-filter_complex", graph, "-map", "[out]", "-f", "null", "-"]);
    let args: Vec<_> = args.map(Into::into).collect();
    let limits = Limits::wall(Duration::from_secs(60));
    let output = Ffmpeg::default().output(Program::Ffmpeg, &args, limits).await.unwrap();
    let output = String::from_utf8_lossy(&output).into_owned();
    let frames: Vec<f64> = output
        .lines()
        .filter_map(|line| line.split("Y:").nth(1)?.split_whitespace().next()?.parse().ok())
        .collect();
    assert!(!frames.is_empty(), "{output}");
    frames.iter().sum::<f64>() / frames.len() as f64
}

/// The first error of a refused call: its path and message.
fn refusal((status, response): (u16, Value)) -> (String, String) {
    assert_eq!((status, &response["code"]), (400, &json!(40001)), "{response:#}");
    let error = &response["data"]["errors"][0];
    (error["path"].as_str().unwrap().to_owned(), error["message"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_mix_and_its_variations_are_sent_together() {
    let mut service = Service::start(1000).await;
    queue(&service, "pause");
    let first = service.accepted(&mix(&service, &[2, 1]).await).await;
    let urls = [result(&first, 1), result(&first, 2)];
    let request = mirror(&urls.each_ref().map(String::as_str));
    let (_, estimate) = service.post("/video-process/estimate", &request).await;
    assert_eq!(estimate["data"]["estimatedDotCount"], 3, "{estimate:#}");
    let second = service.accepted(&request).await;
    // A third of the chain, which is a batch.
    let batch = json!({
        "clientBatchId": "third",
        "request": { "taskType": "baseVideoMix", "params": {
            "videoList": [{ "videos": [{ "url": "{{clip}}", "to": 1 }] }], "options": { "resolution": "720:1280" } } },
        "variables": [{ "name": "clip", "type": "url" }],
        "rows": [{ "clip": result(&second, 1) }, { "clip": result(&second, 2) }],
    });
    let (status, response) = service.post("/batches", &batch).await;
    assert_eq!((status, &response["data"]["estimatedDotCount"]), (200, &json!(2)), "{response:#}");
    let batch_no = response["data"]["batchNo"].as_str().unwrap().to_owned();

    let not_ready =
        "this result is not ready yet; wait until its task has ended, or submit the task, which waits for it";
    let preview = service.post("/preview", &json!({ "request": request })).await;
    assert_eq!(refusal(preview), ("/params/videoList/0/filename".to_owned(), not_ready.to_owned()));
    queue(&service, "resume");
    service.wait_until(&first, |status| status["status"] != json!(0)).await;
    assert_eq!(service.status(&second).await["status"], 0, "it waits");
    // It still waits after a crash.
    service.kill();
    service.boot();
    let made = service.ended(&first).await;
    assert_eq!((&made["status"], &made["consumedDotCount"]), (&json!(3), &json!(3)), "{made:#}");
    let varied = service.ended(&second).await;
    assert_eq!((&varied["status"], &varied["consumedDotCount"]), (&json!(3), &json!(3)), "{varied:#}");
    let folder = tempfile::tempdir().unwrap();
    for (item, frames) in [(0, 60), (1, 30)] {
        let [source, copy] = [(&made, "source"), (&varied, "copy")].map(|(status, name)| {
            (status["items"][item]["url"].clone(), folder.path().join(format!("{name}-{item}.mp4")))
        });
        service.download(&source.0, &source.1).await;
        service.download(&copy.0, &copy.1).await;
        let frames = format!("nb_read_packets={frames}");
        assert!(probe(&copy.1, "stream=nb_read_packets").contains(&frames), "{frames}");
        let similarity = mirrored_similarity(&copy.1, &source.1).await;
        assert!(similarity > 0.9, "{similarity}");
        // The source is stored by its content, as any input.
        let sha256 = made["items"][item]["sha256"].as_str().unwrap();
        assert!(service.data.path().join("inputs").join(sha256).exists());
    }
    let batch = loop {
        let batch = service.get(&format!("/batches/{batch_no}")).await;
        if batch["status"].as_u64().unwrap() >= 3 {
            break batch;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!((&batch["status"], &batch["consumedDotCount"]), (&json!(3), &json!(2)), "{batch:#}");

    // Segments are shared by content, whatever the name of the file.
    let before = rendered(&service);
    let again = service.ended(&service.accepted(&request).await).await;
    let upload = service.upload(&folder.path().join("source-0.mp4")).await;
    let by_upload = service.ended(&service.accepted(&mirror(&[&upload, &urls[1]])).await).await;
    for status in [&again, &by_upload] {
        assert_eq!(status["items"][0]["sha256"], varied["items"][0]["sha256"], "{status:#}");
    }
    assert_eq!(rendered(&service), before);
    // A timeline has the result although its copy among the inputs was removed.
    let sha256 = made["items"][0]["sha256"].as_str().unwrap();
    let input = service.data.path().join("inputs").join(sha256);
    std::fs::remove_file(&input).unwrap();
    let archive = service.open(&format!("/video-process/timeline/{second}/1")).await.bytes().await.unwrap();
    assert!(input.exists());
    assert!(archive.len() as u64 > std::fs::metadata(&input).unwrap().len(), "{} bytes", archive.len());

    // A finished result can be probed, previewed and estimated from its file.
    let (status, response) = service.post("/probe", &json!({ "url": urls[0] })).await;
    assert_eq!((status, &response["data"]["media"]["video"]["frames"]), (200, &json!(60)), "{response:#}");
    assert_eq!(service.post_raw("/preview", &json!({ "request": request })).await.status(), 200);
    let (_, response) = service.post("/video-process/estimate?preflight=true", &request).await;
    assert_eq!(response["data"]["estimatedDotCount"], 3, "{response:#}");

    // Another user sees the same as for a task that does not exist.
    let data = service.data.path().to_str().unwrap();
    let (_, stdout, _) = run(&["user", "add", "other", "--points", "10", "--json", "--data", data]);
    let other: Value = serde_json::from_str(&stdout).unwrap();
    service.use_key(other["apiKey"].as_str().unwrap());
    let unknown = result("VP01M7Y7SJE4P7BM18RVJ8SFE3ZB", 1);
    let expected = "is not a result of one of your tasks, or is no longer stored";
    for url in [&urls[0], &unknown] {
        let request = mirror(&[url]);
        let place = ("/params/videoList/0/filename".to_owned(), expected.to_owned());
        assert_eq!(refusal(service.submit(&request).await), place);
        assert_eq!(refusal(service.post("/preview", &json!({ "request": request })).await), place);
        assert_eq!(refusal(service.post("/probe", &json!({ "url": url })).await).1, expected);
    }
    service.assert_audit();
}

#[tokio::test]
async fn a_source_without_a_file_fails_only_the_items_that_use_it() {
    let service = Service::start(1000).await;
    queue(&service, "pause");
    let request = mix(&service, &[2, 1]).await;
    let clip = request["params"]["videoList"][0]["videos"][0]["url"].as_str().unwrap().to_owned();
    let source = service.accepted(&request).await;
    let some = service.accepted(&mirror(&[&result(&source, 1), &clip])).await;
    let all = service.accepted(&mirror(&[&result(&source, 1), &result(&source, 2)])).await;
    let next = service.accepted(&mirror(&[&result(&all, 1)])).await;
    assert_eq!(service.cancel(&source).await.0, 200);
    queue(&service, "resume");
    let message = format!(
        "the result {source}/1 was not made: its item failed or was cancelled; use another video, or submit its task again"
    );
    let status = service.ended(&some).await;
    let (bad, good) = (&status["items"][0], &status["items"][1]);
    assert_eq!(
        (&status["status"], &bad["status"], &good["status"]),
        (&json!(3), &json!(4), &json!(3)),
        "{status:#}"
    );
    let error = &bad["error"];
    assert_eq!((&error["code"], &error["message"]), (&json!("DOWNLOAD_FAILED"), &json!(message)), "{bad:#}");
    assert_eq!((&error["input"], &error["retryable"]), (&json!(result(&source, 1)), &json!(false)));
    assert_eq!(status["consumedDotCount"], 8, "{status:#}");
    // Rejected, and so is the task that waits for it.
    for task_no in [&all, &next] {
        let status = service.ended(task_no).await;
        assert_eq!((&status["status"], &status["consumedDotCount"]), (&json!(6), &json!(0)), "{status:#}");
        assert!(status["errorMsg"].as_str().unwrap().contains("was not made"), "{status:#}");
    }
    let balance = service.get("/video-process/balance").await;
    assert_eq!(balance, json!({ "balance": 992, "held": 0, "total": 992 }));
    service.assert_audit();
}

#[tokio::test]
async fn a_result_is_kept_until_the_tasks_that_use_it_have_ended() {
    let service = Service::start_with(1000, &[("CLIPMILL_RETENTION_RESULTS", "2s")]).await;
    let results = service.data.path().join("results");
    let source = service.accepted(&mix(&service, &[1, 1]).await).await;
    queue_when_ended(&service, &source).await;
    // The second file is not used.
    let using = service.accepted(&mirror(&[&result(&source, 1)])).await;
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    let data = service.data.path().to_str().unwrap();
    let gc = || assert_eq!(run(&["gc", "--data", data]).0, 0);
    gc();
    assert_eq!(count(&results, "mp4"), 1);
    let expired = "is not a result of one of your tasks, or is no longer stored";
    for item_no in [1, 2] {
        assert_eq!(refusal(service.submit(&mirror(&[&result(&source, item_no)])).await).1, expired);
    }
    queue(&service, "resume");
    let status = service.ended(&using).await;
    assert_eq!(status["status"], 3, "{status:#}");
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    gc();
    assert_eq!(count(&results, "mp4"), 0);
}

/// Pauses the queue as soon as the task has completed.
async fn queue_when_ended(service: &Service, task_no: &str) {
    let status = service.ended(task_no).await;
    assert_eq!(status["status"], 3, "{status:#}");
    queue(service, "pause");
}

#[tokio::test]
async fn a_result_in_a_bucket_is_an_input() {
    let server = s3_server();
    let mut environment = s3_server::variables(&server.endpoint, SECRET);
    environment.push(("CLIPMILL_STORAGE_URL".into(), format!("s3://{BUCKET}/results-as-inputs")));
    let environment: Vec<(&str, &str)> =
        environment.iter().map(|(name, value)| (&**name, &**value)).collect();
    let service = Service::start_with(100, &environment).await;
    let source = service.accepted(&mix(&service, &[1]).await).await;
    let using = service.accepted(&mirror(&[&result(&source, 1)])).await;
    let status = service.ended(&using).await;
    assert_eq!(
        (&status["status"], &status["consumedDotCount"]),
        (&json!(3), &json!(1)),
        "{status:#}\n{}",
        service.log()
    );
    let made = service.ended(&source).await;
    let folder = tempfile::tempdir().unwrap();
    let [source, copy] = ["source.mp4", "copy.mp4"].map(|name| folder.path().join(name));
    service.download(&made["items"][0]["url"], &source).await;
    service.download(&status["items"][0]["url"], &copy).await;
    let similarity = mirrored_similarity(&copy, &source).await;
    assert!(similarity > 0.9, "{similarity}");
}

#[test]
fn the_command_line_refuses_results() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("request.json");
    std::fs::write(&file, mirror(&[&result("VP01M7Y7SJE4P7BM18RVJ8SFE3ZB", 1)]).to_string()).unwrap();
    let output = clipmill(&["render", file.to_str().unwrap(), "-o", folder.path().to_str().unwrap()])
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("results exist on a server only; download the file and give its path"),
        "{stderr}"
    );
}
