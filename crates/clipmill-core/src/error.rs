//! Why a task or an item could not be made: one catalogue, each entry carrying a decision.

use serde::{Deserialize, Serialize};

/// The string codes of failures inside a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorCode {
    UrlBlocked,
    UrlScheme,
    DownloadFailed,
    NotMedia,
    FormatNotAllowed,
    CodecNotAllowed,
    MediaTooLarge,
    MediaDamaged,
    NoVideoStream,
    SubtitleInvalid,
    MaskInvalid,
    RenderFailed,
    RenderTimeout,
    Cancelled,
    Internal,
}

impl ErrorCode {
    /// Whether the same work may succeed when tried again without the client changing anything.
    pub fn retryable(self) -> bool {
        matches!(self, Self::DownloadFailed | Self::RenderFailed | Self::RenderTimeout | Self::Internal)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::UrlBlocked => "URL_BLOCKED",
            Self::UrlScheme => "URL_SCHEME",
            Self::DownloadFailed => "DOWNLOAD_FAILED",
            Self::NotMedia => "NOT_MEDIA",
            Self::FormatNotAllowed => "FORMAT_NOT_ALLOWED",
            Self::CodecNotAllowed => "CODEC_NOT_ALLOWED",
            Self::MediaTooLarge => "MEDIA_TOO_LARGE",
            Self::MediaDamaged => "MEDIA_DAMAGED",
            Self::NoVideoStream => "NO_VIDEO_STREAM",
            Self::SubtitleInvalid => "SUBTITLE_INVALID",
            Self::MaskInvalid => "MASK_INVALID",
            Self::RenderFailed => "RENDER_FAILED",
            Self::RenderTimeout => "RENDER_TIMEOUT",
            Self::Cancelled => "CANCELLED",
            Self::Internal => "INTERNAL",
        }
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One failure, as the client sees it. `message` says what was wrong and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct TaskError {
    pub code: ErrorCode,
    pub message: String,
    /// The url as the client gave it, where one input is to blame.
    pub input: Option<String>,
    /// Whether sending the same again may succeed.
    pub retryable: bool,
}

impl TaskError {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), input: None, retryable: code.retryable() }
    }

    pub fn input(mut self, url: impl Into<String>) -> Self {
        self.input = Some(url.into());
        self
    }

    /// For causes that the code alone does not tell, such as a 404 (final) among download failures.
    pub fn retryable(mut self, retryable: bool) -> Self {
        self.retryable = retryable;
        self
    }
}
