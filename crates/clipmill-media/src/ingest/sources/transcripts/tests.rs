use clipmill_core::error::ErrorCode;

use super::*;
use crate::ingest::fetch::FileKind;
use crate::ingest::sources::SourceLocation;
use crate::ingest::sources::speech::tests::speech_service::{Behaviour, SpeechService, tone};
use crate::ingest::sources::speech::tests::{Fixture, fixture, with_service};
use crate::speech::SpeechAccess;

const WORDS: &str = r#"{"text":"Hello, you.","words":[{"word":"Hello","start":0.5,"end":0.9},{"word":"you","start":1,"end":1.2}]}"#;

/// A tone of so many seconds after half a second of silence, as an input.
async fn voice(fixture: &Fixture, seconds: f64) -> ContentHash {
    let path = fixture.sources.partial.path().with_extension(format!("{seconds}.wav"));
    let mut wav = tone(seconds);
    wav.splice(44..44, vec![0; 16_000]);
    std::fs::write(&path, wav).unwrap();
    fixture.sources.obtain(SourceLocation::Local(path), FileKind::Media).await.unwrap()
}

async fn starts(fixture: &Fixture, user: &str, content: &ContentHash) -> Vec<u64> {
    let transcript = fixture.sources.transcript(user, content).await.unwrap();
    transcript.words.iter().map(|word| word.start_ms).collect()
}

#[tokio::test]
async fn a_file_is_transcribed_once_for_each_user() {
    let service = SpeechService::start(&[Behaviour::Transcript(WORDS)]).await;
    let fixture = with_service(&service, 1000).await;
    let content = voice(&fixture, 2.0).await;
    let (one, two) = tokio::join!(starts(&fixture, "ann", &content), starts(&fixture, "ann", &content));
    assert_eq!((&one, &two, service.calls().len()), (&vec![500, 1000], &vec![500, 1000], 1));
    assert_eq!((starts(&fixture, "ann", &content).await, service.calls().len()), (one, 1));
    assert_eq!((starts(&fixture, "bob", &content).await.len(), service.calls().len()), (2, 2));
    let call = &service.calls()[0];
    assert!(call.head.starts_with("POST /v1/audio/transcriptions HTTP/1.1"), "{}", call.head);
    assert!(call.head.to_lowercase().contains("authorization: bearer abc"));
    let form = String::from_utf8_lossy(&call.raw);
    for field in
        ["name=\"model\"\r\n\r\nm1", "verbose_json", "timestamp_granularities[]\"\r\n\r\nword", "audio.wav"]
    {
        assert!(form.contains(field), "{field}");
    }
    let wav = call.raw.windows(4).position(|four| four == b"RIFF").unwrap();
    assert_eq!(call.raw[wav + 24..wav + 28], 16_000u32.to_le_bytes());
    assert!((80_000..83_000).contains(&call.raw.len()), "{} bytes", call.raw.len());
    assert_eq!(fixture.unfinished(), 0);
}

/// Calls are at most 4 s long in these tests. After a failure, only the rest is transcribed.
#[tokio::test]
async fn long_audio_is_transcribed_in_parts() {
    let (words, failure) = (Behaviour::Transcript(WORDS), Behaviour::Status(500));
    let service = SpeechService::start(&[words, failure, words]).await;
    let fixture = with_service(&service, 1000).await;
    let content = voice(&fixture, 8.0).await;
    let failed = fixture.sources.transcript("ann", &content).await.unwrap_err();
    assert_eq!((failed.code, failed.retryable), (ErrorCode::SpeechFailed, true));
    assert_eq!(failed.message, "the speech service the narrator failed: it returned HTTP 500");
    let starts = starts(&fixture, "ann", &content).await;
    let lengths: Vec<u64> = starts.chunks(2).map(|pair| pair[0] - 500).collect();
    assert_eq!((starts.len(), service.calls().len()), (6, 4), "{starts:?}");
    assert!(lengths.windows(2).all(|pair| (2700..=4000).contains(&(pair[1] - pair[0]))), "{lengths:?}");
}

#[tokio::test]
async fn silence_is_not_sent() {
    let service = SpeechService::start(&[Behaviour::Transcript(WORDS)]).await;
    let fixture = with_service(&service, 1000).await;
    let silent = fixture.sources.silence(2.0).await.unwrap();
    assert_eq!((starts(&fixture, "ann", &silent).await, service.calls().len()), (vec![], 0));
    let picture = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/picture.jpg");
    let image = fixture.sources.obtain(SourceLocation::Local(picture), FileKind::Media).await.unwrap();
    assert_eq!((starts(&fixture, "ann", &image).await, service.calls().len()), (vec![], 0));
}

#[tokio::test]
async fn failures_are_clear_and_bounded() {
    let cases = [
        (Behaviour::Status(503), true, "it returned HTTP 503"),
        (Behaviour::Status(413), false, "it returned HTTP 413"),
        (Behaviour::Html, true, "it returned text/html instead of a transcript"),
        (Behaviour::Tone, true, "it returned audio/wav instead of a transcript"),
        (Behaviour::Transcript("{}"), true, "it returned a transcript that cannot be read"),
        (Behaviour::Transcript("<html>"), true, "it returned a transcript that cannot be read"),
        (Behaviour::Silent, true, "it did not respond within 2 s"),
    ];
    for (behaviour, retryable, why) in cases {
        let service = SpeechService::start(&[behaviour]).await;
        let fixture = with_service(&service, 1000).await;
        let failed = fixture.sources.transcript("ann", &voice(&fixture, 1.0).await).await.unwrap_err();
        assert_eq!(failed.message, format!("the speech service the narrator failed: {why}").as_str());
        assert_eq!((failed.code, failed.retryable), (ErrorCode::SpeechFailed, retryable), "{behaviour:?}");
        assert_eq!(fixture.unfinished(), 0, "{behaviour:?}");
    }
    let service = SpeechService::start(&[Behaviour::Transcript(WORDS)]).await;
    let fixture = with_service(&service, 1000).await;
    let long = fixture.sources.silence(130.0).await.unwrap();
    let failed = fixture.sources.transcript("ann", &long).await.unwrap_err();
    let expected = "the speech service the narrator failed: audio can be transcribed only up to 2 minutes";
    assert_eq!((failed.message.english(), failed.retryable), (expected, false));
}

#[tokio::test]
async fn a_program_reads_a_file_or_stdin() {
    let script = |script: &str| {
        let line = ["sh", "-c", script, "hear", "{file}"].map(str::to_owned);
        SpeechAccess::Command(line.to_vec())
    };
    let words = r#"{"words":[{"start":0.5,"end":0.9,"text":"Hello"}]}"#;
    for condition in ["head -c 4 \"$1\" | grep -q RIFF", "head -c 4 | grep -q RIFF"] {
        let fixture = fixture(script(&format!("{condition} && echo '{words}'")), 1000).await;
        let content = voice(&fixture, 1.0).await;
        assert_eq!(starts(&fixture, "ann", &content).await, [500], "{condition}");
    }
    let fixture = fixture(script("exit 3"), 1000).await;
    let failed = fixture.sources.transcript("ann", &voice(&fixture, 1.0).await).await.unwrap_err();
    assert_eq!(failed.message, "the speech service the narrator failed: the program failed");
}
