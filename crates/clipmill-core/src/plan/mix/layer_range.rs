//! Ranges of video layers.

use std::ops::Range;

use crate::time::Frames;

/// Frames of a layer that a segment shows one after another from one input.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct LayerRange {
    /// Frames of the layer, counted from the beginning of its file or of a repetition of it.
    pub begin: Frames,
    pub end: Frames,
    /// The first frame of the segment that shows it.
    pub at: Frames,
}

impl LayerRange {
    pub fn frames(&self) -> Frames {
        Frames(self.end.0 - self.begin.0)
    }

    /// The frames of the segment that show it.
    pub fn shown(&self) -> Range<Frames> {
        self.at..self.at + self.frames()
    }
}
