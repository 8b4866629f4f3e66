//! Scenes whose chosen clip is too short are filled with further clips of the scene.

use std::collections::{BTreeMap, BTreeSet};

use clipmill_core::error::ErrorCode;
use clipmill_core::media::Facts;
use clipmill_core::plan::{InputKind, Moment, estimate_prices, frame_inputs, needed_inputs};
use clipmill_core::pricing::PriceList;
use clipmill_core::request::model::*;
use clipmill_core::segment::SegmentSpec;
use clipmill_core::transitions::Transition;
use serde_json::{Value, json};

use crate::fixture::*;

fn fixture() -> Fixture {
    Fixture { width: 1, ..Fixture::new() }
        .clip("a", 3.0)
        .clip("b", 4.0)
        .clip("c", 5.0)
        .clip("d", 4.5)
        .clip("long", 60.0)
        .clip("flash", 0.04)
        .image("still")
        .audio("voice", 9.5)
        .audio("hour", 3000.0)
}

fn voiced(scenes: Vec<Scene>, change: impl FnOnce(&mut MixOptions)) -> ProMixParams {
    let mut params = pro(scenes, 1);
    params.options.length = MixLength::Voice;
    params.options.voice = track("voice", None, 0.0, 0.0);
    change(&mut params.options);
    params
}

/// A manual row of the first clips.
fn firsts(params: ProMixParams) -> ProMixParams {
    ProMixParams { combinations: vec![vec![0; params.scenes.len()]], ..params }
}

fn planned(params: ProMixParams) -> PlanReader {
    PlanReader(fixture().plan(Params::ProVideoMix(params)))
}

fn shown(reading: &PlanReader) -> Vec<(String, u64)> {
    reading.sources(0).into_iter().map(str::to_owned).zip(reading.frames(0)).collect()
}

#[track_caller]
fn expect(reading: &PlanReader, expected: &[(&str, u64)]) {
    let expected: Vec<_> = expected.iter().map(|(name, frames)| ((*name).to_owned(), *frames)).collect();
    assert_eq!(shown(reading), expected, "{:?}", reading.item(0).outcome);
}

fn one(resources: &[&str]) -> Vec<Scene> {
    vec![scene(1.0, resources)]
}

fn joined(options: &mut MixOptions) {
    let names = vec![TransitionName(&Transition::all()[0])];
    options.transition = Some(Transitions { names, duration_s: 1.0 });
}

#[test]
fn a_short_clip_is_followed_by_others() {
    let reading = planned(firsts(voiced(one(&["a", "b", "c"]), |_| ())));
    expect(&reading, &[("a", 90), ("b", 120), ("c", 90)]);
    assert_eq!(reading.0.warnings, []);
    let fill = json!([[
        { "resource": 0, "start": 0.0, "seconds": 3.0 },
        { "resource": 1, "start": 0.0, "seconds": 4.0 },
        { "resource": 2, "start": 0.0, "seconds": 3.0 },
    ]]);
    assert_eq!(reading.item(0).recipe["fill"], fill);
    let second = ProMixParams { combinations: vec![vec![1]], ..voiced(one(&["a", "b", "c"]), |_| ()) };
    expect(&planned(second), &[("b", 120), ("c", 150), ("a", 30)]);
    // A clip that is long enough stays alone, and one that is nearly long enough holds its last frame.
    let alone = planned(firsts(voiced(one(&["long", "b"]), |_| ())));
    expect(&alone, &[("long", 300)]);
    assert_eq!(alone.item(0).recipe.get("fill"), None);
    let held = |options: &mut MixOptions| options.voice = track("voice", Some(2.9), 0.0, 0.0);
    expect(&planned(firsts(voiced(one(&["a", "b"]), held))), &[("a", 102)]);
}

#[test]
fn showings_have_a_maximum_length() {
    let two_seconds = |options: &mut MixOptions| options.clip_seconds = Some(2.0);
    let reading = planned(firsts(voiced(one(&["a", "long"]), two_seconds)));
    expect(&reading, &[("a", 45), ("long", 60), ("a", 45), ("long", 60), ("long", 60), ("long", 30)]);
    // An image returns at every turn.
    let reading = planned(firsts(voiced(one(&["still", "long"]), two_seconds)));
    expect(&reading, &[("still", 60), ("long", 60), ("still", 60), ("long", 60), ("still", 60)]);
    expect(&planned(firsts(voiced(one(&["still", "long"]), |_| ()))), &[("still", 300)]);
    // Without a voice, too; there it shows nothing else otherwise.
    let mut params = firsts(pro(vec![scene(5.0, &["a", "long"])], 1));
    expect(&planned(params.clone()), &[("a", 90), ("a", 60)]);
    params.options.clip_seconds = Some(2.0);
    expect(&planned(params.clone()), &[("a", 45), ("long", 60), ("a", 45)]);
    params.options.is_shortest = true;
    expect(&planned(params.clone()), &[("a", 60)]);
    let request = request(Params::ProVideoMix(params));
    assert_eq!(estimate_prices(&request, 1, &fixture().facts, &PriceList::default())[0].points, 2);
}

#[test]
fn a_scene_with_audio_is_filled() {
    let mut params = firsts(pro(vec![scene(1.0, &["a", "b"]), scene(4.0, &["a", "b"])], 1));
    params.scenes[0].length = SceneLength::Voice;
    params.scenes[0].audio =
        vec![SceneAudio { url: "voice".into(), duration_s: Some(6.0), start_s: 0.0, volume_percent: 100 }];
    params.combinations = vec![vec![0, 1]];
    // The second scene shows the beginning of b, so the first one continues where that ends, or loops.
    expect(&planned(params), &[("a", 90), ("a", 90), ("b", 120)]);
}

#[test]
fn footage_that_other_scenes_show_comes_last() {
    let scenes = vec![scene(4.0, &["a", "b", "c"]), scene(6.0, &["a", "b", "long"])];
    let params = ProMixParams { combinations: vec![vec![0, 1]], ..voiced(scenes, |_| ()) };
    let reading = planned(params.clone());
    expect(&reading, &[("a", 90), ("c", 30), ("b", 120), ("long", 60)]);
    assert_eq!(reading.0.warnings, []);
    // Where nothing else is left, it is shown again, with a warning.
    let mut few = params;
    few.scenes = vec![scene(4.0, &["a", "b"]), scene(6.0, &["a", "b"])];
    let reading = planned(few);
    expect(&reading, &[("a", 90), ("a", 30), ("b", 120), ("b", 60)]);
    let warned: Vec<_> = reading.0.warnings.iter().map(|warning| warning.path.as_str()).collect();
    assert_eq!(warned, ["/params/scenes/0/resources", "/params/scenes/1/resources"]);
}

#[test]
fn a_clip_continues_in_another_scene() {
    let scenes = vec![scene(5.0, &["long", "a"]), scene(5.0, &["a", "long"])];
    let reading = planned(firsts(voiced(scenes, |_| ())));
    expect(&reading, &[("long", 150), ("a", 90), ("long", 60)]);
    let fill = &reading.item(0).recipe["fill"];
    assert_eq!(fill[0], json!([{ "resource": 0, "start": 0.0, "seconds": 5.0 }]));
    assert_eq!(fill[1][1], json!({ "resource": 1, "start": 5.0, "seconds": 2.0 }));
    assert_eq!(reading.0.warnings, []);
}

#[test]
fn a_single_clip_loops() {
    let reading = planned(voiced(one(&["a"]), |_| ()));
    expect(&reading, &[("a", 90), ("a", 90), ("a", 90), ("a", 30)]);
    let [warning] = reading.0.warnings.as_slice() else { panic!("{:?}", reading.0.warnings) };
    assert_eq!(warning.path, "/params/scenes/0/resources");
    let hour = |options: &mut MixOptions| options.voice = track("hour", None, 0.0, 0.0);
    let flash = planned(voiced(one(&["flash"]), hour));
    assert_eq!(flash.rendition(0).frames.0, 3000 * 30 + 15);
    let flashes = voiced(one(&["flash", "flash"]), |options| {
        hour(options);
        options.clip_seconds = Some(0.5);
    });
    assert_eq!(planned(flashes).error(0), (ErrorCode::ClipTooShort, None));
    let short = |options: &mut MixOptions| {
        hour(options);
        options.clip_seconds = Some(0.5);
    };
    assert_eq!(planned(voiced(one(&["long"]), short)).error(0), (ErrorCode::ClipTooShort, None));
}

#[test]
fn unusable_clips_are_left_out() {
    let params = firsts(voiced(one(&["a", "bad", "noise", "c", "long"]), |_| ()));
    let fixture = fixture().bad("bad").audio("noise", 9.0);
    let reading = PlanReader(fixture.plan(Params::ProVideoMix(params)));
    expect(&reading, &[("a", 90), ("c", 150), ("long", 60)]);
}

/// All files that decide about an output are fetched, and no others.
#[test]
fn clips_that_may_follow_are_inputs() {
    let scenes = vec![scene(5.0, &["a", "b", "c"]), scene(5.0, &["long", "still"])];
    let request = request(Params::ProVideoMix(firsts(voiced(scenes, |_| ()))));
    let urls = |facts: &Facts| {
        let inputs = needed_inputs(&request, 1, facts);
        assert!(inputs.iter().all(|input| input.kind == InputKind::Media));
        inputs.into_iter().map(|input| input.url).collect::<Vec<_>>()
    };
    let mut facts = Facts::default();
    let mut rounds = Vec::new();
    for clip in [None, Some(1)] {
        let moment = Moment { item_no: 1, clip, at_s: None };
        let inputs = frame_inputs(&request, 1, &facts, &moment);
        assert_eq!(inputs.iter().map(|input| input.url.as_str()).collect::<Vec<_>>(), ["a", "long", "voice"]);
    }
    loop {
        let needed = urls(&facts);
        if needed.is_empty() {
            break;
        }
        for url in &needed {
            facts.media.insert(url.clone(), fixture().facts.media[url].clone());
        }
        rounds.push(needed);
    }
    assert_eq!(rounds, [vec!["a", "long", "voice"], vec!["b", "c"]]);
    let moment = Moment { item_no: 1, clip: Some(0), at_s: Some(4.0) };
    assert_eq!(frame_inputs(&request, 1, &facts, &moment), []);
    let frame = fixture().still(request.params.clone(), &moment).unwrap();
    assert_eq!(&*frame.exact.video.source.0, "content of b");
}

/// A transition is between one clip on each side; it shows the last clip of a scene and the first of the next.
#[test]
fn transitions_show_the_clips_at_the_ends_of_scenes() {
    let scenes = vec![scene(5.0, &["a", "b"]), scene(5.0, &["d", "long"])];
    let reading = planned(firsts(voiced(scenes, joined)));
    // The scenes last 5.5 s each, and overlap by 1 s.
    assert_eq!(reading.rendition(0).frames.0, 300);
    expect(&reading, &[("a", 90), ("b", 45), ("b", 30), ("d", 105), ("long", 30)]);
    let SegmentSpec::Video(transition) = reading.spec(&reading.rendition(0).video[2]) else { unreachable!() };
    assert_eq!(&*transition.inputs[0].origin.file.0, "content of d");
    let tracks = reading.tracks(0);
    assert_eq!(reading.placed(&tracks[0]), ["a 0..144000", "b 144000..264000"]);
    assert_eq!(reading.placed(&tracks[1]), ["d 216000..432000", "long 432000..480000"]);
    let crossed = |track: usize, part: usize| {
        let audio = tracks[track].parts.iter().filter_map(|part| reading.audio(part)).nth(part).unwrap();
        audio.crossed.map(|crossed| (crossed.fade_in.0, crossed.fade_out.0))
    };
    assert_eq!([crossed(0, 0), crossed(0, 1)], [None, Some((0, 48_000))]);
    assert_eq!([crossed(1, 0), crossed(1, 1)], [Some((48_000, 0)), None]);
}

#[test]
fn the_clips_of_a_request_are_shown() {
    let showing = |resource, start_s, length_s| ClipShowing { resource, start_s, length_s };
    let mut params = firsts(voiced(one(&["a", "long"]), |_| ()));
    let mut check = |fill: Vec<ClipShowing>, expected: &[(&str, u64)]| {
        params.fill = vec![vec![fill]];
        expect(&planned(params.clone()), expected);
    };
    let both = [showing(0, 1.0, 2.0), showing(1, 7.5, 1.5)];
    check(both.to_vec(), &[("a", 60), ("long", 45), ("a", 60), ("long", 45), ("a", 60), ("long", 30)]);
    check(vec![showing(0, 0.0, 1.0), showing(1, 0.0, 30.0)], &[("a", 30), ("long", 270)]);
    check(vec![showing(0, 1.0, 1.0)], &[("a", 60), ("a", 60), ("a", 60), ("a", 60), ("a", 60)]);
    params.fill = vec![vec![vec![showing(1, 0.0, 30.0)]]];
    let reading = planned(params.clone());
    let recipe = &reading.item(0).recipe;
    assert_eq!(recipe["fill"][0].as_array().map(Vec::len), Some(1), "{recipe}");
    params.fill = vec![vec![vec![showing(0, 9.0, 1.0), showing(1, 0.0, 1.0)]]];
    assert_eq!(planned(params).error(0), (ErrorCode::ClipTooShort, Some("a")));
}

/// The recipe of an output of any request reproduces it.
#[test]
fn recipes_reproduce_outputs() {
    let names = ["a", "b", "c", "long", "still", "flash"];
    let mut filled = 0;
    for seed in 1..=60_u64 {
        let draw = |number: u64, below: u64| (seed * 7919 + number * 104_729) / 13 % below;
        let scenes = (0..1 + draw(0, 4)).map(|number| {
            let resources: Vec<&str> =
                (0..2 + draw(number + 1, 4)).map(|k| names[(draw(k + 5 * number, 6)) as usize]).collect();
            Scene { resources: clips(&resources), ..scene(1.0 + draw(number + 9, 40) as f64 / 7.0, &[]) }
        });
        let mut params = pro(scenes.collect(), 2);
        params.seed = Some(seed);
        params.options.length = if draw(3, 4) == 0 { MixLength::Clips } else { MixLength::Voice };
        params.options.voice = track("voice", Some(2.0 + draw(4, 90) as f64 / 9.0), 0.0, 0.0);
        params.options.clip_seconds = (draw(5, 2) == 0).then_some(2.0);
        params.options.image_motion = ImageMotion::Random;
        if draw(6, 2) == 0 {
            joined(&mut params.options);
        }
        for clip in params.scenes.iter_mut().flat_map(|scene| &mut scene.resources) {
            clip.from_s = (clip.url == "c").then_some(0.333);
        }
        let reading = planned(params.clone());
        for item in &reading.0.items {
            let Ok(rendition) = &item.outcome else { continue };
            if params.options.length == MixLength::Voice {
                let heard = params.options.voice.as_ref().unwrap().duration_s.unwrap();
                assert_eq!(rendition.frames.0, ((heard.min(9.5) + 0.5) * 30.0).round() as u64);
            }
            let Some(fill) = item.recipe.get("fill") else { continue };
            filled += 1;
            if reading.0.warnings.is_empty() && params.options.transition.is_none() {
                check_footage(&params.scenes, &read(fill));
            }
            let row = serde_json::from_value(item.recipe["combination"].clone()).unwrap();
            let again = ProMixParams {
                combinations: vec![row],
                fill: vec![read(fill)],
                generate_count: 1,
                seed: Some(item.seed),
                ..params.clone()
            };
            let again = planned(again);
            assert_eq!((again.rendition(0), again.item(0).recipe.get("fill")), (rendition, Some(fill)));
        }
    }
    assert!(filled > 30, "{filled}");
}

/// Checks that clips that follow a chosen one show other footage than the rest of the output.
#[track_caller]
fn check_footage(scenes: &[Scene], fill: &[Vec<ClipShowing>]) {
    let lengths = BTreeMap::from([("a", 3.0), ("b", 4.0), ("c", 5.0), ("long", 60.0), ("flash", 0.04)]);
    let mut shown: Vec<(&str, f64, f64, bool)> = Vec::new();
    for (scene, showings) in scenes.iter().zip(fill) {
        for (place, showing) in showings.iter().enumerate() {
            let url = scene.resources[showing.resource as usize].url.as_str();
            let Some(length) = lengths.get(url) else { continue };
            let end = (showing.start_s + showing.length_s).min(*length);
            for (other, start, until, is_chosen) in &shown {
                let both = end.min(*until) - showing.start_s.max(*start);
                let may_repeat = place == 0 && *is_chosen;
                assert!(*other != url || both < 0.02 || may_repeat, "{url} twice: {fill:?}");
            }
            shown.push((url, showing.start_s, end, place == 0));
        }
    }
}

fn read(fill: &Value) -> Vec<Vec<ClipShowing>> {
    let number = |showing: &Value, name: &str| showing[name].as_f64().unwrap();
    let showing = |showing: &Value| ClipShowing {
        resource: number(showing, "resource") as u32,
        start_s: number(showing, "start"),
        length_s: number(showing, "seconds"),
    };
    let list = |value: &Value| value.as_array().unwrap().clone();
    list(fill).iter().map(|scene| list(scene).iter().map(showing).collect()).collect()
}

#[test]
fn the_footage_of_all_clips_counts_for_diversity() {
    let mut params = voiced(one(&["a", "b", "c"]), |_| ());
    params.generate_count = 2;
    params.combinations = vec![vec![0], vec![1]];
    let reading = planned(params);
    let diversity = reading.0.diversity.as_ref().unwrap();
    // a, b and 3 s of c; b, c and 1 s of a.
    assert_eq!(diversity.most_similar.shared_seconds, 8.0);
    let combinations: BTreeSet<_> =
        reading.0.items.iter().map(|item| &item.recipe["combination"]).map(Value::to_string).collect();
    assert_eq!(combinations.len(), 2);
}
