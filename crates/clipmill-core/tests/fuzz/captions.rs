//! Subtitle files, and the form of their text in the renderer's own language.

use proptest::prelude::*;

use crate::check::captions::{check_event, check_file, check_text};
use crate::mutate::{damaged, seeds};

const SEEDS: &[&[u8]] = &[
    include_bytes!("../../../../samples/captions.srt"),
    include_bytes!("../../../../samples/captions.vtt"),
    b"1\n00:00:00,000 --> 00:00:02,000\n{\\an8\\fs99}x\\N\\{y\\}\\h<i>z</i>\n",
    b"WEBVTT\n\nNOTE x\n\nSTYLE\n::cue{}\n\n00:00.000 --> 00:09.000 line:0 align:start\n<v Bob>a &lt; {b}\n",
    b"\xff\xfe1\0\n\0",
];

const WORDS: &[&str] = &[
    "{",
    "}",
    "\\",
    "\\N",
    "\\n",
    "\\h",
    "{\\p1}",
    "{\\pos(0,0)}",
    "\\{",
    "\\\\",
    "\u{2060}",
    "-->",
    "00:00:00,000",
    "99:59:59.999",
    "WEBVTT\n",
    "\n\n",
    "&lt;",
    "&#123;",
    "&lbrace;",
    "<c.x>",
    "\u{202e}",
    "\0",
    "\r",
    "\u{feff}",
    "Dialogue: 0,",
    "<00:00:01.000>",
    "<00:99.000>",
    "{\\1c&HFF&}",
    "%{pts}",
    "\u{1f600}",
    "\u{2764}\u{fe0f}",
    ":textfile=",
];

#[test]
fn the_check_detects_violations() {
    for bad in ["{\\fs99}x", "a\\Nb", "a}b", "{\\pos(1,2)\\t(1)}", "\\"] {
        assert!(std::panic::catch_unwind(|| check_event(bad)).is_err(), "{bad}");
    }
    check_event("{\\pos(1,2)\\p1}m 0 0 l 1 1{\\p0}");
    check_event("{\\pos(360,-2.5)}a \\{b\\} \\\u{2060}N");
}

#[test]
fn the_corpus_passes() {
    seeds("captions").iter().for_each(|bytes| check_file(bytes));
    seeds("ass_text").iter().for_each(|bytes| check_text(&String::from_utf8_lossy(bytes)));
}

/// The maximum number of words that are highlighted one by one, in the maximum number of captions at once: the text for
/// the renderer stays small.
#[test]
fn text_with_many_words_stays_small() {
    for word in ["字", "a ", "\u{200b}", "\u{202e}x ", "e\u{301}\u{301}\u{301} ", "👍🏽"] {
        let text: String = word.chars().cycle().take(10_000).collect();
        check_text(&text);
        let cue =
            format!("00:00:00.000 --> 00:01:00.000\n{}\n\n", text.chars().take(2_000).collect::<String>());
        check_file(format!("WEBVTT\n\n{}", cue.repeat(30)).as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_subtitle_file_does_harm(bytes in damaged(SEEDS.iter().map(|seed| seed.to_vec()).collect(), WORDS)) {
        check_file(&bytes);
    }

    #[test]
    fn no_text_is_a_command(bytes in damaged(SEEDS.iter().map(|seed| seed.to_vec()).collect(), WORDS)) {
        check_text(&String::from_utf8_lossy(&bytes));
    }
}
