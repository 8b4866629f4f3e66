//! Texts that a speech service speaks, in place of audio files, and audio that it transcribes.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use crate::subtitle::is_wide;

/// The maximum characters of a text in a task.
pub const MAX_CHARACTERS: usize = 10_000;
/// The maximum characters of a text that is only listened to.
pub const MAX_PREVIEW_CHARACTERS: usize = 500;
/// The maximum characters of a voice's name.
pub const MAX_VOICE_LENGTH: usize = 100;

const SCHEME: &str = "speech:";
const TRANSCRIPT_SCHEME: &str = "transcript:";
/// Characters that are spoken in a second, at the usual speed.
const LETTERS_PER_SECOND: f64 = 15.0;
/// The same for Chinese, Japanese and Korean characters.
const WIDE_PER_SECOND: f64 = 4.0;
const MIN_SECONDS: f64 = 1.0;
/// Characters of a text in messages.
const SHOWN: usize = 40;

/// A text to be spoken. Its URL represents the audio file wherever a plan needs one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Speech {
    pub text: String,
    /// The default voice of the service if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voice: Option<String>,
    pub speed: f64,
}

impl Speech {
    pub const SPEED: f64 = 1.0;

    /// The text and everything else that determines its audio. No client can send such a URL.
    pub fn url(&self) -> String {
        format!("{SCHEME}{}", serde_json::to_string(self).unwrap_or_default())
    }

    /// The reverse of [`Speech::url`]; `None` for the URL of a file.
    pub fn of_url(url: &str) -> Option<Self> {
        serde_json::from_str(url.strip_prefix(SCHEME)?).ok()
    }

    pub fn characters(&self) -> u64 {
        self.text.chars().count() as u64
    }

    /// The estimated length of its audio.
    pub fn estimated_s(&self) -> f64 {
        let wide = self.text.chars().filter(|c| is_wide(*c)).count();
        let letters = self.text.chars().count() - wide;
        let seconds = letters as f64 / LETTERS_PER_SECOND + wide as f64 / WIDE_PER_SECOND;
        (seconds / self.speed).max(MIN_SECONDS)
    }

    /// Its text in parts of at most `most` characters: whole sentences if they fit, otherwise whole words
    /// or clauses.
    pub fn parts(&self, most: usize) -> Vec<Self> {
        let mut parts = vec![String::new()];
        add_pieces(&mut parts, self.text.split_sentence_bounds(), most.max(1), |sentence, parts| {
            add_pieces(parts, sentence.split_inclusive(ends_piece), most.max(1), |word, parts| {
                add_pieces(parts, word.graphemes(true), most.max(1), |grapheme, parts| {
                    parts.push(grapheme.to_owned());
                });
            });
        });
        let spoken = parts.into_iter().filter(|text| !text.trim().is_empty());
        spoken.map(|text| Self { text, ..self.clone() }).collect()
    }
}

/// Whether a long sentence may be divided after this character.
fn ends_piece(c: char) -> bool {
    c.is_whitespace() || matches!(c, '，' | '、' | '；' | '：')
}

/// Adds pieces to the last part as long as they fit; `divide` adds a piece that fits into no part.
fn add_pieces<'t>(
    parts: &mut Vec<String>,
    pieces: impl Iterator<Item = &'t str>,
    most: usize,
    divide: impl Fn(&'t str, &mut Vec<String>),
) {
    for piece in pieces {
        let length = piece.chars().count();
        match parts.last_mut() {
            Some(part) if part.chars().count() + length <= most => part.push_str(piece),
            _ if length <= most => parts.push(piece.to_owned()),
            _ => divide(piece, parts),
        }
    }
}

/// The URL of what is spoken in a file. No client can send it.
pub fn transcript_url(url: &str) -> String {
    format!("{TRANSCRIPT_SCHEME}{url}")
}

/// The reverse of [`transcript_url`]; `None` for any other URL.
pub fn transcribed_url(url: &str) -> Option<&str> {
    url.strip_prefix(TRANSCRIPT_SCHEME)
}

/// An input as messages name it: the URL of a file, or the beginning of a text that is spoken.
pub fn input_name(url: &str) -> Cow<'_, str> {
    let Some(speech) = Speech::of_url(url) else { return url.into() };
    let mut shown: String =
        speech.text.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if speech.text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    format!("{SCHEME} {shown}").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speech(text: &str) -> Speech {
        Speech { text: text.to_owned(), voice: Some("en-us".to_owned()), speed: 1.25 }
    }

    #[test]
    fn a_url_has_everything() {
        let spoken = speech("He said: \"{a}\"\n再见 🎉");
        assert_eq!(Speech::of_url(&spoken.url()), Some(spoken.clone()));
        let plain = Speech { voice: None, speed: 1.0, ..spoken };
        assert_eq!(Speech::of_url(&plain.url()), Some(plain));
        for url in ["https://a.example/speech:{}", "speech:", "speech:{\"text\":1}", "upload://a"] {
            assert_eq!(Speech::of_url(url), None);
            assert_eq!(input_name(url), url);
        }
        assert_eq!(input_name(&speech("One\ntwo").url()), "speech: One two");
        assert_eq!(input_name(&speech(&"字".repeat(41)).url()), format!("speech: {}…", "字".repeat(40)));
    }

    #[test]
    fn lengths_are_estimated_by_characters() {
        let seconds = |text: &str, speed| Speech { text: text.into(), voice: None, speed }.estimated_s();
        assert_eq!(seconds(&"a".repeat(150), 1.0), 10.0);
        assert_eq!(seconds(&"字".repeat(40), 1.0), 10.0);
        assert_eq!(seconds(&"字".repeat(40), 2.0), 5.0);
        assert_eq!(seconds("a", 1.0), 1.0);
    }

    #[track_caller]
    fn check(text: &str, most: usize, expected: &[&str]) {
        let parts: Vec<String> = speech(text).parts(most).into_iter().map(|part| part.text).collect();
        assert_eq!(parts, expected);
        assert!(parts.iter().all(|part| part.chars().count() <= most));
    }

    #[test]
    fn a_text_is_divided_between_sentences_words_and_characters() {
        check("One two. Three four. Five.", 100, &["One two. Three four. Five."]);
        check("One two. Three four. Five.", 21, &["One two. Three four. ", "Five."]);
        check("One two. Three four. Five.", 10, &["One two. ", "Three ", "four. ", "Five."]);
        check("你好。再见。", 3, &["你好。", "再见。"]);
        check("你好吗，再见。", 5, &["你好吗，", "再见。"]);
        check("abcdefgh ij", 3, &["abc", "def", "gh ", "ij"]);
        check("  \n ", 2, &[]);
    }
}
