//! proVideoMix: scenes trimmed, held or looped, and which clip is used where.

use std::collections::BTreeSet;

use clipmill_core::error::ErrorCode;
use clipmill_core::request::model::{Params, ProMixParams, Scene, SceneAudio};
use serde_json::{Value, json};

use crate::fixture::*;

fn plan(fixture: &Fixture, params: ProMixParams) -> PlanReader {
    PlanReader(fixture.plan(Params::ProVideoMix(params)))
}

fn check_scene(scene_s: f64, clip_s: f64, expected: &[u64]) {
    let fixture = Fixture::new().clip("a", clip_s);
    let reading = plan(&fixture, pro(vec![scene(scene_s, &["a"])], 1));
    assert_eq!(reading.frames(0), expected, "a clip of {clip_s} s in a scene of {scene_s} s");
    let lengths: Vec<u64> =
        reading.tracks(0)[0].parts.iter().map(|part| reading.audio(part).unwrap().samples.0).collect();
    let in_samples: Vec<u64> = expected.iter().map(|frames| frames * 1600).collect();
    assert_eq!(lengths, in_samples, "each piece of sound is as long as its picture");
}

#[test]
fn a_scene_is_trimmed_held_or_looped_to_its_length() {
    check_scene(3.0, 5.0, &[90]);
    check_scene(3.0, 3.0, &[90]);
    // Short by at most half a second: the last frame is held.
    check_scene(3.0, 2.9, &[90]);
    check_scene(3.0, 2.5, &[90]);
    check_scene(3.0, 2.46, &[74, 16]);
    // The lengths may also differ by at most a twentieth.
    check_scene(20.0, 19.0, &[600]);
    check_scene(20.0, 18.96, &[569, 31]);
    check_scene(3.0, 1.0, &[30, 30, 30]);
    check_scene(3.6, 1.0, &[30, 30, 30, 18]);
    // The last repetition is held, too.
    check_scene(4.1, 2.0, &[60, 63]);
    check_scene(3.5, 1.0, &[30, 30, 45]);
    check_scene(61.0, 20.0, &[600, 600, 630]);
    check_scene(61.1, 20.0, &[600, 600, 600, 33]);
}

#[test]
fn a_very_short_clip_loops_inside_pieces_of_about_two_seconds() {
    check_scene(5.0, 0.2, &[60, 60, 30]);
    check_scene(5.0, 0.04, &[60, 60, 30]);
    let fixture = Fixture::new().clip("a", 0.2);
    let reading = plan(&fixture, pro(vec![scene(5.0, &["a"])], 1));
    let audio = reading.audio(&reading.tracks(0)[0].parts[0]).unwrap();
    assert_eq!((audio.samples.0, audio.loop_period.unwrap().0), (96_000, 9_600));
    assert_eq!(reading.0.segments.len(), 4, "whole pieces are made once, and one that is cut");
}

#[test]
fn is_shortest_trims_all_scenes_of_an_output_and_loops_nothing() {
    let fixture = Fixture::new().clip("long", 5.0).clip("mid", 1.9).clip("short", 1.2);
    let scenes = |second: &str| vec![scene(3.0, &["long"]), scene(2.0, &[second]), scene(4.0, &["long"])];
    let shortest = |second: &str| {
        let mut params = pro(scenes(second), 1);
        params.options.is_shortest = true;
        plan(&fixture, params).frames(0)
    };
    assert_eq!(shortest("long"), [60, 60, 60], "a scene is no longer than its duration");
    assert_eq!(shortest("mid"), [57, 57, 57]);
    assert_eq!(shortest("short"), [36, 36, 36]);
    assert_eq!(plan(&fixture, pro(scenes("short"), 1)).frames(0), [90, 36, 24, 120]);
}

fn combinations(reading: &PlanReader) -> Vec<Value> {
    reading.0.items.iter().map(|item| item.recipe["combination"].clone()).collect()
}

fn two_by_three() -> (Fixture, Vec<Scene>) {
    let fixture = Fixture::new().clip("a", 2.0).clip("b", 2.0).clip("x", 2.0).clip("y", 2.0).clip("z", 2.0);
    (fixture, vec![scene(1.0, &["a", "b"]), scene(1.0, &["x", "y", "z"])])
}

#[test]
fn manual_rows_come_first_and_the_rest_is_drawn_beside_them() {
    let (fixture, scenes) = two_by_three();
    let params = ProMixParams { combinations: vec![vec![1, 2], vec![0, 0]], ..pro(scenes, 5) };
    let reading = plan(&fixture, params);
    let rows = combinations(&reading);
    assert_eq!(rows[..2], [json!([1, 2]), json!([0, 0])]);
    assert_eq!(reading.sources(0), ["b", "z"]);
    assert_eq!(reading.sources(1), ["a", "x"]);
    let distinct: BTreeSet<String> = rows.iter().map(Value::to_string).collect();
    assert_eq!(distinct.len(), 5);
    assert_eq!(rows.len(), 5);
}

#[test]
fn outputs_share_the_segments_of_the_clips_they_share() {
    let (fixture, scenes) = two_by_three();
    let all: Vec<Vec<u32>> = (0..2).flat_map(|a| (0..3).map(move |x| vec![a, x])).collect();
    let params = ProMixParams { combinations: all[..5].to_vec(), ..pro(scenes, 5) };
    let reading = plan(&fixture, params);
    assert_eq!(reading.0.segments.len(), 10, "five clips with a picture and a sound each for ten scenes");
    assert_eq!(
        reading.0.items.iter().map(|item| item.outcome.as_ref().unwrap().video.len()).sum::<usize>(),
        10
    );
}

#[test]
fn drawn_rows_avoid_a_bad_resource() {
    let (fixture, scenes) = two_by_three();
    let fixture = fixture.bad("y").audio("b", 9.0);
    let reading = plan(&fixture, pro(scenes, 2));
    for index in 0..2 {
        assert_eq!(reading.sources(index)[0], "a");
        assert!(["x", "z"].contains(&reading.sources(index)[1]));
    }
}

#[test]
fn a_manual_row_with_a_bad_resource_fails_its_item() {
    let (fixture, scenes) = two_by_three();
    let params = ProMixParams { combinations: vec![vec![0, 1], vec![0, 0]], ..pro(scenes, 3) };
    let reading = plan(&fixture.bad("y"), params);
    assert_eq!(reading.error(0), (ErrorCode::MediaDamaged, Some("y")));
    assert_eq!(reading.sources(1), ["a", "x"]);
    assert!(!reading.sources(2).contains(&"y"));
}

#[test]
fn with_too_few_combinations_the_last_items_fail_and_list_the_bad_clips() {
    let (fixture, scenes) = two_by_three();
    let fixture = fixture.bad("b").bad("y").bad("z");
    let reading = plan(&fixture, pro(scenes.clone(), 3));
    assert_eq!(reading.sources(0), ["a", "x"]);
    for index in 1..3 {
        assert_eq!(reading.error(index), (ErrorCode::MediaDamaged, Some("b")));
        let message = &reading.item(index).outcome.as_ref().unwrap_err().message;
        assert!(["b (", "y (", "z ("].iter().all(|name| message.contains(name)), "{message}");
    }
    let nothing = plan(&fixture.bad("a"), pro(scenes, 2));
    assert_eq!((nothing.error(0).0, nothing.error(1).0), (ErrorCode::MediaDamaged, ErrorCode::MediaDamaged));
}

#[test]
fn the_same_seed_gives_the_same_plan_and_another_one_another() {
    let names: Vec<String> = (0..20).map(|i| format!("c{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let fixture = names.iter().fold(Fixture::new(), |fixture, name| fixture.clip(name, 2.0));
    let with_seed = |seed| {
        let scenes = (0..5).map(|_| scene(1.0, &names)).collect();
        plan(&fixture, ProMixParams { seed: Some(seed), ..pro(scenes, 5) })
    };
    assert_eq!(with_seed(7).0, with_seed(7).0);
    assert_ne!(combinations(&with_seed(7)), combinations(&with_seed(8)));
}

#[test]
fn a_declared_length_is_checked_only_where_the_clip_is_used() {
    let fixture = Fixture::new().clip("a", 2.0).clip("b", 2.0);
    let mut scenes = vec![scene(1.0, &["a", "b"])];
    scenes[0].resources[0].duration_s = Some(5.0);
    scenes[0].resources[1].duration_s = Some(5.0);
    let reading = plan(&fixture, ProMixParams { combinations: vec![vec![1]], ..pro(scenes, 1) });
    let paths: Vec<&str> = reading.0.warnings.iter().map(|warning| warning.path.as_str()).collect();
    assert_eq!(paths, ["/params/scenes/0/resources/1/duration"]);
}

#[test]
fn shared_footage_is_reported_for_every_pair() {
    let fixture = Fixture::new().clip("a", 5.0).clip("b", 1.0).clip("c", 5.0);
    let scenes = vec![scene(3.0, &["a", "c"]), scene(2.0, &["b", "c"]), scene(1.0, &["a", "c"])];
    let mut params = pro(scenes, 3);
    // a 3 s, b looped to 2 s, a again · a 3 s, c 2 s, c · c 3 s, b, a 1 s.
    params.combinations = vec![vec![0, 0, 0], vec![0, 1, 1], vec![1, 0, 0]];
    let reading = plan(&fixture, params);
    let diversity = reading.0.diversity.unwrap();
    let pairs: Vec<([u32; 2], f64)> = diversity.pairs.iter().map(|p| (p.items, p.shared_seconds)).collect();
    assert_eq!(pairs, [([1, 2], 3.0), ([1, 3], 1.0 + 1.0), ([2, 3], 1.0 + 2.0)]);
    assert_eq!(diversity.most_similar.items, [1, 2], "the first of those that share most");
    let one = plan(&fixture, pro(vec![scene(3.0, &["a"])], 1));
    assert_eq!(one.0.diversity, None);
}

/// The content hashes of the files that each output shows.
fn shown(reading: &PlanReader) -> Vec<Vec<&str>> {
    (0..reading.0.items.len()).map(|index| reading.sources(index)).collect()
}

#[test]
fn one_content_at_two_urls_is_not_shown_twice() {
    let mut fixture = Fixture::new().clip("a", 2.0).clip("b", 2.0).clip("c", 2.0);
    let same = fixture.facts.media["a"].clone();
    fixture.facts.media.insert("a again".into(), same);
    let names = ["a", "a again", "b", "c"];
    for seed in 0..30 {
        let params =
            ProMixParams { seed: Some(seed), ..pro(vec![scene(1.0, &names), scene(1.0, &names)], 3) };
        let reading = plan(&fixture, params);
        let outputs = shown(&reading);
        assert!(outputs.iter().all(|output| output[0] != output[1]), "{outputs:?}");
        assert_eq!(outputs.iter().collect::<BTreeSet<_>>().len(), 3, "{outputs:?}");
        assert_eq!(reading.0.diversity.unwrap().most_similar.shared_seconds, 1.0);
    }
}

#[test]
fn outputs_share_the_short_clip_rather_than_the_long_one() {
    let fixture =
        Fixture::new().clip("long", 5.0).clip("short", 1.5).clip("x", 3.0).clip("y", 3.0).clip("z", 3.0);
    for seed in 0..30 {
        let scenes = vec![scene(4.0, &["long", "short"]), scene(2.0, &["x", "y", "z"])];
        let reading = plan(&fixture, ProMixParams { seed: Some(seed), ..pro(scenes, 3) });
        // 45 frames, and a shot for each time that it is repeated.
        assert_eq!(reading.0.diversity.as_ref().unwrap().most_similar.shared_seconds, 1.5);
        let long = shown(&reading).iter().filter(|output| output[0] == "long").count();
        assert_eq!(long, 1);
    }
}

#[test]
fn footage_trimmed_by_the_shortest_scene_is_not_shared() {
    let fixture = Fixture::new().clip("a", 5.0).clip("b", 1.0).clip("c", 2.0);
    let mut params = pro(vec![scene(3.0, &["a"]), scene(3.0, &["b", "c"])], 2);
    params.options.is_shortest = true;
    let diversity = plan(&fixture, params).0.diversity.unwrap();
    assert_eq!(diversity.most_similar.shared_seconds, 1.0);
}

fn with_sounds(scene: Scene, names: &[&str]) -> Scene {
    let audio = names.iter().map(|name| SceneAudio {
        url: (*name).into(),
        duration_s: None,
        start_s: 0.0,
        volume_percent: 100,
    });
    Scene { audio: audio.collect(), ..scene }
}

#[test]
fn audio_of_a_scene_alternates_and_an_item_is_reproduced_with_its_own() {
    let names = ["s", "t", "u", "v"];
    let fixture = names.iter().fold(Fixture::new(), |fixture, name| fixture.audio(name, 2.0));
    let fixture =
        ["a", "b", "c", "d", "e"].iter().fold(fixture, |fixture, name| fixture.clip(name, 2.0)).bad("broken");
    let scenes = || {
        let clips = ["a", "b", "c", "d", "e"];
        let names = ["s", "broken", "t", "u", "v"];
        vec![with_sounds(scene(1.0, &clips), &names), with_sounds(scene(1.0, &clips), &["s", "t"])]
    };
    for seed in [0, 7, (1 << 52) - 1, 1 << 52, (1 << 53) - 1] {
        let all = plan(&fixture, ProMixParams { seed: Some(seed), ..pro(scenes(), 5) });
        let drawn =
            |item: usize, scene: usize| all.item(item).recipe["audioResources"][scene].as_u64().unwrap();
        // A seed from 2^52 on already encodes a series and a place: item 1 is in that series, the others are in
        // another.
        let first = usize::from(seed >= 1 << 52);
        let of_one: BTreeSet<u64> = (first..4).map(|item| drawn(item, 0)).collect();
        assert_eq!(of_one.len(), 4 - first);
        assert!(!of_one.contains(&1), "the broken one is left out");
        assert!((first..4).all(|item| drawn(item, 1) != drawn(item + 1, 1)));
        for index in 0..5 {
            let item = all.item(index);
            let row = serde_json::from_value(item.recipe["combination"].clone()).unwrap();
            let alone = ProMixParams { seed: Some(item.seed), combinations: vec![row], ..pro(scenes(), 1) };
            let alone = plan(&fixture, alone);
            assert_eq!((&alone.item(0).recipe, alone.item(0).seed), (&item.recipe, item.seed));
            assert_eq!(alone.rendition(0), all.rendition(index));
        }
    }
}
