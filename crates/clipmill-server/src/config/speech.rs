//! Services that speak texts and transcribe audio.

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use axum::http::HeaderValue;
use clipmill_core::pricing::PriceList;
use clipmill_core::request::Voices;
use clipmill_core::speech::MAX_VOICE_LENGTH;
use clipmill_media::ffmpeg::sandbox::find;
use clipmill_media::speech::espeak::{self, EspeakVoice};
use clipmill_media::speech::{ServiceSettings, SpeechAccess, SynthesisSettings, TranscriptionSettings};
use serde::{Deserialize, Serialize};
use url::Url;

use super::ConfigError;
use super::units::{BaseUrl, Secret, Span};

section! {
    /// Services that speak texts (`audio.text` in requests) and transcribe audio (`subtitle.from`). Must be identical on all processes of a service.
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
        /// What transcribes audio. `http`: a service with the OpenAI-compatible API; `command`: a program; `off`: nothing.
        transcribe: TranscriptionKind = TranscriptionKind::Off;
        /// `http`: base URL of the service, such as `https://speech.example.com/v1`; `/audio/transcriptions` is added.
        transcribe_url: Option<BaseUrl> = None;
        /// `http`: name of the model, if the service needs one.
        transcribe_model: String = String::new();
        /// `http`: API key, sent as a bearer token.
        transcribe_key: Secret = Secret::default();
        /// `command`: the program and its arguments. It reads a WAV file (16 kHz, one channel) from stdin, or from the path
        /// that replaces `{file}`, and writes JSON to stdout: `{"text": "…", "words": [{"start": 0.5, "end": 0.8, "text":
        /// "…"}]}`, with times in seconds. It runs confined like `synthesize_command`.
        transcribe_command: Vec<String> = Vec::new();
        /// Name of the service in messages; by default the host of the URL, or the program.
        transcribe_name: String = String::new();
        /// Maximum length of the audio of one call. Longer audio is divided where it is quiet.
        transcribe_per_call: Span = Span::seconds(300);
        /// Maximum length of a file that is transcribed.
        transcribe_longest: Span = Span::seconds(3600);
        /// Time limit of one call.
        transcribe_timeout: Span = Span::seconds(300);
        /// Price of a minute of each audio file of a task that is transcribed, in points.
        points_per_minute: u32 = 0;
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

/// What transcribes audio.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TranscriptionKind {
    #[serde(rename = "off")]
    Off,
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
        let transcribe_url = self.transcribe_url.as_ref().map(BaseUrl::as_str);
        match self.transcribe {
            TranscriptionKind::Http if transcribe_url.is_none() => {
                return wrong("transcribe_url", "required for `http`");
            }
            TranscriptionKind::Command if self.transcribe_command.is_empty() => {
                return wrong("transcribe_command", "required for `command`");
            }
            _ => {}
        }
        let has_user = |url: &str| Url::parse(url).is_ok_and(|url| !url.username().is_empty());
        if url.is_some_and(has_user) {
            return wrong("synthesize_url", "must not contain a user name; use synthesize_key");
        }
        if transcribe_url.is_some_and(has_user) {
            return wrong("transcribe_url", "must not contain a user name; use transcribe_key");
        }
        if authorization(&self.synthesize_key).is_err() {
            return wrong("synthesize_key", "not valid in an HTTP header");
        }
        if authorization(&self.transcribe_key).is_err() {
            return wrong("transcribe_key", "not valid in an HTTP header");
        }
        let is_name = |name: &String| {
            let length = name.chars().count();
            (1..=MAX_VOICE_LENGTH).contains(&length) && !name.contains(char::is_control)
        };
        if !self.voices.iter().all(is_name) {
            return wrong("voices", "names of 1 to 100 characters");
        }
        if self.characters_per_call == 0 {
            return wrong("characters_per_call", "at least 1");
        }
        let [max, hour] = [Duration::from_secs(600), Duration::from_secs(3600)];
        if !(Duration::from_secs(1)..=max).contains(&self.transcribe_per_call.get()) {
            return wrong("transcribe_per_call", "from 1s to 10m");
        }
        if !(Duration::from_secs(1)..=4 * hour).contains(&self.transcribe_longest.get()) {
            return wrong("transcribe_longest", "from 1s to 4h");
        }
        for (name, span) in [("timeout", &self.timeout), ("transcribe_timeout", &self.transcribe_timeout)] {
            if span.get().is_zero() {
                return wrong(name, "above 0");
            }
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
                authorization: authorization(&self.synthesize_key).ok()?,
            },
        };
        Some(SynthesisSettings {
            service: ServiceSettings {
                name: service_name(&self.name, &access),
                access,
                timeout: self.timeout.get(),
            },
            default_voice: self.voices.first().cloned(),
            max_characters: self.characters_per_call as usize,
        })
    }

    /// The service that transcribes audio, if there is one.
    pub fn transcription(&self) -> Option<TranscriptionSettings> {
        let access = match self.transcribe {
            TranscriptionKind::Off => return None,
            TranscriptionKind::Command => SpeechAccess::Command(self.transcribe_command.clone()),
            TranscriptionKind::Http => SpeechAccess::Http {
                base: Url::parse(self.transcribe_url.as_ref()?.as_str()).ok()?,
                model: self.transcribe_model.clone(),
                authorization: authorization(&self.transcribe_key).ok()?,
            },
        };
        let name = service_name(&self.transcribe_name, &access);
        Some(TranscriptionSettings {
            service: ServiceSettings { name, access, timeout: self.transcribe_timeout.get() },
            call_length: self.transcribe_per_call.get(),
            max_length: self.transcribe_longest.get(),
        })
    }

    /// The service that speaks texts as messages name it, if there is one.
    pub fn service(&self) -> Option<String> {
        self.synthesis().map(|settings| settings.service.name)
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

    /// Adds the prices of texts and audio.
    pub fn prices(&self, prices: PriceList) -> PriceList {
        PriceList { speech: self.points_per_1000_characters, transcription: self.points_per_minute, ..prices }
    }
}

/// The name of a service in messages: the one that is set, or the host or program.
fn service_name(name: &str, access: &SpeechAccess) -> String {
    if !name.is_empty() {
        return name.to_owned();
    }
    let usual = match access {
        SpeechAccess::Http { base, .. } => base.host_str().map(str::to_owned),
        SpeechAccess::Command(line) => {
            let name = line.first().and_then(|program| Path::new(program).file_name());
            name.map(|name| name.to_string_lossy().into_owned())
        }
    };
    usual.unwrap_or_default()
}

fn authorization(key: &Secret) -> Result<Option<HeaderValue>, axum::http::header::InvalidHeaderValue> {
    if key.is_empty() {
        return Ok(None);
    }
    let mut value = HeaderValue::from_str(&format!("Bearer {}", key.reveal()))?;
    value.set_sensitive(true);
    Ok(Some(value))
}
