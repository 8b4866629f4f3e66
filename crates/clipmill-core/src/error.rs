//! The errors of tasks and items: one catalogue whose entries also say whether a retry can help.

use serde::{Deserialize, Serialize};

use crate::message::Message;
use crate::named_enum;
use crate::speech::input_name;

named_enum! {
    /// The string codes of failures inside a task.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum ErrorCode {
        UrlBlocked = "URL_BLOCKED",
        UrlScheme = "URL_SCHEME",
        DownloadFailed = "DOWNLOAD_FAILED",
        NotMedia = "NOT_MEDIA",
        FormatNotAllowed = "FORMAT_NOT_ALLOWED",
        CodecNotAllowed = "CODEC_NOT_ALLOWED",
        MediaTooLarge = "MEDIA_TOO_LARGE",
        MediaDamaged = "MEDIA_DAMAGED",
        NoVideoStream = "NO_VIDEO_STREAM",
        ClipTooShort = "CLIP_TOO_SHORT",
        SubtitleInvalid = "SUBTITLE_INVALID",
        FontInvalid = "FONT_INVALID",
        MaskInvalid = "MASK_INVALID",
        SpeechFailed = "SPEECH_FAILED",
        RenderFailed = "RENDER_FAILED",
        RenderTimeout = "RENDER_TIMEOUT",
        Cancelled = "CANCELLED",
        Internal = "INTERNAL",
    }
}

impl ErrorCode {
    /// The meaning of the code and the advice to clients, for the documentation.
    pub fn explanation(self) -> (&'static str, &'static str) {
        match self {
            Self::UrlBlocked => (
                "the link leads to a private address or a port that is not allowed, or contains a user name",
                "serve the file publicly on port 80 or 443, or upload it",
            ),
            Self::UrlScheme => {
                ("the link is not `http(s)`, or it redirects to a link that is not", "give an `http(s)` link")
            }
            Self::DownloadFailed => (
                "404, no response, too slow, connection lost, too many redirects; the file changed while the task was running; an upload was deleted or has expired; or a result was not made",
                "see `message`; try again if `retryable`, and upload the file again if `input` is an upload",
            ),
            Self::NotMedia => (
                "the file is not media (a web page, text, empty), or it has no audio although audio is required",
                "check that the link leads to the media file itself, or that the upload is one",
            ),
            Self::FormatNotAllowed => (
                "the container is not accepted, or it is a playlist",
                "send the media file itself, for instance as MP4",
            ),
            Self::CodecNotAllowed => {
                ("the codec is not accepted", "convert the file, for instance to H.264 with AAC")
            }
            Self::MediaTooLarge => (
                "the file, its dimensions, number of streams or length exceeds a limit, or the output would be too long",
                "make it smaller or shorter",
            ),
            Self::MediaDamaged => ("the file is truncated or cannot be decoded", "export or upload it again"),
            Self::NoVideoStream => (
                "a clip without video; in `videoDeduplication` also an image",
                "give a video, or in a mix an image",
            ),
            Self::ClipTooShort => (
                "a clip's `from` is after the end of its file, or the clips have too little footage for the number of different outputs",
                "choose an earlier `from`, longer clips, or fewer outputs",
            ),
            Self::SubtitleInvalid => (
                "not a readable SRT or VTT file (`message` names the line), or captions with more emoji than a video may have",
                "fix the file",
            ),
            Self::FontInvalid => (
                "a font file that is not a usable TTF, OTF or TTC font; `message` gives the reason",
                "upload another file, or name a font of the catalogue",
            ),
            Self::MaskInvalid => (
                "a mask or fill that is neither an image nor a video, is not accepted, or cannot be decoded; `message` names the file and the reason",
                "give a PNG, JPEG, WebP or GIF image, or a video",
            ),
            Self::SpeechFailed => (
                "the speech service did not speak a text: it failed, or returned no audio of it; `message` names the service",
                "submit again if `retryable`; if it happens again, report it to the operator",
            ),
            Self::RenderFailed => {
                ("the output did not pass verification", "submit again; if it happens again, report it")
            }
            Self::RenderTimeout => {
                ("processing took far too long", "submit again, or with a shorter or smaller file")
            }
            Self::Cancelled => ("the task was cancelled before this item was finished", "nothing"),
            Self::Internal => ("internal error", "submit again; if it happens again, report it"),
        }
    }

    /// Whether a retry of the same work may succeed.
    pub fn retryable(self) -> bool {
        matches!(
            self,
            Self::DownloadFailed
                | Self::SpeechFailed
                | Self::RenderFailed
                | Self::RenderTimeout
                | Self::Internal
        )
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One failure, as the client sees it. `message` describes the problem and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct TaskError {
    pub code: ErrorCode,
    #[serde(flatten)]
    pub message: Message,
    /// The URL as the client gave it, or the beginning of a text that is spoken, if one input caused the failure.
    pub input: Option<String>,
    /// Whether sending the same request again may succeed.
    pub retryable: bool,
    /// Nothing failed, but disk space is short at the moment. Set only until the caller handles it.
    #[serde(skip)]
    pub lacks_disk_space: bool,
}

impl TaskError {
    pub fn new(code: ErrorCode, message: Message) -> Self {
        Self { code, message, input: None, retryable: code.retryable(), lacks_disk_space: false }
    }

    pub fn input(mut self, url: impl Into<String>) -> Self {
        let url = url.into();
        if url.starts_with("upload://") {
            self.message = self.message.of_upload();
        }
        self.input = Some(input_name(&url).into_owned());
        self
    }

    pub fn with_disk_full(mut self) -> Self {
        self.lacks_disk_space = true;
        self
    }

    /// Overrides the default of the code, for causes that the code does not distinguish, such as a 404 (final) in a download.
    pub fn retryable(mut self, retryable: bool) -> Self {
        self.retryable = retryable;
        self
    }
}
