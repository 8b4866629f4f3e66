//! Outputs whose clips already have the output's format: either all packets are copied, or everything is encoded.

use clipmill_core::encoding::{Encoder, Encoding};
use clipmill_core::media::{AvcForm, ColorInfo, Size, VideoInfo};
use clipmill_core::plan::{PlannedSegment, by_fallback};
use clipmill_core::request::model::{Group, MixOptions, Params};
use clipmill_core::segment::{SegmentKey, SegmentSpec};

use crate::fixture::*;

/// A clip with the format of an output.
fn fit(seconds: f64) -> VideoInfo {
    let avc = AvcForm { configuration: "one".into(), rate: 30, longest_group: 120 };
    VideoInfo {
        coded: options().size,
        frames: (seconds * 30.0) as u64,
        rate: 30.0,
        avc: Some(avc),
        ..video(seconds)
    }
}

fn fixture_of(one: VideoInfo, other: VideoInfo) -> Fixture {
    Fixture::new().file("a", Some(one), Some(audio(2.0))).file("b", Some(other), Some(audio(3.0)))
}

fn whole(options: MixOptions) -> Params {
    base(vec![group(&["a", "b", "a"])], options)
}

fn pictures(reading: &PlanReader) -> Vec<SegmentKey> {
    reading.rendition(0).video.clone()
}

fn are_copied(reading: &PlanReader, index: usize) -> Vec<bool> {
    reading.video(index).iter().map(|picture| picture.encoder.is_copy()).collect()
}

/// Checks that an output is encoded, from the same segments as if its packets had not been probed.
#[track_caller]
fn check_encoded(fixture: Fixture, params: Params, why: &str) {
    let mut blind = Fixture { facts: fixture.facts.clone(), ..Fixture::new() };
    for info in blind.facts.media.values_mut().flatten() {
        info.video.iter_mut().for_each(|video| video.avc = None);
    }
    let (reading, blind) = (PlanReader(fixture.plan(params.clone())), PlanReader(blind.plan(params)));
    assert!(!are_copied(&reading, 0).contains(&true), "{why}");
    assert_eq!(pictures(&reading), pictures(&blind), "{why}: another name");
}

#[test]
fn clips_in_the_outputs_format_are_copied() {
    let fixture = Fixture { part_seconds: 1, ..fixture_of(fit(2.0), fit(3.0)) };
    let reading = PlanReader(fixture.plan(whole(options())));
    assert_eq!(are_copied(&reading, 0), [true, true, true]);
    assert_eq!(reading.frames(0), [60, 90, 60], "in one piece each");
    let rendition = reading.rendition(0);
    assert_eq!(rendition.video[0], rendition.video[2]);
    assert_eq!((rendition.frames.0, rendition.audio.as_ref().unwrap().samples.0), (210, 336_000));

    let both = pro(vec![scene(2.0, &["a"]), scene(3.0, &["b"])], 1);
    let reading = PlanReader(fixture.plan(Params::ProVideoMix(both)));
    assert_eq!(are_copied(&reading, 0), [true, true]);

    // A repeated clip occurs in the list several times.
    let twice = pro(vec![scene(4.0, &["a"])], 1);
    let reading = PlanReader(fixture.plan(Params::ProVideoMix(twice)));
    assert_eq!((are_copied(&reading, 0), reading.frames(0)), (vec![true, true], vec![60, 60]));
}

#[test]
fn an_output_is_copied_or_encoded_as_a_whole() {
    let fixture = fixture_of(fit(2.0), fit(3.0)).clip("other", 1.0);
    let groups = vec![group(&["a", "b"]), group(&["a", "other"]), group(&["a"])];
    let reading = PlanReader(fixture.plan(base(groups, options())));
    assert_eq!(are_copied(&reading, 0), [true, true]);
    assert_eq!(are_copied(&reading, 1), [false, false]);
    assert_eq!(are_copied(&reading, 2), [true]);
    assert_eq!(reading.rendition(0).video[0], reading.rendition(2).video[0], "one segment serves both");
}

type Change = fn(&mut VideoInfo);

#[test]
fn a_clip_in_another_format_makes_the_output_encoded() {
    let changes: &[(&str, Change)] = &[
        ("nothing is known", |video| video.avc = None),
        ("other parameters", |video| form(video).configuration = "two".into()),
        ("another rate", |video| form(video).rate = 60),
        ("rare keyframes", |video| form(video).longest_group = 121),
        ("another size", |video| video.coded = Size::new(720, 1278)),
        ("turned", |video| video.rotation = 180),
        ("stretched", |video| video.sample_aspect = (4, 3)),
        ("interlaced", |video| video.interlaced = true),
        ("a picture too few", |video| video.frames -= 1),
        ("a picture shown for longer", |video| video.duration_s += 0.05),
        ("full range", |video| video.color.full_range = Some(true)),
        ("BT.601", |video| video.color.matrix = Some("smpte170m".into())),
        ("HDR", |video| video.color.transfer = Some("arib-std-b67".into())),
        ("wide colours", |video| video.color.primaries = Some("bt2020".into())),
    ];
    for (why, change) in changes {
        let mut changed = fit(3.0);
        change(&mut changed);
        check_encoded(fixture_of(fit(2.0), changed.clone()), whole(options()), why);
        check_encoded(fixture_of(changed, fit(2.0)), whole(options()), why);
    }
}

fn form(video: &mut VideoInfo) -> &mut AvcForm {
    video.avc.as_mut().unwrap()
}

#[test]
fn a_changed_clip_makes_the_output_encoded() {
    let fixture = || fixture_of(fit(2.0), fit(3.0));
    check_encoded(fixture(), whole(MixOptions { is_shortest: true, ..options() }), "cut to the shortest");
    let cut = Group { total_duration_s: Some(6.9), ..group(&["a", "b", "a"]) };
    check_encoded(fixture(), base(vec![cut], options()), "cut to a total");
    for seconds in [1.9, 2.2, 5.0] {
        let scenes = vec![scene(seconds, &["a"]), scene(3.0, &["b"])];
        check_encoded(fixture(), Params::ProVideoMix(pro(scenes, 1)), "cut, held or repeated");
    }
    let fixture = fixture().cues("words", &[(0, 1000, "words")]);
    let subtitled = MixOptions { subtitle: subtitle("words"), ..options() };
    check_encoded(fixture, whole(subtitled), "captions");
}

#[test]
fn files_beyond_the_maximum_bit_rate_are_encoded() {
    let sized = |bytes: u64| {
        let mut fixture = fixture_of(fit(2.0), fit(3.0));
        fixture.facts.media.get_mut("b").unwrap().as_mut().unwrap().size_bytes = bytes;
        fixture
    };
    let most = 6_000_000 / 8 * 3;
    let reading = PlanReader(sized(most).plan(whole(options())));
    assert_eq!(are_copied(&reading, 0), [true; 3]);
    check_encoded(sized(most + 1), whole(options()), "too large");
}

#[test]
fn small_videos_must_be_tagged_bt709() {
    let small = |color: ColorInfo| {
        let video = |seconds| VideoInfo { coded: Size::new(640, 360), color: color.clone(), ..fit(seconds) };
        fixture_of(video(2.0), video(3.0))
    };
    let options = || MixOptions { size: Size::new(640, 360), ..options() };
    check_encoded(small(ColorInfo::default()), whole(options()), "players guess");
    let tagged = ColorInfo { matrix: Some("bt709".into()), ..ColorInfo::default() };
    assert_eq!(are_copied(&PlanReader(small(tagged).plan(whole(options()))), 0), [true; 3]);
}

#[test]
fn a_failed_copy_becomes_the_regular_encode() {
    for encoder in [Encoder::Libx264, Encoder::H264Vaapi] {
        let encoding = Encoding { encoder, ..Encoding::standard(2) };
        let fixture = Fixture { encoding, ..fixture_of(fit(2.0), fit(3.0)) };
        let copied = fixture.plan(whole(options()));
        let rendition = copied.items[0].outcome.clone().unwrap();
        let again = by_fallback(&rendition, &specs(&copied.segments), &toolchain()).unwrap();

        let blind = fixture_of(VideoInfo { avc: None, ..fit(2.0) }, VideoInfo { avc: None, ..fit(3.0) });
        let encoded = Fixture { encoding, ..blind }.plan(whole(options()));
        assert_eq!(&again.rendition, encoded.items[0].outcome.as_ref().unwrap(), "{encoder:?}");
        assert_ne!(again.rendition.key(), rendition.key());
    }
}

fn specs(segments: &[PlannedSegment]) -> Vec<(SegmentKey, SegmentSpec)> {
    segments.iter().map(|segment| (segment.key.clone(), segment.spec.clone())).collect()
}

#[test]
fn facts_of_earlier_releases_are_read_and_written_unchanged() {
    let before = serde_json::to_value(video(2.0)).unwrap();
    assert!(before.get("avc").is_none());
    assert_eq!(serde_json::from_value::<VideoInfo>(before).unwrap(), video(2.0));
}
