//! Volumes and colour looks of clips in mixes.

use clipmill_core::looks::Look;
use clipmill_core::request::model::{
    Background, Bumper, Clip, FillMode, LookChoice, MixOptions, Params, ProMixParams, Transitions,
};
use clipmill_core::transitions::Transition;

use crate::world::*;

fn world() -> World {
    World::new().clip("a", 4.0).clip("b", 4.0).image("image.png")
}

fn look(name: &str) -> LookChoice {
    LookChoice::try_from(name.to_owned()).unwrap()
}

fn reading(videos: Vec<Clip>, options: MixOptions) -> Reading {
    let mut group = group(&[]);
    group.videos = videos;
    Reading(world().plan(base(vec![group], options)))
}

fn graphs(reading: &Reading) -> Vec<String> {
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
    let reading = Reading(world().plan(Params::ProVideoMix(params)));
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
