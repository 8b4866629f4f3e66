//! How long texts take to read, and how captions share a time by the length of their texts.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::{CaptionText, Cue};

/// A second has this many units, so that the reading time of every character is a whole number of them.
pub const UNITS_PER_SECOND: u64 = 180;
/// 20 characters a second.
const UNITS_OF_LETTER: u64 = UNITS_PER_SECOND / 20;
/// 9 Chinese, Japanese or Korean characters a second.
const UNITS_OF_WIDE: u64 = UNITS_PER_SECOND / 9;
/// A caption is shown for at least a second, if the time allows.
const MIN_UNITS: u64 = UNITS_PER_SECOND;

/// The time that a comfortable reader needs for a text.
pub fn reading_units(text: &str) -> u64 {
    let units = |grapheme: &str| if grapheme.starts_with(is_wide) { UNITS_OF_WIDE } else { UNITS_OF_LETTER };
    text.graphemes(true).map(units).sum()
}

/// Whether it is a Chinese, Japanese or Korean character, or a mark that is as wide.
pub(crate) fn is_wide(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{a4cf}' | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}' | '\u{ff01}'..='\u{ffe6}' | '\u{20000}'..='\u{3ffff}')
}

/// Captions that follow each other without pauses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvenCues {
    pub cues: Vec<Cue>,
    /// The seconds that the texts take to read, if that is more than the time they share.
    pub needed_s: Option<u64>,
}

/// Shares a time, in milliseconds, among texts by their length. Where the time allows, each is shown for a second or
/// more, and long enough to be read.
pub fn spread_evenly(texts: &[CaptionText], time: Range<u64>) -> EvenCues {
    let units: Vec<u64> = texts.iter().map(|caption| reading_units(&caption.text)).collect();
    let total_ms = time.end.saturating_sub(time.start);
    let available = u128::from(total_ms) * u128::from(UNITS_PER_SECOND) / 1000;
    let needed: u128 = units.iter().map(|units| u128::from(*units)).sum();
    let wanted: u128 = units.iter().map(|units| u128::from(*units.max(&MIN_UNITS))).sum();
    // Between the two, the time that is left over is shared by the captions that are shorter than wanted.
    let weight = |units: &u64| {
        let (needs, wants) = (u128::from(*units), u128::from(*units.max(&MIN_UNITS)));
        match available {
            available if available >= wanted => wants,
            available if available > needed => {
                needs * (wanted - needed) + (wants - needs) * (available - needed)
            }
            _ => needs,
        }
    };
    let weights: Vec<u128> = units.iter().map(weight).collect();
    let all = weights.iter().sum::<u128>().max(1);
    let mut before = 0;
    let at = |before: u128| time.start + (u128::from(total_ms) * before / all) as u64;
    let cue = |(caption, weight): (&CaptionText, &u128)| {
        let start_ms = at(before);
        before += weight;
        Cue { start_ms, end_ms: at(before).max(start_ms + 1), text: caption.text.clone(), times: Vec::new() }
    };
    let cues = texts.iter().zip(&weights).map(cue).collect();
    let needed_s = needed.div_ceil(u128::from(UNITS_PER_SECOND)) as u64;
    EvenCues { cues, needed_s: (needed > available).then_some(needed_s) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caption(text: &str) -> CaptionText {
        CaptionText { text: text.to_owned(), ends_sentence: true }
    }

    fn spread(texts: &[&str], time: Range<u64>) -> (Vec<(u64, u64)>, Option<u64>) {
        let texts: Vec<CaptionText> = texts.iter().map(|text| caption(text)).collect();
        let EvenCues { cues, needed_s } = spread_evenly(&texts, time);
        (cues.iter().map(|cue| (cue.start_ms, cue.end_ms)).collect(), needed_s)
    }

    #[test]
    fn reading_takes_a_ninth_or_a_twentieth_of_a_second_for_a_character() {
        let check = |text: &str, expected: u64| assert_eq!(reading_units(text), expected, "{text:?}");
        check("", 0);
        check("twenty letters here!", UNITS_PER_SECOND);
        check("一二三四五六七八。", UNITS_PER_SECOND);
        check("안녕", 2 * UNITS_OF_WIDE);
        check("e\u{301}👩‍👩‍👧", 2 * UNITS_OF_LETTER);
    }

    #[test]
    fn texts_share_the_time_by_their_length() {
        let (twenty, forty) = ("a".repeat(20), "b".repeat(40));
        let texts = [twenty.as_str(), forty.as_str()];
        assert_eq!(spread(&texts, 1000..10_000), (vec![(1000, 4000), (4000, 10_000)], None));
        assert_eq!(spread(&texts, 0..3000), (vec![(0, 1000), (1000, 3000)], None));
        assert_eq!(spread(&texts, 0..1500), (vec![(0, 500), (500, 1500)], Some(3)));
    }

    #[test]
    fn short_texts_get_a_second_where_the_time_allows() {
        let texts = ["ab", &"c".repeat(40)];
        assert_eq!(spread(&texts, 0..6000), (vec![(0, 2000), (2000, 6000)], None));
        assert_eq!(spread(&texts, 0..3000), (vec![(0, 1000), (1000, 3000)], None));
        assert_eq!(spread(&texts, 0..2550), (vec![(0, 550), (550, 2550)], None));
        assert_eq!(spread(&texts, 0..2100), (vec![(0, 100), (100, 2100)], None));
    }

    #[test]
    fn no_time_and_no_text_are_no_fault() {
        assert_eq!(spread(&[], 0..1000), (vec![], None));
        assert_eq!(spread(&["a"], 5..5), (vec![(5, 6)], Some(1)));
    }

    proptest::proptest! {
        /// Captions fill the time in order, and each can be read if all can.
        #[test]
        fn captions_follow_each_other(texts in proptest::collection::vec("[a字 ]{1,60}", 1..30), end in 1_u64..200_000) {
            let texts: Vec<CaptionText> = texts.iter().map(|text| caption(text)).collect();
            let EvenCues { cues, needed_s } = spread_evenly(&texts, 0..end);
            assert_eq!(cues[0].start_ms, 0);
            assert!(cues.windows(2).all(|pair| pair[0].start_ms <= pair[1].start_ms));
            if needed_s.is_none() {
                assert!(cues.windows(2).all(|pair| pair[0].end_ms == pair[1].start_ms));
                assert_eq!(cues.last().unwrap().end_ms, end);
                for cue in &cues {
                    let shown = (cue.end_ms - cue.start_ms + 1) * UNITS_PER_SECOND / 1000;
                    assert!(shown + 1 >= reading_units(&cue.text), "{cue:?}");
                }
            }
        }
    }
}
