//! Texts that are spoken: by espeak-ng, and by a stand-in for a service.

use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Service, run, samples};
use crate::skipped::skipped;
use crate::speech_service::{Behaviour, SpeechService};

const TEXT: &str = "Good morning, everybody. The bakery opens at seven, and the bread is still warm.";

fn ffmpeg(args: &[&str]) -> Vec<u8> {
    #[allow(clippy::disallowed_methods, reason = "a ruler independent of the program under test")]
    let ran =
        std::process::Command::new("ffmpeg").args(["-nostdin", "-v", "error"]).args(args).output().unwrap();
    assert!(ran.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
    ran.stdout
}

/// The level of the audio from a time on.
fn level_db(path: &Path, from_s: f64, seconds: f64) -> f64 {
    let cut = format!("atrim=start={from_s}:duration={seconds}");
    let raw = ffmpeg(&["-i", path.to_str().unwrap(), "-af", &cut, "-ac", "1", "-f", "f32le", "-"]);
    let samples: Vec<f64> =
        raw.chunks_exact(4).map(|bytes| f64::from(f32::from_le_bytes(bytes.try_into().unwrap()))).collect();
    let power = samples.iter().map(|sample| sample * sample).sum::<f64>() / samples.len().max(1) as f64;
    10.0 * power.max(1e-12).log10()
}

/// Whether the red box of captions is shown at a time.
fn shows_caption(path: &Path, at_s: f64) -> bool {
    let from = format!("trim=start={at_s:.3}");
    let format = ["-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"];
    let args = [["-i", path.to_str().unwrap(), "-vf", &from].as_slice(), &format].concat();
    let red = |pixel: &&[u8]| pixel[0] > 180 && pixel[1] < 90 && pixel[2] < 90;
    ffmpeg(&args).chunks_exact(3).filter(red).count() > 2_000
}

fn request(text: &str, clip: &str) -> Value {
    let options = json!({
        "length": "voice", "tail": 2, "originalVolume": 0,
        "audio": { "text": text, "volume": 100, "fadeIn": 0, "fadeOut": 0 },
        "subtitle": { "text": text, "style": { "backColor": "#FF0000", "place": "middle" } },
    });
    json!({ "taskType": "baseVideoMix", "params": { "videoList": [{ "videos": [{ "url": clip }] }], "options": options } })
}

/// Environment of a service that uses the stand-in.
fn environment(service: &SpeechService) -> Vec<(&'static str, String)> {
    vec![
        ("CLIPMILL_SPEECH_SYNTHESIZE", "http".to_owned()),
        ("CLIPMILL_SPEECH_SYNTHESIZE_URL", service.base()),
        ("CLIPMILL_SPEECH_SYNTHESIZE_KEY", "sk-very-secret".to_owned()),
        ("CLIPMILL_SPEECH_VOICES", "anna".to_owned()),
        ("CLIPMILL_SPEECH_NAME", "Narrator".to_owned()),
        ("CLIPMILL_SPEECH_POINTS_PER_1000_CHARACTERS", "100".to_owned()),
    ]
}

async fn start(speech: &SpeechService) -> Service {
    let environment = environment(speech);
    let environment: Vec<_> = environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Service::start_with(1_000, &environment).await
}

/// The sample needs no service, and no voice by name.
#[test]
fn the_sample_is_spoken_by_the_command_line() {
    if which("espeak-ng").is_none() {
        return skipped("the sample with a spoken text", "espeak-ng is not installed");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let request = samples().join("requests/spoken-text.json");
    let request = request.to_str().unwrap();
    let (status, stdout, stderr) =
        run(&["render", request, "-o", &path("out"), "--cache", &path("cache"), "--json"]);
    assert_eq!(status, 0, "{stderr}");
    let result: Value = serde_json::from_str(&stdout).unwrap();
    let item = &result["items"][0];
    assert_eq!(item["warnings"], json!([]), "captions follow the voice");
    let length = item["duration"].as_f64().unwrap();
    assert!((5.0..15.0).contains(&length), "{length}");
    let output = Path::new(item["path"].as_str().unwrap());
    assert!(level_db(output, 0.2, length - 1.4) > -30.0, "the voice is audible");
    assert!(level_db(output, length - 1.5, 0.5) > -40.0, "the voice speaks until shortly before the end");
    assert!(level_db(output, length - 0.4, 0.4) < -60.0, "the tail is silent");
}

#[tokio::test]
async fn a_robot_speaks_and_captions_follow() {
    if !run(&["config", "show"]).1.contains("[speech]") || which("espeak-ng").is_none() {
        return skipped("a spoken text", "espeak-ng is not installed");
    }
    let service = Service::start(1_000).await;
    let clip = service.upload(&samples().join("city.mp4")).await;
    let task = service.accepted(&request(TEXT, &clip)).await;
    let status = service.ended(&task).await;
    assert_eq!(status["statusName"], "completed", "{status:#}");
    let item = &status["items"][0];
    assert_eq!(item["warnings"], json!([]), "captions follow the voice");
    let output = service.data.path().join("spoken.mp4");
    service.download(&item["url"], &output).await;
    let length = item["duration"].as_f64().unwrap();
    assert!((5.0..12.0).contains(&length), "{length}");
    let voice = length - 2.0;
    assert!(level_db(&output, 0.2, voice - 0.4) > -35.0, "the voice is audible");
    assert!(level_db(&output, length - 1.5, 1.2) < -60.0, "the tail is silent");
    for (at, shown) in [(0.4, true), (voice / 2.0, true), (voice - 0.5, true), (length - 0.3, false)] {
        assert_eq!(shows_caption(&output, at), shown, "at {at} of {length} s");
    }
    let (status, listed) = service.post("/speech", &json!({ "text": "", "speed": 9 })).await;
    assert_eq!(status, 400, "{listed}");
    let heard = service.post_raw("/speech", &json!({ "text": "Hello.", "voice": "en-gb" })).await;
    assert_eq!((heard.status().as_u16(), &heard.bytes().await.unwrap()[..4]), (200, b"RIFF".as_slice()));
}

fn which(program: &str) -> Option<std::path::PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(program))
        .find(|path| path.exists())
}

/// The second task with the same text does not call the service again, but pays for the text like the first.
#[tokio::test]
async fn a_text_is_spoken_once_and_paid_by_each_task() {
    let speech = SpeechService::start(&[Behaviour::Tone]).await;
    let mut service = start(&speech).await;
    let clip = service.upload(&samples().join("city.mp4")).await;
    let body = request(TEXT, &clip);
    let (_, estimate) = service.post("/video-process/estimate", &body).await;
    let (_, preflighted) = service.post("/video-process/estimate?preflight=true", &body).await;
    assert_eq!(speech.calls().len(), 0, "an estimate does not call the service");
    let expected = TEXT.len().div_ceil(10) as u64 + 2 + (TEXT.len() as f64 / 15.0).ceil() as u64;
    for response in [estimate, preflighted] {
        assert_eq!(response["data"]["estimatedDotCount"], expected, "{response:#}");
    }
    for restarts in [false, true] {
        if restarts {
            service.terminate();
            service.boot();
        }
        let task = service.accepted(&body).await;
        let status = service.ended(&task).await;
        assert_eq!(status["statusName"], "completed", "{status:#}");
        assert_eq!(
            (&status["consumedDotCount"], &status["items"][0]["error"]),
            (&json!(expected), &Value::Null)
        );
    }
    assert_eq!(speech.calls().len(), 1);
    let heard = service.post_raw("/speech", &json!({ "text": TEXT })).await;
    assert_eq!((heard.headers()["x-dot-count"].to_str().unwrap(), speech.calls().len()), ("0", 1));
    service.assert_audit();
    assert!(!service.log().contains("very-secret"), "{}", service.log());
    assert!(speech.calls()[0].head.contains("Bearer sk-very-secret"));
}

#[tokio::test]
async fn a_failing_service_is_named_and_costs_nothing() {
    let speech =
        SpeechService::start(&[Behaviour::Status(500), Behaviour::Tone, Behaviour::Status(400)]).await;
    let service = start(&speech).await;
    let clip = service.upload(&samples().join("city.mp4")).await;
    let retried = service.accepted(&request("It speaks at the second attempt.", &clip)).await;
    assert_eq!(service.ended(&retried).await["statusName"], "completed");
    assert_eq!(speech.calls().len(), 2);
    let before = service.get("/video-process/balance").await["total"].clone();
    let refused = service.accepted(&request("It refuses this text.", &clip)).await;
    let status = service.ended(&refused).await;
    assert_eq!(status["statusName"], "rejected", "{status:#}");
    let error = &status["items"][0]["error"];
    assert_eq!(
        (&error["code"], &error["input"]),
        (&json!("SPEECH_FAILED"), &json!("speech: It refuses this text."))
    );
    assert_eq!(error["message"], "the speech service Narrator failed: it returned HTTP 400");
    assert_eq!(service.get("/video-process/balance").await["total"], before);
    service.assert_audit();
}

/// What the stand-in hears in any file.
const HEARD: &str = r#"{"text":"Had he married.","words":[{"word":"Had","start":0.5,"end":0.8},
    {"word":"he","start":0.8,"end":1.0},{"word":"married","start":1.0,"end":1.6}]}"#;

/// A request with captions of the voice, or of a clip that speaks.
fn transcribed(from: &str, clip: &str, voice: &str) -> Value {
    let mut options =
        json!({ "subtitle": { "from": from, "style": { "backColor": "#FF0000", "place": "middle" } } });
    if from == "voice" {
        options["audio"] = json!({ "url": voice });
        options["length"] = json!("voice");
    }
    let list = json!([{ "videos": [{ "url": clip }] }]);
    json!({ "taskType": "baseVideoMix", "params": { "videoList": list, "options": options } })
}

async fn start_hearing(speech: &SpeechService) -> Service {
    let base = speech.base();
    let environment = [
        ("CLIPMILL_SPEECH_TRANSCRIBE", "http"),
        ("CLIPMILL_SPEECH_TRANSCRIBE_URL", &base),
        ("CLIPMILL_SPEECH_TRANSCRIBE_KEY", "sk-very-secret"),
        ("CLIPMILL_SPEECH_TRANSCRIBE_NAME", "Listener"),
        ("CLIPMILL_SPEECH_POINTS_PER_MINUTE", "600"),
    ];
    Service::start_with(1_000, &environment).await
}

#[tokio::test]
async fn captions_show_what_is_spoken() {
    let speech = SpeechService::start(&[Behaviour::Transcript(HEARD)]).await;
    let service = start_hearing(&speech).await;
    let silent = service.upload(&samples().join("city.mp4")).await;
    let speaking = service.upload(&samples().join("bigbuckbunny.mp4")).await;
    let voice = service.upload(&samples().join("speech.wav")).await;
    for (from, clip, calls) in [("voice", &silent, 1), ("clips", &speaking, 2), ("voice", &silent, 2)] {
        let body = transcribed(from, clip, &voice);
        let (_, estimate) = service.post("/video-process/estimate?preflight=true", &body).await;
        let task = service.accepted(&body).await;
        let status = service.ended(&task).await;
        assert_eq!(status["statusName"], "completed", "{status:#}");
        let item = &status["items"][0];
        assert_eq!((&item["warnings"], speech.calls().len()), (&json!([]), calls), "{from}");
        // The price of a minute is ten for a second, and the file of the clip or the voice is used as a whole.
        let cost = status["consumedDotCount"].as_u64().unwrap();
        assert_eq!(estimate["data"]["estimatedDotCount"], cost, "{estimate:#}");
        assert!((55..75).contains(&cost), "{cost}");
        let output = service.data.path().join(format!("{from}.mp4"));
        service.download(&item["url"], &output).await;
        for (at, shown) in [(0.2, false), (0.7, true), (1.4, true), (3.5, false)] {
            assert_eq!(shows_caption(&output, at), shown, "{from} at {at} s");
        }
    }
    service.assert_audit();
    assert!(!service.log().contains("very-secret"), "{}", service.log());
    assert!(speech.calls()[0].head.contains("Bearer sk-very-secret"));
    // A preview shows the known transcript, and never calls the service.
    let at = |seconds: f64| json!({ "request": transcribed("voice", &silent, &voice), "atSeconds": seconds });
    for (seconds, shown) in [(0.2, false), (0.7, true), (3.5, false)] {
        let frame = service.post_raw("/preview", &at(seconds)).await.bytes().await.unwrap();
        let path = service.data.path().join("frame.jpg");
        std::fs::write(&path, &frame).unwrap();
        assert_eq!(shows_caption(&path, 0.0), shown, "in the preview at {seconds} s");
    }
    assert_eq!(speech.calls().len(), 2);
}

#[tokio::test]
async fn a_failed_transcription_is_named_and_costs_nothing() {
    let speech = SpeechService::start(&[Behaviour::Status(400)]).await;
    let service = start_hearing(&speech).await;
    let clip = service.upload(&samples().join("city.mp4")).await;
    let voice = service.upload(&samples().join("speech.wav")).await;
    let before = service.get("/video-process/balance").await["total"].clone();
    let status = service.ended(&service.accepted(&transcribed("voice", &clip, &voice)).await).await;
    let error = &status["items"][0]["error"];
    assert_eq!((&error["code"], &error["input"]), (&json!("SPEECH_FAILED"), &json!(voice)), "{status:#}");
    assert_eq!(error["message"], "the speech service Listener failed: it returned HTTP 400");
    assert_eq!(service.get("/video-process/balance").await["total"], before);
    service.assert_audit();
}

#[tokio::test]
async fn nothing_is_transcribed_without_a_service() {
    let service = Service::start(1_000).await;
    let clip = service.upload(&samples().join("city.mp4")).await;
    let (status, refused) = service.post("/video-process/submit", &transcribed("clips", &clip, "")).await;
    assert_eq!((status, &refused["code"]), (400, &json!(40001)));
    let error = &refused["data"]["errors"][0];
    assert_eq!(error["path"], "/params/options/subtitle/from");
    assert!(error["message"].as_str().unwrap().contains("no speech recognition is configured"), "{error}");
}
