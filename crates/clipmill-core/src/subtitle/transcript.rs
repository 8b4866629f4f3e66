//! The words of audio as a speech recognizer hears them, and captions from them.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use super::alignment::{Pauses, align_to_voice, cues, words_of};
use super::breaks::is_unspaced;
use super::markup::shown_lines;
use super::split::sentences;
use super::{CaptionText, Cue};

/// A longer pause between words ends a caption.
const LONG_PAUSE_MS: u64 = 1000;
/// A word that ends later than this after it began is followed by silence.
const MAX_WORD_MS: u64 = 3000;

/// What is spoken in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript {
    pub text: String,
    /// The words in order; empty if their times are not known.
    pub words: Vec<TranscriptWord>,
}

/// A word of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranscriptWord {
    /// Where it is in the text, in bytes.
    pub start: usize,
    pub end: usize,
    /// Milliseconds after the beginning of the audio.
    pub start_ms: u64,
    pub end_ms: u64,
}

/// A word as a recognizer returns it, in seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct RecognizedWord {
    pub text: String,
    pub start_s: f64,
    pub end_s: f64,
}

impl Transcript {
    /// A text whose words have no times.
    pub fn untimed(text: impl Into<String>) -> Self {
        Self { text: text.into(), words: Vec::new() }
    }

    /// Words with their times. Their punctuation is that of `text`, if it has all of them in this order.
    pub fn of(text: &str, words: &[RecognizedWord]) -> Self {
        let words: Vec<RecognizedWord> = in_order(words);
        Self::located(text.trim(), &words)
            .unwrap_or_else(|| Self::located(&joined(&words), &words).unwrap_or_default())
    }

    /// A text that a voice speaks, timed by the pauses of the voice; without times if they do not match.
    pub fn aligned(text: &str, pauses: &Pauses, heard_ms: u64) -> Self {
        let lines = shown_lines(text);
        let sentences = lines.split('\n').flat_map(sentences);
        let texts: Vec<CaptionText> = sentences
            .map(|sentence| CaptionText { text: sentence.trim().to_owned(), ends_sentence: true })
            .filter(|sentence| !sentence.text.is_empty())
            .collect();
        let Ok(cues) = align_to_voice(&texts, pauses, heard_ms) else { return Self::untimed(text.trim()) };
        let mut words = Vec::new();
        for cue in cues {
            for (index, time) in cue.times.iter().enumerate() {
                let next = cue.times.get(index + 1);
                let text = cue.text.get(time.at..next.map_or(cue.text.len(), |next| next.at));
                let [start_s, end_s] =
                    [time.ms, next.map_or(cue.end_ms, |next| next.ms)].map(|ms| ms as f64 / 1000.0);
                words.push(RecognizedWord { text: text.unwrap_or_default().to_owned(), start_s, end_s });
            }
        }
        Self::of(text, &words)
    }

    fn located(text: &str, words: &[RecognizedWord]) -> Option<Self> {
        let mut at = 0;
        let mut located = Vec::with_capacity(words.len());
        for word in words {
            let (first_letter, end) = find(text, at, &word.text)?;
            let start = at + end_of_previous(text.get(at..first_letter).unwrap_or_default(), at == 0);
            let [start_ms, end_ms] =
                [word.start_s, word.end_s].map(|seconds| (seconds * 1000.0).round() as u64);
            located.push(TranscriptWord { start, end, start_ms, end_ms });
            at = end;
        }
        Some(Self { text: text.to_owned(), words: located })
    }

    /// Adds what is spoken `ms` later than this.
    pub fn append(&mut self, other: &Self, ms: u64) {
        if !self.text.is_empty() && !other.text.is_empty() {
            self.text.push('\n');
        }
        let by = self.text.len();
        self.text.push_str(&other.text);
        self.words.extend(other.words.iter().map(|word| TranscriptWord {
            start: word.start + by,
            end: word.end + by,
            start_ms: word.start_ms.saturating_add(ms),
            end_ms: word.end_ms.saturating_add(ms),
        }));
    }

    /// What is spoken within a range of milliseconds, with times from its beginning; a line ends at each long pause.
    /// Words at the ends belong to it if at least half of them is in it.
    pub fn excerpt(&self, range: &Range<u64>) -> Self {
        let is_within = |word: &TranscriptWord| range.contains(&(word.start_ms.midpoint(word.end_ms)));
        let first = self.words.iter().position(is_within).unwrap_or(self.words.len());
        let count = self.words.iter().skip(first).take_while(|word| is_within(word)).count();
        let words = self.words.get(first..first + count).unwrap_or_default();
        let mut excerpt = Self::default();
        for (index, word) in words.iter().enumerate() {
            let next = self.words.get(first + index + 1).map_or(self.text.len(), |next| next.start);
            let text = self.text.get(word.start..next).unwrap_or_default();
            let start = excerpt.text.len();
            excerpt.text.push_str(text);
            let [start_ms, end_ms] =
                [word.start_ms, word.end_ms].map(|ms| ms.clamp(range.start, range.end) - range.start);
            excerpt.words.push(TranscriptWord {
                start,
                end: start + word.end - word.start,
                start_ms,
                end_ms,
            });
            let pauses = |next: &TranscriptWord| next.start_ms > word.end_ms.saturating_add(LONG_PAUSE_MS);
            if words.get(index + 1).is_some_and(pauses) {
                excerpt.text.push('\n');
            }
        }
        excerpt
    }

    /// The same words at a speed in thousandths.
    pub fn at_speed(mut self, permille: u32) -> Self {
        let scaled = |ms: u64| (u128::from(ms) * 1000 / u128::from(permille.max(1))) as u64;
        if permille != 1000 {
            for word in &mut self.words {
                (word.start_ms, word.end_ms) = (scaled(word.start_ms), scaled(word.end_ms));
            }
        }
        self
    }

    /// The texts of captions, which are those of this transcript, with the times of its words.
    pub fn time(&self, texts: &[CaptionText]) -> Vec<Cue> {
        let words = words_of(texts);
        let times = times_of_letters(&self.text, &self.words);
        let mut before = Vec::with_capacity(texts.len());
        let mut letters = 0;
        for CaptionText { text, .. } in texts {
            before.push(letters);
            letters += letter_count(text);
        }
        let mut spoken: Vec<(u64, u64)> = Vec::with_capacity(words.len());
        for word in &words {
            let text = texts.get(word.caption).map_or("", |caption| caption.text.as_str());
            let own = |until: usize| letter_count(text.get(..until).unwrap_or_default());
            let first = before.get(word.caption).copied().unwrap_or(0);
            let own_times = times.get(first + own(word.start)..first + own(word.end)).unwrap_or_default();
            let last = spoken.last().map_or(0, |(_, end)| *end);
            let start = own_times.first().map_or(last, |(start, _)| *start);
            let end = own_times.last().map_or(start, |(_, end)| *end);
            spoken.push((start, end));
        }
        cues(texts, &words, &spoken)
    }
}

impl RecognizedWord {
    /// The words of several that have one time together; they share it by their lengths.
    pub fn words(&self) -> Vec<Self> {
        let fragments =
            self.text.unicode_words().map(|fragment| Self { text: fragment.to_owned(), ..self.clone() });
        sharing(&fragments.collect::<Vec<_>>())
    }
}

/// How much of the signs between two words belongs to the first one: all before the last space, otherwise all but opening
/// signs, as in "¿Qué?" and "$20".
fn end_of_previous(signs: &str, is_first: bool) -> usize {
    if is_first {
        return 0;
    }
    let spaced = signs.rfind(char::is_whitespace).map(|at| at + signs.get(at..).map_or(0, first_length));
    spaced.unwrap_or_else(|| signs.trim_end_matches(opens).len())
}

fn first_length(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

fn opens(c: char) -> bool {
    "¿¡([{<“‘«‹„‚（［｛「『《〈【〔\"'#@$€£¥".contains(c)
}

/// Words with times that do not go back. A recognizer may include the silence after a word.
fn in_order(words: &[RecognizedWord]) -> Vec<RecognizedWord> {
    let mut ordered: Vec<RecognizedWord> = Vec::with_capacity(words.len());
    let is_usable = |word: &&RecognizedWord| {
        word.start_s.is_finite() && word.end_s.is_finite() && word.text.contains(char::is_alphanumeric)
    };
    let mut words: Vec<RecognizedWord> = words.iter().filter(is_usable).cloned().collect();
    words.sort_by(|one, other| one.start_s.total_cmp(&other.start_s));
    let has_same_time = |one: &RecognizedWord, other: &RecognizedWord| {
        (one.start_s, one.end_s) == (other.start_s, other.end_s)
    };
    for word in words.chunk_by(has_same_time).flat_map(sharing) {
        let least = ordered.last().map_or(0.0, |before| before.start_s);
        let start_s = word.start_s.max(least);
        let longest = start_s + MAX_WORD_MS as f64 / 1000.0;
        if let Some(before) = ordered.last_mut() {
            before.end_s = before.end_s.min(start_s);
        }
        let (text, end_s) = (word.text.trim().to_owned(), word.end_s.clamp(start_s, longest));
        ordered.push(RecognizedWord { text, start_s, end_s });
    }
    ordered
}

/// Words with one time together share it by their lengths.
fn sharing(words: &[RecognizedWord]) -> Vec<RecognizedWord> {
    let length = |word: &RecognizedWord| word.text.chars().count() as f64;
    let all: f64 = words.iter().map(length).sum();
    let mut before = 0.0;
    let mut share = |word: &RecognizedWord| {
        let at = |letters: f64| word.start_s + (word.end_s - word.start_s) * letters / all.max(1.0);
        let (start_s, end_s) = (at(before), at(before + length(word)));
        before += length(word);
        RecognizedWord { text: word.text.clone(), start_s, end_s }
    };
    words.iter().map(&mut share).collect()
}

/// Words as a text, with spaces where the script has some.
fn joined(words: &[RecognizedWord]) -> String {
    let mut text = String::new();
    for word in words {
        let is_joined = |c: Option<char>| c.is_none_or(is_unspaced);
        if !(is_joined(text.chars().next_back()) || text.is_empty() || is_joined(word.text.chars().next())) {
            text.push(' ');
        }
        text.push_str(&word.text);
    }
    text
}

/// Where the letters of a word are in a text after `at`: next, if signs are skipped. Case does not matter.
fn find(text: &str, at: usize, word: &str) -> Option<(usize, usize)> {
    let mut rest = text.get(at..)?.char_indices().filter(|(_, c)| is_letter(*c));
    let (mut first, mut last) = (None, 0);
    for letter in word.chars().filter(|c| is_letter(*c)) {
        let (place, c) = rest.next()?;
        if !c.to_lowercase().eq(letter.to_lowercase()) {
            return None;
        }
        first = first.or(Some(at + place));
        last = at + place + c.len_utf8();
    }
    first.map(|first| (first, last))
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric()
}

fn letter_count(text: &str) -> usize {
    text.chars().filter(|c| is_letter(*c)).count()
}

/// When each letter of a text is spoken: letters of a word share its time.
fn times_of_letters(text: &str, words: &[TranscriptWord]) -> Vec<(u64, u64)> {
    let mut times = Vec::new();
    let mut at = 0;
    for word in words {
        // Letters between words belong to the next one.
        let before = letter_count(text.get(at..word.start).unwrap_or_default());
        times.extend(std::iter::repeat_n((word.start_ms, word.start_ms), before));
        let count = letter_count(text.get(word.start..word.end).unwrap_or_default()) as u64;
        let place = |index: u64| word.start_ms + (word.end_ms - word.start_ms) * index / count.max(1);
        times.extend((0..count).map(|index| (place(index), place(index + 1))));
        at = word.end;
    }
    times
}

#[cfg(test)]
mod tests;
