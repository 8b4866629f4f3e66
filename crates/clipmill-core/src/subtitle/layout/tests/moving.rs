//! Captions that move: their drawings on each frame do not depend on where the timeline is cut.

use super::*;
use crate::subtitle::{Motion, WordDisplay};

const MOTIONS: [Motion; 5] = [Motion::None, Motion::Fade, Motion::Pop, Motion::Rise, Motion::Typewriter];

/// The drawings of a view on each of its frames, without their times.
fn drawn(view: Option<CaptionView>, frames: u64) -> Vec<Vec<String>> {
    let ass = view.map(|view| view.to_ass()).unwrap_or_default();
    let milliseconds = |time: &str| {
        let (h, rest) = time.split_once(':').unwrap();
        let (m, s) = rest.split_once(':').unwrap();
        let seconds: f64 = s.parse().unwrap();
        (h.parse::<u64>().unwrap() * 60 + m.parse::<u64>().unwrap()) * 60_000
            + (seconds * 1000.0).round() as u64
    };
    let events: Vec<(u64, u64, String)> = ass
        .lines()
        .filter_map(|line| line.strip_prefix("Dialogue: "))
        .map(|line| {
            let fields: Vec<&str> = line.splitn(4, ',').collect();
            let text = format!("{} {}", fields[0], fields[3]);
            (milliseconds(fields[1]), milliseconds(fields[2]), text)
        })
        .collect();
    let on = |frame: u64| {
        let time = frame * 1000 / 30;
        let shown = events.iter().filter(|(from, to, _)| *from <= time && time < *to);
        let mut shown: Vec<String> = shown.map(|(_, _, text)| text.clone()).collect();
        // The renderer draws one layer after another.
        shown.sort_by_key(|text| text.chars().next());
        shown
    };
    (0..frames).map(on).collect()
}

fn all_kinds() -> Vec<SubtitleStyle> {
    let highlights = [
        None,
        Some(Highlight::of_color(Rgba::BLACK)),
        Some(Highlight { back_color: BACK, scale: Some(1.2), ..Highlight::NONE }),
    ];
    let mut styles = Vec::new();
    for motion in MOTIONS {
        for words in [WordDisplay::Line, WordDisplay::One, WordDisplay::Grow] {
            for highlight in highlights {
                let back_color = if motion == Motion::Rise { BACK } else { None };
                styles.push(SubtitleStyle { motion, words, highlight, back_color, ..STYLE });
            }
        }
    }
    styles
}

#[test]
fn a_caption_looks_the_same_wherever_the_timeline_is_cut() {
    let cues = [(100, 2000, "one two \u{1f600} six\nαβ אב"), (1000, 2500, "above it")];
    for style in all_kinds() {
        let track = track(&cues, &style);
        let whole = drawn(track.view(Frames(0), Frames(90)), 90);
        for cut in 1..80 {
            let first = drawn(track.view(Frames(0), Frames(cut)), cut);
            let second = drawn(track.view(Frames(cut), Frames(90 - cut)), 90 - cut);
            for (frame, (own, whole)) in first.iter().chain(&second).zip(&whole).enumerate() {
                assert_eq!(own, whole, "frame {frame} cut at {cut}: {style:?}");
            }
        }
    }
}

#[test]
fn emoji_appear_with_their_words_wherever_the_timeline_is_cut() {
    for style in all_kinds() {
        let cue =
            Cue { start_ms: 100, end_ms: 2900, text: "a \u{1f600} b \u{1f600}".into(), ..Cue::default() };
        let track = lay_out(&[cue], &style, Size::new(400, 200), Fps::DEFAULT, Frames(100), &Extended);
        let seen = |start: u64, len: u64| {
            let view = track.view(Frames(start), Frames(len));
            let frames = |frame: u64| {
                let emoji = view.iter().flat_map(CaptionView::emoji);
                emoji.filter(|emoji| emoji.seen.contains(&Frames(frame))).map(|emoji| emoji.at).collect()
            };
            (0..len).map(frames).collect::<Vec<Vec<_>>>()
        };
        let whole = seen(0, 90);
        for cut in 1..89 {
            assert!([seen(0, cut), seen(cut, 90 - cut)].concat() == whole, "{style:?} cut at {cut}");
        }
    }
}

#[test]
fn a_motion_that_is_over_leaves_no_trace() {
    for motion in MOTIONS {
        let track = track(&[(0, 4000, "one two")], &SubtitleStyle { motion, ..STYLE });
        assert_eq!(track.view(Frames(40), Frames(20)), track.view(Frames(60), Frames(20)), "{motion:?}");
    }
}

#[test]
fn words_appear_in_their_places() {
    let style = SubtitleStyle { words: WordDisplay::Grow, ..STYLE };
    let frames = drawn(whole(&track(&[(0, 3000, "one two six")], &style)), 90);
    let still = &drawn(whole(&track(&[(0, 3000, "one two six")], &STYLE)), 1)[0][0];
    let place = still.split_once('}').unwrap().0.split_once('{').unwrap().1;
    assert!(frames.iter().all(|drawn| drawn.len() == 1 && drawn[0].contains(place)), "{still}");
    let hidden = |frame: usize| frames[frame][0].matches("\\alpha&HFF&").count();
    assert_eq!([hidden(0), hidden(29), hidden(30), hidden(60)], [1, 1, 1, 0]);
    assert!(frames[29][0].contains("}one {\\alpha&HFF&}two six{") && frames[30][0].contains("}one two {"));
    assert_eq!(&frames[89][0], still);
}

#[test]
fn the_spoken_word_grows_over_a_line_that_stays() {
    let highlight = Some(Highlight { scale: Some(1.2), ..Highlight::NONE });
    let style = SubtitleStyle { highlight, ..STYLE };
    let frames = drawn(whole(&track(&[(0, 3000, "one two six")], &style)), 90);
    for drawn in &frames {
        let [line, word] = drawn.as_slice() else { panic!("{drawn:?}") };
        assert!(line.contains("{\\pos(200,170)}") && line.matches("\\alpha&HFF&").count() == 1, "{line}");
        assert!(word.contains("\\fscx1"), "{word}");
    }
    // The second word is in the middle of the line, and grows around its own middle.
    assert!(frames[45][1].contains("\\pos(200,") && frames[45][1].contains("\\fscx120\\fscy120"));
}

/// A letter is half an em wide, and two spaces are between words.
#[test]
fn a_word_does_not_grow_over_its_neighbours() {
    let scales = |text: &str, scale| {
        let highlight = Some(Highlight { scale: Some(scale), ..Highlight::NONE });
        let view = whole(&track(&[(0, 3000, text)], &SubtitleStyle { highlight, ..STYLE })).unwrap();
        let words = view.captions.iter().flat_map(|caption| &caption.lines).flat_map(|line| &line.spoken);
        words.map(|word| word.scale).collect::<Vec<f64>>()
    };
    assert_eq!(scales("abcd ab", 1.2), [1.2, 1.2]);
    assert_eq!(scales("abcdefghijklmnop ab", 1.3), [1.23, 1.3]);
    assert_eq!(scales("abcdefghijklmnop", 1.3), [1.3]);
    assert_eq!(scales("今天天气", 1.3), [1.1, 1.1]);
    assert_eq!(scales("abcd", 1.0), [0.0]);
}

#[test]
fn a_word_that_grows_stays_in_the_frame() {
    let text = "word ".repeat(30);
    let widest = |highlight| {
        let track = track(&[(0, 1000, &text)], &SubtitleStyle { highlight, bottom: 0, ..STYLE });
        let view = whole(&track).unwrap();
        let lines = view.captions[0].lines.iter();
        let width = |line: &TextLine| {
            let text: String = line.runs.iter().map(|run| run.text.as_str()).collect();
            text.chars().count() as f64 * 10.0
        };
        lines.map(width).fold(0.0, f64::max)
    };
    let large = Some(Highlight { scale: Some(1.3), ..Highlight::NONE });
    assert!(widest(None) <= 360.0 && widest(large) * 1.3 <= 360.0);
}

#[test]
fn boxes_are_behind_the_spoken_word() {
    let highlight = Some(Highlight { back_color: BACK, ..Highlight::NONE });
    let style = SubtitleStyle { highlight, radius: 20, ..STYLE };
    let frames = drawn(whole(&track(&[(0, 2000, "ab\ncd")], &style)), 60);
    // An em has 20 pixels, so a word is 20 pixels wide, and the box 2.8 pixels wider on both sides.
    let first = "0 Box0,,0,0,0,,{\\pos(187,";
    assert!(frames[0][0].starts_with(first) && frames[59][0].starts_with(first), "{:?}", frames[0]);
    assert!(frames[0][0].contains("\\1c&H000000&\\1a&H7F&\\p1}"), "{:?}", frames[0]);
    assert_eq!((frames[0].len(), frames[59].len()), (3, 3));
}

#[test]
fn parts_of_overlapping_captions_keep_their_places() {
    let style = SubtitleStyle { words: WordDisplay::One, ..STYLE };
    let track = track(&[(0, 2000, "a b"), (1000, 3000, "c d")], &style);
    check(whole(&track), &["0..30 170 a", "30..60 170 b", "30..60 145 c", "60..90 145 d"]);
}

#[test]
fn too_many_words_to_appear_one_by_one_are_a_warning() {
    let text = "a ".repeat(300);
    let cue = Cue { end_ms: 1000, text, ..Cue::default() };
    let style = SubtitleStyle { words: WordDisplay::Grow, font_size: 10, magnification: 1.0, ..STYLE };
    let track = lay_out(&[cue], &style, Size::new(4000, 2000), Fps::DEFAULT, Frames(30), &Grid);
    assert!(track.warnings()[0].contains("shown whole"), "{:?}", track.warnings());
    assert_eq!(
        drawn(track.view(Frames(0), Frames(1)), 1)[0].len(),
        track.view(Frames(0), Frames(1)).unwrap().captions[0].lines.len()
    );
}
