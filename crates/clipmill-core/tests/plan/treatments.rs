//! Volumes and colour looks of clips in mixes.

use clipmill_core::looks::Look;
use clipmill_core::request::model::{
    Background, Bumper, Clip, Effect, FillMode, LookChoice, MixOptions, Params, ProMixParams, Transitions,
};
use clipmill_core::transitions::Transition;

use crate::fixture::*;

fn fixture() -> Fixture {
    Fixture::new().clip("a", 4.0).clip("b", 4.0).image("image.png")
}

fn look(name: &str) -> LookChoice {
    LookChoice::try_from(name.to_owned()).unwrap()
}

fn reading(videos: Vec<Clip>, options: MixOptions) -> PlanReader {
    let mut group = group(&[]);
    group.videos = videos;
    PlanReader(fixture().plan(base(vec![group], options)))
}

fn graphs(reading: &PlanReader) -> Vec<String> {
    reading.video(0).iter().map(|spec| spec.graph.to_string()).collect()
}

/// A filter that only this look has.
fn sepia() -> String {
    Look::find("sepia").unwrap().filters().iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

#[test]
fn a_look_colours_clips_and_images_but_not_bumpers() {
    for (fill, background) in [
        (FillMode::None, Background::Black),
        (FillMode::None, Background::Blur),
        (FillMode::Crop, Background::Black),
    ] {
        let intro_pool = vec![Bumper { url: "b".into() }];
        let options = MixOptions { look: look("sepia"), fill, background, intro_pool, ..options() };
        let graphs = graphs(&reading(clips(&["a", "image.png"]), options));
        let [intro, clip, image] = graphs.as_slice() else { panic!("{graphs:?}") };
        assert!(
            clip.contains(&sepia()) && image.contains(&sepia()),
            "{fill:?} {background:?}: {clip}\n{image}"
        );
        assert!(!intro.contains(&sepia()), "{intro}");
        // Bars stay black.
        let pad = clip.find("pad=");
        assert!(pad.is_none_or(|pad| clip.find(&sepia()).unwrap() < pad), "{clip}");
    }
}

#[test]
fn a_clip_can_have_its_own_look_or_none() {
    let own = |name: &str, choice: &str| Clip { look: Some(look(choice)), ..clips(&[name]).remove(0) };
    let videos = vec![own("a", "none"), own("b", "mono"), clips(&["a"]).remove(0)];
    let graphs = graphs(&reading(videos, MixOptions { look: look("sepia"), ..options() }));
    assert_eq!(graphs.iter().map(|graph| graph.contains(&sepia())).collect::<Vec<_>>(), [false, false, true]);
    let plain = reading(clips(&["a"]), options());
    assert_eq!(graphs[0], plain.video(0)[0].graph.to_string());
    assert_ne!(graphs[1], graphs[0]);
}

#[test]
fn both_sides_of_a_transition_keep_their_looks() {
    let transition = Transitions {
        names: vec![clipmill_core::request::model::TransitionName(Transition::find("fade").unwrap())],
        duration_s: 1.0,
    };
    let own = |name: &str, choice: &str| Clip { look: Some(look(choice)), ..clips(&[name]).remove(0) };
    let options = MixOptions { transition: Some(transition), ..options() };
    let graphs = graphs(&reading(vec![own("a", "sepia"), own("b", "none")], options));
    assert_eq!(graphs.len(), 3);
    assert_eq!(graphs[1].matches(&sepia()).count(), 1, "{}", graphs[1]);
    assert!(graphs[0].contains(&sepia()) && !graphs[2].contains(&sepia()));
}

#[test]
fn random_looks_are_dealt_to_the_outputs_and_in_the_recipe() {
    let scenes = vec![scene(1.0, &["a", "b"]), scene(1.0, &["a", "b"])];
    let options = MixOptions { look: LookChoice::RANDOM, ..options() };
    let params = ProMixParams { options, ..pro(scenes, 4) };
    let reading = PlanReader(fixture().plan(Params::ProVideoMix(params)));
    let looks: Vec<&str> = (0..4).map(|item| reading.item(item).recipe["look"].as_str().unwrap()).collect();
    assert_eq!(looks.iter().collect::<std::collections::BTreeSet<_>>().len(), 4, "{looks:?}");
}

#[test]
fn volumes_of_clips_multiply_that_of_all() {
    let loud = |name: &str, volume_percent| Clip { volume_percent, ..clips(&[name]).remove(0) };
    let videos = vec![loud("a", Some(50)), loud("a", None), loud("a", Some(0))];
    let reading = reading(videos, MixOptions { original_volume: 40, ..options() });
    let [track] = reading.tracks(0) else { panic!("{:?}", reading.tracks(0)) };
    let volumes: Vec<u32> =
        track.parts.iter().filter_map(|part| reading.audio(part)).map(|spec| spec.volume_percent).collect();
    assert_eq!((track.volume_percent, volumes), (40, vec![50, 100, 0]));
    // The video does not depend on it.
    let graphs = graphs(&reading);
    assert!(graphs.iter().all(|graph| *graph == graphs[0]));
}

fn fast(name: &str, speed_permille: u32) -> Clip {
    Clip { speed_permille: Some(speed_permille), ..clips(&[name]).remove(0) }
}

#[test]
fn a_speed_divides_the_length_and_keeps_audio_with_video() {
    let part = Clip { from_s: Some(1.0), to_s: Some(3.0), ..fast("a", 1600) };
    let reading = reading(vec![fast("a", 500), fast("a", 2000), part, clips(&["a"]).remove(0)], options());
    assert_eq!(reading.frames(0), [240, 60, 38, 120]);
    assert!(graphs(&reading)[0].contains("setpts=expr=PTS/0.5"));
    let tempos: Vec<(u32, u64)> = reading.tracks(0)[0]
        .parts
        .iter()
        .filter_map(|part| reading.audio(part))
        .map(|spec| (spec.tempo_permille, spec.samples.0 / 1600))
        .collect();
    assert_eq!(tempos, [(500, 240), (2000, 60), (1600, 38), (1000, 120)]);
    // The last clip has no speed, and the graph that it has without the others.
    let plain = self::reading(clips(&["a"]), options());
    assert_eq!(graphs(&reading)[3], graphs(&plain)[0]);
}

#[test]
fn footage_is_counted_in_source_time() {
    let outputs = |speeds: [u32; 2]| {
        let groups = speeds.map(|speed| {
            let mut group = group(&[]);
            group.videos = vec![fast("a", speed)];
            group.total_duration_s = Some(2.0);
            group
        });
        PlanReader(fixture().plan(base(groups.to_vec(), options()))).0.diversity
    };
    // Two seconds of the output show four of the file, or one.
    let overlap = |speeds| format!("{:?}", outputs(speeds));
    assert_ne!(overlap([2000, 500]), overlap([1000, 1000]));
}

#[test]
fn a_voice_is_filled_with_footage_at_its_speed() {
    let fixture = fixture().audio("voice", 7.0);
    let options = MixOptions {
        voice: track("voice", None, 0.0, 0.0),
        length: clipmill_core::request::model::MixLength::Voice,
        tail_s: Some(0.0),
        clip_seconds: Some(1.0),
        ..options()
    };
    let mut group = group(&[]);
    group.videos = vec![fast("a", 2000), fast("b", 500)];
    let reading = PlanReader(fixture.plan(base(vec![group], options)));
    let origins: Vec<(u32, i64)> = reading.tracks(0)[0]
        .parts
        .iter()
        .filter_map(|part| reading.audio(part))
        .map(|spec| (spec.tempo_permille, spec.origin_us))
        .collect();
    // A second of the output shows two of the first file, and half a second of the other.
    let expected = [
        (2000, 0),
        (500, 0),
        (2000, 2_000_000),
        (500, 500_000),
        (500, 1_000_000),
        (500, 1_500_000),
        (500, 2_000_000),
    ];
    assert_eq!(origins, expected);
}

#[test]
fn a_drawn_start_leaves_room_for_the_footage_of_a_fast_clip() {
    let mut params = pro(vec![scene(2.0, &[])], 8);
    params.scenes[0].resources = vec![Clip { ..fast("long", 2000) }];
    params.options.clip_start = clipmill_core::request::model::ClipStart::Random;
    let reading = PlanReader(Fixture::new().clip("long", 40.0).plan(Params::ProVideoMix(params)));
    let mut starts: Vec<i64> = (0..8)
        .map(|item| (reading.item(item).recipe["starts"][0].as_f64().unwrap() * 1000.0) as i64)
        .collect();
    starts.sort_unstable();
    assert!(starts.windows(2).all(|pair| pair[1] - pair[0] >= 4000) && starts[7] <= 36_000, "{starts:?}");
}

#[test]
fn a_speed_of_an_image_is_ignored_with_a_warning() {
    let reading = reading(vec![fast("image.png", 500)], options());
    assert_eq!(reading.frames(0), [90]);
    let warning = &reading.0.warnings[0];
    assert_eq!(warning.path, "/params/videoList/0/videos/0/speed");
    let plain = self::reading(clips(&["image.png"]), options());
    assert_eq!(plain.rendition(0).video, reading.rendition(0).video);
}

fn with_effects(effects: &[(&str, f64, f64)]) -> MixOptions {
    let effect = |&(name, duration_s, position_percent): &(&str, f64, f64)| Effect {
        name: name.into(),
        strength_percent: 50.0,
        duration_s,
        position_percent,
    };
    MixOptions { effects: effects.iter().map(effect).collect(), ..options() }
}

#[test]
fn effects_change_only_the_segments_of_their_time() {
    let plain = reading(clips(&["a", "b", "a"]), options());
    let touched = |effects: &[(&str, f64, f64)]| {
        let reading = reading(clips(&["a", "b", "a"]), with_effects(effects));
        let pairs = plain.rendition(0).video.iter().zip(&reading.rendition(0).video);
        pairs.map(|(plain, own)| plain != own).collect::<Vec<_>>()
    };
    // 12 s, in segments of 4 s.
    assert_eq!(touched(&[("snow", 1.0, 0.0)]), [true, false, false]);
    assert_eq!(touched(&[("snow", 4.0, 100.0 / 3.0)]), [false, true, false]);
    assert_eq!(touched(&[("snow", 5.0, 30.0)]), [true, true, true]);
    assert_eq!(touched(&[("snow", 1.0, 0.0), ("glitch", 60.0, 100.0)]), [true, true, true]);
    assert_eq!(touched(&[("snow", 1.0, 100.0), ("glitch", 1.0, 90.0)]), [false, false, true]);
    let reading = reading(clips(&["a", "a"]), with_effects(&[("snow", 2.0, 0.0), ("rain", 2.0, 10.0)]));
    assert_eq!(reading.rendition(0).video.len(), 2);
}
