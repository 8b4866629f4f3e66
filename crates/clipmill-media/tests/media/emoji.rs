//! The emoji that an output may have, however they are distributed over its texts and captions.

use clipmill_core::media::Size;
use clipmill_core::request::model::*;
use clipmill_core::subtitle::{MAX_EMOJI, parse};

use crate::support::draw::*;
use crate::support::*;

const SIZE: Size = Size::new(360, 240);
/// Frames from one caption to the next; the last of them shows none.
const PERIOD: usize = 3;

fn emoji(index: usize) -> char {
    char::from_u32(if index < 80 { 0x1f600 } else { 0x1f400 - 80 } + index as u32).unwrap()
}

fn style() -> SubtitleStyle {
    let clear = Rgba { a: 0, ..Rgba::BLACK };
    SubtitleStyle {
        font_size: 18,
        magnification: 2.5,
        outline_color: Some(clear),
        bottom: 0,
        ..SubtitleStyle::DEFAULT
    }
}

/// A text that is shown in all frames of a period but the last.
fn text(text: &str, index: usize) -> Overlay {
    let (column, row) = ((index % 2) as f64, (index / 2) as f64);
    Overlay {
        shown: OverlayContent::Text { texts: vec![text.to_owned()], style: style(), max_width_percent: 90.0 },
        place: match text.chars().count() {
            MAX_EMOJI => OverlayPlace::At(Anchor::Middle),
            _ => OverlayPlace::Around { x: 25.0 + 50.0 * column, y: 5.0 + 10.0 * row },
        },
        margin_percent: 0.0,
        start_s: 0.0,
        end_s: Some((PERIOD - 1) as f64 / 25.0),
        motions: OverlayMotions::default(),
    }
}

/// The frames of an output whose texts and captions have this many emoji each, all different ones from `first` on.
async fn rendered_frames(
    fixture: &mut Fixture,
    clip: &str,
    first: usize,
    texts: &[usize],
    captions: &[usize],
) -> Vec<Frame> {
    let mut next = first;
    let mut take = |count: usize| {
        next += count;
        (next - count..next).map(emoji).collect::<String>()
    };
    let overlays = texts.iter().enumerate().map(|(index, count)| text(&take(*count), index)).collect();
    let time = |frame: usize| format!("00:00:{:02},{:03}", frame / 25, frame % 25 * 40);
    let cue = |(index, count): (usize, &usize)| {
        let (start, end) = (time(index * PERIOD), time(index * PERIOD + PERIOD - 1));
        format!("{}\n{start} --> {end}\n{}\n\n", index + 1, take(*count))
    };
    let file: String = captions.iter().enumerate().map(cue).collect();
    let mut options = MixOptions { overlays, ..options((SIZE.width, SIZE.height), 25) };
    if !captions.is_empty() {
        fixture.facts.subtitles.insert("s.srt".into(), Ok(parse(file.as_bytes()).unwrap()));
        options.subtitle = Some(Subtitle::of_file("s.srt", style()));
    }
    let rendering = fixture.render_one(base(vec![group(&[clip])], options)).await;
    frames(&rendering.path, SIZE).await
}

/// How many pixels differ from the black clip.
fn drawn(frame: &Frame) -> usize {
    let all = (0..SIZE.height).flat_map(|y| (0..SIZE.width).map(move |x| (x, y)));
    all.filter(|(x, y)| frame.at(*x, *y).iter().any(|value| *value > 60)).count()
}

#[tokio::test]
async fn a_hundred_emoji_are_visible_in_any_distribution() {
    let mut fixture = Fixture::new().await;
    let film = |frames| TestVideo::new(SIZE.width, SIZE.height, "25", frames);
    let long =
        fixture.plain("long.mp4", film(MAX_EMOJI * PERIOD), [0, 0, 0], &format!("{BT709} {X264}")).await;
    let short = fixture.plain("short.mp4", film(10 * PERIOD), [0, 0, 0], &format!("{BT709} {X264}")).await;

    // One after another: each is shown only in its own frames.
    let single = rendered_frames(&mut fixture, &long, 0, &[], &[1; MAX_EMOJI]).await;
    let areas: Vec<usize> = single.iter().map(drawn).collect();
    for (index, area) in areas.iter().enumerate() {
        let is_shown = index % PERIOD < PERIOD - 1;
        assert!(if is_shown { *area > 20 } else { *area == 0 }, "frame {index}: {area} pixels");
    }
    // Each is the emoji of its text: it looks as it does alone.
    for index in [0, 41, MAX_EMOJI - 1] {
        let alone = rendered_frames(&mut fixture, &short, index, &[], &[1]).await;
        let off = |other: usize| single[other * PERIOD].difference(&alone[0]);
        assert!(off(index) < 0.2, "{index}: {}", off(index));
        let another = off((index + 1) % MAX_EMOJI);
        assert!(another > 3.0 * off(index), "{index}: {another} and {}", off(index));
    }

    let all: usize = areas.iter().step_by(PERIOD).sum();
    for (texts, captions) in every_nth(
        4,
        [
            (vec![5; 20], vec![]),
            (vec![MAX_EMOJI], vec![]),
            (vec![], vec![MAX_EMOJI]),
            (vec![4; 10], vec![60]),
            (vec![8; 12], vec![4]),
        ],
    ) {
        let frames = rendered_frames(&mut fixture, &short, 0, &texts, &captions).await;
        for (index, frame) in frames.iter().enumerate() {
            let actual = drawn(frame);
            let expected = if index < PERIOD - 1 { all * 9 / 10..all * 11 / 10 } else { 0..1 };
            assert!(expected.contains(&actual), "{texts:?} {captions:?}: frame {index}: {actual} of {all}");
        }
    }
    let pairs = rendered_frames(&mut fixture, &long, 0, &[], &[2; MAX_EMOJI / 2]).await;
    let actual: usize = pairs.iter().step_by(PERIOD).map(drawn).sum();
    assert!((all * 9 / 10..all * 11 / 10).contains(&actual), "{actual} of {all}");
}

#[tokio::test]
async fn emoji_fade_with_their_text() {
    let mut fixture = Fixture::new().await;
    let film = TestVideo::new(SIZE.width, SIZE.height, "25", 40);
    let clip = fixture.plain("a.mp4", film, [0, 0, 0], &format!("{BT709} {X264}")).await;
    let motions =
        OverlayMotions { enter: OverlayMotion::Fade, enter_s: 0.4, leave: OverlayMotion::Fade, leave_s: 0.2 };
    let shown = Overlay { start_s: 0.2, end_s: Some(1.4), motions, ..text("🟥🟥", 0) };
    let frames_of = async |fixture: &Fixture, overlay: Overlay| {
        let options = MixOptions { overlays: vec![overlay], ..options((SIZE.width, SIZE.height), 25) };
        frames(&fixture.render_one(base(vec![group(&[&clip])], options)).await.path, SIZE).await
    };
    let red = |frame: &Frame| {
        let all = (0..SIZE.height).flat_map(|y| (0..SIZE.width).map(move |x| (x, y)));
        all.map(|(x, y)| f64::from(frame.at(x, y)[0])).sum::<f64>()
    };
    let constant = Overlay { motions: OverlayMotions::default(), ..shown.clone() };
    let rest = red(&frames_of(&fixture, constant).await[20]);
    for part_seconds in [0, 1] {
        fixture.part_seconds = part_seconds;
        let all = frames_of(&fixture, shown.clone()).await;
        // Ten frames from frame 5 on, and five up to frame 35.
        for (index, frame) in all.iter().enumerate() {
            let part = match index {
                5..15 => (index - 4) as f64 / 11.0,
                15..30 => 1.0,
                30..35 => (35 - index) as f64 / 6.0,
                _ => 0.0,
            };
            let (expected, actual) = (part * part * (3.0 - 2.0 * part), red(frame) / rest);
            assert!((actual - expected).abs() < 0.06, "frame {index}: {actual:.3}, not {expected:.3}");
        }
    }
}

/// The pixels of one colour in a frame: red for the emoji, white for the letters.
fn count(frame: &Frame, is_counted: impl Fn([u8; 3]) -> bool) -> usize {
    let all = (0..frame.size.height).flat_map(|y| (0..frame.size.width).map(move |x| (x, y)));
    all.filter(|(x, y)| is_counted(frame.at(*x, *y))).count()
}

/// The renderer orders the text of a line. An emoji at another place than its gap would cover letters.
#[tokio::test]
async fn emoji_of_right_to_left_lines_cover_no_letters() {
    const SQUARE: &str = "🟥";
    let lines = [
        "مرحبا بالعالم 🟥",
        "🟥 مرحبا بالعالم",
        "مرحبا 🟥 بالعالم",
        "مرحبا🟥🟥بالعالم",
        "🟥 שלום 🟥 עולם 🟥",
        "אני אוהב iPhone 15 🟥 מאוד",
        "שלום Big 🟥 Buck עולם",
        "سعر (🟥) 42 ريال",
        "Hello עולם 🟥 שלום World",
        "عربي\n🟥🟥 Latin عربي 🟥",
    ];
    let mut fixture = Fixture::new().await;
    let size = Size::new(720, 480);
    let film = TestVideo::new(size.width, size.height, "25", 2 * lines.len() * PERIOD);
    let clip = fixture.plain("clip.mp4", film, [0, 0, 0], &format!("{BT709} {X264}")).await;
    let texts = lines.iter().flat_map(|line| [(*line).to_owned(), line.replace(SQUARE, " ")]);
    let time = |frame: usize| format!("00:00:{:02},{:03}", frame / 25, frame % 25 * 40);
    let cue = |(index, text): (usize, String)| {
        let (start, end) = (time(index * PERIOD), time(index * PERIOD + PERIOD - 1));
        format!("{}\n{start} --> {end}\n{text}\n\n", index + 1)
    };
    let file: String = texts.enumerate().map(cue).collect();
    let mut options = options((size.width, size.height), 25);
    fixture.facts.subtitles.insert("s.srt".into(), Ok(parse(file.as_bytes()).unwrap()));
    options.subtitle = Some(Subtitle::of_file("s.srt", style()));
    let rendering = fixture.render_one(base(vec![group(&[&clip])], options)).await;
    let frames = frames(&rendering.path, size).await;
    let pairs = frames.chunks(2 * PERIOD).map(|pair| (&pair[0], &pair[PERIOD]));
    let red = |[r, g, b]: [u8; 3]| r > 120 && g < 90 && b < 90;
    let white = |colour: [u8; 3]| colour.iter().all(|value| *value > 128);
    let mut areas = Vec::new();
    for (line, (with, without)) in lines.iter().zip(pairs) {
        let letters = [with, without].map(|frame| count(frame, white));
        assert!(letters[0].abs_diff(letters[1]) * 20 < letters[1], "{line}: {letters:?}");
        assert_eq!(count(without, red), 0, "{line}");
        areas.push(count(with, red) / line.matches(SQUARE).count());
    }
    let (min, max) = (areas.iter().min().unwrap(), areas.iter().max().unwrap());
    assert!(*min > 500 && max - min < 100, "{areas:?}");
}
