//! `clipStart`: outputs that show different stretches of the same clips.

use std::collections::BTreeSet;

use clipmill_core::error::ErrorCode;
use clipmill_core::media::Cuts;
use clipmill_core::plan::{
    FrameError, InputKind, Moment, assumed_plan, distinct_combinations, frame_inputs, needed_inputs,
};
use clipmill_core::request::model::*;
use clipmill_core::time::Frames;
use serde_json::{Value, json};

use crate::fixture::*;

fn drawn(scenes: Vec<Scene>, count: u32) -> ProMixParams {
    let mut params = pro(scenes, count);
    params.options.clip_start = ClipStart::Random;
    params
}

fn fixture(seconds: f64) -> Fixture {
    Fixture::new().clip("a", seconds).clip("b", seconds).clip("c", seconds)
}

fn starts(plan: &PlanReader, item: usize) -> Vec<f64> {
    serde_json::from_value(plan.item(item).recipe["starts"].clone()).unwrap()
}

#[test]
fn one_long_clip_feeds_many_outputs_that_share_nothing() {
    let params = drawn(vec![scene(3.0, &["a"]), scene(2.0, &["a"])], 10);
    let reading = PlanReader(fixture(60.0).plan(Params::ProVideoMix(params)));
    let diversity = reading.0.diversity.as_ref().unwrap();
    assert_eq!(diversity.most_similar.shared_seconds, 0.0);
    let mut all = BTreeSet::new();
    for item in 0..10 {
        assert_eq!(reading.frames(item), [90, 60]);
        for (start, seconds) in starts(&reading, item).into_iter().zip([3.0, 2.0]) {
            assert!((0.0..=60.0 - seconds).contains(&start));
            assert!(all.insert((start * 30.0).round() as u64), "{start} comes twice");
        }
        let begins =
            reading.video(item).into_iter().map(|picture| picture.part.map_or(0, |part| part.begin.0));
        let start_frames = starts(&reading, item).into_iter().map(|start| (start * 30.0).round() as u64);
        assert!(begins.eq(start_frames));
    }
}

#[test]
fn stretches_are_on_a_grid_so_that_outputs_share_segments() {
    let clips = ["a", "b", "c"];
    let params = drawn(vec![scene(3.0, &clips), scene(3.0, &clips)], 60);
    let plan = fixture(31.0).plan(Params::ProVideoMix(params));
    // Ten stretches of each clip, in audio and video, for 120 places.
    assert_eq!(plan.segments.len(), 60);
    assert_eq!(plan.diversity.unwrap().most_similar.shared_seconds, 3.0);
}

#[test]
fn the_recipe_reproduces_an_item() {
    let scenes = || vec![scene(2.5, &["a", "b"]), scene(1.0, &["b", "c"])];
    let reading = PlanReader(fixture(20.0).plan(Params::ProVideoMix(drawn(scenes(), 4))));
    for item in 0..4 {
        let recipe = &reading.item(item).recipe;
        let mut again = pro(scenes(), 1);
        again.combinations = vec![serde_json::from_value(recipe["combination"].clone()).unwrap()];
        again.starts = vec![starts(&reading, item)];
        let again = PlanReader(fixture(20.0).plan(Params::ProVideoMix(again)));
        assert_eq!(again.rendition(0), reading.rendition(item));
        assert_eq!(&again.item(0).recipe, recipe);
    }
}

#[test]
fn distinct_outputs_are_counted_by_footage() {
    let request = request(Params::ProVideoMix(drawn(vec![scene(3.0, &["a", "b"]), scene(2.0, &["c"])], 1)));
    let count = |fixture: Fixture| distinct_combinations(&request, &fixture.facts);
    assert_eq!(count(Fixture::new()), Some(2));
    // Six stretches of `a`, one of `b`, which is short, and six of `c`, whose scenes last 2 s.
    assert_eq!(count(Fixture::new().clip("a", 20.0).clip("b", 4.0).clip("c", 13.0)), Some((6 + 1) * 6));
}

#[test]
fn another_seed_shows_other_footage_and_the_same_one_the_same() {
    let plan = |seed| {
        let params = ProMixParams { seed: Some(seed), ..drawn(vec![scene(3.0, &["a", "b"])], 3) };
        PlanReader(fixture(20.0).plan(Params::ProVideoMix(params)))
    };
    let all =
        |reading: &PlanReader| (0..3).map(|item| reading.item(item).recipe.clone()).collect::<Vec<Value>>();
    assert_eq!(all(&plan(1)), all(&plan(1)));
    assert_ne!(all(&plan(1)), all(&plan(2)));
}

#[test]
fn short_clips_are_shown_as_without_starts() {
    let params = drawn(
        vec![scene(3.0, &["a"]), Scene { clip_start: Some(ClipStart::Begin), ..scene(1.0, &["b"]) }],
        1,
    );
    let reading = PlanReader(fixture(2.8).plan(Params::ProVideoMix(params)));
    assert_eq!(reading.item(0).recipe, json!({ "combination": [0, 0] }));
    assert_eq!(reading.frames(0), [90, 30]);
}

#[test]
fn starts_are_drawn_within_the_excerpt() {
    let mut params = drawn(vec![scene(1.0, &["a"])], 5);
    let clip = &mut params.scenes[0].resources[0];
    (clip.from_s, clip.to_s) = (Some(10.0), Some(15.0));
    let reading = PlanReader(fixture(60.0).plan(Params::ProVideoMix(params)));
    let starts_of_items: BTreeSet<u64> =
        (0..5).map(|item| starts(&reading, item)[0].round() as u64).collect();
    assert_eq!(starts_of_items, BTreeSet::from([10, 11, 12, 13, 14]));
}

/// The same file with other excerpts: no stretch extends beyond the end of the clip that shows it.
#[test]
fn clips_of_one_file_with_other_excerpts_share_its_stretches() {
    let mut params = drawn(vec![scene(1.0, &["a"]), scene(1.0, &["a"])], 3);
    params.scenes[1].resources[0].to_s = Some(3.5);
    let reading = PlanReader(fixture(6.0).plan(Params::ProVideoMix(params)));
    for item in 0..3 {
        assert_eq!(reading.frames(item), [30, 30]);
        assert!(starts(&reading, item)[1] <= 2.5);
    }
    assert_eq!(reading.0.diversity.unwrap().most_similar.shared_seconds, 0.0);
}

#[test]
fn a_preview_shows_what_is_planned() {
    let mut params = drawn(vec![scene(1.0, &["a", "b"]), scene(1.0, &["b"])], 3);
    params.scenes[0].resources[0].from_s = Some(0.5);
    params.scenes[1].resources[0].to_s = Some(3.5);
    for item_no in 1..=3 {
        let moment = Moment { item_no, clip: None, at_s: Some(0.7) };
        let frame = fixture(4.0).still(Params::ProVideoMix(params.clone()), &moment).unwrap();
        let plan = PlanReader(fixture(4.0).plan(Params::ProVideoMix(params.clone())));
        let spec = plan.video(item_no as usize - 1)[0].clone();
        assert_eq!((frame.exact.video.source, frame.exact.video.graph), (spec.source, spec.graph));
    }
}

/// A preview of few clips needs all of them, so that a frame of every output can be made; of many clips it needs only
/// those that are shown.
#[test]
fn a_preview_probes_a_few_clips() {
    let needed = |resources: &[&str], item_no: u32| {
        let request = request(Params::ProVideoMix(drawn(vec![scene(1.0, resources)], 60)));
        let moment = Moment { item_no, clip: None, at_s: None };
        frame_inputs(&request, 1, &Fixture::new().facts, &moment).len()
    };
    assert_eq!((needed(&["a", "b", "c"], 1), needed(&["a", "b", "c"], 60)), (3, 3));
    let many: Vec<String> = (0..51).map(|n| format!("clip{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!((needed(&many, 1), needed(&many, 60)), (1, 51));
}

#[test]
fn too_little_footage_rejects_the_task_and_states_the_maximum() {
    let params = drawn(vec![scene(3.0, &["a"])], 5);
    let reading = PlanReader(fixture(10.0).plan(Params::ProVideoMix(params)));
    for item in 0..5 {
        let error = reading.item(item).outcome.as_ref().unwrap_err();
        assert_eq!(error.code, ErrorCode::ClipTooShort);
        assert!(error.message.contains("only 3 of the 5 requested"), "{}", error.message);
    }
    assert!(reading.0.segments.is_empty());
    // A preview reports the same for outputs that cannot be made.
    let moment = Moment { item_no: 5, clip: None, at_s: None };
    let params = Params::ProVideoMix(drawn(vec![scene(3.0, &["a"])], 5));
    match fixture(10.0).still(params, &moment).unwrap_err() {
        FrameError::Task(error) => assert_eq!(error.code, ErrorCode::ClipTooShort),
        other => panic!("{other:?}"),
    }
}

#[test]
fn bad_clips_are_avoided_and_manual_rows_get_starts_too() {
    let mut params = drawn(vec![scene(2.0, &["bad", "a"]), scene(2.0, &["a", "b"])], 4);
    params.combinations = vec![vec![1, 1], vec![1, 0]];
    let reading = PlanReader(fixture(20.0).bad("bad").plan(Params::ProVideoMix(params)));
    let rows: Vec<Value> = (0..4).map(|item| reading.item(item).recipe["combination"].clone()).collect();
    assert_eq!(&rows[..2], [json!([1, 1]), json!([1, 0])]);
    assert!(rows.iter().all(|row| row[0] == 1));
    assert_eq!(reading.0.diversity.unwrap().most_similar.shared_seconds, 0.0);
}

#[test]
fn all_clips_are_probed_before_starts_are_drawn() {
    let params = drawn(vec![scene(2.0, &["a", "b"]), scene(2.0, &["c", "a"])], 1);
    let request = request(Params::ProVideoMix(params));
    let needed = |fixture: &Fixture| {
        let needed = needed_inputs(&request, 1, &fixture.facts);
        assert!(needed.iter().all(|input| input.kind == InputKind::Media));
        needed.into_iter().map(|input| input.url).collect::<Vec<_>>()
    };
    assert_eq!(needed(&Fixture::new()), ["a", "b", "c"]);
    assert_eq!(needed(&Fixture::new().clip("a", 9.0).bad("b")), ["c"]);
    assert_eq!(needed(&fixture(9.0)), [""; 0]);
    // Until all files are known, an estimate uses the clips from their beginnings, and issues a warning.
    let warnings = |fixture: Fixture| {
        let plan = assumed_plan(&request, 1, fixture.facts, 3600, &|| true);
        (plan.items[0].recipe.get("starts").is_some(), plan.warnings.len())
    };
    assert_eq!(warnings(Fixture::new().clip("a", 9.0)), (false, 1));
    assert_eq!(warnings(fixture(9.0)), (true, 0));
}

#[test]
fn a_start_after_the_end_fails_its_row() {
    let mut params = pro(vec![scene(2.0, &["a"])], 2);
    params.scenes[0].resources = clips(&["a", "b"]);
    (params.combinations, params.starts) = (vec![vec![0], vec![1]], vec![vec![9.0], vec![10.0]]);
    let reading = PlanReader(fixture(10.0).plan(Params::ProVideoMix(params)));
    assert_eq!(reading.frames(0), [30, 30], "its second loops like any short clip");
    assert_eq!(reading.video(0)[0].part.unwrap().begin, Frames(270));
    assert_eq!(reading.error(1), (ErrorCode::ClipTooShort, Some("b")));
}

fn by_cuts(scenes: Vec<Scene>, count: u32) -> ProMixParams {
    let mut params = drawn(scenes, count);
    params.options.clip_start = ClipStart::Shots;
    params
}

fn cuts(takes: &[(f64, f64)], dull: &[(f64, f64)]) -> Cuts {
    Cuts { takes: takes.to_vec(), dull: dull.to_vec() }
}

/// A clip of a minute with twelve takes.
fn twelve() -> Cuts {
    let takes: Vec<_> = (0..12).map(|take| (5.0 * f64::from(take), 5.0 * f64::from(take) + 5.0)).collect();
    cuts(&takes, &[])
}

#[test]
fn a_clip_with_twelve_takes_feeds_twelve_scenes() {
    let mut params = by_cuts(vec![scene(3.0, &["a"]), scene(2.0, &["a"])], 6);
    let fixture = Fixture::new().clip("a", 60.0).cuts("a", twelve());
    let reading = PlanReader(fixture.plan(Params::ProVideoMix(params.clone())));
    assert_eq!(reading.0.diversity.as_ref().unwrap().most_similar.shared_seconds, 0.0);
    let all: BTreeSet<u64> = (0..6).flat_map(|item| starts(&reading, item)).map(|s| s as u64).collect();
    assert!(all.into_iter().eq((0..12).map(|take| 5 * take)), "each begins with a cut, and all are used");
    params.starts = (0..6).map(|item| starts(&reading, item)).collect();
    params.combinations = vec![vec![0, 0]; 6];
    params.options.clip_start = ClipStart::Begin;
    let again = PlanReader(Fixture::new().clip("a", 60.0).plan(Params::ProVideoMix(params)));
    for item in 0..6 {
        assert_eq!(again.video(item), reading.video(item), "`starts` need no cuts");
    }
}

#[test]
fn dull_stretches_are_shown_only_without_enough_others() {
    let dull: Vec<(f64, f64)> =
        (2..12).map(|take| (5.0 * f64::from(take), 5.0 * f64::from(take) + 4.0)).collect();
    let fixture = || Fixture::new().clip("a", 60.0).cuts("a", Cuts { dull: dull.clone(), ..twelve() });
    let shown = |count: u32| -> Vec<usize> {
        let params = by_cuts(vec![scene(3.0, &["a"]), scene(3.0, &["a"])], count);
        let combinations =
            distinct_combinations(&request(Params::ProVideoMix(params.clone())), &fixture().facts);
        assert_eq!(combinations, Some(144));
        let reading = PlanReader(fixture().plan(Params::ProVideoMix(params)));
        let dull = |item| starts(&reading, item).into_iter().filter(|start| *start >= 10.0).count();
        let mut dull: Vec<usize> = (0..count as usize).map(dull).collect();
        dull.sort_unstable();
        dull
    };
    let expected = |none: usize, one: usize, two: usize| [vec![0; none], vec![1; one], vec![2; two]].concat();
    assert_eq!(shown(4), expected(4, 0, 0), "two stretches in two scenes make four outputs");
    assert_eq!(shown(5), expected(4, 1, 0));
    assert_eq!(shown(44), expected(4, 40, 0), "two good stretches and ten dull ones, in either order");
    assert_eq!(shown(47), expected(4, 40, 3));
    // Dull footage is used if there is no other.
    let black = Fixture::new().clip("a", 9.0).cuts("a", cuts(&[(0.0, 9.0)], &[(0.0, 9.0)]));
    let plan = black.plan(Params::ProVideoMix(by_cuts(vec![scene(3.0, &["a"])], 1)));
    assert!(plan.items[0].outcome.is_ok());
}

#[test]
fn clips_are_scanned_after_a_successful_probe() {
    let silent = scene(3.0, &["a", "bad", "s"]);
    let begin = Scene { clip_start: Some(ClipStart::Begin), ..scene(2.0, &["b"]) };
    let params = request(Params::ProVideoMix(by_cuts(vec![silent, begin], 1)));
    let fixture = Fixture::new().clip("a", 30.0).clip("b", 9.0).bad("bad").audio("s", 9.0);
    let needed = |fixture: &Fixture| -> Vec<(String, InputKind)> {
        let needed = needed_inputs(&params, 1, &fixture.facts);
        needed.into_iter().map(|input| (input.url, input.kind)).collect()
    };
    assert_eq!(needed(&fixture), [("a".to_owned(), InputKind::Cuts)]);
    assert!(needed(&fixture.cuts("a", twelve())).is_empty());
    assert!(needed(&Fixture::new()).iter().all(|(_, kind)| *kind == InputKind::Media));
    // Estimates and previews do not search files for cuts.
    let first = Moment { item_no: 1, clip: None, at_s: None };
    assert!(
        frame_inputs(&params, 1, &Fixture::new().facts, &first).iter().all(|i| i.kind == InputKind::Media)
    );
    let unseen = Fixture::new().clip("a", 30.0).clip("b", 9.0).bad("bad").audio("s", 9.0);
    let estimate = assumed_plan(&params, 1, unseen.facts, 3600, &|| true);
    let warned = |warning: &clipmill_core::plan::Warning| warning.path == "/params/options/clipStart";
    assert_eq!(estimate.warnings.iter().filter(|warning| warned(warning)).count(), 1);
}

#[test]
fn files_of_any_number_of_cuts_make_a_sensible_plan() {
    let flicker: Vec<_> = (0..5_000).map(|cut| (f64::from(cut) * 0.04, f64::from(cut + 1) * 0.04)).collect();
    let one = Fixture::new().clip("a", 200.0).cuts("a", cuts(&flicker, &[]));
    let params = || Params::ProVideoMix(by_cuts(vec![scene(3.0, &["a"]), scene(2.0, &["a"])], 30));
    let reading = PlanReader(one.plan(params()));
    assert_eq!(reading.0.diversity.as_ref().unwrap().most_similar.shared_seconds, 0.0);
    let none = Fixture::new().clip("a", 200.0).cuts("a", cuts(&[(0.0, 200.0)], &[]));
    assert!(none.plan(params()).items.iter().all(|item| item.outcome.is_ok()));
    // The scene is one frame that is held.
    let one_frame = Fixture::new().clip("a", 0.04).cuts("a", cuts(&[(0.0, 0.04)], &[]));
    let plan = one_frame.plan(Params::ProVideoMix(by_cuts(vec![scene(1.0, &["a"])], 1)));
    assert!(plan.items[0].outcome.is_ok());
    let plan = one_frame.plan(Params::ProVideoMix(by_cuts(vec![scene(1.0, &["a"])], 2)));
    assert_eq!(plan.items[0].outcome.as_ref().unwrap_err().code, ErrorCode::ClipTooShort, "only one output");
}
