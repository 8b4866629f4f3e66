//! Bad input: the item fails with its code and the input's URL, nothing is charged, the service continues.

use serde_json::{Value, json};

use crate::harness::{Service, samples};

fn mix(groups: &[&[&str]]) -> Value {
    let group = |urls: &&[&str]| json!({ "videos": urls.iter().map(|url| json!({ "url": url })).collect::<Vec<_>>() });
    json!({ "taskType": "baseVideoMix", "params": {
        "videoList": groups.iter().map(group).collect::<Vec<_>>(),
        "options": { "resolution": "720:1280" } } })
}

#[tokio::test]
async fn a_task_without_renderable_items_is_rejected_and_costs_nothing() {
    let service = Service::start(100).await;
    let page = service.data.path().join("page.mp4");
    std::fs::write(&page, "<!DOCTYPE html><html><body>Not found</body></html>").unwrap();
    let (html, speech) = (service.upload(&page).await, service.upload(&samples().join("speech.wav")).await);
    let blocked = "http://127.0.0.1:9/clip.mp4";
    for (url, code) in [(html.as_str(), "NOT_MEDIA"), (&speech, "NO_VIDEO_STREAM"), (blocked, "URL_BLOCKED")]
    {
        let status = service.ended(&service.accepted(&mix(&[&[url]])).await).await;
        assert_eq!(status["status"], json!(6), "{status:#}");
        let error = &status["items"][0]["error"];
        assert_eq!(
            (&error["code"], &error["input"], &error["charged"]),
            (&json!(code), &json!(url), &json!(false))
        );
        assert!(status["errorMsg"].as_str().unwrap().contains(url), "{status:#}");
        assert_eq!(status["consumedDotCount"], json!(0));
    }
    let balance = service.get("/video-process/balance").await;
    assert_eq!(balance, json!({ "balance": 100, "held": 0, "total": 100 }));
    service.assert_audit();
}

#[tokio::test]
async fn every_bad_input_is_named_and_good_items_are_delivered() {
    let service = Service::start(100).await;
    let city = service.upload(&samples().join("city.mp4")).await;
    let speech = service.upload(&samples().join("speech.wav")).await;
    let status =
        service.ended(&service.accepted(&mix(&[&[&speech], &[&city], &[&city, &speech]])).await).await;
    assert_eq!(status["status"], json!(3), "{status:#}");
    assert_eq!((&status["completedItems"], &status["failedItems"]), (&json!(1), &json!(2)));
    assert_eq!(status["items"][1]["error"], Value::Null);
    assert_eq!(status["consumedDotCount"], json!(8), "7.6 s at one point a started second");
    let balance = service.get("/video-process/balance").await;
    assert_eq!(balance, json!({ "balance": 92, "held": 0, "total": 92 }));
    service.assert_audit();
}

/// A small recording whose beginning, up to between two keyframes, was cut off.
fn cut_recording(folder: &std::path::Path) -> std::path::PathBuf {
    let (whole, cut) = (folder.join("whole.ts"), folder.join("cut.ts"));
    #[allow(clippy::disallowed_methods, reason = "a test makes its own input")]
    let made = std::process::Command::new("ffmpeg")
        .args(["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-c:v", "libx264"])
        .args(["-preset", "ultrafast", "-g", "25"])
        .arg(&whole)
        .status();
    assert!(made.unwrap().success());
    let bytes = std::fs::read(&whole).unwrap();
    // Whole packets of 188 bytes.
    std::fs::write(&cut, &bytes[bytes.len() / 188 / 7 * 188..]).unwrap();
    cut
}

#[tokio::test]
async fn a_cut_recording_is_delivered_with_a_warning_that_names_it() {
    let service = Service::start(100).await;
    let recording = cut_recording(service.data.path());
    let city = service.upload(&samples().join("city.mp4")).await;
    // The second task reuses the segments, from another URL with the same content.
    for _ in 0..2 {
        let url = service.upload(&recording).await;
        let status = service.ended(&service.accepted(&mix(&[&[&city, &url], &[&city]])).await).await;
        assert_eq!((&status["status"], &status["failedItems"]), (&json!(3), &json!(0)), "{status:#}");
        let warnings = status["items"][0]["warnings"].as_array().unwrap();
        let message = warnings[0]["message"].as_str().unwrap();
        assert!(
            warnings.len() == 1 && message.starts_with(&url) && message.contains("keyframe"),
            "{status:#}"
        );
        assert_eq!(status["items"][1]["warnings"], json!([]));
    }
}

#[tokio::test]
async fn a_video_with_a_bad_cue_is_delivered_with_a_warning_and_mostly_bad_captions_are_refused() {
    let service = Service::start(100).await;
    let city = service.upload(&samples().join("city.mp4")).await;
    let captioned = async |cues: &str| {
        let file = service.data.path().join("captions.srt");
        std::fs::write(&file, cues).unwrap();
        let mut request = mix(&[&[&city]]);
        request["params"]["options"]["subtitle"] = json!({ "url": service.upload(&file).await });
        service.ended(&service.accepted(&request).await).await
    };
    let (good, bad) =
        ("1\n00:00:01,000 --> 00:00:02,000\nhi\n\n", "2\n00:00:05,000 --> 00:00:04,000\nno\n\n");
    let status = captioned(&format!("{good}{bad}")).await;
    assert_eq!(status["status"], json!(3), "{status:#}");
    let warnings = status["items"][0]["warnings"].as_array().unwrap();
    let message = warnings[0]["message"].as_str().unwrap();
    assert!(warnings.len() == 1 && message.starts_with("a cue is skipped: line 6: "), "{status:#}");
    let status = captioned(&format!("{good}{bad}{bad}")).await;
    assert_eq!(status["status"], json!(6), "{status:#}");
    let error = &status["items"][0]["error"];
    let message = error["message"].as_str().unwrap();
    assert_eq!(error["code"], json!("SUBTITLE_INVALID"));
    assert!(message.starts_with("line 6: 2 of 3 cues cannot be used"), "{message}");
}

#[tokio::test]
async fn inputs_are_fetched_over_http_if_the_operator_allows_it() {
    let service = Service::start_with(
        100,
        &[("CLIPMILL_FETCH_ALLOW_NETWORKS", "127.0.0.0/8"), ("CLIPMILL_FETCH_ALLOW_PORTS", "*")],
    )
    .await;
    let hits = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let address = serve_file(std::fs::read(samples().join("city.mp4")).unwrap(), hits.clone()).await;
    let url = format!("http://{address}/city.mp4?token=secret");
    let status = service.ended(&service.accepted(&mix(&[&[&url, &url], &[&url]])).await).await;
    assert_eq!((&status["status"], &status["completedItems"]), (&json!(3), &json!(2)), "{status:#}");
    assert_eq!(hits.load(std::sync::atomic::Ordering::SeqCst), 1, "one download per distinct url");

    let missing = format!("http://{address}/missing.mp4");
    let status = service.ended(&service.accepted(&mix(&[&[&missing]])).await).await;
    assert_eq!(status["status"], json!(6));
    assert_eq!(status["items"][0]["error"]["code"], json!("DOWNLOAD_FAILED"), "{status:#}");
}

/// A web server with one file.
async fn serve_file(
    file: Vec<u8>,
    hits: std::sync::Arc<std::sync::atomic::AtomicUsize>,
) -> std::net::SocketAddr {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = vec![0; 4096];
            let read = stream.read(&mut request).await.unwrap_or(0);
            let is_city = String::from_utf8_lossy(&request[..read]).starts_with("GET /city.mp4");
            let (status, body): (_, &[u8]) = if is_city { ("200 OK", &file) } else { ("404 Not Found", b"") };
            if is_city {
                hits.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            }
            let head =
                format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(head.as_bytes()).await;
            let _ = stream.write_all(body).await;
        }
    });
    address
}

#[tokio::test]
async fn a_file_cut_in_half_is_damaged_and_not_delivered() {
    let service = Service::start(100).await;
    let whole = std::fs::read(samples().join("city.mp4")).unwrap();
    let half = service.data.path().join("half.mp4");
    std::fs::write(&half, &whole[..whole.len() / 2]).unwrap();
    let url = service.upload(&half).await;
    let status = service.ended(&service.accepted(&mix(&[&[&url]])).await).await;
    assert!(matches!(status["status"].as_u64(), Some(4 | 6)), "{status:#}");
    let code = status["items"][0]["error"]["code"].as_str().unwrap();
    assert!(["MEDIA_DAMAGED", "NOT_MEDIA"].contains(&code), "{status:#}");
    assert_eq!(status["consumedDotCount"], json!(0));
    service.assert_audit();
}
