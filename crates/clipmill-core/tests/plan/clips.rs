//! Clip previews, a few seconds of an output: their frames and size, the audible audio, and the omitted segments.

use clipmill_core::media::Size;
use clipmill_core::plan::{FrameError, MixTrack, Moment, PlannedClip, TrackPart, clip, clip_inputs};
use clipmill_core::request::model::*;
use clipmill_core::segment::SegmentSpec;
use clipmill_core::segment::VideoSpec;
use clipmill_core::time::{Frames, Samples};
use clipmill_core::transitions::Transition;

use crate::fixture::*;

fn at(item_no: u32, clip: Option<usize>, at_s: f64) -> Moment {
    Moment { item_no, clip, at_s: Some(at_s) }
}

fn play(fixture: &Fixture, params: Params, moment: &Moment, seconds: f64) -> Result<PlannedClip, FrameError> {
    let seed = params.seed().unwrap_or(1);
    let request = request(params);
    fixture.within(|context| clip(&request, seed, &fixture.facts, context, moment, seconds))
}

fn specs(clip: &PlannedClip) -> Vec<&VideoSpec> {
    let spec = |key| clip.segments.iter().find(|segment| &segment.key == key).map(|segment| &segment.spec);
    let specs = clip.rendition.video.iter().map(|key| match spec(key) {
        Some(SegmentSpec::Video(picture)) => picture,
        other => panic!("{other:?}"),
    });
    specs.collect()
}

/// Frames of each video segment, and its file.
fn shown(clip: &PlannedClip) -> Vec<(String, u64)> {
    let name = |picture: &VideoSpec| picture.source.0.strip_prefix("content of ").unwrap().to_owned();
    specs(clip).into_iter().map(|picture| (name(picture), picture.frames.0)).collect()
}

fn sounding(track: &MixTrack) -> Vec<bool> {
    track.parts.iter().map(|part| matches!(part, TrackPart::Audio(_))).collect()
}

fn three(options: MixOptions) -> Params {
    base(vec![group(&["a", "b", "c"])], options)
}

fn fixture() -> Fixture {
    Fixture::new().clip("a", 4.0).clip("b", 4.0).clip("c", 4.0).audio("song", 60.0).audio("voice", 5.0)
}

fn fading() -> MixOptions {
    let names = vec![TransitionName(Transition::find("fade").unwrap())];
    MixOptions { transition: Some(Transitions { names, duration_s: 1.0 }), ..options() }
}

#[test]
fn the_frames_are_those_of_the_output_and_small() {
    let check = |options: MixOptions, moment: Moment, seconds: f64, expected: &[(&str, u64)], at_s: f64| {
        let clip = play(&fixture(), three(options), &moment, seconds).unwrap();
        let expected: Vec<_> = expected.iter().map(|(name, frames)| ((*name).to_owned(), *frames)).collect();
        assert_eq!((shown(&clip), clip.at_s), (expected, at_s));
        let frames = specs(&clip).iter().map(|spec| spec.frames.0).sum();
        assert_eq!(clip.rendition.frames, Frames(frames));
        assert_eq!(clip.rendition.audio.as_ref().unwrap().samples, Samples(frames * 1600));
        for spec in specs(&clip) {
            assert_eq!((spec.size, spec.encoder.preset.as_str()), (Size::new(360, 640), "ultrafast"));
        }
    };
    let cut = options();
    check(cut.clone(), at(1, None, 0.0), 4.0, &[("a", 120)], 0.0);
    check(cut.clone(), at(1, None, 3.0), 2.0, &[("a", 30), ("b", 30)], 3.0);
    check(cut.clone(), at(1, Some(1), 1.0), 1.0, &[("b", 30)], 5.0);
    // To the end of the output, and at least a second of it.
    check(cut.clone(), at(1, None, 11.0), 10.0, &[("c", 30)], 11.0);
    check(cut.clone(), at(1, None, 500.0), 10.0, &[("c", 30)], 11.0);
    check(cut, Moment { item_no: 1, clip: None, at_s: None }, 0.1, &[("a", 3)], 0.0);
    // Overlaps are from 3 to 4 s and from 6 to 7 s.
    check(fading(), at(1, None, 3.5), 3.0, &[("a", 15), ("b", 60), ("b", 15)], 3.5);
}

#[test]
fn long_clips_are_rendered_in_parts() {
    let fixture = Fixture::new().clip("long", 30.0).clip("b", 4.0);
    let check = |params: Params, at_s: f64, seconds: f64, expected: &[u64]| {
        let clip = play(&fixture, params, &at(1, None, at_s), seconds).unwrap();
        let frames: Vec<_> = shown(&clip).into_iter().map(|(_, frames)| frames).collect();
        assert_eq!(
            (frames.as_slice(), clip.is_long()),
            (expected, seconds > 10.0),
            "{seconds} s from {at_s} s"
        );
        assert_eq!(clip.rendition.frames.0, expected.iter().sum::<u64>());
    };
    let mix = || base(vec![group(&["long", "b"])], options());
    check(mix(), 0.0, 10.0, &[300]);
    check(mix(), 0.0, 180.0, &[240, 240, 240, 180, 120]);
    check(mix(), 3.0, 14.0, &[150, 240, 30]);
    let variation = || {
        let options = DedupOptions::default();
        Params::VideoDeduplication(DedupParams { videos: clips(&["long"]), options, seed: None })
    };
    check(variation(), 3.0, 10.0, &[300]);
    check(variation(), 0.0, 180.0, &[240, 240, 240, 180]);
    check(variation(), 3.0, 14.0, &[150, 240, 30]);
}

#[test]
fn a_clip_can_start_within_an_overlap() {
    let graph = |at_s: f64, seconds: f64| {
        let clip = play(&fixture(), three(fading()), &at(1, None, at_s), seconds).unwrap();
        specs(&clip)[0].graph.to_string()
    };
    let (whole, later) = (graph(3.0, 0.5), graph(3.5, 0.5));
    let cut = "trim=start_frame=15,setpts=expr=N/(30*TB),fps=fps=30,";
    assert!(later.contains(cut) && !whole.contains(cut), "{later}");
    assert_eq!(later.replacen(cut, "", 1), whole);
}

#[test]
fn captions_and_texts_are_those_of_the_moment() {
    let fixture = fixture().cues("words", &[(0, 1_000, "one"), (2_000, 6_000, "two")]);
    let clip = play(
        &fixture,
        three(MixOptions { subtitle: subtitle("words"), ..options() }),
        &at(1, None, 3.0),
        2.0,
    );
    let clip = clip.unwrap();
    for spec in specs(&clip) {
        assert_eq!(spec.captions.as_ref().unwrap().seen(), Frames(0)..Frames(30));
    }
    let clip = play(
        &fixture,
        three(MixOptions { subtitle: subtitle("words"), ..options() }),
        &at(1, None, 1.2),
        0.5,
    );
    assert!(specs(&clip.unwrap())[0].captions.is_none());
}

#[test]
fn inaudible_audio_is_not_rendered_unless_the_level_depends_on_it() {
    let options = MixOptions {
        music: track("song", None, 0.0, 2.0),
        voice: track("voice", None, 0.0, 0.0),
        ducking: true,
        ..options()
    };
    let clip = play(&fixture(), three(options.clone()), &at(1, None, 9.0), 2.0).unwrap();
    let mix = clip.rendition.audio.as_ref().unwrap();
    let stretch = mix.stretch.unwrap();
    assert_eq!(
        (stretch.begin, stretch.of, mix.samples),
        (Samples(432_000), Samples(576_000), Samples(96_000))
    );
    let tracks: Vec<_> = mix.tracks.iter().map(sounding).collect();
    // The second clip's audio is needed although it is over: ducking may still lower the music because of it. The voice
    // ended four seconds before.
    assert_eq!(tracks, [vec![false, true, true], vec![false], vec![true]]);
    assert_eq!(mix.tracks[2].heard, Samples(576_000), "fades are where they are in the whole");
    assert_eq!(clip.segments.len(), 1 + 3, "one picture, three sounds");

    let whole = PlanReader(fixture().plan(three(options.clone())));
    let audio = clip.segments.iter().filter(|segment| matches!(segment.spec, SegmentSpec::Audio(_)));
    assert!(audio.map(|segment| &segment.key).all(|key| whole.rendition(0).segments().contains(key)));

    let early = play(&fixture(), three(options.clone()), &at(1, None, 0.0), 2.0).unwrap();
    let tracks: Vec<_> = early.rendition.audio.as_ref().unwrap().tracks.iter().map(sounding).collect();
    assert_eq!(tracks, [vec![true], vec![true], vec![true]], "what begins later is left out");

    let loud = MixOptions { loudness_lufs: Some(-16.0), ..options };
    let clip = play(&fixture(), three(loud), &at(1, None, 9.0), 2.0).unwrap();
    assert_eq!(clip.segments.len(), 1 + 5);
}

#[test]
fn a_variation_has_its_speed_and_position() {
    let span = |value| Some(Span { min: value, max: value });
    let varied = DedupOptions { speed: span(2.0), mirror: true, ..DedupOptions::default() };
    let params =
        Params::VideoDeduplication(DedupParams { videos: clips(&["a"]), options: varied, seed: Some(1) });
    let clip = play(&fixture(), params.clone(), &at(1, None, 0.5), 0.8).unwrap();
    assert_eq!((shown(&clip), clip.length_s), (vec![("a".to_owned(), 24)], 2.0));
    let spec = specs(&clip)[0];
    assert_eq!(spec.size, Size::new(640, 360));
    assert_eq!(spec.part.unwrap().begin, Frames(15));
    assert!(spec.graph.to_string().contains("hflip"));
    let stretch = clip.rendition.audio.as_ref().unwrap().stretch.unwrap();
    assert_eq!((stretch.begin, stretch.of), (Samples(24_000), Samples(96_000)));
    let whole = play(&fixture(), params, &at(1, None, 0.0), 10.0).unwrap();
    assert_eq!((shown(&whole)[0].1, specs(&whole)[0].part), (60, None));
}

#[test]
fn scenes_are_audible_and_every_file_of_the_output_is_requested() {
    let mut params = pro(vec![scene(2.0, &["a"]), scene(3.0, &["b"])], 1);
    params.scenes[1].audio =
        vec![SceneAudio { url: "voice".into(), duration_s: None, start_s: 1.0, volume_percent: 100 }];
    params.options.music = track("song", None, 0.0, 0.0);
    let params = Params::ProVideoMix(params);
    let inputs = clip_inputs(&request(params.clone()), 1, &Default::default(), &at(1, Some(0), 0.0));
    let mut inputs: Vec<&str> = inputs.iter().map(|input| input.url.as_str()).collect();
    inputs.sort_unstable();
    assert_eq!(inputs, ["a", "b", "song", "voice"]);
    let clip = play(&fixture(), params.clone(), &at(1, Some(1), 1.5), 1.0).unwrap();
    assert_eq!((shown(&clip), clip.at_s), (vec![("b".to_owned(), 30)], 3.5));
    let tracks: Vec<_> = clip.rendition.audio.as_ref().unwrap().tracks.iter().map(sounding).collect();
    assert_eq!(tracks, [vec![true, true], vec![false, true], vec![true]]);
    assert_eq!(play(&fixture(), params.clone(), &at(2, None, 0.0), 1.0), Err(FrameError::NoSuchItem(1)));
    assert_eq!(play(&fixture(), params, &at(1, Some(2), 0.0), 1.0), Err(FrameError::NoSuchClip(2)));
}
