//! Detects the encoding of text that is not Unicode by its language. Encodings share their bytes, so a wrong one gives other
//! characters instead of an error.
//!
//! Each encoding has models of the languages that are written in it: how common their characters are. The bytes must be
//! much more likely as text of one encoding than of any other, or of a language without a model.

use std::collections::HashMap;
use std::sync::LazyLock;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, IBM866, ISO_8859_5, KOI8_U, SHIFT_JIS, WINDOWS_874,
    WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256,
    WINDOWS_1257, WINDOWS_1258,
};

use super::common;

/// How much of the text is examined.
const SAMPLE_BYTES: usize = 4096;

// Likelihoods are natural logarithms. They were set by 108,000 sentences and words of 23 languages.
/// How much more likely the best encoding must be than the second best.
const MARGIN: f64 = 9.0;
/// The same for alphabets with one byte per letter, which short words do not distinguish as well.
const ALPHABET_MARGIN: f64 = 13.0;
/// Nearly all languages have models, so text in East Asian encodings must beat others by less.
const UNKNOWN_MARGIN: f64 = 4.0;
/// The weight of the guess of a detector that knows which letters follow each other.
const GUESS: f64 = 4.0;
/// An ASCII character.
const ASCII: f64 = -4.0;
/// An ASCII letter in a language with the Latin alphabet.
const LATIN_LETTER: f64 = -3.6;
/// A letter with an accent is less common than one without.
const ACCENT: f64 = -2.3;
/// A byte outside ASCII in a language without a model.
const UNKNOWN_LETTER: f64 = -4.6;
/// The same beside an ASCII letter.
const UNKNOWN_ACCENT: f64 = -9.0;
/// A character that the language does not use.
const FOREIGN: f64 = -13.0;
/// An ideograph of Chinese or Japanese that is not in the tables.
const RARE: f64 = -11.0;
/// Letters of two alphabets side by side, and a word of accented letters only.
const MIXED_WORD: f64 = -4.0;
const LONE_ACCENT: f64 = -2.0;
const CAPITAL: f64 = -0.6;
const CAPITAL_AFTER_SMALL: f64 = -5.0;
const PUNCTUATION: f64 = -4.5;
/// The likelihood of each letter of an alphabet, in relation to the previous one.
const DECLINE: f64 = 0.88;

const WIDE_PUNCTUATION: &str = "，。！？、；：“”‘’（）《》…—·「」『』～";
const WESTERN_PUNCTUATION: &str = "’“”…–—«»‘„№¿¡\u{a0}";

enum Model {
    /// East Asian text. Ideographs that are not in its tables are as likely as `rare`.
    Wide {
        characters: HashMap<char, f64>,
        rare: f64,
    },
    Alphabet {
        letters: HashMap<char, f64>,
        is_latin: bool,
    },
}

struct Candidate {
    model: Model,
    encodings: Vec<&'static Encoding>,
}

static CANDIDATES: LazyLock<Vec<Candidate>> = LazyLock::new(|| {
    let [simplified, more_simplified, rare_simplified, rarest_simplified] = common::SIMPLIFIED;
    let [traditional, more_traditional, rare_traditional] = common::TRADITIONAL;
    let [kanji, more_kanji, rare_kanji] = common::KANJI;
    let [hangul, more_hangul, rare_hangul] = common::HANGUL;
    let hiragana: String = ('ぁ'..='ん').collect();
    let katakana: String = ('ァ'..='ー').collect();
    let simplified = [
        (simplified, 0.43),
        (more_simplified, 0.27),
        (rare_simplified, 0.11),
        (rarest_simplified, 0.06),
        (WIDE_PUNCTUATION, 0.1),
    ];
    let traditional =
        [(traditional, 0.43), (more_traditional, 0.27), (rare_traditional, 0.1), (WIDE_PUNCTUATION, 0.1)];
    let japanese = [
        (&*hiragana, 0.4),
        (&*katakana, 0.2),
        (kanji, 0.13),
        (more_kanji, 0.11),
        (rare_kanji, 0.04),
        (WIDE_PUNCTUATION, 0.1),
    ];
    let korean = [(hangul, 0.67), (more_hangul, 0.21), (rare_hangul, 0.08), (WIDE_PUNCTUATION, 0.02)];
    let others = [
        (Model::wide(&simplified, RARE), vec![GB18030]),
        (Model::wide(&traditional, RARE), vec![BIG5, GB18030]),
        (Model::wide(&japanese, RARE), vec![SHIFT_JIS, EUC_JP]),
        (Model::wide(&korean, FOREIGN), vec![EUC_KR]),
        (Model::alphabet(common::CYRILLIC, false), vec![WINDOWS_1251, KOI8_U, ISO_8859_5, IBM866]),
        (Model::alphabet(common::GREEK, false), vec![WINDOWS_1253]),
        (Model::alphabet(common::HEBREW, false), vec![WINDOWS_1255]),
        (Model::alphabet(common::ARABIC, false), vec![WINDOWS_1256]),
        (Model::alphabet(common::THAI, false), vec![WINDOWS_874]),
    ];
    let latin: [(&[&str], _); 5] = [
        (&common::WINDOWS_1250, WINDOWS_1250),
        (&common::WINDOWS_1252, WINDOWS_1252),
        (&common::WINDOWS_1254, WINDOWS_1254),
        (&common::WINDOWS_1257, WINDOWS_1257),
        (&common::WINDOWS_1258, WINDOWS_1258),
    ];
    let latin = latin.into_iter().flat_map(|(languages, encoding)| {
        languages.iter().map(move |letters| (Model::alphabet(letters, true), vec![encoding]))
    });
    others.into_iter().chain(latin).map(|(model, encodings)| Candidate { model, encodings }).collect()
});

/// A way to read the sample.
struct Reading {
    text: String,
    encoding: &'static Encoding,
    likelihood: f64,
    margin: f64,
    unknown_margin: f64,
}

/// The text, if it is much more likely in one encoding than in any other.
pub fn decode(bytes: &[u8]) -> Option<String> {
    let sample = sample(bytes);
    let guess = guess(&sample);
    let readings = CANDIDATES.iter().flat_map(|candidate| {
        let read = |encoding: &&'static Encoding| candidate.read(encoding, &sample, guess.as_deref());
        candidate.encodings.iter().filter_map(read)
    });
    let readings: Vec<Reading> = readings.collect();
    let best = readings.iter().max_by(|a, b| a.likelihood.total_cmp(&b.likelihood))?;
    let others = readings.iter().filter(|reading| reading.text != best.text);
    let next = others.map(|reading| reading.likelihood).reduce(f64::max);
    let is_certain = best.likelihood - unknown(&sample) >= best.unknown_margin
        && next.is_none_or(|next| best.likelihood - next >= best.margin);
    if is_certain { strict(best.encoding, bytes) } else { None }
}

impl Candidate {
    fn read(&self, encoding: &'static Encoding, sample: &[u8], guess: Option<&str>) -> Option<Reading> {
        let text = strict(encoding, sample)?;
        let (margin, unknown_margin) = match self.model {
            Model::Wide { .. } => (MARGIN, UNKNOWN_MARGIN),
            Model::Alphabet { is_latin: true, .. } => (MARGIN, MARGIN),
            Model::Alphabet { .. } => (ALPHABET_MARGIN, ALPHABET_MARGIN),
        };
        let bonus = if guess == Some(text.as_str()) { GUESS } else { 0.0 };
        let likelihood = self.model.likelihood(&text) + bonus;
        Some(Reading { text, encoding, likelihood, margin, unknown_margin })
    }
}

impl Model {
    /// Classes of characters, each with its part of all text.
    fn wide(classes: &[(&str, f64)], rare: f64) -> Self {
        let likely = classes.iter().flat_map(|(chars, part)| {
            let each = (part / chars.chars().count() as f64).ln();
            chars.chars().map(move |c| (c, each))
        });
        Self::Wide { characters: likely.collect(), rare }
    }

    /// Small letters, the most common first.
    fn alphabet(letters: &str, is_latin: bool) -> Self {
        let total = 1.0 - DECLINE.powi(letters.chars().count() as i32);
        let first = ((1.0 - DECLINE) / total).ln();
        let likely = letters.chars().enumerate().map(|(i, c)| (c, first + i as f64 * DECLINE.ln()));
        Self::Alphabet { letters: likely.collect(), is_latin }
    }

    fn likelihood(&self, text: &str) -> f64 {
        let before = std::iter::once(' ').chain(text.chars());
        let after = text.chars().skip(1).chain([' ']);
        text.chars().zip(before.zip(after)).map(|(c, (before, after))| self.of(c, before, after)).sum()
    }

    /// The likelihood of a character between two others.
    fn of(&self, c: char, before: char, after: char) -> f64 {
        let (letters, is_latin) = match self {
            Self::Alphabet { is_latin: true, .. } if c.is_ascii_alphabetic() => return LATIN_LETTER,
            _ if c.is_ascii() => return ASCII,
            Self::Wide { characters, rare } => {
                let untabled = if is_ideograph(c) { *rare } else { FOREIGN };
                return characters.get(&c).copied().unwrap_or(untabled);
            }
            Self::Alphabet { letters, is_latin } => (letters, *is_latin),
        };
        if WESTERN_PUNCTUATION.contains(c) {
            return PUNCTUATION;
        }
        let small = c.to_lowercase().next().unwrap_or(c);
        let (letter, case) = match (letters.get(&c), letters.get(&small)) {
            (Some(letter), _) => (*letter, 0.0),
            (None, Some(letter)) if before.is_lowercase() => (*letter, CAPITAL_AFTER_SMALL),
            (None, Some(letter)) => (*letter, CAPITAL),
            (None, None) => return FOREIGN,
        };
        let beside = [before, after].into_iter().filter(char::is_ascii_alphabetic).count();
        let place = match (is_latin, beside) {
            (true, 0) => ACCENT + LONE_ACCENT,
            (true, _) => ACCENT,
            (false, beside) => beside as f64 * MIXED_WORD,
        };
        letter + case + place
    }
}

/// Whether it is an ideograph or a character as wide as one.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{ff01}'..='\u{ff5e}')
}

/// The likelihood of bytes in a language without a model.
fn unknown(bytes: &[u8]) -> f64 {
    let is_letter = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphabetic);
    let likelihood = |(at, byte): (usize, &u8)| match byte.is_ascii() {
        true => ASCII,
        false if is_letter(at.checked_sub(1)) || is_letter(at.checked_add(1)) => UNKNOWN_ACCENT,
        false => UNKNOWN_LETTER,
    };
    bytes.iter().enumerate().map(likelihood).sum()
}

/// The text in the encoding that the detector guesses, if that has one byte per character.
fn guess(bytes: &[u8]) -> Option<String> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    guess.is_single_byte().then(|| strict(guess, bytes)).flatten()
}

/// The first lines that are not ASCII. Very long ones are cut at an ASCII byte that is never a part of a character.
fn sample(bytes: &[u8]) -> Vec<u8> {
    let mut sample = Vec::new();
    for line in bytes.split(u8::is_ascii_control).filter(|line| !line.is_ascii()) {
        if sample.len() >= SAMPLE_BYTES {
            break;
        }
        let start = line.get(..SAMPLE_BYTES).map_or(line, |start| {
            let end = start.iter().rposition(|byte| *byte < b'0').unwrap_or(0);
            start.get(..end).unwrap_or_default()
        });
        sample.extend_from_slice(start);
        sample.push(b'\n');
    }
    sample
}

/// The text if all bytes are characters, and none of them is a control character or one for private use, to which
/// encodings map gaps.
pub fn strict(encoding: &'static Encoding, bytes: &[u8]) -> Option<String> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    let is_gap = |c| matches!(c, '\u{80}'..='\u{9f}' | '\u{e000}'..='\u{f8ff}');
    (!text.contains(is_gap)).then(|| text.into_owned())
}
