//! The timeline of one output in the terms of editing programs: tracks of clips with in-points in their original files,
//! transitions, levels and captions. `otio` writes it as OpenTimelineIO, `srt` its captions.

mod otio;
mod srt;

use std::ops::Range;

use serde_json::Value;

use crate::media::{ContentHash, Size};
use crate::time::{Fps, Frames};

pub use otio::{MediaTarget, to_otio};
pub use srt::to_srt;

/// One output as an editing program shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct EditorialTimeline {
    pub fps: Fps,
    pub size: Size,
    pub frames: Frames,
    /// The lowest track first; lengths are frames of the output.
    pub video: Vec<EditorialTrack>,
    /// Lengths are samples at [`crate::time::SAMPLE_RATE`].
    pub audio: Vec<EditorialTrack>,
    pub captions: Vec<EditorialCaption>,
    /// The files of all clips, each once.
    pub media: Vec<EditorialMedia>,
    /// Options that editing programs have no field for.
    pub details: Value,
}

/// Clips one after another.
#[derive(Debug, Clone, PartialEq)]
pub struct EditorialTrack {
    pub name: String,
    pub items: Vec<EditorialItem>,
    pub details: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub enum EditorialItem {
    Gap(u64),
    Clip(EditorialClip),
    Transition(EditorialTransition),
}

/// A range of a file, or a text.
#[derive(Debug, Clone, PartialEq)]
pub struct EditorialClip {
    pub content: ClipContent,
    /// The length on the timeline.
    pub length: u64,
    pub playback: Playback,
    /// The gain of its audio; 1 is unchanged.
    pub gain: f64,
    pub details: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ClipContent {
    /// A file of [`EditorialTimeline::media`] from this time on, in seconds after its first frame or sample.
    Media {
        index: usize,
        start_s: f64,
    },
    Text(String),
}

/// How a clip plays its file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Playback {
    /// At this speed; 1 is unchanged.
    Speed(f64),
    /// One frame is held.
    Freeze,
}

impl Playback {
    pub const PLAIN: Self = Self::Speed(1.0);
}

/// A transition at a cut. At the edge of silence it is a fade of audio.
#[derive(Debug, Clone, PartialEq)]
pub struct EditorialTransition {
    pub name: &'static str,
    /// How far it reaches into the clip before the cut, and into the one after it.
    pub before: u64,
    pub after: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct EditorialCaption {
    pub shown: Range<Frames>,
    pub text: String,
}

/// A file that clips use.
#[derive(Debug, Clone, PartialEq)]
pub struct EditorialMedia {
    pub url: String,
    pub content: ContentHash,
    pub size_bytes: u64,
    /// Names of the container, separated by commas.
    pub format: String,
    pub kind: EditorialMediaKind,
    /// The length; 0 for an image.
    pub duration_s: f64,
    /// When its audio ends, in seconds after its first frame or sample; 0 without audio.
    pub audio_end_s: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EditorialMediaKind {
    /// Frames per second.
    Video(f64),
    Image,
    Audio,
}

impl EditorialItem {
    /// Its length on the timeline.
    pub(crate) fn length(&self) -> u64 {
        match self {
            Self::Gap(length) => *length,
            Self::Clip(clip) => clip.length,
            Self::Transition(_) => 0,
        }
    }
}

impl EditorialTrack {
    /// Adds a gap, unless it is empty.
    pub(crate) fn gap(&mut self, length: u64) {
        if length > 0 {
            self.items.push(EditorialItem::Gap(length));
        }
    }

    /// Adds a transition. One that follows another directly becomes a part of it.
    pub(crate) fn transition(&mut self, added: EditorialTransition) {
        if added.before + added.after == 0 {
            return;
        }
        match self.items.last_mut() {
            Some(EditorialItem::Transition(last)) => {
                (last.before, last.after) = (last.before.max(added.before), last.after.max(added.after));
            }
            _ => self.items.push(EditorialItem::Transition(added)),
        }
    }
}
