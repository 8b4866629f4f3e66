//! Captions as SRT.

use std::fmt::Write;

use super::EditorialCaption;
use crate::time::{Fps, Frames};

/// The captions in order; empty without captions.
pub fn to_srt(captions: &[EditorialCaption], fps: Fps) -> String {
    let mut text = String::new();
    for (number, EditorialCaption { shown, text: shown_text }) in (1..).zip(captions) {
        let (start, end) = (timestamp(shown.start, fps), timestamp(shown.end, fps));
        // An empty line would end the caption.
        let lines: Vec<&str> = shown_text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        // Writing to a text cannot fail.
        let _ = write!(text, "{number}\r\n{start} --> {end}\r\n{}\r\n\r\n", lines.join("\r\n"));
    }
    text
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
}
