//! Clips that already have the output's format, and one that only seems to.

use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Service, make};

const FORM: &str = "-c:v libx264 -preset ultrafast -crf 35 -g 15 -pix_fmt yuv420p -profile:v high -x264-params 8x8dct=1 \
                    -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv";

/// Frames of a file, each as a hash of its packet.
fn packets(folder: &Path, name: &str) -> Vec<String> {
    make(folder, &format!("-i {name} -map 0:v -c copy -f framemd5 {name}.txt"));
    let text = std::fs::read_to_string(folder.join(format!("{name}.txt"))).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.rsplit(',').next().unwrap().trim().to_owned()).collect()
}

#[tokio::test]
async fn matching_clips_are_copied_and_seemingly_matching_ones_encoded() {
    let service = Service::start(500).await;
    let folder = tempfile::tempdir().unwrap();
    let mut clips = Vec::new();
    for (name, source, more) in [
        ("a.mp4", "testsrc2", ""),
        ("b.mp4", "mandelbrot", ""),
        // Decoding cannot begin at its later keyframes.
        ("open.mp4", "testsrc2", "-bf 2 -x264-params 8x8dct=1:open-gop=1:scenecut=0:keyint=10"),
    ] {
        let film = format!("-f lavfi -i {source}=s=1280x720:r=30 -frames:v 24");
        make(folder.path(), &format!("{film} {FORM} {more} {name}"));
        clips.push(service.upload(&folder.path().join(name)).await);
    }
    let group = |urls: &[usize]| json!({ "videos": urls.iter().map(|i| json!({ "url": clips[*i] })).collect::<Vec<Value>>() });
    let request = json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [group(&[0, 1, 0]), group(&[2])],
        "options": { "resolution": "1280:720", "fps": 30 } } });
    let status = service.ended(&service.accepted(&request).await).await;
    assert_eq!((&status["status"], &status["completedItems"]), (&json!(3), &json!(2)), "{status:#}");
    for (item, file, frames) in [(0, "copied.mp4", 72), (1, "encoded.mp4", 24)] {
        let item = &status["items"][item];
        assert_eq!(item["quality"]["framesFound"], json!(frames), "{item:#}");
        assert_eq!(item["warnings"], json!([]), "{item:#}");
        service.download(&item["url"], &folder.path().join(file)).await;
    }
    let of = |name: &str| packets(folder.path(), name);
    assert_eq!(of("copied.mp4"), [of("a.mp4"), of("b.mp4"), of("a.mp4")].concat());
    let open = of("open.mp4");
    assert!(of("encoded.mp4").iter().all(|packet| !open.contains(packet)));
    assert_eq!(service.log().matches("could not be rendered as planned").count(), 1, "{}", service.log());
    service.assert_audit();
}
