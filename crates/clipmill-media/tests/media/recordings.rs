//! Recordings as written by broadcasts, phones and video calls: with unused streams, joined from several, of changing
//! format, or truncated.

use crate::support::draw::*;
use crate::support::*;
use clipmill_core::request::model::{Background, FillMode, MixOptions};

const RATE: u32 = 25;
/// The length of a recording in frames, and when its beep begins.
const PIECE: usize = 30;
const BEEP_S: f64 = 0.4;

/// A recording of 1.2 s that rises one step every fifth of a second, with a beep; `first` is its first step.
async fn piece(fixture: &mut Fixture, name: &str, size: (u32, u32), first: usize, args: &str) -> Vec<u8> {
    let beep = format!("-f lavfi -i aevalsrc=0.5*sin(2*PI*1500*t)*between(t\\,{BEEP_S}\\,0.6):s=48000:d=1.2");
    let stair = |frame: usize, _, _| [stair(first + frame / 5); 3];
    let film = TestVideo::new(size.0, size.1, "25", PIECE);
    let name = fixture.drawn(name, film, &format!("{beep} {args}"), stair).await;
    std::fs::read(fixture.folder.path().join(name)).unwrap()
}

/// A source of these bytes.
async fn file(fixture: &mut Fixture, name: &str, bytes: &[u8]) -> String {
    let path = fixture.folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    fixture.learn(name, &path).await
}

/// Renders the clip and checks that it shows `frames` frames, the steps in order, and a beep in each recording.
async fn check(fixture: &Fixture, name: &str, frames: usize, expected_beeps: &[f64]) -> Vec<String> {
    let options = MixOptions { fill: FillMode::Stretch, ..options((96, 64), RATE) };
    let rendering = fixture.render_one(base(vec![group(&[name])], options)).await;
    let lumas = lumas(&rendering.path).await;
    // The recordings of a stream overlap by a frame or two.
    assert!(lumas.len().abs_diff(frames) <= 2, "{name}: {} frames", lumas.len());
    for (frame, luma) in lumas.iter().enumerate() {
        let allowed = [frame.saturating_sub(1), frame, frame + 2].map(|frame| frame / 5);
        assert!(allowed.contains(&step_of(*luma)), "{name}: frame {frame} shows {}", step_of(*luma));
    }
    let beeps = onsets(&rendering.path).await;
    assert_eq!(beeps.len(), expected_beeps.len(), "{name}: {beeps:?}");
    for (beep, expected) in beeps.iter().zip(expected_beeps) {
        assert!((beep - expected).abs() <= 0.045, "{name}: beep at {beep:.3} instead of {expected}");
    }
    rendering.output.damaged.iter().map(|(_, warning)| warning.english().to_owned()).collect()
}

#[tokio::test]
async fn unused_streams_do_not_matter() {
    let mut fixture = Fixture::new().await;
    piece(&mut fixture, "plain.mp4", (96, 64), 0, "-c:v libx264 -c:a aac").await;
    let srt = fixture.folder.path().join("words.srt");
    std::fs::write(
        &srt,
        "1\n00:00:00,000 --> 00:00:00,500\nhidden\n\n2\n00:00:00,600 --> 00:00:01,000\nhidden\n",
    )
    .unwrap();
    let (plain, srt) = (fixture.path("plain.mp4").display().to_string(), srt.display().to_string());
    for (name, more) in [
        ("mov_text.mp4", format!("-i {srt} -map 0 -map 1 -c copy -c:s mov_text")),
        ("srt.mkv", format!("-i {srt} -map 0 -map 1 -c copy -c:s srt")),
        ("ass.mkv", format!("-i {srt} -map 0 -map 1 -c copy -c:s ass")),
        ("attached.mkv", format!("-map 0 -c copy -attach {srt} -metadata:s:t mimetype=application/x-font")),
        // The codec of the second audio is not accepted, nor is the one of the cover.
        ("dts.mkv", "-map 0 -map 0:a -c copy -c:a:1 dca -strict -2".to_owned()),
        ("dts-first.mp4", "-map 0:v -map 0:a -map 0:a -c copy -c:a:0 dca -strict -2".to_owned()),
    ] {
        let name = fixture.source(name, &format!("-i {plain} {more}")).await;
        let warnings = check(&fixture, &name, PIECE, &[BEEP_S]).await;
        assert_eq!(warnings, Vec::<String>::new(), "{name}");
    }
}

#[tokio::test]
async fn timestamps_that_jump_are_followed() {
    let mut fixture = Fixture::new().await;
    let args = "-c:v libx264 -g 10 -c:a aac";
    let first = piece(&mut fixture, "first.ts", (96, 64), 0, args).await;
    for (name, offset) in [("again.ts", "0"), ("ahead.ts", "30"), ("far.ts", "5000")] {
        let args = format!("{args} -output_ts_offset {offset}");
        let second = piece(&mut fixture, &format!("of-{name}"), (96, 64), 6, &args).await;
        let name = file(&mut fixture, name, &[first.clone(), second].concat()).await;
        let warnings = check(&fixture, &name, 2 * PIECE, &[BEEP_S, 1.2 + BEEP_S]).await;
        assert!(warnings.iter().any(|warning| warning.contains("jump 1 time;")), "{name}: {warnings:?}");
    }
    let args = format!("{args} -flvflags no_duration_filesize");
    let first = piece(&mut fixture, "first.flv", (96, 64), 0, &args).await;
    let second = piece(&mut fixture, "second.flv", (96, 64), 6, &args).await;
    // The header of the second one is omitted.
    let name = file(&mut fixture, "again.flv", &[&first[..], &second[13..]].concat()).await;
    let warnings = check(&fixture, &name, 2 * PIECE, &[BEEP_S, 1.2 + BEEP_S]).await;
    assert!(warnings.iter().any(|warning| warning.contains("jump 1 time;")), "{warnings:?}");
}

#[tokio::test]
async fn the_format_may_change_in_mid_stream() {
    let mut fixture = Fixture::new().await;
    let args = "-c:v libx264 -g 10 -bf 0 -c:a aac -ar 44100 -ac 2";
    let first = piece(&mut fixture, "first.ts", (96, 64), 0, args).await;
    for (name, size, form) in [
        ("smaller.ts", (48, 32), "-c:a aac -ar 44100 -ac 2"),
        ("turned.ts", (64, 96), "-c:a aac -ar 44100 -ac 2"),
        ("rate.ts", (96, 64), "-c:a aac -ar 48000 -ac 2"),
        ("mono.ts", (96, 64), "-c:a aac -ar 44100 -ac 1"),
        ("all.ts", (160, 96), "-pix_fmt yuv422p -c:a aac -ar 32000 -ac 6"),
    ] {
        let args = format!("-c:v libx264 -g 10 -bf 0 {form} -output_ts_offset 1.2");
        let second = piece(&mut fixture, &format!("of-{name}"), size, 6, &args).await;
        let name = file(&mut fixture, name, &[first.clone(), second].concat()).await;
        check(&fixture, &name, 2 * PIECE, &[BEEP_S, 1.2 + BEEP_S]).await;
    }
}

#[tokio::test]
async fn truncated_files_are_used_to_their_end() {
    let mut fixture = Fixture::new().await;
    for (name, args) in [
        ("whole.mkv", "-c:v libx264 -g 5 -bf 0 -c:a aac -cluster_time_limit 100"),
        ("whole.flv", "-c:v libx264 -g 5 -bf 0 -c:a aac"),
    ] {
        let whole = piece(&mut fixture, name, (96, 64), 0, args).await;
        let name = file(&mut fixture, &format!("half-{name}"), &whole[..whole.len() * 3 / 4]).await;
        let info = fixture.facts.media[&name].clone().unwrap();
        let video = info.video.as_ref().unwrap();
        assert!(video.frames > 8 && video.frames < 30, "{name}: {} frames", video.frames);
        let warnings = check(&fixture, &name, video.frames as usize, &[BEEP_S]).await;
        assert!(warnings.iter().any(|warning| warning.contains("incomplete")), "{name}: {warnings:?}");
    }
    let whole =
        piece(&mut fixture, "whole.mp4", (96, 64), 0, "-c:v libx264 -c:a aac -movflags +faststart").await;
    let name = file(&mut fixture, "half.mp4", &whole[..whole.len() * 3 / 4]).await;
    let error = fixture.facts.media[&name].clone().unwrap_err();
    assert!(error.message.english().contains("truncated"), "{error}");
}

#[tokio::test]
async fn low_rates_fill_all_frames_over_a_blurred_copy() {
    let mut fixture = Fixture::new().await;
    for (rate, fps) in [("24000/1001", 60), ("15", 50), ("12", 30), ("5", 25), ("8", 25)] {
        let film = TestVideo::new(96, 64, rate, 10);
        let name = format!("{}.mp4", rate.replace('/', "-"));
        let name = fixture.drawn(&name, film, "-c:v libx264", |frame, _, _| [stair(frame); 3]).await;
        let options =
            MixOptions { background: Background::Blur, fill: FillMode::None, ..options((64, 64), fps) };
        let rendering = fixture.render_one(base(vec![group(&[&name])], options)).await;
        let seconds = fixture.facts.media[&name].as_ref().unwrap().video.as_ref().unwrap().duration_s;
        let expected = (seconds * f64::from(fps)).round() as usize;
        assert!(lumas(&rendering.path).await.len().abs_diff(expected) <= 1, "{rate} at {fps}");
    }
}

/// The first frame is shown from where the audio begins, as with plain ffmpeg.
#[tokio::test]
async fn a_late_first_frame_is_awaited() {
    let mut fixture = Fixture::new().await;
    piece(&mut fixture, "whole.mp4", (96, 64), 0, "-c:v libx264 -bf 0 -c:a aac").await;
    let whole = fixture.path("whole.mp4").display().to_string();
    let late = format!("-itsoffset 0.4 -i {whole} -i {whole} -map 0:v -map 1:a -c copy");
    for name in ["late.mkv", "late.ts", "late.flv"] {
        fixture.source(name, &late).await;
        let options = MixOptions { fill: FillMode::Stretch, ..options((96, 64), RATE) };
        let rendering = fixture.render_one(base(vec![group(&[name])], options)).await;
        let lumas = lumas(&rendering.path).await;
        assert!(lumas.len().abs_diff(PIECE + 10) <= 1, "{name}: {} frames", lumas.len());
        for (frame, luma) in lumas.iter().enumerate() {
            let near = [frame.saturating_sub(11), frame.saturating_sub(10), frame.saturating_sub(9)];
            assert!(near.map(|frame| frame / 5).contains(&step_of(*luma)), "{name}: frame {frame}");
        }
        let beeps = onsets(&rendering.path).await;
        assert!(matches!(beeps[..], [at] if (at - BEEP_S).abs() <= 0.045), "{name}: {beeps:?}");
    }
}
