//! Each sample request from upload to file.

use serde_json::{Value, json};

use crate::harness::{Service, clipmill, long_clip, make, probe, run, samples};

/// A sample request with its relative paths replaced by uploads.
pub async fn sample_request(service: &Service, name: &str) -> Value {
    let mut text = std::fs::read_to_string(samples().join(format!("requests/{name}.json"))).unwrap();
    for file in ["bigbuckbunny.mp4", "city.mp4", "speech.wav", "captions.srt", "captions.vtt"] {
        let path = format!("\"../{file}\"");
        if text.contains(&path) {
            let url = service.upload(&samples().join(file)).await;
            text = text.replace(&path, &json!(url).to_string());
        }
    }
    serde_json::from_str(&text).unwrap()
}

/// Completed, every file as the status says, points as the files cost.
async fn check(name: &str, frames: &[u64], size: &[(u64, u64)], points: u64) {
    let service = Service::start(500).await;
    let request = sample_request(&service, name).await;
    let task_no = service.accepted(&request).await;
    let status = service.ended(&task_no).await;
    assert_eq!((&status["status"], &status["progressPercent"]), (&json!(3), &json!(100)), "{status:#}");
    assert_eq!(status["consumedDotCount"], json!(points), "{status:#}");
    let pairs = status["diversity"]["pairs"].as_array().map_or(0, Vec::len);
    assert_eq!(pairs, frames.len() * (frames.len() - 1) / 2, "{status:#}");
    let items = status["items"].as_array().unwrap();
    assert_eq!(items.len(), frames.len());
    for ((item, frames), (width, height)) in items.iter().zip(frames).zip(size) {
        let file = service.data.path().join("downloaded.mp4");
        service.download(&item["url"], &file).await;
        let streams = probe(&file, "stream=codec_name,width,height,r_frame_rate,nb_read_packets");
        for line in
            ["codec_name=h264", &format!("width={width}"), &format!("height={height}"), "r_frame_rate=30/1"]
        {
            assert!(streams.iter().any(|streams| streams == line), "{line} is not in {streams:?}");
        }
        assert!(
            streams.contains(&format!("nb_read_packets={frames}")),
            "{frames} frames are not in {streams:?}"
        );
        assert_eq!(item["quality"]["framesFound"], json!(frames));
        let off = item["quality"]["durationErrorMs"].as_f64().unwrap();
        assert!((0.0..=34.0).contains(&off), "less than a frame: {item:#}");
        for field in ["blackSeconds", "frozenSeconds", "speed"] {
            assert!(
                item["quality"][field].as_f64().is_some_and(|streams| streams >= 0.0),
                "{field}: {item:#}"
            );
        }
        let cover = service.data.path().join("cover.jpg");
        service.download(&item["coverUrl"], &cover).await;
        let streams = probe(&cover, "stream=codec_name,width,height");
        let expected = ["codec_name=mjpeg", &format!("width={width}"), &format!("height={height}")];
        assert_eq!(streams, expected, "the cover");
        assert!((item["duration"].as_f64().unwrap() - *frames as f64 / 30.0).abs() < 0.001, "{item:#}");
        assert_eq!(item["sizeBytes"].as_u64().unwrap(), std::fs::metadata(&file).unwrap().len());
    }
    let balance = service.get("/video-process/balance").await;
    assert_eq!(balance, json!({ "balance": 500 - points, "held": 0, "total": 500 - points }));
    service.assert_audit();
}

/// Two short files give eight videos that share as little as can be, and any of them comes again by its recipe.
#[tokio::test]
async fn many_different_videos_of_a_few_files() {
    let service = Service::start(100).await;
    let city = service.upload(&samples().join("city.mp4")).await;
    let bunny = service.upload(&samples().join("bigbuckbunny.mp4")).await;
    let speech = service.upload(&samples().join("speech.wav")).await;
    let scene = |key: &str, clips: Value| json!({ "sceneKey": key, "sceneName": key, "duration": 1, "resources": clips });
    let scenes = json!([
        scene("a", json!([{ "url": city, "from": 1.5 }, { "url": bunny, "to": 4 }])),
        scene("b", json!([{ "url": bunny, "to": 4 }])),
    ]);
    let songs = json!([{ "url": speech, "volume": 40 }, { "url": bunny }]);
    let request = |change: Value| {
        let mut params = json!({ "scenes": scenes, "audioMode": "split", "seed": 9,
            "options": { "resolutionMode": "crop", "preset": "draft", "originalVolume": 20 } });
        for (name, value) in change.as_object().unwrap() {
            match name.as_str() {
                "clipStart" | "backgroundMusicPool" => params["options"][name] = value.clone(),
                _ => params[name] = value.clone(),
            }
        }
        json!({ "taskType": "proVideoMix", "params": params })
    };
    let many = request(json!({ "outputCount": 8, "clipStart": "random", "backgroundMusicPool": songs }));
    let (_, response) = service.post("/video-process/estimate?preflight=true", &many).await;
    let estimate = &response["data"];
    // Six stretches of one and four of the other, then four.
    assert_eq!(estimate["distinctCombinations"], 10 * 4, "{estimate:#}");
    assert_eq!(estimate["estimatedDotCount"], 16, "{estimate:#}");
    let task_no = service.accepted(&many).await;
    let status = service.ended(&task_no).await;
    assert_eq!((&status["status"], &status["consumedDotCount"]), (&json!(3), &json!(16)), "{status:#}");
    let diversity = &status["diversity"];
    assert_eq!((diversity["pairs"].as_array().unwrap().len(), &diversity["totalPairs"]), (20, &json!(28)));
    // Ten stretches for sixteen places: two outputs have one in common at the most.
    assert_eq!(diversity["mostSimilar"]["sharedSeconds"], 1.0, "{diversity:#}");
    let all = service.get(&format!("/video-process/diversity/{task_no}?pageSize=100")).await;
    assert_eq!((all["list"].as_array().unwrap().len(), &all["total"]), (28, &json!(28)));
    assert_eq!(all["list"][0]["sharedSeconds"], diversity["pairs"][0]["sharedSeconds"]);
    let similarity = |pair: &Value| pair["similarity"].as_f64().unwrap_or(2.0);
    let alike: Vec<f64> = all["list"].as_array().unwrap().iter().map(similarity).collect();
    let max = alike.iter().copied().fold(0.0, f64::max);
    assert!((0.3..1.0).contains(&max), "{all:#}");
    assert_eq!(similarity(&diversity["mostAlike"]), max, "{diversity:#}");
    let items = status["items"].as_array().unwrap();
    let mut files: Vec<&str> = items.iter().map(|item| item["sha256"].as_str().unwrap()).collect();
    files.sort_unstable();
    files.dedup();
    assert_eq!(files.len(), 8);

    let item = &items[5];
    let recipe = &item["recipe"];
    let song = songs[recipe["backgroundMusicPool"].as_u64().unwrap() as usize].clone();
    let again = request(json!({ "generateCount": 1, "combinations": [recipe["combination"]],
        "starts": [recipe["starts"]], "backgroundMusicPool": [song] }));
    let task_no = service.accepted(&again).await;
    let status = service.ended(&task_no).await;
    assert_eq!(status["items"][0]["sha256"], item["sha256"], "{recipe}");
    service.assert_audit();
}

/// The city is cut after 4.64 s; the other film never, and is too short to be entered again.
#[tokio::test]
async fn clips_begin_with_their_cuts() {
    let service = Service::start(100).await;
    let city = service.upload(&samples().join("city.mp4")).await;
    let bunny = service.upload(&samples().join("bigbuckbunny.mp4")).await;
    let scene = |key: &str| json!({ "sceneKey": key, "sceneName": key, "duration": 1, "resources": [{ "url": city }, { "url": bunny }] });
    let request = |outputs: u32| {
        json!({ "taskType": "proVideoMix", "params": { "scenes": [scene("a"), scene("b")], "audioMode": "split",
            "seed": 4, "outputCount": outputs, "options": { "clipStart": "shots", "resolutionMode": "crop", "preset": "draft" } } })
    };
    let (_, plain) = service.post("/video-process/estimate", &request(2)).await;
    let warned = |response: &Value| response["data"]["warnings"][0]["path"] == "/params/options/clipStart";
    assert!(warned(&plain), "{plain:#}");
    let (_, seen) = service.post("/video-process/estimate?preflight=true", &request(2)).await;
    assert!(!warned(&seen) && seen["data"]["distinctCombinations"] == 9, "{seen:#}");
    let task_no = service.accepted(&request(2)).await;
    let status = service.ended(&task_no).await;
    assert_eq!(status["status"], 3, "{status:#}");
    for item in status["items"].as_array().unwrap() {
        let (row, starts) = (&item["recipe"]["combination"], &item["recipe"]["starts"]);
        for (clip, start) in row.as_array().unwrap().iter().zip(starts.as_array().unwrap()) {
            let start = start.as_f64().unwrap();
            assert!(start == 0.0 || *clip == 0 && start == 4.666667, "{item:#}");
        }
    }
    assert_eq!(status["diversity"]["mostSimilar"]["sharedSeconds"], 1.0);
    // Too few beginnings: nothing is paid, and it says how many there are.
    let task_no = service.accepted(&request(10)).await;
    let status = service.ended(&task_no).await;
    assert_eq!((&status["status"], &status["consumedDotCount"]), (&json!(6), &json!(0)), "{status:#}");
    let message = status["items"][0]["error"]["message"].as_str().unwrap();
    assert!(message.contains('9'), "{message}");
    service.assert_audit();
}

#[tokio::test]
async fn base_video_mix() {
    check("base-video-mix", &[330], &[(720, 1280)], 11).await;
}

#[tokio::test]
async fn pro_video_mix() {
    check("pro-video-mix", &[210, 210], &[(720, 1280), (720, 1280)], 14).await;
}

#[tokio::test]
async fn video_deduplication() {
    let (status, stdout, stderr) = {
        let cache = tempfile::tempdir().unwrap();
        let request = samples().join("requests/video-deduplication.json");
        run(&["plan", request.to_str().unwrap(), "--json", "--cache", cache.path().to_str().unwrap()])
    };
    assert_eq!(status, 0, "{stderr}");
    let plan: Value = serde_json::from_str(&stdout).unwrap();
    let planned: Vec<u64> = plan["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["outcome"]["Ok"]["frames"].as_u64().unwrap())
        .collect();
    let points = planned.iter().map(|frames| frames.div_ceil(30)).sum();
    check("video-deduplication", &planned, &[(1280, 720), (720, 404)], points).await;
}

#[tokio::test]
async fn the_same_task_again_encodes_nothing_and_outputs_share_segments() {
    let service = Service::start(500).await;
    let request = sample_request(&service, "base-video-mix").await;
    let first = service.ended(&service.accepted(&request).await).await;
    let made = |service: &Service| service.log().matches("made=Rendered").count();
    let rendered = made(&service);
    assert_eq!(rendered, 4, "two pictures, two sounds");

    // Eight more groups of the same clips in the same places: the captions are the same too.
    let mut many = request.clone();
    let group = many["params"]["videoList"][0].clone();
    many["params"]["videoList"] = json!(vec![group; 8]);
    let second = service.ended(&service.accepted(&many).await).await;
    assert_eq!((&first["status"], &second["status"]), (&json!(3), &json!(3)));
    assert_eq!(second["completedItems"], json!(8));
    assert_eq!(made(&service), rendered, "nothing is encoded twice");
    let linked = |linked: bool| service.log().matches(&format!("linked={linked}")).count();
    assert_eq!((linked(false), linked(true)), (1, 8), "a finished output is made once");
    assert_eq!(first["items"][0]["sha256"], second["items"][7]["sha256"]);
    assert_eq!(second["consumedDotCount"], json!(88), "shared work costs the same");
    service.assert_audit();
}

#[tokio::test]
async fn the_command_line_renders_without_a_server_and_knows_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let request = samples().join("requests/pro-video-mix.json");
    let render = || {
        let (status, stdout, stderr) = run(&[
            "render",
            request.to_str().unwrap(),
            "-o",
            &path("out"),
            "--cache",
            &path("cache"),
            "--json",
        ]);
        assert_eq!(status, 0, "{stderr}");
        serde_json::from_str::<Value>(&stdout).unwrap()
    };
    let first = render();
    let again = render();
    assert!(first["segments"]["rendered"].as_u64().unwrap() > 0);
    assert_eq!(again["segments"]["rendered"], json!(0));
    assert_eq!(again["segments"]["cached"], first["segments"]["rendered"]);
    for (a, b) in first["items"].as_array().unwrap().iter().zip(again["items"].as_array().unwrap()) {
        assert_eq!(a["sha256"], b["sha256"]);
        let file = a["path"].as_str().unwrap();
        assert!(!first["diversity"]["pairs"].as_array().unwrap().is_empty(), "{first:#}");
        assert_eq!(a["coverPath"].as_str().unwrap(), file.replace(".mp4", ".jpg"));
        assert!(std::fs::metadata(a["coverPath"].as_str().unwrap()).unwrap().len() > 1000);
        assert!(probe(file.as_ref(), "stream=nb_read_packets").contains(&"nb_read_packets=210".to_owned()));
    }
}

#[tokio::test]
async fn errors_of_the_program_have_a_message_and_a_status() {
    let folder = tempfile::tempdir().unwrap();
    let request = folder.path().join("request.json");
    let out = folder.path().join("out");
    let cache = folder.path().join("cache");
    let check = |body: &str, expected: i32, words: &[&str]| {
        std::fs::write(&request, body).unwrap();
        let (status, stdout, stderr) = run(&[
            "render",
            request.to_str().unwrap(),
            "-o",
            out.to_str().unwrap(),
            "--cache",
            cache.to_str().unwrap(),
            "--json",
        ]);
        assert_eq!(status, expected, "{stderr}");
        let response: Value =
            serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"));
        assert_eq!(response["code"].is_u64(), expected == 2, "{response:#}");
        let plan = run(&["plan", request.to_str().unwrap(), "--cache", cache.to_str().unwrap(), "--json"]);
        assert_eq!(plan.0, expected, "{plan:?}");
        serde_json::from_str::<Value>(&plan.1).unwrap_or_else(|error| panic!("{error}: {plan:?}"));
        let stderr = format!("{stdout}{stderr}");
        for word in words {
            assert!(stderr.contains(word), "{word:?} is not in {stderr}");
        }
    };
    check("{", 2, &["request.json:1:"]);
    check(r#"{"taskType":"baseVideoMx","params":{}}"#, 2, &["/taskType", "baseVideoMix"]);
    let missing =
        r#"{"taskType":"baseVideoMix","params":{"videoList":[{"videos":[{"url":"./nothing.mp4"}]}]}}"#;
    check(missing, 1, &["DOWNLOAD_FAILED", "./nothing.mp4"]);
    // No user can write files there; the error is reported before anything is rendered.
    let (status, stdout, stderr) = run(&[
        "render",
        request.to_str().unwrap(),
        "-o",
        "/proc",
        "--cache",
        cache.to_str().unwrap(),
        "--json",
    ]);
    assert_eq!((status, stdout.as_str()), (1, ""), "{stderr}");
    assert!(stderr.contains("cannot write into /proc"), "{stderr}");
}

/// Ctrl-C says what is kept and leaves nothing unfinished.
#[tokio::test(flavor = "multi_thread")]
async fn a_render_that_is_stopped_leaves_nothing_unfinished() {
    let folder = tempfile::tempdir().unwrap();
    let long = long_clip(folder.path());
    let body =
        json!({ "taskType": "baseVideoMix", "params": { "videoList": [{ "videos": [{ "url": long }] }] } });
    let (request, cache) = (folder.path().join("request.json"), folder.path().join("cache"));
    std::fs::write(&request, body.to_string()).unwrap();
    let mut render =
        clipmill(&["render", request.to_str().unwrap(), "--cache", cache.to_str().unwrap(), "-o"]);
    let render = render.arg(folder.path().join("out")).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let files = |place: &str| {
        let files = std::fs::read_dir(cache.join(place)).into_iter().flatten().flatten();
        files.map(|file| file.path()).collect::<Vec<_>>()
    };
    let at_work =
        || files("tmp").iter().any(|path| std::fs::read_dir(path).is_ok_and(|mut all| all.next().is_some()));
    while !at_work() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let pid = rustix::process::Pid::from_child(&render);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let ended = render.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("kept:") && stderr.contains(cache.to_str().unwrap()), "{stderr}");
    assert_eq!((files("tmp"), files("inputs/partial")), (vec![], vec![]));
    assert_eq!(std::fs::read_dir(folder.path().join("out")).unwrap().count(), 0);
}

#[test]
fn a_plan_is_shown_as_text_and_as_a_graph() {
    let cache = tempfile::tempdir().unwrap();
    let request = samples().join("requests/pro-video-mix.json");
    let plan = |more: &[&str]| {
        let place = ["plan", request.to_str().unwrap(), "--cache", cache.path().to_str().unwrap()];
        let (status, stdout, stderr) = run(&[&place, more].concat());
        assert_eq!(status, 0, "{stderr}");
        stdout
    };
    let text = plan(&[]);
    for expected in
        ["item 1: 720x1280 at 30 fps, 210 frames", "item 2:", "most similar: items 1 and 2", "-> item"]
    {
        assert!(text.contains(expected), "{expected:?} is not in {text}");
    }
    let graph = plan(&["--dot"]);
    let lines: Vec<&str> = graph.lines().collect();
    assert_eq!((lines[0], *lines.last().unwrap()), ("digraph plan {", "}"));
    assert!(
        lines[1..lines.len() - 1]
            .iter()
            .all(|line| line.ends_with(';') && line.matches('"').count() % 2 == 0)
    );
    let arrows = graph.matches(" -> item").count();
    assert!(arrows >= 6, "two pictures and a lane for each of two items: {graph}");
}

/// What an upload was found to be when it arrived prices it, without it being looked at again.
#[tokio::test(flavor = "multi_thread")]
async fn an_estimate_knows_the_uploads() {
    let service = Service::start(500).await;
    make(service.data.path(), "-f lavfi -i testsrc2=s=320x240:r=30:d=3 -pix_fmt yuv420p small.mp4");
    let url = service.upload(&service.data.path().join("small.mp4")).await;
    let params = json!({ "videoList": [{ "filename": url, "duration": 100 }] });
    let task = json!({ "taskType": "videoDeduplication", "params": params });
    let estimate = service.post("/video-process/estimate", &task).await.1["data"].take();
    let looked_at = service.post("/video-process/estimate?preflight=true", &task).await.1["data"].take();
    assert_eq!(estimate, looked_at);
    assert_eq!(estimate["estimatedDotCount"], json!(3), "{estimate}");
    let path = &estimate["warnings"][0]["path"];
    assert_eq!(path, "/params/videoList/0/duration", "{estimate}");
}
