//! Requests of a hostile client to the running service: each case ends in an error of its item with its code and
//! costs nothing, or in a verified output.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::harness::{Service, make, run, samples};

/// One output per url, half a second each.
fn mix(urls: &[String]) -> Value {
    let group = |url: &String| json!({ "videos": [{ "url": url }], "totalDuration": 0.5 });
    json!({ "taskType": "baseVideoMix", "params": {
        "videoList": urls.iter().map(group).collect::<Vec<_>>(),
        "options": { "resolution": "720:1280" } } })
}

/// Submits all urls as one task: item by item, `expected` is the code of the error, or empty for an output.
async fn check_outcomes(service: &Service, cases: &[(&str, String, &str)]) {
    let urls: Vec<String> = cases.iter().map(|(_, url, _)| url.clone()).collect();
    let before = service.get("/video-process/balance").await["balance"].as_u64().unwrap();
    let status = service.ended(&service.accepted(&mix(&urls)).await).await;
    let mut outputs = 0;
    for ((name, _, expected), item) in cases.iter().zip(status["items"].as_array().unwrap()) {
        let code = item["error"]["code"].as_str().unwrap_or("");
        assert!(expected.split('|').any(|expected| expected == code), "{name}: {item:#}");
        if code.is_empty() {
            assert_eq!(item["quality"]["framesPlanned"], item["quality"]["framesFound"], "{name}");
            outputs += 1;
        } else {
            assert_eq!(item["error"]["charged"], json!(false), "{name}");
        }
    }
    assert_eq!(status["consumedDotCount"], json!(outputs), "half a second costs a point");
    let after = service.get("/video-process/balance").await;
    assert_eq!(after, json!({ "balance": before - outputs, "held": 0, "total": before - outputs }));
    service.assert_audit();
}

/// A listener that counts connections.
async fn canary(address: &str) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind(address).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let hits = Arc::new(AtomicUsize::new(0));
    let counted = hits.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret").await;
        }
    });
    (port, hits)
}

/// A web server whose response depends on the path.
async fn web(address: &str, response: impl Fn(&str) -> Vec<u8> + Send + 'static) -> u16 {
    let listener = TcpListener::bind(address).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = vec![0; 4096];
            let read = stream.read(&mut request).await.unwrap_or(0);
            let text = String::from_utf8_lossy(&request[..read]).into_owned();
            let bytes = response(text.split(' ').nth(1).unwrap_or("/"));
            let _ = stream.write_all(&bytes).await;
        }
    });
    port
}

fn http(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head =
        format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// No spelling of an internal address, and no redirect by another server, reaches the canary.
#[tokio::test]
async fn inner_addresses_are_never_called() {
    let (port, hits) = canary("127.0.0.1:0").await;
    let (port6, hits6) = canary("[::1]:0").await;
    let redirector = web("127.0.0.2:0", move |path| {
        let target = match path {
            "/name" => format!("http://localhost:{port}/x.mp4"),
            "/six" => format!("http://[::1]:{port6}/x.mp4"),
            "/file" => "file:///etc/passwd".to_owned(),
            _ => format!("http://127.0.0.1:{port}/x.mp4"),
        };
        http("302 Found", &format!("Location: {target}\r\n"), b"")
    })
    .await;
    // Every port is open and one neighbour is allowed: only the check of addresses is in between.
    let environment =
        [("CLIPMILL_FETCH_ALLOW_NETWORKS", "127.0.0.2/32"), ("CLIPMILL_FETCH_ALLOW_PORTS", "*")];
    let service = Service::start_with(100, &environment).await;
    let mut cases = Vec::new();
    for host in [
        "127.0.0.1",
        "localhost",
        "0.0.0.0",
        "127.1",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "127.0.0.3",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "①②⑦.0.0.1",
    ] {
        cases.push((host, format!("http://{host}:{port}/x.mp4"), "URL_BLOCKED"));
    }
    for host in ["[::1]", "[::]", "[0:0:0:0:0:0:0:1]"] {
        cases.push((host, format!("http://{host}:{port6}/x.mp4"), "URL_BLOCKED"));
    }
    for host in ["10.0.0.1", "169.254.169.254", "100.64.0.1", "192.168.0.1", "[fd00::1]", "[fe80::1]"] {
        cases.push((host, format!("http://{host}/latest/meta-data"), "URL_BLOCKED"));
    }
    for path in ["name", "six", "plain"] {
        cases.push((path, format!("http://127.0.0.2:{redirector}/{path}"), "URL_BLOCKED"));
    }
    cases.push(("file", format!("http://127.0.0.2:{redirector}/file"), "URL_SCHEME|URL_BLOCKED"));
    // Names that resolve to this machine if the resolver supports them, and to nothing otherwise.
    for host in ["LOCALHOST.", "127.0.0.1.nip.io"] {
        cases.push((host, format!("http://{host}:{port}/x.mp4"), "URL_BLOCKED|DOWNLOAD_FAILED"));
    }
    check_outcomes(&service, &cases).await;
    assert_eq!((hits.load(Ordering::SeqCst), hits6.load(Ordering::SeqCst)), (0, 0));
}

#[tokio::test]
async fn servers_that_lie_cost_nothing() {
    let clip = std::fs::read(samples().join("city.mp4")).unwrap();
    let port = web("127.0.0.2:0", move |path| match path {
        "/good.mp4" => http("200 OK", "", &clip),
        "/page.mp4" => http("200 OK", "Content-Type: video/mp4\r\n", b"<!DOCTYPE html><html></html>"),
        "/empty.mp4" => http("200 OK", "", b""),
        "/large.mp4" => http("200 OK", "", &vec![0; 3 << 20]),
        "/endless.mp4" => {
            [&b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"[..], &vec![0; 3 << 20][..]].concat()
        }
        "/short.mp4" => b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this".to_vec(),
        "/gone.mp4" => http("410 Gone", "", b""),
        _ => http("404 Not Found", "", b""),
    })
    .await;
    let environment = [
        ("CLIPMILL_FETCH_ALLOW_NETWORKS", "127.0.0.2/32"),
        ("CLIPMILL_FETCH_ALLOW_PORTS", "*"),
        ("CLIPMILL_FETCH_MAX_SIZE", "2MiB"),
    ];
    let service = Service::start_with(100, &environment).await;
    let url = |name: &str| format!("http://127.0.0.2:{port}/{name}.mp4");
    check_outcomes(
        &service,
        &[
            ("missing", url("missing"), "DOWNLOAD_FAILED"),
            ("gone", url("gone"), "DOWNLOAD_FAILED"),
            ("page", url("page"), "NOT_MEDIA"),
            ("empty", url("empty"), "NOT_MEDIA"),
            ("large", url("large"), "MEDIA_TOO_LARGE"),
            ("endless", url("endless"), "MEDIA_TOO_LARGE"),
            ("short", url("short"), "DOWNLOAD_FAILED"),
            ("good", url("good"), ""),
        ],
    )
    .await;
}

/// Files that are not media, or more than media.
#[tokio::test]
async fn scripts_drawings_and_strange_codecs_are_refused() {
    let service = Service::start(100).await;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let secret = samples().join("city.mp4").canonicalize().unwrap();
    let secret = secret.display();
    let texts = [
        ("hls.mp4", format!("#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile:{secret}\n#EXT-X-ENDLIST\n")),
        ("script.mp4", format!("ffconcat version 1.0\nfile 'file:{secret}'\n")),
        ("drawing.mp4", format!("<svg xmlns='http://www.w3.org/2000/svg'><image href='{secret}'/></svg>")),
        ("dash.mp4", "<?xml version='1.0'?><MPD xmlns='urn:mpeg:dash:schema:mpd:2011'></MPD>".to_owned()),
        ("sdp.mp4", "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nt=0 0\nm=video 5000 RTP/AVP 96\n".to_owned()),
    ];
    for (name, text) in texts {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let mut xbin = b"XBIN\x1a\x50\x00\x19\x00\x10\x00".to_vec();
    xbin.resize(5000, 0x41);
    std::fs::write(folder.join("art.mp4"), xbin).unwrap();
    make(folder, "-f lavfi -i testsrc2=s=64x64:d=0.2 -c:v magicyuv magic.mkv");
    let mut cases = Vec::new();
    for (name, code) in [
        ("hls.mp4", "FORMAT_NOT_ALLOWED"),
        ("script.mp4", "FORMAT_NOT_ALLOWED"),
        ("drawing.mp4", "FORMAT_NOT_ALLOWED"),
        ("dash.mp4", "FORMAT_NOT_ALLOWED"),
        ("sdp.mp4", "FORMAT_NOT_ALLOWED"),
        ("art.mp4", "FORMAT_NOT_ALLOWED|NOT_MEDIA"),
        ("magic.mkv", "CODEC_NOT_ALLOWED"),
    ] {
        cases.push((name, service.upload(&folder.join(name)).await, code));
    }
    check_outcomes(&service, &cases).await;
}

/// Creates clips with hostile numbers.
fn bombs(folder: &Path) {
    make(folder, "-f lavfi -i color=s=14000x14000:d=0.04,format=gray -frames:v 1 huge.png");
    let maps = "-map 0:v ".repeat(200);
    make(folder, &format!("-f lavfi -i testsrc2=s=64x64:d=0.1 {maps} -c:v mpeg4 many.mkv"));
    make(folder, &format!("-f lavfi -i testsrc2=s=64x64:d=0.1 {maps} -c:v mpeg2video many.ts"));
    let jump = r"setpts=if(eq(N\,2)\,100000/TB\,PTS)";
    make(
        folder,
        &format!(
            "-f lavfi -i testsrc2=s=64x64:r=30:d=0.1 -vf {jump} -fps_mode passthrough -c:v mjpeg gap.mkv"
        ),
    );
    make(folder, "-f lavfi -i testsrc2=s=64x64:d=1 -an -c:v libx264 mute.mp4");
    make(folder, "-f lavfi -i testsrc2=s=64x64:d=1 -f lavfi -i anullsrc -shortest -c:v libx264 silent.mp4");
    make(folder, "-f lavfi -i testsrc2=s=320x240:d=2 -c:v libx264 -movflags faststart whole.mp4");
    let whole = std::fs::read(folder.join("whole.mp4")).unwrap();
    std::fs::write(folder.join("half.mp4"), &whole[..whole.len() / 2]).unwrap();
    let mut flipped = whole.clone();
    let start = flipped.len() / 3;
    flipped[start..].iter_mut().step_by(50).for_each(|byte| *byte ^= 0x55);
    std::fs::write(folder.join("flipped.mp4"), flipped).unwrap();
    // The length in the movie's header, which must not be trusted.
    let mut false_length = whole;
    let mvhd = false_length.windows(4).position(|window| window == b"mvhd").unwrap();
    false_length[mvhd + 20..mvhd + 24].copy_from_slice(&u32::MAX.to_be_bytes());
    std::fs::write(folder.join("false.mp4"), false_length).unwrap();
}

#[tokio::test]
async fn damaged_files_and_bombs_end_in_an_error_or_in_a_verified_output() {
    let service = Service::start(100).await;
    let folder = tempfile::tempdir().unwrap();
    bombs(folder.path());
    let mut cases = Vec::new();
    for (name, code) in [
        ("huge.png", "MEDIA_TOO_LARGE|NO_VIDEO_STREAM"),
        ("many.mkv", "MEDIA_TOO_LARGE"),
        ("many.ts", "MEDIA_TOO_LARGE"),
        ("gap.mkv", "MEDIA_DAMAGED"),
        ("half.mp4", "MEDIA_DAMAGED"),
        ("flipped.mp4", "MEDIA_DAMAGED"),
        ("false.mp4", "|MEDIA_DAMAGED"),
        ("mute.mp4", ""),
        ("silent.mp4", ""),
    ] {
        cases.push((name, service.upload(&folder.path().join(name)).await, code));
    }
    cases.push(("sound only", service.upload(&samples().join("speech.wav")).await, "NO_VIDEO_STREAM"));
    check_outcomes(&service, &cases).await;
}

/// Renders a clip with captions from this file; returns the item.
async fn captioned(service: &Service, clip: &str, captions: &Path) -> Value {
    let subtitle = service.upload(captions).await;
    let mut request = mix(&[clip.to_owned()]);
    request["params"]["options"]["subtitle"] = json!({ "url": subtitle });
    let status = service.ended(&service.accepted(&request).await).await;
    status["items"][0].clone()
}

#[tokio::test]
async fn captions_of_all_kinds_are_drawn_or_refused() {
    let service = Service::start(100).await;
    let folder = tempfile::tempdir().unwrap();
    let clip = service.upload(&samples().join("city.mp4")).await;
    let cue = |text: &str| format!("1\n00:00:00,000 --> 00:00:02,000\n{text}\n");
    let utf16 = |text: &str| {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>()
    };
    let million: String =
        (0..1_000_000).map(|i| format!("{i}\n00:00:00,000 --> 00:00:01,000\nx\n\n")).collect();
    let theirs = samples().join("captions.srt").canonicalize().unwrap();
    let backwards = "1\n00:00:02,000 --> 00:00:01,000\nbackwards\n\n2\n00:00:00,000 --> 00:00:01,000\nok\n";
    for (name, bytes, expected) in [
        ("a byte order mark", ["\u{feff}".as_bytes(), cue("你好").as_bytes()].concat(), ""),
        ("UTF-16", utf16(&cue("你好 hello")), ""),
        // 你好，欢迎来到我们的频道 in GB18030
        (
            "GB18030",
            [cue("X").as_bytes().split_last_chunk::<2>().unwrap().0, b"\xc4\xe3\xba\xc3\xa3\xac\xbb\xb6\xd3\xad\xc0\xb4\xb5\xbd\xce\xd2\xc3\xc7\xb5\xc4\xc6\xb5\xb5\xc0\n"].concat(),
            "",
        ),
        ("end before start", backwards.into(), "|SUBTITLE_INVALID"),
        ("a million cues", million.into(), "SUBTITLE_INVALID"),
        (
            "a script",
            format!("ffconcat version 1.0\nfile 'file:{}'\n", theirs.display()).into(),
            "SUBTITLE_INVALID",
        ),
        ("codes of ASS", cue(r"{\fs9999\bord400\blur99\t(\frz9999)}huge{\p1}m 0 0 l 9 9\N\h").into(), ""),
        ("a filter's text", cue(r"%{pts} 'quoted' \' :textfile=/etc/passwd: [in],; 😀").into(), ""),
        ("controls", cue("a\u{0}b\u{7}c\u{202e}d").into(), "|SUBTITLE_INVALID"),
    ] {
        let path = folder.path().join("captions.srt");
        std::fs::write(&path, bytes).unwrap();
        let item = captioned(&service, &clip, &path).await;
        let code = item["error"]["code"].as_str().unwrap_or("");
        assert!(expected.split('|').any(|expected| expected == code), "{name}: {item:#}");
        if code.is_empty() {
            assert_eq!(item["quality"]["framesPlanned"], item["quality"]["framesFound"], "{name}");
        }
    }
    service.assert_audit();
}

/// Layers of unusual shape, and layers that are not images; all of them confined like the clip itself.
#[tokio::test]
async fn layers_of_any_shape_are_overlaid_or_refused() {
    let service = Service::start(100).await;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    make(folder, "-f lavfi -i testsrc2=s=320x240:d=1 -c:v libx264 clip.mp4");
    make(folder, "-f lavfi -i color=black:s=50x70:d=0.04 -frames:v 1 black.png");
    make(folder, "-f lavfi -i testsrc2=s=64x200:r=10:d=0.4 -c:v mpeg4 short.avi");
    std::fs::write(folder.join("script.png"), "ffconcat version 1.0\nfile clip.mp4\n").unwrap();
    let clip = service.upload(&folder.join("clip.mp4")).await;
    let black = service.upload(&folder.join("black.png")).await;
    let short = service.upload(&folder.join("short.avi")).await;
    let script = service.upload(&folder.join("script.png")).await;
    let pictures =
        |url: &str| json!({ "picMask": { "isMask": true, "picFiles": [url], "layerCount": 2, "trans": 50 } });
    let videos = |url: &str| {
        json!({ "videoMask": { "isMask": true, "videoFiles": [url], "trans": 50 },
        "PIP": { "isPIP": true, "padding": 20, "fillMode": 1, "fillVideoPath": url },
        "effect": { "value": "light-leak", "trans": 70, "duration": 0.5 } })
    };
    for (options, expected) in [
        (pictures(&black), ""),
        (videos(&short), ""),
        (pictures(&script), "MASK_INVALID"),
        (videos(&script), "MASK_INVALID"),
    ] {
        let request = json!({ "taskType": "videoDeduplication", "params": {
            "videoList": [{ "filename": clip, "duration": 1 }], "options": options } });
        let status = service.ended(&service.accepted(&request).await).await;
        let item = &status["items"][0];
        assert_eq!(item["error"]["code"].as_str().unwrap_or(""), expected, "{item:#}");
        assert!(!expected.is_empty() || item["quality"]["framesPlanned"] == item["quality"]["framesFound"]);
    }
    service.assert_audit();
}

#[tokio::test]
async fn five_hundred_half_open_connections_do_not_block_others() {
    let service = Service::start(0).await;
    let mut open = Vec::new();
    for _ in 0..500 {
        let mut stream = tokio::net::TcpStream::connect(service.host()).await.unwrap();
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ").await.unwrap();
        open.push(stream);
    }
    let response = reqwest::get(format!("http://{}/healthz", service.host())).await.unwrap();
    assert_eq!(response.status().as_u16(), 200);
    assert_eq!(open.len(), 500);
}

/// Fifty tasks of one user whose links send just fast enough to be accepted for many minutes: another user's task is
/// still done.
#[tokio::test]
async fn slow_links_of_one_user_do_not_delay_others() {
    let (port, called) = trickle().await;
    let environment = [
        ("CLIPMILL_FETCH_ALLOW_NETWORKS", "127.0.0.0/8"),
        ("CLIPMILL_FETCH_ALLOW_PORTS", "*"),
        ("CLIPMILL_LIMITS_SUBMIT_BURST", "1000"),
    ];
    let mut service = Service::start_with(1_000, &environment).await;
    let mut slow = Vec::new();
    for number in 0..50 {
        slow.push(service.accepted(&mix(&[format!("http://127.0.0.1:{port}/{number}.mp4")])).await);
    }
    while called.load(Ordering::SeqCst) < 4 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let data = service.data.path().to_str().unwrap().to_owned();
    let (status, added, _) = run(&["user", "add", "other", "--points", "10", "--json", "--data", &data]);
    assert_eq!(status, 0);
    let added: Value = serde_json::from_str(&added).unwrap();
    let first = service.use_key(added["apiKey"].as_str().unwrap());
    let clip = service.upload(&samples().join("city.mp4")).await;
    let made = service.ended(&service.accepted(&mix(&[clip])).await).await;
    assert_eq!(made["completedItems"], json!(1), "{made:#}");

    service.use_key(&first);
    for task in &slow {
        assert_eq!(service.cancel(task).await.0, 200);
    }
    service.assert_audit();
}

/// A server that takes ten minutes for each file. Answers its port, and a count of those who called.
async fn trickle() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let called = Arc::new(AtomicUsize::new(0));
    let counted = called.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(async move {
                let mut bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 1200000\r\n\r\n".to_vec();
                while stream.write_all(&bytes).await.is_ok() {
                    bytes = vec![0; 2_000];
                    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
                }
            });
        }
    });
    (port, called)
}

#[tokio::test]
async fn addresses_other_than_web_addresses_are_refused_at_submit() {
    let service = Service::start(100).await;
    for url in [
        "file:///etc/passwd",
        "/etc/passwd",
        "concat:a.mp4|b.mp4",
        "subfile,,start,0,end,0,,:/etc/passwd",
        "data:video/mp4;base64,AAAA",
        "-i",
        "pipe:0",
        "ftp://example.com/a.mp4",
        "http://example.com@127.0.0.1/a.mp4",
        "http://exam\nple.com/a.mp4",
        "http://example.com/a\u{0}.mp4",
    ] {
        let (status, response) = service.submit(&mix(&[url.to_owned()])).await;
        assert_eq!((status, &response["code"]), (400, &json!(40001)), "{url}: {response:#}");
        assert_eq!(response["data"]["errors"][0]["path"], json!("/params/videoList/0/videos/0/url"), "{url}");
    }
    assert_eq!(service.get("/video-process/balance").await["held"], json!(0));
}
