//! Covers that clients set: their frames, warnings and files; they change no segment.

use clipmill_core::plan::{CoverPlan, CoverSource};
use clipmill_core::request::model::{Cover, CoverTitle, DedupOptions, DedupParams, MixOptions, Params};

use crate::fixture::*;

fn cover(at_s: Option<f64>, url: Option<&str>, title: Option<&str>) -> Cover {
    let title = title.map(|text| CoverTitle { text: text.into(), style: None });
    Cover { at_s, url: url.map(str::to_owned), title }
}

fn fixture() -> Fixture {
    Fixture::new().clip("a", 4.0).image("poster").audio("music", 3.0)
}

fn with(cover: Option<Cover>) -> Params {
    base(vec![group(&["a"])], MixOptions { cover, ..options() })
}

fn planned(cover: Cover) -> (PlanReader, Option<CoverPlan>) {
    let reading = PlanReader(fixture().plan(with(Some(cover))));
    let plan = reading.rendition(0).cover.as_deref().cloned();
    (reading, plan)
}

fn warnings(reading: &PlanReader) -> Vec<String> {
    let warnings = reading.item(0).warnings.iter();
    warnings.map(|warning| format!("{}: {}", warning.path, warning.message)).collect()
}

#[test]
fn a_frame_of_the_output_is_named_by_its_time() {
    let (reading, plan) = planned(cover(Some(2.0), None, None));
    let plan = plan.unwrap();
    assert_eq!((plan.source, plan.frame.0, plan.seek_us), (CoverSource::Output, 60, Some(1_500_000)));
    assert!(warnings(&reading).is_empty());
    let first = planned(cover(Some(0.0), None, None)).1.unwrap();
    assert_eq!((first.frame.0, first.seek_us), (0, None));
    let (reading, plan) = planned(cover(Some(4.0), None, None));
    assert_eq!(plan.unwrap().frame.0, 119, "the last one");
    let warnings = warnings(&reading);
    assert!(
        warnings[0].starts_with("/params/options/cover/at: is after the end") && warnings.len() == 1,
        "{warnings:?}"
    );
}

#[test]
fn a_time_between_two_frames_shows_the_earlier_one() {
    // 4 s are 120 frames. 3.33 s is the time of frame 99.9.
    for (at_s, frame) in [(0.03, 0), (0.033_34, 1), (0.3, 9), (3.33, 99), (3.99, 119)] {
        let (reading, plan) = planned(cover(Some(at_s), None, None));
        assert_eq!(plan.unwrap().frame.0, frame, "{at_s} s");
        assert!(warnings(&reading).is_empty(), "{at_s} s: {:?}", warnings(&reading));
    }
}

#[test]
fn only_the_first_frame_of_a_video_is_a_cover() {
    let (reading, plan) = planned(cover(None, Some("a"), None));
    assert_eq!(plan.unwrap().frame.0, 0);
    assert_eq!(warnings(&reading), ["/params/options/cover/url: is animated; only its first frame is shown"]);
    assert!(warnings(&planned(cover(None, Some("poster"), None)).0).is_empty());
}

#[test]
fn an_image_is_cropped_to_the_output() {
    let plan = planned(cover(None, Some("poster"), None)).1.unwrap();
    assert_eq!((plan.source, plan.sources[0].url.as_str()), (CoverSource::Image, "poster"));
    assert_eq!(plan.video.source.0.as_ref(), "content of poster");
    let graph = plan.video.graph.to_string();
    assert!(graph.contains("crop"), "{graph}");
    let unusable = PlanReader(fixture().plan(with(Some(cover(None, Some("music"), None)))));
    let (code, input) = unusable.error(0);
    assert_eq!((code.as_str(), input), ("MASK_INVALID", Some("music")));
}

#[test]
fn a_title_is_on_the_automatic_cover_too() {
    let plan = planned(cover(None, None, Some("Sale"))).1.unwrap();
    assert_eq!(plan.source, CoverSource::Automatic);
    assert_eq!(plan.video.texts.len(), 1);
    let (reading, plan) = planned(cover(None, None, Some("\u{200b}")));
    assert_eq!(plan, None, "nothing differs from the automatic cover");
    assert_eq!(warnings(&reading).len(), 1);
}

#[test]
fn covers_change_neither_segments_nor_the_name_of_the_output() {
    let plain = PlanReader(fixture().plan(with(None)));
    let (covered, _) = planned(cover(Some(1.0), None, Some("Sale")));
    assert_eq!(covered.0.segments, plain.0.segments);
    assert_eq!(covered.rendition(0).key(), plain.rendition(0).key());
    assert_eq!(covered.rendition(0).extent(), plain.rendition(0).extent());
    assert_eq!(plain.rendition(0).cover, None);
}

#[test]
fn varied_videos_have_covers_of_their_own_size() {
    let options = DedupOptions { cover: Some(cover(Some(1.0), None, None)), ..crate::dedup::unchanged() };
    let params = DedupParams { videos: clips(&["a"]), options, seed: Some(1) };
    let reading = PlanReader(fixture().plan(Params::VideoDeduplication(params)));
    let rendition = reading.rendition(0);
    let plan = rendition.cover.as_deref().unwrap();
    assert_eq!((plan.video.size, plan.frame.0), (rendition.size, 30));
}
