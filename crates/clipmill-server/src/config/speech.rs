//! Services that speak texts.

use std::path::Path;
use std::sync::LazyLock;

use axum::http::HeaderValue;
use clipmill_core::pricing::PriceList;
use clipmill_core::request::Voices;
use clipmill_core::speech::LONGEST_VOICE;
use clipmill_media::ffmpeg::sandbox::find;
use clipmill_media::speech::espeak::{self, EspeakVoice};
use clipmill_media::speech::{SpeechAccess, SynthesisSettings};
use serde::{Deserialize, Serialize};
use url::Url;

use super::ConfigError;
use super::units::{BaseUrl, Secret, Span};

section! {
    /// Services that speak texts (`audio.text` in requests). Must be identical on all processes of a service.
    Speech = "speech" {
        /// What speaks texts. `espeak-ng`: the program of that name, which speaks drafts in many languages; `http`: a
        /// service with the OpenAI-compatible API; `command`: another program; `off`: nothing; `auto`: `espeak-ng` if it
        /// is installed, otherwise nothing.
        synthesize: SynthesisKind = SynthesisKind::Auto;
        /// `http`: base URL of the service, such as `https://speech.example.com/v1`; `/audio/speech` is added.
        synthesize_url: Option<BaseUrl> = None;
        /// `http`: name of the model, if the service needs one.
        synthesize_model: String = String::new();
        /// `http`: API key, sent as a bearer token.
        synthesize_key: Secret = Secret::default();
        /// `command`: the program and its arguments. It reads a text from stdin and writes WAV or another audio format
        /// to stdout. `{voice}`, `{speed}` and `{wordsPerMinute}` (175 at speed 1) are replaced. It runs confined like
        /// ffmpeg: without network, as a single process, with read access to the files and folders among its arguments
        /// and in `worker.readable`.
        synthesize_command: Vec<String> = Vec::new();
        /// Names of the voices, the default first. `http` and `command` need at least one; `espeak-ng` has its own, and
        /// chooses by the script of the text if none is set here.
        voices: Vec<String> = Vec::new();
        /// Name of the service in messages; by default the host of the URL, or the program.
        name: String = String::new();
        /// Maximum characters of one call. Longer texts are divided between sentences, and the audio is joined.
        characters_per_call: u32 = 2_000;
        /// Time limit of one call.
        timeout: Span = Span::seconds(60);
        /// Price of 1,000 characters of each text of a task, in points.
        points_per_1000_characters: u32 = 0;
        /// Maximum characters per user and day (UTC) that `POST /open-api/v1/speech` speaks, without repeats; 0 means
        /// no limit. Further ones are refused with error 42906.
        listen_characters_per_day: u32 = 20_000;
    }
}

/// What speaks texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SynthesisKind {
    #[serde(rename = "auto")]
    Auto,
    #[serde(rename = "off")]
    Off,
    #[serde(rename = "espeak-ng")]
    Espeak,
    #[serde(rename = "http")]
    Http,
    #[serde(rename = "command")]
    Command,
}

/// Whether `espeak-ng` was installed when this process first needed to know.
fn has_espeak() -> bool {
    static INSTALLED: LazyLock<bool> = LazyLock::new(|| find(Path::new(espeak::PROGRAM)).is_some());
    *INSTALLED
}

impl Speech {
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let wrong = |name: &str, message: &str| {
            Err(ConfigError::Value { name: format!("speech.{name}"), message: message.to_owned() })
        };
        let url = self.synthesize_url.as_ref().map(BaseUrl::as_str);
        match self.synthesize {
            SynthesisKind::Http if url.is_none() => return wrong("synthesize_url", "required for `http`"),
            SynthesisKind::Command if self.synthesize_command.is_empty() => {
                return wrong("synthesize_command", "required for `command`");
            }
            SynthesisKind::Http | SynthesisKind::Command if self.voices.is_empty() => {
                return wrong("voices", "at least one");
            }
            _ => {}
        }
        if url.is_some_and(|url| Url::parse(url).is_ok_and(|url| !url.username().is_empty())) {
            return wrong("synthesize_url", "must not contain a user name; use synthesize_key");
        }
        if self.authorization().is_err() {
            return wrong("synthesize_key", "not valid in an HTTP header");
        }
        let is_name = |name: &String| {
            let length = name.chars().count();
            (1..=LONGEST_VOICE).contains(&length) && !name.contains(char::is_control)
        };
        if !self.voices.iter().all(is_name) {
            return wrong("voices", "names of 1 to 100 characters");
        }
        if self.characters_per_call == 0 {
            return wrong("characters_per_call", "at least 1");
        }
        if self.timeout.get().is_zero() {
            return wrong("timeout", "above 0");
        }
        Ok(())
    }

    /// [`Speech::synthesize`] with `auto` resolved.
    fn kind(&self) -> SynthesisKind {
        match self.synthesize {
            SynthesisKind::Auto if has_espeak() => SynthesisKind::Espeak,
            SynthesisKind::Auto => SynthesisKind::Off,
            kind => kind,
        }
    }

    /// The service that speaks texts, if there is one.
    pub fn synthesis(&self) -> Option<SynthesisSettings> {
        let access = match self.kind() {
            SynthesisKind::Auto | SynthesisKind::Off => return None,
            SynthesisKind::Espeak => SpeechAccess::Command(espeak::LINE.map(str::to_owned).to_vec()),
            SynthesisKind::Command => SpeechAccess::Command(self.synthesize_command.clone()),
            SynthesisKind::Http => SpeechAccess::Http {
                base: Url::parse(self.synthesize_url.as_ref()?.as_str()).ok()?,
                model: self.synthesize_model.clone(),
                authorization: self.authorization().ok()?,
            },
        };
        Some(SynthesisSettings {
            name: self.service_name(&access),
            access,
            default_voice: self.voices.first().cloned(),
            most_characters: self.characters_per_call as usize,
            timeout: self.timeout.get(),
        })
    }

    /// The service as messages name it, if there is one.
    pub fn service(&self) -> Option<String> {
        self.synthesis().map(|settings| settings.name)
    }

    fn service_name(&self, access: &SpeechAccess) -> String {
        let program = |line: &[String]| {
            let name = Path::new(line.first()?).file_name()?;
            Some(name.to_string_lossy().into_owned())
        };
        let usual = match access {
            _ if !self.name.is_empty() => Some(self.name.clone()),
            SpeechAccess::Http { base, .. } => base.host_str().map(str::to_owned),
            SpeechAccess::Command(line) => program(line),
        };
        usual.unwrap_or_default()
    }

    fn authorization(&self) -> Result<Option<HeaderValue>, axum::http::header::InvalidHeaderValue> {
        if self.synthesize_key.is_empty() {
            return Ok(None);
        }
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.synthesize_key.reveal()))?;
        value.set_sensitive(true);
        Ok(Some(value))
    }

    /// The voices that requests may name.
    pub fn voices(&self) -> Voices {
        match self.kind() {
            SynthesisKind::Auto | SynthesisKind::Off => Voices::NoService,
            SynthesisKind::Espeak if self.voices.is_empty() => {
                Voices::These(espeak::VOICES.iter().map(|voice| voice.name.to_owned()).collect())
            }
            _ => Voices::These(self.voices.clone()),
        }
    }

    /// What is known about a voice, if `espeak-ng` speaks it.
    pub fn espeak_voice(&self, name: &str) -> Option<&'static EspeakVoice> {
        let speaks = self.kind() == SynthesisKind::Espeak;
        espeak::VOICES.iter().find(|voice| speaks && voice.name == name)
    }

    /// Adds the price of texts.
    pub fn prices(&self, prices: PriceList) -> PriceList {
        PriceList { speech: self.points_per_1000_characters, ..prices }
    }
}
