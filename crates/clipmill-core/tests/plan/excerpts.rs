//! `from` and `to`: only that excerpt of a file is used.

use clipmill_core::error::ErrorCode;
use clipmill_core::request::model::*;
use clipmill_core::time::{Frames, Samples};

use crate::fixture::*;

fn part(url: &str, from: f64, to: f64) -> Clip {
    let bound = |value: f64| Some(value).filter(|value| *value > 0.0);
    Clip { url: url.into(), from_s: bound(from), to_s: bound(to), ..Clip::default() }
}

fn dedup(clip: Clip) -> Params {
    let options = DedupOptions { speed: Some(Span { min: 2.0, max: 2.0 }), ..DedupOptions::default() };
    Params::VideoDeduplication(DedupParams { videos: vec![clip], options, seed: Some(1) })
}

fn mixed(videos: Vec<Clip>, options: MixOptions) -> Params {
    base(vec![Group { videos, total_duration_s: None }], options)
}

#[test]
fn lengths_audio_and_footage_are_those_of_the_excerpt() {
    let fixture = Fixture::new().clip("a", 10.0);
    let reading = PlanReader(fixture.plan(mixed(vec![part("a", 2.0, 5.0), part("a", 8.0, 0.0)], options())));
    assert_eq!(reading.frames(0), [90, 60]);
    let specs = reading.video(0);
    let parts: Vec<_> = specs.iter().map(|picture| picture.part.unwrap()).collect();
    assert_eq!((parts[0].begin, parts[1].begin), (Frames(60), Frames(240)));
    assert_eq!(parts[0].seek_us, Some(800_000), "a second and a little before it is read as well");
    assert!(
        specs[0].graph.to_string().contains("PTS-(2000000/1000000)/TB"),
        "{}",
        specs[0].graph.to_string()
    );
    let audio: Vec<_> = reading.tracks(0)[0].parts.iter().map(|part| reading.audio(part).unwrap()).collect();
    assert_eq!((audio[0].origin_us, audio[0].samples), (2_000_000, Samples(144_000)));
    assert_eq!((audio[1].origin_us, audio[1].samples), (8_000_000, Samples(96_000)));
    let footage = serde_json::to_value(&reading.item(0).footage).unwrap();
    assert_eq!(footage[0][1], serde_json::json!([[60, 150], [240, 300]]));
    let varied = PlanReader(fixture.plan(dedup(part("a", 2.0, 5.0))));
    assert_eq!(varied.frames(0), [45], "at twice the speed");
    assert_eq!(serde_json::to_value(&varied.item(0).footage).unwrap()[0][1], serde_json::json!([[60, 150]]));
}

#[test]
fn default_excerpts_change_nothing() {
    let fixture = Fixture::new().clip("a", 10.0);
    let plan = |clip: Clip| fixture.plan(mixed(vec![clip], options()));
    let whole = plan(part("a", 0.0, 0.0));
    assert_eq!(plan(part("a", 0.0, 10.0)), whole);
    // A `to` after the file's end means the file's end, and gives a warning.
    let beyond = plan(part("a", 0.0, 12.0));
    assert_eq!((&beyond.segments, &beyond.items), (&whole.segments, &whole.items));
    let warnings: Vec<String> =
        beyond.warnings.iter().map(|w| format!("{}: {}", w.path, w.message)).collect();
    assert_eq!(
        warnings,
        [
            "/params/videoList/0/videos/0/to: `to` is 12 s, but the file ends after 10.00 s; it is used to its end"
        ]
    );
}

#[test]
fn a_longer_scene_does_not_show_the_file_after_the_excerpt() {
    let fixture = Fixture::new().clip("a", 10.0);
    let frames = |to: f64| {
        let scene = Scene { resources: vec![part("a", 1.0, to)], ..scene(3.2, &[]) };
        PlanReader(fixture.plan(Params::ProVideoMix(pro(vec![scene], 1))))
    };
    let reading = frames(4.0);
    assert_eq!(reading.frames(0), [96]);
    let graph = reading.video(0)[0].graph.to_string();
    let (cut, hold) = (graph.find("trim=end_frame=90"), graph.find("tpad="));
    assert!(cut.is_some() && cut < hold, "{graph}");
    let audio = reading.audio(&reading.tracks(0)[0].parts[0]).unwrap();
    assert_eq!(audio.sounding, Some((Samples(0), Samples(144_000))));
    // The file continues after the excerpt, so no frame is held.
    assert!(!frames(0.0).video(0)[0].graph.to_string().contains("trim=end_frame=90"));
}

#[test]
fn an_excerpt_after_the_end_fails_its_item_and_is_replaced_in_scenes() {
    let fixture = Fixture::new().clip("a", 4.0).clip("b", 4.0);
    for params in [mixed(vec![part("a", 4.0, 0.0)], options()), dedup(part("a", 5.0, 6.0))] {
        let reading = PlanReader(fixture.plan(params));
        assert_eq!(reading.error(0), (ErrorCode::ClipTooShort, Some("a")));
    }
    let scene = Scene { resources: vec![part("a", 9.0, 0.0), part("b", 0.0, 0.0)], ..scene(2.0, &[]) };
    let reading = PlanReader(fixture.plan(Params::ProVideoMix(pro(vec![scene], 1))));
    assert_eq!(reading.item(0).recipe, serde_json::json!({ "combination": [1] }));
}

#[test]
fn an_excerpt_shorter_than_a_frame_is_a_frame() {
    let fixture = Fixture::new().clip("a", 4.0);
    let reading = PlanReader(fixture.plan(mixed(vec![part("a", 1.0, 1.001)], options())));
    assert_eq!(reading.frames(0), [1]);
}

#[test]
fn outputs_share_the_overlap_of_their_excerpts() {
    let fixture = Fixture::new().clip("a", 10.0);
    let groups = [(0.0, 4.0), (3.0, 6.0), (6.0, 9.0)];
    let groups = groups.map(|(from, to)| Group { videos: vec![part("a", from, to)], total_duration_s: None });
    let diversity = fixture.plan(base(groups.to_vec(), options())).diversity.unwrap();
    let pairs: Vec<_> = diversity.pairs.iter().map(|pair| (pair.items, pair.shared_seconds)).collect();
    assert_eq!(pairs, [([1, 2], 1.0), ([1, 3], 0.0), ([2, 3], 0.0)]);
}

#[test]
fn the_worst_of_many_pairs_are_listed() {
    let fixture = Fixture::new().clip("a", 10.0);
    let groups: Vec<Group> = (0..10)
        .map(|n| Group { videos: vec![part("a", 0.0, 1.0 + f64::from(n) / 2.0)], total_duration_s: None })
        .collect();
    let diversity = fixture.plan(base(groups, options())).diversity.unwrap();
    assert_eq!((diversity.total_pairs, diversity.pairs.len()), (Some(45), 20));
    assert_eq!((diversity.pairs[0].items, diversity.pairs[0].shared_seconds), ([9, 10], 5.0));
    assert_eq!(diversity.most_similar, diversity.pairs[0]);
    assert!(diversity.pairs.windows(2).all(|two| two[0].shared_seconds >= two[1].shared_seconds));
}
