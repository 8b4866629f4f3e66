//! Changes to the text of captions before it is laid out: capitals, wider spaces, and the division of a caption into
//! parts that are shown one after another.

use std::borrow::Cow;

use super::breaks::{LineBreaker, is_clause_mark, is_sentence_mark};
use super::font::FontMetrics;
use super::style::{SubtitleStyle, WordDisplay};
use super::word_timing::{Word, all_words};
use super::wrap::Line;
use super::{Cue, InlineTime};
use crate::time::Frames;

/// One word is shown together with the next ones until they take this time.
const MIN_SHOWN_MS: u64 = 250;

/// If words grow as much, spaces are twice as wide, so that most of them do not reach their neighbours.
const SCALE_OF_WIDE_SPACES: f64 = 1.08;

/// A cue, or a part of it, that is wrapped.
pub(super) struct Part<'a> {
    pub cue: Cow<'a, Cue>,
    pub start: Frames,
    pub end: Frames,
    /// At least one.
    pub lines: Vec<Line>,
}

/// Divides cues into the parts that are shown one after another.
pub struct Divider<'a> {
    style: &'a SubtitleStyle,
    font: &'a dyn FontMetrics,
    breaker: LineBreaker,
}

impl<'a> Divider<'a> {
    pub fn new(style: &'a SubtitleStyle, font: &'a dyn FontMetrics) -> Self {
        Self { style, font, breaker: LineBreaker::new() }
    }

    /// The parts of a cue, in order; each begins when the previous one ends.
    pub fn parts<'c>(&self, cue: &'c Cue) -> Vec<Cow<'c, Cue>> {
        let cue = self.drawn(cue);
        let ends = |group: fn(&[Word], u64, &str, usize) -> Vec<usize>, most| {
            let words = all_words(&cue, &self.breaker);
            let ends = group(&words, cue.end_ms, &cue.text, most);
            (words, ends)
        };
        let (words, ends) = match (self.style.words, self.style.max_words) {
            (WordDisplay::One, _) => ends(shown_together, 1),
            (_, Some(most)) => ends(evenly_divided, most as usize),
            _ => return vec![cue],
        };
        if ends.len() < 2 { vec![cue] } else { divided(&cue, &words, &ends) }
    }

    /// The cue with the text that is drawn. Its words keep their times.
    fn drawn<'c>(&self, cue: &'c Cue) -> Cow<'c, Cue> {
        let Some((text, places)) = changed(&cue.text, self.style, self.font) else {
            return Cow::Borrowed(cue);
        };
        // Estimated times depend on the number of letters, which capitals can change (ß, SS).
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
        let is_longer = letters(&text) != letters(&cue.text);
        let times = if is_longer { times_of(&all_words(cue, &self.breaker)) } else { cue.times.clone() };
        let moved = |time: &InlineTime| {
            let index = places.partition_point(|(from, _)| *from < time.at);
            let at = places.get(index).map_or(text.len(), |(_, to)| *to);
            InlineTime { at, ..*time }
        };
        let times = times.iter().map(moved).collect();
        Cow::Owned(Cue { text, times, ..*cue })
    }
}

/// The text that is drawn of a text in this style.
pub fn drawn_text<'t>(text: &'t str, style: &SubtitleStyle, font: &dyn FontMetrics) -> Cow<'t, str> {
    changed(text, style, font).map_or(Cow::Borrowed(text), |(text, _)| Cow::Owned(text))
}

/// A text in capitals, or with wider spaces, and where each character of the old one begins in the old and in the new one;
/// `None` if the style changes nothing.
fn changed(
    text: &str,
    style: &SubtitleStyle,
    font: &dyn FontMetrics,
) -> Option<(String, Vec<(usize, usize)>)> {
    let scale = style.highlight.and_then(|highlight| highlight.scale);
    let wide = scale.is_some_and(|scale| scale >= SCALE_OF_WIDE_SPACES) && text.contains(' ');
    if !wide && !style.uppercase {
        return None;
    }
    let mut drawn = String::with_capacity(text.len());
    let mut places = Vec::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        places.push((at, drawn.len()));
        // Characters whose capitals no font has stay as they are.
        if style.uppercase && c.to_uppercase().all(|capital| font.advance(capital).is_some()) {
            drawn.extend(c.to_uppercase());
        } else {
            drawn.push(c);
        }
        drawn.extend((wide && c == ' ').then_some(' '));
    }
    Some((drawn, places))
}

fn times_of(words: &[Word]) -> Vec<InlineTime> {
    words.iter().map(|word| InlineTime { at: word.text.start, ms: word.start_ms }).collect()
}

/// The parts of a cue. Each ends before the word with one of these indexes.
fn divided<'c>(cue: &Cue, words: &[Word], ends: &[usize]) -> Vec<Cow<'c, Cue>> {
    let mut parts: Vec<Cow<'c, Cue>> = Vec::with_capacity(ends.len());
    let (mut first, mut from, mut start_ms) = (0, 0, cue.start_ms);
    for end in ends {
        let next = words.get(*end);
        let (to, end_ms) = next.map_or((cue.text.len(), cue.end_ms), |word| (word.text.start, word.start_ms));
        let text = cue.text.get(from..to).unwrap_or_default();
        let skipped = text.len() - text.trim_start().len();
        let own = words.get(first..*end).unwrap_or_default();
        let times = times_of(own).into_iter();
        let times = times.map(|time| InlineTime { at: time.at.saturating_sub(from + skipped), ..time });
        let text = text.trim().to_owned();
        parts.push(Cow::Owned(Cue { start_ms, end_ms, text, times: times.collect() }));
        (first, from, start_ms) = (*end, to, end_ms);
    }
    parts
}

/// Groups of words that are shown long enough to be seen: the indexes of the words after them.
fn shown_together(words: &[Word], end_ms: u64, _: &str, _: usize) -> Vec<usize> {
    let mut ends: Vec<usize> = Vec::new();
    let mut since = words.first().map_or(0, |word| word.start_ms);
    for index in 1..=words.len() {
        let start_ms = words.get(index).map_or(end_ms, |word| word.start_ms);
        if start_ms.saturating_sub(since) >= MIN_SHOWN_MS {
            ends.push(index);
            since = start_ms;
        }
    }
    // Words at the end that are too short are shown with the previous ones.
    ends.pop();
    ends.push(words.len());
    ends
}

/// Groups of at most `most` words, as few and as even as possible, and divided after sentences and clauses where that
/// needs no further group: the indexes of the words after them.
fn evenly_divided(words: &[Word], _: u64, text: &str, most: usize) -> Vec<usize> {
    let count = words.len();
    let most = most.max(1);
    // The least cost of the first words of each number, and the length of the last group.
    let mut best: Vec<(u64, usize)> = vec![(0, 0)];
    for end in 1..=count {
        let cost = |length: usize| {
            let before = best.get(end - length).map_or(u64::MAX, |(cost, _)| *cost);
            before.saturating_add(group_cost(words, text, end, length, most))
        };
        let lengths = 1..=most.min(end);
        best.push(lengths.map(|length| (cost(length), length)).min().unwrap_or_default());
    }
    let mut ends = Vec::new();
    let mut end = count;
    while let Some((_, length)) = best.get(end).filter(|(_, length)| *length > 0) {
        ends.push(end);
        end -= length;
    }
    ends.reverse();
    ends
}

/// Each further group costs more than the best division of the same number.
fn group_cost(words: &[Word], text: &str, end: usize, length: usize, most: usize) -> u64 {
    const GROUP: u64 = 100_000;
    let free = (most - length) as u64;
    let last = end.checked_sub(1).and_then(|index| words.get(index));
    let last = last.and_then(|word| text.get(word.text.clone())).unwrap_or_default().trim_end();
    let after_mark = match last.chars().next_back() {
        _ if end == words.len() => 0,
        Some(c) if is_sentence_mark(c) => 0,
        Some(c) if is_clause_mark(c) => 4,
        _ => 12,
    };
    GROUP + free * free + after_mark
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subtitle::Highlight;
    use crate::subtitle::wrap::tests::Grid;

    /// Checks the parts of a cue of one second from 1 to 2 as `start..end text`.
    #[track_caller]
    fn check(style: &SubtitleStyle, text: &str, times: &[(usize, u64)], expected: &[&str]) {
        let times = times.iter().map(|&(at, ms)| InlineTime { at, ms }).collect();
        let cue = Cue { start_ms: 1000, end_ms: 2000, text: text.to_owned(), times };
        let divider = Divider::new(style, &Grid);
        let parts = divider.parts(&cue);
        let shown: Vec<String> =
            parts.iter().map(|part| format!("{}..{} {}", part.start_ms, part.end_ms, part.text)).collect();
        assert_eq!(shown, expected, "{text}");
    }

    const ONE: SubtitleStyle = SubtitleStyle { words: WordDisplay::One, ..SubtitleStyle::DEFAULT };
    const CAPITALS: SubtitleStyle = SubtitleStyle { uppercase: true, ..SubtitleStyle::DEFAULT };

    fn at_most(words: u32) -> SubtitleStyle {
        SubtitleStyle { max_words: Some(words), ..SubtitleStyle::DEFAULT }
    }

    #[test]
    fn one_word_is_shown_at_a_time() {
        check(&ONE, "one two six", &[], &["1000..1333 one", "1333..1666 two", "1666..2000 six"]);
        check(&ONE, "一天一天", &[], &["1000..1500 一天", "1500..2000 一天"]);
        check(&ONE, "오늘은 좋네요", &[], &["1000..1500 오늘은", "1500..2000 좋네요"]);
        check(&ONE, "one", &[], &["1000..2000 one"]);
        check(&ONE, "", &[], &["1000..2000 "]);
        check(&ONE, "one\ntwo", &[(4, 1800)], &["1000..2000 one\ntwo"]);
    }

    #[test]
    fn short_words_are_shown_together() {
        let times = [(0, 1000), (2, 1100), (4, 1200), (6, 1300), (8, 1700)];
        check(&ONE, "a b c d e", &times, &["1000..1300 a b c", "1300..1700 d", "1700..2000 e"]);
        let times = [(0, 1000), (2, 1300), (4, 1900)];
        check(&ONE, "a b c", &times, &["1000..1300 a", "1300..2000 b c"]);
        check(&ONE, "a b", &[(0, 1000), (2, 1100)], &["1000..2000 a b"]);
    }

    #[test]
    fn captions_have_at_most_so_many_words() {
        check(&at_most(2), "a b c d", &[], &["1000..1500 a b", "1500..2000 c d"]);
        check(&at_most(3), "a b c d", &[], &["1000..1500 a b", "1500..2000 c d"]);
        check(&at_most(3), "a, b c d", &[], &["1000..1400 a,", "1400..2000 b c d"]);
        check(&at_most(4), "a b c d", &[], &["1000..2000 a b c d"]);
        let times = [(0, 1000), (2, 1900)];
        check(&at_most(1), "a b", &times, &["1000..1900 a", "1900..2000 b"]);
        let seven = ["1000..1428 a b c", "1428..1714 d e", "1714..2000 f g"];
        let actual = at_most(3);
        let cue = Cue { start_ms: 1000, end_ms: 2000, text: "a b c d e f g".into(), times: vec![] };
        assert_eq!(Divider::new(&actual, &Grid).parts(&cue).len(), seven.len());
    }

    #[test]
    fn words_of_parts_keep_their_times() {
        let cue = Cue { start_ms: 1000, end_ms: 2000, text: "one  two three".into(), times: vec![] };
        let whole = all_words(&cue, &LineBreaker::new());
        let style = at_most(2);
        let parts = Divider::new(&style, &Grid).parts(&cue);
        let words = parts.iter().flat_map(|part| all_words(part, &LineBreaker::new()));
        assert!(words.map(|word| word.start_ms).eq(whole.iter().map(|word| word.start_ms)));
    }

    #[test]
    fn spaces_are_wide_where_words_grow() {
        let highlight = |scale| Some(Highlight { scale: Some(scale), ..Highlight::NONE });
        let style = |scale| SubtitleStyle { highlight: highlight(scale), ..ONE };
        let large = SubtitleStyle { highlight: highlight(1.2), ..at_most(2) };
        check(&large, "a b c d", &[(2, 1100)], &["1000..1400 a  b", "1400..2000 c  d"]);
        check(&style(1.05), "a b", &[], &["1000..1500 a", "1500..2000 b"]);
        assert_eq!(drawn_text("a b", &style(1.0), &Grid), "a b");
        assert_eq!(drawn_text("a b", &style(1.3), &Grid), "a  b");
    }

    #[test]
    fn capitals_keep_the_times() {
        check(&CAPITALS, "straße ﬁn élan i", &[], &["1000..2000 STRASSE FIN ÉLAN I"]);
        check(&CAPITALS, "今天 ОК ok שלום", &[], &["1000..2000 今天 ОК OK שלום"]);
        let style = SubtitleStyle { words: WordDisplay::One, ..CAPITALS };
        check(&ONE, "ßß ok", &[], &["1000..1500 ßß", "1500..2000 ok"]);
        check(&style, "ßß ok", &[], &["1000..1500 SSSS", "1500..2000 OK"]);
        check(&style, "ßß ok", &[(5, 1700)], &["1000..1700 SSSS", "1700..2000 OK"]);
    }
}
