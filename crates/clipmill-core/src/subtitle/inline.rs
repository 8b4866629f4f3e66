//! Captions that a request contains, in place of a file.

use serde::{Deserialize, Serialize};

use super::font::is_invisible;
use super::markup::shown_lines;
use super::parse::trim_short_overlaps;
use super::{Cue, InlineTime};

/// One caption; times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InlineCue {
    pub start_s: f64,
    pub end_s: f64,
    pub text: String,
    /// Words of the text with their times, in the order of the text; absent when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<InlineWord>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InlineWord {
    pub start_s: f64,
    pub end_s: f64,
    pub text: String,
}

/// Why a word of a cue cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordFault {
    /// It does not follow the previous word in the text of the cue.
    NotInText,
    /// It is not spoken during the cue.
    OutsideCue,
}

impl InlineCue {
    /// The indexes of words that cannot be used.
    pub fn word_faults(&self) -> Vec<(usize, WordFault)> {
        let places = self.places_of_words();
        let faults = self.words.iter().zip(places).enumerate().filter_map(|(index, (word, place))| {
            let is_outside = ms(word.start_s) < ms(self.start_s) || ms(word.end_s) > ms(self.end_s);
            let fault = if is_outside { Some(WordFault::OutsideCue) } else { None };
            let fault = fault.or(place.is_none().then_some(WordFault::NotInText));
            fault.map(|fault| (index, fault))
        });
        faults.collect()
    }

    /// Where each word begins in the drawn text, in bytes.
    fn places_of_words(&self) -> Vec<Option<usize>> {
        let text = shown_lines(&self.text);
        let mut from = 0;
        let place = |word: &InlineWord| {
            let word = shown_lines(&word.text);
            let at = from + text.get(from..)?.find(&word)?;
            from = at + word.len();
            (!word.is_empty()).then_some(at)
        };
        self.words.iter().map(place).collect()
    }

    /// The same caption as if it came from a file. Nothing in its text is markup.
    fn to_cue(&self) -> Cue {
        let start_ms = ms(self.start_s);
        let places = self.places_of_words();
        let times = self.words.iter().zip(places);
        let times = times.filter_map(|(word, at)| Some(InlineTime { at: at?, ms: ms(word.start_s) }));
        Cue {
            start_ms,
            end_ms: ms(self.end_s).max(start_ms + 1),
            text: shown_lines(&self.text),
            times: times.collect(),
        }
    }
}

/// Whether a text of a request has nothing to draw.
pub fn is_blank(text: &str) -> bool {
    shown_lines(text).chars().all(|c| c.is_whitespace() || is_invisible(c))
}

/// The captions of a request as if they came from a file: sorted by start, in their own order where starts are equal.
pub fn inline_cues(cues: &[InlineCue]) -> Vec<Cue> {
    let mut cues: Vec<Cue> = cues.iter().map(InlineCue::to_cue).collect();
    cues.sort_by_key(|cue| cue.start_ms);
    trim_short_overlaps(&mut cues);
    cues
}

/// The nearest millisecond. The cast saturates.
fn ms(seconds: f64) -> u64 {
    (seconds * 1000.0).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subtitle::parse;

    fn cue(start_s: f64, end_s: f64, text: &str, words: &[(f64, f64, &str)]) -> InlineCue {
        let word =
            |&(start_s, end_s, text): &(f64, f64, &str)| InlineWord { start_s, end_s, text: text.into() };
        InlineCue { start_s, end_s, text: text.into(), words: words.iter().map(word).collect() }
    }

    /// The same captions in a file give the same cues.
    #[test]
    fn inline_captions_are_those_of_a_file() {
        let words = [(1.0, 1.4, "One"), (1.5, 1.8, "two"), (2.0, 3.0, "three")];
        let cues =
            [cue(4.0, 5.0, "last", &[]), cue(1.0, 3.0, "One two\nthree", &words), cue(2.9, 4.5, "b", &[])];
        let file = "WEBVTT\n\n00:01.000 --> 00:03.000\n<00:01.000>One <00:01.500>two\n<00:02.000>three\n\n\
                    00:02.900 --> 00:04.500\nb\n\n00:04.000 --> 00:05.000\nlast\n";
        assert_eq!(inline_cues(&cues), parse(file.as_bytes()).unwrap().cues);
    }

    #[test]
    fn markup_is_text() {
        let text = "<b>a</b> {\\an8}b \\N c &lt; <00:01.000>d";
        assert_eq!(inline_cues(&[cue(0.0, 1.0, text, &[])])[0].text, text);
    }

    #[test]
    fn a_cue_of_no_length_is_shown() {
        let cues = inline_cues(&[cue(1.0, 1.0001, "a", &[]), cue(86_400.0, 86_400.0, "b", &[])]);
        assert!(cues.iter().all(|cue| cue.start_ms < cue.end_ms), "{cues:?}");
    }

    #[test]
    fn words_are_in_their_cue() {
        let faults = |words| cue(1.0, 2.0, "今天 ok, ok", words).word_faults();
        assert_eq!(faults(&[(1.0, 1.2, "今天"), (1.2, 1.5, " ok,"), (1.5, 2.0004, "ok")]), []);
        assert_eq!(faults(&[(0.9, 1.2, "今天")]), [(0, WordFault::OutsideCue)]);
        assert_eq!(faults(&[(1.0, 2.1, "今天")]), [(0, WordFault::OutsideCue)]);
        assert_eq!(faults(&[(1.0, 1.2, "ok"), (1.2, 1.3, "今天")]), [(1, WordFault::NotInText)]);
        assert_eq!(faults(&[(1.0, 1.2, "okay"), (1.2, 1.3, "ok")]), [(0, WordFault::NotInText)]);
        assert_eq!(faults(&[(1.0, 1.2, " ")]), [(0, WordFault::NotInText)]);
    }

    #[test]
    fn text_without_letters_is_blank() {
        assert!(is_blank(" \n\t\u{2028}\u{feff}\u{202e}\u{200b}") && !is_blank(" . "));
    }
}
