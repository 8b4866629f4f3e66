//! What checks found in a segment and in an output, as it is kept and told.

use clipmill_core::message::Message;
use clipmill_core::similarity::PictureHashes;
use serde::{Deserialize, Serialize};

use crate::segment::cover::Candidate;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Findings {
    pub black_frames: u64,
    pub frozen_frames: u64,
    /// Why the source had to be decoded leniently; `None` where it is whole. In English, which is all that processes
    /// of the release before read: it may go two releases after codes came.
    pub(crate) damage: Option<String>,
    /// The same as a code with its parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) damage_code: Option<String>,
    /// The picture that would do best as a cover.
    pub cover: Option<Candidate>,
    /// Time spent on making and checking the segment.
    pub made_ms: u64,
    /// What reaches the ends of a picture; `None` for sound, and for pictures of former releases that are no parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<Edges>,
    /// Hashes of its pictures; `None` for sound, and for what former releases made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pictures: Option<PictureHashes>,
}

impl Findings {
    pub fn with_damage(self, damage: Option<&Message>) -> Self {
        let english = damage.map(|message| message.english().to_owned());
        Self { damage: english, damage_code: damage.and_then(Message::code), ..self }
    }

    pub fn damage(&self) -> Option<Message> {
        Some(Message::of_stored(self.damage.clone()?, self.damage_code.as_deref()))
    }
}

/// Frames from a segment's first one on, and up to its last one: runs of any length.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edges {
    pub black: [u64; 2],
    pub frozen: [u64; 2],
    /// Frames of the segment: a run as long as that reaches both ends. 0 where a former release did not say.
    #[serde(default)]
    pub frames: u64,
    /// Small luma of the first and of the last picture, where these stand still.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub tips: [Option<Vec<u8>>; 2],
}

fn is_nothing(tips: &[Option<Vec<u8>>; 2]) -> bool {
    tips.iter().all(Option::is_none)
}

/// What the check found in a finished output, for the client (`items[].quality`).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Quality {
    pub frames_planned: u64,
    pub frames_found: u64,
    /// End of the longest stream minus the planned length.
    pub duration_error_ms: f64,
    /// End of sound minus end of picture; `None` without sound.
    pub av_difference_ms: Option<f64>,
    /// Integrated loudness of the finished sound; `None` for silence or no sound.
    pub loudness_lufs: Option<f64>,
    /// True peak of the finished sound in dBTP.
    pub true_peak_dbtp: Option<f64>,
    /// Length of black and of still pictures, from the checks of the segments.
    pub black_seconds: f64,
    pub frozen_seconds: f64,
    /// Seconds of output for each second spent on it: on making each of its segments, whenever and for whomever
    /// that was, and on finishing.
    pub speed: Option<f64>,
}
