//! Adds to lines their words: when they are spoken, where they are, and how they move.

use super::breaks::LineBreaker;
use super::font::FontMetrics;
use super::motion::Progress;
use super::parts::Part;
use super::pixels::thousandths;
use super::style::{Motion, SubtitleStyle, WordDisplay};
use super::tally::CueCounter;
use super::view::{Area, SpokenWord, TextLine};
use super::word_timing::words;
use super::wrap::Line;
use crate::time::{Fps, Frames};

/// The box of a word, in em: beside the letters, and above and below the baseline.
const BOX_PADDING_X: f64 = 0.14;
const BOX_ABOVE: f64 = 1.02;
const BOX_BELOW: f64 = 0.28;
/// A word that grows stays this far away from its neighbours, in em; its box only just reaches them.
const MIN_GAP: f64 = 0.08;
/// But it grows at least as much that it reaches this far, also where no spaces are between words.
const MIN_REACH: f64 = 0.1;
/// How far the box reaches below the line.
pub const BOX_PADDING_Y: f64 = 0.06;

/// Adds the words of lines and the times at which they are spoken.
pub struct Reader<'a> {
    style: &'a SubtitleStyle,
    fps: Fps,
    font: &'a dyn FontMetrics,
    breaker: LineBreaker,
    pub not_timed: CueCounter,
    pub not_read: CueCounter,
}

impl<'a> Reader<'a> {
    pub fn new(style: &'a SubtitleStyle, fps: Fps, font: &'a dyn FontMetrics) -> Self {
        let (not_timed, not_read) = (CueCounter::default(), CueCounter::default());
        Self { style, fps, font, breaker: LineBreaker::new(), not_timed, not_read }
    }

    /// Adds the words of a caption, if the style needs them. `origin` returns the left end and the baseline of a line, and
    /// the em.
    pub fn read(
        &mut self,
        part: &Part<'_>,
        lines: &mut [TextLine],
        origin: impl Fn(usize, &Line) -> (f64, f64, f64),
    ) {
        let grows = self.style.words == WordDisplay::Grow;
        if self.style.highlight.is_none() && !grows {
            return;
        }
        let words = words(&part.cue, &self.breaker);
        if words.are_off {
            self.not_timed.add(&part.cue);
        }
        if words.are_left_out {
            self.not_read.add(&part.cue);
        }
        let spoken = words.in_lines(&part.cue, &part.lines, part.end, self.fps);
        for (index, ((line, own), mut spoken)) in part.lines.iter().zip(lines).zip(spoken).enumerate() {
            if !grows {
                spoken.retain(|word| word.start < word.end);
            }
            spoken.iter_mut().for_each(|word| word.motion = self.motion_of(word, own));
            if self.needs_areas() {
                self.add_areas(&mut spoken, line, origin(index, line));
            }
            own.spoken = spoken;
        }
    }

    fn motion_of(&self, word: &SpokenWord, line: &TextLine) -> Option<Progress> {
        let shown = Frames(word.end.0.saturating_sub(word.start.0));
        if self.style.words == WordDisplay::Grow && self.style.motion != Motion::None {
            let own = line.letters.iter().filter(|at| (word.from..word.to).contains(at));
            return Progress::of(self.style.motion, own.count(), shown, self.fps);
        }
        self.scales().then(|| Progress::of_growth(shown, self.fps)).flatten()
    }

    fn scales(&self) -> bool {
        self.scale() > 1.0
    }

    fn scale(&self) -> f64 {
        self.style.highlight.and_then(|highlight| highlight.scale).unwrap_or(1.0)
    }

    fn needs_areas(&self) -> bool {
        let moves = self.style.words == WordDisplay::Grow && self.style.motion != Motion::None;
        self.has_box() || moves || self.scales()
    }

    fn has_box(&self) -> bool {
        self.style.highlight.is_some_and(|highlight| highlight.back_color.is_some())
    }

    fn add_areas(&self, spoken: &mut [SpokenWord], line: &Line, (left, baseline, em): (f64, f64, f64)) {
        let mut places = line.places(self.font);
        let is_space =
            |at: usize| line.text.get(at..).is_some_and(|rest| rest.starts_with(char::is_whitespace));
        places.retain(|(at, from, to)| from < to && !is_space(*at));
        for word in spoken {
            let is_own = |(at, _, _): &&(usize, f64, f64)| (word.from..word.to).contains(at);
            let own = places.iter().filter(is_own);
            let extent = own.fold(None, |extent: Option<(f64, f64)>, (_, from, to)| {
                let (least, most) = extent.unwrap_or((*from, *to));
                Some((least.min(*from), most.max(*to)))
            });
            let Some((from, to)) = extent else { continue };
            let others = places.iter().filter(|place| !is_own(place));
            let gaps = others.map(|(_, other_from, other_to)| (from - other_to).max(other_from - to));
            let gap = gaps.fold(f64::MAX, f64::min);
            word.scale = self.scale_within(gap, to - from);
            word.area = Some(Area {
                left: thousandths(left + (from - BOX_PADDING_X) * em),
                top: thousandths(baseline - BOX_ABOVE * em),
                right: thousandths(left + (to + BOX_PADDING_X) * em),
                bottom: thousandths(baseline + BOX_BELOW * em),
            });
        }
    }

    /// The size to which a word of this width grows if its nearest neighbour is `gap` away; 0 if it does not grow.
    fn scale_within(&self, gap: f64, width: f64) -> f64 {
        let margin = if self.has_box() { BOX_PADDING_X } else { MIN_GAP };
        let reach = (gap - margin).max(MIN_REACH);
        let scale = self.scale().min(1.0 + 2.0 * reach / width);
        if scale > 1.0 { thousandths(scale) } else { 0.0 }
    }
}
