//! Captions that move, as the renderer draws them.

use crate::subtitles_rendered::*;
use crate::support::{every_nth, pairs};
use clipmill_core::request::model::{Highlight, Motion, Rgba, SubtitleStyle, WordDisplay};
use clipmill_core::subtitle::{Cue, lay_out};
use clipmill_core::time::{Fps, Frames};

const TEXTS: [&str; 7] = [
    "office AVAVA six",
    "今天天气很好",
    "오늘은 날씨가 좋네요",
    "باب كتاب شمس",
    "שלום iPhone עולם",
    "สวัสดี ชาว โลก",
    "नमस्ते क्ष विश्व",
];

const MOTIONS: [Motion; 4] = [Motion::Fade, Motion::Pop, Motion::Rise, Motion::Typewriter];

fn is_ink(luma: u8) -> bool {
    luma.abs_diff(GROUND) >= 40
}

#[test]
fn words_appear_in_their_places_and_motions_end_at_rest() {
    let ways = pairs(MOTIONS, [WordDisplay::Line, WordDisplay::Grow]);
    for (text, (motion, words)) in every_nth(5, pairs(TEXTS, ways)) {
        let still = render(&[(0, 2000, text)], &STYLE, Fps::DEFAULT, 1).remove(0);
        let style = SubtitleStyle { motion, words, ..STYLE };
        let frames = render(&[(0, 2000, text)], &style, Fps::DEFAULT, 60);
        assert!(frames[0] != still, "{text}: {motion:?} {words:?} moves");
        assert!(ink(&frames[2]).is_some(), "{text}: {motion:?} {words:?} is seen at once");
        assert!(frames[59] == still, "{text}: {motion:?} {words:?}");
    }
}

/// How many pixels clearly differ.
fn difference(one: &[&[u8]], other: &[&[u8]]) -> usize {
    let pixels = one.iter().zip(other).flat_map(|(one, other)| one.iter().zip(*other));
    pixels.filter(|(one, other)| one.abs_diff(**other) >= 60).count()
}

/// The ink in these columns.
fn columns(frame: &[u8], range: std::ops::Range<u32>) -> Vec<&[u8]> {
    let (from, to) = (range.start as usize, range.end as usize);
    frame.chunks(CANVAS.width as usize).map(|row| &row[from..to]).collect()
}

#[test]
fn neighbours_of_a_word_that_grows_stay() {
    let cues = [(0, 3000, "hhhh oooo nnnn")];
    // Spaces are twice as wide where words grow.
    let still = render(&[(0, 3000, "hhhh  oooo  nnnn")], &STYLE, Fps::DEFAULT, 1).remove(0);
    let whole = ink(&still).unwrap();
    let highlight = Some(Highlight { scale: Some(1.15), ..Highlight::NONE });
    let frames = render(&cues, &SubtitleStyle { highlight, ..STYLE }, Fps::DEFAULT, 90);
    let third = (whole.right - whole.left) / 3;
    let outer = [whole.left..whole.left + third - 16, whole.right - third + 16..whole.right];
    for frame in frames.iter().skip(31).take(28) {
        for range in &outer {
            let apart = difference(&columns(frame, range.clone()), &columns(&still, range.clone()));
            assert!(apart < 20, "{apart} pixels");
        }
        assert!(ink(frame).unwrap().left == whole.left && ink(frame).unwrap().right == whole.right);
    }
    // The middle word is higher than it was, around its middle.
    let middle = whole.left + third..whole.right - third;
    let height = |frame: &[u8]| {
        let rows = columns(frame, middle.clone());
        rows.iter().filter(|row| row.iter().any(|luma| is_ink(*luma))).count()
    };
    let grown = height(&frames[45]) as f64 / height(&still) as f64;
    assert!((1.08..1.25).contains(&grown), "{grown}");
}

#[test]
fn the_box_of_the_spoken_word_moves_behind_letters_that_stay() {
    let black = Some(Rgba::BLACK);
    let highlight = Some(Highlight { back_color: black, ..Highlight::NONE });
    let style = SubtitleStyle { highlight, radius: 20, ..STYLE };
    for (text, to_the_right) in [("one two six", true), ("باب كتاب شمس", false)] {
        let still = render(&[(0, 3000, text)], &STYLE, Fps::DEFAULT, 1).remove(0);
        let frames = render(&[(0, 3000, text)], &style, Fps::DEFAULT, 90);
        let mut lefts = Vec::new();
        for frame in [&frames[10], &frames[45], &frames[80]] {
            // Letters at their edges are partly transparent.
            let kept = frame.iter().zip(&still).all(|(own, plain)| *plain < 230 || *own > 180);
            assert!(kept, "{text}: letters are above the box");
            lefts.push(extent(frame, CANVAS, |luma| luma < 40).unwrap().left);
        }
        assert_eq!(lefts.is_sorted(), to_the_right, "{text}: {lefts:?}");
        assert_eq!(lefts.iter().rev().is_sorted(), !to_the_right, "{text}: {lefts:?}");
    }
}

/// Frames of a caption whose video is rendered in two parts.
#[test]
fn a_caption_is_drawn_alike_in_parts() {
    let cue = |text: &str| Cue { start_ms: 100, end_ms: 1500, text: text.to_owned(), ..Cue::default() };
    let highlight = Some(Highlight { scale: Some(1.2), back_color: Some(Rgba::BLACK), ..Highlight::NONE });
    let ways = pairs(MOTIONS, [WordDisplay::Line, WordDisplay::One, WordDisplay::Grow]);
    for ((motion, words), cut) in every_nth(5, pairs(ways, [5, 8, 21])) {
        let style = SubtitleStyle { motion, words, highlight, ..STYLE };
        let cues = [cue("one two office")];
        let track = lay_out(&cues, &style, CANVAS, Fps::DEFAULT, Frames(48), &fonts());
        let drawn = |start: u64, frames: u64| {
            let view = track.view(Frames(start), Frames(frames)).unwrap();
            render_view(&view, CANVAS, Fps::DEFAULT, frames)
        };
        assert!([drawn(0, cut), drawn(cut, 44 - cut)].concat() == drawn(0, 44), "{motion:?} {words:?} {cut}");
    }
}
