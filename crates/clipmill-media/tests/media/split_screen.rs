//! Two clips at once, measured: the halves and their seam, the frames and the audio of both.

use clipmill_core::error::ErrorCode;
use clipmill_core::media::Size;
use clipmill_core::request::model::*;

use crate::support::audio::*;
use crate::support::draw::*;
use crate::support::*;
use crate::sync::flash_and_beep;
use crate::transitions::by;

fn beside(first: &str, layout: SplitLayout, second: &str) -> Clip {
    let split = SplitScreen { layout, second: Box::new(clip(second)) };
    Clip { split: Some(split), ..clip(first) }
}

fn left_right(first: &str, second: &str) -> Clip {
    beside(first, SplitLayout::LeftRight, second)
}

fn one(clip: Clip, options: MixOptions) -> Params {
    base(vec![Group { videos: vec![clip], total_duration_s: None }], options)
}

/// A box of a frame.
fn cut(frame: &Frame, (x, y): (u32, u32), size: Size) -> Frame {
    let rows = || (y..y + size.height).flat_map(|row| (x..x + size.width).map(move |column| (column, row)));
    let plane = |channel: usize| rows().map(move |(x, y)| frame.at(x, y)[channel]);
    Frame::of(size, [1, 2, 0].into_iter().flat_map(plane).collect())
}

/// The step of the stair in a box of a frame.
fn step(frame: &Frame, at: (u32, u32)) -> usize {
    ((frame.around(at)[1] - 24.0) / 17.0).round().max(0.0) as usize
}

/// Each pixel column or row up to the seam is of the first clip, each further one of the second.
#[tokio::test]
async fn the_seam_is_in_the_middle_to_the_pixel() {
    let mut fixture = Fixture::new().await;
    let x264 = format!("{BT709} {X264}");
    let dark = fixture.plain("dark.mp4", TestVideo::new(160, 90, "25", 10), [60; 3], &x264).await;
    let bright =
        fixture.plain("bright.mp4", TestVideo::new(90, 162, "30000/1001", 20), [190; 3], &x264).await;
    for ((width, height), fps, fill) in [
        ((160, 90), 25, FillMode::None),
        ((162, 98), 30, FillMode::Crop),
        ((90, 162), 50, FillMode::Stretch),
        ((98, 160), 60, FillMode::None),
    ] {
        for layout in [SplitLayout::LeftRight, SplitLayout::TopBottom] {
            let options = MixOptions { fill, ..options((width, height), fps) };
            let rendering = fixture.render_one(one(beside(&dark, layout, &bright), options)).await;
            let frame = frame(&rendering.path, rendering.size, 3).await;
            let half = |side: u32| (f64::from(side) / 4.0).round() as u32 * 2;
            let (seam, end) = match layout {
                SplitLayout::LeftRight => (half(width), width),
                SplitLayout::TopBottom => (half(height), height),
            };
            assert!(seam.abs_diff(end - seam) <= 2);
            for at in 0..end {
                let value = match layout {
                    SplitLayout::LeftRight => frame.mean((at, 8), (1, height - 16))[1],
                    SplitLayout::TopBottom => frame.mean((8, at), (width - 16, 1))[1],
                };
                let expected = if at < seam { 60.0 } else { 190.0 };
                assert!((value - expected).abs() < 12.0, "{width}x{height} {layout:?}: {value} at {at}");
            }
        }
    }
}

/// Each half shows, frame by frame, what the clip shows by itself in a frame of that size.
#[tokio::test]
async fn each_half_is_the_clip_by_itself() {
    let mut fixture = Fixture::new().await;
    let x264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p";
    let film = |pattern: &str, size: &str, rate: &str| format!("-f lavfi -i {pattern}=s={size}:r={rate}:d=2");
    let first = fixture.source("first.mp4", &format!("{} {x264}", film("testsrc2", "320x180", "25"))).await;
    let lying = fixture.path("first.mp4");
    let mut others = vec![
        fixture
            .source("odd.mkv", &format!("{} -c:v libx264 -pix_fmt yuv444p", film("testsrc", "361x241", "30")))
            .await,
        fixture
            .source(
                "uneven.mp4",
                &format!(
                    "{} {x264} -vf select=mod(n\\,7)+mod(n\\,3) -fps_mode vfr",
                    film("testsrc2", "320x180", "30")
                ),
            )
            .await,
        fixture
            .source(
                "pq.mp4",
                &format!(
                    "{} -c:v libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p10le \
                 -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc",
                    film("testsrc2", "320x180", "25")
                ),
            )
            .await,
        fixture
            .source(
                "shifted.ts",
                &format!("{} {x264} -output_ts_offset 7", film("testsrc2", "320x240", "25")),
            )
            .await,
        fixture.source("image.png", "-f lavfi -i testsrc=s=200x300 -frames:v 1").await,
        fixture
            .source(
                "clear.png",
                "-f lavfi -i testsrc=s=200x300 -frames:v 1 -vf format=rgba,colorchannelmixer=aa=0.5",
            )
            .await,
    ];
    let turned = format!("-i {} -c copy -metadata:s:v rotate=90", lying.display());
    others.push(fixture.source("turned.mp4", &turned).await);
    let size = Size::new(160, 180);
    for other in every_nth(2, &others) {
        for (a, b) in [(&first, other), (other, &first)] {
            for motion in [ImageMotion::None, ImageMotion::ZoomIn] {
                if motion != ImageMotion::None && !other.ends_with("image.png") {
                    continue;
                }
                let with = |clip: Clip| Clip { duration_s: Some(2.0), image_motion: Some(motion), ..clip };
                let whole = fixture.render_one(one(with(left_right(a, b)), options((320, 180), 30))).await;
                let whole = frames(&whole.path, Size::new(320, 180)).await;
                for (url, x) in [(a, 0), (b, 160)] {
                    let half = MixOptions { fill: FillMode::Crop, ..options((160, 180), 30) };
                    let half = fixture.render_one(one(with(clip(url)), half)).await;
                    let half = frames(&half.path, size).await;
                    // The uneven clip ends a little earlier.
                    assert!((58..=60).contains(&half.len()), "{url}: {}", half.len());
                    if x == 0 {
                        assert_eq!(whole.len(), half.len(), "{a} {b}");
                    }
                    for (index, (whole, half)) in whole.iter().zip(&half).enumerate().step_by(7) {
                        let difference = cut(whole, (x, 0), size).difference(half);
                        assert!(difference < 4.0, "{url} of {a} {b}, frame {index}: {difference:.2}");
                    }
                }
            }
        }
    }
}

/// A shorter clip repeats without a gap, at any length, rate and speed, and across parts and transitions.
#[tokio::test]
async fn a_shorter_clip_repeats() {
    let mut fixture = Fixture::new().await;
    let x264 = format!("{BT709} {X264} -g 12");
    let long = fixture.counted("long.mp4", TestVideo::new(96, 64, "25", 150), &x264).await;
    for (name, count) in [("half.mp4", 20), ("flash.mp4", 7), ("most.mp4", 140)] {
        let second = fixture.counted(name, TestVideo::new(96, 64, "25", count), &x264).await;
        for (part_seconds, transition) in [(0, None), (2, None), (0, by(&["slideup"], 0.4))] {
            fixture.part_seconds = part_seconds;
            let mut videos = vec![left_right(&long, &second)];
            videos.extend(transition.iter().map(|_| clip(&long)));
            let options = MixOptions { transition: transition.clone(), ..options((128, 64), 25) };
            let group = Group { videos, total_duration_s: None };
            let rendering = fixture.render_one(base(vec![group], options)).await;
            let shown = frames(&rendering.path, rendering.size).await;
            // Frames of the transition are mixed.
            let clean = if transition.is_some() { 140 } else { 150 };
            for (index, frame) in shown.iter().enumerate().take(clean) {
                let of_second = match name {
                    "most.mp4" => index.min(139),
                    // The rest is shorter than half a second.
                    "half.mp4" if index >= 140 => 19,
                    _ => index % count,
                };
                assert_eq!(step(frame, (32, 32)), index % 13, "{name} {part_seconds} first, frame {index}");
                assert_eq!(
                    step(frame, (96, 32)),
                    of_second % 13,
                    "{name} {part_seconds} second, frame {index}"
                );
            }
        }
    }
    fixture.part_seconds = 0;
    let second = fixture.counted("fast.mp4", TestVideo::new(96, 64, "25", 40), &x264).await;
    let mut fast = left_right(&long, &second);
    fast.speed_permille = Some(2000);
    fast.split.as_mut().unwrap().second.from_s = Some(0.4);
    let rendering = fixture.render_one(one(fast, options((128, 64), 25))).await;
    let shown = frames(&rendering.path, rendering.size).await;
    assert_eq!(shown.len(), 75);
    for (index, frame) in shown.iter().enumerate() {
        assert_eq!(step(frame, (32, 32)), 2 * index % 13, "frame {index}");
        assert_eq!(step(frame, (96, 32)), (10 + 2 * (index % 15)) % 13, "frame {index}");
    }
}

#[tokio::test]
async fn parts_are_the_whole() {
    let mut fixture = crate::parts::fixture(2).await;
    let x264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25";
    let film =
        |rate: &str, seconds: f64| format!("-f lavfi -i testsrc2=s=160x90:r={rate}:d={seconds} {x264}");
    let first = fixture.source("first.mp4", &film("25", 9.0)).await;
    for (name, rate, seconds, count) in
        [("long.mp4", "30000/1001", 12.0, 5), ("short.mkv", "24", 3.3, 5), ("stream.ts", "25", 12.0, 1)]
    {
        let second = fixture.source(name, &film(rate, seconds)).await;
        for layout in [SplitLayout::LeftRight, SplitLayout::TopBottom] {
            let params = one(beside(&first, layout, &second), options((160, 90), 30));
            crate::parts::check(&mut fixture, name, &params, count).await;
        }
    }
}

/// When each half turns white.
async fn flashes(rendering: &Rendered, fps: f64) -> [Vec<f64>; 2] {
    let shown = frames(&rendering.path, rendering.size).await;
    [(rendering.size.width / 4), (rendering.size.width * 3 / 4)].map(|x| {
        let bright = Vec::from_iter(shown.iter().map(|frame| frame.around((x, 45))[1] > 127.0));
        let rises = bright.windows(2).enumerate().filter(|(_, pair)| !pair[0] && pair[1]);
        rises.map(|(index, _)| (index + 1) as f64 / fps).collect()
    })
}

#[tokio::test]
async fn the_flash_of_each_clip_is_with_its_beep() {
    let mut fixture = Fixture::new().await;
    let (mut worst, mut all) = (0.0_f64, 0);
    for (a, b, fps) in [("25", "30000/1001", 30), ("60", "24", 25), ("24000/1001", "50", 60)] {
        let first = flash_and_beep(&mut fixture, &format!("a{fps}.mp4"), a, 4.0, true).await;
        // Its flash is at 0.8 s and again 1.6 s later.
        let second = flash_and_beep(&mut fixture, &format!("b{fps}.mp4"), b, 1.6, true).await;
        let silent = flash_and_beep(&mut fixture, &format!("c{fps}.mp4"), a, 4.0, false).await;
        for (first, count) in [(&first, 3), (&silent, 2)] {
            let rendering =
                fixture.render_one(one(left_right(first, &second), options((320, 90), fps))).await;
            let [of_first, of_second] = flashes(&rendering, f64::from(fps)).await;
            assert_eq!((of_first.len(), of_second.len()), (1, 2), "{of_first:?} {of_second:?}");
            let mut expected = of_second;
            if count == 3 {
                expected.extend(of_first);
            }
            expected.sort_by(f64::total_cmp);
            let beeps = onsets(&rendering.path).await;
            assert_eq!(beeps.len(), count, "{beeps:?} {expected:?}");
            for (flash, beep) in expected.iter().zip(&beeps) {
                let apart = (beep - flash).abs();
                assert!(apart <= 0.5 / f64::from(fps) + 0.005, "{a} {b} {fps}: {flash:.3} {beep:.3}");
                (worst, all) = (worst.max(apart), all + 1);
            }
        }
    }
    println!("{all} beeps are at most {:.1} ms from their flashes", worst * 1000.0);
}

#[tokio::test]
async fn both_clips_are_heard_at_their_levels() {
    let mut fixture = Fixture::new().await;
    let low = toned(&mut fixture, 3.0, 440).await;
    let high = toned(&mut fixture, 1.0, 1320).await;
    let silent = mute(&mut fixture, 3.0).await;
    let level = |audio: &[f32], hz: f64| tone_db(audio, hz, (0.2, 2.8));
    let check = |audio: &[f32], low: f64, high: f64, what: &str| {
        for (hz, expected) in [(440.0, low), (1320.0, high)] {
            let level = level(audio, hz);
            let is_silent = expected < -70.0 && level < -60.0;
            assert!(is_silent || (level - expected).abs() <= 0.3, "{what}: {hz} Hz at {level:.2} dB");
        }
    };
    const NONE: f64 = -90.0;
    check(&heard(&fixture, one(left_right(&low, &high), quiet())).await, TONE_DB, TONE_DB, "both");
    check(&heard(&fixture, one(left_right(&low, &silent), quiet())).await, TONE_DB, NONE, "the first");
    check(&heard(&fixture, one(left_right(&silent, &high), quiet())).await, NONE, TONE_DB, "the second");
    let soft = Clip { volume_percent: Some(50), ..left_right(&low, &high) };
    check(&heard(&fixture, one(soft, quiet())).await, TONE_DB - 6.02, TONE_DB - 6.02, "half");
    let muted = MixOptions { original_volume: 0, ..quiet() };
    check(&heard(&fixture, one(left_right(&low, &high), muted)).await, NONE, NONE, "muted");
    // A transition keeps both until the next clips are heard.
    let group = Group { videos: vec![left_right(&low, &high), clip(&low)], total_duration_s: None };
    let options = MixOptions { transition: by(&["fade"], 0.4), ..quiet() };
    let audio = heard(&fixture, base(vec![group], options)).await;
    assert!((tone_db(&audio, 1320.0, (0.2, 2.5)) - TONE_DB).abs() <= 0.3);
    assert!(tone_db(&audio, 1320.0, (3.1, 5.0)) < -60.0);
}

/// The loudest possible audio of both does not clip.
#[tokio::test]
async fn loud_clips_are_limited() {
    let mut fixture = Fixture::new().await;
    let loud = "-f lavfi -i aevalsrc=0.9*sin(2*PI*440*t):c=stereo:s=48000:d=2 -c:v libx264 -preset ultrafast -c:a pcm_s16le";
    let a = fixture.source("a.mov", &format!("{PICTURE}:d=2 {loud}")).await;
    let b = fixture.source("b.mov", &format!("{PICTURE}:d=2 {loud}")).await;
    let audio = heard(&fixture, one(left_right(&a, &b), quiet())).await;
    let peak = audio.iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs()));
    assert!(peak <= 1.0, "{peak}");
    // Limited, not cut: the tone stays a sine.
    let tone = tone_db(&audio, 440.0, (0.3, 1.7));
    let third = tone_db(&audio, 1320.0, (0.3, 1.7));
    assert!(third < tone - 40.0, "{third:.1} dB of distortion beside {tone:.1} dB");
}

/// A damaged second clip is named, as any other clip.
#[tokio::test]
async fn a_damaged_second_clip_is_to_blame() {
    let mut fixture = Fixture::new().await;
    let film =
        "-f lavfi -i testsrc2=s=320x180:r=25:d=6 -c:v libx264 -preset ultrafast -g 25 -movflags +faststart";
    let first = fixture.source("first.mp4", film).await;
    let mut bytes = std::fs::read(fixture.path("first.mp4")).unwrap();
    let (from, to) = (bytes.len() * 2 / 5, bytes.len() * 3 / 5);
    (from..to).step_by((to - from) / 400).for_each(|at| bytes[at] ^= 0x55);
    let path = fixture.folder.path().join("flipped.mp4");
    std::fs::write(&path, bytes).unwrap();
    let second = fixture.learn("flipped.mp4", &path).await;
    let error =
        fixture.try_render(one(left_right(&first, &second), options((160, 90), 25))).await.err().unwrap();
    assert_eq!(
        (error.code, error.input.as_deref()),
        (ErrorCode::MediaDamaged, Some("flipped.mp4")),
        "{error}"
    );
}
