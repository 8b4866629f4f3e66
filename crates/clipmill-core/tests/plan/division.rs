//! How the video of a task is divided among cores: by the request and the width, within limits of size.

use clipmill_core::encoding::{Encoder, Encoding};
use clipmill_core::media::VideoInfo;

use crate::fixture::*;

fn fixture(width: u32) -> Fixture {
    Fixture { part_seconds: 30, width, ..Fixture::new() }
}

/// One output of one clip of each length.
fn joined(width: u32, lengths: &[f64]) -> PlanReader {
    let names: Vec<String> = (0..lengths.len()).map(|number| format!("c{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let fixture = names.iter().zip(lengths).fold(fixture(width), |fixture, (name, s)| fixture.clip(name, *s));
    PlanReader(fixture.plan(base(vec![group(&names)], options())))
}

/// The seconds of each video segment, and the threads of all.
fn divided(reading: &PlanReader) -> (Vec<u64>, u32) {
    let threads: Vec<u32> = reading.video(0).iter().map(|video| video.encoder.threads).collect();
    assert!(threads.iter().all(|number| *number == threads[0]), "{threads:?}");
    (reading.frames(0).iter().map(|frames| frames / 30).collect(), threads[0])
}

#[track_caller]
fn check(width: u32, lengths: &[f64], segments: &[u64], threads: u32) {
    let actual = divided(&joined(width, lengths));
    assert_eq!(actual, (segments.to_vec(), threads), "width {width}, {lengths:?}");
}

#[test]
fn one_core_renders_whole_clips() {
    check(1, &[5.0], &[5], 1);
    check(1, &[5.0; 3], &[5; 3], 1);
    check(1, &[20.0], &[20], 1);
}

#[test]
fn two_cores_share_one_clip_and_render_several_side_by_side() {
    check(2, &[5.0], &[2, 2, 1], 1);
    check(2, &[5.0; 2], &[5; 2], 1);
    check(2, &[5.0; 3], &[5; 3], 1);
    check(2, &[5.0; 12], &[5; 12], 1);
    check(2, &[60.0], &[30, 30], 1);
}

#[test]
fn many_cores_render_parts_of_few_clips() {
    check(16, &[5.0], &[2, 2, 1], 4);
    check(16, &[5.0; 3], &[2, 2, 1, 2, 2, 1, 2, 2, 1], 2);
    check(16, &[5.0; 12], &[5; 12], 1);
    check(16, &[60.0], &[4; 15], 1);
    check(64, &[5.0; 100], &[5; 100], 1);
}

/// Every part begins with a keyframe, which makes files larger.
#[test]
fn parts_are_not_too_short() {
    for width in [2, 4, 8, 16, 32, 64, 1024] {
        for seconds in [1.0, 2.0, 3.0, 5.0, 8.0, 15.0, 19.0, 20.0, 60.0, 600.0] {
            let (segments, threads) = divided(&joined(width, &[seconds]));
            let keyframes = |seconds: u64| seconds.div_ceil(4).max(1);
            let total: u64 = segments.iter().sum();
            let added = segments.iter().map(|s| keyframes(*s)).sum::<u64>() - keyframes(total);
            let allowed = if seconds < 20.0 { total * 3 / 10 } else { total / 10 };
            assert!(added <= allowed, "{width} {seconds}: {segments:?}");
            assert!(
                segments.len() == 1 || segments.iter().all(|s| *s >= 1),
                "{width} {seconds}: {segments:?}"
            );
            assert!((1..=4).contains(&threads));
        }
    }
}

/// Every part of such a clip would be decoded from its beginning.
#[test]
fn a_clip_with_rare_keyframes_is_split_less() {
    let segments = |keyframe_interval_s| {
        let rare = VideoInfo { keyframe_interval_s, ..video(60.0) };
        let fixture = fixture(16).file("a", Some(rare), Some(audio(60.0)));
        divided(&PlanReader(fixture.plan(base(vec![group(&["a"])], options())))).0.len()
    };
    assert!(segments(60.0) < segments(10.0) && segments(10.0) <= segments(2.0));
}

#[test]
fn a_configured_number_of_threads_applies_to_every_encode() {
    let fixture = Fixture { encoding: Encoding::standard(3), ..fixture(2) };
    let fixture = ["a", "b", "c"].iter().fold(fixture, |fixture, name| fixture.clip(name, 5.0));
    let reading = PlanReader(fixture.plan(base(vec![group(&["a", "b", "c"])], options())));
    assert_eq!(divided(&reading).1, 3);
}

/// Images cannot be split, so more threads encode each.
#[test]
fn unsplittable_video_is_encoded_by_more_threads() {
    let fixture = fixture(16).image("a").image("b");
    let reading = PlanReader(fixture.plan(base(vec![group(&["a", "b"])], options())));
    let (segments, threads) = divided(&reading);
    assert_eq!((segments.len(), threads), (2, 4), "{segments:?}");
}

#[test]
fn a_device_divides_only_long_videos() {
    let encoding = Encoding { encoder: Encoder::H264Nvenc, ..Encoding::standard(0) };
    let fixture = Fixture { encoding, ..fixture(16) }.clip("a", 20.0);
    let reading = PlanReader(fixture.plan(base(vec![group(&["a"])], options())));
    assert_eq!(reading.frames(0), [600]);
}
