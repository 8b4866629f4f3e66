//! Captions of a mix.

use serde::{Deserialize, Serialize};

use super::SubtitleStyle;
use crate::subtitle::InlineCue;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Subtitle {
    #[serde(flatten)]
    pub source: CaptionSource,
    /// How a text is timed; the default if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timing: Option<CaptionTiming>,
    pub style: SubtitleStyle,
}

impl Subtitle {
    /// The captions of a file.
    pub fn of_file(url: impl Into<String>, style: SubtitleStyle) -> Self {
        Self { source: CaptionSource::Url(url.into()), timing: None, style }
    }

    /// The URL of the file, if the captions come from one.
    pub fn url(&self) -> Option<&str> {
        match &self.source {
            CaptionSource::Url(url) => Some(url),
            CaptionSource::Text(_)
            | CaptionSource::Cues(_)
            | CaptionSource::Transcript(_)
            | CaptionSource::Scenes => None,
        }
    }

    /// Whether the captions follow the voice, if there is one.
    pub fn follows_voice(&self) -> bool {
        self.text().is_some() && self.timing != Some(CaptionTiming::Even)
    }

    /// The audio whose transcript is shown.
    pub fn transcribed(&self) -> Option<TranscribedAudio> {
        match self.source {
            CaptionSource::Transcript(audio) => Some(audio),
            _ => None,
        }
    }

    /// The text that is to be split into captions.
    pub fn text(&self) -> Option<&str> {
        match &self.source {
            CaptionSource::Text(text) => Some(text),
            CaptionSource::Url(_)
            | CaptionSource::Cues(_)
            | CaptionSource::Transcript(_)
            | CaptionSource::Scenes => None,
        }
    }
}

/// Where captions come from. The names are those of the request's fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaptionSource {
    /// An SRT or VTT file.
    Url(String),
    /// A text without times, which is split into captions.
    Text(String),
    /// Captions with their times, in any order.
    Cues(Vec<InlineCue>),
    /// What is spoken, transcribed by the speech service.
    #[serde(rename = "from")]
    Transcript(TranscribedAudio),
    /// The texts of the scenes of a proVideoMix.
    Scenes,
}

impl CaptionSource {
    pub fn field(&self) -> &'static str {
        match self {
            Self::Url(_) => "url",
            Self::Text(_) => "text",
            Self::Cues(_) => "cues",
            Self::Transcript(_) => "from",
            Self::Scenes => "style",
        }
    }
}

/// The audio that is transcribed for captions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TranscribedAudio {
    /// The voice-over, and the audio of the scenes.
    Voice,
    /// The clips' own audio.
    Clips,
}

/// How the captions of a text get their times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaptionTiming {
    /// By the pauses of the voice that speaks them.
    Voice,
    /// By the length of their texts.
    Even,
}
