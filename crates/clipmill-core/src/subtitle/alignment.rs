//! Times of captions whose text a known voice speaks, from the pauses of the voice.
//!
//! Pauses are matched with boundaries between words by dynamic programming: the speech between two matched pauses should
//! take as long as its words are expected to, and sentences should end at pauses. Between matched pauses, words share the
//! time by their expected lengths. All numbers were chosen with synthesized and read speech in five languages
//! (`docs/contributing/caption-timing.md`).

use std::rc::Rc;

use icu_segmenter::WordSegmenter;
use icu_segmenter::options::WordBreakInvariantOptions;
use serde::{Deserialize, Serialize};

use super::breaks::{LineBreaker, ends_in_abbreviation, is_clause_mark, is_sentence_mark, is_unspaced};
use super::reading::{UNITS_PER_SECOND, is_wide, reading_units};
use super::split::is_word;
use super::{CaptionText, Cue, InlineTime};

/// The pauses of a voice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pauses {
    /// Stretches without speech, in order and apart from each other, in milliseconds.
    pub pauses: Vec<(u32, u32)>,
    /// How much of the voice was searched; 0 if speech cannot be told from pauses in it.
    pub end_ms: u32,
}

/// Why captions cannot follow a voice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlignmentError {
    /// The audio has no speech with pauses: it is silent, or music.
    NoSpeech,
    /// The voice seems to speak another text.
    OtherText,
}

/// The times of captions by the voice that speaks them; shared by outputs.
pub type AlignedCues = Result<Rc<[Cue]>, AlignmentError>;

/// A pause that is at least this long is probably none inside a word.
const CLEAR_PAUSE_S: f64 = 0.15;
/// How many pauses in a row may be inside of words.
const LOOKBACK: usize = 16;
/// How many stretches of sound at each end may be no speech.
const EXTRA_STRETCHES: usize = 4;
/// Alternatives for each pause that are kept: the best ones, and none that is much worse than the best.
const MAX_ALTERNATIVES: usize = 16;
const WORST_ALTERNATIVE: f64 = 40.0;
/// The rate of speech is estimated again from the matched pauses until it changes by less than this part.
const RATE_TOLERANCE: f64 = 0.01;
const MAX_ROUNDS: usize = 3;
/// The slowest and the fastest speech, in seconds for a unit of [`length`]. Usual are 0.04 to 0.11.
const PLAUSIBLE_RATES: std::ops::Range<f64> = 0.015..0.25;
/// Costs above this for a word mean that the voice speaks another text. Matching texts have 0.03 to 0.09, most others more
/// than 0.3.
const WORST_COST: f64 = 0.25;
/// A few words may fit badly by chance.
const COST_OF_WORDS: f64 = 10.0;
/// A caption stays until the next one unless the voice pauses for longer than this.
const LONG_PAUSE_MS: u64 = 1000;
/// How long a caption stays after it was spoken, before a long pause.
const HOLD_MS: u64 = 500;

/// The captions with the times at which a voice speaks their words. Only the first `heard_ms` of the voice are used.
pub fn align_to_voice(
    texts: &[CaptionText],
    pauses: &Pauses,
    heard_ms: u64,
) -> Result<Vec<Cue>, AlignmentError> {
    let words = words_of(texts);
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let stops = stops(pauses, heard_ms, words.len());
    if stops.len() < 2 {
        return Err(AlignmentError::NoSpeech);
    }
    let spoken = Alignment::of(&words, &stops).ok_or(AlignmentError::OtherText)?.words(&words, &stops);
    Ok(cues(texts, &words, &spoken))
}

/// What is between two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Boundary {
    Word,
    Clause,
    Sentence,
}

/// A word of a caption.
pub(super) struct Word {
    /// The index of the caption.
    pub caption: usize,
    /// Where it is in the text of the caption, in bytes.
    pub start: usize,
    pub end: usize,
    /// The expected length of speech, in units.
    length: f64,
    /// What follows the word.
    boundary: Boundary,
}

impl Word {
    /// A word can consist of signs without a length.
    fn least_length(&self) -> f64 {
        self.length.max(0.1)
    }
}

pub(super) fn words_of(texts: &[CaptionText]) -> Vec<Word> {
    let segmenter = WordSegmenter::new_auto(WordBreakInvariantOptions::default());
    let breaker = LineBreaker::new();
    let mut words: Vec<Word> = Vec::new();
    for (caption, CaptionText { text, ends_sentence }) in texts.iter().enumerate() {
        let first = words.len();
        let mut start = 0;
        // Captions are divided at these places only. The segmenter also divides words that the dictionary lacks.
        let ends = breaker.word_ends(text);
        for end in segmenter.segment_str(text) {
            let segment = text.get(start..end).unwrap_or_default();
            if is_word(segment) {
                let (length, boundary) = (length(segment), Boundary::Word);
                let is_continued = start > 0 && ends.binary_search(&start).is_err();
                match words
                    .last_mut()
                    .filter(|word| is_continued && word.caption == caption && word.end == start)
                {
                    Some(word) => (word.end, word.length) = (end, word.length + length),
                    None => words.push(Word { caption, start, end, length, boundary }),
                }
            }
            start = end;
        }
        if words.len() == first {
            // Nothing is spoken, but the caption needs a time.
            let (length, boundary) = (1.0, Boundary::Word);
            words.push(Word { caption, start: 0, end: text.len(), length, boundary });
        }
        for index in first..words.len() {
            let next = words.get(index + 1).map_or(text.len(), |word| word.start);
            let word = &mut words[index];
            word.length += spoken_signs(text.get(word.end..next).unwrap_or_default());
            word.boundary = boundary(text, word.end, next);
        }
        if let Some(last) = words.last_mut().filter(|_| *ends_sentence) {
            last.boundary = Boundary::Sentence;
        }
    }
    words
}

/// How long a word takes to speak, in letters of English.
fn length(word: &str) -> f64 {
    let letters: f64 = word.chars().map(letter_length).sum();
    // Short words take longer than their letters.
    letters + if word.contains(is_wide) { 0.0 } else { 1.0 }
}

fn letter_length(c: char) -> f64 {
    match c {
        _ if c.is_ascii_digit() || c.is_numeric() => 5.0,
        '\u{3040}'..='\u{30ff}' => 2.5,
        _ if is_wide(c) => 4.0,
        // Marks of vowels; others are not written.
        '\u{0591}'..='\u{05c7}' | '\u{0610}'..='\u{061a}' | '\u{064b}'..='\u{065f}' | '\u{0670}' => 0.0,
        '\u{05d0}'..='\u{05ff}' | '\u{0620}'..='\u{06ff}' if c.is_alphabetic() => 2.0,
        '\u{0900}'..='\u{0dff}' => indic_length(c),
        _ if c.is_alphabetic() => 1.0,
        _ => 0.0,
    }
}

/// Blocks of Indic scripts have the same order: consonants contain a vowel, which a sign replaces or a virama removes.
fn indic_length(c: char) -> f64 {
    match (u32::from(c) - 0x900) % 0x80 {
        0x4d => -1.0,
        0x00..=0x03 | 0x3c => 0.3,
        0x3e..=0x4c => 0.7,
        _ if c.is_alphabetic() => 2.0,
        _ => 0.0,
    }
}

/// The length of signs between words that are read as words.
fn spoken_signs(gap: &str) -> f64 {
    5.0 * gap.chars().filter(|c| "%&+=@€$£¥°".contains(*c)).count() as f64
}

/// What is between two words at these places of a text.
fn boundary(text: &str, end: usize, next: usize) -> Boundary {
    let gap = text.get(end..next).unwrap_or_default();
    let before = text.get(..next).unwrap_or_default();
    if gap.contains(is_sentence_mark) && !ends_in_abbreviation(before) {
        return Boundary::Sentence;
    }
    // A dash between words, not a hyphen inside one.
    let is_dash = gap.len() > 1 && gap.trim() == "-";
    let is_spaced =
        gap.contains(char::is_whitespace) && text.get(..end).is_some_and(|text| text.ends_with(is_unspaced));
    match is_dash || is_spaced || gap.contains(is_clause_mark) {
        true => Boundary::Clause,
        false => Boundary::Word,
    }
}

/// Where speech stops and starts again, in seconds: before the first stretch of speech, between stretches, and after the
/// last one. Fewer than two if there is no speech.
fn stops(pauses: &Pauses, heard_ms: u64, words: usize) -> Vec<(f64, f64)> {
    /// A pause this near to the beginning or the end includes it.
    const EDGE_MS: u32 = 20;
    let end = pauses.end_ms.min(u32::try_from(heard_ms).unwrap_or(u32::MAX));
    let within = pauses.pauses.iter().map(|&(from, to)| (from.min(end), to.min(end)));
    let mut inner: Vec<(u32, u32)> = within.filter(|(from, to)| from < to).collect();
    let mut speech = (0, end);
    if let Some(&(_, to)) = inner.first().filter(|(from, _)| *from <= EDGE_MS) {
        speech.0 = to;
        inner.remove(0);
    }
    if let Some(&(from, _)) = inner.last().filter(|(_, to)| *to + EDGE_MS >= end) {
        speech.1 = from;
        inner.pop();
    }
    if speech.0 >= speech.1 {
        return Vec::new();
    }
    // There are more boundaries than pauses, except in noise.
    let most = 2 * words + 100;
    if inner.len() > most {
        let mut lengths: Vec<u32> = inner.iter().map(|(from, to)| to - from).collect();
        lengths.sort_unstable_by(|one, other| other.cmp(one));
        let least = lengths.get(most).copied().unwrap_or(0);
        inner.retain(|(from, to)| to - from > least);
    }
    let all = std::iter::once((speech.0, speech.0)).chain(inner).chain([(speech.1, speech.1)]);
    all.map(|(from, to)| (f64::from(from) / 1000.0, f64::from(to) / 1000.0)).collect()
}

/// One way to speak the first words until a stop.
#[derive(Clone, Copy)]
struct Alternative {
    /// The number of words before the stop.
    words: usize,
    cost: f64,
    /// The stop before it and the index of its alternative, unless nothing was spoken before.
    previous: Option<(usize, usize)>,
}

/// Stops, by their index, that are matched with numbers of words.
struct Alignment(Vec<(usize, usize)>);

impl Alignment {
    /// The best alignment; `None` if none is good.
    fn of(words: &[Word], stops: &[(f64, f64)]) -> Option<Self> {
        let search = Search::new(words, stops);
        let pause = |&(from, to): &(f64, f64)| Some(to - from).filter(|seconds| *seconds >= CLEAR_PAUSE_S);
        let speech_s = stops.last()?.0 - stops.first()?.1 - stops.iter().filter_map(pause).sum::<f64>();
        let mut rate = speech_s / search.lengths.last()?;
        for round in 1.. {
            if !PLAUSIBLE_RATES.contains(&rate) {
                return None;
            }
            let (alignment, cost) = search.best(rate)?;
            let next = search.rate(&alignment);
            if round == MAX_ROUNDS || (next / rate - 1.0).abs() < RATE_TOLERANCE {
                return (cost / (words.len() as f64 + COST_OF_WORDS) <= WORST_COST).then_some(alignment);
            }
            rate = next;
        }
        None
    }

    /// When each word starts and ends, in milliseconds.
    fn words(&self, words: &[Word], stops: &[(f64, f64)]) -> Vec<(u64, u64)> {
        let mut times = Vec::with_capacity(words.len());
        for pair in self.0.windows(2) {
            let [(from_stop, from), (to_stop, to)] = [pair[0], pair[1]];
            let (begin, end) = (stops[from_stop].1, stops[to_stop].0);
            let spoken = &words[from..to];
            let all: f64 = spoken.iter().map(Word::least_length).sum();
            let mut before = 0.0;
            let mut at = |length: f64| {
                before += length;
                ((begin + (end - begin) * (before / all.max(f64::MIN_POSITIVE))) * 1000.0).round() as u64
            };
            let mut start = at(0.0);
            for word in spoken {
                let end = at(word.least_length());
                times.push((start, end));
                start = end;
            }
        }
        times
    }
}

struct Search<'a> {
    words: &'a [Word],
    stops: &'a [(f64, f64)],
    /// The length of all words before each boundary.
    lengths: Vec<f64>,
    /// The costs of all boundaries up to each one if they have no pause.
    unpaused: Vec<f64>,
    /// The costs of all stops before each one if they are inside of words.
    inside: Vec<f64>,
}

impl<'a> Search<'a> {
    fn new(words: &'a [Word], stops: &'a [(f64, f64)]) -> Self {
        let sums = |costs: &mut dyn Iterator<Item = f64>| {
            let sum = |sum: &mut f64, cost| {
                *sum += cost;
                Some(*sum)
            };
            std::iter::once(0.0).chain(costs.scan(0.0, sum)).collect::<Vec<f64>>()
        };
        let without_pause = |word: &Word| match word.boundary {
            Boundary::Word => 0.0,
            Boundary::Clause => 1.5,
            Boundary::Sentence => 6.0,
        };
        let inside_a_word = |(from, to): &(f64, f64)| 14.0 * (to - from - 0.1).max(0.0);
        Self {
            words,
            stops,
            lengths: sums(&mut words.iter().map(Word::least_length)),
            unpaused: sums(&mut words.iter().map(without_pause)),
            inside: sums(&mut stops.iter().map(inside_a_word)),
        }
    }

    /// The best alignment at a rate of speech, in seconds per unit, and its cost.
    fn best(&self, rate: f64) -> Option<(Alignment, f64)> {
        let last = self.stops.len() - 1;
        let all = self.words.len();
        let mut states: Vec<Vec<Alternative>> = Vec::with_capacity(self.stops.len());
        let mut best_of = vec![None::<Alternative>; all + 1];
        let mut ends: Option<(f64, Alternative, usize)> = None;
        for stop in 0..=last {
            let mut touched = Vec::new();
            for from in stop.saturating_sub(LOOKBACK)..stop {
                self.extend(&states, (from, stop), rate, &mut |alternative| {
                    let best = &mut best_of[alternative.words];
                    if best.is_none_or(|best| alternative.cost < best.cost) {
                        if best.is_none() {
                            touched.push(alternative.words);
                        }
                        *best = Some(alternative);
                    }
                });
            }
            let mut alternatives: Vec<Alternative> =
                touched.into_iter().filter_map(|words| best_of[words].take()).collect();
            if let Some(index) = alternatives.iter().position(|alternative| alternative.words == all) {
                let end = alternatives.swap_remove(index);
                let cost = end.cost + self.cost_of_no_speech(stop, last);
                if last - stop <= EXTRA_STRETCHES && ends.is_none_or(|(least, ..)| cost < least) {
                    ends = Some((cost, end, stop));
                }
            }
            if stop <= EXTRA_STRETCHES && stop < last {
                alternatives.push(Alternative {
                    words: 0,
                    cost: self.cost_of_no_speech(0, stop),
                    previous: None,
                });
            }
            alternatives.sort_by(|one, other| one.cost.total_cmp(&other.cost));
            let worst = alternatives.first().map_or(0.0, |best| best.cost + WORST_ALTERNATIVE);
            alternatives.retain(|alternative| alternative.cost <= worst);
            alternatives.truncate(MAX_ALTERNATIVES);
            states.push(alternatives);
        }
        let (cost, end, stop) = ends?;
        let mut path = vec![(stop, all)];
        let mut previous = end.previous;
        while let Some((stop, index)) = previous {
            let alternative = states[stop][index];
            path.push((stop, alternative.words));
            previous = alternative.previous;
        }
        path.reverse();
        Some((Alignment(path), cost))
    }

    /// Continues all alternatives of one stop by the speech until another one.
    fn extend(
        &self,
        states: &[Vec<Alternative>],
        (from, to): (usize, usize),
        rate: f64,
        add: &mut impl FnMut(Alternative),
    ) {
        /// Speech takes between the expected time divided and multiplied by this, give or take half a second.
        const FACTOR: f64 = 2.2;
        const SLACK_S: f64 = 0.5;
        let seconds = self.stops[to].0 - self.stops[from].1;
        let inside = self.inside[to] - self.inside[from + 1];
        let [least, most] = [seconds / FACTOR - SLACK_S, seconds * FACTOR + SLACK_S];
        for (index, state) in states[from].iter().enumerate() {
            let before = self.lengths[state.words];
            let first = self.lengths.partition_point(|length| (length - before) * rate < least);
            for words in first.max(state.words + 1)..self.lengths.len() {
                let expected = (self.lengths[words] - before) * rate;
                if expected > most {
                    break;
                }
                let unpaused = self.unpaused[words - 1] - self.unpaused[state.words];
                let matched = self.cost_of_match(words, to);
                let cost = state.cost + inside + unpaused + matched + misfit(seconds, expected);
                add(Alternative { words, cost, previous: Some((from, index)) });
            }
        }
    }

    /// The cost of a pause after a number of words.
    fn cost_of_match(&self, words: usize, stop: usize) -> f64 {
        let (from, to) = self.stops[stop];
        let pause = to - from;
        if words == self.words.len() {
            return 0.0;
        }
        match self.words[words - 1].boundary {
            Boundary::Sentence if pause > CLEAR_PAUSE_S => 0.0,
            Boundary::Sentence => 2.0,
            Boundary::Clause if pause > 0.08 => 0.3,
            Boundary::Clause => 1.0,
            Boundary::Word => 3.0 + 8.0 * (pause - 0.1).max(0.0),
        }
    }

    /// The cost of sound that is not speech at the beginning or the end.
    fn cost_of_no_speech(&self, from: usize, to: usize) -> f64 {
        if from == to {
            return 0.0;
        }
        let sound = self.stops[from..=to].windows(2).map(|pair| pair[1].0 - pair[0].1);
        1.0 + 4.0 * sound.sum::<f64>()
    }

    /// The rate of speech in matched stretches.
    fn rate(&self, alignment: &Alignment) -> f64 {
        let stretches = alignment.0.windows(2);
        let seconds: f64 = stretches.map(|pair| self.stops[pair[1].0].0 - self.stops[pair[0].0].1).sum();
        seconds / self.lengths[self.words.len()]
    }
}

/// The cost of speech that takes another time than expected.
fn misfit(seconds: f64, expected: f64) -> f64 {
    let variance = 0.08 * 0.08 + (0.18 * expected) * (0.18 * expected);
    (seconds - expected) * (seconds - expected) / variance
}

/// Captions from the times of their words.
pub(super) fn cues(texts: &[CaptionText], words: &[Word], spoken: &[(u64, u64)]) -> Vec<Cue> {
    let mut cues: Vec<Cue> = Vec::with_capacity(texts.len());
    for (word, &(start_ms, end_ms)) in words.iter().zip(spoken) {
        let time = InlineTime { at: word.start, ms: start_ms };
        match cues.get_mut(word.caption) {
            Some(cue) => {
                cue.end_ms = end_ms;
                cue.times.push(time);
            }
            None => {
                let text = texts.get(word.caption).map(|caption| caption.text.clone()).unwrap_or_default();
                cues.push(Cue { start_ms, end_ms, text, times: vec![time] });
            }
        }
    }
    for index in 0..cues.len() {
        let next = cues.get(index + 1).map_or(u64::MAX, |next| next.start_ms);
        let cue = &mut cues[index];
        let read_ms = cue.start_ms + reading_units(&cue.text) * 1000 / UNITS_PER_SECOND;
        cue.end_ms = match next.saturating_sub(cue.end_ms) > LONG_PAUSE_MS {
            true => (cue.end_ms + HOLD_MS).max(read_ms).min(next),
            false => next,
        };
        cue.end_ms = cue.end_ms.max(cue.start_ms + 1);
    }
    cues
}

#[cfg(test)]
mod tests;
