//! Where the audio of proVideoMix scenes plays, in samples.

use clipmill_core::request::model::{AudioMode, Params, ProMixParams, Scene, SceneAudio};
use serde_json::json;

use crate::fixture::*;

/// Audio for a scene: name, start after the scene's start (or gap), and how much of the file.
type Audio<'a> = (&'a str, f64, Option<f64>);

fn with_audio(duration_s: f64, audio: &[Audio]) -> Scene {
    let resource = |&(url, start_s, duration_s): &Audio| SceneAudio {
        url: url.into(),
        duration_s,
        start_s,
        volume_percent: 100,
    };
    Scene { audio: audio.iter().map(resource).collect(), ..scene(duration_s, &["mute"]) }
}

fn fixture() -> Fixture {
    Fixture::new().silent_clip("mute", 10.0).audio("one", 1.0).audio("three", 3.0)
}

fn check(mode: AudioMode, scenes: &[(f64, Option<Audio>)], expected: &[&str]) {
    let scenes: Vec<Scene> =
        scenes.iter().map(|(seconds, audio)| with_audio(*seconds, audio.as_slice())).collect();
    let params = ProMixParams { audio_mode: mode, ..pro(scenes, 1) };
    let reading = PlanReader(fixture().plan(Params::ProVideoMix(params)));
    let placed: Vec<String> = reading.tracks(0).iter().flat_map(|track| reading.placed(track)).collect();
    assert_eq!(placed, expected, "{mode:?}");
}

#[test]
fn split_audio_plays_within_its_own_scene() {
    let split =
        |scenes: &[(f64, Option<Audio>)], expected: &[&str]| check(AudioMode::Split, scenes, expected);
    split(&[(2.0, Some(("one", 0.0, None)))], &["one 0..48000"]);
    split(
        &[(2.0, Some(("one", 0.5, None))), (2.0, Some(("one", 0.25, None)))],
        &["one 24000..72000", "one 108000..156000"],
    );
    // Trimmed at the scene's end, also if it starts late; silent if it starts after the end.
    split(
        &[(2.0, Some(("three", 0.0, None))), (2.0, Some(("one", 0.0, None)))],
        &["three 0..96000", "one 96000..144000"],
    );
    split(&[(2.0, Some(("three", 1.5, None))), (2.0, None)], &["three 72000..96000"]);
    split(&[(2.0, Some(("three", 2.0, None))), (2.0, Some(("one", 1.9, None)))], &["one 187200..192000"]);
    split(&[(2.0, None), (2.0, Some(("three", 0.5, Some(0.75))))], &["three 120000..156000"]);
}

#[test]
fn merged_audio_is_one_track_with_gaps_free_to_cross_scenes() {
    let merge =
        |scenes: &[(f64, Option<Audio>)], expected: &[&str]| check(AudioMode::Merge, scenes, expected);
    merge(
        &[(2.0, Some(("three", 0.0, None))), (2.0, Some(("one", 0.0, None)))],
        &["three 0..144000", "one 144000..192000"],
    );
    merge(
        &[(2.0, Some(("one", 0.5, None))), (2.0, Some(("one", 0.25, None)))],
        &["one 24000..72000", "one 84000..132000"],
    );
    // Trimmed where the video ends; a scene without audio takes no place.
    merge(&[(2.0, None), (1.0, Some(("three", 0.5, None)))], &["three 24000..144000"]);
    merge(&[(1.0, Some(("three", 0.0, None))), (1.0, Some(("three", 0.0, None)))], &["three 0..96000"]);
    merge(
        &[(2.0, Some(("three", 0.0, Some(1.0)))), (2.0, Some(("one", 0.0, None)))],
        &["three 0..48000", "one 48000..96000"],
    );
}

#[test]
fn inaudible_audio_gives_a_warning() {
    let check = |mode: AudioMode, scenes: &[Audio], expected: &[&str]| {
        let scenes = scenes.iter().map(|audio| with_audio(2.0, &[*audio])).collect();
        let params = ProMixParams { audio_mode: mode, ..pro(scenes, 1) };
        let plan = fixture().plan(Params::ProVideoMix(params));
        let warnings: Vec<String> = plan.items[0]
            .warnings
            .iter()
            .map(|warning| format!("{}: {}", warning.path, warning.message))
            .collect();
        assert_eq!(warnings.len(), expected.len(), "{warnings:?}");
        for (warning, expected) in warnings.iter().zip(expected) {
            assert!(warning.starts_with(expected), "{warning}");
        }
    };
    let [first, second] = [0, 1].map(|scene| {
        format!("/params/scenes/{scene}/audioResources/0/startTime: starts at or after the end of ")
    });
    let (scene, video) = (|path: &str| format!("{path}its scene"), |path: &str| format!("{path}the video"));
    check(AudioMode::Split, &[("one", 1.99, None), ("one", 0.0, None)], &[]);
    check(AudioMode::Split, &[("one", 2.0, None), ("one", 1.9, None)], &[&scene(&first)]);
    check(AudioMode::Split, &[("one", 2.0, None), ("one", 3.0, None)], &[&scene(&first), &scene(&second)]);
    check(AudioMode::Merge, &[("one", 2.0, None), ("one", 0.9, None)], &[]);
    check(AudioMode::Merge, &[("three", 0.0, None), ("one", 1.0, None)], &[&video(&second)]);
}

#[test]
fn one_of_several_resources_is_drawn_by_the_seed_and_a_bad_one_avoided() {
    let scenes = || {
        vec![with_audio(
            2.0,
            &[("one", 0.0, None), ("bad", 0.0, None), ("three", 0.0, None), ("mute", 0.0, None)],
        )]
    };
    let fixture = fixture().bad("bad");
    let mut chosen = std::collections::BTreeSet::new();
    for seed in 0..30 {
        let params = ProMixParams { seed: Some(seed), ..pro(scenes(), 1) };
        let reading = PlanReader(fixture.plan(Params::ProVideoMix(params)));
        let recipe = &reading.item(0).recipe;
        chosen.insert(recipe["audioResources"].to_string());
        assert_eq!(recipe["combination"], json!([0]));
        assert!(reading.item(0).outcome.is_ok());
    }
    assert_eq!(chosen.into_iter().collect::<Vec<_>>(), ["[0]", "[2]"]);
}

#[test]
fn a_scene_whose_only_audio_is_bad_fails_its_item() {
    let params = pro(vec![with_audio(2.0, &[("bad", 0.0, None)])], 1);
    let reading = PlanReader(fixture().bad("bad").plan(Params::ProVideoMix(params)));
    assert_eq!(reading.error(0).1, Some("bad"));
    assert!(reading.item(0).recipe["audioResources"].is_array());
}

#[test]
fn without_scene_audio_there_is_neither_track_nor_recipe() {
    let reading = PlanReader(fixture().plan(Params::ProVideoMix(pro(vec![with_audio(1.0, &[])], 1))));
    assert!(reading.tracks(0).is_empty());
    assert_eq!(reading.item(0).recipe, json!({ "combination": [0] }));
}
