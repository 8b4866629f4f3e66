//! Common sources: every container and codec shows the right frame at the right time, with its audio in sync.

use crate::support::draw::*;
use crate::support::*;
use clipmill_core::request::model::{FillMode, MixOptions};

/// Frames a second of the outputs.
const RATE: u32 = 25;

/// When the audio of a clapper begins.
const BEEP_S: f64 = 0.4;

/// The stair rises every fifth of a second; at the second rise a beep begins.
const STEP_S: f64 = 0.2;

const FILM: TestVideo = TestVideo::new(96, 64, "25", 30);

fn options() -> MixOptions {
    MixOptions { fill: FillMode::Stretch, ..crate::support::options((96, 64), RATE) }
}

fn beep(layout: &str, seconds: f64) -> String {
    format!(
        "-f lavfi -i aevalsrc=0.5*sin(2*PI*1500*t)*between(t\\,{BEEP_S}\\,0.6):c={layout}:s=48000:d={seconds}"
    )
}

/// 1.2 s of stair and beep; `args` follow both inputs.
async fn clapper(fixture: &mut Fixture, name: &str, args: &str) -> String {
    clapper_with(fixture, name, &beep("stereo", 1.2), args).await
}

async fn clapper_with(fixture: &mut Fixture, name: &str, sound: &str, args: &str) -> String {
    let stair = |frame: usize, _, _| [stair(2 * (frame / 5)); 3];
    fixture.drawn(name, FILM, &format!("{sound} {args}"), stair).await
}

/// The video is the stair from its first step on, and the beep is at its position, wherever the clip is.
async fn check_clapper(fixture: &Fixture, name: &str, beep_at: Option<f64>) {
    let rendering = fixture.render_one(base(vec![group(&[name, name])], options())).await;
    let lumas = lumas(&rendering.path).await;
    // A container's coarse clock may make a clip one frame longer or shorter.
    assert!(lumas.len().abs_diff(60) <= 2 && lumas.len() % 2 == 0, "{name}: {} frames", lumas.len());
    let half = lumas.len() / 2;
    for (i, luma) in lumas.iter().enumerate() {
        let at = (i % half) as f64 / f64::from(RATE);
        let allowed = [at - 0.021, at + 0.021].map(|at| 2 * ((at / STEP_S).floor().clamp(0.0, 5.0) as usize));
        assert!(
            allowed.contains(&step_of(*luma)),
            "{name}: frame {i} shows {} instead of {allowed:?}",
            step_of(*luma)
        );
    }
    let beeps = onsets(&rendering.path).await;
    let expected: Vec<f64> =
        beep_at.into_iter().flat_map(|at| [at, at + half as f64 / f64::from(RATE)]).collect();
    assert_eq!(beeps.len(), expected.len(), "{name}: {beeps:?}");
    for (beep, expected) in beeps.iter().zip(expected) {
        assert!((beep - expected).abs() <= 0.025, "{name}: beep at {beep:.4} instead of {expected}");
    }
}

#[tokio::test]
async fn mp4_and_related_formats() {
    let mut fixture = Fixture::new().await;
    for (name, args) in [
        ("h264.mp4", "-c:v libx264 -c:a aac"),
        ("faststart.mp4", "-c:v libx264 -c:a aac -movflags +faststart"),
        ("fragmented.mp4", "-c:v libx264 -g 10 -c:a aac -movflags frag_keyframe+empty_moov"),
        ("hevc.mp4", "-c:v libx265 -x265-params log-level=none -preset ultrafast -tag:v hvc1 -c:a aac"),
        ("mpeg4.mp4", "-c:v mpeg4 -q:v 2 -c:a libmp3lame"),
        ("mjpeg.mov", "-c:v mjpeg -q:v 2 -pix_fmt yuvj420p -c:a pcm_s16be"),
        ("prores.mov", "-c:v prores_ks -c:a pcm_s24le"),
        ("png.mov", "-c:v png -c:a alac"),
    ] {
        let clip = clapper(&mut fixture, name, args).await;
        check_clapper(&fixture, &clip, Some(BEEP_S)).await;
    }
}

#[tokio::test]
async fn matroska_and_webm() {
    let mut fixture = Fixture::new().await;
    for (name, args) in [
        ("h264.mkv", "-c:v libx264 -c:a ac3"),
        ("hevc.mkv", "-c:v libx265 -x265-params log-level=none -preset ultrafast -c:a flac"),
        ("vp9.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 1M -c:a libopus"),
        ("vp8.webm", "-c:v libvpx -deadline realtime -b:v 1M -c:a libvorbis"),
        ("later.mkv", "-c:v libx264 -c:a libopus -output_ts_offset 7.5"),
    ] {
        let clip = clapper(&mut fixture, name, args).await;
        check_clapper(&fixture, &clip, Some(BEEP_S)).await;
    }
}

#[tokio::test]
async fn streams_and_older_files() {
    let mut fixture = Fixture::new().await;
    for (name, args) in [
        ("h264.ts", "-c:v libx264 -c:a aac"),
        ("mpeg2.ts", "-c:v mpeg2video -q:v 2 -c:a mp2"),
        ("later.ts", "-c:v libx264 -c:a aac -output_ts_offset 1000"),
        ("mpeg4.avi", "-c:v mpeg4 -q:v 2 -c:a libmp3lame"),
        ("mjpeg.avi", "-c:v mjpeg -q:v 2 -pix_fmt yuvj420p -c:a pcm_s16le"),
        ("mpeg2.mpg", "-c:v mpeg2video -q:v 2 -c:a mp2"),
        ("flash.flv", "-c:v flv -q:v 2 -ar 44100 -c:a libmp3lame"),
        ("h264.flv", "-c:v libx264 -c:a aac"),
    ] {
        let clip = clapper(&mut fixture, name, args).await;
        check_clapper(&fixture, &clip, Some(BEEP_S)).await;
    }
}

#[tokio::test]
async fn an_animated_gif_is_a_clip_without_audio() {
    let mut fixture = Fixture::new().await;
    let clip = clapper(&mut fixture, "a.gif", "-an").await;
    check_clapper(&fixture, &clip, None).await;
}

#[tokio::test]
async fn channels_and_sample_rates_of_all_kinds() {
    let mut fixture = Fixture::new().await;
    for (layout, rate) in
        [("mono", 8_000), ("mono", 44_100), ("stereo", 22_050), ("5.1", 48_000), ("stereo", 96_000)]
    {
        let name = format!("{layout}-{rate}.mkv");
        let codecs = format!("-c:v libx264 -preset ultrafast -c:a flac -ar {rate}");
        let clip = clapper_with(&mut fixture, &name, &beep(layout, 1.2), &codecs).await;
        check_clapper(&fixture, &clip, Some(BEEP_S)).await;
    }
}

#[tokio::test]
async fn audio_longer_shorter_later_or_earlier_than_the_video_stays_in_sync() {
    let mut fixture = Fixture::new().await;
    let codecs = "-c:v libx264 -preset ultrafast -c:a pcm_s16le";
    for (name, sound, beep_at) in [
        ("longer.mkv", beep("mono", 2.5), BEEP_S),
        ("shorter.mkv", beep("mono", 0.7), BEEP_S),
        ("later.mkv", format!("-itsoffset 0.3 {}", beep("mono", 0.9)), BEEP_S + 0.3),
        ("later.mov", format!("-itsoffset 0.3 {}", beep("mono", 0.9)), BEEP_S + 0.3),
        // From 0.1 s on, the first frame is held instead.
        ("earlier.mkv", format!("-itsoffset -0.08 {}", beep("mono", 1.3)), BEEP_S - 0.08),
    ] {
        let clip = clapper_with(&mut fixture, name, &sound, codecs).await;
        check_clapper(&fixture, &clip, Some(beep_at)).await;
    }
}

#[tokio::test]
async fn a_changing_frame_rate_keeps_time() {
    let mut fixture = Fixture::new().await;
    // 50 frames a second for 0.6 s, then 12.5.
    let vfr = "-vf select=lt(n\\,30)+not(mod(n\\,4)) -fps_mode vfr -c:v libx264 -preset ultrafast -c:a aac";
    for name in ["a.mkv", "a.mp4"] {
        let film = TestVideo::new(96, 64, "50", 60);
        let stair = |frame: usize, _, _| [stair(2 * (frame / 10)); 3];
        let args = format!("{} {vfr}", beep("stereo", 1.2));
        fixture.drawn(name, film, &args, stair).await;
        let rendering = fixture.render_one(base(vec![group(&[name])], options())).await;
        let lumas = lumas(&rendering.path).await;
        assert!(lumas.len().abs_diff(30) <= 1, "{name}: {} frames", lumas.len());
        for (i, luma) in lumas.iter().enumerate() {
            // The slow part has a frame every 0.08 s.
            let at = i as f64 / f64::from(RATE);
            let allowed =
                [at - 0.085, at, at + 0.021].map(|at| 2 * ((at / STEP_S).floor().clamp(0.0, 5.0) as usize));
            assert!(allowed.contains(&step_of(*luma)), "{name}: frame {i} shows {}", step_of(*luma));
        }
        let beeps = onsets(&rendering.path).await;
        assert!(beeps.len() == 1 && (beeps[0] - BEEP_S).abs() <= 0.025, "{name}: {beeps:?}");
    }
}

/// Writes a display matrix into the header of the first track of an MP4: a turn of `quarters` clockwise.
fn turn(path: &std::path::Path, quarters: usize, (width, height): (u32, u32)) {
    const ONE: u32 = 1 << 16;
    let minus = ONE.wrapping_neg();
    let (w, h) = (width << 16, height << 16);
    let [a, b, c, d, x, y] = match quarters {
        1 => [0, ONE, minus, 0, h, 0],
        2 => [minus, 0, 0, minus, w, h],
        _ => [0, minus, ONE, 0, 0, w],
    };
    let mut bytes = std::fs::read(path).unwrap();
    let at = bytes.windows(4).position(|name| name == b"tkhd").unwrap() + 44;
    let matrix = [a, b, 0, c, d, 0, x, y, 1 << 30].map(u32::to_be_bytes).concat();
    bytes[at..at + 36].copy_from_slice(&matrix);
    std::fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn a_phone_video_is_upright() {
    let mut fixture = Fixture::new().await;
    let film = TestVideo::new(160, 90, "25", 3);
    // Colours of the corners as shown: top left, top right, bottom left, bottom right.
    for (quarters, corners) in
        [(1, [BLUE, RED, YELLOW, GREEN]), (2, [YELLOW, BLUE, GREEN, RED]), (3, [GREEN, YELLOW, RED, BLUE])]
    {
        let name = format!("turned{quarters}.mp4");
        fixture.quarters(&name, film, &format!("{BT709} {X264}")).await;
        let path = fixture.folder.path().join(&name);
        turn(&path, quarters, film.size);
        fixture.learn(&name, &path).await;
        let size = if quarters == 2 { (160, 90) } else { (90, 160) };
        let same = fixture.render_one(dedup(&[&name], |_| {})).await;
        assert_eq!((same.size.width, same.size.height), size);
        let mixed = fixture.render_one(base(vec![group(&[&name])], crate::support::options(size, 25))).await;
        for rendering in [same, mixed] {
            let frame = frame(&rendering.path, rendering.size, 1).await;
            let points = [(12, 12), (size.0 - 12, 12), (12, size.1 - 12), (size.0 - 12, size.1 - 12)];
            for (point, colour) in points.into_iter().zip(corners) {
                near(frame.around(point), colour, 10.0, &format!("{quarters} quarters: {point:?}"));
            }
        }
    }
}

#[tokio::test]
async fn non_square_pixels_are_shown_in_proportion() {
    let mut fixture = Fixture::new().await;
    let args = format!("{} {X264}", BT709.replacen("format=yuv420p", "format=yuv420p,setsar=2", 1));
    let clip = fixture.quarters("wide.mp4", TestVideo::new(80, 90, "25", 3), &args).await;
    let rendering =
        fixture.render_one(base(vec![group(&[&clip])], crate::support::options((160, 160), 25))).await;
    let frame = frame(&rendering.path, rendering.size, 1).await;
    for (point, colour) in [((8, 45), RED), ((152, 45), GREEN), ((8, 115), BLUE), ((152, 115), YELLOW)] {
        near(frame.around(point), colour, 10.0, &format!("{point:?}"));
    }
    near(frame.around((80, 20)), [0; 3], 5.0, "bar above");
    near(frame.around((80, 140)), [0; 3], 5.0, "bar below");
    let same = fixture.render_one(dedup(&[&clip], |_| {})).await;
    assert_eq!((same.size.width, same.size.height), (160, 90));
    assert_eq!(probed(&same.path, "sample_aspect_ratio").await, "1:1");
}

#[tokio::test]
async fn interlaced_fields_are_woven_into_frames() {
    let mut fixture = Fixture::new().await;
    // A bar that moves 4 pixels a field: combed when both fields are shown as one frame.
    let bar = |frame: usize, x: u32, _| if (x / 4) as usize % 24 == frame { [220; 3] } else { [40; 3] };
    let weave = "-vf interlace=scan=tff:lowpass=off,format=yuv420p,setfield=tff -c:v mpeg2video -q:v 2 -flags +ilme+ildct";
    let clip = fixture.drawn("a.ts", TestVideo::new(96, 64, "50", 24), weave, bar).await;
    assert!(fixture.facts.media[&clip].as_ref().unwrap().video.as_ref().unwrap().interlaced);
    let rendering = fixture.render_one(base(vec![group(&[&clip])], options())).await;
    let frame = frame(&rendering.path, rendering.size, 5).await;
    // Next lines of one frame look alike.
    let combed = (10..50)
        .filter(|y| (0..96).any(|x| frame.at(x, *y)[0].abs_diff(frame.at(x, *y + 1)[0]) > 60))
        .count();
    assert!(combed <= 2, "{combed} of 40 lines differ from the next");
}
