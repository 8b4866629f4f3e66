//! The findings of checks of segments and outputs, as they are stored and returned.

use clipmill_core::message::Message;
use clipmill_core::similarity::FrameHashes;
use serde::{Deserialize, Serialize};

use cover::Candidate;

pub mod cover;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Findings {
    pub black_frames: u64,
    pub frozen_frames: u64,
    /// The damage because of which the source had to be decoded leniently, in English; `None` if it is intact.
    pub(crate) damage: Option<String>,
    /// The same message as a code with its parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) damage_code: Option<String>,
    /// The frame that is best as a cover.
    pub cover: Option<Candidate>,
    /// The time spent on rendering and checking the segment.
    pub made_ms: u64,
    /// Runs that reach the ends of a video; `None` for audio, and for video of earlier releases that is not in parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<Edges>,
    /// Hashes of its frames; `None` for audio, and for segments of earlier releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pictures: Option<FrameHashes>,
}

impl Findings {
    pub fn with_damage(self, damage: Option<&Message>) -> Self {
        let english = damage.map(|message| message.english().to_owned());
        Self { damage: english, damage_code: damage.and_then(Message::stored_code), ..self }
    }

    pub fn damage(&self) -> Option<Message> {
        Some(Message::of_stored(self.damage.clone()?, self.damage_code.as_deref()))
    }
}

/// Frames of runs that begin with the segment's first frame, and that end with its last one, of any length.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edges {
    pub black: [u64; 2],
    pub frozen: [u64; 2],
    /// The frames of the segment: a run this long reaches both ends. 0 if an earlier release did not store it.
    #[serde(default)]
    pub frames: u64,
    /// Small luma of the first and of the last frame, if they are still.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub tips: [Option<Vec<u8>>; 2],
}

fn is_nothing(tips: &[Option<Vec<u8>>; 2]) -> bool {
    tips.iter().all(Option::is_none)
}

/// The results of checking a finished output, for the client (`items[].quality`).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Quality {
    pub frames_planned: u64,
    pub frames_found: u64,
    /// The end of the longest stream minus the planned length.
    pub duration_error_ms: f64,
    /// The end of audio minus the end of video; `None` without audio.
    pub av_difference_ms: Option<f64>,
    /// Integrated loudness of the finished audio; `None` for silence or no audio.
    pub loudness_lufs: Option<f64>,
    /// True peak of the finished audio in dBTP.
    pub true_peak_dbtp: Option<f64>,
    /// Length of black and of still stretches, from the checks of the segments.
    pub black_seconds: f64,
    pub frozen_seconds: f64,
    /// Seconds of output for each second spent on it: on rendering each of its segments, at any time and for any task,
    /// and on assembling it.
    pub speed: Option<f64>,
}
