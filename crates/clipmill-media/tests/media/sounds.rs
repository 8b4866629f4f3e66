//! Audio at given times and volumes: parts of music, a voice that begins later, sounds, audio of scenes.

use clipmill_core::request::model::{AudioMode, MixOptions, SceneAudio, Sound};

use crate::support::audio::*;
use crate::support::*;

/// A tone of 440 Hz for a second, then one of 880 Hz.
async fn two_tones(fixture: &mut Fixture) -> String {
    let wave = "aevalsrc=0.25*sin(2*PI*t*if(lt(t\\,1)\\,440\\,880)):c=stereo:s=48000:d=2";
    fixture.source("two-tones.wav", &format!("-f lavfi -i {wave}")).await
}

fn sound(url: &str, at_s: f64) -> Sound {
    Sound { url: url.to_owned(), at_s, volume_percent: 100, from_s: None, duration_s: None }
}

#[tokio::test]
async fn sounds_are_heard_at_their_times_and_volumes() {
    let mut fixture = Fixture::new().await;
    let (clip, tones) = (mute(&mut fixture, 5.0).await, two_tones(&mut fixture).await);
    let options = MixOptions {
        sounds: vec![
            sound(&tones, 0.5),
            Sound { volume_percent: 50, from_s: Some(1.0), duration_s: Some(0.5), ..sound(&tones, 3.0) },
            // The end of the video cuts it.
            sound(&tones, 4.5),
        ],
        ..quiet()
    };
    let heard = heard(&fixture, base(vec![group(&[&clip])], options)).await;
    for (hz, time, expected) in [
        (440.0, (0.55, 1.45), TONE_DB),
        (880.0, (1.55, 2.45), TONE_DB),
        (880.0, (3.05, 3.45), TONE_DB - 6.02),
        (440.0, (4.55, 4.95), TONE_DB),
    ] {
        let level = tone_db(&heard, hz, time);
        assert!((level - expected).abs() < 0.3, "{hz} Hz at {time:?}: {level:.2} dB, not {expected:.2}");
    }
    for silent in [(0.0, 0.48), (2.52, 2.98), (3.52, 4.48)] {
        let level = level_db(&heard, silent.0, silent.1);
        assert!(level < -60.0, "{level:.1} dB at {silent:?}");
    }
}

#[tokio::test]
async fn music_is_heard_from_a_second_of_its_file_and_a_voice_from_its_start() {
    let mut fixture = Fixture::new().await;
    let (clip, tones) = (mute(&mut fixture, 4.0).await, two_tones(&mut fixture).await);
    let voice = tone(&mut fixture, "voice.wav", 1.0, 3000).await;
    let options = MixOptions {
        music: track(&tones, |track| track.from_s = Some(1.0)),
        voice: track(&voice, |track| track.start_s = Some(1.5)),
        ..quiet()
    };
    let heard = heard(&fixture, base(vec![group(&[&clip])], options)).await;
    for (hz, time, expected) in [(880.0, (0.1, 3.9), TONE_DB), (3000.0, (1.55, 2.45), TONE_DB)] {
        let level = tone_db(&heard, hz, time);
        assert!((level - expected).abs() < 0.3, "{hz} Hz at {time:?}: {level:.2} dB, not {expected:.2}");
    }
    assert!(tone_db(&heard, 440.0, (0.1, 3.9)) < -60.0, "the unused second of the music");
    for before_or_after in [(1.2, 1.48), (2.52, 2.8)] {
        assert!(tone_db(&heard, 3000.0, before_or_after) < -60.0, "{before_or_after:?}");
    }
}

#[tokio::test]
async fn audio_of_scenes_has_a_volume() {
    let mut fixture = Fixture::new().await;
    let (clip, words) = (mute(&mut fixture, 2.0).await, tone(&mut fixture, "words.wav", 1.0, 1000).await);
    let audio = |volume_percent| {
        vec![SceneAudio { url: words.clone().into(), duration_s: None, start_s: 0.0, volume_percent }]
    };
    let params = pro(&[(1.0, &clip), (1.0, &clip)], quiet(), |params| {
        params.audio_mode = AudioMode::Split;
        params.scenes[0].audio = audio(100);
        params.scenes[1].audio = audio(50);
    });
    let heard = heard(&fixture, params).await;
    check_level(&heard, (0.1, 0.9), TONE_DB, 0.2);
    check_level(&heard, (1.1, 1.9), TONE_DB - 6.02, 0.2);
}
