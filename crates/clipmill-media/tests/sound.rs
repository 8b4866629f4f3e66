//! Sound of a mix, measured: levels in dB, places in samples, no gaps, no clipping.

// Helpers fail as tests do.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod support;

use clipmill_core::request::model::{AudioMode, MixOptions, Params, SceneAudio, Track};
use support::*;

const PICTURE: &str = "-f lavfi -i color=gray:s=96x64:r=25";
const SILENT: &str = "-t 1 -c:v libx264 -preset ultrafast";

/// A clip without sound; names tell length and what else it has.
async fn mute(lab: &mut Lab, seconds: f64) -> String {
    lab.source(
        &format!("mute{seconds}.mp4"),
        &format!("{PICTURE}:d={seconds} -c:v libx264 -preset ultrafast"),
    )
    .await
}

/// A clip with a tone of 0.25 of full scale on both channels.
async fn toned(lab: &mut Lab, seconds: f64, hz: u32) -> String {
    let sound = format!("-f lavfi -i aevalsrc=0.25*sin(2*PI*{hz}*t):c=stereo:s=48000:d={seconds}");
    let codecs = "-c:v libx264 -preset ultrafast -c:a pcm_s16le";
    lab.source(&format!("tone{seconds}-{hz}.mov"), &format!("{PICTURE}:d={seconds} {sound} {codecs}")).await
}

/// A sound file with a tone of 0.25 of full scale.
async fn tone(lab: &mut Lab, name: &str, seconds: f64, hz: u32) -> String {
    lab.source(name, &format!("-f lavfi -i aevalsrc=0.25*sin(2*PI*{hz}*t):c=stereo:s=48000:d={seconds}"))
        .await
}

/// The level of such a tone.
const TONE_DB: f64 = -15.05;

fn track(url: &str, change: impl FnOnce(&mut Track)) -> Option<Track> {
    let mut track =
        Track { url: url.to_owned(), duration_s: None, volume_percent: 100, fade_in_s: 0.0, fade_out_s: 0.0 };
    change(&mut track);
    Some(track)
}

fn quiet() -> MixOptions {
    options((96, 64), 25)
}

async fn heard(lab: &Lab, params: Params) -> Vec<f32> {
    samples(&lab.render_one(params).await.path).await
}

#[track_caller]
fn check_level(samples: &[f32], (from, to): (f64, f64), expected: f64, tolerance: f64) {
    let found = level_db(samples, from, to);
    assert!(
        (found - expected).abs() <= tolerance,
        "{found:.2} dB instead of {expected:.2} from {from} to {to} s"
    );
}

/// Levels of windows of 20 ms.
fn windows(samples: &[f32], from_s: f64, to_s: f64) -> Vec<f64> {
    let count = ((to_s - from_s) / 0.02).floor() as usize;
    (0..count).map(|i| from_s + i as f64 * 0.02).map(|at| level_db(samples, at, at + 0.02)).collect()
}

#[tokio::test]
async fn music_loops_to_the_end_of_the_picture_without_a_gap() {
    let mut lab = Lab::new().await;
    let clip = mute(&mut lab, 3.0).await;
    for (name, seconds) in
        [("song.wav", 0.7), ("song.mp3", 0.7), ("song.m4a", 1.3), ("song.ogg", 0.5), ("tick.flac", 0.05)]
    {
        let song = tone(&mut lab, name, seconds, 1000).await;
        let made = lab
            .render_one(base(vec![group(&[&clip])], MixOptions { music: track(&song, |_| {}), ..quiet() }))
            .await;
        let sound = samples(&made.path).await;
        let levels = windows(&sound, 0.0, 2.98);
        for (i, level) in levels.iter().enumerate() {
            assert!((level - TONE_DB).abs() < 2.0, "{name}: {level:.1} dB at {:.2} s", i as f64 * 0.02);
        }
    }
}

#[tokio::test]
async fn music_is_used_up_to_its_duration() {
    let mut lab = Lab::new().await;
    let clip = mute(&mut lab, 2.0).await;
    // Loud for 0.4 s, then silent: with 0.4 s used of it, it never is.
    let song =
        lab.source("song.wav", "-f lavfi -i aevalsrc=0.25*sin(2*PI*1000*t)*lt(t\\,0.4):s=48000:d=1").await;
    let whole =
        heard(&lab, base(vec![group(&[&clip])], MixOptions { music: track(&song, |_| {}), ..quiet() })).await;
    assert!(level_db(&whole, 0.5, 0.9) < -80.0);
    check_level(&whole, (1.05, 1.35), TONE_DB, 0.3);
    let part = track(&song, |track| track.duration_s = Some(0.4));
    let part = heard(&lab, base(vec![group(&[&clip])], MixOptions { music: part, ..quiet() })).await;
    assert!(windows(&part, 0.0, 1.98).into_iter().all(|level| (level - TONE_DB).abs() < 2.0));
}

#[tokio::test]
async fn volumes_are_percent_of_amplitude() {
    let mut lab = Lab::new().await;
    let clip = mute(&mut lab, 1.0).await;
    let song = tone(&mut lab, "song.wav", 5.0, 1000).await;
    for (percent, db) in [(100, 0.0), (80, -1.94), (50, -6.02), (10, -20.0)] {
        let level = |track: &mut Track| track.volume_percent = percent;
        for options in [
            MixOptions { music: track(&song, level), ..quiet() },
            MixOptions { voice: track(&song, level), ..quiet() },
        ] {
            let sound = heard(&lab, base(vec![group(&[&clip])], options)).await;
            check_level(&sound, (0.1, 0.9), TONE_DB + db, 0.1);
        }
    }
    let silent = track(&song, |track| track.volume_percent = 0);
    let sound = heard(&lab, base(vec![group(&[&clip])], MixOptions { music: silent, ..quiet() })).await;
    assert!(level_db(&sound, 0.0, 1.0) < -80.0);
}

#[tokio::test]
async fn fades_are_straight_lines_of_amplitude_at_both_ends() {
    let mut lab = Lab::new().await;
    let clip = mute(&mut lab, 3.0).await;
    let song = tone(&mut lab, "song.wav", 1.0, 1000).await;
    let faded = |track: &mut Track| (track.fade_in_s, track.fade_out_s) = (1.0, 0.5);
    let check = |sound: &[f32], end: f64| {
        let around = |at: f64| (at - 0.01, at + 0.01);
        check_level(sound, around(0.25), TONE_DB - 12.04, 0.5);
        check_level(sound, around(0.5), TONE_DB - 6.02, 0.4);
        check_level(sound, around(0.75), TONE_DB - 2.5, 0.3);
        check_level(sound, around(end - 0.25), TONE_DB - 6.02, 0.4);
        check_level(sound, around(end - 0.125), TONE_DB - 12.04, 0.5);
    };
    let music =
        heard(&lab, base(vec![group(&[&clip])], MixOptions { music: track(&song, faded), ..quiet() })).await;
    check(&music, 3.0);
    check_level(&music, (1.05, 2.4), TONE_DB, 0.2);
    // A voice cut by the picture's end fades out there.
    let long = tone(&mut lab, "long.wav", 9.0, 1000).await;
    let voice =
        heard(&lab, base(vec![group(&[&clip])], MixOptions { voice: track(&long, faded), ..quiet() })).await;
    check(&voice, 3.0);
}

#[tokio::test]
async fn fades_that_do_not_fit_shrink_in_proportion() {
    let mut lab = Lab::new().await;
    let clip = mute(&mut lab, 2.0).await;
    let song = tone(&mut lab, "song.wav", 1.2, 1000).await;
    let faded = track(&song, |track| (track.fade_in_s, track.fade_out_s) = (4.0, 2.0));
    let voice = heard(&lab, base(vec![group(&[&clip])], MixOptions { voice: faded, ..quiet() })).await;
    check_level(&voice, (0.39, 0.41), TONE_DB - 6.02, 0.4);
    check_level(&voice, (0.79, 0.81), TONE_DB, 0.4);
    check_level(&voice, (0.99, 1.01), TONE_DB - 6.02, 0.4);
    assert!(level_db(&voice, 1.25, 1.95) < -80.0);
}

#[tokio::test]
async fn a_voice_plays_once_and_is_cut_with_the_picture() {
    let mut lab = Lab::new().await;
    let clip = mute(&mut lab, 2.0).await;
    for (seconds, limit, ends) in [(0.8, None, 0.8), (5.0, None, 2.0), (5.0, Some(1.1), 1.1)] {
        let words = tone(&mut lab, &format!("words{seconds}.wav"), seconds, 1000).await;
        let voice = track(&words, |track| track.duration_s = limit);
        let made = lab.render_one(base(vec![group(&[&clip])], MixOptions { voice, ..quiet() })).await;
        assert!(made.output.quality.av_difference_ms.unwrap().abs() <= 40.0);
        let sound = samples(&made.path).await;
        check_level(&sound, (0.02, ends - 0.03), TONE_DB, 0.2);
        assert!(ends == 2.0 || level_db(&sound, ends + 0.03, 1.95) < -70.0, "silent after {ends} s");
    }
}

#[tokio::test]
async fn clips_keep_their_own_sound_at_its_volume() {
    let mut lab = Lab::new().await;
    let (low, mute) = (toned(&mut lab, 1.0, 1000).await, mute(&mut lab, 1.0).await);
    for (volume, db) in [(100, Some(0.0)), (40, Some(-7.96)), (0, None)] {
        let options = MixOptions { original_volume: volume, ..quiet() };
        let sound = heard(&lab, base(vec![group(&[&low, &mute, &low])], options)).await;
        for from in [0.1, 2.1] {
            match db {
                Some(db) => check_level(&sound, (from, from + 0.8), TONE_DB + db, 0.15),
                None => assert!(level_db(&sound, from, from + 0.8) < -80.0),
            }
        }
        assert!(level_db(&sound, 1.05, 1.95) < -70.0, "a clip without sound is silent");
    }
}

#[tokio::test]
async fn lanes_are_added_and_none_turns_another_down() {
    let mut lab = Lab::new().await;
    let clip = toned(&mut lab, 1.0, 500).await;
    let song = tone(&mut lab, "song.wav", 1.0, 1500).await;
    let sound =
        heard(&lab, base(vec![group(&[&clip])], MixOptions { music: track(&song, |_| {}), ..quiet() })).await;
    check_level(&sound, (0.1, 0.9), TONE_DB + 3.01, 0.2);
}

#[tokio::test]
async fn one_channel_is_as_loud_as_two_and_six_do_not_clip() {
    let mut lab = Lab::new().await;
    let clip = mute(&mut lab, 1.0).await;
    for (layout, amplitude, peak_db) in
        [("mono", 0.25, -12.04), ("stereo", 0.25, -12.04), ("5.1", 0.2, -6.32)]
    {
        let name = format!("{layout}-{amplitude}.wav");
        let source =
            format!("-f lavfi -i aevalsrc={amplitude}*sin(2*PI*500*t):c={layout}:s=48000:d=1 -c:a pcm_f32le");
        let song = lab.source(&name, &source).await;
        let made = lab
            .render_one(base(vec![group(&[&clip])], MixOptions { music: track(&song, |_| {}), ..quiet() }))
            .await;
        for side in 0..2 {
            let samples: Vec<f32> = stereo(&made.path).await.into_iter().map(|both| both[side]).collect();
            check_level(&samples, (0.1, 0.9), peak_db - 3.01, 0.3);
        }
    }
}

#[tokio::test]
async fn loud_lanes_together_do_not_clip() {
    let mut lab = Lab::new().await;
    let tone = |hz| format!("-f lavfi -i aevalsrc=sin(2*PI*{hz}*t):c=stereo:s=48000:d=2");
    let noise = |color, db| {
        format!(
            "-f lavfi -i anoisesrc=d=2:c={color}:a=1:seed=5 -af aformat=channel_layouts=stereo,volume={db}dB"
        )
    };
    let blows = "-f lavfi -i aevalsrc=exp(-mod(t\\,0.25)*30)*sin(2*PI*90*t):c=stereo:s=48000:d=2".to_owned();
    for (i, [own, voice, music]) in [
        [tone(220), noise("pink", 0), tone(330)],
        [tone(60), blows.clone(), tone(62)],
        [noise("brown", 20), noise("pink", 15), noise("white", 6)],
        [blows.clone(), noise("brown", 12), blows],
    ]
    .into_iter()
    .enumerate()
    {
        let source = format!("{PICTURE}:d=2 {own} -c:v libx264 -c:a pcm_s16le");
        let clip = lab.source(&format!("loud{i}.mov"), &source).await;
        let voice = lab.source(&format!("voice{i}.wav"), &voice).await;
        let music = lab.source(&format!("music{i}.wav"), &music).await;
        let options = MixOptions { music: track(&music, |_| {}), voice: track(&voice, |_| {}), ..quiet() };
        let made = lab.render_one(base(vec![group(&[&clip])], options)).await;
        let sides = stereo(&made.path).await.into_iter().flatten();
        let peak = sides.fold(0f32, |peak, sample| peak.max(sample.abs()));
        assert!((0.6..=1.0).contains(&peak), "mix {i}: the peak is {peak}");
    }
}

/// Scene audio as a short loud beep, with half a second of silence behind it.
async fn beep(lab: &mut Lab, name: &str, seconds: f64) -> String {
    let beep = format!("aevalsrc=0.5*sin(2*PI*1500*t)*lt(t\\,{seconds}):s=48000:d={}", seconds + 0.5);
    lab.source(name, &format!("-f lavfi -i {beep}")).await
}

fn scene_audio(url: &str, start_s: f64) -> Vec<SceneAudio> {
    vec![SceneAudio { url: url.to_owned(), duration_s: None, start_s }]
}

#[tokio::test]
async fn scene_audio_begins_where_its_mode_says() {
    let mut lab = Lab::new().await;
    let clip = mute(&mut lab, 2.0).await;
    let beep = beep(&mut lab, "beep.wav", 0.2).await;
    let scenes = [(1.0, clip.as_str()), (2.0, &clip), (1.0, &clip)];
    for (mode, starts, expected) in [
        (AudioMode::Split, [Some(0.3), Some(0.5), Some(0.25)], vec![0.3, 1.5, 3.25]),
        (AudioMode::Split, [Some(1.5), Some(0.0), None], vec![1.0]),
        // Each file lasts 0.7 s.
        (AudioMode::Merge, [Some(0.3), Some(0.5), Some(0.25)], vec![0.3, 1.5, 2.45]),
        (AudioMode::Merge, [None, Some(0.1), Some(1.2)], vec![0.1, 2.0]),
    ] {
        let params = pro(&scenes, quiet(), |params| {
            params.audio_mode = mode;
            for (scene, start) in params.scenes.iter_mut().zip(starts) {
                scene.audio = start.map_or(vec![], |start| scene_audio(&beep, start));
            }
        });
        let made = lab.render_one(params).await;
        let found = onsets(&made.path).await;
        assert_eq!(found.len(), expected.len(), "{mode:?} {starts:?}: {found:?}");
        for (found, expected) in found.iter().zip(&expected) {
            assert!(
                (found - expected).abs() <= 0.005,
                "{mode:?} {starts:?}: {found:.4} instead of {expected}"
            );
        }
    }
}

#[tokio::test]
async fn scene_audio_is_cut_at_the_scenes_end_only_when_split() {
    let mut lab = Lab::new().await;
    let clip = mute(&mut lab, 2.0).await;
    let long = tone(&mut lab, "long.wav", 1.5, 1000).await;
    for (mode, ends) in [(AudioMode::Split, 1.0), (AudioMode::Merge, 1.7)] {
        let params = pro(&[(1.0, &clip), (1.0, &clip)], quiet(), |params| {
            params.audio_mode = mode;
            params.scenes[0].audio = scene_audio(&long, 0.2);
        });
        let sound = heard(&lab, params).await;
        check_level(&sound, (0.25, ends - 0.05), TONE_DB, 0.2);
        assert!(level_db(&sound, ends + 0.03, 1.95) < -70.0, "{mode:?} ends at {ends} s");
    }
}

#[tokio::test]
async fn a_scene_that_loops_repeats_its_sound_with_its_picture() {
    let mut lab = Lab::new().await;
    let beep = "-f lavfi -i aevalsrc=0.5*sin(2*PI*1500*t)*between(t\\,0.2\\,0.3):s=48000:d=0.9";
    // Its sound is longer than its picture.
    let clip = lab.source("a.mov", &format!("{PICTURE}:d=0.6 {beep} {SILENT} -c:a pcm_s16le")).await;
    let made = lab.render_one(pro(&[(2.0, &clip)], quiet(), |_| {})).await;
    let found = onsets(&made.path).await;
    let expected = [0.2, 0.8, 1.4];
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(
        found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 0.005),
        "{found:?}"
    );
}

/// Level of one tone in a part of the sound, in dB below full scale, whatever sounds beside it.
fn tone_db(samples: &[f32], hz: f64, (from, to): (f64, f64)) -> f64 {
    let part = &samples[(from * 48_000.0) as usize..(to * 48_000.0) as usize];
    let (mut re, mut im, mut weight) = (0.0, 0.0, 0.0);
    for (i, sample) in part.iter().enumerate() {
        // A Hann window keeps neighbouring tones out.
        let window = 0.5 - 0.5 * (std::f64::consts::TAU * i as f64 / part.len() as f64).cos();
        let (sin, cos) = (std::f64::consts::TAU * hz * i as f64 / 48_000.0).sin_cos();
        re += window * f64::from(*sample) * cos;
        im += window * f64::from(*sample) * sin;
        weight += window;
    }
    20.0 * ((re * re + im * im).sqrt() * 2.0 / weight / std::f64::consts::SQRT_2).max(1e-6).log10()
}

/// Half a second of a tone at `amplitude`, from `at`, in a file of `seconds`.
async fn word(lab: &mut Lab, name: &str, amplitude: f64, at: f64, seconds: f64) -> String {
    let sound = format!("{amplitude}*sin(2*PI*500*t)*between(t\\,{at}\\,{})", at + 0.5);
    lab.source(name, &format!("-f lavfi -i aevalsrc={sound}:c=stereo:s=48000:d={seconds} -c:a pcm_f32le"))
        .await
}

/// Music is 12 dB lower by 0.1 s after a word began at `at`, and as before from a second after its end.
#[track_caller]
fn check_ducked(sound: &[f32], at: f64, deep: f64) {
    let music = |from, to| tone_db(sound, 3000.0, (from, to)) - TONE_DB;
    let found = [
        ("before", music(at - 0.4, at - 0.02), 0.0, 0.2),
        ("under the word", music(at + 0.1, at + 0.5), -deep, 0.7),
        ("between words", music(at + 0.55, at + 0.65), -deep, 1.5),
        ("afterwards", music(at + 1.6, at + 2.0), 0.0, 0.2),
    ];
    for (place, found, expected, tolerance) in found {
        assert!((found - expected).abs() <= tolerance, "{place}: {found:.2} dB instead of {expected}");
    }
}

#[tokio::test]
async fn music_is_lowered_under_speech_and_comes_back() {
    let mut lab = Lab::new().await;
    let clip = mute(&mut lab, 3.0).await;
    let song = tone(&mut lab, "song.wav", 1.0, 3000).await;
    let music = track(&song, |_| {});
    for (amplitude, deep) in [(0.5, 12.4), (0.25, 12.2), (0.05, 11.0)] {
        let words = word(&mut lab, &format!("words{amplitude}.wav"), amplitude, 0.5, 1.0).await;
        let options = MixOptions { music: music.clone(), ducking: true, ..quiet() };
        let voice = MixOptions { voice: track(&words, |_| {}), ..options.clone() };
        let sound = heard(&lab, base(vec![group(&[&clip])], voice.clone())).await;
        check_ducked(&sound, 0.5, deep);
        // The voice itself stays as it is.
        let spoken = tone_db(&sound, 500.0, (0.6, 0.9));
        assert!((spoken - 20.0 * (amplitude / 2f64.sqrt()).log10()).abs() < 0.2, "{spoken:.2} dB");
        let scenes = pro(&[(3.0, &clip)], options, |params| {
            params.scenes[0].audio = scene_audio(&words, 0.2);
        });
        check_ducked(&heard(&lab, scenes).await, 0.7, deep);
        let off = heard(&lab, base(vec![group(&[&clip])], MixOptions { ducking: false, ..voice })).await;
        assert!((tone_db(&off, 3000.0, (0.6, 1.0)) - TONE_DB).abs() < 0.2);
    }
}

#[tokio::test]
async fn the_clips_lower_the_music_only_where_nothing_else_speaks() {
    let mut lab = Lab::new().await;
    let word = "-f lavfi -i aevalsrc=0.25*sin(2*PI*500*t)*between(t\\,0.5\\,1):s=48000:d=3";
    let clip = lab.source("says.mov", &format!("{PICTURE}:d=3 {word} -c:v libx264 -c:a pcm_s16le")).await;
    let (song, hiss) = (
        tone(&mut lab, "song.wav", 1.0, 3000).await,
        lab.source("hiss.wav", "-f lavfi -i anoisesrc=a=0.004:d=3:seed=1").await,
    );
    let options = MixOptions { music: track(&song, |_| {}), ducking: true, ..quiet() };
    let sound = heard(&lab, base(vec![group(&[&clip])], options.clone())).await;
    check_ducked(&sound, 0.5, 12.2);
    // A voice that only hisses lowers nothing, and the clip is not asked.
    let sound =
        heard(&lab, base(vec![group(&[&clip])], MixOptions { voice: track(&hiss, |_| {}), ..options })).await;
    assert!((tone_db(&sound, 3000.0, (0.6, 1.0)) - TONE_DB).abs() < 0.3);
}

/// A source and what becomes of it at a target: the loudness expected, or what it had when `None`.
async fn check_loudness(lab: &mut Lab, name: &str, source: &str, target: f64, expected: Option<f64>) {
    let clip = mute(lab, 3.0).await;
    let voice = lab.source(name, source).await;
    let options = MixOptions { voice: track(&voice, |_| {}), ..quiet() };
    let plain = lab.render_one(base(vec![group(&[&clip])], options.clone())).await.output.quality;
    let options = MixOptions { loudness_lufs: Some(target), ..options };
    let made = lab.render_one(base(vec![group(&[&clip])], options)).await.output.quality;
    let expected = expected.or(plain.loudness_lufs);
    match (made.loudness_lufs, expected) {
        (Some(found), Some(expected)) => assert!(
            (found - expected).abs() <= 0.5,
            "{name} at {target}: {found} LUFS instead of {expected} (was {:?})",
            plain.loudness_lufs
        ),
        (found, expected) => assert_eq!(found, expected, "{name} at {target}"),
    }
    let peak = made.true_peak_dbtp.unwrap();
    assert!(peak <= -1.0, "{name} at {target}: the true peak is {peak} dB");
}

#[tokio::test]
async fn a_mix_is_brought_to_its_loudness_within_its_bounds() {
    let mut lab = Lab::new().await;
    let noise = |amplitude: f64| {
        format!("-f lavfi -i anoisesrc=c=pink:a={amplitude}:d=3:seed=3 -ac 2 -c:a pcm_f32le")
    };
    let blows = "-f lavfi -i aevalsrc=0.8*exp(-mod(t\\,0.5)*60)*sin(2*PI*180*t):s=48000:d=3 -ac 2";
    let clipped = "-f lavfi -i anoisesrc=c=brown:a=1:d=3:seed=4 -af volume=20dB -ac 2 -c:a pcm_s16le";
    for (name, source, target, expected) in [
        ("down.wav", noise(0.9), -23.0, Some(-23.0)),
        ("up.wav", noise(0.1), -20.0, Some(-20.0)),
        ("more.wav", noise(0.25), -14.0, Some(-14.0)),
        // No more than 20 dB.
        ("faint.wav", noise(0.01), -14.0, Some(-35.0)),
        ("silence.wav", noise(0.0004), -14.0, None),
        ("clipped.wav", clipped.to_owned(), -14.0, Some(-14.0)),
        ("blows.wav", blows.to_owned(), -23.0, Some(-23.0)),
    ] {
        check_loudness(&mut lab, name, &source, target, expected).await;
    }
}

#[tokio::test]
async fn the_peaks_of_a_mix_win_over_its_loudness() {
    let mut lab = Lab::new().await;
    let beeps = "aevalsrc=0.99*sin(2*PI*997*t)*lt(mod(t\\,1)\\,0.02):c=stereo:s=48000:d=3";
    let source = format!("{PICTURE}:d=3 -f lavfi -i {beeps} -c:v libx264 -c:a pcm_s16le");
    let clip = lab.source("beeps.mov", &source).await;
    let song = tone(&mut lab, "song.wav", 1.0, 1000).await;
    for target in [-5.0, -9.0, -14.0] {
        let options = MixOptions { loudness_lufs: Some(target), music: track(&song, |_| {}), ..quiet() };
        let quality = lab.render_one(base(vec![group(&[&clip])], options)).await.output.quality;
        let peak = quality.true_peak_dbtp.unwrap();
        assert!(peak <= -1.0, "{target}: the true peak is {peak} dB");
        assert!(quality.loudness_lufs.unwrap() <= target + 0.5, "{quality:?}");
    }
}

#[tokio::test]
async fn what_is_too_short_to_be_measured_keeps_its_level_below_the_peak() {
    let mut lab = Lab::new().await;
    for (name, amplitude, expected_db) in [("soft.mov", 0.1, -23.0), ("loud.mov", 1.0, -5.5)] {
        let sound = format!("-f lavfi -i aevalsrc={amplitude}*sin(2*PI*1000*t):c=stereo:s=48000:d=0.32");
        let source = format!("{PICTURE}:d=0.32 {sound} -c:v libx264 -c:a pcm_s16le");
        let clip = lab.source(name, &source).await;
        let options = MixOptions { loudness_lufs: Some(-14.0), ..quiet() };
        let made = lab.render_one(base(vec![group(&[&clip])], options)).await;
        assert_eq!(made.output.quality.loudness_lufs, None);
        assert!(made.output.quality.true_peak_dbtp.unwrap() <= -1.0);
        check_level(&samples(&made.path).await, (0.05, 0.27), expected_db, 0.8);
    }
}

#[tokio::test]
async fn a_loud_pure_tone_keeps_its_level() {
    let mut lab = Lab::new().await;
    for (i, (left, right)) in [(220, 220), (1000, 1000), (440, 554)].into_iter().enumerate() {
        let side = |hz| format!("aevalsrc=0.9*sin(2*PI*{hz}*t):s=48000:d=2");
        let sound = format!("{}[l];{}[r];[l][r]amerge", side(left), side(right));
        let source = format!("{PICTURE}:d=2 -f lavfi -i {sound} -c:v libx264 -c:a pcm_s16le");
        let clip = lab.source(&format!("tone{i}.mov"), &source).await;
        let made = lab.render_one(base(vec![group(&[&clip])], quiet())).await;
        for side in 0..2 {
            let samples: Vec<f32> = stereo(&made.path).await.into_iter().map(|both| both[side]).collect();
            check_level(&samples, (0.1, 1.9), -3.93, 0.3);
        }
    }
}

#[tokio::test]
async fn a_full_scale_lane_alone_is_not_turned_down() {
    let mut lab = Lab::new().await;
    let chord = "0.33*(sin(2*PI*262*t)+sin(2*PI*330*t)+sin(2*PI*392*t))";
    let chord = format!("-f lavfi -i aevalsrc={chord}:c=stereo:s=48000:d=2");
    let clip = lab.source("loud.mov", &format!("{PICTURE}:d=2 {chord} -c:v libx264 -c:a pcm_s16le")).await;
    let before = samples(&lab.folder.path().join(&clip)).await;
    let after = heard(&lab, base(vec![group(&[&clip])], quiet())).await;
    check_level(&after, (0.1, 1.9), level_db(&before, 0.1, 1.9), 0.2);
    let peak = |samples: &[f32]| samples.iter().fold(0f32, |peak, sample| peak.max(sample.abs()));
    assert!(peak(&before) > 0.9 && peak(&after) > 0.9, "{} became {}", peak(&before), peak(&after));
}

/// Largest step between neighbouring samples, once the low tone itself is left out by looking at how the step
/// changes.
fn sharpest_bend(samples: &[f32], from_s: f64, to_s: f64) -> f32 {
    let part = &samples[(from_s * 48_000.0) as usize..(to_s * 48_000.0) as usize];
    part.windows(3).map(|three| (three[0] - 2.0 * three[1] + three[2]).abs()).fold(0.0, f32::max)
}

#[tokio::test]
async fn nothing_clicks_where_pieces_meet() {
    let mut lab = Lab::new().await;
    // A cosine of 103 Hz cut after 0.7 s: full at its start, somewhere in mid-air at its end.
    let cut = "aevalsrc=0.5*cos(2*PI*103*t):c=stereo:s=48000:d=0.7";
    let song = lab.source("song.wav", &format!("-f lavfi -i {cut} -c:a pcm_f32le")).await;
    let clip =
        lab.source("a.mov", &format!("{PICTURE}:d=0.72 -f lavfi -i {cut} {SILENT} -c:a pcm_s16le")).await;
    let mute = mute(&mut lab, 2.0).await;
    let music = MixOptions { music: track(&song, |_| {}), ..quiet() };
    let voice = MixOptions { voice: track(&song, |track| track.duration_s = Some(0.613)), ..quiet() };
    let scenes = |mode| {
        pro(&[(1.0, &mute), (1.0, &mute)], quiet(), |params| {
            params.audio_mode = mode;
            params.scenes.iter_mut().for_each(|scene| scene.audio = scene_audio(&song, 0.45));
        })
    };
    // The tone alone bends by 0.5 × (2π × 103 / 48000)² = 0.0001; a cut in mid-air by up to 0.5.
    for (name, params) in [
        ("music", base(vec![group(&[&mute])], music)),
        ("voice", base(vec![group(&[&mute])], voice)),
        ("clips", base(vec![group(&[&clip, &clip, &clip])], quiet())),
        ("split", scenes(AudioMode::Split)),
        ("merge", scenes(AudioMode::Merge)),
    ] {
        let sound = heard(&lab, params).await;
        let bend = sharpest_bend(&sound, 0.02, sound.len() as f64 / 48_000.0);
        assert!(bend < 0.01, "{name}: {bend}");
        assert!(level_db(&sound, 0.5, 0.6) > -12.0);
    }
}
