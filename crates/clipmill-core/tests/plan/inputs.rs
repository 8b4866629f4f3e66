//! Which files are asked for, round by round.

use clipmill_core::plan::{InputKind, needed_inputs};
use clipmill_core::request::model::{DedupOptions, DedupParams, Mask, Params, Pip, ProMixParams, SceneAudio};

use crate::dedup::unchanged;
use crate::world::*;

fn needed(world: &World, params: &Params) -> Vec<String> {
    let inputs = needed_inputs(&request(params.clone()), params.seed().unwrap(), &world.facts);
    inputs.into_iter().map(|input| input.url).collect()
}

#[test]
fn every_file_is_asked_for_once_in_order_of_use() {
    let mut options = options();
    options.music = track("song", None, 0.0, 0.0);
    options.voice = track("voice", None, 0.0, 0.0);
    options.subtitle = subtitle("s.srt");
    let params = base(vec![group(&["a", "b", "a"]), group(&["c", "b"])], options);
    assert_eq!(needed(&World::new(), &params), ["a", "b", "c", "voice", "song", "s.srt"]);
    assert_eq!(needed(&World::new().clip("b", 1.0).bad("song"), &params), ["a", "c", "voice", "s.srt"]);
    let kinds = needed_inputs(&request(params), 1, &World::new().facts);
    assert!(kinds.iter().all(|input| (input.url == "s.srt") == (input.kind == InputKind::Subtitle)));
}

#[test]
fn a_file_wanted_as_media_and_as_subtitle_is_asked_for_as_both() {
    let mut options = options();
    options.subtitle = subtitle("a");
    let inputs = needed_inputs(&request(base(vec![group(&["a"])], options)), 1, &World::new().facts);
    assert_eq!(
        inputs.iter().map(|input| input.kind).collect::<Vec<_>>(),
        [InputKind::Media, InputKind::Subtitle]
    );
}

#[test]
fn of_many_resources_only_those_that_were_drawn_are_asked_for() {
    let names: Vec<String> = (0..50).map(|i| format!("c{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let params = Params::ProVideoMix(pro(vec![scene(1.0, &names), scene(1.0, &names)], 2));
    let first = needed(&World::new(), &params);
    assert!((2..=4).contains(&first.len()), "{first:?}");

    // A bad clip is replaced by one that nobody needed before; good ones are kept.
    let world = first[1..].iter().fold(World::new().bad(&first[0]), |world, name| world.clip(name, 2.0));
    let second = needed(&world, &params);
    assert!(second.iter().all(|name| !first.contains(name)), "{second:?}");
    let world = second.iter().fold(world, |world, name| world.clip(name, 2.0));
    let mut world = world;
    for _ in 0..5 {
        let more = needed(&world, &params);
        world = more.iter().fold(world, |world, name| world.clip(name, 2.0));
    }
    assert!(needed(&world, &params).is_empty());
    let reading = Reading(world.plan(params));
    assert!(reading.0.items.iter().all(|item| item.outcome.is_ok()));
    assert!((0..2).all(|index| !reading.sources(index).contains(&first[0].as_str())));
}

#[test]
fn the_rounds_end_when_everything_is_bad() {
    let params = Params::ProVideoMix(pro(vec![scene(1.0, &["a", "b", "c"])], 2));
    let mut world = World::new();
    let mut rounds = 0;
    loop {
        let more = needed(&world, &params);
        if more.is_empty() {
            break;
        }
        world = more.iter().fold(world, |world, name| world.bad(name));
        rounds += 1;
        assert!(rounds <= 3);
    }
    assert_eq!(world.facts.media.len(), 3);
    assert!(Reading(world.plan(params)).0.items.iter().all(|item| item.outcome.is_err()));
}

#[test]
fn manual_rows_and_scene_audio_are_asked_for() {
    let mut first = scene(1.0, &["a", "b"]);
    first.audio = vec![SceneAudio { url: "words".into(), duration_s: None, start_s: 0.0 }];
    let params = ProMixParams { combinations: vec![vec![1]], ..pro(vec![first], 1) };
    assert_eq!(needed(&World::new(), &Params::ProVideoMix(params)), ["b", "words"]);
}

#[test]
fn of_many_masks_only_those_that_were_drawn_are_asked_for() {
    let files: Vec<String> = (0..50).map(|i| format!("m{i}")).collect();
    let mask = |layer_count| Some(Mask { urls: files.clone(), layer_count, opacity_percent: 3.0 });
    let pip = Some(Pip { padding_percent: 10.0, blurred: true, fill_url: Some("fill".into()) });
    let options = DedupOptions { pic_mask: mask(3), pip, ..unchanged() };
    let params =
        Params::VideoDeduplication(DedupParams { videos: clips(&["a", "b"]), options, seed: Some(5) });
    let asked = needed(&World::new(), &params);
    assert_eq!(asked[..2], ["a", "b"]);
    let plan = World::new().clip("a", 1.0).clip("b", 1.0).plan(params);
    let drawn = plan.items.iter().flat_map(|item| item.recipe["picMask"].as_array().unwrap());
    let mut expected: Vec<String> = drawn.map(|index| format!("m{index}")).collect();
    assert_eq!(expected.len(), 6);
    expected.push("fill".into());
    expected.sort();
    expected.dedup();
    let mut rest = asked[2..].to_vec();
    rest.sort();
    assert_eq!(rest, expected);
}
