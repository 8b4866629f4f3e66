//! Transcribes audio.

use std::path::Path;
use std::time::Duration;

use clipmill_core::error::TaskError;
use clipmill_core::message::{self, Message};
use clipmill_core::subtitle::{Pauses, RecognizedWord, Transcript};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::{Service, ServiceFailure, ServiceSettings, SpeechAccess, http};
use crate::error::MediaError;
use crate::ffmpeg::process::Ffmpeg;

/// Bounds of a transcript for each second of audio, with a margin for short audio.
const CHARACTERS_PER_SECOND: f64 = 100.0;
const BYTES_PER_SECOND: f64 = 10_000.0;
const MARGIN_S: f64 = 20.0;

/// Settings of a service that transcribes audio. A program reads a WAV file, whose path also replaces `{file}` in its
/// arguments, and writes JSON.
#[derive(Debug, Clone)]
pub struct TranscriptionSettings {
    pub service: ServiceSettings,
    /// The longest audio of one call; longer audio is divided where it is quiet.
    pub call_length: Duration,
    /// The longest audio.
    pub max_length: Duration,
}

/// Transcribes audio.
#[derive(Debug, Clone)]
pub struct Transcriber {
    service: Service,
    pub(crate) call_length: Duration,
    pub(crate) max_length: Duration,
}

impl Transcriber {
    pub fn new(settings: TranscriptionSettings) -> Result<Self, MediaError> {
        let TranscriptionSettings { service, call_length, max_length } = settings;
        Ok(Self { service: Service::new(service)?, call_length, max_length })
    }

    /// The hash of everything that determines the transcript of audio, by its content, for a user.
    pub(crate) fn key(&self, user: &str, content: &str) -> String {
        let described = json!(["transcript", 1, user, self.service.identity(), content]);
        hex::encode(Sha256::digest(described.to_string()))
    }

    /// Whether this machine does the work.
    pub(crate) fn is_program(&self) -> bool {
        matches!(self.service.settings.access, SpeechAccess::Command(_))
    }

    /// What is spoken in a WAV file of so many seconds. `to` is a file for the answer of a program. `pauses` give the
    /// times of a text without any.
    pub(crate) async fn transcribe(
        &self,
        ffmpeg: &Ffmpeg,
        (wav, seconds): (&Path, f64),
        to: &Path,
        pauses: &Pauses,
    ) -> Result<Transcript, TaskError> {
        let max_bytes = ((seconds + MARGIN_S) * BYTES_PER_SECOND) as usize;
        let response = match &self.service.settings.access {
            SpeechAccess::Http { base, model, authorization } => {
                let call = http::Call { base, model, authorization: authorization.as_ref() };
                let audio = tokio::fs::read(wav).await.map_err(MediaError::file("read", wav))?;
                self.service.call(http::transcribe(&self.service.client, call, audio, max_bytes)).await?
            }
            SpeechAccess::Command(line) => {
                // The data folder can be relative, and the program has another working directory.
                let path = std::path::absolute(wav).map_err(MediaError::file("find", wav))?;
                let path = path.to_string_lossy();
                let line = line.iter().map(|word| word.replace("{file}", &path));
                self.service.run(ffmpeg, line, (wav, to), max_bytes as u64).await?;
                tokio::fs::read(to).await.map_err(MediaError::file("read", to))?
            }
        };
        let transcript = read_response(&response, seconds, pauses);
        transcript.ok_or_else(|| self.refused(message::speech_bad_transcript()))
    }

    /// The error about audio that is longer than allowed.
    pub(crate) fn too_long(&self) -> TaskError {
        let why = message::speech_file_too_long(self.max_length.as_secs() / 60);
        self.service.failed(ServiceFailure { why, retryable: false })
    }

    fn refused(&self, why: Message) -> TaskError {
        self.service.failed(ServiceFailure { why, retryable: true })
    }
}

/// The answer of a service: `verbose_json` of the OpenAI-compatible API, or that of a program.
#[derive(Deserialize)]
struct TranscriptionResponse {
    text: Option<String>,
    words: Option<Vec<Timed>>,
    segments: Option<Vec<Timed>>,
}

/// A word, or a segment of several.
#[derive(Deserialize)]
struct Timed {
    #[serde(alias = "word")]
    text: String,
    start: Option<f64>,
    end: Option<f64>,
    words: Option<Vec<Timed>>,
}

/// The words within so many seconds of audio. One without a time follows the previous one; `None` if too many are
/// elsewhere, as if times were in another unit.
fn recognized(timed: &[&Timed], seconds: f64) -> Option<Vec<RecognizedWord>> {
    let mut words: Vec<RecognizedWord> = Vec::with_capacity(timed.len());
    let mut outside = 0;
    for Timed { text, start, end, .. } in timed {
        let previous = words.last().map_or(0.0, |word| word.end_s);
        let start = start.unwrap_or(previous);
        if !(-1.0..=seconds + 1.0).contains(&start) {
            outside += 1;
        }
        let start_s = start.clamp(0.0, seconds);
        let end_s = end.unwrap_or(start_s).clamp(start_s, seconds);
        words.push(RecognizedWord { text: text.clone(), start_s, end_s });
    }
    (outside <= timed.len() / 10).then_some(words)
}

/// The transcript in an answer; `None` if there is none, or if it cannot be that of so many seconds.
fn read_response(response: &[u8], seconds: f64, pauses: &Pauses) -> Option<Transcript> {
    let response = response.strip_prefix(b"\xef\xbb\xbf").unwrap_or(response);
    let TranscriptionResponse { text, words, segments } = serde_json::from_slice(response).ok()?;
    if text.is_none() && words.is_none() && segments.is_none() {
        return None;
    }
    let segments = segments.unwrap_or_default();
    let of_segments = || segments.iter().map(|segment| segment.text.trim()).collect::<Vec<_>>().join(" ");
    let text = text.filter(|text| !text.trim().is_empty()).unwrap_or_else(of_segments);
    let words: Vec<RecognizedWord> = match words.filter(|words| !words.is_empty()) {
        Some(words) => recognized(&words.iter().collect::<Vec<_>>(), seconds)?,
        None => {
            let words = segments.iter().map(|segment| segment_words(segment, seconds));
            words.collect::<Option<Vec<_>>>()?.concat()
        }
    };
    let max = ((seconds + MARGIN_S) * CHARACTERS_PER_SECOND) as usize;
    let letters: usize = words.iter().map(|word| word.text.chars().count()).sum();
    if text.chars().count() > max || letters > max {
        return None;
    }
    Some(match words.is_empty() {
        true => Transcript::aligned(&text, pauses, (seconds * 1000.0) as u64),
        false => Transcript::of(&text, &words),
    })
}

/// The words of a segment, which share its time if they have none.
fn segment_words(segment: &Timed, seconds: f64) -> Option<Vec<RecognizedWord>> {
    match segment.words.as_deref() {
        Some(words) if !words.is_empty() => recognized(&words.iter().collect::<Vec<_>>(), seconds),
        _ => Some(recognized(&[segment], seconds)?.iter().flat_map(RecognizedWord::words).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word with its time in milliseconds.
    type Word = (String, u64, u64);

    fn read(response: &str) -> Option<(String, Vec<Word>)> {
        let pauses = Pauses { pauses: vec![(1000, 2000)], end_ms: 3000 };
        let transcript = read_response(response.as_bytes(), 3.0, &pauses)?;
        let words = transcript.words.iter();
        let words =
            words.map(|word| (transcript.text[word.start..word.end].to_owned(), word.start_ms, word.end_ms));
        Some((transcript.text.clone(), words.collect()))
    }

    #[test]
    fn answers_have_words_segments_or_a_text() {
        let expected = vec![("Hello".to_owned(), 100, 500), ("you".to_owned(), 2000, 2500)];
        for response in [
            r#"{"text":"Hello, you!","words":[{"word":"Hello","start":0.1,"end":0.5},{"word":"you","start":2,"end":2.5}]}"#,
            r#"{"text":" Hello, you! ","language":"en","words":[{"text":" hello,","start":0.1,"end":0.5},{"text":"YOU","start":2,"end":2.5}]}"#,
            r#"{"text":"Hello, you!","segments":[{"id":0,"text":" Hello,","start":0.1,"end":0.5},{"text":" you!","start":2,"end":2.5}]}"#,
            r#"{"segments":[{"text":"Hello, you!","start":0.1,"end":2.5,"words":[{"word":"Hello","start":0.1,"end":0.5},{"word":"you","start":2,"end":2.5}]}]}"#,
        ] {
            assert_eq!(read(response), Some(("Hello, you!".to_owned(), expected.clone())), "{response}");
        }
        // Words that are not in the text replace it.
        let other = r#"{"text":"Goodbye.","words":[{"word":"Hello","start":0.1,"end":0.5},{"word":"you","start":2,"end":2.5}]}"#;
        assert_eq!(read(other), Some(("Hello you".to_owned(), expected)));
        // A word without a time, or slightly outside, does not matter.
        let odd =
            r#"{"text":"Hello, you!","words":[{"word":"Hello","start":-0.02,"end":0.5},{"word":"you"}]}"#;
        let times = |response: &str| read(response).unwrap().1.iter().map(|word| word.1).collect::<Vec<_>>();
        assert_eq!(times(odd), [0, 500]);
        assert_eq!(times(&format!("\u{feff}{odd}")), [0, 500]);
        // A text without times follows the pauses.
        let (text, words) = read(r#"{"text":"Hello you there. Hello you there."}"#).unwrap();
        assert_eq!((text.as_str(), words.len(), words[3].1), ("Hello you there. Hello you there.", 6, 2000));
        assert_eq!(read(r#"{"text":""}"#), Some((String::new(), vec![])));
    }

    #[test]
    fn answers_that_cannot_be_are_refused() {
        let long = format!(r#"{{"text":"{}"}}"#, "x".repeat(3000));
        for response in [
            "",
            "<html>",
            "[]",
            r#"{"error":"none"}"#,
            r#"{"text":1}"#,
            r#"{"words":[{"word":"a","start":-7,"end":0}]}"#,
            r#"{"words":[{"word":"a","start":7200,"end":7201}]}"#,
            long.as_str(),
        ] {
            assert_eq!(read(response), None, "{response}");
        }
    }
}
