//! Parts of music, a voice-over that begins later, volumes of scene audio, and sounds at given times.

use clipmill_core::request::model::{
    AudioMode, CaptionTiming, MixLength, Params, ProMixParams, Scene, SceneAudio, Sound, Subtitle,
};
use clipmill_core::request::model::{CaptionSource, SubtitleStyle};

use crate::fixture::*;

fn fixture() -> Fixture {
    Fixture::new().silent_clip("mute", 4.0).audio("one", 1.0).audio("three", 3.0)
}

fn sound(url: &str, at_s: f64) -> Sound {
    Sound { url: url.into(), at_s, volume_percent: 80, from_s: None, duration_s: None }
}

fn reading(change: impl FnOnce(&mut clipmill_core::request::model::MixOptions)) -> PlanReader {
    let mut options = options();
    change(&mut options);
    PlanReader(fixture().plan(base(vec![group(&["mute"])], options)))
}

/// Each track as `name from..to` in samples.
fn placed(reading: &PlanReader) -> Vec<Vec<String>> {
    reading.tracks(0).iter().map(|track| reading.placed(track)).collect()
}

fn warnings(reading: &PlanReader) -> Vec<String> {
    let warnings = reading.item(0).warnings.iter();
    warnings.map(|warning| format!("{}: {}", warning.path, warning.message)).collect()
}

#[test]
fn music_is_used_from_a_second_of_its_file() {
    let reading = reading(|options| {
        options.music = track("three", None, 0.0, 0.0);
        options.music.as_mut().unwrap().from_s = Some(1.5);
    });
    let spec = reading.audio(&reading.tracks(0)[0].parts[0]).unwrap();
    assert_eq!((spec.origin_us, spec.samples.0), (1_500_000, 72_000));
    assert_eq!(placed(&reading), [["three 0..72000", "three 72000..144000", "three 144000..216000"]]);
}

#[test]
fn a_file_that_ends_before_its_used_part_is_an_error() {
    for from_s in [3.0, 100.0] {
        let from = Some(from_s);
        let music = reading(|options| {
            options.music = track("three", None, 0.0, 0.0);
            options.music.as_mut().unwrap().from_s = from;
        });
        let sound = reading(|options| options.sounds = vec![Sound { from_s: from, ..sound("three", 0.0) }]);
        for reading in [music, sound] {
            let (code, input) = reading.error(0);
            assert_eq!((code.as_str(), input), ("CLIP_TOO_SHORT", Some("three")));
        }
    }
}

#[test]
fn music_that_ends_before_its_used_part_is_not_dealt() {
    let tracks = [Some(70.0), None].map(|from_s| {
        let track = track("three", None, 0.0, 0.0).unwrap();
        clipmill_core::request::model::Track { from_s, ..track }
    });
    let mut options = options();
    options.music_pool = tracks.to_vec();
    let groups = vec![group(&["mute"]), group(&["mute"])];
    let reading = PlanReader(fixture().plan(base(groups, options)));
    assert_eq!([0, 1].map(|item| reading.item(item).recipe["backgroundMusicPool"].clone()), [1, 1]);
}

#[test]
fn a_voice_begins_at_its_start() {
    let voice = |start_s| {
        reading(|options| {
            options.voice = track("one", None, 0.0, 0.0);
            options.voice.as_mut().unwrap().start_s = Some(start_s);
        })
    };
    let begins = voice(1.5);
    assert_eq!(placed(&begins), [["one 72000..120000"]]);
    assert_eq!(begins.tracks(0)[0].begin.0, 72_000);
    // The end of the video cuts it.
    assert_eq!(placed(&voice(3.5)), [["one 168000..192000"]]);
    let too_late = voice(4.0);
    assert!(too_late.tracks(0).is_empty());
    assert!(warnings(&too_late)[0].starts_with("/params/options/audio/start: "), "{:?}", warnings(&too_late));
}

#[test]
fn a_later_voice_makes_the_output_longer_and_its_captions_later() {
    let check = |start_s: Option<f64>| {
        reading(|options| {
            options.voice = track("one", None, 0.0, 0.0);
            options.voice.as_mut().unwrap().start_s = start_s;
            options.length = MixLength::Voice;
            options.tail_s = Some(0.0);
            options.subtitle = Some(Subtitle {
                source: CaptionSource::Text("Good morning".into()),
                timing: Some(CaptionTiming::Even),
                style: SubtitleStyle::DEFAULT,
            });
        })
    };
    let begins = |reading: &PlanReader| {
        let captions = reading.video(0).into_iter().find_map(|spec| spec.captions.as_ref()).unwrap();
        captions.seen().start.0
    };
    let (at_once, later) = (check(None), check(Some(2.0)));
    assert_eq!(at_once.rendition(0).frames.0, 30);
    assert_eq!(later.rendition(0).frames.0, 90);
    assert_eq!((begins(&at_once), begins(&later)), (0, 60));
}

#[test]
fn sounds_are_played_at_their_times() {
    let reading = reading(|options| {
        options.sounds = vec![
            sound("one", 0.5),
            Sound { volume_percent: 30, ..sound("one", 1.5) },
            // Overlaps, and is cut by the end of the video.
            Sound { from_s: Some(0.5), ..sound("three", 2.0) },
            Sound { duration_s: Some(0.25), ..sound("one", 3.0) },
            sound("one", 4.0),
        ];
    });
    let expected =
        [vec!["one 24000..72000", "one 72000..120000", "one 144000..156000"], vec!["three 96000..192000"]];
    assert_eq!(placed(&reading), expected);
    let volumes: Vec<u32> = reading.tracks(0)[0]
        .parts
        .iter()
        .filter_map(|part| reading.audio(part))
        .map(|spec| spec.volume_percent)
        .collect();
    assert_eq!(volumes, [80, 30, 80]);
    assert!(reading.tracks(0).iter().all(|track| track.volume_percent == 100 && track.ducking.is_none()));
    let warnings = warnings(&reading);
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].starts_with("/params/options/sounds/4/at: "), "{warnings:?}");
}

#[test]
fn scene_audio_has_a_volume() {
    let audio = SceneAudio { url: "one".into(), duration_s: None, start_s: 0.0, volume_percent: 40 };
    let scenes = vec![Scene { audio: vec![audio], ..scene(2.0, &["mute"]) }];
    let params = ProMixParams { audio_mode: AudioMode::Split, ..pro(scenes, 1) };
    let reading = PlanReader(fixture().plan(Params::ProVideoMix(params)));
    let spec = reading.audio(&reading.tracks(0)[0].parts[0]).unwrap();
    assert_eq!(spec.volume_percent, 40);
}
