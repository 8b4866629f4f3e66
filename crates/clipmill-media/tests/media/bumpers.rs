//! Intros and outros on real files: everything else begins after them, in video and audio.

use clipmill_core::request::model::*;

use crate::support::*;
use crate::sync::{flash_and_beep, flashes};

#[tokio::test]
async fn video_and_voice_begin_after_the_intro() {
    let mut fixture = Fixture::new().await;
    let black = |name: &'static str, seconds: u32| {
        (name, format!("-f lavfi -i color=black:s=160x90:r=25:d={seconds} -c:v libx264 -preset ultrafast"))
    };
    let mut clips = Vec::new();
    for (name, source) in [black("intro.mp4", 2), black("outro.mp4", 1)] {
        clips.push(fixture.source(name, &source).await);
    }
    // The flash comes after 1 s, and a voice with it.
    let url = flash_and_beep(&mut fixture, "flash.mp4", "30", 2.0, true).await;
    let bumper = |url: &String| vec![Bumper { url: url.clone() }];
    let voice = Track {
        url: url.clone().into(),
        duration_s: None,
        volume_percent: 100,
        fade_in_s: 0.5,
        fade_out_s: 0.0,
        from_s: None,
        start_s: None,
    };
    for (original_volume, voice) in [(100, None), (0, Some(voice))] {
        let options = MixOptions {
            intro_pool: bumper(&clips[0]),
            outro_pool: bumper(&clips[1]),
            original_volume,
            voice,
            ..options((160, 90), 30)
        };
        let rendering = fixture.render_one(base(vec![group(&[&url])], options)).await;
        assert_eq!(rendering.output.quality.frames_found, 30 * 5);
        let (flashes, beeps) = (flashes(&rendering.path, 30.0).await, onsets(&rendering.path).await);
        assert_eq!((flashes.len(), beeps.len()), (1, 1), "{flashes:?} {beeps:?}");
        assert!((flashes[0] - 3.0).abs() <= 0.5 / 30.0 + 0.001, "{flashes:?}");
        assert!((beeps[0] - flashes[0]).abs() <= 0.5 / 30.0 + 0.005, "{beeps:?} to {flashes:?}");
    }
}
