//! Clips that have the output's form already, and one that only seems to.

use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Service, make};

const FORM: &str = "-c:v libx264 -preset ultrafast -crf 35 -g 15 -pix_fmt yuv420p -profile:v high -x264-params 8x8dct=1 \
                    -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv";

/// Pictures of a file, each as a hash of the packet that it comes in.
fn packets(path: &Path) -> Vec<String> {
    let mut command = std::process::Command::new("ffmpeg");
    command.args(["-v", "error", "-i"]).arg(path);
    let output = command.args(["-map", "0:v", "-c", "copy", "-f", "framemd5", "-"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.rsplit(',').next().unwrap().trim().to_owned()).collect()
}

#[tokio::test]
async fn fit_clips_are_copied_and_what_only_seems_fit_is_encoded() {
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
    let [copied, encoded] = ["copied.mp4", "encoded.mp4"].map(|name| folder.path().join(name));
    for (item, file, frames) in [(0, &copied, 72), (1, &encoded, 24)] {
        let item = &status["items"][item];
        assert_eq!(item["quality"]["framesFound"], json!(frames), "{item:#}");
        assert_eq!(item["warnings"], json!([]), "{item:#}");
        service.download(&item["url"], file).await;
    }
    let [a, b, open] = ["a.mp4", "b.mp4", "open.mp4"].map(|name| packets(&folder.path().join(name)));
    assert_eq!(packets(&copied), [a.clone(), b, a].concat());
    assert!(packets(&encoded).iter().all(|packet| !open.contains(packet)));
    assert_eq!(service.log().matches("could not be made as planned").count(), 1, "{}", service.log());
    service.assert_audit();
}
