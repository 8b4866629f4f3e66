//! One long video, rendered in parts by two slots at the same time.

use serde_json::json;

use crate::harness::{Service, make, probe};

#[tokio::test]
async fn a_long_video_is_rendered_in_parts_and_delivered_as_one() {
    let limits = [("CLIPMILL_WORKER_PART_SECONDS", "1"), ("CLIPMILL_WORKER_SLOTS", "2")];
    let service = Service::start_with(500, &limits).await;
    let folder = tempfile::tempdir().unwrap();
    let film =
        "-f lavfi -i testsrc2=s=320x180:r=30000/1001:d=4.2 -f lavfi -i sine=frequency=300:duration=4.2";
    make(
        folder.path(),
        &format!("{film} -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 50 -c:a aac a.mp4"),
    );
    let url = service.upload(&folder.path().join("a.mp4")).await;
    let request = json!({ "taskType": "videoDeduplication", "params": {
        "videoList": [{ "filename": url, "duration": 4.2 }], "options": { "fps": 30, "isMirror": true } } });
    let status = service.ended(&service.accepted(&request).await).await;
    assert_eq!((&status["status"], &status["progressPercent"]), (&json!(3), &json!(100)), "{status:#}");
    // 126 frames in four parts, and the audio in one segment; each was rendered once.
    assert_eq!(service.log().matches("made=Rendered").count(), 5, "{}", service.log());
    let item = &status["items"][0];
    assert_eq!(item["quality"]["framesFound"], json!(126), "{item:#}");
    let file = folder.path().join("out.mp4");
    service.download(&item["url"], &file).await;
    let times = probe(&file, "packet=pts_time,stream_index");
    let mut times: Vec<f64> = (times.chunks(2))
        .filter(|pair| pair[0] == "stream_index=0")
        .map(|pair| pair[1].strip_prefix("pts_time=").unwrap().parse().unwrap())
        .collect();
    times.sort_by(f64::total_cmp);
    assert_eq!(times.len(), 126);
    assert!(times.iter().zip(0..).all(|(time, n)| (time - f64::from(n) / 30.0).abs() < 1e-5), "{times:?}");
    service.assert_audit();
}
