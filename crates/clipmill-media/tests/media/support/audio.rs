//! Sources with audio, and measurements of it.

// Helpers fail as tests do.
#![allow(clippy::expect_used, clippy::unwrap_used)]

use clipmill_core::request::model::{MixOptions, Params, SceneAudio, Track};

use super::{Fixture, level_db, options, samples};

pub const PICTURE: &str = "-f lavfi -i color=gray:s=96x64:r=25";
pub const SILENT: &str = "-t 1 -c:v libx264 -preset ultrafast";

/// A clip without audio; names state length and further properties.
pub async fn mute(fixture: &mut Fixture, seconds: f64) -> String {
    fixture
        .source(
            &format!("mute{seconds}.mp4"),
            &format!("{PICTURE}:d={seconds} -c:v libx264 -preset ultrafast"),
        )
        .await
}

/// A clip with a tone of 0.25 of full scale on both channels.
pub async fn toned(fixture: &mut Fixture, seconds: f64, hz: u32) -> String {
    let audio_args = format!("-f lavfi -i aevalsrc=0.25*sin(2*PI*{hz}*t):c=stereo:s=48000:d={seconds}");
    let codecs = "-c:v libx264 -preset ultrafast -c:a pcm_s16le";
    fixture
        .source(&format!("tone{seconds}-{hz}.mov"), &format!("{PICTURE}:d={seconds} {audio_args} {codecs}"))
        .await
}

/// An audio file with a tone of 0.25 of full scale.
pub async fn tone(fixture: &mut Fixture, name: &str, seconds: f64, hz: u32) -> String {
    fixture
        .source(name, &format!("-f lavfi -i aevalsrc=0.25*sin(2*PI*{hz}*t):c=stereo:s=48000:d={seconds}"))
        .await
}

/// The level of such a tone.
pub const TONE_DB: f64 = -15.05;

pub fn track(url: &str, change: impl FnOnce(&mut Track)) -> Option<Track> {
    let mut track = Track {
        url: url.into(),
        duration_s: None,
        volume_percent: 100,
        fade_in_s: 0.0,
        fade_out_s: 0.0,
        from_s: None,
        start_s: None,
    };
    change(&mut track);
    Some(track)
}

pub fn quiet() -> MixOptions {
    options((96, 64), 25)
}

pub async fn heard(fixture: &Fixture, params: Params) -> Vec<f32> {
    samples(&fixture.render_one(params).await.path).await
}

#[track_caller]
pub fn check_level(samples: &[f32], (from, to): (f64, f64), expected: f64, tolerance: f64) {
    let level = level_db(samples, from, to);
    assert!(
        (level - expected).abs() <= tolerance,
        "{level:.2} dB instead of {expected:.2} from {from} to {to} s"
    );
}

/// Levels of windows of 20 ms.
pub fn windows(samples: &[f32], from_s: f64, to_s: f64) -> Vec<f64> {
    let count = ((to_s - from_s) / 0.02).floor() as usize;
    (0..count).map(|i| from_s + i as f64 * 0.02).map(|at| level_db(samples, at, at + 0.02)).collect()
}

pub fn scene_audio(url: &str, start_s: f64) -> Vec<SceneAudio> {
    vec![SceneAudio { url: url.into(), duration_s: None, start_s, volume_percent: 100 }]
}

/// Level of one tone in a part of the audio, in dB below full scale, whatever other audio there is.
pub fn tone_db(samples: &[f32], hz: f64, (from, to): (f64, f64)) -> f64 {
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
