//! Positions of lines, and skipped content.

mod moving;

use super::*;
use crate::request::model::Highlight;
use crate::subtitle::InlineTime;
use crate::subtitle::font::Substitute;
use crate::subtitle::wrap::tests::Grid;

/// The em of `Grid` is 20 px here, and its lines are 25 px high.
const STYLE: SubtitleStyle = SubtitleStyle {
    font_size: 10,
    font_color: Rgba::WHITE,
    outline_color: None,
    back_color: None,
    bottom: 30,
    magnification: 7.2,
    ..SubtitleStyle::DEFAULT
};
const BACK: Option<Rgba> = Some(Rgba { r: 0, g: 0, b: 0, a: 128 });

fn track(cues: &[(u64, u64, &str)], style: &SubtitleStyle) -> CaptionTrack {
    let cue = |&(start_ms, end_ms, text): &(u64, u64, &str)| Cue {
        start_ms,
        end_ms,
        text: text.to_owned(),
        times: vec![],
    };
    let cues: Vec<Cue> = cues.iter().map(cue).collect();
    lay_out(&cues, style, Size::new(400, 200), Fps::DEFAULT, Frames(300), &Grid)
}

/// Checks each line as `start..end bottom text`, with its caption's times.
fn check(view: Option<CaptionView>, expected: &[&str]) {
    let captions = view.map(|view| view.captions).unwrap_or_default();
    let show = |caption: &Caption| -> Vec<String> {
        let (start, end) = (caption.start.0, caption.end.0);
        let text = |line: &TextLine| line.runs.iter().map(|run| run.text.as_str()).collect::<String>();
        caption.lines.iter().map(|line| format!("{start}..{end} {} {}", line.bottom, text(line))).collect()
    };
    assert_eq!(captions.iter().flat_map(show).collect::<Vec<_>>(), expected);
}

fn whole(track: &CaptionTrack) -> Option<CaptionView> {
    track.view(Frames(0), Frames(300))
}

#[test]
fn text_scales_with_the_output_and_bottom_does_not() {
    let style = SubtitleStyle { font_size: 14, magnification: 2.5, ..STYLE };
    for (size, expected) in [
        (Size::new(720, 1280), 35.0),
        (Size::new(1280, 720), 35.0),
        (Size::new(1080, 1920), 52.5),
        (Size::new(1920, 1080), 52.5),
        (Size::new(1080, 1080), 52.5),
        (Size::new(360, 640), 17.5),
    ] {
        let cue = Cue { end_ms: 1000, text: "国".to_owned(), ..Cue::default() };
        let track = lay_out(&[cue], &style, size, Fps::DEFAULT, Frames(30), &Grid);
        let view = whole(&track).unwrap();
        let expected_size = thousandths(expected * Grid.em_to_ass());
        let expected_look = thousandths(expected * OUTLINE);
        assert_eq!((view.fonts[0].size, view.look.outline_width), (expected_size, expected_look));
        assert_eq!(view.captions[0].lines[0].bottom, f64::from(size.height - 30), "{size}");
    }
}

#[test]
fn lines_are_at_the_bottom_distance() {
    let track = track(&[(1000, 2000, "one"), (3000, 3001, "two\nthree"), (10_000, 11_000, "late")], &STYLE);
    check(whole(&track), &["30..60 170 one", "90..91 145 two", "90..91 170 three"]);
}

#[test]
fn overlapping_cues_stack_and_stay_where_they_are() {
    let track = track(&[(0, 2000, "a"), (1000, 4000, "b"), (3000, 5000, "c")], &STYLE);
    check(whole(&track), &["0..60 170 a", "30..120 145 b", "90..150 170 c"]);
    check(track.view(Frames(75), Frames(5)), &["0..5 145 b"]);
    check(track.view(Frames(150), Frames(150)), &[]);
}

#[test]
fn equal_content_gives_equal_views_at_any_time() {
    let track = track(&[(0, 2000, "a"), (4000, 6000, "a"), (7000, 9000, "b")], &STYLE);
    let view = |start| track.view(Frames(start), Frames(45));
    assert!(view(0).is_some() && view(0) == view(120));
    assert_ne!(view(0), view(210));
    assert_ne!(view(0), view(119));
    check(view(30), &["0..30 170 a"]);
}

#[test]
fn a_far_bottom_is_clamped_and_a_long_text_truncated() {
    let high = SubtitleStyle { bottom: 1000, ..STYLE };
    check(whole(&track(&[(0, 1000, "a\nb")], &high)), &["0..30 25 a", "0..30 50 b"]);
    let long = track(&[(0, 1000, "1\n2\n3\n4\n5\n6\n7\n8\n9")], &STYLE);
    assert_eq!(whole(&long).map(|view| view.captions[0].lines.len()), Some(8));
    assert_eq!(
        long.warnings(),
        ["1 caption has more lines than fit into the frame and is truncated, at 00:00:00.000"]
    );
}

#[test]
fn the_box_reaches_from_the_bottom_distance_around_the_text() {
    let boxed = SubtitleStyle { back_color: BACK, ..STYLE };
    let view = whole(&track(&[(0, 1000, "abcd")], &boxed)).unwrap();
    // Two em of text and 0.3 em on each side; the height of a line and 0.05 em above and below.
    assert_eq!(view.captions[0].backing, [(226, 143), (226, 170), (174, 170), (174, 143)]);
    check(Some(view), &["0..30 169 abcd"]);
}

#[test]
fn a_bare_text_gets_a_black_outline() {
    let outline = |style: &SubtitleStyle| look(style, 20.0).outline;
    let red = Some(Rgba { r: 255, g: 0, b: 0, a: 255 });
    assert_eq!(outline(&STYLE), Some(Rgba::BLACK));
    assert_eq!(outline(&SubtitleStyle { back_color: BACK, ..STYLE }), None);
    assert_eq!(outline(&SubtitleStyle { back_color: BACK, outline_color: red, ..STYLE }), red);
}

#[test]
fn captions_are_positioned_by_their_style() {
    let at = |place| {
        let track = track(&[(0, 1000, "a")], &SubtitleStyle { place, ..STYLE });
        whole(&track).unwrap().captions[0].lines[0].bottom
    };
    // Lines are 25 px high on a canvas of 200.
    assert_eq!(at(CaptionPlace::Bottom), 170.0);
    assert_eq!(at(CaptionPlace::LowerThird), 146.0);
    assert_eq!(at(CaptionPlace::Middle), 112.0);
    assert_eq!(at(CaptionPlace::Top), 55.0);
}

const LIT: SubtitleStyle =
    SubtitleStyle { highlight: Some(Highlight { color: Some(Rgba::BLACK), ..Highlight::NONE }), ..STYLE };

/// Each word as `start..end text`, line by line.
fn spoken(view: Option<CaptionView>) -> Vec<String> {
    let view = view.unwrap();
    let lines = view.captions.iter().flat_map(|caption| &caption.lines);
    let words = lines.flat_map(|line| {
        let text: String = line.runs.iter().map(|run| run.text.as_str()).collect();
        line.spoken
            .iter()
            .map(move |w| format!("{}..{} {}", w.start.0, w.end.0, &text[w.from..w.to]))
            .collect::<Vec<_>>()
    });
    words.collect()
}

#[test]
fn words_are_highlighted_in_turn_and_nothing_moves() {
    let cues = [(1000, 3000, "one two \u{1f600}\nαβ six")];
    let (plain, lit) = (track(&cues, &STYLE), track(&cues, &LIT));
    let places = |track: &CaptionTrack| -> Vec<f64> {
        whole(track).unwrap().captions[0].lines.iter().map(|line| line.bottom).collect()
    };
    assert_eq!(places(&plain), places(&lit));
    assert!(spoken(whole(&plain)).is_empty());
    assert_eq!(spoken(whole(&lit)), ["30..45 one", "45..60 two", "65..75 αβ", "75..90 six"]);
    assert_eq!(spoken(lit.view(Frames(50), Frames(20))), ["0..10 two", "15..20 αβ"]);
    assert_eq!(whole(&lit).unwrap().to_ass().lines().filter(|line| line.starts_with("Dialogue")).count(), 6);
}

#[test]
fn an_impossible_highlight_is_a_warning() {
    let cue = |text: &str, ms| Cue {
        end_ms: 1000,
        text: text.to_owned(),
        times: vec![InlineTime { at: 1, ms }],
        ..Cue::default()
    };
    let warnings = |cue: Cue| {
        let track = lay_out(&[cue], &LIT, Size::new(400, 200), Fps::DEFAULT, Frames(300), &Grid);
        track.warnings().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert!(warnings(cue("a b", 500)).is_empty());
    assert!(warnings(cue("a b", 2000))[0].contains("out of order"));
    assert!(warnings(cue(&"a ".repeat(300), 500)).iter().any(|warning| warning.contains("too many words")));
    assert!(warnings(cue(" \u{200b}", 500)).is_empty());
}

#[test]
fn too_many_captions_at_once_are_skipped_with_a_warning() {
    let many = [(1500, 3000, "x"); 12];
    let track = track(&many, &STYLE);
    assert_eq!(whole(&track).map(|view| view.captions.len()), Some(8));
    assert_eq!(
        track.warnings(),
        ["4 captions are skipped because too many are shown at once, the first at 00:00:01.500"]
    );
}

#[test]
fn a_caption_without_drawable_text_is_dropped() {
    let track = track(&[(0, 1000, "\u{1f600}")], &STYLE);
    assert_eq!((whole(&track), track.missing_glyphs()), (None, ['\u{1f600}'].as_slice()));
}

/// `Grid` with a substitute font for Greek, a font for apostrophes in Western words, and an image for every smile.
struct Extended;

impl FontMetrics for Extended {
    fn family(&self) -> &str {
        Grid.family()
    }
    fn identity(&self) -> &str {
        Grid.identity()
    }
    fn em_to_ass(&self) -> f64 {
        Grid.em_to_ass()
    }
    fn ascent(&self) -> f64 {
        Grid.ascent()
    }
    fn descent(&self) -> f64 {
        Grid.descent()
    }
    fn advance(&self, c: char) -> Option<f64> {
        Grid.advance(c)
    }
    fn substitute(&self, c: char) -> Option<Substitute> {
        ('α'..='ω').contains(&c).then(|| Substitute {
            family: "Hellas".to_owned(),
            identity: "hellas-1".to_owned(),
            em_to_ass: 1.5,
            descent: 0.5,
        })
    }
    fn western(&self, c: char) -> Option<Substitute> {
        (c == '’').then(|| Substitute {
            family: "Narrow".to_owned(),
            identity: "narrow-1".to_owned(),
            em_to_ass: Grid.em_to_ass(),
            descent: Grid.descent(),
        })
    }
    fn emoji_font(&self) -> Option<&str> {
        Some("smiles-1")
    }
    fn is_emoji(&self, grapheme: &str) -> bool {
        grapheme.starts_with('\u{1f600}')
    }
}

#[test]
fn a_substitute_font_does_not_move_the_baseline() {
    let cues = [("ab αβ\u{301} c", 0), ("ab", 2000)].map(|(text, start_ms)| Cue {
        start_ms,
        end_ms: start_ms + 1000,
        text: text.to_owned(),
        times: vec![],
    });
    let track = lay_out(&cues, &STYLE, Size::new(400, 200), Fps::DEFAULT, Frames(300), &Extended);
    let ass = track.view(Frames(0), Frames(30)).unwrap().to_ass();
    let expected = "{\\pos(200,175)}ab {\\fnHellas\\fs30}αβ\u{301}{\\fnGrid\\fs25} c\n";
    assert!(ass.ends_with(expected), "{ass}");
    let plain = track.view(Frames(60), Frames(30)).unwrap();
    assert_eq!(plain.fonts.len(), 1);
    check(Some(plain), &["0..30 170 ab"]);
}

#[test]
fn apostrophes_in_western_words_have_their_own_font() {
    let western = "don{\\fnNarrow\\fs25}’{\\fnGrid\\fs25}t";
    let ass = whole(&smiling("don’t \u{1f600} don’t 国’国", &STYLE)).unwrap().to_ass();
    assert!(ass.contains(&format!("{western} {{")), "{ass}");
    assert!(ass.ends_with(&format!(" {western} 国’国\n")), "{ass}");
    // The second line is wrapped, so its positions differ from those in the text.
    let long = format!("{}don’t 国’国", "word ".repeat(9));
    let ass = whole(&smiling(&long, &STYLE)).unwrap().to_ass();
    assert_eq!(ass.matches("Dialogue").count(), 2, "{ass}");
    assert!(ass.ends_with(&format!("word {western} 国’国\n")), "{ass}");
}

#[test]
fn lines_keep_the_direction_of_their_text() {
    let check = |text: &str, expected: &[&str]| {
        let ass = whole(&track_of(text)).unwrap().to_ass();
        let lines = ass.lines().filter_map(|line| line.strip_prefix("Dialogue: ")?.rsplit_once('}'));
        assert_eq!(lines.map(|(_, text)| text).collect::<Vec<_>>(), expected, "{text}");
    };
    let (hebrew, latin) = ("א".repeat(30), "a".repeat(30));
    check(&format!("{hebrew} English אא"), &[&hebrew, "\u{200f}English אא"]);
    check(&format!("{latin} אא English"), &[&latin, "\u{200e}אא English"]);
    check("אא\nEnglish אא", &["אא", "\u{200f}English אא"]);
    check("אא\nHello, world.\n42!", &["אא", "Hello, world.", "42!"]);
    check("English אא", &["English אא"]);
}

fn smiling(text: &str, style: &SubtitleStyle) -> CaptionTrack {
    let cue = Cue { end_ms: 1000, text: text.to_owned(), ..Cue::default() };
    lay_out(&[cue], style, Size::new(400, 200), Fps::DEFAULT, Frames(30), &Extended)
}

fn pictures(view: &CaptionView) -> Vec<(&str, (u32, u32), u32)> {
    view.emoji().map(|emoji| (emoji.text, emoji.at, emoji.size.width)).collect()
}

#[test]
fn emoji_are_placed_in_gaps_of_their_text() {
    let track = smiling("aa\u{1f600}b\n\u{1f600}\u{1f3fd}", &STYLE);
    let view = whole(&track).unwrap();
    // An em has 20 pixels and a letter half of that; the lines are 55 and 25 pixels wide.
    let emoji = pictures(&view);
    assert_eq!(emoji[0], ("\u{1f600}", (194, 122), 22));
    assert_eq!(emoji[1], ("\u{1f600}\u{1f3fd}", (188, 148), 22));
    let ass = view.to_ass();
    assert!(
        ass.contains("aa{\\alpha&HFF&\\p1}m 0 0 l 25 0 25 1 0 1{\\p0\\1a&H00&\\3a&H00&\\4a&HFF&}b"),
        "{ass}"
    );
    assert!(!ass.contains('\u{1f600}') && track.missing_glyphs().is_empty());
    // Without the emoji font nothing changes.
    assert!(pictures(&whole(&track_of("aa\u{1f600}b")).unwrap()).is_empty());
    // A box leaves room for the emoji.
    let boxed = SubtitleStyle { back_color: BACK, ..STYLE };
    let with_box = smiling("a\u{1f600}", &boxed);
    let corners: Vec<i32> =
        whole(&with_box).unwrap().captions[0].backing.iter().map(|point| point.0).collect();
    assert_eq!((corners.iter().min(), corners.iter().max()), (Some(&176), Some(&224)));
}

fn track_of(text: &str) -> CaptionTrack {
    track(&[(0, 1000, text)], &STYLE)
}

#[test]
fn emoji_are_counted_and_words_around_them_are_highlighted() {
    let many = "\u{1f600}".repeat(40);
    let cue =
        |n: u64| Cue { start_ms: n * 1000, end_ms: n * 1000 + 900, text: many.clone(), ..Cue::default() };
    let cues: Vec<Cue> = (0..5).map(cue).collect();
    let track = lay_out(&cues, &STYLE, Size::new(400, 200), Fps::DEFAULT, Frames(300), &Extended);
    assert_eq!(pictures(&whole(&track).unwrap()).len(), 200);
    assert_eq!(track.emoji_count(), 200);
    let lit =
        SubtitleStyle { highlight: Some(Highlight { color: Some(Rgba::BLACK), ..Highlight::NONE }), ..STYLE };
    let view = whole(&smiling("one \u{1f600} two", &lit)).unwrap();
    let ass = view.to_ass();
    assert!(ass.contains("1a&H00&}two{") && ass.contains("}one{"), "{ass}");
}

#[test]
fn captions_that_all_begin_after_the_end_give_a_warning() {
    let warnings = |cues: &[(u64, u64, &str)]| track(cues, &STYLE).warnings().to_vec();
    let late = [(10_000, 11_000, "a"), (12_500, 13_000, "b")];
    let [warning] = &warnings(&late)[..] else { panic!("one warning") };
    assert!(warning.contains("2 of 2 captions begin after the end") && warning.contains("00:00:10.000"));
    assert!(warnings(&[late[0], (9_900, 10_500, "c")]).is_empty(), "one is shown");
    assert!(warnings(&[]).is_empty());
}

/// Checks the distances of emoji from the left end of a line, in em. Letters and spaces are half an em wide, emoji 1.25.
#[track_caller]
fn check_lefts(text: &str, expected: &[&[f64]]) {
    let lines = Measure::new(&Extended).wrap(text, 100.0);
    let lefts = |line: &Line| line.emoji.iter().map(|(_, left)| *left).collect::<Vec<_>>();
    assert_eq!(lines.iter().map(lefts).collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn emoji_of_right_to_left_lines_are_in_their_gaps() {
    check_lefts("אב 😀", &[&[0.0]]);
    check_lefts("😀 אב", &[&[1.5]]);
    check_lefts("א 😀 ב", &[&[1.0]]);
    check_lefts("א😀😀ב", &[&[1.75, 0.5]]);
    check_lefts("אב iPhone 15 😀 ג", &[&[1.0]]);
    check_lefts("אב abc 😀 def ג", &[&[3.0]]);
    check_lefts("abc אב 😀 גד efg", &[&[3.5]]);
    check_lefts("abc אב 😀", &[&[3.5]]);
    check_lefts("אב (😀) 12", &[&[2.0]]);
    check_lefts("אב\n😀 12 😀\n😀😀", &[&[], &[3.25, 0.0], &[1.25, 0.0]]);
    check_lefts("אב\n😀 a 😀", &[&[], &[0.0, 2.75]]);
    check_lefts("😀 a", &[&[0.0]]);
    check_lefts("\u{202e}ab😀", &[&[0.0]]);
}
