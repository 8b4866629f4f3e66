//! The times at which the words of a caption are spoken: those in the file if it has them, otherwise in proportion to
//! the length of the words.

use std::ops::Range;

use super::breaks::LineBreaker;
use super::font::is_invisible;
use super::timing::nearest_frame;
use super::view::SpokenWord;
use super::wrap::Line;
use super::{Cue, InlineTime};
use crate::time::{Fps, Frames};

/// Captions of more words than this are not highlighted word by word, to bound the work of the renderer.
const MAX_WORDS: usize = 200;
/// Text without spaces between two times is one unit, unless it has more words than this: then it is a clause.
const MAX_WORDS_OF_UNIT: usize = 4;

/// A word with the space after it, in bytes of the cue's text, and when it begins to be spoken.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    pub text: Range<usize>,
    pub start_ms: u64,
}

/// The words of a cue, and the problems with its times.
pub struct TimedWords {
    words: Vec<Word>,
    /// Some times of the file were not usable.
    pub are_off: bool,
    /// The cue has too many words.
    pub are_left_out: bool,
}

/// Determines the words of a cue, in the order in which they are spoken.
pub fn words(cue: &Cue, breaker: &LineBreaker) -> TimedWords {
    let times = good_times(cue);
    let are_off = times.len() < cue.times.len();
    let words = spread_all(cue, &times, breaker);
    let are_left_out = words.len() > MAX_WORDS;
    TimedWords { words: if are_left_out { Vec::new() } else { words }, are_off, are_left_out }
}

/// The words of a cue of any length.
pub fn all_words(cue: &Cue, breaker: &LineBreaker) -> Vec<Word> {
    spread_all(cue, &good_times(cue), breaker)
}

/// The times that are in order and within the cue.
fn good_times(cue: &Cue) -> Vec<InlineTime> {
    let mut good: Vec<InlineTime> = Vec::new();
    for time in &cue.times {
        let last = good.last().copied().unwrap_or(InlineTime { at: 0, ms: cue.start_ms });
        let in_text = time.at >= last.at && cue.text.is_char_boundary(time.at);
        if in_text && time.ms >= last.ms && time.ms <= cue.end_ms {
            good.push(*time);
        }
    }
    good
}

fn spread_all(cue: &Cue, times: &[InlineTime], breaker: &LineBreaker) -> Vec<Word> {
    let first = InlineTime { at: 0, ms: cue.start_ms };
    let last = InlineTime { at: cue.text.len(), ms: cue.end_ms };
    let starts = std::iter::once(&first).chain(times);
    let ends = times.iter().chain(std::iter::once(&last));
    let sections = starts.zip(ends).map(|(from, to)| {
        let part = cue.text.get(from.at..to.at).unwrap_or_default();
        let words = breaker.word_ends(part);
        let is_unit = !times.is_empty() && is_unit(part, &words);
        spread(&cue.text, *from, *to, if is_unit { vec![part.len()] } else { words })
    });
    sections.flatten().collect()
}

/// Whether the text between two times is highlighted as a whole, whatever words a dictionary finds in it.
fn is_unit(part: &str, word_ends: &[usize]) -> bool {
    let has_letters = |part: &&str| part.contains(char::is_alphanumeric);
    part.split_whitespace().filter(has_letters).count() < 2 && word_ends.len() <= MAX_WORDS_OF_UNIT
}

/// The words between two times, each given time in proportion to its length.
fn spread(text: &str, from: InlineTime, to: InlineTime, word_ends: Vec<usize>) -> Vec<Word> {
    let part = text.get(from.at..to.at).unwrap_or_default();
    let mut words: Vec<(Range<usize>, u64)> = Vec::new();
    let mut begin = 0;
    for end in word_ends {
        let length = length(part.get(begin..end).unwrap_or_default());
        if length > 0 {
            words.push((from.at + begin..from.at + end, length));
        }
        begin = end;
    }
    let all: u64 = words.iter().map(|(_, length)| length).sum();
    let mut spoken_length = 0;
    let timed = words.into_iter().map(|(text, length)| {
        let start_ms = from.ms + (to.ms - from.ms).saturating_mul(spoken_length) / all.max(1);
        spoken_length += length;
        Word { text, start_ms }
    });
    timed.collect()
}

/// The length of a text: a letter counts one; a Chinese or similar character, which is a syllable, counts two.
fn length(text: &str) -> u64 {
    let audible = text.chars().filter(|c| !c.is_whitespace() && !is_invisible(*c));
    audible.map(|c| if ('\u{1100}'..='\u{ffff}').contains(&c) { 2 } else { 1 }).sum()
}

impl TimedWords {
    /// For each line the words in it, with the frames on which they are spoken, none if they are too short. `lines` contain the cue's text in its order,
    /// with some characters left out.
    pub fn in_lines(&self, cue: &Cue, lines: &[Line], end: Frames, fps: Fps) -> Vec<Vec<SpokenWord>> {
        let mut reading = Reading { text: &cue.text, words: &self.words, place: 0, word: 0 };
        lines.iter().map(|line| self.in_line(&mut reading, line, end, fps)).collect()
    }

    fn in_line(&self, reading: &mut Reading<'_>, line: &Line, end: Frames, fps: Fps) -> Vec<SpokenWord> {
        let mut spoken: Vec<(usize, SpokenWord)> = Vec::new();
        for (from, c) in line.text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
            let Some(word) = reading.word_of(c) else { continue };
            let to = from + c.len_utf8();
            match spoken.last_mut() {
                Some((last, own)) if *last == word => own.to = to,
                _ => {
                    let (start, end) = (self.start(word, end, fps), self.start(word + 1, end, fps));
                    spoken.push((
                        word,
                        SpokenWord { from, to, start, end, area: None, scale: 0.0, motion: None },
                    ));
                }
            }
        }
        spoken.into_iter().map(|(_, word)| word).collect()
    }

    /// The frame on which a word begins; `end` after the last word.
    fn start(&self, word: usize, end: Frames, fps: Fps) -> Frames {
        self.words.get(word).map_or(end, |word| Frames(nearest_frame(word.start_ms, fps)).min(end))
    }
}

/// Finds the letters of wrapped lines in their source text.
struct Reading<'a> {
    text: &'a str,
    words: &'a [Word],
    place: usize,
    word: usize,
}

impl Reading<'_> {
    /// The word that the next letter belongs to.
    fn word_of(&mut self, c: char) -> Option<usize> {
        let rest = self.text.get(self.place..).unwrap_or_default();
        self.place += rest.find(c).map_or(0, |at| at + c.len_utf8());
        let past = self.words.iter().skip(self.word).take_while(|word| word.text.end < self.place);
        self.word += past.count();
        self.words.get(self.word).filter(|word| word.text.start < self.place).map(|_| self.word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks each word with the time when it begins, for a cue from 1 to 3 seconds.
    #[track_caller]
    fn check(text: &str, times: &[(usize, u64)], expected: &[(&str, u64)]) {
        let times = times.iter().map(|&(at, ms)| InlineTime { at, ms }).collect();
        let cue = Cue { start_ms: 1000, end_ms: 3000, text: text.to_owned(), times };
        let words = words(&cue, &LineBreaker::new()).words;
        let actual: Vec<_> =
            words.iter().map(|word| (cue.text[word.text.clone()].trim(), word.start_ms)).collect();
        assert_eq!(actual, expected, "{text:?}");
    }

    /// Checks the words of a text in which `|` stands for a time.
    #[track_caller]
    fn check_units(text: &str, expected: &[&str]) {
        let (mut plain, mut times) = (String::new(), Vec::new());
        for (index, part) in text.split('|').enumerate() {
            if index > 0 {
                times.push(InlineTime { at: plain.len(), ms: 100 * index as u64 });
            }
            plain.push_str(part);
        }
        let cue = Cue { end_ms: 2000, text: plain, times, ..Cue::default() };
        let words = words(&cue, &LineBreaker::new()).words;
        let actual: Vec<&str> = words.iter().map(|word| cue.text[word.text.clone()].trim()).collect();
        assert_eq!(actual, expected, "{text:?}");
    }

    #[test]
    fn words_take_time_in_proportion_to_their_length() {
        check("a bbb", &[], &[("a", 1000), ("bbb", 1500)]);
        check("今天 ok。", &[], &[("今天", 1000), ("ok。", 2000)]);
        check("one\ntwo", &[], &[("one", 1000), ("two", 2000)]);
        check("\u{200b} \u{200d}", &[], &[]);
    }

    #[test]
    fn words_of_every_script_are_whole() {
        check_units("a well-known and/or don’t", &["a", "well-known", "and/or", "don’t"]);
        check_units("오늘은 3월에 (이것은) K팝이", &["오늘은", "3월에", "(이것은)", "K팝이"]);
        check_units("今天天气很好，我们去公园。", &["今天", "天气", "很好，", "我们", "去", "公园。"]);
        check_units("コンピュータは便利です。", &["コンピュータ", "は", "便利", "です。"]);
        check_units("ภาษาไทยง่าย", &["ภาษา", "ไทย", "ง่าย"]);
        check_units("هل أنت مستعد؟", &["هل", "أنت", "مستعد؟"]);
    }

    #[test]
    fn units_between_two_times_are_whole() {
        check_units("|今天天气|很|好", &["今天天气", "很", "好"]);
        check_units("|คุณสบายดี|ไหม", &["คุณสบายดี", "ไหม"]);
        check_units("|kara|oke yes—no |x", &["kara", "oke", "yes—", "no", "x"]);
        check_units("|yes—no |Bonjour ! |– Oui", &["yes—no", "Bonjour !", "– Oui"]);
        check_units("|오늘은 |날씨가 |좋네요", &["오늘은", "날씨가", "좋네요"]);
    }

    #[test]
    fn several_words_between_two_times_are_divided() {
        check_units("one two |three four", &["one", "two", "three", "four"]);
        check_units("|今天 天气|很好", &["今天", "天气", "很好"]);
        check_units(
            "今天天气很好，他们也来，|去公园吧",
            &["今天", "天气", "很好，", "他们", "也来，", "去公园吧"],
        );
    }

    #[test]
    fn times_of_the_file_come_first() {
        check("one two three", &[(4, 1100), (8, 2900)], &[("one", 1000), ("two", 1100), ("three", 2900)]);
        check(
            "one two three four",
            &[(8, 2000)],
            &[("one", 1000), ("two", 1500), ("three", 2000), ("four", 2555)],
        );
        check("字字", &[(0, 2000)], &[("字字", 2000)]);
        check("字字", &[(3, 2000)], &[("字", 1000), ("字", 2000)]);
    }

    #[test]
    fn times_out_of_order_or_outside_are_ignored() {
        check("one two", &[(4, 5000)], &[("one", 1000), ("two", 2000)]);
        check("one two", &[(4, 500)], &[("one", 1000), ("two", 2000)]);
        check("one two six", &[(4, 2900), (8, 1200)], &[("one", 1000), ("two", 2900), ("six", 2950)]);
        let cue = |ms| Cue {
            times: vec![InlineTime { at: 1, ms }],
            ..Cue { end_ms: 9, text: "ab".into(), ..Cue::default() }
        };
        let are_off = |ms| words(&cue(ms), &LineBreaker::new()).are_off;
        assert!(are_off(10) && !are_off(9));
    }

    #[test]
    fn captions_with_too_many_words_are_not_highlighted() {
        let words = |count: usize| {
            let cue = Cue { end_ms: 1000, text: "字 ".repeat(count), ..Cue::default() };
            words(&cue, &LineBreaker::new())
        };
        assert_eq!((words(200).words.len(), words(201).words.len()), (200, 0));
        assert!(words(201).are_left_out && !words(200).are_left_out);
    }
}
