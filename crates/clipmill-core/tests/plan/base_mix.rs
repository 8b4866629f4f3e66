//! baseVideoMix: lengths, bad clips, warnings, limits, shared segments.

use clipmill_core::error::ErrorCode;
use clipmill_core::media::{Size, VideoInfo};
use clipmill_core::request::model::{Background, Clip, FillMode, Group, MixOptions};
use clipmill_core::seed::item_seed;
use clipmill_core::segment::SegmentSpec;
use clipmill_core::time::Frames;
use serde_json::json;

use crate::fixture::*;

fn fixture() -> Fixture {
    Fixture::new().clip("a", 1.0).clip("b", 2.0).clip("c", 1.5).silent_clip("d", 0.5)
}

fn check_lengths(names: &[&str], is_shortest: bool, total_duration_s: Option<f64>, expected: &[u64]) {
    let groups = vec![Group { total_duration_s, ..group(names) }];
    let reading = PlanReader(fixture().plan(base(groups, with_shortest(is_shortest))));
    assert_eq!(reading.frames(0), expected, "{names:?} {is_shortest} {total_duration_s:?}");
    let rendition = reading.rendition(0);
    assert_eq!(rendition.frames.0, expected.iter().sum::<u64>());
    assert_eq!(rendition.audio.as_ref().unwrap().samples.0, rendition.frames.0 * 1600);
}

fn with_shortest(is_shortest: bool) -> MixOptions {
    MixOptions { is_shortest, ..options() }
}

#[test]
fn clips_follow_each_other_trimmed_to_the_shortest_and_the_total() {
    check_lengths(&["a", "b", "c"], false, None, &[30, 60, 45]);
    check_lengths(&["a", "b", "c"], true, None, &[30, 30, 30]);
    check_lengths(&["b", "c", "b"], true, None, &[45, 45, 45]);
    check_lengths(&["a", "b", "c"], false, Some(2.5), &[30, 45]);
    check_lengths(&["a", "b", "c"], false, Some(3.0), &[30, 60]);
    check_lengths(&["a", "b", "c"], false, Some(60.0), &[30, 60, 45]);
    check_lengths(&["a", "b", "c"], true, Some(1.1), &[30, 3]);
    check_lengths(&["b"], false, Some(0.001), &[1]);
}

#[test]
fn each_group_has_its_own_shortest_clip() {
    let groups = vec![group(&["a", "b"]), group(&["b", "c"]), group(&["d", "a"])];
    let reading = PlanReader(fixture().plan(base(groups, with_shortest(true))));
    let frames: Vec<_> = (0..3).map(|index| reading.frames(index)).collect();
    assert_eq!(frames, [[30, 30], [45, 45], [15, 15]]);
}

#[test]
fn only_the_group_with_a_bad_clip_fails() {
    let fixture = fixture().bad("broken").audio("song", 3.0);
    let groups = vec![group(&["a", "broken"]), group(&["a", "b"]), group(&["song"])];
    let reading = PlanReader(fixture.plan(base(groups, options())));
    assert_eq!(reading.error(0), (ErrorCode::MediaDamaged, Some("broken")));
    assert_eq!(reading.frames(1), [30, 60]);
    assert_eq!(reading.error(2), (ErrorCode::NoVideoStream, Some("song")));
    assert_eq!(reading.0.segments.len(), 4, "nothing is made for items that failed");
}

#[test]
fn bad_audio_fails_every_group_that_needs_it() {
    for (url, fixture) in [("broken", fixture().bad("broken")), ("mute", fixture().silent_clip("mute", 5.0))]
    {
        let mut options = options();
        options.music = track(url, None, 0.0, 0.0);
        let reading = PlanReader(fixture.plan(base(vec![group(&["a"]), group(&["b"])], options)));
        for index in 0..2 {
            let (code, input) = reading.error(index);
            assert!(matches!(code, ErrorCode::MediaDamaged | ErrorCode::NotMedia), "{code}");
            assert_eq!(input, Some(url));
        }
    }
}

#[test]
fn a_declared_length_more_than_a_tenth_off_gives_one_warning_and_never_trims() {
    let declared =
        |url: &str, seconds| Clip { url: url.into(), duration_s: Some(seconds), ..Clip::default() };
    let videos = vec![declared("a", 1.09), declared("b", 1.7), declared("c", 9.0)];
    let groups = vec![group(&["a"]), Group { videos, total_duration_s: None }];
    let plan = fixture().plan(base(groups, options()));
    let paths: Vec<&str> = plan.warnings.iter().map(|warning| warning.path.as_str()).collect();
    assert_eq!(paths, ["/params/videoList/1/videos/1/duration", "/params/videoList/1/videos/2/duration"]);
    assert!(plan.warnings[0].message.contains("1.7 s"), "{}", plan.warnings[0].message);
    assert!(plan.warnings[0].message.contains("2.00 s"), "{}", plan.warnings[0].message);
    assert_eq!(PlanReader(plan).frames(1), [30, 60, 45]);
}

#[test]
fn only_the_output_beyond_the_limit_fails() {
    let mut fixture = fixture().clip("long", 11.0);
    fixture.max_item_seconds = 10;
    let cut = Group { total_duration_s: Some(10.0), ..group(&["long"]) };
    let reading = PlanReader(fixture.plan(base(vec![group(&["long"]), cut, group(&["a"])], options())));
    assert_eq!(reading.error(0).0, ErrorCode::MediaTooLarge);
    assert_eq!(reading.rendition(1).frames, Frames(300));
    assert_eq!(reading.rendition(2).frames, Frames(30));
}

#[test]
fn a_repeated_clip_is_rendered_once_unless_trimmed_differently() {
    let segments = |groups: Vec<Group>| fixture().plan(base(groups, options())).segments.len();
    let one = segments(vec![group(&["a"])]);
    assert_eq!(one, 2, "a picture and a sound");
    assert_eq!(segments(vec![group(&["a", "a"]), group(&["b", "a"])]), 4);
    let cut = Group { total_duration_s: Some(0.5), ..group(&["a"]) };
    assert_eq!(segments(vec![group(&["a"]), cut]), 4);
    assert_eq!(segments(vec![group(&["d", "d"]), group(&["d"])]), 1, "silence needs no file");
}

#[test]
fn the_plan_has_the_recipe_and_the_seed_of_each_item() {
    let reading = PlanReader(fixture().plan(base(vec![group(&["a"]), group(&["b"])], options())));
    for index in 0..2 {
        let item = reading.item(index);
        assert_eq!(item.item_no, index as u32 + 1);
        assert_eq!(item.seed, item_seed(1, index as u32 + 1));
        assert_eq!(item.recipe, json!({ "group": index }));
    }
}

#[test]
fn everything_that_affects_a_frame_is_in_the_key() {
    let key = |change: fn(&mut MixOptions)| {
        let mut options = options();
        change(&mut options);
        PlanReader(fixture().plan(base(vec![group(&["a"])], options))).rendition(0).video[0].clone()
    };
    let plain = key(|_| {});
    assert_eq!(key(|options| options.original_volume = 10), plain);
    assert_eq!(key(|options| options.music = None), plain);
    assert_ne!(key(|options| options.size = Size::new(1080, 1920)), plain);
    assert_ne!(key(|options| options.fps = fps(25)), plain);
    assert_ne!(key(|options| options.fill = FillMode::Crop), plain);
    assert_ne!(key(|options| options.fill = FillMode::Stretch), plain);
    assert_ne!(key(|options| options.background = Background::Blur), plain);
}

/// Clips that look alike share one graph: a difference in any field must give another graph.
#[test]
fn only_clips_that_look_alike_share_graphs() {
    let changes: [fn(&mut VideoInfo); 13] = [
        |_| {},
        |video| video.codec = "vp9".into(),
        |video| video.frames += 1,
        |video| video.stream_index = 3,
        |video| video.coded = Size::new(640, 480),
        |video| video.pix_fmt = "rgb24".into(),
        |video| video.rotation = 90,
        |video| video.sample_aspect = (4, 3),
        |video| video.color.transfer = Some("smpte2084".into()),
        |video| video.interlaced = true,
        |video| video.start_s = 1.5,
        |video| video.rate = 60.0,
        |video| video.duration_s = 0.2,
    ];
    let names: Vec<String> = (0..changes.len()).map(|n| format!("clip{n}")).collect();
    let mut fixture = Fixture::new();
    for (name, change) in names.iter().zip(changes) {
        let mut video = video(2.0);
        change(&mut video);
        fixture = fixture.file(name, Some(video), None);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let graphs = |names: &[&str]| -> Vec<String> {
        let options = MixOptions { fill: FillMode::Crop, ..options() };
        let plan = fixture.plan(base(vec![group(names)], options));
        let graphs = plan.segments.iter().filter_map(|segment| match &segment.spec {
            SegmentSpec::Video(spec) => Some(spec.graph.to_string()),
            SegmentSpec::Audio(_) => None,
        });
        graphs.collect()
    };
    let together = graphs(&names);
    let alone: Vec<String> = names.iter().flat_map(|name| graphs(&[name])).collect();
    assert_eq!(together, alone);
    let different: std::collections::HashSet<&String> = together.iter().collect();
    assert_eq!(different.len(), changes.len() - 2, "all but codec and number of pictures matter");
}

#[test]
fn several_segments_are_encoded_by_one_thread_each() {
    let threads = |names: &[&str]| -> Vec<u32> {
        let plan = fixture().plan(base(vec![group(names)], options()));
        let threads = plan.segments.iter().filter_map(|segment| match &segment.spec {
            SegmentSpec::Video(spec) => Some(spec.encoder.threads),
            SegmentSpec::Audio(_) => None,
        });
        threads.collect()
    };
    assert_eq!(threads(&["a"]), [2]);
    assert_eq!(threads(&["a", "a"]), [2], "twice the same is one segment");
    assert_eq!(threads(&["a", "b"]), [1, 1]);
    assert_eq!(threads(&["a", "b", "c"]), [1, 1, 1]);
}
