use serde::Deserialize;

use super::*;
use crate::size::Size;
use crate::subtitle::wrap::tests::Grid;
use crate::subtitle::{SubtitleStyle, split_text};

/// A voice, its pauses, and when it speaks. Texts are counted in characters, times in milliseconds.
/// `scripts/caption-timing.py` makes these; times of synthesized voices are those of the synthesizer.
#[derive(Deserialize)]
struct Voice {
    name: String,
    text: String,
    pauses: Pauses,
    sentences: Vec<(usize, i64)>,
    words: Vec<(usize, i64)>,
}

fn voices() -> Vec<Voice> {
    serde_json::from_str(include_str!("voices.json")).unwrap()
}

fn captions(text: &str) -> Vec<CaptionText> {
    split_text(text, &SubtitleStyle::DEFAULT, Size::new(720, 1280), &Grid)
}

fn align(text: &str, pauses: &Pauses) -> Result<Vec<Cue>, AlignmentError> {
    align_to_voice(&captions(text), pauses, u64::MAX)
}

/// The time of each word, by its place in the text in characters.
fn word_times(text: &str, cues: &[Cue]) -> Vec<(usize, i64)> {
    let mut from = 0;
    let mut times = Vec::new();
    for cue in cues {
        let at = from + text[from..].find(&cue.text).unwrap();
        from = at + cue.text.len();
        let place = |byte: usize| text[..at + byte].chars().count();
        times.extend(cue.times.iter().map(|time| (place(time.at), time.ms as i64)));
    }
    times
}

/// How many of the expected times are found within a tolerance, and their number.
fn hits(expected: &[(usize, i64)], times: &[(usize, i64)], tolerance: i64) -> (usize, usize) {
    let pairs = expected.iter().filter_map(|(at, ms)| {
        times.iter().find(|(place, _)| place == at).map(|(_, found)| (found - ms).abs() <= tolerance)
    });
    pairs.fold((0, 0), |(hits, all), hit| (hits + usize::from(hit), all + 1))
}

#[test]
fn sentences_and_words_start_when_they_are_spoken() {
    let mut report = String::from("voice | sentences within 150 ms | words within 250 ms\n");
    let (mut sentences, mut words) = ((0, 0), (0, 0));
    for voice in voices() {
        let cues =
            align(&voice.text, &voice.pauses).unwrap_or_else(|error| panic!("{}: {error:?}", voice.name));
        let times = word_times(&voice.text, &cues);
        let [of_sentences, of_words] = [(&voice.sentences, 150), (&voice.words, 250)]
            .map(|(expected, within)| hits(expected, &times, within));
        assert_eq!(of_sentences.1, voice.sentences.len(), "{}: {times:?}", voice.name);
        report += &format!("{} | {of_sentences:?} | {of_words:?}\n", voice.name);
        sentences = (sentences.0 + of_sentences.0, sentences.1 + of_sentences.1);
        words = (words.0 + of_words.0, words.1 + of_words.1);
    }
    println!("{report}");
    let is_enough = |(hits, all): (usize, usize)| all > 0 && hits * 100 >= all * 95;
    assert!(is_enough(sentences) && is_enough(words), "{report}");
}

/// A voice is not aligned with the text of another one, or with half of its text.
#[test]
fn another_text_is_noticed() {
    let voices = voices();
    let (mut noticed, mut all) = (0, 0);
    for voice in &voices {
        let sentences = |range: std::ops::Range<usize>| {
            let at = |index: usize| voice.sentences.get(index).map_or(usize::MAX, |(at, _)| *at);
            voice.text.chars().skip(at(range.start)).take(at(range.end) - at(range.start)).collect::<String>()
        };
        let half = voice.sentences.len() / 2;
        for text in [sentences(0..half), sentences(half..voice.sentences.len()), voice.text.repeat(2)] {
            let result = align(&text, &voice.pauses);
            noticed += usize::from(result == Err(AlignmentError::OtherText));
            all += 1;
        }
    }
    assert!(noticed * 100 >= all * 90, "{noticed} of {all}");
}

#[test]
fn audio_without_speech_has_no_times() {
    let check = |pauses: Pauses, expected| {
        assert_eq!(align("One two three. Four five.", &pauses).err(), Some(expected))
    };
    check(Pauses::default(), AlignmentError::NoSpeech);
    check(Pauses { pauses: vec![(0, 9000)], end_ms: 9000 }, AlignmentError::NoSpeech);
    // Music: sound without pauses, ten times too long for the words.
    check(Pauses { pauses: vec![], end_ms: 90_000 }, AlignmentError::OtherText);
    assert_eq!(align("", &Pauses { pauses: vec![], end_ms: 1000 }), Ok(vec![]));
}

#[test]
fn a_caption_stays_until_the_next_one_unless_the_voice_pauses() {
    let pauses = Pauses { pauses: vec![(0, 200), (1600, 1900), (3300, 6000), (7400, 8000)], end_ms: 8000 };
    let cues = align("One two three four. One two three four. One two three four.", &pauses).unwrap();
    let times: Vec<(u64, u64)> = cues.iter().map(|cue| (cue.start_ms, cue.end_ms)).collect();
    assert_eq!(times, [(200, 1900), (1900, 3800), (6000, 7900)]);
    assert_eq!(cues[0].times.iter().map(|time| time.at).collect::<Vec<_>>(), [0, 4, 8, 14]);
}

/// Only what is heard of a voice counts.
#[test]
fn a_voice_can_be_cut() {
    let pauses = Pauses { pauses: vec![(0, 200), (1600, 1900), (3300, 3600)], end_ms: 5000 };
    let text = captions("One two three four. One two three four.");
    let cues = align_to_voice(&text, &pauses, 3400).unwrap();
    assert_eq!((cues[1].start_ms, cues[1].end_ms), (1900, 3800));
}

/// A click before the voice and a breath after it belong to no word.
#[test]
fn noises_around_a_voice_are_no_words() {
    let pauses = vec![(0, 100), (150, 1200), (2600, 2900), (4300, 5000), (5080, 6000)];
    let cues = align("One two three four. One two three four.", &Pauses { pauses, end_ms: 6000 }).unwrap();
    assert_eq!([cues[0].start_ms, cues[1].start_ms, cues[1].end_ms], [1200, 2900, 4800]);
}

#[test]
fn words_have_lengths_in_every_script() {
    let check = |word: &str, expected: f64| assert_eq!(length(word), expected, "{word}");
    check("street", 7.0);
    check("1874", 21.0);
    check("港口", 8.0);
    check("كتاب", 9.0);
    check("كِتَاب", 9.0);
    check("नमस्ते", 9.7 - 1.0);
    check("सड़क", 7.3);
}

#[test]
fn boundaries_are_marks_and_gaps() {
    let kinds = |text: &str| words_of(&captions(text)).iter().map(|word| word.boundary).collect::<Vec<_>>();
    use Boundary::{Clause, Sentence, Word};
    assert_eq!(kinds("Dr. No paid 3.5 euros, or not"), [Word, Word, Word, Word, Clause, Word, Sentence]);
    assert_eq!(kinds("well-known - so"), [Word, Clause, Sentence]);
    assert_eq!(kinds("你好，世界。再见"), [Clause, Sentence, Sentence]);
    assert_eq!(kinds("สวัสดี ครับ"), [Clause, Sentence]);
    assert_eq!(kinds("🎉"), [Sentence]);
}

/// A voice that pauses everywhere does no harm.
#[test]
fn a_long_text_is_aligned() {
    let text = "one and two. ".repeat(400);
    let pauses = (0..2400).map(|at| (at * 200 + 150, at * 200 + 200)).collect();
    let _ = align(&text, &Pauses { pauses, end_ms: 480_000 });
    let pauses = (0..24_000).map(|at| (at * 40 + 20, at * 40 + 40)).collect();
    let _ = align(&text, &Pauses { pauses, end_ms: 960_000 });
}
