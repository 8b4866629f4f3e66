//! Clips that already have the output's format: their packets are copied, or the output is encoded as a whole.

use std::path::Path;

use crate::support::*;
use clipmill_core::error::ErrorCode;
use clipmill_core::request::model::{MixOptions, Params};
use clipmill_core::segment::SegmentSpec;
use clipmill_media::mp4::Movie;

/// The format of an output: tagged colours, B-frames, closed groups of 40 frames.
const FORM: &str = "-c:v libx264 -preset veryfast -crf 20 -g 40 -bf 3 -pix_fmt yuv420p -profile:v high -flags:v \
                    +cgop -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv";
const SIZE: (u32, u32) = (320, 180);

fn film(source: &str, frames: u32) -> String {
    format!("-f lavfi -i {source}=s=320x180:r=30 -frames:v {frames}")
}

fn small() -> MixOptions {
    options(SIZE, 30)
}

/// Whether each segment of the only output is copied.
fn copied(fixture: &Fixture, params: &Params) -> Vec<bool> {
    let plan = fixture.plan(params.clone());
    let is_copy = |spec: &SegmentSpec| match spec {
        SegmentSpec::Video(spec) => Some(spec.encoder.is_copy()),
        SegmentSpec::Audio(_) => None,
    };
    plan.segments.iter().filter_map(|segment| is_copy(&segment.spec)).collect()
}

/// The bytes of all frames, in the order of decoding.
fn payload(path: &Path) -> Vec<Vec<u8>> {
    let (bytes, movie) = (std::fs::read(path).unwrap(), Movie::read(path).unwrap());
    let samples = movie.pictures.unwrap().samples;
    let of = |offset: u64, size: u32| bytes[offset as usize..][..size as usize].to_vec();
    samples.iter().map(|sample| of(sample.offset, sample.size)).collect()
}

async fn hashes(paths: &[&Path]) -> Vec<String> {
    let mut all = Vec::new();
    for path in paths {
        all.extend(frame_hashes(path).await);
    }
    all
}

#[tokio::test]
async fn packets_are_unchanged_in_the_output() {
    let mut fixture = Fixture::new().await;
    let a = fixture.source("a.mp4", &format!("{} {FORM}", film("testsrc2", 77))).await;
    let b = fixture.source("b.mov", &format!("{} {FORM}", film("mandelbrot", 53))).await;
    let params = base(vec![group(&[&a, &b, &a])], small());
    assert_eq!(copied(&fixture, &params), [true, true]);
    let rendering = fixture.render_one(params.clone()).await;
    let quality = &rendering.output.quality;
    assert_eq!((quality.frames_planned, quality.frames_found, rendering.output.damaged.len()), (207, 207, 0));
    assert!(rendering.output.cover.is_some());

    let [a, b] = [a, b].map(|name| fixture.folder.path().join(name));
    assert_eq!(hashes(&[&rendering.path]).await, hashes(&[&a, &b, &a]).await);
    assert_eq!(payload(&rendering.path), [payload(&a), payload(&b), payload(&a)].concat());
    let keyframes = Movie::read(&rendering.path).unwrap().pictures.unwrap().samples;
    let keyframes: Vec<usize> =
        keyframes.iter().enumerate().filter(|(_, sample)| sample.sync).map(|(index, _)| index).collect();
    assert!([0, 77, 130].iter().all(|begin| keyframes.contains(begin)), "{keyframes:?}");
    assert_eq!(probed(&rendering.path, "color_space,color_range,r_frame_rate").await, "tv,bt709,30/1");

    // A player that seeks anywhere shows the same frames as one that plays from the beginning.
    let whole = frame_hashes(&rendering.path).await;
    for (at, index) in [("2.0", 60), ("2.6", 78), ("5.0", 150)] {
        let entered = raw_from(&rendering.path, at).await;
        assert_eq!(entered.first(), whole.get(index), "{at}");
    }
    assert_eq!(fixture.render_one(params).await.rendered, 0);
}

/// Hashes of the frames from a moment on, found by the index.
async fn raw_from(path: &Path, at: &str) -> Vec<String> {
    let cut = path.with_extension("nut");
    ffmpeg(&format!("-ss {at} -i {} -map 0:v -c:v ffv1", path.display()), &cut).await;
    frame_hashes(&cut).await
}

#[tokio::test]
async fn audio_keeps_its_position() {
    let mut fixture = Fixture::new().await;
    let tone =
        |at: &str| format!("-f lavfi -i aevalsrc=0.5*sin(880*PI*t)*gte(t\\,{at}):s=48000 -t 2 -c:a aac");
    let a =
        fixture.source("a.mp4", &format!("-f lavfi -i testsrc2=s=320x180:r=30 {} {FORM}", tone("1"))).await;
    // All streams begin later than at 0, as old muxers write them.
    let b = format!("-f lavfi -i mandelbrot=s=320x180:r=30 {} {FORM} -use_editlist 0", tone("1"));
    let b = fixture.source("b.mp4", &b).await;
    let start = fixture.facts.media["b.mp4"].as_ref().unwrap().video.as_ref().unwrap().start_s;
    assert!(start > 0.05, "{start}");
    let params = base(vec![group(&[&a, &b])], small());
    assert_eq!(copied(&fixture, &params), [true, true]);
    let rendering = fixture.render_one(params).await;
    let paths = [a, b].map(|name| fixture.folder.path().join(name));
    assert_eq!(hashes(&[&rendering.path]).await, hashes(&[&paths[0], &paths[1]]).await);
    let onsets = onsets(&rendering.path).await;
    assert_eq!(onsets.len(), 2, "{onsets:?}");
    for (found, expected) in onsets.iter().zip([1.0, 3.0]) {
        assert!((found - expected).abs() < 0.03, "{onsets:?}");
    }
}

#[tokio::test]
async fn a_clip_of_another_format_makes_the_whole_output_encoded() {
    let mut fixture = Fixture::new().await;
    let a = fixture.source("a.mp4", &format!("{} {FORM}", film("testsrc2", 60))).await;
    let others = [
        ("other settings", "b.mp4", format!("{} {FORM} -refs 5", film("mandelbrot", 60))),
        (
            "uneven",
            "c.mp4",
            format!("{} {FORM} -vf select=not(eq(n\\,9)) -fps_mode vfr", film("mandelbrot", 61)),
        ),
        ("another container", "d.mkv", format!("{} {FORM}", film("mandelbrot", 60))),
        (
            "sets in the packets",
            "e.mp4",
            format!("{} {FORM} -tag:v avc3 -bsf:v dump_extra", film("mandelbrot", 60)),
        ),
        ("rare keyframes", "f.mp4", format!("{} {FORM} -g 300 -sc_threshold 0", film("testsrc", 150))),
        ("another rate", "g.mp4", format!("{} {FORM} -r 25", film("mandelbrot", 60))),
    ];
    for (why, name, source) in others {
        let other = fixture.source(name, &source).await;
        let params = base(vec![group(&[&a, &other])], small());
        assert_eq!(copied(&fixture, &params), [false, false], "{why}");
        let rendering = fixture.render_one(params).await;
        let quality = &rendering.output.quality;
        assert_eq!(quality.frames_planned, quality.frames_found, "{why}");
    }
}

#[tokio::test]
async fn a_clip_that_only_seems_copyable_is_encoded() {
    let mut fixture = Fixture::new().await;
    // Its later keyframes depend on preceding frames.
    let open = film("testsrc2", 90)
        + &format!(" {FORM} -flags:v -cgop -x264-params open-gop=1:scenecut=0:keyint=20");
    let open = fixture.source("open.mp4", &open).await;
    // The file is stretched only by its parameters.
    let wide = film("testsrc2", 90) + &format!(" {FORM} -bsf:v h264_metadata=sample_aspect_ratio=4/3");
    let wide = fixture.source("wide.mp4", &wide).await;
    for (name, count) in [(&open, 1), (&open, 2), (&wide, 1)] {
        let params = base(vec![group(&vec![name as &str; count])], small());
        assert!(copied(&fixture, &params).into_iter().all(|copied| copied), "{name}");
        let rendering = fixture.render_one(params).await;
        assert_eq!(rendering.output.quality.frames_found, 90 * count as u64);
        assert_ne!(payload(&rendering.path)[..90], payload(&fixture.folder.path().join(name)), "{name}");
    }
    assert!(fixture.leftovers().is_empty(), "{:?}", fixture.leftovers());
}

#[tokio::test]
async fn damage_is_detected_as_in_every_other_clip() {
    let mut fixture = Fixture::new().await;
    let whole =
        fixture.source("a.mp4", &format!("{} {FORM} -movflags +faststart", film("mandelbrot", 90))).await;
    let bytes = std::fs::read(fixture.folder.path().join(&whole)).unwrap();
    let track = Movie::read(&fixture.folder.path().join(&whole)).unwrap().pictures.unwrap();
    for (name, damaged) in [("few.mp4", 1), ("many.mp4", 40)] {
        let mut bytes = bytes.clone();
        let keyframe = track.samples.iter().skip(1).position(|sample| sample.sync).unwrap() + 1;
        for sample in &track.samples[keyframe..keyframe + damaged] {
            let (from, length) = (sample.offset as usize, sample.size as usize);
            bytes[from + length / 4..from + length].fill(0x55);
        }
        let path = fixture.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        fixture.learn(name, &path).await;
        let params = base(vec![group(&[name, &whole])], small());
        assert_eq!(copied(&fixture, &params), [true, true], "it looks whole");
        let result = outcome(&fixture, params.clone()).await;
        fixture.facts.media.get_mut(name).unwrap().as_mut().unwrap().video.as_mut().unwrap().avc = None;
        assert_eq!(result, outcome(&fixture, params).await, "{name}: same result as without copying");
        assert_ne!(result.ok(), Some(0), "{name}: damage was not reported");
        assert!(fixture.leftovers().is_empty(), "{:?}", fixture.leftovers());
    }
}

/// The error code, or the number of damaged sources.
async fn outcome(fixture: &Fixture, params: Params) -> Result<usize, ErrorCode> {
    let rendering = fixture.try_render(params).await;
    rendering.map(|rendering| rendering[0].output.damaged.len()).map_err(|error| error.code)
}
