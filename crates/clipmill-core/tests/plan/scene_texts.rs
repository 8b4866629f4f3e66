//! Captions from the texts of scenes.

use clipmill_core::media::Facts;
use clipmill_core::plan::{InputKind, Moment, clip_inputs, frame_inputs, needed_inputs};
use clipmill_core::request::model::*;
use clipmill_core::segment::SegmentKey;
use clipmill_core::transitions::Transition;

use crate::fixture::*;

/// Ten characters each, which is half a second of reading.
const TWO: &str = "aaaa bbbb. Cccc dddd.";
const FIRST: &str = "aaaa bbbb.";
const SECOND: &str = "Cccc dddd.";

fn fixture() -> Fixture {
    Fixture { width: 1, ..Fixture::new() }
        .clip("a", 9.0)
        .clip("b", 9.0)
        .clip("intro", 1.0)
        .audio("voice", 2.0)
        .audio("other", 3.0)
}

fn scenes(texts: [Option<&str>; 2], audio: Option<(&str, f64)>) -> Vec<Scene> {
    let audio: Vec<SceneAudio> = audio
        .map(|(url, start_s)| SceneAudio { url: url.into(), duration_s: None, start_s, volume_percent: 100 })
        .into_iter()
        .collect();
    let scene = |(text, name): (Option<&str>, &str)| Scene {
        text: text.map(str::to_owned),
        audio: audio.clone(),
        ..scene(4.0, &[name])
    };
    texts.into_iter().zip(["a", "b"]).map(scene).collect()
}

fn params(scenes: Vec<Scene>, change: impl FnOnce(&mut ProMixParams)) -> ProMixParams {
    let mut params = pro(scenes, 1);
    let (source, style) = (CaptionSource::Scenes, SubtitleStyle::DEFAULT);
    params.options.subtitle = Some(Subtitle { source, timing: None, style });
    change(&mut params);
    params
}

/// The video of an output with these captions in a file.
fn of_file(mut params: ProMixParams, cues: &[(u64, u64, &str)]) -> Vec<SegmentKey> {
    params.options.subtitle = subtitle("s.srt");
    let plan = fixture().cues("s.srt", cues).plan(Params::ProVideoMix(params));
    PlanReader(plan).rendition(0).video.clone()
}

#[track_caller]
fn check(fixture: &Fixture, params: ProMixParams, cues: &[(u64, u64, &str)], warnings: &[&str]) {
    let reading = PlanReader(fixture.plan(Params::ProVideoMix(params.clone())));
    assert_eq!(reading.rendition(0).video, of_file(params, cues));
    let paths: Vec<_> = reading.item(0).warnings.iter().map(|warning| warning.path.as_str()).collect();
    assert_eq!(paths, warnings);
}

#[test]
fn texts_are_spread_over_their_scenes() {
    let all = [(0, 2000, FIRST), (2000, 4000, SECOND), (4000, 8000, "Hi")];
    check(&fixture(), params(scenes([Some(TWO), Some("Hi")], None), |_| ()), &all, &[]);
    let second = params(scenes([None, Some("Hi")], None), |_| ());
    check(&fixture(), second.clone(), &[(4000, 8000, "Hi")], &[]);
    // Captions of a file are moved behind an intro, as scenes are.
    let intro = |params: &mut ProMixParams| params.options.intro_pool = vec![Bumper { url: "intro".into() }];
    check(&fixture(), params(scenes([None, Some("Hi")], None), intro), &[(4000, 8000, "Hi")], &[]);
    // Scenes that follow a voice have other lengths: 1 s and 1.5 s.
    let voiced = |params: &mut ProMixParams| {
        params.options.length = MixLength::Voice;
        params.options.voice = track("voice", None, 0.0, 0.0);
    };
    check(&fixture(), params(second.scenes, voiced), &[(1000, 2500, "Hi")], &[]);
    let joined = |params: &mut ProMixParams| {
        let names = vec![TransitionName(&Transition::all()[0])];
        params.options.transition = Some(Transitions { names, duration_s: 1.0 });
    };
    let both = params(scenes([Some("Ho"), Some("Hi")], None), joined);
    check(&fixture(), both, &[(0, 3000, "Ho"), (3000, 7000, "Hi")], &[]);
}

#[test]
fn texts_follow_the_audio_of_their_scenes() {
    let pauses = [(0, 200), (800, 1300), (1900, 2000)];
    let fixture = fixture().pauses("voice", &pauses, 2000);
    let own = || scenes([Some(TWO), Some(TWO)], Some(("voice", 1.0)));
    let spoken = |at: u64| [(at + 200, at + 1300, FIRST), (at + 1300, at + 2400, SECOND)];
    check(&fixture, params(own(), |_| ()), &[spoken(1000), spoken(5000)].concat(), &[]);
    // In one track, the second voice begins a second after the first one has ended.
    let merged = |params: &mut ProMixParams| params.audio_mode = AudioMode::Merge;
    check(&fixture, params(own(), merged), &[spoken(1000), spoken(4000)].concat(), &[]);
    // The last caption of a scene stays for a while, but not beside those of the next.
    let close = params(scenes([Some(TWO), Some(TWO)], Some(("voice", 0.0))), merged);
    let first = [(200, 1300, FIRST), (1300, 2200, SECOND)];
    check(&fixture, close, &[first, spoken(2000)].concat(), &[]);
    // Audio is cut at the end of its scene, and so are its captions.
    let late = scenes([Some(TWO), None], Some(("voice", 2.5)));
    check(&fixture, params(late, |_| ()), &[(2700, 3800, FIRST), (3800, 4000, SECOND)], &[]);
    let even = |params: &mut ProMixParams| {
        params.options.subtitle.as_mut().unwrap().timing = Some(CaptionTiming::Even);
    };
    let evenly = [(1000, 2000, FIRST), (2000, 3000, SECOND)];
    check(&fixture, params(scenes([Some(TWO), None], Some(("voice", 1.0))), even), &evenly, &[]);
}

#[test]
fn other_audio_is_warned_about() {
    let fixture = fixture().pauses("voice", &[], 0);
    let own = params(scenes([Some(TWO), None], Some(("voice", 1.0))), |_| ());
    check(&fixture, own, &[(1000, 2000, FIRST), (2000, 3000, SECOND)], &["/params/scenes/0/text"]);
    let long = "a".repeat(39) + " " + &"b".repeat(80);
    let reading =
        PlanReader(fixture.plan(Params::ProVideoMix(params(scenes([None, Some(&long)], None), |_| ()))));
    let paths: Vec<_> = reading.item(0).warnings.iter().map(|warning| warning.path.as_str()).collect();
    assert_eq!(paths, ["/params/scenes/1/text"]);
}

#[test]
fn texts_are_shown_with_every_voice_of_a_pool() {
    let pooled = |params: &mut ProMixParams| {
        let voice = |url| Voice { audio: track(url, None, 0.0, 0.0).unwrap(), subtitle: None };
        params.options.voice_pool = vec![voice("voice"), voice("other")];
        params.generate_count = 1;
    };
    check(&fixture(), params(scenes([Some("Hi"), None], None), pooled), &[(0, 4000, "Hi")], &[]);
}

#[test]
fn the_audio_of_texts_is_searched_for_pauses() {
    let own = scenes([Some(TWO), None], Some(("voice", 1.0)));
    let request = request(Params::ProVideoMix(params(own, |_| ())));
    let moment = Moment { item_no: 1, clip: Some(0), at_s: None };
    let kinds = |facts: &Facts| {
        let of = |inputs: Vec<clipmill_core::plan::NeededInput>| {
            let mut inputs: Vec<_> = inputs.into_iter().map(|input| (input.url, input.kind)).collect();
            inputs.sort();
            inputs
        };
        let all = of(needed_inputs(&request, 1, facts));
        assert_eq!(of(frame_inputs(&request, 1, facts, &moment)), all);
        assert_eq!(of(clip_inputs(&request, 1, facts, &moment)), all);
        all
    };
    let media = ["a", "b", "voice"].map(|url| (url.to_owned(), InputKind::Media));
    assert_eq!(kinds(&Facts::default()), media);
    assert_eq!(kinds(&fixture().facts), [("voice".to_owned(), InputKind::Pauses)]);
    let searched = fixture().pauses("voice", &[(800, 1300)], 2000);
    assert_eq!(kinds(&searched.facts), []);
    assert!(searched.still(request.params.clone(), &moment).is_ok());
}
