//! Captions are part of exactly those segments that show them.

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::fonts::{CaptionFont, FontRef};
use clipmill_core::message::Message;
use clipmill_core::plan::{InputKind, Moment, NeededInput, frame_inputs, needed_inputs};
use clipmill_core::request::model::{
    Anchor, CaptionPlace, Highlight, MixOptions, Motion, Overlay, OverlayContent, OverlayPlace, Rgba,
    SubtitleStyle, Weight, WordDisplay,
};
use clipmill_core::segment::SegmentKey;
use clipmill_core::subtitle::parse;

use crate::fixture::*;

fn fixture(cues: &[(u64, u64, &str)]) -> Fixture {
    Fixture::new().clip("a", 1.0).clip("b", 1.0).clip("c", 1.0).cues("s.srt", cues)
}

fn pictures(cues: Option<&[(u64, u64, &str)]>, names: &[&str]) -> Vec<SegmentKey> {
    let mut options = options();
    options.subtitle = cues.and_then(|_| subtitle("s.srt"));
    let plan = fixture(cues.unwrap_or_default()).plan(base(vec![group(names)], options));
    PlanReader(plan).rendition(0).video.clone()
}

/// Which of three video segments differ from those without captions.
fn changed(cues: &[(u64, u64, &str)]) -> Vec<bool> {
    let (plain, drawn) = (pictures(None, &["a", "b", "c"]), pictures(Some(cues), &["a", "b", "c"]));
    plain.iter().zip(&drawn).map(|(plain, drawn)| plain != drawn).collect()
}

#[test]
fn only_segments_with_captions_in_view_get_another_key() {
    assert_eq!(changed(&[]), [false, false, false]);
    assert_eq!(changed(&[(200, 800, "hi")]), [true, false, false]);
    assert_eq!(changed(&[(1000, 2000, "hi")]), [false, true, false]);
    assert_eq!(changed(&[(900, 2100, "hi")]), [true, true, true]);
    assert_eq!(changed(&[(5000, 6000, "after the end")]), [false, false, false]);
}

#[test]
fn captions_that_look_alike_are_drawn_once() {
    let cues = [(200, 800, "hi"), (1200, 1800, "hi"), (2200, 2800, "ho")];
    let names = pictures(Some(&cues), &["a", "a", "a"]);
    assert_eq!(names[0], names[1]);
    assert_ne!(names[1], names[2]);
}

#[test]
fn text_time_and_style_are_in_the_key() {
    let first = |cue| pictures(Some(&[cue]), &["a"])[0].clone();
    let plain = first((200, 800, "hi"));
    assert_eq!(first((200, 800, "hi")), plain);
    assert_ne!(first((200, 800, "ho")), plain);
    assert_ne!(first((300, 800, "hi")), plain);
    let mut options = options();
    options.subtitle = subtitle("s.srt");
    options.subtitle.as_mut().unwrap().style.bottom = 60;
    let moved = PlanReader(fixture(&[(200, 800, "hi")]).plan(base(vec![group(&["a"])], options)));
    assert_ne!(moved.rendition(0).video[0], plain);
}

/// The plan of one clip with a caption in a style.
fn styled(change: impl FnOnce(&mut SubtitleStyle)) -> PlanReader {
    let mut options = options();
    options.subtitle = subtitle("s.srt");
    change(&mut options.subtitle.as_mut().unwrap().style);
    PlanReader(fixture(&[(200, 800, "hi you")]).plan(base(vec![group(&["a"])], options)))
}

#[test]
fn every_field_of_a_style_is_in_the_key() {
    let name = |change: fn(&mut SubtitleStyle)| styled(change).rendition(0).video[0].clone();
    let names = [
        name(|_| ()),
        name(|style| style.weight = Weight::Bold),
        name(|style| style.place = CaptionPlace::LowerThird),
        name(|style| style.place = CaptionPlace::Middle),
        name(|style| style.place = CaptionPlace::Top),
        name(|style| style.shadow = 5),
        name(|style| style.back_color = Some(Rgba::BLACK)),
        name(|style| (style.back_color, style.radius) = (Some(Rgba::BLACK), 5)),
        name(|style| style.highlight = Some(Highlight::of_color(Rgba::BLACK))),
        name(|style| {
            style.highlight = Some(Highlight { back_color: Some(Rgba::BLACK), ..Highlight::NONE });
        }),
        name(|style| style.highlight = Some(Highlight { scale: Some(1.1), ..Highlight::NONE })),
        name(|style| style.max_words = Some(1)),
        name(|style| style.words = WordDisplay::Grow),
        name(|style| style.motion = Motion::Fade),
        name(|style| style.motion = Motion::Pop),
        name(|style| style.motion = Motion::Rise),
        name(|style| style.motion = Motion::Typewriter),
        name(|style| style.uppercase = true),
    ];
    let distinct: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len());
    assert_eq!(name(|style| style.radius = 5), names[0], "without a box, the radius has no effect");
    assert_eq!(name(|style| style.max_words = Some(2)), names[0], "the caption has two words");
    assert_eq!(name(|style| style.words = WordDisplay::One), names[0], "the first takes less than 0.25 s");
}

/// A segment that begins after a motion is over is that of a caption which began at another time.
#[test]
fn segments_share_captions_whose_motion_is_over() {
    let keys = |cues: &[(u64, u64, &str)]| {
        let mut options = options();
        options.subtitle = subtitle("s.srt");
        options.subtitle.as_mut().unwrap().style.motion = Motion::Pop;
        PlanReader(fixture(cues).plan(base(vec![group(&["a", "a", "a"])], options)))
            .rendition(0)
            .video
            .clone()
    };
    let keys = keys(&[(200, 3000, "hi")]);
    assert_ne!(keys[0], keys[1]);
    assert_eq!(keys[1], keys[2]);
}

#[test]
fn a_font_that_is_not_installed_fails_the_items() {
    let reading = styled(|style| style.font = Some(FontRef::Catalogue(CaptionFont::NotoSerifKr)));
    let error = reading.0.items[0].outcome.as_ref().unwrap_err();
    assert_eq!(error.code, ErrorCode::Internal);
    assert!(error.message.contains("fonts-noto-cjk") && error.message.contains("noto-serif-kr"));
}

/// The font is a source of exactly those segments that are drawn with it.
#[test]
fn a_font_file_is_a_source_of_its_segments() {
    let params = |font: Option<&str>| {
        let mut options = options();
        options.subtitle = subtitle("s.srt");
        let style = &mut options.subtitle.as_mut().unwrap().style;
        style.font = font.map(|url| FontRef::File(url.to_owned()));
        base(vec![group(&["a", "b"])], options)
    };
    let fixture = fixture(&[(200, 800, "hi")]).font("upload://a").font("upload://b");
    let plan = |font| PlanReader(fixture.plan(params(font)));
    let (own, other, plain) = (plan(Some("upload://a")), plan(Some("upload://b")), plan(None));
    let video = |reading: &PlanReader| reading.rendition(0).video.clone();
    for (one, another) in [(&own, &other), (&own, &plain)] {
        assert_ne!(video(one)[0], video(another)[0]);
        assert_eq!(video(one)[1], video(another)[1]);
    }
    let sources = |reading: &PlanReader, key: &SegmentKey| {
        let segment = reading.0.segments.iter().find(|segment| segment.key == *key).unwrap();
        let urls: Vec<_> = segment.sources.iter().map(|source| source.url.clone()).collect();
        assert_eq!(segment.sources.len(), segment.spec.sources().len());
        urls
    };
    assert_eq!(sources(&own, &video(&own)[0]), ["a", "upload://a"]);
    assert_eq!(sources(&own, &video(&own)[1]), ["b"]);

    let moment = Moment { item_no: 1, clip: None, at_s: Some(0.5) };
    let frame = fixture.still(params(Some("upload://a")), &moment).unwrap();
    assert!(frame.sources.iter().any(|source| source.url == "upload://a"), "{:?}", frame.sources);
    let request = request(params(Some("upload://c")));
    let missing = NeededInput { url: "upload://c".to_owned(), kind: InputKind::Font };
    assert_eq!(needed_inputs(&request, 1, &fixture.facts), std::slice::from_ref(&missing));
    assert_eq!(frame_inputs(&request, 1, &fixture.facts, &moment), [missing]);
}

#[test]
fn a_character_that_no_font_has_is_a_warning_of_the_item() {
    let mut options = options();
    options.subtitle = subtitle("s.srt");
    let reading = PlanReader(fixture(&[(0, 900, "hi \u{1f600}")]).plan(base(vec![group(&["a"])], options)));
    let warnings = &reading.item(0).warnings;
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].message.contains("U+1F600"), "{}", warnings[0].message);
    assert_eq!(warnings[0].path, "/params/options/subtitle/url");
}

#[test]
fn skipped_cues_are_one_warning_of_the_item_and_change_no_segment() {
    let good = "1\n00:00:00,200 --> 00:00:00,800\nhi\n\n";
    let bad = |line: &str| format!("9\n{line}\nnever\n\n");
    let planned = |file: &str| {
        let mut fixture = fixture(&[]);
        fixture.facts.subtitles.insert("s.srt".into(), Ok(parse(file.as_bytes()).unwrap()));
        let mut options = options();
        options.subtitle = subtitle("s.srt");
        PlanReader(fixture.plan(base(vec![group(&["a"])], options)))
    };
    let (whole, one) = (planned(good), planned(&(good.to_owned() + &bad("00:02 --> 00:01"))));
    assert!(whole.item(0).warnings.is_empty());
    assert_eq!(one.rendition(0).video, whole.rendition(0).video);
    let [warning] = one.item(0).warnings.as_slice() else { panic!("{:?}", one.item(0).warnings) };
    assert_eq!(warning.path, "/params/options/subtitle/url");
    assert_eq!(
        warning.message,
        "a cue is skipped: line 6: the cue ends at 00:01, not after its start 00:02; correct the times"
    );
    let many = planned(&(good.repeat(5) + &bad("00:02 --> 00:01").repeat(5)));
    let [warning] = many.item(0).warnings.as_slice() else { panic!("{:?}", many.item(0).warnings) };
    assert!(warning.message.starts_with("5 cues are skipped: line 22: "), "{}", warning.message);
    assert!(warning.message.ends_with("; and 2 more"), "{}", warning.message);
    assert_eq!(warning.message.matches("line ").count(), 3);
}

#[test]
fn an_unreadable_subtitle_file_fails_the_items() {
    let mut fixture = fixture(&[]);
    let error =
        TaskError::new(ErrorCode::SubtitleInvalid, Message::without_code("line 3: no time")).input("s.srt");
    fixture.facts.subtitles.insert("s.srt".into(), Err(error));
    let mut options = options();
    options.subtitle = subtitle("s.srt");
    let reading = PlanReader(fixture.plan(base(vec![group(&["a"])], options)));
    assert_eq!(reading.error(0), (ErrorCode::SubtitleInvalid, Some("s.srt")));
}

/// BT.601 and BT.709 write coloured text differently, greys equally; invisible parts do not count.
#[test]
fn captions_are_coloured_if_any_part_of_them_is() {
    let coloured = |text: Rgba, outline: Option<Rgba>| {
        let mut options = options();
        options.subtitle = subtitle("s.srt").map(|mut subtitle| {
            (subtitle.style.font_color, subtitle.style.outline_color) = (text, outline);
            subtitle.style.back_color = None;
            subtitle
        });
        let plan = fixture(&[(0, 900, "hi")]).plan(base(vec![group(&["a"])], options));
        PlanReader(plan).video(0)[0].captions.as_ref().unwrap().is_coloured()
    };
    let red = |a| Rgba { r: 255, g: 0, b: 0, a };
    assert!(coloured(red(255), None) && coloured(Rgba::WHITE, Some(red(1))));
    assert!(!coloured(Rgba::WHITE, None) && !coloured(Rgba::WHITE, Some(red(0))));
}

/// Captions and texts share the limit; captions that are never shown do not count.
#[test]
fn an_output_with_too_many_emoji_fails_at_planning() {
    let planned = |captions: &[(u64, u64, &str)], texts: &[&str]| {
        let overlay = |text: &&str| Overlay {
            shown: OverlayContent::Text {
                texts: vec![(*text).to_owned()],
                style: SubtitleStyle::DEFAULT,
                max_width_percent: 90.0,
            },
            place: OverlayPlace::At(Anchor::Middle),
            margin_percent: 0.0,
            start_s: 0.0,
            end_s: None,
            motions: Default::default(),
        };
        let options = MixOptions {
            subtitle: subtitle("s.srt"),
            overlays: texts.iter().map(overlay).collect(),
            ..options()
        };
        PlanReader(fixture(captions).plan(base(vec![group(&["a"])], options)))
    };
    let dogs = |count| "🐶".repeat(count);
    let (ten, ninety) = (dogs(10), dogs(90));
    let whole = planned(&[(0, 400, &ten), (400, 900, &ninety), (5000, 6000, &ten)], &[]);
    assert_eq!(whole.rendition(0).video.len(), 1);
    let failed = planned(&[(0, 400, &ten), (400, 900, &ninety)], &["🐶"]);
    assert_eq!(failed.error(0), (ErrorCode::SubtitleInvalid, Some("s.srt")));
    assert!(failed.0.segments.is_empty());
    let error = failed.0.items[0].outcome.as_ref().unwrap_err();
    assert!(error.message.starts_with("101 emoji are too many"), "{}", error.message);
}
