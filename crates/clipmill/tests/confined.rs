//! Everything that clipmill does with ffmpeg, under the list of allowed system calls. If `strace` is installed,
//! refused calls are reported by name; otherwise only failures are visible.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "these are tests")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// Calls that are refused in every run and that libraries do not depend on: threads by `clone3`, which memory is near
/// (libnuma), the priority and the processors of threads (encoders).
const PASSED_OVER: [&str; 6] =
    ["clone3", "get_mempolicy", "getpriority", "sched_setaffinity", "set_mempolicy", "setpriority"];

struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Creates a source. This is not confined, because clients create their sources themselves.
    fn make(&self, name: &str, args: &str) -> PathBuf {
        let path = self.path(name);
        let mut line = Command::new("ffmpeg");
        line.args(["-nostdin", "-v", "error", "-y"]).args(args.split_whitespace()).arg(&path);
        let output = line.output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        path
    }

    /// Runs the program, which must succeed, and returns the names of refused calls.
    fn check(&self, args: &[&str]) {
        let log = self.path("calls.log");
        let traced = Command::new("strace").arg("-V").output().is_ok_and(|output| output.status.success());
        let mut line = Command::new(if traced { "strace" } else { env!("CARGO_BIN_EXE_clipmill") });
        if traced {
            line.args(["-f", "-qqq", "-Z", "-e", "signal=none", "-o"])
                .arg(&log)
                .arg(env!("CARGO_BIN_EXE_clipmill"));
        } else {
            eprintln!("strace is not installed: refused calls are not named");
        }
        let line = line.args(args).current_dir(self.folder.path()).env("CLIPMILL_WORKER_PRESET", "draft");
        let output = line.output().unwrap();
        let refused = if traced { refused(&std::fs::read_to_string(&log).unwrap()) } else { BTreeSet::new() };
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {text}; refused: {refused:?}");
        let unexpected: Vec<_> =
            refused.iter().filter(|call| !PASSED_OVER.contains(&call.as_str())).collect();
        assert!(unexpected.is_empty(), "{args:?}: the list does not have {unexpected:?}");
    }

    fn render(&self, request: &Value) {
        std::fs::write(self.path("request.json"), request.to_string()).unwrap();
        self.check(&["render", "request.json", "-o", "out", "--cache", "cache"]);
        std::fs::remove_dir_all(self.path("out")).unwrap();
    }
}

/// Names of calls that ended as the list ends them, by the tracer's lines: `123 mlock(0x7f…, 64) = -1 EPERM (…)`, or
/// `123 <... mlock resumed>) = -1 EPERM (…)` where another thread came between.
fn refused(log: &str) -> BTreeSet<String> {
    let ended = |line: &&str| line.contains("= -1 EPERM") || line.contains("= -1 ENOSYS");
    let name = |line: &str| {
        let call = line.split_once(' ')?.1.trim_start();
        let call = call.strip_prefix("<... ").unwrap_or(call);
        call.split(['(', ' ']).next().map(str::to_owned)
    };
    // A line may be cut in two where another thread speaks; the second half has no name.
    let is_name = |name: &String| name.starts_with(|first: char| first.is_ascii_lowercase());
    log.lines().filter(ended).filter_map(name).filter(is_name).collect()
}

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name).canonicalize().unwrap()
}

#[test]
fn every_effect_and_look() {
    let bench = Bench::new();
    bench.make("source.mp4", "-f lavfi -i testsrc2=s=192x108:r=10:d=3 -c:v libx264 -pix_fmt yuv420p");
    for catalogue in ["effects", "looks"] {
        bench.check(&[catalogue, "--preview", "made", "--source", "source.mp4"]);
    }
    assert!(std::fs::read_dir(bench.path("made")).unwrap().count() >= 64);
}

#[test]
fn every_sample() {
    let bench = Bench::new();
    for name in ["base-video-mix", "pro-video-mix", "video-deduplication"] {
        let request = sample(&format!("requests/{name}.json"));
        bench.check(&["render", request.to_str().unwrap(), "-o", "out", "--cache", "cache"]);
    }
}

/// The maximum number of emoji in a video, all different: with one ffmpeg input per emoji, memory was insufficient.
#[test]
fn a_hundred_emoji() {
    let bench = Bench::new();
    let clip =
        bench.make("clip.mp4", "-f lavfi -i testsrc2=s=360x640:r=30:d=1 -c:v libx264 -pix_fmt yuv420p");
    let emoji = |from: usize, count: usize| -> String {
        let all = (0x1f600..0x1f650).chain(0x1f400..0x1f414).filter_map(char::from_u32);
        all.skip(from).take(count).collect()
    };
    let text = |from: usize, count: usize, style: Value| json!({ "type": "text", "text": emoji(from, count), "style": style });
    let small = json!({ "fontSize": 10 });
    let cues = (0..20).map(|at| {
        let time = |at: usize| format!("00:00:00,{:03}", at * 45);
        format!("{}\n{} --> {}\n{}\n\n", at + 1, time(at), time(at + 1), emoji(50 + at * 2, 2))
    });
    std::fs::write(bench.path("captions.srt"), cues.collect::<String>()).unwrap();
    let captions = json!({ "url": bench.path("captions.srt") });
    let apart = (0..20).map(|at| text(at * 5, 5, small.clone())).collect::<Vec<_>>();
    let all = [
        json!({ "overlays": apart }),
        json!({ "overlays": [text(0, 50, small.clone()), text(90, 10, small.clone())], "subtitle": captions }),
        json!({ "overlays": [text(0, 100, small)] }),
    ];
    let some = if std::env::var_os("CLIPMILL_ALL_CASES").is_some() { all.len() } else { 1 };
    for options in &all[..some] {
        bench.render(&json!({ "taskType": "baseVideoMix", "params": {
            "videoList": [{ "videos": [{ "url": clip }] }], "options": options } }));
    }
}

/// The check of a client's font is work of our own program, and a font that takes forever to read is stopped.
#[test]
fn own_fonts() {
    let bench = Bench::new();
    let clip =
        bench.make("clip.mp4", "-f lavfi -i testsrc2=s=192x108:r=25:d=1 -c:v libx264 -pix_fmt yuv420p");
    let seed = |name: &str| {
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/fonts");
        seeds.join(name).canonicalize().unwrap()
    };
    let request = |font: &Path| {
        json!({ "taskType": "baseVideoMix", "params": {
            "videoList": [{ "videos": [{ "url": clip }] }],
            "options": { "overlays": [{ "type": "text", "text": "Aé", "style": { "font": font } }] } } })
    };
    bench.render(&request(&seed("letters.ttf")));
    bench.render(&request(&seed("letters.otf")));
    std::fs::write(bench.path("request.json"), request(&seed("nested.ttf")).to_string()).unwrap();
    let mut line = Command::new(env!("CARGO_BIN_EXE_clipmill"));
    line.args(["render", "request.json", "-o", "out", "--cache", "cache"]).current_dir(bench.folder.path());
    let output = line.output().unwrap();
    let output = [output.stderr, output.stdout].concat();
    let output = String::from_utf8_lossy(&output);
    assert!(output.contains("FONT_INVALID") && output.contains("too much time"), "{output}");
}

/// Video layers: green screen, animated images, and the conversion of animated WebP, which is work of our own program.
#[test]
fn video_layers() {
    let bench = Bench::new();
    let picture = "-f lavfi -i testsrc2=s=192x108:r=25:d=1";
    let clip = bench.make("clip.mp4", &format!("{picture} -c:v libx264 -pix_fmt yuv420p"));
    let screen = "-f lavfi -i color=0x00ff00:s=192x108:r=25:d=0.4 -f lavfi -i sine=d=0.4 -c:v libx264 -pix_fmt yuv420p";
    let key = json!({ "color": "#00FF00" });
    let with_key =
        |path: &Path| json!({ "type": "video", "url": path, "loop": true, "volume": 50, "key": key });
    let plain = |path: &Path| json!({ "type": "video", "url": path, "loop": true, "opacity": 50 });
    let request = |layers: Vec<Value>| {
        json!({ "taskType": "baseVideoMix", "params": {
            "videoList": [{ "videos": [{ "url": clip }] }], "options": { "overlays": layers } } })
    };
    let small = "-f lavfi -i testsrc2=s=64x48:r=10:d=0.3";
    let clear = bench.make("clear.mov", &format!("{small} -vf format=rgba -c:v png"));
    let animated = [
        bench.make("moving.gif", small),
        bench.make("moving.png", &format!("{small} -f apng")),
        bench.make("moving.webp", &format!("{small} -c:v libwebp_anim")),
    ];
    bench.render(&request(vec![with_key(&bench.make("screen.mp4", screen)), with_key(&clear)]));
    bench.render(&request(animated.iter().map(|path| plain(path)).collect()));
    let whole = std::fs::read(&animated[2]).unwrap();
    let broken = bench.path("broken.webp");
    std::fs::write(&broken, &whole[..whole.len() / 2]).unwrap();
    std::fs::write(bench.path("request.json"), request(vec![plain(&broken)]).to_string()).unwrap();
    let mut line = Command::new(env!("CARGO_BIN_EXE_clipmill"));
    line.args(["render", "request.json", "-o", "out", "--cache", "cache"]).current_dir(bench.folder.path());
    let output = line.output().unwrap();
    let output = [output.stderr, output.stdout].concat();
    let output = String::from_utf8_lossy(&output);
    assert!(
        output.contains("MASK_INVALID") && output.contains("the animated WebP is damaged or cut off"),
        "{output}"
    );
}

/// Image overlays, a fill, a cover, and each preset.
#[test]
fn masks_and_presets() {
    let bench = Bench::new();
    let mask = bench.make("mask.png", "-f lavfi -i testsrc2=s=320x180:d=1,format=rgba -frames:v 1");
    let moving =
        bench.make("mask.mp4", "-f lavfi -i testsrc2=s=320x180:r=25:d=1 -c:v libx264 -pix_fmt yuv420p");
    for preset in ["draft", "standard", "high"] {
        bench.render(&json!({ "taskType": "videoDeduplication", "params": {
            "seed": 5, "videoList": [{ "filename": moving, "duration": 1 }],
            "options": {
                "preset": preset,
                "isMirror": true, "isFilter": true,
                "speed": { "isSpeed": true, "start": 1.1, "end": 1.2 },
                "PIP": { "isPIP": true, "padding": 8, "fillMode": 1 },
                "picMask": { "isMask": true, "picFiles": [mask], "trans": 20 },
                "videoMask": { "isMask": true, "videoFiles": [moving], "trans": 20 },
            } } }));
    }
}

/// Every common kind of video and audio that this ffmpeg can encode.
#[test]
fn every_codec_and_container() {
    let bench = Bench::new();
    let picture = "-f lavfi -i testsrc2=s=192x108:r=25:d=1";
    let sound = "-f lavfi -i sine=d=1";
    let videos = [
        ("h264.mp4", "-c:v libx264 -pix_fmt yuv420p -c:a aac -movflags +faststart"),
        ("hevc.mkv", "-c:v libx265 -x265-params log-level=none -c:a ac3"),
        ("vp8.webm", "-c:v libvpx -c:a libvorbis"),
        ("vp9.webm", "-c:v libvpx-vp9 -c:a libopus"),
        ("av1.mkv", "-c:v libsvtav1 -preset 12 -c:a flac"),
        ("mpeg1.mpg", "-c:v mpeg1video -c:a mp2"),
        ("mpeg2.ts", "-c:v mpeg2video -c:a eac3"),
        ("mpeg4.avi", "-c:v mpeg4 -c:a libmp3lame"),
        ("mjpeg.mov", "-c:v mjpeg -pix_fmt yuvj420p -c:a alac"),
        ("prores.mov", "-c:v prores_ks -c:a pcm_s16le"),
        ("animation.mov", "-c:v qtrle -c:a pcm_s16be"),
        ("dnxhd.mov", "-s 1280x720 -c:v dnxhd -profile:v dnxhr_lb -pix_fmt yuv422p -c:a pcm_s24le"),
        ("flv.flv", "-c:v libx264 -pix_fmt yuv420p -c:a aac"),
    ];
    let videos: Vec<Value> = videos
        .iter()
        .map(|(name, codecs)| json!({ "url": bench.make(name, &format!("{picture} {sound} {codecs}")) }))
        .collect();
    let count = videos.len();
    bench.render(&json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [{ "videos": videos, "totalDuration": count }],
        "options": { "resolution": "1280:720", "loudness": -14 } } }));
    let clip = bench.path("h264.mp4");
    let made = [
        ("sound.mp3", "libmp3lame"),
        ("sound.flac", "flac"),
        ("sound.ogg", "libvorbis"),
        ("sound.opus", "libopus"),
        ("sound.m4a", "aac"),
        ("sound.wav", "pcm_s16le"),
        ("sound.ac3", "ac3"),
        ("sound.eac3", "eac3"),
        ("sound.aiff", "pcm_s16be"),
        ("sound.caf", "pcm_s16le"),
        ("microsoft.wav", "adpcm_ms"),
        ("ima.wav", "adpcm_ima_wav"),
        ("quicktime.mov", "adpcm_ima_qt"),
        ("flash.flv", "adpcm_swf -ar 22050"),
    ];
    let mut sounds = made.map(|(name, codec)| bench.make(name, &format!("{sound} -c:a {codec}"))).to_vec();
    // No common build of ffmpeg encodes AMR: one frame of 20 ms is repeated.
    let frame: Vec<u8> = std::iter::once(0x3c).chain((0..31).map(|i: u8| i.wrapping_mul(37))).collect();
    sounds.push(bench.path("speech.amr"));
    std::fs::write(sounds.last().unwrap(), [b"#!AMR\n".to_vec(), frame.repeat(50)].concat()).unwrap();
    // One for each output.
    let groups = vec![json!({ "videos": [{ "url": clip }], "totalDuration": 1 }); sounds.len()];
    let voices: Vec<Value> =
        sounds.iter().map(|url| json!({ "audio": { "url": url, "volume": 80 } })).collect();
    bench.render(&json!({ "taskType": "baseVideoMix", "params": {
        "videoList": groups, "options": { "resolution": "1280:720", "voicePool": voices } } }));
}
