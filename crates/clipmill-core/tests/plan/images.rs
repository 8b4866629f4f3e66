//! Images used as clips.

use clipmill_core::error::ErrorCode;
use clipmill_core::media::Facts;
use clipmill_core::plan::{Estimate, Moment, assumed_plan, estimate_prices, frame_inputs};
use clipmill_core::pricing::PriceList;
use clipmill_core::request::model::*;
use serde_json::json;

use crate::fixture::*;

/// `photo` and `other` are images; `a` lasts 2 s, `b` 5 s.
fn fixture() -> Fixture {
    Fixture::new().clip("a", 2.0).clip("b", 5.0).image("photo").image("other")
}

fn photo(duration_s: Option<f64>, image_motion: Option<ImageMotion>) -> Clip {
    Clip { url: "photo".into(), duration_s, image_motion, ..Clip::default() }
}

fn of(videos: Vec<Clip>) -> Group {
    Group { videos, total_duration_s: None }
}

fn moving(image_motion: ImageMotion) -> MixOptions {
    MixOptions { image_motion, ..options() }
}

/// Whether each segment of an output moves.
fn windows(reading: &PlanReader, item: usize) -> Vec<bool> {
    reading.video(item).iter().map(|made| made.graph.to_string().contains("perspective")).collect()
}

#[test]
fn an_image_is_shown_for_its_duration_or_its_scene() {
    let groups = vec![of(vec![photo(None, None), photo(Some(1.5), None)]), group(&["a", "photo"])];
    let reading = PlanReader(fixture().plan(base(groups, options())));
    assert_eq!(reading.frames(0), [90, 45]);
    assert_eq!(reading.frames(1), [60, 90]);
    assert_eq!(reading.0.segments.iter().filter(|made| made.spec.frames().0 == 90).count(), 1, "made once");
    assert!(reading.0.warnings.is_empty(), "its duration is not a declaration");

    let mut params = pro(vec![scene(4.0, &["photo"]), scene(1.0, &["a"])], 1);
    params.scenes[0].resources[0].duration_s = Some(9.0);
    let reading = PlanReader(fixture().plan(Params::ProVideoMix(params)));
    assert_eq!(reading.frames(0), [120, 30]);
}

#[test]
fn the_shortest_clip_is_a_video_if_there_is_one() {
    let shortest = MixOptions { is_shortest: true, ..options() };
    let groups = vec![
        of(vec![photo(Some(1.0), None), clips(&["a"]).remove(0), photo(Some(9.0), None)]),
        of(vec![photo(Some(1.0), None), photo(Some(9.0), None)]),
    ];
    let params = base(groups, shortest.clone());
    let reading = PlanReader(fixture().plan(params.clone()));
    assert_eq!(reading.frames(0), [30, 60, 60]);
    assert_eq!(reading.frames(1), [30, 30]);
    let prices = |fixture: &Fixture, params| {
        let quotes = estimate_prices(&request(params), 1, &fixture.facts, &PriceList::default());
        quotes.into_iter().map(|quote| quote.points).collect::<Vec<_>>()
    };
    assert_eq!(prices(&fixture(), params), [5, 2]);

    let mut params = pro(vec![scene(1.0, &["photo"]), scene(4.0, &["a"]), scene(4.0, &["other"])], 1);
    params.options = shortest;
    let params = Params::ProVideoMix(params);
    assert_eq!(PlanReader(fixture().plan(params.clone())).frames(0), [30, 60, 60]);
    assert_eq!(prices(&fixture(), params), [5]);
}

#[test]
fn a_variation_of_an_image_is_rejected() {
    let videos = vec![photo(None, None)];
    let params = DedupParams { videos, options: DedupOptions::default(), seed: Some(1) };
    let params = Params::VideoDeduplication(params);
    let reading = PlanReader(fixture().plan(params.clone()));
    assert_eq!(reading.error(0), (ErrorCode::NoVideoStream, Some("photo")));
    let errors = clipmill_core::plan::bad_inputs(&request(params), &fixture().facts);
    assert_eq!(errors.len(), 1);
    let mix = request(base(vec![group(&["photo"])], options()));
    assert!(clipmill_core::plan::bad_inputs(&mix, &fixture().facts).is_empty());
}

#[test]
fn fields_of_the_other_kind_give_a_warning() {
    let part = Clip { from_s: Some(50.0), to_s: Some(60.0), ..photo(None, None) };
    let video = Clip { image_motion: Some(ImageMotion::ZoomIn), ..clips(&["a"]).remove(0) };
    let reading = PlanReader(fixture().plan(base(vec![of(vec![part, video])], options())));
    assert_eq!(reading.frames(0), [90, 60]);
    let warnings: Vec<_> = reading.0.warnings.iter().map(|warning| warning.path.as_str()).collect();
    let place = "/params/videoList/0/videos";
    assert_eq!(
        warnings,
        [format!("{place}/0/from"), format!("{place}/0/to"), format!("{place}/1/imageMotion")]
    );
    assert_eq!(windows(&reading, 0), [false, false]);
}

#[test]
fn motion_is_set_by_the_clip_or_the_options_and_gives_another_segment() {
    let still = Some(ImageMotion::None);
    let groups =
        vec![of(vec![photo(None, None), photo(None, still), photo(None, Some(ImageMotion::PanLeft))])];
    let reading = PlanReader(fixture().plan(base(groups, moving(ImageMotion::ZoomIn))));
    assert_eq!(windows(&reading, 0), [true, false, true]);
    assert_eq!(reading.0.segments.iter().filter(|made| made.spec.frames().0 > 0).count(), 3);
    // The same motion over another length is another segment.
    let groups = vec![of(vec![photo(Some(1.0), None), photo(Some(2.0), None)])];
    let reading = PlanReader(fixture().plan(base(groups, moving(ImageMotion::ZoomIn))));
    let [short, long] = reading.video(0)[..] else { panic!() };
    assert_ne!(short.graph.to_string(), long.graph.to_string());
}

#[test]
fn a_random_motion_is_in_the_recipe_and_follows_from_the_seed() {
    let videos = || vec![photo(None, None), clips(&["a"]).remove(0), photo(None, Some(ImageMotion::Random))];
    let groups: Vec<Group> = (0..12).map(|_| of(videos())).collect();
    let reading = PlanReader(fixture().plan(base(groups, moving(ImageMotion::Random))));
    let motions = |index: usize| reading.item(index).recipe["imageMotion"].as_array().unwrap().clone();
    let mut counts = std::collections::BTreeMap::new();
    for index in 0..12 {
        let [first, video, last] = &motions(index)[..] else { panic!() };
        assert!(video.is_null() && first != last, "{first} {last}");
        *counts.entry(first.as_str().unwrap().to_owned()).or_insert(0) += 1;
        assert_eq!(windows(&reading, index), [true, false, true]);
        // The item is planned again: alone by its seed, and with the drawn motions given in the request.
        let seed = reading.item(index).seed;
        let alone = |videos, motion| {
            let params =
                BaseMixParams { groups: vec![of(videos)], options: moving(motion), seed: Some(seed) };
            PlanReader(fixture().plan(Params::BaseVideoMix(params)))
        };
        let again = alone(videos(), ImageMotion::Random);
        assert_eq!(again.rendition(0), reading.rendition(index));
        let by_name = |value: &serde_json::Value| serde_json::from_value::<ImageMotion>(value.clone()).ok();
        let written = vec![photo(None, by_name(first)), clips(&["a"]).remove(0), photo(None, by_name(last))];
        assert_eq!(alone(written, ImageMotion::None).rendition(0), reading.rendition(index));
    }
    assert_eq!(counts.len(), 4, "{counts:?}");
    let plain = PlanReader(fixture().plan(base(vec![of(videos()[..2].to_vec())], options())));
    assert_eq!(plain.item(0).recipe, json!({ "group": 0 }));
}

#[test]
fn two_outputs_with_one_image_share_its_footage() {
    let mut options = moving(ImageMotion::Random);
    options.fps = fps(25);
    let reading =
        PlanReader(fixture().plan(base(vec![group(&["photo", "a"]), group(&["b", "photo"])], options)));
    let diversity = reading.0.diversity.as_ref().unwrap();
    assert_eq!(diversity.most_similar.shared_seconds, 3.0);
}

#[test]
fn starts_are_drawn_beside_images() {
    for clip_start in [ClipStart::Random, ClipStart::Shots] {
        let mut params = pro(vec![scene(1.0, &["photo", "b"]), scene(2.0, &["other", "b"])], 4);
        params.options.clip_start = clip_start;
        let facts = fixture().cuts("b", Default::default());
        let params = Params::ProVideoMix(params);
        assert!(clipmill_core::plan::needed_inputs(&request(params.clone()), 1, &facts.facts).is_empty());
        let reading = PlanReader(facts.plan(params));
        for item in 0..4 {
            assert_eq!(reading.frames(item), [30, 60]);
        }
    }
}

#[test]
fn intros_and_outros_can_be_images() {
    let mut options = moving(ImageMotion::Random);
    options.intro_pool = vec![Bumper { url: "photo".into() }];
    options.outro_pool = vec![Bumper { url: "b".into() }];
    let params = base(vec![group(&["a"])], options);
    let price = estimate_prices(&request(params.clone()), 1, &fixture().facts, &PriceList::default());
    assert_eq!(price[0].points, 10);
    let reading = PlanReader(fixture().plan(params));
    assert_eq!(reading.frames(0), [90, 60, 150]);
    assert_eq!(windows(&reading, 0), [true, false, false]);
    let recipe = &reading.item(0).recipe;
    assert!(recipe["introMotion"].is_string() && recipe.get("outroMotion").is_none(), "{recipe}");
}

#[test]
fn a_long_image_is_never_split_into_parts() {
    let mut fixture = fixture();
    fixture.part_seconds = 10;
    let group = of(vec![photo(Some(300.0), None)]);
    for motion in [ImageMotion::None, ImageMotion::PanRight] {
        let reading = PlanReader(fixture.plan(base(vec![group.clone()], moving(motion))));
        assert_eq!(reading.frames(0), [9000]);
    }
}

#[test]
fn an_unprobed_image_is_recognized_by_its_name() {
    let url = |name: &str| format!("https://x.example/{name}");
    let image = |name: &str, duration_s| Clip { url: url(name), duration_s, ..Clip::default() };
    let names = vec![image("a.JPG?x=a.mp4#b", None), image("b.webp", Some(7.0)), image("c.mp4", None)];
    let params = base(vec![of(names)], options());
    let price = estimate_prices(&request(params.clone()), 1, &Facts::default(), &PriceList::default());
    assert_eq!(price[0].points, 3 + 7 + 15);
    let plan = assumed_plan(&request(params), 1, Facts::default(), 3600, &|| true);
    assert_eq!(Estimate::of(&plan).output_seconds, 25.0);
    assert!(plan.warnings.is_empty());
    // Only mixes accept images as clips.
    let videos = vec![image("a.jpg", None)];
    let params = DedupParams { videos, options: DedupOptions::default(), seed: Some(1) };
    let plan =
        assumed_plan(&request(Params::VideoDeduplication(params)), 1, Facts::default(), 3600, &|| true);
    assert_eq!(Estimate::of(&plan).output_seconds, 15.0);
}

#[test]
fn a_frame_is_previewed_without_those_before_it() {
    let params = base(vec![of(vec![photo(Some(60.0), None)])], moving(ImageMotion::ZoomOut));
    let moment = Moment { item_no: 1, clip: Some(0), at_s: Some(50.0) };
    let needed = frame_inputs(&request(params.clone()), 1, &Facts::default(), &moment);
    assert_eq!(needed.len(), 1);
    let frame = fixture().still(params, &moment).unwrap();
    assert_eq!((frame.at_s, frame.length_s), (50.0, 60.0));
    let quick = frame.quick.unwrap();
    assert_eq!(quick.seek_us, None, "a picture has no middle to be entered in");
    let graph = quick.video.graph.to_string();
    assert!(graph.contains("(on-1+1498)/1799"), "{graph}");
}
