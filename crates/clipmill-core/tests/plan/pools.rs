//! Pools of music and voices: one entry per output, all before any repeats.

use std::collections::BTreeMap;

use clipmill_core::plan::{InputKind, Moment, assumed_plan, frame_inputs, needed_inputs};
use clipmill_core::request::model::*;

use crate::fixture::*;

const SONGS: [&str; 3] = ["song0", "song1", "song2"];

fn music(names: &[&str]) -> Vec<Track> {
    names.iter().map(|name| track(name, None, 0.0, 0.0).unwrap()).collect()
}

fn voice(name: &str, captions: Option<&str>) -> Voice {
    Voice { audio: track(name, None, 0.0, 0.0).unwrap(), subtitle: captions.and_then(subtitle) }
}

fn fixture() -> Fixture {
    let fixture = SONGS.iter().fold(Fixture::new(), |fixture, name| fixture.audio(name, 3.0));
    let fixture = fixture.clip("a", 4.0).clip("b", 4.0).audio("one", 2.0).audio("two", 2.0);
    fixture.cues("first", &[(0, 900, "one")]).cues("second", &[(0, 900, "two")])
}

fn mixed(count: usize, change: impl FnOnce(&mut MixOptions)) -> BaseMixParams {
    let mut options = options();
    change(&mut options);
    BaseMixParams { groups: vec![group(&["a", "b"]); count], options, seed: Some(1) }
}

fn dealt(reading: &PlanReader, name: &str) -> Vec<usize> {
    let index = |item: &_| -> usize {
        let item: &clipmill_core::plan::PlannedItem = item;
        item.recipe[name].as_u64().unwrap() as usize
    };
    reading.0.items.iter().map(index).collect()
}

#[test]
fn entries_are_dealt_evenly_and_in_the_recipe() {
    let params = mixed(7, |options| options.music_pool = music(&SONGS));
    let reading = PlanReader(fixture().plan(Params::BaseVideoMix(params)));
    let entries = dealt(&reading, "backgroundMusicPool");
    let mut first = entries[..3].to_vec();
    first.sort_unstable();
    assert_eq!(first, [0, 1, 2], "each once before any comes again");
    let mut uses = BTreeMap::new();
    entries.iter().for_each(|index| *uses.entry(*index).or_insert(0) += 1);
    assert!(uses.values().all(|uses| (2..=3).contains(uses)), "{entries:?}");
    for (item, index) in entries.into_iter().enumerate() {
        let track = reading.tracks(item).last().unwrap();
        let source = reading.audio(&track.parts[0]).unwrap().source.clone().unwrap();
        assert_eq!(*source.0, *format!("content of song{index}"));
    }
}

#[test]
fn a_voice_brings_its_own_captions() {
    let pool = vec![voice("one", Some("first")), voice("two", Some("second")), voice("one", None)];
    let params = mixed(3, |options| options.voice_pool = pool);
    let reading = PlanReader(fixture().plan(Params::BaseVideoMix(params)));
    for (item, index) in dealt(&reading, "voicePool").into_iter().enumerate() {
        let captions =
            reading.video(item)[0].captions.as_ref().map(|view| serde_json::to_string(view).unwrap());
        let expected = [Some("one"), Some("two"), None][index];
        assert_eq!(captions.is_some(), expected.is_some());
        assert!(expected.is_none_or(|text| captions.unwrap().contains(text)));
    }
}

#[test]
fn a_pool_of_one_reproduces_an_item() {
    let fixture = || Fixture { width: 1, ..fixture() };
    let scenes = || vec![scene(2.0, &["a", "b"])];
    let mut params = pro(scenes(), 2);
    params.options.music_pool = music(&SONGS);
    let reading = PlanReader(fixture().plan(Params::ProVideoMix(params.clone())));
    let second = reading.item(1);
    params.options.music_pool = music(&[SONGS[dealt(&reading, "backgroundMusicPool")[1]]]);
    params.combinations = vec![serde_json::from_value(second.recipe["combination"].clone()).unwrap()];
    (params.generate_count, params.seed) = (1, Some(second.seed));
    let again = PlanReader(fixture().plan(Params::ProVideoMix(params.clone())));
    assert_eq!(again.rendition(0), reading.rendition(1));
    // By the item's seed, the whole pool is dealt in the same way.
    params.options.music_pool = music(&SONGS);
    let again = PlanReader(fixture().plan(Params::ProVideoMix(params)));
    assert_eq!(again.rendition(0), reading.rendition(1));
}

#[test]
fn bad_entries_are_skipped_while_there_are_others() {
    let names = ["broken", "song0", "mute"];
    let params = mixed(4, |options| options.music_pool = music(&names));
    let fixture = || fixture().bad("broken").silent_clip("mute", 4.0);
    let reading = PlanReader(fixture().plan(Params::BaseVideoMix(params)));
    assert_eq!(dealt(&reading, "backgroundMusicPool"), [1; 4]);
    let pool = vec![voice("one", Some("lost")), voice("two", Some("second"))];
    let mut unreadable = fixture();
    unreadable.facts.subtitles.insert("lost".into(), Err(reading_error()));
    let reading =
        PlanReader(unreadable.plan(Params::BaseVideoMix(mixed(3, |options| options.voice_pool = pool))));
    assert_eq!(dealt(&reading, "voicePool"), [1; 3]);
    let params = mixed(2, |options| options.music_pool = music(&["broken"]));
    let reading = PlanReader(fixture().plan(Params::BaseVideoMix(params)));
    assert_eq!(reading.error(1).1, Some("broken"), "no entry remains");
}

fn reading_error() -> clipmill_core::error::TaskError {
    use clipmill_core::error::{ErrorCode, TaskError};
    TaskError::new(ErrorCode::SubtitleInvalid, clipmill_core::message::Message::without_code("unreadable"))
}

#[test]
fn only_dealt_entries_are_fetched() {
    let params = mixed(2, |options| {
        options.music_pool = music(&SONGS);
        options.voice_pool = vec![voice("one", Some("first")), voice("two", Some("second"))];
    });
    let request = request(Params::BaseVideoMix(params));
    let needed = needed_inputs(&request, 1, &Fixture::new().facts);
    let of = |kind| needed.iter().filter(|input| input.kind == kind).count();
    assert_eq!((of(InputKind::Media), of(InputKind::Subtitle)), (2 + 2 + 2, 2), "{needed:?}");
    // An estimate needs no file of a pool.
    assert!(
        assumed_plan(&request, 1, Fixture::new().facts, 3600, &|| true)
            .items
            .iter()
            .all(|item| item.outcome.is_ok())
    );
}

#[test]
fn music_of_a_pool_is_lowered_under_speech() {
    let params = mixed(3, |options| {
        (options.music_pool, options.ducking) = (music(&SONGS), true);
    });
    let plan = fixture().plan(Params::BaseVideoMix(params));
    let reading = PlanReader(plan);
    assert!((0..3).all(|item| reading.tracks(item).iter().all(|track| track.ducking.is_some())));
}

fn bumper(url: &str) -> Bumper {
    Bumper { url: url.into() }
}

fn bumped(options: &mut MixOptions) {
    (options.intro_pool, options.outro_pool) = (vec![bumper("intro")], vec![bumper("outro")]);
}

fn with_bumpers() -> Fixture {
    fixture().clip("intro", 1.0).silent_clip("outro", 2.0)
}

#[test]
fn bumpers_are_before_and_after_everything_else() {
    let params = mixed(1, |options| {
        bumped(options);
        options.voice = track("one", None, 0.5, 0.0);
        options.subtitle = subtitle("first");
    });
    let reading = PlanReader(with_bumpers().plan(Params::BaseVideoMix(params)));
    assert_eq!(reading.frames(0), [30, 120, 120, 60]);
    assert_eq!(reading.item(0).recipe, serde_json::json!({ "group": 0, "introPool": 0, "outroPool": 0 }));
    // The caption lasts from 0 to 0.9 s of the first clip.
    let captioned: Vec<bool> = reading.video(0).iter().map(|picture| picture.captions.is_some()).collect();
    assert_eq!(captioned, [false, true, false, false]);
    let voice = reading.tracks(0).last().unwrap();
    assert_eq!((voice.begin.0, voice.heard.0, voice.fade_in.0), (48_000, 48_000 * 3, 24_000));
    assert!(
        matches!(voice.parts[0], clipmill_core::plan::TrackPart::Silence(samples) if samples.0 == 48_000)
    );
}

#[test]
fn bumpers_count_for_the_total_and_not_for_the_shortest() {
    let plan = |total, is_shortest| {
        let mut params = mixed(1, |options| {
            bumped(options);
            options.is_shortest = is_shortest;
        });
        params.groups[0].total_duration_s = total;
        PlanReader(with_bumpers().plan(Params::BaseVideoMix(params))).frames(0)
    };
    assert_eq!(plan(Some(8.0), false), [30, 120, 30, 60]);
    assert_eq!(plan(Some(2.0), false), [30, 1, 60], "no less than a frame is left of the clips");
    assert_eq!(plan(None, true), [30, 120, 120, 60]);
}

#[test]
fn scene_audio_begins_after_the_intro() {
    let audio =
        |start_s| SceneAudio { url: "one".into(), duration_s: Some(0.5), start_s, volume_percent: 100 };
    for (mode, expected) in [(AudioMode::Split, vec![1.25, 3.25]), (AudioMode::Merge, vec![1.25, 2.0])] {
        let scenes = vec![
            Scene { audio: vec![audio(0.25)], ..scene(2.0, &["a"]) },
            Scene { audio: vec![audio(0.25)], ..scene(2.0, &["b"]) },
        ];
        let mut params = pro(scenes, 1);
        params.audio_mode = mode;
        params.options.original_volume = 0;
        bumped(&mut params.options);
        let reading = PlanReader(with_bumpers().plan(Params::ProVideoMix(params)));
        assert_eq!(reading.frames(0), [30, 60, 60, 60]);
        let (mut at, mut begins) = (0, Vec::new());
        for part in &reading.tracks(0)[0].parts {
            match part {
                clipmill_core::plan::TrackPart::Silence(samples) => at += samples.0,
                other => {
                    begins.push(at as f64 / 48_000.0);
                    at += reading.audio(other).unwrap().samples.0;
                }
            }
        }
        assert_eq!(begins, expected, "{mode:?}");
    }
}

#[test]
fn bumpers_cost_what_they_last() {
    for total in [None, Some(7.5)] {
        let mut params = mixed(3, bumped);
        params.groups.iter_mut().for_each(|group| group.total_duration_s = total);
        let request = request(Params::BaseVideoMix(params));
        let fixture = with_bumpers();
        let prices = clipmill_core::pricing::PriceList::default();
        let quoted: Vec<u64> = clipmill_core::plan::estimate_prices(&request, 1, &fixture.facts, &prices)
            .iter()
            .map(|item| item.points)
            .collect();
        let plan = PlanReader(fixture.plan(request.params.clone()));
        let confirmed: Vec<u64> = (0..3).map(|item| prices.points(plan.rendition(item).extent())).collect();
        assert_eq!(quoted, confirmed);
        // The files are not probed yet, so each counts as 15 s. At least a frame is left for the clips.
        let unknown = clipmill_core::plan::estimate_prices(&request, 1, &Fixture::new().facts, &prices);
        assert_eq!(unknown[0].points, if total.is_some() { 31 } else { 60 });
    }
}

#[test]
fn a_bad_bumper_is_skipped_while_there_is_another() {
    let params =
        |names: &[&str]| mixed(2, |options| options.intro_pool = names.iter().copied().map(bumper).collect());
    let fixture = || with_bumpers().bad("broken");
    let reading = PlanReader(fixture().plan(Params::BaseVideoMix(params(&["broken", "song0", "intro"]))));
    assert_eq!(dealt(&reading, "introPool"), [2, 2]);
    let reading = PlanReader(fixture().plan(Params::BaseVideoMix(params(&["broken"]))));
    assert_eq!(reading.error(0).1, Some("broken"));
    let request = request(Params::BaseVideoMix(params(&["broken", "song0"])));
    assert_eq!(clipmill_core::plan::bad_inputs(&request, &fixture().facts).len(), 2);
}

#[test]
fn a_preview_shows_the_bumpers() {
    let params = Params::BaseVideoMix(mixed(1, |options| {
        bumped(options);
        options.subtitle = subtitle("first");
    }));
    let plan = PlanReader(with_bumpers().plan(params.clone()));
    for (at_s, picture) in [(0.5, 0), (1.5, 1), (9.5, 3)] {
        let moment = Moment { item_no: 1, clip: None, at_s: Some(at_s) };
        let frame = with_bumpers().still(params.clone(), &moment).unwrap();
        assert_eq!((frame.at_s, frame.length_s), (at_s, 11.0));
        assert_eq!(frame.exact.video.source, plan.video(0)[picture].source);
        assert_eq!(frame.exact.video.captions, plan.video(0)[picture].captions);
    }
    let request = request(params);
    let needed = |clip| {
        let moment = Moment { item_no: 1, clip, at_s: None };
        frame_inputs(&request, 1, &Fixture::new().facts, &moment).len()
    };
    assert_eq!((needed(None), needed(Some(1))), (5, 5), "captions run over everything");
}
