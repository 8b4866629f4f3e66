use std::time::Duration;

use clipmill_core::error::ErrorCode;
use reqwest::header::HeaderValue;

use super::*;
use crate::ffmpeg::process::Ffmpeg;
use crate::ffmpeg::sandbox::Sandbox;
use crate::ingest::fetch::{FetchPolicy, Fetcher};
use crate::speech::{
    ServiceSettings, SpeechAccess, SynthesisSettings, Transcriber, TranscriptionSettings, espeak,
};

#[path = "../../../../../clipmill/tests/support/speech_service.rs"]
pub mod speech_service;
use speech_service::{Behaviour, SpeechService};

pub(in crate::ingest::sources) struct Fixture {
    pub sources: Sources,
    _folder: tempfile::TempDir,
}

pub(in crate::ingest::sources) async fn fixture(access: SpeechAccess, max_characters: usize) -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let fetcher = Fetcher::new(FetchPolicy::default()).unwrap();
    let sources = Sources::open(folder.path(), Ffmpeg::confined(Sandbox::Off), fetcher).await.unwrap();
    let timeout = Duration::from_secs(if matches!(access, SpeechAccess::Http { .. }) { 2 } else { 20 });
    let service = ServiceSettings { name: "the narrator".to_owned(), access, timeout };
    let synthesizer =
        Synthesizer::new(SynthesisSettings { service: service.clone(), default_voice: None, max_characters });
    let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
    let transcription =
        TranscriptionSettings { service, call_length: Duration::from_secs(4), max_length: minutes(2) };
    let transcriber = Transcriber::new(transcription);
    Fixture { sources: sources.with_speech(synthesizer.ok(), transcriber.ok()), _folder: folder }
}

pub(in crate::ingest::sources) async fn with_service(
    service: &SpeechService,
    max_characters: usize,
) -> Fixture {
    let base = service.base().parse().unwrap();
    let authorization = Some(HeaderValue::from_static("Bearer abc"));
    fixture(SpeechAccess::Http { base, model: "m1".to_owned(), authorization }, max_characters).await
}

fn speech(text: &str) -> Speech {
    Speech { text: text.to_owned(), voice: None, speed: 1.0 }
}

impl Fixture {
    async fn seconds(&self, content: &ContentHash) -> f64 {
        self.sources.media_info(content).await.unwrap().audio.unwrap().duration_s
    }

    /// The number of unfinished files.
    pub fn unfinished(&self) -> usize {
        std::fs::read_dir(self.sources.partial.path()).unwrap().count()
    }
}

#[tokio::test]
async fn a_text_is_spoken_once_for_each_user() {
    let service = SpeechService::start(&[Behaviour::Tone]).await;
    let fixture = with_service(&service, 1000).await;
    let text = Speech {
        voice: Some("anna".to_owned()),
        speed: 1.5,
        ..speech(&"Thirty letters, two seconds ok".repeat(2))
    };
    assert_eq!(fixture.sources.spoken("ann", &text).await, None);
    let first = fixture.sources.speak("ann", &text).await.unwrap();
    assert!((fixture.seconds(&first).await - 4.0).abs() < 0.01);
    let again = fixture.sources.speak("ann", &text).await.unwrap();
    assert_eq!((&again, fixture.sources.spoken("ann", &text).await.as_ref()), (&first, Some(&first)));
    assert_eq!(service.calls().len(), 1);
    fixture.sources.speak("bob", &text).await.unwrap();
    let calls = service.calls();
    assert_eq!(calls.len(), 2, "another user has a cache of their own");
    let expected = serde_json::json!({
        "model": "m1", "input": text.text, "voice": "anna", "speed": 1.5, "response_format": "wav",
    });
    assert_eq!(calls[0].body, expected);
    assert!(calls[0].head.starts_with("POST /v1/audio/speech HTTP/1.1"), "{}", calls[0].head);
    assert!(calls[0].head.to_lowercase().contains("authorization: bearer abc"));
    fixture.sources.forget_speech("ann", &text).await;
    assert_eq!(fixture.sources.spoken("ann", &text).await, None);
    assert_eq!(fixture.unfinished(), 0);
}

#[tokio::test]
async fn callers_at_the_same_time_share_one_call() {
    let service = SpeechService::start(&[Behaviour::Tone]).await;
    let fixture = with_service(&service, 1000).await;
    let text = speech("Spoken once for both.");
    let (one, two) = tokio::join!(fixture.sources.speak("ann", &text), fixture.sources.speak("ann", &text));
    assert_eq!((one.unwrap(), service.calls().len()), (two.unwrap(), 1));
}

/// After a failure, only the parts that were not spoken are spoken.
#[tokio::test]
async fn a_long_text_is_spoken_in_parts() {
    let service = SpeechService::start(&[Behaviour::Tone, Behaviour::Status(500), Behaviour::Tone]).await;
    let fixture = with_service(&service, 30).await;
    let text = speech("This sentence has 29 letters. This sentence has 29 letters! The end.");
    let failed = fixture.sources.speak("ann", &text).await.unwrap_err();
    assert_eq!((failed.code, failed.retryable), (ErrorCode::SpeechFailed, true));
    assert_eq!(failed.message, "the speech service the narrator failed: it returned HTTP 500");
    let spoken = fixture.sources.speak("ann", &text).await.unwrap();
    let inputs: Vec<String> =
        service.calls().iter().map(|call| call.body["input"].as_str().unwrap().to_owned()).collect();
    let (first, second) = ("This sentence has 29 letters. ", "This sentence has 29 letters! ");
    assert_eq!(inputs, [first, second, second, "The end."]);
    let expected = 68.0 / 15.0 + 2.0 * 0.3;
    assert!((fixture.seconds(&spoken).await - expected).abs() < 0.01);
    assert_eq!(fixture.unfinished(), 0);
}

#[tokio::test]
async fn failures_are_clear_and_bounded() {
    let cases = [
        (Behaviour::Status(503), true, "it returned HTTP 503"),
        (Behaviour::Status(401), true, "it returned HTTP 401"),
        (Behaviour::Status(302), true, "it returned HTTP 302"),
        (Behaviour::Status(400), false, "it returned HTTP 400"),
        (Behaviour::Html, true, "it returned text/html instead of audio"),
        (Behaviour::FalseAudio, true, "it returned audio that cannot be decoded"),
        (Behaviour::NoAudio, true, "it returned no audio"),
        (Behaviour::Silent, true, "it did not respond within 2 s"),
        (Behaviour::Endless, true, "it returned more than 6528000 bytes"),
        (Behaviour::Seconds(60), true, "it returned more than 34 s of audio for 6 characters"),
    ];
    for (behaviour, retryable, why) in cases {
        let service = SpeechService::start(&[behaviour]).await;
        let fixture = with_service(&service, 1000).await;
        let failed = fixture.sources.speak("ann", &speech("Hello.")).await.unwrap_err();
        assert_eq!(failed.message, format!("the speech service the narrator failed: {why}").as_str());
        assert_eq!((failed.code, failed.retryable), (ErrorCode::SpeechFailed, retryable), "{behaviour:?}");
        assert_eq!(fixture.unfinished(), 0, "{behaviour:?}");
        assert_eq!(fixture.sources.spoken("ann", &speech("Hello.")).await, None);
    }
    let base = "http://127.0.0.1:9/v1".parse().unwrap();
    let fixture = fixture(SpeechAccess::Http { base, model: String::new(), authorization: None }, 1000).await;
    let failed = fixture.sources.speak("ann", &speech("Hello.")).await.unwrap_err();
    assert_eq!(failed.message, "the speech service the narrator failed: it cannot be reached");
}

#[tokio::test]
async fn a_program_that_fails_is_reported() {
    let script = |script: &str| SpeechAccess::Command(["sh", "-c", script].map(str::to_owned).to_vec());
    for (line, why) in [
        ("cat > /dev/null; exit 3", "the program failed"),
        ("cat > /dev/null; echo hello", "it returned audio that cannot be decoded"),
    ] {
        let fixture = fixture(script(line), 1000).await;
        let failed = fixture.sources.speak("ann", &speech("Hello.")).await.unwrap_err();
        assert_eq!(failed.message, format!("the speech service the narrator failed: {why}").as_str());
    }
    let fixture = fixture(SpeechAccess::Command(vec!["no-such-program".to_owned()]), 1000).await;
    let failed = fixture.sources.speak("ann", &speech("Hello.")).await.unwrap_err();
    assert_eq!(failed.message, "the speech service the narrator failed: the program failed");
}

#[tokio::test]
async fn espeak_speaks_by_script_and_speed() {
    if crate::ffmpeg::sandbox::find(Path::new(espeak::PROGRAM)).is_none() {
        return eprintln!("skipped: espeak-ng is not installed");
    }
    let fixture = fixture(SpeechAccess::Command(espeak::LINE.map(str::to_owned).to_vec()), 1000).await;
    let english = speech("Good evening. This is a longer sentence that is spoken by a robot.");
    let usual = fixture.sources.speak("ann", &english).await.unwrap();
    let fast = fixture.sources.speak("ann", &Speech { speed: 2.0, ..english.clone() }).await.unwrap();
    let (usual_s, fast_s) = (fixture.seconds(&usual).await, fixture.seconds(&fast).await);
    assert!((2.0..10.0).contains(&usual_s) && (1.5..2.6).contains(&(usual_s / fast_s)), "{usual_s} {fast_s}");
    let chinese = fixture.sources.speak("ann", &speech("大家好，欢迎收看今天的节目。")).await.unwrap();
    let chinese_s = fixture.seconds(&chinese).await;
    assert!((1.5..8.0).contains(&chinese_s), "{chinese_s}");
    let pauses = fixture.sources.pauses(&usual).await.unwrap();
    assert!(!pauses.pauses.is_empty() && pauses.end_ms > 1500, "the voice is audible: {pauses:?}");
    for voice in espeak::VOICES {
        let named = Speech { voice: Some(voice.name.to_owned()), ..speech("1 2 3") };
        fixture.sources.speak("ann", &named).await.unwrap_or_else(|error| panic!("{}: {error}", voice.name));
    }
}

#[tokio::test]
async fn silence_represents_a_text() {
    let fixture = fixture(SpeechAccess::Command(vec![]), 1000).await;
    let silent = fixture.sources.silence(12.5).await.unwrap();
    assert_eq!(fixture.seconds(&silent).await, 12.5);
    assert_eq!(fixture.sources.silence(12.5).await.unwrap(), silent);
}
