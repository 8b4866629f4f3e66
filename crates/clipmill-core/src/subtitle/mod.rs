//! Subtitles: reads SRT, VTT and captions in a request, writes ASS.
//!
//! Captions are parsed and generated again, so no content of a file or request reaches the renderer's own syntax. Cues are
//! laid out on the whole timeline before it is split into segments, each line at a computed position, so the renderer
//! neither wraps nor moves anything and no line jumps at a cut.
//!
//! Positions and colours in the file are ignored on purpose: the request determines the position and style of text.
//! Only the times of words are used, if the request wants spoken words highlighted.

mod alignment;
mod ass;
mod backing;
mod balance;
mod breaks;
pub(crate) mod decode;
mod direction;
mod emoji;
mod font;
mod inline;
mod layout;
mod markup;
mod motion;
mod parse;
mod parts;
mod pixels;
mod preset;
mod reading;
mod runs;
mod scene;
mod split;
mod spoken;
mod stack;
mod style;
mod tally;
mod timing;
mod transcript;
mod view;
mod western;
mod word_timing;
mod wrap;

use serde::{Deserialize, Serialize};

use crate::message::{self, Message};

pub use alignment::{AlignedCues, AlignmentError, Pauses, align_to_voice};
pub use ass::to_ass;
pub(crate) use emoji::count_emoji;
pub use emoji::{MAX_EMOJI, is_emoji};
pub use font::{Cluster, FontFile, FontMetrics, Substitute, UNKNOWN_ADVANCE, is_invisible, not_installed};
pub use inline::{InlineCue, InlineWord, WordFault, inline_cues, is_blank};
pub use layout::{CaptionTrack, TextPlace, lay_out, lay_out_text};
pub use parse::parse;
pub(crate) use reading::is_wide;
pub use reading::{EvenCues, spread_evenly};
pub use split::split_text;
pub use style::{
    CaptionPlace, CaptionPreset, Highlight, Motion, OwnFields, PresetUse, Rgba, STYLE_FIELDS, SubtitleStyle,
    Weight, WordDisplay,
};
pub use transcript::{RecognizedWord, Transcript, TranscriptWord};
pub use view::{CaptionView, EmojiMove, EmojiUse};
pub use western::western_marks;

/// How many skipped cues a warning lists.
const MAX_LISTED: usize = 3;

/// The text of a caption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptionText {
    pub text: String,
    /// Whether a sentence or a line of the text ends with it.
    pub ends_sentence: bool,
}

/// One caption as the file or request has it: plain text without markup, lines separated by `\n`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cue {
    pub start_ms: u64,
    pub end_ms: u64,
    pub text: String,
    /// The times at which words are spoken, as the file gives them: in the order of the text, unchecked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<InlineTime>,
}

/// From byte `at` of the text on, words are spoken at this time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct InlineTime {
    pub at: usize,
    pub ms: u64,
}

impl Cue {
    /// The same cue, later by `ms`.
    pub fn later(&self, ms: u64) -> Self {
        let times = self.times.iter().map(|time| InlineTime { ms: time.ms.saturating_add(ms), ..*time });
        Self {
            start_ms: self.start_ms.saturating_add(ms),
            end_ms: self.end_ms.saturating_add(ms),
            text: self.text.clone(),
            times: times.collect(),
        }
    }
}

/// A parsed subtitle file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subtitles {
    /// Sorted by start.
    pub cues: Vec<Cue>,
    pub skipped: SkippedCues,
}

/// The cues of a file that cannot be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkippedCues {
    count: usize,
    /// The first few in the order of the file.
    first: Vec<SubtitleError>,
}

impl SkippedCues {
    fn add(&mut self, reason: SubtitleError) {
        self.count += 1;
        if self.first.len() < MAX_LISTED {
            self.first.push(reason);
        }
    }

    /// One warning for all of them; `None` if every cue is used.
    pub fn warning(&self) -> Option<Message> {
        let mut reasons: Vec<Message> = self.first.iter().map(SubtitleError::message).collect();
        match self.count {
            0 => None,
            1 => reasons.pop().map(message::cue_skipped),
            count => {
                let unlisted = count - reasons.len();
                reasons.extend((unlisted > 0).then(|| message::more_cues_skipped(unlisted)));
                Some(message::cues_skipped(count, reasons))
            }
        }
    }
}

/// The reason why a subtitle file, or a cue of it, cannot be used. `line` counts from 1; 0 means the file as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", message_of_line(*line, message))]
pub struct SubtitleError {
    pub line: usize,
    pub message: Message,
}

impl SubtitleError {
    /// The reason with its line number, if it concerns one line.
    pub fn message(&self) -> Message {
        message_of_line(self.line, &self.message)
    }

    fn at(line: usize, message: Message) -> Self {
        Self { line, message }
    }

    fn whole(message: Message) -> Self {
        Self::at(0, message)
    }
}

fn message_of_line(line: usize, message: &Message) -> Message {
    if line == 0 { message.clone() } else { message::at_line(line, message) }
}
