//! Encoding devices: missing ones, and one that fails while the service runs.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Service, clipmill, make};

const FAKE_FFMPEG: &str = include_str!("../support/stand-in.sh");

/// A folder for `PATH` whose ffmpeg simulates a device: libx264 under another name. Files beside it control its
/// failures.
fn fake_ffmpeg(folder: &Path) -> String {
    let program = folder.join("ffmpeg");
    std::fs::write(&program, FAKE_FFMPEG).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap())
}

fn groups(groups: &[&[&str]]) -> Value {
    let group = |urls: &&[&str]| json!({ "videos": urls.iter().map(|url| json!({ "url": url })).collect::<Vec<_>>() });
    json!({ "taskType": "baseVideoMix", "params": {
        "videoList": groups.iter().map(group).collect::<Vec<_>>(),
        "options": { "resolution": "720:1280", "fps": 30 } } })
}

/// Number of segments in the cache from the simulated device, and from libx264 directly.
fn encoders(service: &Service) -> [usize; 2] {
    let output = std::fs::read_dir(service.data.path().join("cache/segments")).unwrap();
    let mut open: Vec<_> = output.map(|entry| entry.unwrap().path()).collect();
    let mut counts = [0, 0];
    while let Some(path) = open.pop() {
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if name.ends_with(".mp4") && !name.ends_with(".out.mp4") {
            // libx264 leaves its name in the first frame; output of the simulated device has no such mark.
            let bytes = std::fs::read(path).unwrap();
            counts[usize::from(bytes.windows(12).any(|part| part == b"x264 - core "))] += 1;
        }
    }
    counts
}

#[tokio::test]
async fn if_a_device_fails_libx264_encodes_whole_outputs() {
    let bin = tempfile::tempdir().unwrap();
    let path = fake_ffmpeg(bin.path());
    let environment = [
        ("PATH", path.as_str()),
        ("CLIPMILL_WORKER_ENCODER", "h264_nvenc"),
        ("CLIPMILL_WORKER_SANDBOX", "off"),
    ];
    let service = Service::start_with(500, &environment).await;
    let mut clips = Vec::new();
    for (name, source) in [("a", "testsrc2"), ("b", "smptebars"), ("c", "rgbtestsrc"), ("d", "pal75bars")] {
        let file = format!("{name}.mp4");
        let picture = format!("-f lavfi -i {source}=s=320x180:r=30:d=0.5 -c:v libx264 -preset ultrafast");
        make(bin.path(), &format!("{picture} -pix_fmt yuv420p {file}"));
        clips.push(service.upload(&bin.path().join(file)).await);
    }
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| clips[i].as_str());
    let check = async |request: &Value, expected: [usize; 2]| {
        let status = service.ended(&service.accepted(request).await).await;
        let items = status["items"].as_array().unwrap().len();
        assert_eq!((&status["status"], &status["completedItems"]), (&json!(3), &json!(items)), "{status:#}");
        assert_eq!(encoders(&service), expected, "{}", service.log());
    };
    check(&groups(&[&[a, b]]), [2, 0]).await;

    // The device fails. Its segments remain usable for outputs that consist of them; an output with one new clip is
    // encoded by libx264 as a whole, including the old clips.
    std::fs::write(bin.path().join("broken"), "").unwrap();
    check(&groups(&[&[b, a], &[a, b, c]]), [2, 3]).await;
    assert!(service.log().contains("fell off the bus"), "{}", service.log());
    check(&groups(&[&[a, c], &[d, b]]), [2, 4]).await;
    service.assert_audit();
}

#[test]
fn a_named_encoder_must_work_and_an_automatic_one_may_fail() {
    let (bin, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = fake_ffmpeg(bin.path());
    std::fs::write(bin.path().join("absent"), "").unwrap();
    let with = |encoder: &str, args: &[&str]| {
        let mut command = clipmill(args);
        command.args(["--data", data.path().to_str().unwrap()]).env("CLIPMILL_WORKER_ENCODER", encoder);
        command.env("PATH", &path).env("CLIPMILL_WORKER_SANDBOX", "off");
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.success(), text(&output.stdout), text(&output.stderr))
    };
    for name in ["h264_nvenc", "h264_qsv", "h264_vaapi"] {
        let (started, _, stderr) = with(name, &["serve", "--listen", "127.0.0.1:0"]);
        assert!(!started && stderr.contains(&format!("the encoder {name} cannot be used here")), "{stderr}");
        assert!(stderr.contains("encoder = \"libx264\""), "it says what to do: {stderr}");
    }
    let (_, found, _) = with("auto", &["doctor"]);
    let line = found.lines().find(|line| line.contains("encoder:")).unwrap_or_else(|| panic!("{found}"));
    assert!(line.starts_with("note") && line.contains("libx264, because"), "{line}");
    for name in ["h264_nvenc", "h264_qsv", "h264_vaapi"] {
        assert!(line.contains(name), "{line}");
    }
    let (well, found, _) = with("h264_nvenc", &["doctor"]);
    assert!(!well && found.lines().any(|line| line.starts_with("WRONG encoder: h264_nvenc")), "{found}");
}
