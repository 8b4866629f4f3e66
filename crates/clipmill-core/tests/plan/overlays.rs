//! Overlays: which segments they change, what outputs still share, their positions, and warnings.

use clipmill_core::error::ErrorCode;
use clipmill_core::media::Size;
use clipmill_core::plan::{Moment, bad_inputs, frame_inputs, needed_inputs};
use clipmill_core::request::model::*;
use clipmill_core::segment::SegmentKey;

use crate::fixture::*;

pub fn image(url: &str) -> Overlay {
    Overlay {
        shown: OverlayContent::Image { url: url.into(), width_percent: 20.0, opacity_percent: 100.0 },
        place: OverlayPlace::At(Anchor::TopRight),
        margin_percent: 4.0,
        start_s: 0.0,
        end_s: None,
        motions: OverlayMotions::default(),
    }
}

pub fn text(texts: &[&str]) -> Overlay {
    let texts = texts.iter().map(|text| (*text).to_owned()).collect();
    let content = OverlayContent::Text { texts, style: SubtitleStyle::DEFAULT, max_width_percent: 90.0 };
    Overlay { shown: content, place: OverlayPlace::At(Anchor::Middle), ..image("") }
}

pub fn timed(overlay: Overlay, start_s: f64, end_s: f64) -> Overlay {
    Overlay { start_s, end_s: Some(end_s), ..overlay }
}

pub fn over(overlays: Vec<Overlay>) -> MixOptions {
    MixOptions { overlays, ..options() }
}

fn fixture() -> Fixture {
    Fixture::new().clip("a", 2.0).clip("b", 2.0).clip("c", 2.0).clip("long", 4.0).image("logo")
}

pub fn made(options: MixOptions, groups: &[&[&str]]) -> PlanReader {
    PlanReader(fixture().plan(base(groups.iter().map(|names| group(names)).collect(), options)))
}

pub fn names(reading: &PlanReader, item: usize) -> Vec<SegmentKey> {
    reading.rendition(item).video.clone()
}

#[test]
fn a_permanent_overlay_does_not_reduce_sharing() {
    let groups: &[&[&str]] = &[&["a", "b", "c"], &["c", "a", "b"]];
    let plain = made(options(), groups);
    let marked = made(over(vec![image("logo"), text(&["hello"])]), groups);
    assert_eq!(plain.0.segments.len(), marked.0.segments.len());
    let sorted = |item| {
        let mut names = names(&marked, item);
        names.sort();
        names
    };
    assert_eq!(sorted(0), sorted(1));
    assert!(names(&plain, 0).iter().all(|name| !names(&marked, 0).contains(name)));
    let spec = marked.video(0)[0];
    assert_eq!(spec.inputs[0].origin.file.0.as_ref(), "content of logo");
    assert!(!spec.graph.to_string().contains("enable"), "{}", *spec.graph);
    assert_eq!(spec.texts.len(), 1);
    let segment = &marked.0.segments.iter().find(|one| one.key == names(&marked, 0)[0]).unwrap();
    let urls: Vec<&str> = segment.sources.iter().map(|source| source.url.as_str()).collect();
    assert_eq!(urls, ["a", "logo"]);
}

#[test]
fn segments_with_equal_overlays_share_layouts_and_graphs() {
    let reading =
        made(over(vec![text(&["hello"]), timed(text(&["later"]), 3.0, 9.0)]), &[&["a", "b"], &["b", "c"]]);
    let layouts = |index: usize| {
        let specs = [0, 1].map(|item| reading.video(item)).concat();
        let texts = specs.into_iter().filter_map(move |spec| spec.texts.get(index).cloned());
        let mut layouts: Vec<_> = texts.collect();
        layouts.dedup_by(|a, b| std::ptr::eq(&**a, &**b));
        layouts.len()
    };
    assert_eq!((layouts(0), layouts(1)), (1, 1));
    let graphs = [0, 1].map(|item| reading.video(item)[1].graph.clone());
    assert!(std::ptr::eq(&*graphs[0], &*graphs[1]));
}

#[test]
fn a_timed_overlay_changes_only_the_segments_it_touches() {
    let plain = names(&made(options(), &[&["a", "b", "c"]]), 0);
    let touched = |overlay: Overlay| -> Vec<bool> {
        let names = names(&made(over(vec![overlay]), &[&["a", "b", "c"]]), 0);
        plain.iter().zip(&names).map(|(plain, own)| plain != own).collect()
    };
    for overlay in [image("logo"), text(&["hello"])] {
        assert_eq!(touched(timed(overlay.clone(), 0.0, 2.0)), [true, false, false]);
        assert_eq!(touched(timed(overlay.clone(), 2.0, 4.0)), [false, true, false]);
        assert_eq!(touched(timed(overlay.clone(), 1.0, 2.1)), [true, true, false]);
        assert_eq!(touched(timed(overlay.clone(), 5.0, 600.0)), [false, false, true]);
        assert_eq!(touched(overlay), [true, true, true]);
    }
    let reading = made(over(vec![timed(image("logo"), 2.5, 3.0)]), &[&["a", "b"]]);
    let graph = reading.video(0)[1].graph.to_string();
    // Half a frame before its first and its last but one.
    assert!(graph.contains("enable=between(t\\,0.48333\\,0.98333)"), "{graph}");
}

#[test]
fn transitions_and_previews_have_overlays() {
    let transition =
        Some(Transitions { names: vec!["fade".to_owned().try_into().unwrap()], duration_s: 0.5 });
    let options = MixOptions { transition, ..over(vec![image("logo"), text(&["hello"])]) };
    let params = base(vec![group(&["a", "b"])], options.clone());
    let reading = PlanReader(fixture().plan(params.clone()));
    let transition = reading.video(0)[1];
    let files: Vec<&str> = transition.inputs.iter().map(|input| input.origin.file.0.as_ref()).collect();
    assert_eq!(files, ["content of b", "content of logo"]);
    assert_eq!(
        transition.texts,
        reading.video(0)[0]
            .texts
            .iter()
            .map(|text| {
                assert_eq!(text.seen().end.0, 45);
                transition.texts[0].clone()
            })
            .collect::<Vec<_>>()
    );
    for at_s in [0.5, 1.7, 3.0] {
        let frame =
            fixture().still(params.clone(), &Moment { item_no: 1, clip: None, at_s: Some(at_s) }).unwrap();
        let picture = &frame.exact.video;
        assert_eq!(picture.inputs.last().unwrap().origin.file.0.as_ref(), "content of logo");
        assert_eq!(picture.texts.len(), 1);
        assert!(frame.sources.iter().any(|source| source.url == "logo"));
        assert!(frame.quick.is_none_or(|quick| quick.video.texts == picture.texts));
    }
    // A frame of one clip alone shows overlays without a start, and needs no other clip for them; overlays with a start
    // do need them.
    let request = |options: MixOptions| request(base(vec![group(&["a", "b"])], options));
    let needed = |options| {
        let moment = Moment { item_no: 1, clip: Some(0), at_s: None };
        let needed = frame_inputs(&request(options), 1, &Fixture::new().facts, &moment);
        needed.into_iter().map(|input| input.url).collect::<Vec<_>>()
    };
    assert_eq!(needed(over(vec![image("logo")])), ["a", "logo"]);
    assert_eq!(needed(over(vec![timed(image("logo"), 0.0, 1.0)])), ["a", "b", "logo"]);
}

#[test]
fn texts_are_dealt_and_in_the_recipe() {
    let all: Vec<String> = (0..5).map(|i| format!("text {i}")).collect();
    let texts: Vec<&str> = all.iter().map(String::as_str).collect();
    let groups: Vec<Vec<&str>> = vec![vec!["a", "b"]; 5];
    let groups: Vec<&[&str]> = groups.iter().map(Vec::as_slice).collect();
    let overlays = vec![image("logo"), text(&texts), text(&["same"])];
    let reading = made(over(overlays.clone()), &groups);
    let dealt = |item: usize| reading.item(item).recipe["overlayTexts"].clone();
    let mut indexes: Vec<u64> = (0..5).map(|item| dealt(item)[1].as_u64().unwrap()).collect();
    assert!((0..5).all(|item| dealt(item)[0].is_null() && dealt(item)[2].is_null()));
    for (item, index) in indexes.iter().enumerate() {
        let ass = reading.video(item)[0].texts[0].to_ass();
        assert!(ass.contains(&format!("text {index}")), "{ass}");
    }
    indexes.sort_unstable();
    assert_eq!(indexes, [0, 1, 2, 3, 4], "each is used once before any repeats");
    // Segments that the text does not touch are shared.
    let timed = vec![timed(text(&texts), 0.0, 1.0)];
    let reading = made(over(timed), &groups);
    let keys: Vec<_> = (0..5).map(|item| names(&reading, item)).collect();
    assert!(keys.iter().all(|own| own[1] == keys[0][1]));
    assert!(keys.iter().skip(1).all(|own| own[0] != keys[0][0]));
}

/// The position of the logo in a frame of 720×1280, with its size.
fn placed(overlay: Overlay) -> (u64, u64, Size) {
    let graph = made(over(vec![overlay]), &[&["a"]]).video(0)[0].graph.to_string();
    let number = |from: &str, name: &str| -> u64 {
        let (_, rest) = from.split_once(name).unwrap_or_else(|| panic!("{graph}"));
        rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
    };
    let (_, over) = graph.rsplit_once("overlay=").unwrap();
    let (_, logo) = graph.split_once("[1:0]").unwrap();
    let size = Size::new(number(logo, "zscale=w=") as u32, number(logo, ":h=") as u32);
    (number(over, "x="), number(over, ":y="), size)
}

#[test]
fn images_are_at_anchors_or_points_and_never_outside() {
    // The logo has 1280×720 pixels: a fifth of the width are 144×81, made even.
    let at = |anchor| placed(Overlay { place: OverlayPlace::At(anchor), ..image("logo") });
    let size = Size::new(144, 82);
    for (anchor, x, y) in [
        (Anchor::TopLeft, 28, 28),
        (Anchor::Top, 288, 28),
        (Anchor::TopRight, 548, 28),
        (Anchor::Left, 28, 600),
        (Anchor::Middle, 288, 600),
        (Anchor::Right, 548, 600),
        (Anchor::BottomLeft, 28, 1170),
        (Anchor::Bottom, 288, 1170),
        (Anchor::BottomRight, 548, 1170),
    ] {
        assert_eq!(at(anchor), (x, y, size), "{anchor:?}");
    }
    let around = |x, y| {
        let (x, y, _) = placed(Overlay { place: OverlayPlace::Around { x, y }, ..image("logo") });
        (x, y)
    };
    assert_eq!(
        [around(50.0, 50.0), around(0.0, 0.0), around(100.0, 100.0)],
        [(288, 600), (0, 0), (576, 1198)]
    );
    let wide = |width_percent: f64, margin_percent: f64| {
        let content = OverlayContent::Image { url: "logo".into(), width_percent, opacity_percent: 100.0 };
        placed(Overlay { shown: content, margin_percent, ..image("logo") })
    };
    assert_eq!(wide(100.0, 50.0), (0, 360, Size::new(720, 406)));
    assert_eq!(wide(0.001, 0.0), (718, 0, Size::new(2, 2)));
    // Taller than the output: limited to its height, with the same aspect ratio.
    let tall = Fixture::new().clip("a", 2.0).file(
        "logo",
        Some(clipmill_core::media::VideoInfo {
            coded: Size::new(100, 1000),
            still: true,
            frames: 1,
            ..video(0.0)
        }),
        None,
    );
    let content = OverlayContent::Image { url: "logo".into(), width_percent: 100.0, opacity_percent: 100.0 };
    let reading = PlanReader(
        tall.plan(base(vec![group(&["a"])], over(vec![Overlay { shown: content, ..image("logo") }]))),
    );
    assert!(reading.video(0)[0].graph.to_string().contains("zscale=w=128:h=1280"));
}

#[test]
fn invisible_overlays_give_a_warning_and_cost_nothing() {
    let warnings_of = |overlay: Overlay| -> Vec<String> {
        let reading = made(over(vec![overlay]), &[&["a"]]);
        reading
            .item(0)
            .warnings
            .iter()
            .map(|warning| format!("{}: {}", warning.path, warning.message))
            .collect()
    };
    let at = "/params/options/overlays/0";
    let late = warnings_of(timed(image("logo"), 2.0, 3.0));
    assert_eq!(
        late,
        [format!("{at}/start: starts after the end of the output, which is at 2.00 s; it is never shown")]
    );
    assert!(warnings_of(timed(image("logo"), 1.9, 300.0)).is_empty());
    for nothing in ["", "\u{200b}\u{200b}", "\u{202e}", "\u{1f600}"] {
        let warnings = warnings_of(text(&[nothing]));
        let skipped = "text: has no drawable characters and is skipped";
        assert!(warnings.iter().any(|warning| warning.ends_with(skipped)), "{nothing:?}: {warnings:?}");
    }
    let cut = warnings_of(text(&["a\n".repeat(200).as_str()]));
    assert_eq!(cut, [format!("{at}/text: has more lines than fit into the frame and is truncated")]);
    let unseen = OverlayContent::Image { url: "logo".into(), width_percent: 20.0, opacity_percent: 0.0 };
    let plain = made(options(), &[&["a"]]);
    let reading = made(over(vec![Overlay { shown: unseen, ..image("logo") }]), &[&["a"]]);
    assert_eq!(names(&plain, 0), names(&reading, 0));
    let moving = Fixture::new().clip("a", 2.0).clip("logo", 1.0);
    let reading = PlanReader(moving.plan(base(vec![group(&["a"])], over(vec![image("logo")]))));
    assert!(reading.item(0).warnings[0].message.to_string().contains("only its first frame is shown"));
}

#[test]
fn files_of_overlays_are_needed_and_must_have_video() {
    let request = request(base(vec![group(&["a"])], over(vec![image("logo"), image("sound")])));
    let needed = needed_inputs(&request, 1, &Fixture::new().clip("a", 1.0).facts);
    let urls: Vec<&str> = needed.iter().map(|input| input.url.as_str()).collect();
    assert_eq!(urls, ["logo", "sound"]);
    let fixture = fixture().audio("sound", 3.0);
    let bad = bad_inputs(&request, &fixture.facts);
    assert_eq!((bad.len(), bad[0].code, bad[0].input.as_deref()), (1, ErrorCode::MaskInvalid, Some("sound")));
    let reading = PlanReader(fixture.plan(request.params.clone()));
    assert_eq!(reading.error(0), (ErrorCode::MaskInvalid, Some("sound")));
}

#[test]
fn overlay_images_have_a_total_limit() {
    let photo = clipmill_core::media::VideoInfo {
        coded: Size::new(8000, 4000),
        still: true,
        frames: 1,
        ..video(0.0)
    };
    let fixture = fixture().file("photo", Some(photo), None);
    let planned = |count: usize| {
        let overlays = over(vec![image("photo"); count]);
        PlanReader(fixture.plan(base(vec![group(&["a"])], overlays)))
    };
    assert!(planned(2).item(0).outcome.is_ok());
    assert_eq!(planned(3).error(0), (ErrorCode::MaskInvalid, Some("photo")));
    let message = planned(3).item(0).outcome.as_ref().unwrap_err().message.to_string();
    assert!(message.contains("96 million pixels in total, the limit is 64 million"), "{message}");
}

/// Lines are aligned at the side of the text's position, and all of it stays on the canvas.
#[test]
fn texts_have_their_positions() {
    let ass = |overlay: Overlay| made(over(vec![overlay]), &[&["a"]]).video(0)[0].texts[0].to_ass();
    let at = |anchor| ass(Overlay { place: OverlayPlace::At(anchor), ..text(&["aaaa\nbb"]) });
    // An em has 35 pixels, a letter half of that; lines are 49 pixels high, 10.5 of them below the baseline.
    assert!(at(Anchor::TopLeft).contains("{\\an1\\pos(28.8,"), "{}", at(Anchor::TopLeft));
    assert!(at(Anchor::BottomRight).contains("{\\an3\\pos(691.2,"), "{}", at(Anchor::BottomRight));
    assert!(at(Anchor::Middle).contains("{\\pos(360,"), "{}", at(Anchor::Middle));
    let middle = at(Anchor::Middle);
    assert!(middle.contains(",640)}aaaa") && middle.contains(",689)}bb"), "{middle}");
    let corner = ass(Overlay { place: OverlayPlace::Around { x: 0.0, y: 0.0 }, ..text(&["aaaa"]) });
    // The text's middle is moved by half of its width and by its outline.
    assert!(corner.contains("{\\pos(37.1,"), "{corner}");
    // Markup of subtitles is plain text here.
    let braces = ass(text(&["{\\an8}<b>a</b> \\N"]));
    assert!(braces.contains("\\{\\\u{2060}an8\\}<b>a</b> \\\u{2060}N"), "{braces}");
}
