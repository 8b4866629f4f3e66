//! A clip preview matches the output: each kind of task is previewed and rendered, and both are compared, in video
//! and audio.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::{Service, make, probe, run, samples};

const FPS: f64 = 30.0;
const RATE: usize = 48_000;
/// Minimum structural similarity of a frame of the preview to the same frame of the output, both scaled down.
const SAME: f64 = 0.80;
const SAME_ON_AVERAGE: f64 = 0.90;
/// Maximum difference of levels in windows of a tenth of a second: both were encoded.
const SAME_DB: f64 = 1.0;
/// Levels up to this count as silence.
const SILENT_DB: f64 = -60.0;

/// Requests a clip preview; returns its start in the output.
async fn play(service: &Service, body: &Value, to: &Path) -> (f64, f64) {
    let response = service.post_raw("/preview/clip", body).await;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let bytes = response.bytes().await.unwrap();
    let error = if status == 200 { String::new() } else { String::from_utf8_lossy(&bytes).into_owned() };
    assert_eq!(status, 200, "{error}; {}", service.log());
    std::fs::write(to, &bytes).unwrap();
    let seconds = |name: &str| headers[name].to_str().unwrap().parse::<f64>().unwrap();
    (seconds("x-at-seconds"), seconds("x-length-seconds"))
}

fn ffmpeg(args: &[&str]) -> Vec<u8> {
    #[allow(clippy::disallowed_methods, reason = "a ruler independent of the program under test")]
    let ran = Command::new("ffmpeg").args(["-nostdin", "-v", "error"]).args(args).output().unwrap();
    assert!(ran.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
    ran.stdout
}

/// Mono audio from a time on.
fn sound(path: &Path, from_s: f64, seconds: f64) -> Vec<f32> {
    let cut = format!("atrim=start={from_s}:duration={seconds}");
    let raw = ffmpeg(&["-i", path.to_str().unwrap(), "-af", &cut, "-ac", "1", "-f", "f32le", "-"]);
    raw.chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
}

fn level_db(samples: &[f32]) -> f64 {
    let power: f64 = samples.iter().map(|sample| f64::from(*sample).powi(2)).sum();
    10.0 * (power / samples.len().max(1) as f64).max(1e-9).log10()
}

/// Mean luma of each frame.
fn lumas(path: &Path) -> Vec<u8> {
    ffmpeg(&["-i", path.to_str().unwrap(), "-vf", "scale=1:1:flags=area,format=gray", "-f", "rawvideo", "-"])
}

/// Requests `seconds` from a time on and checks only the file.
async fn check_file(path: &Path, seconds: f64) {
    let wanted = "stream=codec_name,width,height,avg_frame_rate,nb_frames";
    let properties = probe(path, wanted).join(" ");
    assert!(properties.contains("codec_name=h264") && properties.contains("codec_name=aac"), "{properties}");
    let frames = format!("nb_frames={}", (seconds * FPS).round());
    assert!(properties.contains(&frames), "{properties}, not {frames}");
    let side = |name: &str| {
        properties.split(&format!("{name}=")).nth(1).unwrap().split(' ').next().unwrap().to_owned()
    };
    let short = side("width").parse::<u32>().unwrap().min(side("height").parse().unwrap());
    assert!(short <= 360, "{properties}");
    let length: f64 = probe(path, "format=duration")[0].trim_start_matches("duration=").parse().unwrap();
    assert!((length - seconds).abs() <= 1.0 / FPS, "{length} s, not {seconds}");
    let bytes = std::fs::read(path).unwrap();
    let place = |name: &[u8]| bytes.windows(4).position(|at| at == name).unwrap();
    assert!(place(b"moov") < place(b"mdat"), "it plays before all of it is there");
}

/// Compares clip previews of a request with its outputs, each at a time and with a length.
async fn check(service: &Service, request: &Value, moments: &[(Value, f64)]) {
    let folder = tempfile::tempdir().unwrap();
    let mut clips = Vec::new();
    for (number, (moment, seconds)) in moments.iter().enumerate() {
        let mut body = moment.clone();
        (body["request"], body["seconds"]) = (request.clone(), json!(seconds));
        let clip = folder.path().join(format!("clip{number}.mp4"));
        let (at_s, _) = play(service, &body, &clip).await;
        check_file(&clip, *seconds).await;
        clips.push((moment["itemNo"].as_u64().unwrap_or(1), at_s, *seconds, clip));
    }
    let task = service.accepted(request).await;
    let status = service.ended(&task).await;
    assert_eq!(status["status"], 3, "{status:#}");
    for (item_no, at_s, seconds, clip) in &clips {
        let output = folder.path().join(format!("{item_no}.mp4"));
        service.download(&status["items"][*item_no as usize - 1]["url"], &output).await;
        look(clip, &output, *at_s);
        listen(clip, &output, *at_s, *seconds);
    }
}

fn look(clip: &Path, output: &Path, at_s: f64) {
    let log = clip.with_extension("ssim");
    let graph = format!(
        "[1:v]trim=start={:.4},setpts=PTS-STARTPTS[o];[o][0:v]scale2ref[small][clip];\
         [clip]setpts=PTS-STARTPTS[c];[c][small]ssim=f={}:shortest=1",
        at_s - 0.5 / FPS,
        log.display()
    );
    let (clip_name, output) = (clip.to_str().unwrap(), output.to_str().unwrap());
    ffmpeg(&["-i", clip_name, "-i", output, "-filter_complex", &graph, "-f", "null", "-"]);
    let text = std::fs::read_to_string(log).unwrap();
    let alike: Vec<f64> = text
        .lines()
        .map(|line| line.split("Y:").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap())
        .collect();
    let worst = alike.iter().copied().enumerate().fold((0, 1.0), |a, b| if b.1 < a.1 { b } else { a });
    let mean = alike.iter().sum::<f64>() / alike.len() as f64;
    assert!(worst.1 > SAME && mean > SAME_ON_AVERAGE, "at {at_s} s: {mean} on average, {worst:?}");
}

fn listen(clip: &Path, output: &Path, at_s: f64, seconds: f64) {
    let (here, there) = (sound(clip, 0.0, seconds), sound(output, at_s, seconds));
    let window = RATE / 10;
    // Windows at both ends of a clip may differ more: the encoder begins and ends there.
    for (number, (a, b)) in here.chunks_exact(window).zip(there.chunks_exact(window)).enumerate() {
        let (a, b) = (level_db(a).max(SILENT_DB), level_db(b).max(SILENT_DB));
        let edge = number == 0 || (number + 1) * window + window > here.len();
        assert!(
            edge || (a - b).abs() < SAME_DB,
            "{a:.1} dB instead of {b:.1} at {} s",
            at_s + number as f64 / 10.0
        );
    }
}

fn moving(folder: &Path, name: &str, hz: u32, options: &str) -> std::path::PathBuf {
    let picture = "-f lavfi -i testsrc2=s=960x540:r=25:d=4,rotate=t/2,gblur=sigma=3";
    let sound = format!("-f lavfi -i sine=f={hz}:d=4,volume=0.5");
    make(folder, &format!("{picture} {sound} -c:v libx264 -preset ultrafast -c:a aac {options} {name}"));
    folder.join(name)
}

#[tokio::test]
async fn a_clip_preview_matches_the_output() {
    let service = Service::start(1_000).await;
    let folder = tempfile::tempdir().unwrap();
    let first = service.upload(&moving(folder.path(), "a.mp4", 300, "-g 250")).await;
    let second = service.upload(&moving(folder.path(), "b.ts", 700, "-g 25")).await;
    let captions = service.upload(&samples().join("captions.srt")).await;
    let voice = service.upload(&samples().join("speech.wav")).await;
    make(folder.path(), "-f lavfi -i aevalsrc=0.3*sin(2*PI*200*t)*(0.6+0.4*sin(2*PI*0.7*t)):d=3 music.mp3");
    let music = service.upload(&folder.path().join("music.mp3")).await;

    let base = json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [{ "videos": [{ "url": first, "from": 0.5 }, { "url": second }, { "url": first }] }],
        "options": {
            "resolution": "720:1280", "resolutionMode": "none", "background": "blur",
            "transition": { "names": ["fade", "slideleft"], "duration": 1 },
            "subtitle": { "url": captions, "style": { "fontSize": 16, "magnification": 2.5, "bottom": 60 } },
            "backgroundMusic": { "url": music, "volume": 60, "fadeIn": 1, "fadeOut": 2 },
            "audio": { "url": voice }, "ducking": true,
            "overlays": [{ "type": "text", "text": "clipmill", "place": "top", "start": 1, "end": 5 }],
        },
        // Transitions are drawn.
        "seed": 5,
    }});
    // From the middle of one overlap into that of the next; the very end with its fade.
    check(
        &service,
        &base,
        &[(json!({}), 2.0), (json!({ "atSeconds": 3.0 }), 3.5), (json!({ "clip": 2, "atSeconds": 2 }), 2.0)],
    )
    .await;

    let mut loud = base.clone();
    loud["params"]["options"]["loudness"] = json!(-20);
    check(&service, &loud, &[(json!({ "atSeconds": 5.0 }), 1.5)]).await;

    let dedup = json!({ "taskType": "videoDeduplication", "params": {
        "videoList": [{ "filename": first, "duration": 4 }, { "filename": second, "duration": 4, "from": 1 }],
        "options": {
            "isMirror": true, "isFilter": true, "fps": 30,
            "speed": { "isSpeed": true, "start": 0.8, "end": 0.8 },
            "rotation": { "isRotate": true, "minAngle": 2, "maxAngle": 2 },
            "PIP": { "isPIP": true, "fillMode": 2, "padding": 10 },
            "effect": { "value": "light-leak", "duration": 1, "position": 50, "trans": 60 },
        },
        "seed": 7,
    }});
    check(
        &service,
        &dedup,
        &[
            (json!({}), 1.0),
            (json!({ "atSeconds": 2 }), 2.0),
            (json!({ "itemNo": 2, "atSeconds": 1.5 }), 1.5),
        ],
    )
    .await;

    let pro = json!({ "taskType": "proVideoMix", "params": {
        "audioMode": "split",
        "scenes": [
            { "sceneKey": "a", "sceneName": "A", "duration": 2, "resources": [{ "url": first }, { "url": second }],
              "audioResources": [{ "url": voice, "startTime": 0.5 }] },
            // Longer than its clip, which begins again.
            { "sceneKey": "b", "sceneName": "B", "duration": 6, "resources": [{ "url": second }] },
        ],
        "generateCount": 2, "seed": 3, "options": { "resolutionMode": "crop" },
    }});
    check(&service, &pro, &[(json!({ "itemNo": 2 }), 4.0), (json!({ "clip": 1, "atSeconds": 3.2 }), 2.0)])
        .await;
}

/// The middle of the bright rows of the first frame, as a part of its height.
fn bright_middle(path: &Path) -> f64 {
    let rows = ffmpeg(&[
        "-i",
        path.to_str().unwrap(),
        "-vf",
        "format=gray,scale=1:200:flags=area",
        "-frames:v",
        "1",
        "-f",
        "rawvideo",
        "-",
    ]);
    let bright: Vec<usize> =
        rows.iter().enumerate().filter(|(_, luma)| **luma > 24).map(|(row, _)| row).collect();
    assert!(!bright.is_empty(), "{rows:?}");
    bright.iter().sum::<usize>() as f64 / bright.len() as f64 / rows.len() as f64
}

#[tokio::test]
async fn captions_have_the_position_of_the_output() {
    let service = Service::start(1_000).await;
    let folder = tempfile::tempdir().unwrap();
    make(
        folder.path(),
        "-f lavfi -i color=black:s=360x640:r=30:d=2 -c:v libx264 -preset ultrafast black.mp4",
    );
    let black = service.upload(&folder.path().join("black.mp4")).await;
    for place in ["bottom", "top"] {
        let request = json!({ "taskType": "baseVideoMix", "params": {
            "videoList": [{ "videos": [{ "url": black }] }],
            "options": { "subtitle": {
                "cues": [{ "start": 0, "end": 2, "text": "MMMMMMMM" }],
                "style": { "bottom": 500, "place": place, "fontSize": 18, "magnification": 4 },
            } },
        }});
        let (clip, output) = (folder.path().join("clip.mp4"), folder.path().join("output.mp4"));
        play(&service, &json!({ "request": request, "seconds": 1 }), &clip).await;
        let task = service.accepted(&request).await;
        let status = service.ended(&task).await;
        service.download(&status["items"][0]["url"], &output).await;
        let (previewed, made) = (bright_middle(&clip), bright_middle(&output));
        assert!(
            (previewed - made).abs() < 0.01,
            "{place}: at {previewed} in the preview, at {made} in the output"
        );
        assert!((0.3..0.7).contains(&made), "{made}");
    }
}

#[tokio::test]
async fn a_whole_output_can_be_played_in_parts() {
    let service = Service::start(1_000).await;
    let folder = tempfile::tempdir().unwrap();
    let picture = "-f lavfi -i testsrc2=s=480x270:r=25:d=26,rotate=t/5,gblur=sigma=2";
    let sound = "-f lavfi -i aevalsrc=0.3*sin(2*PI*400*t)*(0.6+0.4*sin(2*PI*0.3*t)):d=26";
    make(folder.path(), &format!("{picture} {sound} -c:v libx264 -preset ultrafast -g 60 -c:a aac long.mp4"));
    let long = service.upload(&folder.path().join("long.mp4")).await;
    let short = service.upload(&moving(folder.path(), "short.mp4", 300, "-g 250")).await;
    let captions = service.upload(&samples().join("captions.srt")).await;
    let base = json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [{ "videos": [{ "url": long }, { "url": short }] }],
        "options": {
            "resolution": "720:720", "subtitle": { "url": captions },
            "transition": { "names": ["fade"], "duration": 1 },
        },
    }});
    check(&service, &base, &[(json!({}), 29.0), (json!({ "atSeconds": 5.3 }), 17.5)]).await;
    let dedup = json!({ "taskType": "videoDeduplication", "params": {
        "videoList": [{ "filename": long, "duration": 26 }],
        "options": {
            "isMirror": true, "fps": 30, "speed": { "isSpeed": true, "start": 1.3, "end": 1.3 },
            "rotation": { "isRotate": true, "minAngle": 2, "maxAngle": 2 },
        },
        "seed": 7,
    }});
    check(&service, &dedup, &[(json!({}), 20.0), (json!({ "atSeconds": 3.1 }), 12.0)]).await;
}

/// Four seconds of black, every second a white frame's worth of flash and a beep at the same instant.
fn flashes(folder: &Path, name: &str) -> std::path::PathBuf {
    let on = "lt(mod(t+0.5\\,1)\\,0.1)";
    let picture = format!("color=black:s=640x360:r=30:d=8,drawbox=c=white:t=fill:enable={on}");
    let beep = format!("aevalsrc=if({on}\\,0.5*sin(2*PI*1000*t)\\,0):s=48000:d=8");
    make(folder, &format!("-f lavfi -i {picture} -f lavfi -i {beep} -c:v libx264 -c:a aac {name}"));
    folder.join(name)
}

#[tokio::test]
async fn clip_previews_are_free_in_sync_and_private() {
    let mut service = Service::start(0).await;
    let folder = tempfile::tempdir().unwrap();
    let url = service.upload(&flashes(folder.path(), "flashes.mp4")).await;
    let base =
        json!({ "taskType": "baseVideoMix", "params": { "videoList": [{ "videos": [{ "url": url }] }] } });
    let dedup = json!({ "taskType": "videoDeduplication", "params": {
        "videoList": [{ "filename": url, "duration": 8 }],
        "options": { "speed": { "isSpeed": true, "start": 1.3, "end": 1.3 } },
    }});
    let clip = folder.path().join("clip.mp4");
    for (request, at, step_s) in [(&base, 1.7, 1.0), (&base, 3.1, 1.0), (&dedup, 0.9, 1.0 / 1.3)] {
        let body = json!({ "request": request, "atSeconds": at, "seconds": 3 });
        let (at_s, _) = play(&service, &body, &clip).await;
        assert!((at_s - at).abs() < 0.5 / FPS, "{at_s}");
        let lumas = lumas(&clip);
        let rises = lumas.windows(2).enumerate().filter(|(_, pair)| pair[0] < 60 && pair[1] >= 60);
        let seen: Vec<f64> = rises.map(|(i, _)| (i + 1) as f64 / FPS).collect();
        let sound = sound(&clip, 0.0, 3.0);
        let loud: Vec<bool> = sound.chunks(48).map(|ms| level_db(ms) > -30.0).collect();
        let begins = (20..loud.len()).filter(|i| loud[*i] && loud[i - 20..*i].iter().all(|loud| !loud));
        let heard: Vec<f64> = begins.map(|ms| ms as f64 / 1000.0).collect();
        println!("{at}: seen at {seen:?}, heard at {heard:?}");
        assert!(seen.len() >= 2 && seen.len() == heard.len(), "seen at {seen:?}, heard at {heard:?}");
        for (seen_s, heard_s) in seen.iter().zip(&heard) {
            assert!((seen_s - heard_s).abs() <= 0.5 / FPS + 0.005, "seen at {seen_s}, heard at {heard_s}");
            let place = (at_s + seen_s - 0.5 * step_s).rem_euclid(step_s);
            assert!(place.min(step_s - place) < 1.5 / FPS, "seen at {} of the output", at_s + seen_s);
        }
    }
    assert_eq!(service.get("/video-process/records").await["total"], 0);
    let data = service.data.path().to_str().unwrap().to_owned();
    let (_, other, _) = run(&["user", "add", "other", "--json", "--data", &data]);
    let other: Value = serde_json::from_str(&other).unwrap();
    service.use_key(other["apiKey"].as_str().unwrap());
    let (status, response) = service.post("/preview/clip", &json!({ "request": base })).await;
    assert_eq!((status, &response["code"]), (400, &json!(40001)), "{response}");
    assert_eq!(response["data"]["errors"][0]["path"], "/params/videoList/0/videos/0/url");
}
