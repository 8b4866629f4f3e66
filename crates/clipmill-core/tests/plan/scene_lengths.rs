//! Scenes whose length follows a voice.

use clipmill_core::error::ErrorCode;
use clipmill_core::media::Facts;
use clipmill_core::plan::{InputKind, Moment, estimate_prices, frame_inputs, needed_inputs};
use clipmill_core::pricing::PriceList;
use clipmill_core::request::model::*;
use clipmill_core::transitions::Transition;

use crate::fixture::*;

fn fixture() -> Fixture {
    Fixture::new()
        .clip("a", 30.0)
        .clip("b", 40.0)
        .clip("c", 50.0)
        .clip("d", 60.0)
        .image("still")
        .clip("intro", 1.0)
        .audio("voice", 10.0)
        .audio("short", 1.2)
        .audio("first", 2.5)
        .audio("second", 4.0)
}

fn voiced(scenes: Vec<Scene>, count: u32, change: impl FnOnce(&mut MixOptions)) -> ProMixParams {
    let mut params = pro(scenes, count);
    params.options.length = MixLength::Voice;
    params.options.voice = track("voice", None, 0.0, 0.0);
    change(&mut params.options);
    params
}

fn planned(params: ProMixParams) -> PlanReader {
    PlanReader(fixture().plan(Params::ProVideoMix(params)))
}

fn with_audio(scene: Scene, urls: &[&str], start_s: f64) -> Scene {
    let audio =
        |url: &&str| SceneAudio { url: (*url).into(), duration_s: None, start_s, volume_percent: 100 };
    Scene { audio: urls.iter().map(audio).collect(), length: SceneLength::Voice, ..scene }
}

fn seconds(reading: &PlanReader, item: usize) -> f64 {
    reading.rendition(item).frames.seconds(reading.rendition(item).fps)
}

fn two() -> Vec<Scene> {
    vec![scene(2.0, &["a", "b"]), scene(6.0, &["c", "d"])]
}

#[test]
fn scenes_are_scaled_to_the_voice() {
    let check = |change: fn(&mut MixOptions), expected_s: f64, frames: &[u64]| {
        let reading = planned(voiced(two(), 2, change));
        for item in 0..2 {
            assert!((seconds(&reading, item) - expected_s).abs() < 1e-9, "{}", seconds(&reading, item));
            assert_eq!(reading.frames(item), frames);
        }
    };
    check(|_| (), 10.5, &[75, 240]);
    check(|options| options.tail_s = Some(0.0), 10.0, &[75, 225]);
    check(|options| options.voice = track("voice", Some(3.33), 0.0, 0.0), 3.8 + 1.0 / 30.0, &[15, 100]);
    check(|options| options.fps = fps(25), 10.52, &[65, 198]);
    check(|options| options.intro_pool = vec![Bumper { url: "intro".into() }], 11.5, &[30, 75, 240]);
    check(|options| options.length = MixLength::Clips, 8.0, &[60, 180]);
    let images = planned(voiced(vec![scene(1.0, &["still"]), scene(1.0, &["a"])], 1, |_| ()));
    assert_eq!(images.frames(0), [150, 165]);
}

/// The audio of a scene has ended when the transition to the next one begins.
#[test]
fn scenes_of_their_audio_are_longer_by_their_transition() {
    let scenes = || {
        vec![
            with_audio(scene(1.0, &["a"]), &["first"], 0.0),
            with_audio(scene(1.0, &["b"]), &["second"], 0.0),
        ]
    };
    let reading = |seconds: Option<f64>| {
        let mut params = pro(scenes(), 1);
        params.options.transition = seconds.map(|duration_s| {
            let names = vec![TransitionName(&Transition::all()[0])];
            Transitions { names, duration_s }
        });
        planned(params)
    };
    for transition in [None, Some(0.5), Some(1.0)] {
        assert_eq!(seconds(&reading(transition), 0), 6.5, "{transition:?}");
    }
}

#[test]
fn transitions_do_not_change_the_length() {
    let reading = planned(voiced(two(), 2, |options| {
        let names = vec![TransitionName(&Transition::all()[0])];
        options.transition = Some(Transitions { names, duration_s: 1.0 });
    }));
    assert!((seconds(&reading, 0) - 10.5).abs() < 1e-9, "{}", seconds(&reading, 0));
    assert_eq!(reading.frames(0), [45, 30, 240]);
}

#[test]
fn more_scenes_than_fit_are_an_error() {
    let scenes = |count| vec![scene(2.0, &["a", "b"]); count];
    let short = |count| {
        let mut params = voiced(scenes(count), 1, |options| options.voice = track("short", None, 0.0, 0.0));
        params.options.tail_s = Some(0.3);
        planned(params)
    };
    assert_eq!(short(3).frames(0), [15, 15, 15]);
    assert_eq!(short(4).error(0), (ErrorCode::ClipTooShort, None));
    let error = short(4).item(0).outcome.clone().unwrap_err();
    assert_eq!(
        error.message.english(),
        "the 4 scenes need at least 2.0 s, but the voice with its tail lasts 1.5 s; use a longer voice, fewer scenes or shorter scene audio"
    );
}

#[test]
fn scenes_last_as_long_as_their_audio() {
    let scenes = vec![
        with_audio(scene(9.0, &["a", "b"]), &["first", "second"], 0.25),
        scene(1.5, &["c", "d"]),
        with_audio(scene(9.0, &["a", "b"]), &["second"], 0.0),
    ];
    let reading = planned(pro(scenes.clone(), 2));
    let mut first: Vec<u64> = (0..2).map(|item| reading.frames(item)[0]).collect();
    first.sort_unstable();
    // 2.75 s and 4.25 s; no sample of the audio is lost.
    assert_eq!(first, [83, 128]);
    for item in 0..2 {
        assert_eq!(reading.frames(item)[1..], [45, 120]);
        assert_eq!(reading.item(item).warnings, []);
    }
    // With a voice of the output, only the other scenes are scaled.
    let params = ProMixParams { scenes, ..voiced(vec![], 2, |_| ()) };
    let reading = planned(params);
    for item in 0..2 {
        assert_eq!(reading.rendition(item).frames.0, 315);
        assert_eq!(reading.frames(item)[2], 120);
    }
}

#[test]
fn the_price_is_that_of_the_output() {
    let estimate = |fixture: &Fixture, params: &ProMixParams| {
        let request = request(Params::ProVideoMix(params.clone()));
        let prices = estimate_prices(&request, 1, &fixture.facts, &PriceList::default());
        prices.iter().map(|price| price.points).collect::<Vec<_>>()
    };
    let fixed = vec![with_audio(scene(9.0, &["a", "b"]), &["first", "second"], 0.25), scene(1.5, &["c"])];
    let transition = Transitions { names: vec![TransitionName(&Transition::all()[0])], duration_s: 1.0 };
    let joined = |options: &mut MixOptions| options.transition = Some(transition.clone());
    let mut overlapping = pro(fixed.clone(), 2);
    joined(&mut overlapping.options);
    let all = [
        voiced(two(), 2, |_| ()),
        voiced(two(), 2, |options| options.tail_s = Some(3.0)),
        voiced(two(), 2, joined),
        pro(fixed.clone(), 2),
        overlapping,
        ProMixParams { scenes: fixed.clone(), ..voiced(vec![], 2, |_| ()) },
    ];
    for params in all {
        let expected = estimate(&fixture(), &params);
        let reading = planned(params);
        let confirmed: Vec<u64> =
            (0..2).map(|item| PriceList::default().points(reading.rendition(item).extent())).collect();
        assert_eq!(expected, confirmed);
    }
    // Audio of unknown length counts as 15 s.
    assert_eq!(estimate(&Fixture::new(), &voiced(two(), 1, |_| ())), [16]);
    assert_eq!(estimate(&Fixture::new(), &pro(fixed, 1)), [17]);
}

#[test]
fn previews_need_the_audio_that_determines_lengths() {
    let inputs = |params: ProMixParams| {
        let request = request(Params::ProVideoMix(params));
        let moment = Moment { item_no: 1, clip: Some(1), at_s: None };
        let inputs = frame_inputs(&request, 1, &Facts::default(), &moment);
        let all = needed_inputs(&request, 1, &Facts::default());
        assert!(inputs.iter().all(|input| all.contains(input)));
        inputs.into_iter().map(|input| (input.url, input.kind)).collect::<Vec<_>>()
    };
    let media =
        |urls: &[&str]| urls.iter().map(|url| ((*url).to_owned(), InputKind::Media)).collect::<Vec<_>>();
    let one = || vec![scene(2.0, &["a"]), scene(6.0, &["c"])];
    assert_eq!(inputs(voiced(one(), 1, |_| ())), media(&["a", "c", "voice"]));
    let audio = vec![with_audio(scene(2.0, &["a"]), &["first"], 0.0), scene(6.0, &["c"])];
    assert_eq!(inputs(pro(audio.clone(), 1)), media(&["a", "c", "first"]));
    for params in [voiced(one(), 1, |_| ()), pro(audio, 1)] {
        for (clip, at_s) in [(None, Some(3.0)), (Some(1), None)] {
            let moment = Moment { item_no: 1, clip, at_s };
            assert!(fixture().still(Params::ProVideoMix(params.clone()), &moment).is_ok());
        }
    }
}

/// Outputs with other voices show clips for the same whole steps, so that they share segments.
#[test]
fn voices_share_the_segments_of_scenes() {
    let mut fixture = fixture();
    let voices: Vec<Voice> = (0..30)
        .map(|index| {
            let name = format!("voice {index}");
            fixture =
                std::mem::replace(&mut fixture, Fixture::new()).audio(&name, 8.0 + f64::from(index) * 0.21);
            Voice { audio: track(&name, None, 0.0, 0.0).unwrap(), subtitle: None }
        })
        .collect();
    let pool = ["a", "b", "c", "d"];
    let scenes = [2.0, 3.0, 2.0, 4.0, 2.0].map(|seconds| scene(seconds, &pool));
    let params = voiced(scenes.to_vec(), 30, |options| (options.voice, options.voice_pool) = (None, voices));
    let reading = PlanReader(Fixture { width: 1, ..fixture }.plan(Params::ProVideoMix(params)));
    let mut lengths: Vec<u64> = (0..30).map(|item| reading.rendition(item).frames.0).collect();
    lengths.sort_unstable();
    lengths.dedup();
    assert_eq!(lengths.len(), 30, "each voice has a length of its own");
    let keys: Vec<_> = (0..30).flat_map(|item| reading.rendition(item).video.clone()).collect();
    let frames = |key| match reading.spec(key) {
        clipmill_core::segment::SegmentSpec::Video(spec) => spec.frames.0,
        clipmill_core::segment::SegmentSpec::Audio(_) => unreachable!(),
    };
    let shown: u64 = keys.iter().map(frames).sum();
    let mut distinct = keys.clone();
    distinct.sort();
    distinct.dedup();
    let rendered: u64 = distinct.iter().map(frames).sum();
    // 59 segments with 41 % of the frames. Without steps it would be 124 segments with 86 %.
    assert_eq!(keys.len(), 150);
    assert!(distinct.len() <= 65, "{} segments", distinct.len());
    assert!(rendered * 100 < shown * 45, "{rendered} of {shown} frames");
}
