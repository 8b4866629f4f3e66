//! Captions as SRT.

use std::fmt::Write;
use std::ops::Range;

use super::EditorialCaption;
use crate::time::{Fps, Frames};

/// The captions in order; empty without captions.
pub fn to_srt(captions: &[EditorialCaption], fps: Fps) -> String {
    let mut text = String::new();
    let mut number = 0;
    for EditorialCaption { shown, text: shown_text } in captions {
        let (start, end) = (timestamp(shown.start, fps), timestamp(shown.end, fps));
        // An empty line would end the caption.
        let plain = plain(shown_text);
        let lines: Vec<&str> = plain.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if lines.is_empty() {
            continue;
        }
        number += 1;
        // Writing to a text cannot fail.
        let _ = write!(text, "{number}\r\n{start} --> {end}\r\n{}\r\n\r\n", lines.join("\r\n"));
    }
    text
}

/// A text without anything that players of SRT read as markup: they would hide or obey it, and the format cannot escape
/// it.
fn plain(text: &str) -> String {
    // Arrows separate the times of a caption.
    let mut text = text.replace("-->", "→");
    // Removing one tag may form another around it.
    while let Some(tag) = tag(&text) {
        text.replace_range(tag, "");
    }
    text
}

/// The first tag of a text: `<i>`, `</font>`, or `{\an8}`.
fn tag(text: &str) -> Option<Range<usize>> {
    text.match_indices(['<', '{']).find_map(|(start, opening)| {
        let rest = text.get(start + 1..)?;
        let (is_tag, closing) = match opening {
            "<" => (rest.starts_with(|c: char| c == '/' || c.is_ascii_alphabetic()), '>'),
            _ => (rest.starts_with('\\'), '}'),
        };
        let length = rest
            .find(closing)
            .filter(|length| is_tag && !rest.get(..*length).is_some_and(|inner| inner.contains('\n')))?;
        Some(start..start + length + 2)
    })
}

fn timestamp(frame: Frames, fps: Fps) -> String {
    let rate = u64::from(fps.get());
    let ms = (frame.0 * 1000 + rate / 2) / rate;
    let (seconds, ms) = (ms / 1000, ms % 1000);
    format!("{:02}:{:02}:{:02},{ms:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_have_numbers_and_times() {
        let caption = |shown, text: &str| EditorialCaption { shown, text: text.to_owned() };
        let captions = [
            caption(Frames(0)..Frames(45), "One\n\n two "),
            caption(Frames(3_661 * 30 + 1)..Frames(3_662 * 30), "再见"),
        ];
        let expected = "1\r\n00:00:00,000 --> 00:00:01,500\r\nOne\r\ntwo\r\n\r\n\
                        2\r\n01:01:01,033 --> 01:01:02,000\r\n再见\r\n\r\n";
        assert_eq!(to_srt(&captions, Fps::DEFAULT), expected);
        assert_eq!(to_srt(&[], Fps::DEFAULT), "");
    }

    #[test]
    fn captions_have_no_markup() {
        for (text, expected) in [
            ("<i>One</i> <font color=\"red\">two</font>", "One two"),
            ("{\\an8\\pos(1,2)}Top {kept}", "Top {kept}"),
            ("<<b>b>nested</b>", "nested"),
            ("a --> b, 1 < 2 > 0, x <3", "a → b, 1 < 2 > 0, x <3"),
            ("00:00:01,000 ---> 00", "00:00:01,000 -→ 00"),
        ] {
            assert_eq!(plain(text), expected);
        }
        let caption = |text: &str| EditorialCaption { shown: Frames(0)..Frames(30), text: text.to_owned() };
        let written = to_srt(&[caption("<b></b>"), caption("Shown")], Fps::DEFAULT);
        assert_eq!(written, "1\r\n00:00:00,000 --> 00:00:01,000\r\nShown\r\n\r\n");
    }
}
