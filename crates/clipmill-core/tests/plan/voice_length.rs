//! Outputs whose length is that of their voice, filled with clips.

use clipmill_core::error::ErrorCode;
use clipmill_core::media::Facts;
use clipmill_core::plan::{InputKind, Moment, estimate_prices, frame_inputs};
use clipmill_core::pricing::PriceList;
use clipmill_core::request::model::*;
use clipmill_core::transitions::Transition;

use crate::fixture::*;

fn fixture() -> Fixture {
    Fixture::new()
        .clip("a", 9.0)
        .clip("b", 4.0)
        .image("still")
        .clip("flash", 0.04)
        .clip("intro", 1.0)
        .clip("outro", 2.0)
        .audio("voice", 10.0)
        .audio("long", 40.0)
}

fn params(clips: &[&str], change: impl FnOnce(&mut MixOptions)) -> Params {
    let mut options = options();
    (options.length, options.voice) = (MixLength::Voice, track("voice", None, 0.0, 0.0));
    change(&mut options);
    base(vec![group(clips)], options)
}

fn planned(clips: &[&str], change: impl FnOnce(&mut MixOptions)) -> PlanReader {
    PlanReader(fixture().plan(params(clips, change)))
}

/// An output that is not divided into parts; without a maximum length of clips, its voice lasts 2.5 s.
fn of_one_core(group: &Group, clip_seconds: Option<f64>) -> PlanReader {
    let seconds = clip_seconds.map_or(Some(2.5), |_| None);
    let voice = track("voice", seconds, 0.0, 0.0);
    let options = MixOptions { length: MixLength::Voice, voice, clip_seconds, ..options() };
    let fixture = Fixture { width: 1, ..fixture() };
    PlanReader(fixture.plan(base(vec![group.clone()], options)))
}

fn seconds(reading: &PlanReader) -> f64 {
    reading.rendition(0).frames.seconds(reading.rendition(0).fps)
}

#[test]
fn an_output_lasts_as_long_as_its_voice_and_the_tail() {
    let check = |change: fn(&mut MixOptions), expected: f64| {
        let reading = planned(&["a", "b"], change);
        assert!((seconds(&reading) - expected).abs() < 1e-9, "{} is not {expected}", seconds(&reading));
        assert_eq!(reading.frames(0).iter().sum::<u64>(), reading.rendition(0).frames.0);
    };
    check(|_| (), 10.5);
    check(|options| options.tail_s = Some(0.0), 10.0);
    check(|options| options.tail_s = Some(2.0), 12.0);
    check(|options| options.fps = fps(25), 10.52);
    check(|options| options.voice = track("voice", Some(6.2), 0.0, 0.0), 6.7);
    check(|options| options.clip_seconds = Some(2.0), 10.5);
    let bumpers = |options: &mut MixOptions| {
        options.intro_pool = vec![Bumper { url: "intro".into() }];
        options.outro_pool = vec![Bumper { url: "outro".into() }];
    };
    check(bumpers, 13.5);
    check(|options| options.length = MixLength::Clips, 13.0);
}

#[test]
fn clips_are_shown_in_turn_and_continue_where_they_stopped() {
    let shown = |clips: &[&str], clip_seconds| {
        let reading = planned(clips, |options| options.clip_seconds = clip_seconds);
        let sources = reading.sources(0).into_iter().map(str::to_owned);
        sources.zip(reading.frames(0)).collect::<Vec<_>>()
    };
    let expect = |shown: Vec<(String, u64)>, expected: &[(&str, u64)]| {
        assert_eq!(
            shown,
            expected.iter().map(|(name, frames)| ((*name).to_owned(), *frames)).collect::<Vec<_>>()
        );
    };
    expect(shown(&["a", "b"], None), &[("a", 270), ("b", 45)]);
    expect(shown(&["b", "a"], None), &[("b", 120), ("a", 195)]);
    expect(shown(&["a", "b"], Some(3.0)), &[("a", 90), ("b", 60), ("a", 90), ("b", 60), ("a", 15)]);
    // An image is shown for its own time.
    expect(shown(&["still", "b", "a"], None), &[("still", 90), ("b", 120), ("a", 105)]);

    // Each showing has other footage.
    let reading = of_one_core(&group(&["a", "b"]), Some(3.0));
    let mut keys = reading.rendition(0).video.clone();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 5);
    assert_eq!(reading.item(0).warnings, []);
    assert_eq!(reading.0.warnings, []);
    assert_eq!(reading.rendition(0).video[2], of_one_core(&from_three(), None).rendition(0).video[0]);
}

/// The second showing of a clip is that of a clip that begins there.
fn from_three() -> Group {
    let mut group = group(&["a"]);
    group.videos[0].from_s = Some(3.0);
    group
}

#[test]
fn clips_have_a_longest_showing_without_a_voice() {
    let reading = planned(&["a", "b"], |options| {
        (options.length, options.clip_seconds) = (MixLength::Clips, Some(3.0));
    });
    assert_eq!(reading.frames(0), [90, 90]);
}

#[test]
fn footage_is_shown_again_with_a_warning() {
    let reading = planned(&["b"], |_| ());
    assert_eq!(reading.frames(0), [120, 120, 75]);
    let [warning] = reading.0.warnings.as_slice() else { panic!("{:?}", reading.0.warnings) };
    assert_eq!(warning.path, "/params/videoList/0/videos");
    assert_eq!(planned(&["a", "b"], |_| ()).0.warnings, []);
    let flash = planned(&["flash"], |options| options.voice = track("long", None, 0.0, 0.0));
    assert_eq!(flash.frames(0).len(), 1215);
    let too_many = PlanReader(fixture().audio("hour", 3000.0).plan(params(&["flash"], |options| {
        options.voice = track("hour", None, 0.0, 0.0);
    })));
    assert_eq!(too_many.error(0), (ErrorCode::ClipTooShort, None));
}

#[test]
fn transitions_do_not_change_the_length() {
    let reading = planned(&["a", "b"], |options| {
        let names = vec![TransitionName(&Transition::all()[0])];
        options.clip_seconds = Some(2.0);
        options.transition = Some(Transitions { names, duration_s: 0.5 });
        options.voice = track("voice", Some(9.0), 0.0, 0.0);
    });
    assert!((seconds(&reading) - 9.5).abs() < 1e-9);
    let transitions = reading.item(0).recipe["transitions"].as_array().unwrap().len();
    // Seven showings of 1.8 and 2 s, each but the first half a second early.
    assert_eq!(transitions, 6);
    assert_eq!(reading.0.warnings, []);
}

#[test]
fn the_total_duration_still_cuts() {
    let mut params = params(&["a", "b"], |_| ());
    let Params::BaseVideoMix(base) = &mut params else { unreachable!() };
    base.groups[0].total_duration_s = Some(5.0);
    assert_eq!(PlanReader(fixture().plan(params)).frames(0), [150]);
}

/// Outputs with other voices show the same beginnings of the same clips.
#[test]
fn voices_share_the_footage_of_their_clips() {
    let mut fixture = fixture();
    let voices: Vec<Voice> = (0..30)
        .map(|index| {
            let name = format!("voice {index}");
            fixture =
                std::mem::replace(&mut fixture, Fixture::new()).audio(&name, 6.0 + f64::from(index) * 0.21);
            Voice { audio: track(&name, None, 0.0, 0.0).unwrap(), subtitle: None }
        })
        .collect();
    let options =
        MixOptions { length: MixLength::Voice, voice_pool: voices, clip_seconds: Some(3.0), ..options() };
    let plan = PlanReader(fixture.plan(base((0..30).map(|_| group(&["a", "b"])).collect(), options)));
    let mut keys: Vec<_> = (0..30).flat_map(|item| plan.rendition(item).video.clone()).collect();
    let all = keys.len();
    keys.sort();
    keys.dedup();
    assert!(all > 110 && keys.len() < 45, "{} of {all}", keys.len());
}

#[test]
fn the_price_is_that_of_the_voice() {
    let estimate = |fixture: &Fixture, change: fn(&mut MixOptions)| {
        let request = request(params(&["a", "b"], change));
        estimate_prices(&request, 1, &fixture.facts, &PriceList::default())[0].points
    };
    let changes: [fn(&mut MixOptions); 4] = [
        |_| (),
        |options| options.tail_s = Some(2.0),
        |options| options.voice = track("long", None, 0.0, 0.0),
        |options| options.intro_pool = vec![Bumper { url: "intro".into() }],
    ];
    for change in changes {
        let confirmed = PriceList::default().points(planned(&["a", "b"], change).rendition(0).extent());
        assert_eq!(estimate(&fixture(), change), confirmed);
    }
    let unknown = Fixture::new();
    assert_eq!(estimate(&unknown, |_| ()), 16);
    assert_eq!(estimate(&unknown, |options| options.voice = track("voice", Some(3.0), 0.0, 0.0)), 4);
}

/// The preview of a clip depends on all clips and on the voice.
#[test]
fn previews_show_the_same() {
    let request = request(params(&["a", "b"], |_| ()));
    let moment = Moment { item_no: 1, clip: Some(1), at_s: None };
    let inputs = frame_inputs(&request, 1, &Facts::default(), &moment);
    let inputs: Vec<_> = inputs.into_iter().map(|input| (input.url, input.kind)).collect();
    assert_eq!(inputs, ["a", "b", "voice"].map(|url| (url.to_owned(), InputKind::Media)));
    assert!(fixture().still(params(&["a", "b"], |_| ()), &moment).is_ok());
    let at = Moment { item_no: 1, clip: None, at_s: Some(10.4) };
    assert!(fixture().still(params(&["a", "b"], |_| ()), &at).is_ok());
}
