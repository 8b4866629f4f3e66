//! Clips that overlap: transitions, bodies, lengths, names, audio.

use std::collections::{BTreeMap, BTreeSet};

use clipmill_core::media::Facts;
use clipmill_core::plan::estimate_prices;
use clipmill_core::pricing::PriceList;
use clipmill_core::request::model::*;
use clipmill_core::segment::CrossFade;
use clipmill_core::time::{Frames, Samples};
use clipmill_core::transitions::Transition;

use crate::fixture::*;

fn by(names: &[&str], duration_s: f64) -> Option<Transitions> {
    let names = names.iter().map(|name| TransitionName(Transition::find(name).unwrap())).collect();
    Some(Transitions { names, duration_s })
}

fn led(duration_s: f64) -> MixOptions {
    MixOptions { transition: by(&["fade"], duration_s), ..options() }
}

#[test]
fn clips_overlap_and_their_bodies_are_shared() {
    let fixture = Fixture::new().clip("a", 4.0).clip("b", 4.0).clip("c", 4.0);
    let groups = vec![group(&["a", "b", "c"]), group(&["c", "b", "a"])];
    let reading = PlanReader(fixture.plan(base(groups, led(0.5))));
    // The first and the last have one neighbour each.
    assert_eq!(reading.frames(0), [105, 15, 90, 15, 105]);
    assert_eq!(reading.rendition(0).frames, Frames(330));
    assert_eq!(reading.sources(0), ["a", "a", "b", "b", "c"]);
    let transition = reading.video(0)[1];
    assert_eq!(transition.inputs[0].origin.file.0.as_ref(), "content of b");
    let graph = transition.graph.to_string();
    assert!(graph.contains(r"clip(N/15\,0\,1)") && graph.contains("trim=end_frame=15"), "{graph}");
    assert_eq!(transition.part.unwrap().begin, Frames(105));
    let (first, second) = (&reading.rendition(0).video, &reading.rendition(1).video);
    assert_eq!(first[2], second[2], "the middle does not depend on its neighbours");
    assert!([0, 1, 3, 4].iter().all(|&i| !second.contains(&first[i])), "beginnings differ from ends");
    assert!(reading.item(0).warnings.is_empty());
}

#[test]
fn short_clips_have_short_transitions_and_a_warning() {
    let fixture = Fixture::new().clip("a", 4.0).clip("b", 1.0).clip("c", 4.0).clip("d", 0.04);
    let reading = PlanReader(fixture.plan(base(vec![group(&["a", "b", "c"])], led(2.0))));
    assert_eq!(reading.frames(0), [105, 15, 15, 105], "all of it is in one or the other");
    let warning = reading.item(0).warnings[0].message.to_string();
    assert!(warning.contains("2 of 2 transitions") && warning.contains("0.50 s"), "{warning}");
    // A clip of a single frame leaves no room for a transition.
    let reading = PlanReader(fixture.plan(base(vec![group(&["a", "d", "c"])], led(0.5))));
    assert_eq!(reading.frames(0), [120, 1, 120]);
    let warning = reading.item(0).warnings[0].message.to_string();
    assert!(warning.starts_with("2 of 2 transitions are omitted"), "{warning}");
    // One is omitted, and one is shorter.
    let reading = PlanReader(fixture.plan(base(vec![group(&["a", "b", "d"])], led(2.0))));
    let warnings: Vec<String> = reading.item(0).warnings.iter().map(|one| one.message.to_string()).collect();
    assert!(warnings[0].starts_with("1 of 2 transitions is shorter"), "{warnings:?}");
    assert!(warnings[1].starts_with("1 of 2 transitions is omitted"), "{warnings:?}");
    assert_eq!(PlanReader(fixture.plan(base(vec![group(&["a"])], led(0.5)))).frames(0), [120]);
}

#[test]
fn an_output_is_trimmed_last_at_any_position() {
    let fixture = Fixture::new().clip("a", 4.0).clip("b", 4.0).clip("c", 4.0);
    let cut = |total_duration_s: f64| {
        let group = Group { total_duration_s: Some(total_duration_s), ..group(&["a", "b", "c"]) };
        PlanReader(fixture.plan(base(vec![group], led(1.0))))
    };
    assert_eq!(cut(30.0).frames(0), [90, 30, 60, 30, 90]);
    assert_eq!(cut(5.0).frames(0), [90, 30, 30]);
    assert_eq!(cut(3.5).frames(0), [90, 15], "in the middle of the first overlap");
    assert_eq!(cut(3.0).frames(0), [90]);
    assert_eq!(cut(2.0).frames(0), [60]);
    let whole = PlanReader(fixture.plan(base(vec![group(&["a", "b"])], led(1.0))));
    let graph = |reading: &PlanReader| reading.video(0)[1].graph.to_string();
    assert_eq!(graph(&cut(3.5)), graph(&whole), "it goes as fast as all of it would");
}

#[test]
fn names_are_dealt_by_the_seed_and_in_the_recipe() {
    let names = ["fade", "hblur", "slideup", "radial"];
    let filters = BTreeMap::from([
        ("fade", r"255*clip(ld(0)\,0\,1)"),
        ("hblur", "sin(PI*"),
        ("slideup", "vstack"),
        ("radial", "atan2"),
    ]);
    let mut fixture = Fixture::new();
    let all: Vec<String> = (0..9).map(|i| format!("clip{i}")).collect();
    for name in &all {
        fixture = fixture.clip(name, 3.0);
    }
    let clips: Vec<&str> = all.iter().map(String::as_str).collect();
    let options = MixOptions { transition: by(&names, 0.5), ..options() };
    let plan = fixture.plan(base(vec![group(&clips), group(&clips)], options.clone()));
    let drawn_names = |item: usize| -> Vec<String> {
        serde_json::from_value(plan.items[item].recipe["transitions"].clone()).unwrap()
    };
    assert_eq!(drawn_names(0).len(), 8);
    let all: BTreeSet<String> = names.map(str::to_owned).into();
    assert!(
        drawn_names(0).chunks(4).all(|round| round.iter().cloned().collect::<BTreeSet<_>>() == all),
        "{:?}",
        drawn_names(0)
    );
    assert_ne!(drawn_names(0), drawn_names(1));
    let reading = PlanReader(fixture.plan(base(vec![group(&clips), group(&clips)], options)));
    assert_eq!(reading.0, plan);
    let shown: Vec<bool> = reading
        .video(0)
        .iter()
        .skip(1)
        .step_by(2)
        .zip(drawn_names(0))
        .map(|(transition, name)| transition.graph.to_string().contains(filters[name.as_str()]))
        .collect();
    assert_eq!(shown, [true; 8]);
}

#[test]
fn a_repeating_clip_overlaps_with_its_first_and_last_pass() {
    let fixture = Fixture::new().clip("short", 1.0).clip("a", 5.0);
    let scenes = vec![scene(3.6, &["short"]), scene(3.0, &["a"])];
    let params = ProMixParams { options: led(0.8), ..pro(scenes, 1) };
    let reading = PlanReader(fixture.plan(Params::ProVideoMix(params)));
    // Three passes and eighteen frames; the last twenty-four are in two passes.
    assert_eq!(reading.frames(0), [30, 30, 24, 24, 66]);
    let graph = reading.video(0)[3].graph.to_string();
    assert!(
        graph.contains("loop=loop=-1:size=30") && graph.contains("trim=end_frame=108:start_frame=84"),
        "{graph}"
    );
    assert_eq!(reading.rendition(0).frames, Frames(108 + 90 - 24));
    let audio = reading.audio(&reading.tracks(0)[0].parts[0]).unwrap();
    assert_eq!((audio.samples, audio.loop_period), (Samples(108 * 1600), Some(Samples(48_000))));
    let crossed = CrossFade { fade_in: Samples(0), fade_out: Samples(24 * 1600) };
    assert_eq!(audio.crossed, Some(crossed));
}

#[test]
fn a_transition_in_a_held_frame_begins_where_the_clip_still_has_frames() {
    let fixture = Fixture::new().clip("a", 2.6).clip("b", 3.0);
    let scenes = vec![scene(3.0, &["a"]), scene(3.0, &["b"])];
    let params = ProMixParams { options: led(0.2), ..pro(scenes, 1) };
    let reading = PlanReader(fixture.plan(Params::ProVideoMix(params)));
    assert_eq!(reading.frames(0), [84, 6, 84]);
    // The clip gives 78 frames, of which some may be missing.
    let graph = reading.video(0)[1].graph.to_string();
    assert!(graph.contains("start_pts=74") && graph.contains("trim=end_frame=16:start_frame=10"), "{graph}");
}

#[test]
fn audio_is_on_two_tracks_as_long_as_the_video() {
    let fixture = Fixture::new().clip("a", 4.0).silent_clip("b", 4.0).clip("c", 4.0);
    let reading = PlanReader(fixture.plan(base(vec![group(&["a", "b", "c"])], led(0.5))));
    let tracks = reading.tracks(0);
    assert_eq!(reading.placed(&tracks[0]), ["a 0..192000", "c 336000..528000"]);
    assert_eq!(tracks.len(), 1, "the middle one has no sound");
    assert_eq!(tracks[0].heard, Samples(330 * 1600));
    let middle = |index: usize| reading.audio(&tracks[0].parts[index]).unwrap().crossed.unwrap();
    assert_eq!(middle(0), CrossFade { fade_in: Samples(0), fade_out: Samples(24_000) });
    assert_eq!(middle(2), CrossFade { fade_in: Samples(24_000), fade_out: Samples(0) });
}

#[test]
fn audio_of_neighbouring_scenes_may_overlap() {
    let fixture = Fixture::new().clip("a", 4.0).clip("b", 4.0).audio("s", 9.0);
    let audio =
        |url: &str| vec![SceneAudio { url: url.into(), duration_s: None, start_s: 0.0, volume_percent: 100 }];
    let scene_with_audio = |name| Scene { audio: audio("s"), ..scene(4.0, &[name]) };
    let options = MixOptions { original_volume: 0, ..led(1.0) };
    let params = ProMixParams {
        audio_mode: AudioMode::Split,
        options,
        ..pro(vec![scene_with_audio("a"), scene_with_audio("b")], 1)
    };
    let reading = PlanReader(fixture.plan(Params::ProVideoMix(params)));
    let placed: Vec<_> = reading.tracks(0).iter().map(|track| reading.placed(track)).collect();
    assert_eq!(placed, [["s 0..192000"], ["s 144000..336000"]]);
}

#[test]
fn intros_and_outros_do_not_overlap() {
    let fixture = Fixture::new().clip("a", 4.0).clip("b", 4.0).clip("in", 2.0).clip("out", 1.0);
    let bumper = |url: &str| vec![Bumper { url: url.into() }];
    let options = MixOptions { intro_pool: bumper("in"), outro_pool: bumper("out"), ..led(1.0) };
    let group = Group { total_duration_s: Some(8.0), ..group(&["a", "b"]) };
    let reading = PlanReader(fixture.plan(base(vec![group], options)));
    assert_eq!(reading.frames(0), [60, 90, 30, 30, 30]);
    assert_eq!(reading.sources(0), ["in", "a", "a", "b", "out"]);
}

#[test]
fn prices_include_the_overlap() {
    let prices = PriceList::default();
    let quoted = |params: Params| estimate_prices(&request(params), 1, &Facts::default(), &prices)[0].points;
    let declared = |seconds: f64| Clip { url: "x".into(), duration_s: Some(seconds), ..Clip::default() };
    let group = |total_duration_s| Group { videos: vec![declared(30.0), declared(32.0)], total_duration_s };
    let apart = quoted(base(vec![group(None)], options()));
    assert!(quoted(base(vec![group(None)], led(2.0))) < apart, "60 s rather than 62");
    assert_eq!(quoted(base(vec![group(Some(60.0))], options())), quoted(base(vec![group(None)], led(2.0))));
    let scenes = || vec![scene(31.0, &["a"]), scene(31.0, &["b"])];
    let with = ProMixParams { options: led(2.0), ..pro(scenes(), 1) };
    let without = Params::ProVideoMix(pro(scenes(), 1));
    assert!(quoted(Params::ProVideoMix(with)) < quoted(without));
}

#[test]
fn previews_show_both_clips_where_they_overlap() {
    use clipmill_core::plan::Moment;
    let fixture = Fixture::new().clip("a", 40.0).clip("b", 4.0);
    let still = |clip, at_s| {
        fixture
            .still(base(vec![group(&["a", "b"])], led(1.0)), &Moment { item_no: 1, clip, at_s: Some(at_s) })
            .unwrap()
    };
    let moment = still(None, 39.5);
    assert_eq!(moment.sources.len(), 2);
    assert_eq!((moment.exact.frame, moment.exact.seek_us), (Frames(15), None));
    assert!(moment.quick.unwrap().seek_us > Some(37_000_000));
    assert_eq!(still(Some(1), 0.5).sources.len(), 2, "a clip begins with its overlap");
    let alone = still(Some(1), 2.0);
    assert_eq!((alone.sources.len(), alone.exact.frame, alone.at_s), (1, Frames(60), 41.0));
    assert_eq!(still(None, 10.0).exact.frame, Frames(300));
}

#[test]
fn captions_continue_through_transitions() {
    let fixture = Fixture::new().clip("a", 2.0).clip("b", 2.0).cues("s", &[(1000, 2500, "hello")]);
    let options = MixOptions { subtitle: subtitle("s"), ..led(0.5) };
    let reading = PlanReader(fixture.plan(base(vec![group(&["a", "b"])], options)));
    assert_eq!(reading.frames(0), [45, 15, 45]);
    let ranges: Vec<_> =
        reading.video(0).iter().map(|picture| picture.captions.as_ref().map(|view| view.seen())).collect();
    let frames = |from, until| Some(Frames(from)..Frames(until));
    assert_eq!(ranges, [frames(30, 45), frames(0, 15), frames(0, 15)]);
}

#[test]
fn an_image_keeps_moving_through_its_transitions() {
    let mut image = video(0.0);
    (image.still, image.frames) = (true, 1);
    let fixture = Fixture::new().clip("a", 4.0).file("p", Some(image), None);
    let options = MixOptions { image_motion: ImageMotion::ZoomIn, ..led(0.5) };
    let reading = PlanReader(fixture.plan(base(vec![group(&["a", "p", "a"])], options)));
    assert_eq!(reading.frames(0), [105, 15, 60, 15, 105]);
    let graphs: Vec<String> = reading.video(0).iter().map(|image| image.graph.to_string()).collect();
    for (graph, begin) in graphs[1..4].iter().zip([0, 15, 75]) {
        assert!(graph.contains(&format!("(on-1+{begin})/89")), "{graph}");
    }
}
