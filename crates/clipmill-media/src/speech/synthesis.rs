//! Speaks texts.

use std::path::Path;

use clipmill_core::error::TaskError;
use clipmill_core::message::Message;
use clipmill_core::speech::Speech;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::{Service, ServiceFailure, ServiceSettings, SpeechAccess, espeak, http};
use crate::error::MediaError;
use crate::ffmpeg::process::Ffmpeg;

/// Settings of a service that speaks texts. A program reads a text and writes audio.
#[derive(Debug, Clone)]
pub struct SynthesisSettings {
    pub service: ServiceSettings,
    /// The voice of texts without one; if absent, a voice of [`espeak`] for the script of the text.
    pub default_voice: Option<String>,
    /// The most characters of one call; longer texts are divided.
    pub max_characters: usize,
}

/// Speaks texts.
#[derive(Debug, Clone)]
pub struct Synthesizer {
    service: Service,
    default_voice: Option<String>,
    max_characters: usize,
}

/// Bounds of the audio of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AudioBounds {
    /// Longer audio does not speak the text.
    pub seconds: f64,
    pub bytes: u64,
}

impl AudioBounds {
    /// Several times as long as is usual, with a margin for short texts; as large as 48 kHz in two channels of 16 bits.
    pub fn of(speech: &Speech) -> Self {
        let seconds = 30.0 + 4.0 * speech.estimated_s();
        Self { seconds, bytes: (seconds * 192_000.0) as u64 }
    }
}

impl Synthesizer {
    pub fn new(settings: SynthesisSettings) -> Result<Self, MediaError> {
        let SynthesisSettings { service, default_voice, max_characters } = settings;
        Ok(Self { service: Service::new(service)?, default_voice, max_characters })
    }

    /// The hash of everything that determines the audio of a text for a user.
    pub(crate) fn key(&self, user: &str, speech: &Speech) -> String {
        let described =
            json!([1, user, self.service.identity(), self.voice(speech), speech.speed, speech.text]);
        hex::encode(Sha256::digest(described.to_string()))
    }

    /// The text in parts that fit into a call, all with the voice of the whole.
    pub(crate) fn parts(&self, speech: &Speech) -> Vec<Speech> {
        let speech = Speech { voice: Some(self.voice(speech).to_owned()), ..speech.clone() };
        speech.parts(self.max_characters)
    }

    fn voice<'v>(&'v self, speech: &'v Speech) -> &'v str {
        let chosen = speech.voice.as_deref().or(self.default_voice.as_deref());
        chosen.unwrap_or_else(|| espeak::voice_of(&speech.text))
    }

    /// Writes the audio of a text that fits into one call to the file `to`, in the format of the service. `text` is
    /// a file for the text.
    pub(crate) async fn speak(
        &self,
        ffmpeg: &Ffmpeg,
        speech: &Speech,
        text: &Path,
        to: &Path,
    ) -> Result<(), TaskError> {
        let (voice, bounds) = (self.voice(speech), AudioBounds::of(speech));
        match &self.service.settings.access {
            SpeechAccess::Http { base, model, authorization } => {
                let call = http::Call { base, model, authorization: authorization.as_ref() };
                self.service
                    .call(http::speak(&self.service.client, call, speech, voice, to, bounds.bytes))
                    .await
            }
            SpeechAccess::Command(line) => {
                tokio::fs::write(text, &speech.text).await.map_err(MediaError::file("write", text))?;
                let line = line.iter().map(|word| filled(word, voice, speech.speed));
                self.service.run(ffmpeg, line, (text, to), bounds.bytes).await
            }
        }
    }

    /// The error about audio that cannot be decoded or is too long for its text.
    pub(crate) fn refused(&self, why: Message) -> TaskError {
        self.service.failed(ServiceFailure { why, retryable: true })
    }
}

/// A word of a command line with its placeholders filled. Programs count words per minute; 175 are usual.
fn filled(word: &str, voice: &str, speed: f64) -> String {
    let words_per_minute = (175.0 * speed).round().to_string();
    let word = word.replace("{speed}", &speed.to_string()).replace("{wordsPerMinute}", &words_per_minute);
    word.replace("{voice}", voice)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use reqwest::header::HeaderValue;
    use url::Url;

    use super::*;

    fn synthesizer(access: SpeechAccess) -> Synthesizer {
        Synthesizer::new(SynthesisSettings {
            service: ServiceSettings { name: "test".to_owned(), access, timeout: Duration::from_secs(1) },
            default_voice: None,
            max_characters: 20,
        })
        .unwrap()
    }

    #[test]
    fn a_key_has_everything_that_determines_the_audio() {
        let command = |line: &[&str]| {
            synthesizer(SpeechAccess::Command(line.iter().map(|word| (*word).to_owned()).collect()))
        };
        let http = |model: &str, key: &str| {
            let (model, authorization) = (model.to_owned(), HeaderValue::from_str(key).ok());
            let base = Url::parse("https://speech.example/v1").unwrap();
            synthesizer(SpeechAccess::Http { base, model, authorization })
        };
        let speech = Speech { text: "Hello.".to_owned(), voice: None, speed: 1.0 };
        let usual = command(&["say"]).key("1", &speech);
        let named = Speech { voice: Some("en-us".to_owned()), ..speech.clone() };
        assert_eq!(usual, command(&["say"]).key("1", &named), "the default voice is a voice like any other");
        assert_eq!(
            http("a", "one").key("1", &speech),
            http("a", "two").key("1", &speech),
            "keys are not part of it"
        );
        for other in [
            command(&["say"]).key("2", &speech),
            command(&["say", "-v"]).key("1", &speech),
            command(&["say"]).key("1", &Speech { speed: 1.5, ..speech.clone() }),
            command(&["say"]).key("1", &Speech { text: "Hello!".to_owned(), ..speech.clone() }),
            command(&["say"]).key("1", &Speech { voice: Some("de".to_owned()), ..speech.clone() }),
            http("a", "one").key("1", &speech),
            http("b", "one").key("1", &speech),
        ] {
            assert_ne!(usual, other);
        }
        assert_ne!(http("a", "one").key("1", &speech), http("b", "one").key("1", &speech));
    }

    #[test]
    fn parts_have_the_voice_of_the_whole() {
        let service = synthesizer(SpeechAccess::Command(vec![]));
        let speech = Speech {
            text: "你好。你好。你好。 This is an English sentence.".to_owned(),
            voice: None,
            speed: 1.0,
        };
        let parts = service.parts(&speech);
        assert!(
            parts.len() == 2 && parts.iter().all(|part| part.voice.as_deref() == Some("cmn")),
            "{parts:?}"
        );
    }

    #[test]
    fn placeholders_are_filled_once() {
        assert_eq!(filled("--voice={voice}", "{speed}", 1.5), "--voice={speed}");
        assert_eq!(filled("{wordsPerMinute}", "a", 1.5), "263");
        assert_eq!(filled("{speed}", "a", 0.5), "0.5");
    }

    #[test]
    fn a_key_is_never_shown() {
        let mut key = HeaderValue::from_static("Bearer secret-key");
        key.set_sensitive(true);
        let base = Url::parse("https://speech.example/v1").unwrap();
        let service =
            synthesizer(SpeechAccess::Http { base, model: String::new(), authorization: Some(key) });
        assert!(!format!("{service:?}").contains("secret-key"));
    }
}
