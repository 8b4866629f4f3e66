//! Subtitles: SRT and VTT in, our own ASS out.
//!
//! Files are parsed here and written anew, so nothing a client puts into a subtitle file reaches the
//! renderer's own syntax. Cues are laid out on the whole timeline before it is cut into segments.

use serde::{Deserialize, Serialize};

/// One caption as the file has it: plain text without markup, lines separated by `\n`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cue {
    pub start_ms: u64,
    pub end_ms: u64,
    pub text: String,
}

/// The captions in view during one segment, times relative to its start, places computed: everything
/// about the text that shapes the picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaptionView {}

/// What laying out needs to know of a font; lengths in em.
pub trait FontMetrics: Send + Sync {
    fn family(&self) -> &str;
    fn advance(&self, c: char) -> Option<f64>;
}

/// Captions of a whole output.
pub struct CaptionTrack;

impl CaptionTrack {
    pub fn view(&self, _start: crate::time::Frames, _len: crate::time::Frames) -> Option<CaptionView> {
        None
    }
    pub fn missing_glyphs(&self) -> &[char] {
        &[]
    }
    pub fn warnings(&self) -> &[String] {
        &[]
    }
}

pub fn lay_out(
    _cues: &[Cue],
    _style: &crate::request::model::SubtitleStyle,
    _size: crate::media::Size,
    _fps: crate::time::Fps,
    _total: crate::time::Frames,
    _font: &dyn FontMetrics,
) -> CaptionTrack {
    CaptionTrack
}

impl CaptionView {
    pub fn to_ass(&self) -> String {
        String::new()
    }
}
