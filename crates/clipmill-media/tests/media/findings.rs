//! The reports about an output: its quality, its warnings, its cover.

use std::path::Path;
use std::time::Duration;

use crate::support::draw::*;
use crate::support::*;
use clipmill_core::media::Size;
use clipmill_core::request::model::Params;
use clipmill_media::cache::none_needed;
use clipmill_media::digest::digest;
use clipmill_media::segment::render::SegmentOrigin;

const MOVING: &str = "testsrc2=s=160x90:r=25";

/// Black and frozen seconds of an output of one clip made by these filters, joined in order.
async fn check_seconds(parts: &[&str], black: f64, frozen: f64) {
    let mut fixture = Fixture::new().await;
    let inputs: String = parts.iter().map(|part| format!("-f lavfi -i {part} ")).collect();
    let joined = format!("-filter_complex concat=n={}:v=1,format=yuv420p", parts.len());
    let clip =
        fixture.source("a.mp4", &format!("{inputs}{joined} -c:v libx264 -preset ultrafast -crf 12")).await;
    let quality =
        fixture.render_one(base(vec![group(&[&clip])], options((160, 90), 25))).await.output.quality;
    let near = |found: f64, expected: f64| (found - expected).abs() <= 0.081;
    assert!(near(quality.black_seconds, black), "{parts:?}: {quality:?}");
    assert!(near(quality.frozen_seconds, frozen), "{parts:?}: {quality:?}");
    assert_eq!(
        (quality.frames_found, quality.duration_error_ms),
        (quality.frames_planned, 0.0),
        "{quality:?}"
    );
    assert!(quality.speed.is_some_and(|speed| speed > 0.0), "{quality:?}");
}

#[tokio::test]
async fn black_and_frozen_parts_are_measured_at_any_position() {
    let moving = format!("{MOVING}:d=1");
    let (black, still) = ("color=black:s=160x90:r=25:d=1.2", "smptebars=s=160x90:r=25:d=1");
    check_seconds(&[&moving], 0.0, 0.0).await;
    check_seconds(&[black], 1.2, 1.2).await;
    check_seconds(&[&moving, black], 1.2, 1.2).await;
    check_seconds(&[black, &moving, still], 1.2, 2.2).await;
    check_seconds(&[&moving, still, &moving, black, &moving], 1.2, 2.2).await;
}

#[tokio::test]
async fn a_repeated_clip_counts_twice_even_from_the_cache() {
    let mut fixture = Fixture::new().await;
    let black = fixture.source("a.mp4", "-f lavfi -i color=black:s=160x90:r=25:d=1 -c:v libx264").await;
    let moving = fixture.source("b.mp4", &format!("-f lavfi -i {MOVING}:d=1 -c:v libx264")).await;
    let mix = || base(vec![group(&[&black, &moving, &black])], options((160, 90), 25));
    for cached in [0, 2] {
        let rendering = fixture.render_one(mix()).await;
        assert_eq!((rendering.cached, rendering.output.quality.black_seconds), (cached, 2.0));
    }
}

/// Clips of an output, each as ffmpeg's filters for 25 frames per second, and its black and frozen seconds.
async fn check_joined(clips: &[&str], black: f64, frozen: f64) {
    let mut fixture = Fixture::new().await;
    let mut urls = Vec::new();
    for (index, parts) in clips.iter().enumerate() {
        let parts: Vec<&str> = parts.split(' ').collect();
        let inputs: String = parts.iter().map(|part| format!("-f lavfi -i {part} ")).collect();
        let joined =
            format!("-filter_complex concat=n={}:v=1,format=yuv420p -c:v libx264 -crf 12", parts.len());
        urls.push(fixture.source(&format!("{index}.mp4"), &format!("{inputs}{joined}")).await);
    }
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let quality = fixture.render_one(base(vec![group(&urls)], options((160, 90), 25))).await.output.quality;
    let near = |found: f64, expected: f64| (found - expected).abs() <= 0.081;
    assert!(near(quality.black_seconds, black), "{clips:?}: {quality:?}");
    assert!(near(quality.frozen_seconds, frozen), "{clips:?}: {quality:?}");
}

#[tokio::test]
async fn short_findings_of_two_clips_add_up_at_their_joint() {
    let moving = format!("{MOVING}:d=1");
    let black = |seconds: f64| format!("color=black:s=160x90:r=25:d={seconds}");
    let bars = |seconds: f64| format!("smptebars=s=160x90:r=25:d={seconds}");
    let other = |seconds: f64| format!("pal75bars=s=160x90:r=25:d={seconds}");
    let (to_black, from_black) = (format!("{moving} {}", black(0.08)), format!("{} {moving}", black(0.08)));
    // A short run in the middle of a segment does not count.
    check_joined(&[&to_black, &moving], 0.0, 0.0).await;
    check_joined(&[&to_black, &from_black], 0.16, 0.0).await;
    check_joined(&[&to_black, &black(0.08), &from_black], 0.24, 0.0).await;
    let (to_bars, from_bars) = (format!("{moving} {}", bars(0.4)), format!("{} {moving}", bars(0.4)));
    check_joined(&[&to_bars, &moving], 0.0, 0.0).await;
    check_joined(&[&to_bars, &from_bars], 0.0, 0.8).await;
    check_joined(&[&to_bars, &bars(0.4), &bars(0.4)], 0.0, 1.2).await;
    // Two still frames that differ are two runs.
    check_joined(&[&to_bars, &format!("{} {moving}", other(0.4))], 0.0, 0.0).await;
}

#[tokio::test]
async fn a_damaged_input_is_reported_even_if_its_segment_is_cached() {
    let mut fixture = Fixture::new().await;
    for (codec, part) in
        [("libx264 -preset ultrafast", 7), ("libx264 -preset ultrafast", 3), ("mpeg2video", 7)]
    {
        fixture.source("a.ts", &format!("-f lavfi -i testsrc2=s=320x180:r=25:d=6 -c:v {codec} -g 25")).await;
        let whole = std::fs::read(fixture.folder.path().join("a.ts")).unwrap();
        let path = fixture.folder.path().join("cut.ts");
        // Whole packets of 188 bytes, from a position between two keyframes.
        std::fs::write(&path, &whole[whole.len() / 188 / part * 188..]).unwrap();
        fixture.learn("cut.ts", &path).await;
        for _ in 0..2 {
            let rendering = fixture.render_one(base(vec![group(&["cut.ts"])], options((96, 64), 25))).await;
            let warnings = rendering.output.warnings(|_| Some("cut.ts"));
            assert_eq!(warnings.len(), 1, "{codec} cut at 1/{part}: {warnings:?}");
            let message = &warnings[0].message;
            assert!(
                message.starts_with("cut.ts: the video is damaged") && message.contains("keyframe"),
                "{message}"
            );
        }
    }
    let audio = fixture.render_one(base(vec![group(&["a.ts"])], options((96, 64), 25))).await;
    assert!(audio.output.warnings(|_| None).is_empty(), "a whole file needs no warning");
}

/// Red, green, blue of the cover's middle, and its size.
async fn cover(made: &Rendered) -> (Frame, Size) {
    let cover = made.output.cover.as_ref().expect("there is a cover");
    assert_eq!(cover.path, made.path.with_extension("jpg"));
    let shown = probed(&cover.path, "codec_name,width,height").await;
    assert_eq!(shown, format!("mjpeg,{},{}", made.size.width, made.size.height));
    (jpeg(&cover.path, made.size).await, made.size)
}

/// A JPEG as browsers show it: BT.601, full range.
async fn jpeg(path: &Path, size: Size) -> Frame {
    let planes = raw(path, "-vf scale=in_color_matrix=bt601:in_range=full,format=gbrp -f rawvideo").await;
    Frame::of(size, planes)
}

#[tokio::test]
async fn the_cover_is_the_sharp_part_not_the_black_or_the_blurred_one() {
    let mut fixture = Fixture::new().await;
    let source = "-f lavfi -i color=black:s=320x180:r=25:d=2 -f lavfi -i testsrc2=s=320x180:r=25:d=2 \
                  -filter_complex [1]split=3[a][b][c];[a]gblur=8,hue=h=90[soft];[b]null[sharp];\
                  [c]gblur=8[late];[0][soft][sharp][late]concat=n=4:v=1,format=yuv420p \
                  -c:v libx264 -preset ultrafast -crf 12";
    let clip = fixture.source("a.mp4", source).await;
    let rendering = fixture.render_one(base(vec![group(&[&clip])], options((320, 180), 25))).await;
    let actual = cover_frame(&fixture, &rendering, (320, 180)).await;
    assert!((100..150).contains(&actual), "frame {actual} of 200 is the cover");
}

/// The frame of the output that the cover shows: the one it differs least from.
async fn cover_frame(_lab: &Fixture, made: &Rendered, (width, height): (u32, u32)) -> usize {
    let (cover, size) = cover(made).await;
    assert_eq!((size.width, size.height), (width, height));
    let difference = |frame: &Frame| {
        let points = (0..height).step_by(6).flat_map(|y| (0..width).step_by(6).map(move |x| (x, y)));
        let apart =
            |(x, y)| (0..3).map(|i| u64::from(frame.at(x, y)[i].abs_diff(cover.at(x, y)[i]))).sum::<u64>();
        points.map(apart).sum::<u64>()
    };
    let frames = frames(&made.path, size).await;
    (0..frames.len()).min_by_key(|index| difference(&frames[*index])).unwrap()
}

#[tokio::test]
async fn the_best_clip_of_an_output_gives_the_cover_in_its_true_colours() {
    let mut fixture = Fixture::new().await;
    let dark = fixture.source("dark.mp4", "-f lavfi -i color=0x101010:s=160x90:r=25:d=1 -c:v libx264").await;
    let film = TestVideo::new(160, 90, "25", 25);
    let bright = fixture.quarters("bright.mp4", film, &format!("{BT709} {X264}")).await;
    let one: Params = base(vec![group(&[&dark, &bright]), group(&[&bright])], options((160, 90), 25));
    for rendering in fixture.render(one).await {
        let (cover, _) = cover(&rendering).await;
        for (point, colour) in [((20, 20), RED), ((140, 20), GREEN), ((20, 70), BLUE), ((140, 70), YELLOW)] {
            near(cover.around(point), colour, 6.0, &format!("cover at {point:?}"));
        }
    }
}

/// Files of the cache with this ending.
fn kept(fixture: &Fixture, ending: &str) -> usize {
    let folders = std::fs::read_dir(fixture.folder.path().join("cache/segments")).unwrap();
    let files = folders.flat_map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap());
    files.filter(|file| file.as_ref().unwrap().file_name().to_string_lossy().ends_with(ending)).count()
}

#[tokio::test]
async fn an_output_is_assembled_once_and_outlives_the_cache() {
    let mut fixture = Fixture::new().await;
    let tone = "-f lavfi -i sine=frequency=440:duration=1 -c:a aac -c:v libx264 -preset ultrafast";
    let a = fixture.source("a.mp4", &format!("-f lavfi -i {MOVING}:d=1 {tone}")).await;
    let b = fixture.source("b.mp4", "-f lavfi -i smptebars=s=160x90:r=25:d=1 -c:v libx264").await;
    let mix = || base(vec![group(&[&a, &b]), group(&[&a, &b, &a]), group(&[&a, &b])], options((160, 90), 25));
    let first = fixture.render(mix()).await;
    let rendering: Vec<SegmentOrigin> = first.iter().map(|rendering| rendering.output.origin).collect();
    assert_eq!(
        rendering,
        [SegmentOrigin::Rendered, SegmentOrigin::Rendered, SegmentOrigin::Cached],
        "the third is the first again"
    );
    let again = fixture.render(mix()).await;
    for (first, again) in first.iter().zip(&again) {
        assert_eq!(again.output.origin, SegmentOrigin::Cached);
        assert_eq!(first.output.quality, again.output.quality);
        assert_eq!(std::fs::read(&first.path).unwrap(), std::fs::read(&again.path).unwrap());
        assert_eq!(digest(&again.path).await.unwrap().0, again.output.sha256);
    }
    assert_eq!((kept(&fixture, ".out.mp4"), kept(&fixture, ".m4a")), (2, 2));

    let before = std::fs::read(&first[0].path).unwrap();
    let cache = &fixture.renderer.cache;
    let later = std::fs::metadata(&first[0].path).unwrap().modified().unwrap() + Duration::from_secs(7200);
    let evicted = cache.evict(0, later, none_needed).unwrap();
    assert_eq!((evicted.kept_bytes, kept(&fixture, "")), (0, 0));
    assert_eq!(std::fs::read(&again[0].path).unwrap(), before, "a result owns its bytes");
    let rerendered = fixture.render(mix()).await;
    assert_eq!((rerendered[0].rendered, rerendered[0].output.origin), (3, SegmentOrigin::Rendered));
    assert_eq!(std::fs::read(&rerendered[0].path).unwrap(), before, "the same to the byte");
}

#[tokio::test]
async fn outputs_that_sound_the_same_share_their_audio() {
    let mut fixture = Fixture::new().await;
    let a = fixture.source("a.mp4", &format!("-f lavfi -i {MOVING}:d=1 -c:v libx264")).await;
    let b = fixture.source("b.mp4", "-f lavfi -i smptebars=s=160x90:r=25:d=1 -c:v libx264").await;
    fixture.render(base(vec![group(&[&a, &b]), group(&[&b, &a])], options((160, 90), 25))).await;
    assert_eq!((kept(&fixture, ".out.mp4"), kept(&fixture, ".m4a")), (2, 1));
}
