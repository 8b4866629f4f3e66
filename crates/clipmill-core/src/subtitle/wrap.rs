//! Breaks text into lines that fit a width.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::balance::{LineFragment, line_ends};
use super::breaks::{Boundary, Break, LineBreaker};
use super::direction::{Direction, distances, lefts};
use super::emoji::is_emoji;
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

impl Line {
    /// The clusters of the line: where each begins in the text, and its left and right end in em from the line's left end. In
    /// the order of the text.
    pub fn places(&self, font: &dyn FontMetrics) -> Vec<(usize, f64, f64)> {
        let emoji: Vec<Range<usize>> = self.emoji.iter().map(|(own, _)| own.clone()).collect();
        let clusters = with_emoji(font.clusters(&self.text), &emoji);
        let lefts = distances(&without_emoji(&self.text, &emoji), self.direction, &clusters, &emoji);
        let place = |(cluster, left): (&Cluster, f64)| (cluster.at, left, left + cluster.advance);
        clusters.iter().zip(lefts).map(place).collect()
    }
}

/// Measures text and remembers characters that no font can draw.
pub struct Measure<'a> {
    font: &'a dyn FontMetrics,
    breaker: LineBreaker,
    missing: Vec<char>,
}

impl<'a> Measure<'a> {
    pub fn new(font: &'a dyn FontMetrics) -> Self {
        Self { font, breaker: LineBreaker::new(), missing: Vec::new() }
    }

    /// Distinct characters without a glyph, in order of appearance.
    pub fn into_missing(self) -> Vec<char> {
        self.missing
    }

    /// Breaks text into lines at most `max_width` em wide: after sentences and clauses where that leaves them even enough,
    /// otherwise as even as their number allows. Pictographs that no font can draw are skipped, possibly leaving no line.
    pub fn wrap(&mut self, text: &str, max_width: f64) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut previous = None;
        for line in text.split('\n') {
            let (drawn, emoji) = self.drawn(line.trim());
            let drawn = drawn.trim_end();
            let clusters = with_emoji(self.font.clusters(drawn), &emoji);
            let mut wrapped = self.lines(drawn, &clusters, max_width);
            let direction = Direction::of_line(&without_emoji(drawn, &emoji), text, previous);
            add_places(&mut wrapped, drawn, &clusters, &emoji, direction);
            lines.extend(wrapped);
            previous = Some(direction);
        }
        lines
    }

    fn lines(&self, line: &str, clusters: &[Cluster], max_width: f64) -> Vec<Line> {
        let width = total(clusters);
        if line.is_empty() {
            return Vec::new();
        }
        if width <= max_width {
            return vec![Line { text: line.to_owned(), width, ..Line::default() }];
        }
        let fragments = fragments(line, clusters, &self.breaker.breaks(line), max_width);
        let ends = line_ends(&fragments, max_width);
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(&ends).map(|(from, to)| join(fragments.get(from..*to).unwrap_or_default())).collect()
    }

    /// The part of a line that is drawn, and which parts of that are emoji.
    fn drawn(&mut self, line: &str) -> (String, Vec<Range<usize>>) {
        let (mut drawn, mut emoji) = (String::with_capacity(line.len()), Vec::new());
        let has_pictures = !line.is_ascii();
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

/// A text in which each emoji is the character as which the renderer treats its gap.
fn without_emoji(text: &str, emoji: &[Range<usize>]) -> String {
    let mut without = String::with_capacity(text.len());
    let mut from = 0;
    for own in emoji {
        without.push_str(text.get(from..own.start).unwrap_or_default());
        without.push('\u{fffc}');
        from = own.end;
    }
    without.push_str(text.get(from..).unwrap_or_default());
    without
}

/// Adds to the lines of `text` their direction, and the places of the emoji and of the Western punctuation in them.
fn add_places(
    lines: &mut [Line],
    text: &str,
    clusters: &[Cluster],
    emoji: &[Range<usize>],
    direction: Direction,
) {
    let western = western_marks(text);
    let mut from = 0;
    for line in lines {
        // Spaces between lines belong to no line.
        let start = text.get(from..).and_then(|rest| rest.find(&line.text)).map_or(from, |at| from + at);
        let end = start + line.text.len();
        from = end;
        let own = emoji.iter().filter(|own| own.start >= start && own.end <= end);
        let own: Vec<Range<usize>> = own.map(|own| own.start - start..own.end - start).collect();
        let drawn = without_emoji(&line.text, &own);
        line.direction = direction.mark(&drawn);
        if !own.is_empty() {
            let first = clusters.partition_point(|cluster| cluster.at < start);
            let last = clusters.partition_point(|cluster| cluster.at < end);
            let clusters = clusters.get(first..last).unwrap_or_default().iter();
            let clusters: Vec<Cluster> =
                clusters.map(|cluster| Cluster { at: cluster.at - start, ..*cluster }).collect();
            line.emoji = lefts(&drawn, line.direction, &clusters, own);
        }
        let own = western.iter().filter(|at| (start..end).contains(at));
        line.western = own.map(|at| at - start).collect();
    }
}

fn total(clusters: &[Cluster]) -> f64 {
    clusters.iter().map(|cluster| cluster.advance).sum()
}

/// Splits a line at its breaks. Words are split only if they are too wide: at breaks inside them, and between clusters
/// where that is not enough.
fn fragments<'t>(
    line: &'t str,
    clusters: &[Cluster],
    breaks: &[Break],
    max_width: f64,
) -> Vec<LineFragment<'t>> {
    let mut fragments = Vec::new();
    let (mut from, mut rest, mut breaks) = (0, clusters, breaks);
    while let Some(end) = breaks.iter().position(|place| place.boundary != Boundary::InsideWord) {
        let (inside, after) = breaks.split_at(end);
        let Some((place, after)) = after.split_first() else { break };
        let (own, other) = rest.split_at(rest.partition_point(|cluster| cluster.at < place.at));
        let word = fragment(line, (from, place.at), own, place.boundary);
        if word.ink > max_width {
            split_word(line, from, own, inside, *place, max_width, &mut fragments);
        } else {
            fragments.push(word);
        }
        (from, rest, breaks) = (place.at, other, after);
    }
    fragments
}

/// Splits a word that ends at `end` at the breaks inside it.
fn split_word<'t>(
    line: &'t str,
    start: usize,
    clusters: &[Cluster],
    inside: &[Break],
    end: Break,
    max_width: f64,
    fragments: &mut Vec<LineFragment<'t>>,
) {
    let (mut from, mut rest) = (start, clusters);
    for place in inside.iter().chain([&end]) {
        let (own, other) = rest.split_at(rest.partition_point(|cluster| cluster.at < place.at));
        let part = fragment(line, (from, place.at), own, place.boundary);
        if part.ink > max_width {
            split(line, (from, place.at), own, place.boundary, fragments);
        } else {
            fragments.push(part);
        }
        (from, rest) = (place.at, other);
    }
}

/// Makes a fragment of a part of a line, with its clusters.
fn fragment<'t>(
    line: &'t str,
    (from, to): (usize, usize),
    clusters: &[Cluster],
    boundary: Boundary,
) -> LineFragment<'t> {
    let text = line.get(from..to).unwrap_or_default();
    let ink_ends = from + text.trim_end().len();
    let ink = clusters.partition_point(|cluster| cluster.at < ink_ends);
    let letters = text.graphemes(true).filter(|grapheme| is_letter(grapheme)).take(2).count();
    LineFragment {
        text,
        full: total(clusters),
        ink: total(clusters.get(..ink).unwrap_or_default()),
        letters,
        boundary,
    }
}

/// Whether a character as readers perceive it is a letter, a digit or an emoji.
fn is_letter(grapheme: &str) -> bool {
    grapheme.chars().any(|c| c.is_alphanumeric() || is_pictograph(c)) || is_emoji(grapheme)
}

/// Splits a part into single clusters, and never inside a character as readers perceive it.
fn split<'t>(
    line: &'t str,
    (from, to): (usize, usize),
    clusters: &[Cluster],
    boundary: Boundary,
    fragments: &mut Vec<LineFragment<'t>>,
) {
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
        fragments.push(fragment(line, (start, end), own, Boundary::InsideWord));
        (start, rest) = (end, after);
    }
    fragments.push(fragment(line, (start, to), rest, boundary));
}

fn join(fragments: &[LineFragment<'_>]) -> Line {
    let text: String = fragments.iter().map(|fragment| fragment.text).collect();
    let space_at_end = fragments.last().map_or(0.0, |fragment| fragment.full - fragment.ink);
    let width = fragments.iter().map(|fragment| fragment.full).sum::<f64>() - space_at_end;
    Line { text: text.trim_end().to_owned(), width, ..Line::default() }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A font for tests: half an em for everything below U+1100, one em above; no emoji and no private characters.
    pub struct Grid;

    impl Grid {
        pub fn can_draw(&self, c: char) -> bool {
            is_invisible(c) || self.advance(c).is_some()
        }
    }

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
