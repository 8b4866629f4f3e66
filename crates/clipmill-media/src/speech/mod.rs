//! Speech services of the operator, which speak texts and transcribe audio: HTTP services or confined programs.
//!
//! Their addresses, programs and keys come from the configuration alone. Whatever a service returns is read like a file
//! of a client, within bounds that follow from the text or the audio. Results are kept by [`crate::ingest::sources`].

pub mod espeak;
mod http;
mod synthesis;
mod transcription;

use std::path::Path;
use std::time::Duration;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::message::{self, Message};
use reqwest::header::HeaderValue;
use serde_json::{Value, json};
use url::Url;

use crate::error::MediaError;
use crate::ffmpeg::process::{Command, Ffmpeg, Limits, ProcessError};

pub(crate) use synthesis::AudioBounds;
pub use synthesis::{SynthesisSettings, Synthesizer};
pub use transcription::{Transcriber, TranscriptionSettings};

/// Settings of a service.
#[derive(Debug, Clone)]
pub struct ServiceSettings {
    /// The service as messages name it.
    pub name: String,
    pub access: SpeechAccess,
    /// The time limit of one call.
    pub timeout: Duration,
}

/// How a service is reached.
#[derive(Debug, Clone)]
pub enum SpeechAccess {
    /// The OpenAI-compatible API below this URL.
    Http { base: Url, model: String, authorization: Option<HeaderValue> },
    /// A program and its arguments, which reads stdin and writes stdout.
    Command(Vec<String>),
}

/// A service and its HTTP client.
#[derive(Debug, Clone)]
struct Service {
    settings: ServiceSettings,
    client: reqwest::Client,
}

impl Service {
    fn new(settings: ServiceSettings) -> Result<Self, MediaError> {
        Ok(Self { settings, client: http::client()? })
    }

    /// What distinguishes this service from others in keys.
    fn identity(&self) -> Value {
        match &self.settings.access {
            SpeechAccess::Http { base, model, .. } => json!([base.as_str(), model]),
            SpeechAccess::Command(line) => json!(line),
        }
    }

    /// A call of an HTTP service, within the time limit.
    async fn call<T>(&self, call: impl Future<Output = Result<T, ServiceFailure>>) -> Result<T, TaskError> {
        let response = tokio::time::timeout(self.settings.timeout, call).await;
        response.unwrap_or_else(|_| Err(self.unresponsive())).map_err(|failure| self.failed(failure))
    }

    /// A run of a program from a file to a file of at most `max_bytes`.
    async fn run(
        &self,
        ffmpeg: &Ffmpeg,
        line: impl Iterator<Item = String>,
        (input, output): (&Path, &Path),
        max_bytes: u64,
    ) -> Result<(), TaskError> {
        let limits = Limits::wall(self.settings.timeout).file_bytes(max_bytes);
        let command = Command { line: line.map(Into::into).collect(), input, output };
        let run = ffmpeg.run_command(command, limits).await;
        run.map_err(|error| self.failed(self.of_process(&error)))
    }

    fn unresponsive(&self) -> ServiceFailure {
        let why = message::speech_silent(self.settings.timeout.as_secs_f64());
        ServiceFailure { why, retryable: true }
    }

    fn of_process(&self, error: &ProcessError) -> ServiceFailure {
        let why = match error {
            ProcessError::TimedOut { .. } => return self.unresponsive(),
            ProcessError::TooMuchOutput { limit } => message::speech_too_large(*limit),
            _ => message::speech_ended(),
        };
        tracing::warn!(%error, service = self.settings.name, "a speech program failed");
        ServiceFailure { why, retryable: true }
    }

    fn failed(&self, ServiceFailure { why, retryable }: ServiceFailure) -> TaskError {
        let name = &self.settings.name;
        tracing::warn!(service = name, why = why.english(), "a speech service failed");
        TaskError::new(ErrorCode::SpeechFailed, message::speech_failed(name, why)).retryable(retryable)
    }
}

/// Why a service returned no result.
#[derive(Debug)]
pub(crate) struct ServiceFailure {
    pub why: Message,
    /// Whether another attempt may succeed.
    pub retryable: bool,
}

/// The error about a text where nothing can speak it.
pub(crate) fn no_service() -> TaskError {
    TaskError::new(ErrorCode::SpeechFailed, message::no_speech_service()).retryable(false)
}

/// The error about audio where nothing can transcribe it.
pub(crate) fn no_transcription() -> TaskError {
    TaskError::new(ErrorCode::SpeechFailed, message::no_transcription()).retryable(false)
}
