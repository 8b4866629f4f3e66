//! Audio of a mix, measured: levels in dB, places in samples, no gaps, no clicks.

use crate::support::audio::*;
use crate::support::*;
use clipmill_core::plan::{AudioMix, Plan};
use clipmill_core::request::model::{AudioMode, Clip, Group, MixOptions, Track};
use clipmill_core::segment::SegmentSpec;
use serde_json::Value;

#[tokio::test]
async fn music_loops_to_the_end_of_the_video_without_a_gap() {
    let mut fixture = Fixture::new().await;
    let clip = mute(&mut fixture, 3.0).await;
    for (name, seconds) in
        [("song.wav", 0.7), ("song.mp3", 0.7), ("song.m4a", 1.3), ("song.ogg", 0.5), ("tick.flac", 0.05)]
    {
        let song = tone(&mut fixture, name, seconds, 1000).await;
        let rendering = fixture
            .render_one(base(vec![group(&[&clip])], MixOptions { music: track(&song, |_| {}), ..quiet() }))
            .await;
        let audio = samples(&rendering.path).await;
        let levels = windows(&audio, 0.0, 2.98);
        for (i, level) in levels.iter().enumerate() {
            assert!((level - TONE_DB).abs() < 2.0, "{name}: {level:.1} dB at {:.2} s", i as f64 * 0.02);
        }
    }
}

/// Music that fits its loop, music that is cut at a random point, noise, and music that is shorter than a crossfade.
#[tokio::test]
async fn no_seam_of_looped_music_dips_or_clicks() {
    let mut fixture = Fixture::new().await;
    let clip = mute(&mut fixture, 3.0).await;
    let sine =
        |hz: f64, seconds: f64| format!("aevalsrc=0.25*sin(2*PI*{hz}*t+0.9):c=stereo:s=48000:d={seconds}");
    let noise = |color| format!("anoisesrc=c={color}:a=0.25:d=1.1:seed=7,aformat=channel_layouts=stereo");
    for (name, source, period, jump) in [
        ("fits.wav", sine(440.0, 1.0), 1.0, 0.02),
        ("breaks.wav", sine(440.0, 1.2345), 1.2345, 0.06),
        ("turned.wav", sine(500.0, 1.201), 1.201, 0.1),
        ("short.wav", sine(500.0, 0.3456), 0.3456, 0.06),
        ("shorter.wav", sine(500.0, 0.012), 0.012, 0.06),
        ("noise.wav", noise("white"), 1.1, 0.8),
        ("slides.wav", "aevalsrc=0.25*sin(2*PI*(400*t+60*t*t)):c=stereo:s=48000:d=1.3".into(), 1.3, 0.1),
    ] {
        let song = fixture.source(name, &format!("-f lavfi -i {source} -c:a pcm_f32le")).await;
        let options = MixOptions { music: track(&song, |_| {}), ..quiet() };
        let audio = heard(&fixture, base(vec![group(&[&clip])], options)).await;
        let level = level_db(&audio, 0.1, 2.9);
        let seams = (1..).map(|pass| f64::from(pass) * period).skip_while(|seam| *seam < 0.1);
        for seam in seams.take_while(|seam| *seam < 2.9) {
            for at in (-14..4).map(|i| seam + 0.005 * f64::from(i)).filter(|at| *at > 0.1) {
                let near_seam = level_db(&audio, at, at + 0.005);
                assert!(
                    (near_seam - level).abs() < 1.5,
                    "{name}: {near_seam:.2} dB at {at:.3} s, {level:.2} elsewhere"
                );
            }
            let around = &audio[((seam - 0.02) * 48_000.0) as usize..((seam + 0.02) * 48_000.0) as usize];
            let largest = around.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
            assert!(largest <= jump, "{name}: a jump of {largest} at {seam:.3} s");
        }
    }
}

#[tokio::test]
async fn audio_is_mixed_before_its_video_is_ready() {
    let mut fixture = Fixture::new().await;
    let clip = mute(&mut fixture, 1.0).await;
    let song = tone(&mut fixture, "song.wav", 0.7, 1000).await;
    let params = base(vec![group(&[&clip])], MixOptions { music: track(&song, |_| {}), ..quiet() });
    let plan = fixture.plan(params.clone());
    let mix = plan.items[0].outcome.as_ref().unwrap().audio.clone().unwrap();
    let file = fixture.renderer.cache.mix(&mix.key());
    assert_eq!(fixture.renderer.mix_ahead("ahead", &[&mix]).await.unwrap(), 0);
    assert!(!file.exists(), "its piece is not there yet");
    make_pieces(&fixture, &plan).await;
    assert_eq!(fixture.renderer.mix_ahead("ahead", &[&mix]).await.unwrap(), 1);
    let modified = std::fs::metadata(&file).unwrap().modified().unwrap();
    let output = fixture.render_one(params).await;
    assert_eq!(std::fs::metadata(&file).unwrap().modified().unwrap(), modified, "it is not mixed again");
    check_level(&samples(&output.path).await, (0.1, 0.9), TONE_DB, 0.3);
    assert!(fixture.leftovers().is_empty(), "{:?}", fixture.leftovers());
}

async fn make_pieces(fixture: &Fixture, plan: &Plan) {
    for segment in plan.segments.iter().filter(|segment| matches!(segment.spec, SegmentSpec::Audio(_))) {
        let (files, name) = (fixture.files(segment), &segment.key);
        fixture.renderer.segment("piece", name, &segment.spec, &files, |_| {}).await.unwrap();
    }
}

#[tokio::test]
async fn audio_rendered_in_batches_equals_audio_rendered_alone() {
    let mut fixture = Fixture::new().await;
    let (clip, silent) = (mute(&mut fixture, 2.0).await, mute(&mut fixture, 0.7).await);
    let noise = "-f lavfi -i anoisesrc=c=pink:a=0.25:d=2:seed=3 -ac 2 -c:a pcm_f32le";
    let blows = "-f lavfi -i aevalsrc=0.9*exp(-mod(t\\,0.5)*60)*sin(2*PI*180*t):s=48000:d=2 -ac 2";
    let full = "-f lavfi -i sine=f=1000:d=2 -af volume=18dB -ac 2 -c:a pcm_s16le";
    let (noise, blows, full) = (
        fixture.source("noise.wav", noise).await,
        fixture.source("blows.wav", blows).await,
        fixture.source("full.wav", full).await,
    );
    let music = |file: &str| MixOptions { music: track(file, |_| {}), ..quiet() };
    let mut plans = Vec::new();
    for (clip, options) in [
        (&clip, music(&noise)),
        (&clip, MixOptions { voice: track(&blows, |_| {}), ducking: true, ..music(&noise) }),
        // These need passes of their own: one towards a loudness, one by the thorough coder.
        (&clip, MixOptions { loudness_lufs: Some(-23.0), ..music(&blows) }),
        (&clip, music(&full)),
        (&silent, MixOptions { loudness_lufs: Some(-14.0), ..music(&noise) }),
    ] {
        plans.push(fixture.plan(base(vec![group(&[clip])], options)));
    }
    let mixes: Vec<&AudioMix> =
        plans.iter().map(|plan| plan.items[0].outcome.as_ref().unwrap().audio.as_ref().unwrap()).collect();
    for plan in &plans {
        make_pieces(&fixture, plan).await;
    }
    let mut alone = Vec::new();
    for mix in &mixes {
        assert!(fixture.renderer.can_mix(mix).await);
        assert_eq!(fixture.renderer.mix_ahead("alone", &[mix]).await.unwrap(), 1);
        let (sound, note) = (
            fixture.renderer.cache.mix(&mix.key()),
            fixture.renderer.cache.sidecar::<Value>(&mix.key()).await,
        );
        alone.push((std::fs::read(&sound).unwrap(), note.unwrap()));
        std::fs::remove_file(&sound).unwrap();
    }
    let twice: Vec<&AudioMix> = mixes.iter().chain(&mixes).copied().collect();
    assert_eq!(fixture.renderer.mix_ahead("together", &twice).await.unwrap(), mixes.len(), "each once");
    for (mix, alone) in mixes.iter().zip(alone) {
        let (sound, note) = (
            fixture.renderer.cache.mix(&mix.key()),
            fixture.renderer.cache.sidecar::<Value>(&mix.key()).await,
        );
        assert!(std::fs::read(&sound).unwrap() == alone.0, "{mix:?} sounds otherwise");
        assert_eq!(note.unwrap(), alone.1);
        assert!(!fixture.renderer.can_mix(mix).await, "it is there");
    }
    assert!(fixture.leftovers().is_empty(), "{:?}", fixture.leftovers());
}

#[tokio::test]
async fn music_is_used_up_to_its_duration() {
    let mut fixture = Fixture::new().await;
    let clip = mute(&mut fixture, 2.0).await;
    // The file is loud for 0.4 s and then silent. When only 0.4 s of it are used, nothing is silent.
    let song = fixture
        .source("song.wav", "-f lavfi -i aevalsrc=0.25*sin(2*PI*1000*t)*lt(t\\,0.4):s=48000:d=1")
        .await;
    let whole =
        heard(&fixture, base(vec![group(&[&clip])], MixOptions { music: track(&song, |_| {}), ..quiet() }))
            .await;
    assert!(level_db(&whole, 0.5, 0.9) < -80.0);
    check_level(&whole, (1.05, 1.35), TONE_DB, 0.3);
    let part = track(&song, |track| track.duration_s = Some(0.4));
    let part = heard(&fixture, base(vec![group(&[&clip])], MixOptions { music: part, ..quiet() })).await;
    assert!(windows(&part, 0.0, 1.98).into_iter().all(|level| (level - TONE_DB).abs() < 2.0));
}

#[tokio::test]
async fn volumes_are_percent_of_amplitude() {
    let mut fixture = Fixture::new().await;
    let clip = mute(&mut fixture, 1.0).await;
    let song = tone(&mut fixture, "song.wav", 5.0, 1000).await;
    for (percent, db) in [(100, 0.0), (80, -1.94), (50, -6.02), (10, -20.0)] {
        let level = |track: &mut Track| track.volume_percent = percent;
        for options in [
            MixOptions { music: track(&song, level), ..quiet() },
            MixOptions { voice: track(&song, level), ..quiet() },
        ] {
            let audio = heard(&fixture, base(vec![group(&[&clip])], options)).await;
            check_level(&audio, (0.1, 0.9), TONE_DB + db, 0.1);
        }
    }
    let silent = track(&song, |track| track.volume_percent = 0);
    let audio = heard(&fixture, base(vec![group(&[&clip])], MixOptions { music: silent, ..quiet() })).await;
    assert!(level_db(&audio, 0.0, 1.0) < -80.0);
}

#[tokio::test]
async fn fades_are_straight_lines_of_amplitude_at_both_ends() {
    let mut fixture = Fixture::new().await;
    let clip = mute(&mut fixture, 3.0).await;
    let song = tone(&mut fixture, "song.wav", 1.0, 1000).await;
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
        heard(&fixture, base(vec![group(&[&clip])], MixOptions { music: track(&song, faded), ..quiet() }))
            .await;
    check(&music, 3.0);
    check_level(&music, (1.05, 2.4), TONE_DB, 0.2);
    // A voice cut by the end of the video fades out there.
    let long = tone(&mut fixture, "long.wav", 9.0, 1000).await;
    let voice =
        heard(&fixture, base(vec![group(&[&clip])], MixOptions { voice: track(&long, faded), ..quiet() }))
            .await;
    check(&voice, 3.0);
}

#[tokio::test]
async fn the_mix_fades_out_at_the_end_and_the_video_does_not() {
    let mut fixture = Fixture::new().await;
    let clip = toned(&mut fixture, 3.0, 500).await;
    let song = tone(&mut fixture, "song.wav", 1.0, 3000).await;
    let words = tone(&mut fixture, "words.wav", 9.0, 1500).await;
    let options = MixOptions { music: track(&song, |_| {}), voice: track(&words, |_| {}), ..quiet() };
    let rendering = |fade_out_s| {
        let params = base(vec![group(&[&clip])], MixOptions { fade_out_s, ..options.clone() });
        fixture.render_one(params)
    };
    let (plain, faded, long) = (rendering(0.0).await, rendering(1.0).await, rendering(10.0).await);
    let (before, after) = (samples(&plain.path).await, samples(&faded.path).await);
    let check = |sound: &[f32], at: f64, expected: f64| {
        for hz in [500.0, 1500.0, 3000.0] {
            let level = |sound| tone_db(sound, hz, (at - 0.01, at + 0.01));
            let change = level(sound) - level(&before);
            assert!((change - expected).abs() < 0.5, "{hz} Hz at {at} s: {change:.2} dB, not {expected}");
        }
    };
    for (at, expected) in [(0.5, 0.0), (1.9, 0.0), (2.25, -2.5), (2.5, -6.02), (2.75, -12.04)] {
        check(&after, at, expected);
    }
    assert!(level_db(&after, 2.99, 3.0) < -40.0);
    // Longer than the output: a straight line over all of it.
    let long = samples(&long.path).await;
    for (at, expected) in [(0.75, -2.5), (1.5, -6.02), (2.25, -12.04)] {
        check(&long, at, expected);
    }
    assert_eq!(frame_hashes(&plain.path).await, frame_hashes(&faded.path).await);
}

#[tokio::test]
async fn fades_that_do_not_fit_shrink_in_proportion() {
    let mut fixture = Fixture::new().await;
    let clip = mute(&mut fixture, 2.0).await;
    let song = tone(&mut fixture, "song.wav", 1.2, 1000).await;
    let faded = track(&song, |track| (track.fade_in_s, track.fade_out_s) = (4.0, 2.0));
    let voice = heard(&fixture, base(vec![group(&[&clip])], MixOptions { voice: faded, ..quiet() })).await;
    check_level(&voice, (0.39, 0.41), TONE_DB - 6.02, 0.4);
    check_level(&voice, (0.79, 0.81), TONE_DB, 0.4);
    check_level(&voice, (0.99, 1.01), TONE_DB - 6.02, 0.4);
    assert!(level_db(&voice, 1.25, 1.95) < -80.0);
}

#[tokio::test]
async fn a_voice_plays_once_and_is_trimmed_with_the_video() {
    let mut fixture = Fixture::new().await;
    let clip = mute(&mut fixture, 2.0).await;
    for (seconds, limit, ends) in [(0.8, None, 0.8), (5.0, None, 2.0), (5.0, Some(1.1), 1.1)] {
        let words = tone(&mut fixture, &format!("words{seconds}.wav"), seconds, 1000).await;
        let voice = track(&words, |track| track.duration_s = limit);
        let rendering =
            fixture.render_one(base(vec![group(&[&clip])], MixOptions { voice, ..quiet() })).await;
        assert!(rendering.output.quality.av_difference_ms.unwrap().abs() <= 40.0);
        let audio = samples(&rendering.path).await;
        check_level(&audio, (0.02, ends - 0.03), TONE_DB, 0.2);
        assert!(ends == 2.0 || level_db(&audio, ends + 0.03, 1.95) < -70.0, "silent after {ends} s");
    }
}

#[tokio::test]
async fn clips_keep_their_own_audio_at_its_volume() {
    let mut fixture = Fixture::new().await;
    let (low, mute) = (toned(&mut fixture, 1.0, 1000).await, mute(&mut fixture, 1.0).await);
    for (volume, db) in [(100, Some(0.0)), (40, Some(-7.96)), (0, None)] {
        let options = MixOptions { original_volume: volume, ..quiet() };
        let audio = heard(&fixture, base(vec![group(&[&low, &mute, &low])], options)).await;
        for from in [0.1, 2.1] {
            match db {
                Some(db) => check_level(&audio, (from, from + 0.8), TONE_DB + db, 0.15),
                None => assert!(level_db(&audio, from, from + 0.8) < -80.0),
            }
        }
        assert!(level_db(&audio, 1.05, 1.95) < -70.0, "a clip without sound is silent");
    }
}

#[tokio::test]
async fn tracks_are_added_and_none_turns_another_down() {
    let mut fixture = Fixture::new().await;
    let clip = toned(&mut fixture, 1.0, 500).await;
    let song = tone(&mut fixture, "song.wav", 1.0, 1500).await;
    let audio =
        heard(&fixture, base(vec![group(&[&clip])], MixOptions { music: track(&song, |_| {}), ..quiet() }))
            .await;
    check_level(&audio, (0.1, 0.9), TONE_DB + 3.01, 0.2);
}

#[tokio::test]
async fn one_channel_is_as_loud_as_two_and_six_do_not_clip() {
    let mut fixture = Fixture::new().await;
    let clip = mute(&mut fixture, 1.0).await;
    for (layout, amplitude, peak_db) in
        [("mono", 0.25, -12.04), ("stereo", 0.25, -12.04), ("5.1", 0.2, -6.32)]
    {
        let name = format!("{layout}-{amplitude}.wav");
        let source =
            format!("-f lavfi -i aevalsrc={amplitude}*sin(2*PI*500*t):c={layout}:s=48000:d=1 -c:a pcm_f32le");
        let song = fixture.source(&name, &source).await;
        let rendering = fixture
            .render_one(base(vec![group(&[&clip])], MixOptions { music: track(&song, |_| {}), ..quiet() }))
            .await;
        for side in 0..2 {
            let samples: Vec<f32> =
                stereo(&rendering.path).await.into_iter().map(|both| both[side]).collect();
            check_level(&samples, (0.1, 0.9), peak_db - 3.01, 0.3);
        }
    }
}

/// Scene audio as a short loud beep, followed by half a second of silence.
async fn beep(fixture: &mut Fixture, name: &str, seconds: f64) -> String {
    let beep = format!("aevalsrc=0.5*sin(2*PI*1500*t)*lt(t\\,{seconds}):s=48000:d={}", seconds + 0.5);
    fixture.source(name, &format!("-f lavfi -i {beep}")).await
}

#[tokio::test]
async fn scene_audio_begins_according_to_its_mode() {
    let mut fixture = Fixture::new().await;
    let clip = mute(&mut fixture, 2.0).await;
    let beep = beep(&mut fixture, "beep.wav", 0.2).await;
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
        let rendering = fixture.render_one(params).await;
        let beeps = onsets(&rendering.path).await;
        assert_eq!(beeps.len(), expected.len(), "{mode:?} {starts:?}: {beeps:?}");
        for (beep, expected) in beeps.iter().zip(&expected) {
            assert!((beep - expected).abs() <= 0.005, "{mode:?} {starts:?}: {beep:.4} instead of {expected}");
        }
    }
}

#[tokio::test]
async fn scene_audio_is_trimmed_at_the_scenes_end_only_when_split() {
    let mut fixture = Fixture::new().await;
    let clip = mute(&mut fixture, 2.0).await;
    let long = tone(&mut fixture, "long.wav", 1.5, 1000).await;
    for (mode, ends) in [(AudioMode::Split, 1.0), (AudioMode::Merge, 1.7)] {
        let params = pro(&[(1.0, &clip), (1.0, &clip)], quiet(), |params| {
            params.audio_mode = mode;
            params.scenes[0].audio = scene_audio(&long, 0.2);
        });
        let audio = heard(&fixture, params).await;
        check_level(&audio, (0.25, ends - 0.05), TONE_DB, 0.2);
        assert!(level_db(&audio, ends + 0.03, 1.95) < -70.0, "{mode:?} ends at {ends} s");
    }
}

#[tokio::test]
async fn a_looping_scene_repeats_its_audio_with_its_video() {
    let mut fixture = Fixture::new().await;
    let beep = "-f lavfi -i aevalsrc=0.5*sin(2*PI*1500*t)*between(t\\,0.2\\,0.3):s=48000:d=0.9";
    // Its audio is longer than its video.
    let clip = fixture.source("a.mov", &format!("{PICTURE}:d=0.6 {beep} {SILENT} -c:a pcm_s16le")).await;
    let rendering = fixture.render_one(pro(&[(2.0, &clip)], quiet(), |_| {})).await;
    let beeps = onsets(&rendering.path).await;
    let expected = [0.2, 0.8, 1.4];
    assert_eq!(beeps.len(), 3, "{beeps:?}");
    assert!(beeps.iter().zip(expected).all(|(beep, expected)| (beep - expected).abs() < 0.005), "{beeps:?}");
}

/// The largest change of the step between neighbouring samples. The low tone itself hardly changes its steps.
fn sharpest_bend(samples: &[f32], from_s: f64, to_s: f64) -> f32 {
    let part = &samples[(from_s * 48_000.0) as usize..(to_s * 48_000.0) as usize];
    part.windows(3).map(|three| (three[0] - 2.0 * three[1] + three[2]).abs()).fold(0.0, f32::max)
}

#[tokio::test]
async fn joints_of_segments_do_not_click() {
    let mut fixture = Fixture::new().await;
    // A cosine of 103 Hz cut after 0.7 s: at its peak at the start, at a random phase at the end.
    let cut = "aevalsrc=0.5*cos(2*PI*103*t):c=stereo:s=48000:d=0.7";
    let song = fixture.source("song.wav", &format!("-f lavfi -i {cut} -c:a pcm_f32le")).await;
    let clip =
        fixture.source("a.mov", &format!("{PICTURE}:d=0.72 -f lavfi -i {cut} {SILENT} -c:a pcm_s16le")).await;
    let mute = mute(&mut fixture, 2.0).await;
    let music = MixOptions { music: track(&song, |_| {}), ..quiet() };
    let voice = MixOptions { voice: track(&song, |track| track.duration_s = Some(0.613)), ..quiet() };
    let scenes = |mode| {
        pro(&[(1.0, &mute), (1.0, &mute)], quiet(), |params| {
            params.audio_mode = mode;
            params.scenes.iter_mut().for_each(|scene| scene.audio = scene_audio(&song, 0.45));
        })
    };
    // The tone alone bends by 0.5 × (2π × 103 / 48000)² = 0.0001; a cut at a random phase by up to 0.5.
    for (name, params) in [
        ("music", base(vec![group(&[&mute])], music)),
        ("voice", base(vec![group(&[&mute])], voice)),
        ("clips", base(vec![group(&[&clip, &clip, &clip])], quiet())),
        ("split", scenes(AudioMode::Split)),
        ("merge", scenes(AudioMode::Merge)),
    ] {
        let audio = heard(&fixture, params).await;
        let bend = sharpest_bend(&audio, 0.02, audio.len() as f64 / 48_000.0);
        assert!(bend < 0.01, "{name}: {bend}");
        assert!(level_db(&audio, 0.5, 0.6) > -12.0);
    }
}

/// The level of every period of a tone of 440 Hz.
fn levels_of_periods(samples: &[f32], from_s: f64, to_s: f64) -> Vec<f64> {
    const PERIOD_S: f64 = 1.0 / 440.0;
    let count = ((to_s - from_s) / PERIOD_S) as usize;
    let starts = (0..count).map(|period| from_s + period as f64 * PERIOD_S);
    starts.map(|at| level_db(samples, at, at + PERIOD_S)).collect()
}

/// Consecutive excerpts of a file sound like the file, also where they end between two frames.
#[tokio::test]
async fn consecutive_excerpts_are_gapless() {
    let mut fixture = Fixture::new().await;
    for (name, rate, channels, codec) in [
        ("even.mov", 48_000, "stereo", "pcm_s16le"),
        ("other.mov", 44_100, "stereo", "pcm_s16le"),
        ("lossy.mp4", 44_100, "mono", "aac -b:a 192k"),
    ] {
        let tone = format!("aevalsrc=0.5*sin(2*PI*440*t):c={channels}:s={rate}:d=4");
        let source = format!("{PICTURE}:d=4 -f lavfi -i {tone} -c:v libx264 -preset ultrafast -c:a {codec}");
        let url = fixture.source(name, &source).await;
        let part = |from: f64, to: f64| Clip { from_s: Some(from), to_s: Some(to), ..clip(&url) };
        let mixed = |videos| base(vec![Group { videos, total_duration_s: None }], quiet());
        let audio = heard(&fixture, mixed(vec![part(0.0, 1.0), part(1.0, 2.02), part(2.02, 3.0)])).await;
        let levels = levels_of_periods(&audio, 0.1, 2.8);
        let (min, max) =
            (levels.iter().copied().fold(f64::MAX, f64::min), levels.into_iter().fold(f64::MIN, f64::max));
        assert!(max - min < 1.0, "{name}: {min:.1} to {max:.1} dB");
        let bend = sharpest_bend(&audio, 0.1, 2.8);
        assert!(bend < 0.01, "{name}: {bend}");
        // One excerpt is omitted.
        let audio = heard(&fixture, mixed(vec![part(0.0, 1.0), part(1.5003, 2.0)])).await;
        assert!(sharpest_bend(&audio, 0.1, 1.4) < 0.01, "{name}");
        let min = levels_of_periods(&audio, 0.95, 1.05).into_iter().fold(f64::MAX, f64::min);
        assert!(min < -15.0, "{name}: {min:.1} dB");
    }
}
