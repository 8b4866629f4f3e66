//! Subtitle files, and what becomes of their text in the renderer's own language.

use clipmill_core::media::Size;
use clipmill_core::request::model::{Rgba, SubtitleStyle};
use clipmill_core::subtitle::{FontMetrics, lay_out, parse};
use clipmill_core::time::{Fps, Frames};
use proptest::prelude::*;

use crate::mutate::damaged;

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
    "%{pts}",
    ":textfile=",
];

/// A font in which every character has the same width.
struct Even;

impl FontMetrics for Even {
    fn family(&self) -> &str {
        "Even"
    }
    fn identity(&self) -> &str {
        "even"
    }
    fn em_to_ass(&self) -> f64 {
        1.2
    }
    fn ascent(&self) -> f64 {
        0.9
    }
    fn descent(&self) -> f64 {
        0.3
    }
    fn advance(&self, _: char) -> Option<f64> {
        Some(0.5)
    }
}

const STYLE: SubtitleStyle = SubtitleStyle {
    font_size: 32,
    font_color: Rgba::WHITE,
    outline_color: None,
    back_color: Some(Rgba::BLACK),
    bottom: 40,
    magnification: 1.0,
};

/// Reads the text of an event as the renderer does: what is a command must be one of ours.
fn check_event(text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}', '\\']) {
        rest = &rest[at..];
        if let Some(block) = rest.strip_prefix('{') {
            let (commands, after) = block.split_once('}').unwrap_or_else(|| panic!("an open block: {text}"));
            let numbers = |text: &str| text.chars().all(|c| c.is_ascii_digit() || ".,()-".contains(c));
            let place = commands.strip_prefix("\\pos").map(|rest| rest.trim_end_matches("\\p1"));
            assert!(place.is_some_and(numbers) || commands == "\\p0", "{commands} in {text}");
            rest = after;
        } else if rest.starts_with('\\') {
            let next = rest.chars().nth(1);
            assert!(matches!(next, Some('{' | '}' | '\u{2060}')), "a command in {text}");
            rest = &rest[1 + next.map_or(0, char::len_utf8)..];
        } else {
            panic!("a block is closed that nobody opened: {text}");
        }
    }
}

/// Reads the file, and draws what was read.
fn check(bytes: &[u8]) {
    let Ok(cues) = parse(bytes) else { return };
    for cue in &cues {
        assert!(cue.start_ms < cue.end_ms && !cue.text.trim().is_empty(), "{cue:?}");
        assert!(!cue.text.chars().any(|c| c.is_control() && c != '\n'), "{cue:?}");
    }
    let (size, fps, total) = (Size::new(720, 1280), Fps::new(30).unwrap(), Frames(900));
    let track = lay_out(&cues, &STYLE, size, fps, total, &Even);
    let Some(view) = track.view(Frames(0), total) else { return };
    let ass = view.to_ass();
    let (_, events) = ass.split_once("[Events]\n").unwrap();
    for line in events.lines().skip(1) {
        assert!(line.starts_with("Dialogue: "), "a line of its own: {line}");
        check_event(line.splitn(10, ',').nth(9).unwrap());
    }
}

#[test]
fn the_check_can_fail() {
    for bad in ["{\\fs99}x", "a\\Nb", "a}b", "{\\pos(1,2)\\t(1)}", "\\"] {
        assert!(std::panic::catch_unwind(|| check_event(bad)).is_err(), "{bad}");
    }
    check_event("{\\pos(1,2)\\p1}m 0 0 l 1 1{\\p0}");
    check_event("{\\pos(360,-2.5)}a \\{b\\} \\\u{2060}N");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_subtitle_file_does_harm(bytes in damaged(SEEDS, WORDS)) {
        check(&bytes);
    }
}
