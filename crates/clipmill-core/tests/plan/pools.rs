//! Pools of music and voices: one entry per output, all before any comes again.

use std::collections::BTreeMap;

use clipmill_core::plan::{InputKind, assumed_plan, needed_inputs};
use clipmill_core::request::model::*;

use crate::world::*;

const SONGS: [&str; 3] = ["song0", "song1", "song2"];

fn music(names: &[&str]) -> Vec<Track> {
    names.iter().map(|name| track(name, None, 0.0, 0.0).unwrap()).collect()
}

fn voice(name: &str, captions: Option<&str>) -> Voice {
    Voice { audio: track(name, None, 0.0, 0.0).unwrap(), subtitle: captions.and_then(subtitle) }
}

fn world() -> World {
    let world = SONGS.iter().fold(World::new(), |world, name| world.sound(name, 3.0));
    let world = world.clip("a", 4.0).clip("b", 4.0).sound("one", 2.0).sound("two", 2.0);
    world.cues("first", &[(0, 900, "one")]).cues("second", &[(0, 900, "two")])
}

fn mixed(count: usize, change: impl FnOnce(&mut MixOptions)) -> BaseMixParams {
    let mut options = options();
    change(&mut options);
    BaseMixParams { groups: vec![group(&["a", "b"]); count], options, seed: Some(1) }
}

fn dealt(reading: &Reading, name: &str) -> Vec<usize> {
    let index = |item: &_| -> usize {
        let item: &clipmill_core::plan::PlannedItem = item;
        item.recipe[name].as_u64().unwrap() as usize
    };
    reading.0.items.iter().map(index).collect()
}

#[test]
fn entries_are_dealt_evenly_and_told() {
    let params = mixed(7, |options| options.music_pool = music(&SONGS));
    let reading = Reading(world().plan(Params::BaseVideoMix(params)));
    let found = dealt(&reading, "backgroundMusicPool");
    let mut first = found[..3].to_vec();
    first.sort_unstable();
    assert_eq!(first, [0, 1, 2], "each once before any comes again");
    let mut uses = BTreeMap::new();
    found.iter().for_each(|index| *uses.entry(*index).or_insert(0) += 1);
    assert!(uses.values().all(|uses| (2..=3).contains(uses)), "{found:?}");
    for (item, index) in found.into_iter().enumerate() {
        let lane = reading.lanes(item).last().unwrap();
        let source = reading.sound(&lane.parts[0]).unwrap().source.clone().unwrap();
        assert_eq!(*source.0, *format!("content of song{index}"));
    }
}

#[test]
fn a_voice_brings_its_own_captions() {
    let pool = vec![voice("one", Some("first")), voice("two", Some("second")), voice("one", None)];
    let params = mixed(3, |options| options.voice_pool = pool);
    let reading = Reading(world().plan(Params::BaseVideoMix(params)));
    for (item, index) in dealt(&reading, "voicePool").into_iter().enumerate() {
        let captions =
            reading.pictures(item)[0].captions.as_ref().map(|view| serde_json::to_string(view).unwrap());
        let expected = [Some("one"), Some("two"), None][index];
        assert_eq!(captions.is_some(), expected.is_some());
        assert!(expected.is_none_or(|text| captions.unwrap().contains(text)));
    }
}

#[test]
fn a_pool_of_one_makes_an_item_again() {
    let scenes = || vec![scene(2.0, &["a", "b"])];
    let mut params = pro(scenes(), 2);
    params.options.music_pool = music(&SONGS);
    let reading = Reading(world().plan(Params::ProVideoMix(params.clone())));
    let second = reading.item(1);
    params.options.music_pool = music(&[SONGS[dealt(&reading, "backgroundMusicPool")[1]]]);
    params.combinations = vec![serde_json::from_value(second.recipe["combination"].clone()).unwrap()];
    (params.generate_count, params.seed) = (1, Some(second.seed));
    let again = Reading(world().plan(Params::ProVideoMix(params)));
    assert_eq!(again.rendition(0), reading.rendition(1));
}

#[test]
fn bad_entries_are_left_out_while_there_are_others() {
    let names = ["broken", "song0", "mute"];
    let params = mixed(4, |options| options.music_pool = music(&names));
    let world = || world().bad("broken").silent_clip("mute", 4.0);
    let reading = Reading(world().plan(Params::BaseVideoMix(params)));
    assert_eq!(dealt(&reading, "backgroundMusicPool"), [1; 4]);
    let pool = vec![voice("one", Some("lost")), voice("two", Some("second"))];
    let mut lost = world();
    lost.facts.subtitles.insert("lost".into(), Err(reading_error()));
    let reading = Reading(lost.plan(Params::BaseVideoMix(mixed(3, |options| options.voice_pool = pool))));
    assert_eq!(dealt(&reading, "voicePool"), [1; 3]);
    let params = mixed(2, |options| options.music_pool = music(&["broken"]));
    let reading = Reading(world().plan(Params::BaseVideoMix(params)));
    assert_eq!(reading.error(1).1, Some("broken"), "nothing is left");
}

fn reading_error() -> clipmill_core::error::TaskError {
    use clipmill_core::error::{ErrorCode, TaskError};
    TaskError::new(ErrorCode::SubtitleInvalid, clipmill_core::message::Message::without_code("unreadable"))
}

#[test]
fn only_what_is_dealt_is_fetched() {
    let params = mixed(2, |options| {
        options.music_pool = music(&SONGS);
        options.voice_pool = vec![voice("one", Some("first")), voice("two", Some("second"))];
    });
    let request = request(Params::BaseVideoMix(params));
    let needed = needed_inputs(&request, 1, &World::new().facts);
    let of = |kind| needed.iter().filter(|input| input.kind == kind).count();
    assert_eq!((of(InputKind::Media), of(InputKind::Subtitle)), (2 + 2 + 2, 2), "{needed:?}");
    // An estimate needs none of them.
    assert!(
        assumed_plan(&request, 1, World::new().facts, 3600, 0).items.iter().all(|item| item.outcome.is_ok())
    );
}

#[test]
fn music_of_a_pool_is_lowered_under_speech() {
    let params = mixed(3, |options| {
        (options.music_pool, options.ducking) = (music(&SONGS), true);
    });
    let plan = world().plan(Params::BaseVideoMix(params));
    let reading = Reading(plan);
    assert!((0..3).all(|item| reading.lanes(item).iter().all(|lane| lane.ducking.is_some())));
}
