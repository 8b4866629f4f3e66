//! Subtitles: SRT and VTT in, our own ASS out.
//!
//! Files are parsed here and written anew, so nothing a client puts into a subtitle file reaches the
//! renderer's own syntax. Cues are laid out on the whole timeline before it is cut into segments, each
//! line at a computed place, so the renderer neither wraps nor moves anything and no line jumps at a cut.
//!
//! Deliberately absent: karaoke, positions and colours from the file. Where text stands and how it looks
//! is the request's business.

mod ass;
mod backing;
mod decode;
mod font;
mod layout;
mod markup;
mod parse;
mod runs;
mod stack;
mod timing;
mod view;
mod wrap;

use serde::{Deserialize, Serialize};

use crate::message::{self, Message};

pub use font::{Cluster, FontMetrics, Substitute, UNKNOWN_ADVANCE, is_invisible};
pub use layout::{CaptionTrack, lay_out};
pub use parse::parse;
pub use view::CaptionView;

/// One caption as the file has it: plain text without markup, lines separated by `\n`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cue {
    pub start_ms: u64,
    pub end_ms: u64,
    pub text: String,
}

/// Why a subtitle file cannot be used. `line` counts from 1; 0 stands for the file as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", told(*line, message))]
pub struct SubtitleError {
    pub line: usize,
    pub message: Message,
}

impl SubtitleError {
    /// With the line, where one is to blame.
    pub fn told(&self) -> Message {
        told(self.line, &self.message)
    }

    fn at(line: usize, message: Message) -> Self {
        Self { line, message }
    }

    fn whole(message: Message) -> Self {
        Self::at(0, message)
    }
}

fn told(line: usize, message: &Message) -> Message {
    if line == 0 { message.clone() } else { message::at_line(line, message) }
}
