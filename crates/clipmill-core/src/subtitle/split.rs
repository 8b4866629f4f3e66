//! Splits a text into captions of at most two lines: at line ends, then between sentences, clauses and words.

use icu_segmenter::options::{SentenceBreakInvariantOptions, WordBreakInvariantOptions};
use icu_segmenter::{SentenceSegmenter, WordSegmenter};
use unicode_segmentation::UnicodeSegmentation;

use super::CaptionText;
use super::breaks::{Boundary, Break, LineBreaker, ends_in_abbreviation};
use super::font::{FontMetrics, font_of};
use super::layout::line_limits;
use super::markup::shown_lines;
use super::parts::drawn_text;
use super::reading::reading_units;
use super::style::SubtitleStyle;
use super::wrap::Measure;
use crate::size::Size;

const MAX_LINES: usize = 2;

/// The texts of captions, in order; each fits into two lines of this style, if it has more than one character.
pub fn split_text(text: &str, style: &SubtitleStyle, size: Size, font: &dyn FontMetrics) -> Vec<CaptionText> {
    let font = font_of(style, font);
    let (width, rows) = line_limits(style, size, font);
    let mut splitter = Splitter {
        style,
        font,
        measure: Measure::new(font),
        breaker: LineBreaker::new(),
        width,
        rows: rows.min(MAX_LINES),
        texts: Vec::new(),
    };
    for line in shown_lines(text).split('\n') {
        sentences(line).into_iter().for_each(|sentence| splitter.split_sentence(sentence));
    }
    splitter.texts
}

struct Splitter<'a> {
    style: &'a SubtitleStyle,
    font: &'a dyn FontMetrics,
    measure: Measure<'a>,
    breaker: LineBreaker,
    /// The widest line in em.
    width: f64,
    /// The maximum number of lines in a caption.
    rows: usize,
    texts: Vec<CaptionText>,
}

impl Splitter<'_> {
    fn split_sentence(&mut self, sentence: &str) {
        let before = self.texts.len();
        self.split(sentence);
        if let Some(last) = self.texts.get_mut(before..).and_then(<[_]>::last_mut) {
            last.ends_sentence = true;
        }
    }

    /// Adds a text, in as few captions of about equal length as it needs.
    fn split(&mut self, text: &str) {
        let text = text.trim();
        let drawn = drawn_text(text, self.style, self.font);
        let rows = self.measure.wrap(&drawn, self.width).len();
        let captions = rows.div_ceil(self.rows.max(1));
        let place = if captions > 1 { place_near(text, captions / 2, captions, &self.breaker) } else { None };
        match place.and_then(|at| text.split_at_checked(at)) {
            Some((before, after)) => {
                self.split(before);
                self.split(after);
            }
            None if text.is_empty() => {}
            None => self.texts.push(CaptionText { text: text.to_owned(), ends_sentence: false }),
        }
    }
}

/// The sentences of a line. A sentence of a single word is joined with the next one, and the last with the previous one.
pub(super) fn sentences(line: &str) -> Vec<&str> {
    let mut starts = vec![0];
    let (mut segment_start, mut words) = (0, 0);
    let segmenter = SentenceSegmenter::new(SentenceBreakInvariantOptions::default());
    for end in segmenter.segment_str(line).filter(|end| *end > 0) {
        let segment = line.get(segment_start..end).unwrap_or_default();
        segment_start = end;
        words += words_up_to_two(segment);
        if words > 1 && !ends_in_abbreviation(segment) {
            starts.push(end);
            words = 0;
        }
    }
    let has_rest = starts.last().is_some_and(|start| *start < line.len());
    if has_rest && words < 2 && starts.len() > 1 {
        starts.pop();
    }
    let ends = starts.iter().skip(1).copied().chain([line.len()]);
    starts.iter().zip(ends).filter_map(|(start, end)| line.get(*start..end)).collect()
}

/// The number of words in a text of any script, at most 2.
fn words_up_to_two(text: &str) -> usize {
    let ends = WordSegmenter::new_auto(WordBreakInvariantOptions::default()).segment_str(text);
    let mut start = 0;
    let words =
        ends.filter(|end| is_word(text.get(std::mem::replace(&mut start, *end)..*end).unwrap_or_default()));
    words.take(2).count()
}

/// Whether a segment is a word. The segmenter's own answer is wrong for words that end with a mark, as in Hindi.
pub(super) fn is_word(segment: &str) -> bool {
    segment.contains(char::is_alphanumeric)
}

/// The place at which the first `part` of `all` captions should end: after a clause if one ends nearby, otherwise after a
/// word. Only a word that is longer than a line is split, between characters as readers perceive them.
fn place_near(text: &str, part: usize, all: usize, breaker: &LineBreaker) -> Option<usize> {
    let all = all.max(2) as u64;
    let total = reading_units(text);
    let target = total * part as u64 / all;
    let nearest = |places: &[usize], reach: u64| {
        let (mut best, mut units, mut from) = (None, 0, 0);
        for &at in places {
            units += reading_units(text.get(from..at).unwrap_or_default());
            from = at;
            let distance = units.abs_diff(target);
            if distance <= reach && best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, at));
            }
        }
        best.map(|(_, at)| at)
    };
    let ends = breaker.word_ends(text);
    let breaks: Vec<Break> = breaker.breaks(text).into_iter().filter(|place| place.at < text.len()).collect();
    let places = |kinds: &[Boundary]| -> Vec<usize> {
        let wanted = breaks.iter().filter(|place| kinds.contains(&place.boundary));
        wanted.map(|place| place.at).filter(|at| ends.binary_search(at).is_ok()).collect()
    };
    let clauses = places(&[Boundary::Sentence, Boundary::Clause]);
    let words = places(&[Boundary::Sentence, Boundary::Clause, Boundary::Word]);
    let others = || {
        places(&[
            Boundary::Sentence,
            Boundary::Clause,
            Boundary::Word,
            Boundary::Particle,
            Boundary::Uncertain,
        ])
    };
    let characters = || -> Vec<usize> { text.grapheme_indices(true).map(|(at, _)| at).skip(1).collect() };
    nearest(&clauses, total / (3 * all))
        .or_else(|| nearest(&words, total / (3 * all)))
        .or_else(|| nearest(&others(), total / (2 * all)))
        .or_else(|| nearest(&characters(), total))
}

#[cfg(test)]
mod tests;
