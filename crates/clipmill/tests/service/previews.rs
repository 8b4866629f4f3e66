//! A preview matches the output: each kind of task is previewed and rendered, and both frames are compared.

use std::path::Path;
use tokio::time::Instant;

use clipmill_media::ffmpeg::process::{Ffmpeg, Limits, Program};
use serde_json::{Value, json};

use crate::harness::{FAST, Service, make, run, samples};

/// Minimum structural similarity of two images of the same frame: one was compressed as a video, the other as a JPEG.
const SAME: f64 = 0.94;
const FRAME_S: f64 = 1.0 / 30.0;
/// A frame at this distance is less similar than the right one; neighbours may show the same frame of the source.
const AWAY_S: f64 = 0.12;

/// The similarity of a JPEG and the frame of a video at a time, measured by ffmpeg; `None` outside the video.
async fn similarity(picture: &Path, video: &Path, at_s: f64) -> Option<f64> {
    if at_s < 0.0 {
        return None;
    }
    let (at, before) = (format!("{:.4}", at_s - 0.005), format!("{:.4}", (at_s - 2.0).max(0.0)));
    let graph = format!(
        "[1:v]trim=start={at},trim=end_frame=1,setpts=0,scale=in_color_matrix=bt709:out_color_matrix=bt601:out_range=pc,format=yuv444p[frame];\
         [0:v]scale=in_range=pc:out_range=pc,format=yuv444p,setpts=0[still];[still][frame]ssim=f=-[out]"
    );
    let args = [
        "-nostdin",
        "-v",
        "error",
        "-i",
        picture.to_str().unwrap(),
        "-copyts",
        "-ss",
        &before,
        "-i",
        video.to_str().unwrap(),
    ];
    let args = args.into_iter().chain([
        "-filter_complex",
        &graph,
        "-map",
        "[out]",
        "-frames:v",
        "1",
        "-f",
        "null",
        "-",
    ]);
    let args: Vec<_> = args.map(Into::into).collect();
    let limits = Limits::wall(std::time::Duration::from_secs(60));
    let output = Ffmpeg::default().output(Program::Ffmpeg, &args, limits).await.unwrap();
    let output = String::from_utf8_lossy(&output).into_owned();
    let luma = output.split("Y:").nth(1)?;
    Some(luma.split_whitespace().next().unwrap().parse().unwrap())
}

/// Previews a request at each time, renders the task, and compares. With each time: the offset in the output of the
/// returned time.
async fn check(service: &Service, request: &Value, moments: &[(Value, f64)]) {
    let folder = tempfile::tempdir().unwrap();
    let mut previews = Vec::new();
    for (number, (moment, origin_s)) in moments.iter().enumerate() {
        let mut body = moment.clone();
        body["request"] = request.clone();
        let response = service.post_raw("/preview", &body).await;
        let (status, log) = (response.status().as_u16(), service.log());
        assert_eq!(status, 200, "{moment}: {}; {log}", response.text().await.unwrap());
        let at_s: f64 = response.headers()["x-at-seconds"].to_str().unwrap().parse().unwrap();
        let picture = folder.path().join(format!("{number}.jpg"));
        std::fs::write(&picture, response.bytes().await.unwrap()).unwrap();
        previews.push((moment["itemNo"].as_u64().unwrap_or(1), origin_s + at_s, picture));
    }
    let task = service.accepted(request).await;
    let status = service.ended(&task).await;
    assert_eq!(status["status"], 3, "{status:#}");
    for ((item_no, at_s, picture), (moment, _)) in previews.iter().zip(moments) {
        let video = folder.path().join(format!("{item_no}.mp4"));
        service.download(&status["items"][*item_no as usize - 1]["url"], &video).await;
        // If frames of the source are exactly between two of the output, seeking may round the other way.
        let mut similar: f64 = 0.0;
        for near_s in [at_s - FRAME_S, *at_s, at_s + FRAME_S] {
            similar = similar.max(similarity(picture, &video, near_s).await.unwrap_or_default());
        }
        assert!(similar > SAME, "{moment} at {at_s} s: {similar}; {}", service.log());
        for other_s in [*at_s - AWAY_S, at_s + AWAY_S] {
            if let Some(other) = similarity(picture, &video, other_s).await {
                assert!(other < similar, "{moment} at {at_s} s: {similar}, but {other} at {other_s} s");
            }
        }
    }
}

fn clip(folder: &Path, name: &str, options: &str) -> std::path::PathBuf {
    // Moves everywhere at all times, so neighbouring frames differ.
    make(
        folder,
        &format!("-f lavfi -i testsrc2=s=320x180:r=25:d=4,rotate=t/2,gblur=sigma=2 {options} {name}"),
    );
    folder.join(name)
}

#[tokio::test]
async fn a_preview_is_a_frame_of_the_output() {
    // Frames are compared with those of the encoded output.
    let service = Service::start_with(1_000, &[(FAST.0, "standard")]).await;
    let folder = tempfile::tempdir().unwrap();
    // Only one keyframe: seeking must decode from the beginning; the other has late timestamps.
    let first = clip(folder.path(), "a.mp4", "-c:v libx264 -preset ultrafast -g 250");
    let second = clip(folder.path(), "b.ts", "-c:v libx264 -preset ultrafast -g 25");
    let (first, second) = (service.upload(&first).await, service.upload(&second).await);
    let captions = service.upload(&samples().join("captions.srt")).await;
    let voice = service.upload(&samples().join("speech.wav")).await;

    let dedup = json!({ "taskType": "videoDeduplication", "params": {
        "videoList": [{ "filename": first, "duration": 4 }, { "filename": second, "duration": 4 }],
        "options": {
            "isMirror": true, "isFilter": true, "fps": 30,
            "speed": { "isSpeed": true, "start": 1.2, "end": 1.2 },
            "rotation": { "isRotate": true, "minAngle": 2, "maxAngle": 2 },
            "videoMask": { "isMask": true, "layerCount": 1, "trans": 30, "videoFiles": [second] },
            "PIP": { "isPIP": true, "fillMode": 2, "padding": 10 },
            "effect": { "value": "light-leak", "duration": 1, "position": 50, "trans": 60 },
        },
        "seed": 7,
    }});
    check(
        &service,
        &dedup,
        &[
            (json!({}), 0.0),
            (json!({ "atSeconds": 3.1 }), 0.0),
            (json!({ "itemNo": 2, "atSeconds": 0 }), 0.0),
        ],
    )
    .await;

    let base = json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [{ "videos": [{ "url": first }, { "url": second }] }],
        "options": {
            "resolution": "720:1280", "resolutionMode": "none", "background": "blur",
            "subtitle": { "url": captions, "style": { "fontSize": 16, "magnification": 2.5, "bottom": 60, "fontColor": "#FFCC00" } },
        },
    }});
    check(
        &service,
        &base,
        &[(json!({}), 0.0), (json!({ "clip": 1, "atSeconds": 2 }), 0.0), (json!({ "atSeconds": 99 }), 0.0)],
    )
    .await;

    let pro = json!({ "taskType": "proVideoMix", "params": {
        "audioMode": "split",
        "scenes": [
            { "sceneKey": "a", "sceneName": "A", "duration": 2, "resources": [{ "url": first }, { "url": second }] },
            { "sceneKey": "b", "sceneName": "B", "duration": 6, "resources": [{ "url": second }] },
        ],
        "generateCount": 2, "seed": 3, "options": { "resolutionMode": "crop" },
    }});
    // Starts are drawn the same in both, once the files are known; parts, music and captions of pools as well.
    let drawn = json!({ "taskType": "proVideoMix", "params": {
        "audioMode": "split",
        "scenes": [
            { "sceneKey": "a", "sceneName": "A", "duration": 1, "resources": [{ "url": first, "from": 0.5 }, { "url": second }] },
            { "sceneKey": "b", "sceneName": "B", "duration": 1, "resources": [{ "url": second, "to": 3.5 }] },
        ],
        "outputCount": 3, "seed": 4,
        "options": { "clipStart": "random", "resolutionMode": "crop", "introPool": [{ "url": first }], "voicePool": [
            { "audio": { "url": voice }, "subtitle": { "url": captions, "style": { "bottom": 60 } } },
            { "audio": { "url": voice } },
        ] },
    }});
    check(
        &service,
        &drawn,
        &[
            (json!({ "itemNo": 1, "atSeconds": 4.4 }), 0.0),
            (json!({ "itemNo": 2, "atSeconds": 5.6 }), 0.0),
            (json!({ "itemNo": 3, "atSeconds": 0.7 }), 0.0),
            (json!({ "itemNo": 3, "atSeconds": 4.7 }), 0.0),
        ],
    )
    .await;

    // The second scene is longer than its clip, which begins again. Alone, a scene has a time of its own.
    check(&service, &pro, &[(json!({ "itemNo": 2 }), 0.0), (json!({ "clip": 1, "atSeconds": 5.5 }), 2.0)])
        .await;
}

#[tokio::test]
async fn a_preview_costs_nothing_and_is_quick_deep_in_a_file() {
    let service = Service::start(0).await;
    let folder = tempfile::tempdir().unwrap();
    make(
        folder.path(),
        "-f lavfi -i testsrc2=s=640x360:r=30:d=120 -c:v libx264 -preset ultrafast -g 60 long.mp4",
    );
    let url = service.upload(&folder.path().join("long.mp4")).await;
    let request = json!({ "taskType": "videoDeduplication", "params": { "videoList": [{ "filename": url, "duration": 120 }] } });
    let took = async |body: Value| {
        let start = Instant::now();
        let response = service.post_raw("/preview", &body).await;
        assert_eq!(response.status().as_u16(), 200, "{body}");
        (start.elapsed(), response.bytes().await.unwrap())
    };
    let early = took(json!({ "request": request, "atSeconds": 0.1 })).await;
    let late = took(json!({ "request": request, "atSeconds": 115 })).await;
    assert_ne!(early.1, late.1);
    println!("early {:?}, late {:?}", early.0, late.0);
    assert_eq!(service.get("/video-process/records").await["total"], 0);

    let id = url.strip_prefix("upload://").unwrap();
    let shown = service.open(&format!("/uploads/{id}/thumbnail?width=160")).await.bytes().await.unwrap();
    std::fs::write(folder.path().join("shown.jpg"), &shown).unwrap();
    let size = crate::harness::probe(&folder.path().join("shown.jpg"), "stream=width,height");
    assert_eq!(size, ["width=160", "height=90"]);
    let facts = service.post_raw("/probe", &json!({ "url": url })).await.json::<Value>().await.unwrap();
    assert_eq!(facts["data"]["media"]["video"]["duration"], 120.0, "{facts:#}");
}

/// A GIF in which every frame changes one pixel of a large image: small to send, slow to decode.
fn slow_gif(frames: usize) -> Vec<u8> {
    let [width, height] = [8192u16, 4320].map(u16::to_le_bytes);
    let mut gif = [b"GIF89a".as_slice(), &width, &height, &[0x80, 0, 0, 255, 0, 0, 0, 0, 255]].concat();
    let frame = b"\x21\xf9\x04\0\x02\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0";
    (0..frames).for_each(|_| gif.extend_from_slice(frame));
    gif.push(0x3b);
    gif
}

/// The frame near its end takes minutes of processor time; other users get theirs meanwhile.
#[tokio::test]
async fn a_slow_frame_is_aborted_and_does_not_delay_others() {
    let mut service = Service::start_with(100, &[("CLIPMILL_LIMITS_PREVIEWS", "1")]).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("slow.gif"), slow_gif(2_000)).unwrap();
    let slow = service.upload(&folder.path().join("slow.gif")).await;
    let data = service.data.path().to_str().unwrap().to_owned();
    let (status, stdout, stderr) = run(&["user", "add", "other", "--json", "--data", &data]);
    assert_eq!(status, 0, "{stderr}");
    let other: Value = serde_json::from_str(&stdout).unwrap();
    let first = service.use_key(other["apiKey"].as_str().unwrap());
    let quick = service.upload(&samples().join("logo.png")).await;
    let asked = async |key: &str, body: Value| {
        let response = service.post_raw_as(key, "/thumbnail", &body).await;
        (response.status().as_u16(), response.bytes().await.unwrap())
    };
    let second = other["apiKey"].as_str().unwrap();
    let (given_up, shown) = tokio::join!(
        asked(&first, json!({ "url": slow, "atSeconds": 39 })),
        asked(second, json!({ "url": quick })),
    );
    assert_eq!(shown.0, 200);
    let error: Value = serde_json::from_slice(&given_up.1).unwrap();
    assert_eq!((given_up.0, &error["code"]), (422, &json!(42200)), "{error:#}");
    assert!(error["msg"].as_str().unwrap().contains("stopped after 5 s"), "{error:#}");
}
