//! Audio tracks of music, voice and the clips' own audio.

use clipmill_core::plan::{MixTrack, TrackPart};
use clipmill_core::request::model::{MixOptions, Track};
use clipmill_core::time::Samples;

use crate::fixture::*;

fn fixture() -> Fixture {
    Fixture::new()
        .clip("a", 2.0)
        .silent_clip("mute", 1.0)
        .audio("song", 1.5)
        .audio("tick", 0.25)
        .audio("long", 60.0)
}

fn planned(names: &[&str], change: impl FnOnce(&mut MixOptions)) -> PlanReader {
    let mut options = options();
    change(&mut options);
    PlanReader(fixture().plan(base(vec![group(names)], options)))
}

#[test]
fn clips_without_audio_are_silence_of_the_same_length() {
    let reading = planned(&["a", "mute", "a"], |options| options.original_volume = 40);
    let track = &reading.tracks(0)[0];
    assert_eq!(reading.placed(track), ["a 0..96000", "a 144000..240000"]);
    assert_eq!(track.parts[1], TrackPart::Silence(Samples(48_000)));
    assert_eq!((track.heard, track.volume_percent), (Samples(240_000), 40));
}

#[test]
fn missing_or_unwanted_audio_has_no_track() {
    assert!(planned(&["mute"], |_| {}).tracks(0).is_empty());
    let reading = planned(&["a"], |options| options.original_volume = 0);
    assert!(reading.tracks(0).is_empty());
    assert_eq!(
        reading.rendition(0).audio.as_ref().unwrap().samples,
        Samples(96_000),
        "the mix is silent, not absent"
    );
    assert_eq!(reading.0.segments.len(), 1, "sound that is not heard is not made");
}

#[test]
fn music_loops_its_used_part_to_the_end() {
    let track = |url: &str, duration_s, names: &[&str]| {
        let reading = planned(names, |options| options.music = track(url, duration_s, 0.0, 0.0));
        let track = reading.tracks(0).last().unwrap().clone();
        let period = reading.audio(&track.parts[0]).unwrap().loop_period;
        assert_eq!(Some(track.heard), reading.rendition(0).audio.as_ref().map(|mix| mix.samples));
        (reading.placed(&track), period)
    };
    assert_eq!(
        track("song", None, &["a", "a"]).0,
        ["song 0..72000", "song 72000..144000", "song 144000..216000"]
    );
    assert_eq!(track("long", None, &["a"]).0, ["long 0..96000"]);
    assert_eq!(track("long", Some(1.0), &["a"]).0, ["long 0..48000", "long 48000..96000"]);
    assert_eq!(
        track("song", Some(9.0), &["a"]).0,
        ["song 0..72000", "song 72000..144000"],
        "no more than there is"
    );
    // Audio of less than a second is repeated inside one segment.
    assert_eq!(
        track("tick", None, &["a"]),
        (vec!["tick 0..48000".into(), "tick 48000..96000".into()], Some(Samples(12_000)))
    );
}

#[test]
fn the_voice_plays_once_and_ends_with_the_video() {
    let track = |url: &str, duration_s| {
        let reading = planned(&["a"], |options| options.voice = track(url, duration_s, 0.0, 0.0));
        let track = reading.tracks(0).last().unwrap().clone();
        (reading.placed(&track).join(", "), track.heard.0)
    };
    assert_eq!(track("song", None), ("song 0..72000".into(), 72_000));
    assert_eq!(track("long", None), ("long 0..96000".into(), 96_000));
    assert_eq!(track("long", Some(0.5)), ("long 0..24000".into(), 24_000));
}

#[test]
fn fades_are_within_the_audible_part_and_shrink_together() {
    let fades = |fade_in, fade_out| {
        let reading = planned(&["a"], |options| options.voice = track("song", None, fade_in, fade_out));
        let track = reading.tracks(0).last().unwrap();
        (track.fade_in.0, track.fade_out.0)
    };
    assert_eq!(fades(0.5, 0.5), (24_000, 24_000));
    assert_eq!(fades(0.5, 1.0), (24_000, 48_000));
    assert_eq!(fades(2.0, 4.0), (24_000, 48_000));
    assert_eq!(fades(10.0, 0.0), (72_000, 0));
    assert_eq!(fades(0.0, 0.0), (0, 0));
}

#[test]
fn tracks_are_in_the_order_clips_voice_music() {
    let reading = planned(&["a"], |options| {
        options.voice = track("song", None, 0.0, 0.0);
        options.music = track("tick", None, 0.0, 0.0);
    });
    let first: Vec<String> = reading.tracks(0).iter().map(|track| reading.placed(track)[0].clone()).collect();
    assert_eq!(first, ["a 0..96000", "song 0..72000", "tick 0..48000"]);
}

#[test]
fn audio_begins_with_the_video_on_the_containers_clock() {
    let (mut picture, mut sound) = (video(2.0), audio(2.0));
    (picture.start_s, sound.start_s) = (1.4, 1.25);
    let fixture = Fixture::new().file("ts", Some(picture), Some(sound));
    let reading = PlanReader(fixture.plan(base(vec![group(&["ts"])], options())));
    assert_eq!(reading.audio(&reading.tracks(0)[0].parts[0]).unwrap().origin_us, 1_400_000);

    // As music, the same file is used from its own first sample.
    let mut with_music = options();
    with_music.music = track("ts", None, 0.0, 0.0);
    let reading = PlanReader(fixture.plan(base(vec![group(&["ts"])], with_music)));
    assert_eq!(reading.audio(&reading.tracks(0)[1].parts[0]).unwrap().origin_us, 1_250_000);
}

/// The roles of the tracks under ducking, clips first, and the warnings.
fn ducking(change: impl FnOnce(&mut MixOptions)) -> (String, usize) {
    let reading = planned(&["a"], |options| {
        options.ducking = true;
        change(options);
    });
    let role = |track: &MixTrack| track.ducking.map_or("-".into(), |role| format!("{role:?}"));
    let roles: Vec<String> = reading.tracks(0).iter().map(role).collect();
    (roles.join(" "), reading.item(0).warnings.len())
}

#[test]
fn music_is_lowered_by_the_voice_or_else_by_the_clips() {
    let music = track("tick", None, 0.0, 0.0);
    let voice = track("song", None, 0.0, 0.0);
    let check = |music: &Option<Track>, voice: &Option<Track>, volume, expected: (&str, usize)| {
        let (roles, remarks) = ducking(|options| {
            (options.music, options.voice) = (music.clone(), voice.clone());
            options.original_volume = volume;
        });
        assert_eq!((roles.as_str(), remarks), expected);
    };
    check(&music, &voice, 100, ("- Speech Music", 0));
    check(&music, &voice, 0, ("Speech Music", 0));
    check(&music, &None, 100, ("Speech Music", 0));
    check(&music, &None, 0, ("-", 1));
    check(&None, &voice, 100, ("- -", 0));
    let reading = planned(&["a"], |options| (options.music, options.voice) = (music.clone(), voice.clone()));
    assert!(reading.tracks(0).iter().all(|track| track.ducking.is_none()));
}

#[test]
fn every_segment_but_looping_music_has_edges_against_clicks() {
    let music = |url: &str, duration_s| {
        let reading = planned(&["a"], |options| {
            options.music = track(url, duration_s, 0.0, 0.0);
            options.voice = track("long", None, 0.0, 0.0);
        });
        let (track, others) = reading.tracks(0).split_last().unwrap();
        for part in others.iter().flat_map(|track| &track.parts) {
            let spec = reading.audio(part).unwrap();
            assert_eq!((spec.edge_fade, spec.seam), (Samples(240), None));
        }
        assert_eq!((track.fade_in, track.fade_out), (Samples(240), Samples(240)));
        let spec = reading.audio(&track.parts[0]).unwrap();
        (spec.edge_fade.0, spec.seam.map(|seam| seam.0))
    };
    assert_eq!(music("song", None), (0, Some(2880)));
    assert_eq!(music("tick", None), (0, Some(2880)));
    // Music that plays once has no seam, nor has music that ends with the video.
    assert_eq!(music("long", None), (240, None));
    assert_eq!(music("long", Some(2.0)), (240, None));
    assert_eq!(music("long", Some(1.9)), (0, Some(2880)));
}

#[test]
fn the_final_fade_ends_with_the_video_and_changes_no_track() {
    let faded = |seconds| {
        planned(&["a"], |options| {
            options.music = track("song", None, 0.5, 0.5);
            options.fade_out_s = seconds;
        })
    };
    let fade = |seconds| faded(seconds).rendition(0).audio.as_ref().map(|mix| mix.fade_out);
    assert_eq!(fade(0.0), Some(Samples(0)));
    assert_eq!(fade(1.5), Some(Samples(72_000)));
    assert_eq!(fade(10.0), Some(Samples(96_000)), "no longer than the picture");
    assert_eq!(faded(1.5).tracks(0), faded(0.0).tracks(0));
    assert_eq!(faded(1.5).0.segments, faded(0.0).0.segments);
}

#[test]
fn edges_are_at_the_beginning_and_end_of_a_clips_audio() {
    let sounding = |start_s: f64, duration_s: f64| {
        let mut audio_info = audio(duration_s);
        audio_info.start_s = start_s;
        let fixture = Fixture::new().file("clip", Some(video(2.0)), Some(audio_info));
        let reading = PlanReader(fixture.plan(base(vec![group(&["clip"])], options())));
        let spec = reading.audio(&reading.tracks(0)[0].parts[0]).unwrap();
        spec.sounding.map(|(from, to)| (from.0, to.0))
    };
    assert_eq!(sounding(0.0, 2.0), None);
    assert_eq!(sounding(-0.1, 3.0), None);
    assert_eq!(sounding(0.0, 1.5), Some((0, 72_000)));
    assert_eq!(sounding(0.25, 2.0), Some((12_000, 96_000)));
    assert_eq!(sounding(-0.5, 1.0), Some((0, 24_000)));
    assert_eq!(sounding(3.0, 1.0), None);
}
