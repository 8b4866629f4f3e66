//! Breaks text into lines that fit a width, by Unicode's rules and the font's widths.

use std::ops::Range;

use unicode_linebreak::linebreaks;
use unicode_segmentation::UnicodeSegmentation;

use super::direction::Direction;
use super::emoji::can_have_emoji;
use super::font::{Cluster, FontMetrics, is_invisible, is_pictograph};
use super::western::western_marks;

/// How many characters without a glyph are remembered; a list for a warning needs no more.
const MAX_MISSING: usize = 32;
/// The advance of an emoji, in em.
pub const EMOJI_ADVANCE: f64 = 1.25;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Line {
    pub text: String,
    /// The width in em.
    pub width: f64,
    /// The parts of the text that are emoji, each with its distance in em from the line's left end.
    pub emoji: Vec<(Range<usize>, f64)>,
    /// The places of punctuation that belongs to Western text.
    pub western: Vec<usize>,
    /// The mark that gives the line its direction, if its letters do not.
    pub direction: Option<char>,
}

/// Measures text and remembers characters that no font can draw.
pub struct Measure<'a> {
    font: &'a dyn FontMetrics,
    missing: Vec<char>,
}

impl<'a> Measure<'a> {
    pub fn new(font: &'a dyn FontMetrics) -> Self {
        Self { font, missing: Vec::new() }
    }

    /// Distinct characters without a glyph, in order of appearance.
    pub fn into_missing(self) -> Vec<char> {
        self.missing
    }

    /// Breaks text into lines at most `max_width` em wide, and as even in length as that number of lines allows.
    /// Pictographs that no font can draw are skipped, possibly leaving no line.
    pub fn wrap(&mut self, text: &str, max_width: f64) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut previous = None;
        for line in text.split('\n') {
            let (drawn, emoji) = self.drawn(line.trim());
            let drawn = drawn.trim_end();
            let clusters = with_emoji(self.font.clusters(drawn), &emoji);
            let mut wrapped = wrap_line(&pieces(drawn, &clusters, max_width), max_width);
            add_places(&mut wrapped, drawn, &clusters, &emoji);
            let direction = Direction::of_line(drawn, text, previous);
            wrapped.iter_mut().for_each(|line| line.direction = direction.mark(&line.text));
            lines.extend(wrapped);
            previous = Some(direction);
        }
        lines
    }

    /// The part of a line that is drawn, and which parts of that are emoji.
    fn drawn(&mut self, line: &str) -> (String, Vec<Range<usize>>) {
        let (mut drawn, mut emoji) = (String::with_capacity(line.len()), Vec::new());
        let has_pictures = can_have_emoji(line);
        for grapheme in line.graphemes(true) {
            if has_pictures && !grapheme.is_ascii() && self.font.is_emoji(grapheme) {
                emoji.push(drawn.len()..drawn.len() + grapheme.len());
                drawn.push_str(grapheme);
            } else if !(drawn.is_empty() && grapheme.trim().is_empty()) {
                drawn.extend(grapheme.chars().filter(|c| self.keeps(*c)));
            }
        }
        (drawn, emoji)
    }

    fn keeps(&mut self, c: char) -> bool {
        let is_drawn = is_invisible(c) || self.font.advance(c).is_some();
        if !is_drawn && self.missing.len() < MAX_MISSING && !self.missing.contains(&c) {
            self.missing.push(c);
        }
        is_drawn || !is_pictograph(c)
    }
}

/// Makes each emoji one cluster, whatever clusters the font forms of its characters.
fn with_emoji(clusters: Vec<Cluster>, emoji: &[Range<usize>]) -> Vec<Cluster> {
    if emoji.is_empty() {
        return clusters;
    }
    let is_text = |cluster: &Cluster| !emoji.iter().any(|own| own.contains(&cluster.at));
    let clusters_of_emoji = emoji.iter().map(|own| Cluster { at: own.start, advance: EMOJI_ADVANCE });
    let mut all: Vec<Cluster> = clusters.into_iter().filter(is_text).chain(clusters_of_emoji).collect();
    all.sort_by_key(|cluster| cluster.at);
    all
}

/// Adds to the lines of `text` the places of the emoji and of the Western punctuation in them.
fn add_places(lines: &mut [Line], text: &str, clusters: &[Cluster], emoji: &[Range<usize>]) {
    let western = western_marks(text);
    if emoji.is_empty() && western.is_empty() {
        return;
    }
    let mut from = 0;
    for line in lines {
        // Spaces between lines belong to no line.
        let start = text.get(from..).and_then(|rest| rest.find(&line.text)).map_or(from, |at| from + at);
        let end = start + line.text.len();
        from = end;
        let own = emoji.iter().filter(|own| own.start >= start && own.end <= end);
        let left = |at: usize| {
            let before = clusters.iter().filter(|cluster| (start..at).contains(&cluster.at));
            before.map(|cluster| cluster.advance).sum()
        };
        line.emoji = own.map(|own| (own.start - start..own.end - start, left(own.start))).collect();
        let own = western.iter().filter(|at| (start..end).contains(at));
        line.western = own.map(|at| at - start).collect();
    }
}

/// Splits a line into unbreakable pieces: between two break opportunities, or single clusters if one is too wide.
fn pieces<'t>(line: &'t str, clusters: &[Cluster], max_width: f64) -> Vec<Piece<'t>> {
    let mut pieces = Vec::new();
    let (mut from, mut rest) = (0, clusters);
    for (to, _) in linebreaks(line).filter(|(to, _)| !is_in_korean_word(line, *to)) {
        let (own, after) = rest.split_at(rest.partition_point(|cluster| cluster.at < to));
        let piece = piece(line, (from, to), own);
        if piece.ink > max_width {
            split(line, (from, to), own, &mut pieces);
        } else {
            pieces.push(piece);
        }
        (from, rest) = (to, after);
    }
    pieces
}

/// Korean is read by words, between which it has spaces; Unicode's rules allow breaks between all syllables.
fn is_in_korean_word(line: &str, at: usize) -> bool {
    let is_hangul =
        |c: char| matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7ff}');
    let (before, after) = (line.get(..at).unwrap_or_default(), line.get(at..).unwrap_or_default());
    before.chars().next_back().is_some_and(is_hangul) && after.chars().next().is_some_and(is_hangul)
}

/// Makes a piece of a part of a line, with its clusters.
fn piece<'t>(line: &'t str, (from, to): (usize, usize), clusters: &[Cluster]) -> Piece<'t> {
    let text = line.get(from..to).unwrap_or_default();
    let ink_ends = from + text.trim_end().len();
    let width = |clusters: &[Cluster]| clusters.iter().map(|cluster| cluster.advance).sum();
    let ink = clusters.partition_point(|cluster| cluster.at < ink_ends);
    Piece { text, full: width(clusters), ink: width(clusters.get(..ink).unwrap_or_default()) }
}

/// Splits a part into single clusters, and never inside a character as readers perceive it.
fn split<'t>(line: &'t str, (from, to): (usize, usize), clusters: &[Cluster], pieces: &mut Vec<Piece<'t>>) {
    let is_space = |at: usize| line.get(at..).is_some_and(|rest| rest.starts_with(char::is_whitespace));
    let part = line.get(from..to).unwrap_or_default();
    let starts: Vec<usize> = part.grapheme_indices(true).map(|(at, _)| from + at).collect();
    let begins = |cluster: &Cluster| {
        cluster.advance > 0.0 && !is_space(cluster.at) && starts.binary_search(&cluster.at).is_ok()
    };
    let (mut start, mut rest) = (from, clusters);
    while let Some(next) = rest.iter().skip(1).position(begins) {
        let (own, after) = rest.split_at(next + 1);
        let end = after.first().map_or(to, |cluster| cluster.at);
        pieces.push(piece(line, (start, end), own));
        (start, rest) = (end, after);
    }
    pieces.push(piece(line, (start, to), rest));
}

/// Text between two break opportunities, with its width with and without the space at its end.
#[derive(Debug, Clone, Copy)]
struct Piece<'t> {
    text: &'t str,
    full: f64,
    ink: f64,
}

fn wrap_line(pieces: &[Piece<'_>], max_width: f64) -> Vec<Line> {
    let ends = greedy(pieces, even_width(pieces, max_width));
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(&ends).map(|(from, to)| join(pieces.get(from..*to).unwrap_or_default())).collect()
}

/// The smallest width at which there are no more lines than with `max_width`.
fn even_width(pieces: &[Piece<'_>], max_width: f64) -> f64 {
    let lines = greedy(pieces, max_width).len();
    if lines < 2 {
        return max_width;
    }
    let (mut low, mut high) = (0.0, max_width);
    for _ in 0..12 {
        let middle = (low + high) / 2.0;
        if greedy(pieces, middle).len() > lines { low = middle } else { high = middle }
    }
    high
}

/// For each line the index after its last piece.
fn greedy(pieces: &[Piece<'_>], max_width: f64) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut width = 0.0;
    for (i, piece) in pieces.iter().enumerate() {
        if width > 0.0 && width + piece.ink > max_width {
            ends.push(i);
            width = 0.0;
        }
        width += piece.full;
    }
    if !pieces.is_empty() {
        ends.push(pieces.len());
    }
    ends
}

fn join(pieces: &[Piece<'_>]) -> Line {
    let text: String = pieces.iter().map(|piece| piece.text).collect();
    let space_at_end = pieces.last().map_or(0.0, |piece| piece.full - piece.ink);
    let width = pieces.iter().map(|piece| piece.full).sum::<f64>() - space_at_end;
    Line { text: text.trim_end().to_owned(), width, ..Line::default() }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A font for tests: half an em for everything below U+1100, one em above; no emoji and no private characters.
    pub struct Grid;

    impl FontMetrics for Grid {
        fn family(&self) -> &str {
            "Grid"
        }
        fn identity(&self) -> &str {
            "grid-1"
        }
        fn em_to_ass(&self) -> f64 {
            1.25
        }
        fn ascent(&self) -> f64 {
            1.0
        }
        fn descent(&self) -> f64 {
            0.25
        }
        fn advance(&self, c: char) -> Option<f64> {
            match c {
                '\u{300}'..='\u{36f}' => Some(0.0),
                '\u{e000}'..='\u{f8ff}' | '\u{1f000}'.. => None,
                '\u{1100}'.. => Some(1.0),
                _ => Some(0.5),
            }
        }
    }

    fn check(text: &str, max_width: f64, expected: &[(&str, f64)]) {
        let lines = Measure::new(&Grid).wrap(text, max_width);
        let actual: Vec<_> = lines.iter().map(|line| (line.text.as_str(), line.width)).collect();
        assert_eq!(actual, expected, "{text:?}");
    }

    #[test]
    fn lines_break_at_spaces_and_come_out_even() {
        check("short", 10.0, &[("short", 2.5)]);
        check("one two three four", 7.0, &[("one two", 3.5), ("three four", 5.0)]);
        check("a b\nc", 7.0, &[("a b", 1.5), ("c", 0.5)]);
    }

    #[test]
    fn chinese_breaks_anywhere_but_before_closing_marks() {
        check("一二三四五六七八九十", 6.0, &[("一二三四五", 5.0), ("六七八九十", 5.0)]);
        check("一二三四。五六", 4.0, &[("一二三", 3.0), ("四。五六", 4.0)]);
    }

    #[test]
    fn a_word_too_long_is_broken_by_characters() {
        check("abcdefgh", 2.0, &[("abcd", 2.0), ("efgh", 2.0)]);
        check("e\u{301}e\u{301}e\u{301}", 0.5, &[("e\u{301}", 0.5); 3]);
        check("中", 0.1, &[("中", 1.0)]);
    }

    #[test]
    fn characters_without_a_glyph_are_remembered_once() {
        let mut measure = Measure::new(&Grid);
        let lines = measure.wrap("a\u{1f600}\u{fe0f}b\u{1f600}\u{1f601}\u{e000}\n\u{1f600}", 100.0);
        assert_eq!(lines, [Line { text: "a\u{fe0f}b\u{e000}".to_owned(), width: 2.0, ..Line::default() }]);
        assert_eq!(measure.into_missing(), ['\u{1f600}', '\u{1f601}', '\u{e000}']);
    }
}
