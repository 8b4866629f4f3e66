//! The trial: two generated videos are encoded by the device, decoded again and compared with the originals.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clipmill_core::encoding::Encoding;
use clipmill_core::filter_graph::Graph;
use clipmill_core::media::{ContentHash, Size};
use clipmill_core::pricing::Tier;
use clipmill_core::segment::VideoSpec;
use clipmill_core::time::{Fps, Frames};

use super::Hardware;
use crate::cache::Scratch;
use crate::ffmpeg::args::{self, Args};
use crate::ffmpeg::policy::input_args;
use crate::ffmpeg::process::{Limits, PipedError};
use crate::segment::renderer::Renderer;
use crate::verification;

/// A device that needs longer is broken.
const LIMITS: Limits = Limits::wall(Duration::from_secs(60));
/// The height is not a multiple of 16, like that of many outputs.
const SIZE: Size = Size { width: 640, height: 360 };
const FRAMES: u64 = 12;
/// Far below what any encoder reaches, and far above what a wrong plane or stride leaves.
const MIN_SSIM: f64 = 0.9;
/// One is moving and one is still, so that the two segments have as little in common as two of one output may have.
const PATTERNS: [&str; 2] = ["testsrc2=size=640x360:rate=30", "smptehdbars=size=640x360:rate=30"];

/// Runs the trial; the error explains to the operator why the device cannot be used.
pub(super) async fn pass(
    renderer: &Renderer,
    hardware: &Hardware,
    encoding: &Encoding,
) -> Result<(), String> {
    let scratch = renderer.cache.scratch(&renderer.cache.unique("trial")).await.map_err(|e| e.to_string())?;
    let encoding = Encoding { encoder: hardware.encoder, ..*encoding };
    let spec = spec(&encoding);
    let mut sets: Option<Vec<u8>> = None;
    for (pattern, name) in PATTERNS.iter().zip(["moving.mp4", "still.mp4"]) {
        let trial_file = make(renderer, hardware, &scratch, &spec, pattern, name).await?;
        let parameter_sets =
            verification::parameter_sets_of(&trial_file).map_err(|error| error.message.to_string())?;
        if sets.as_ref().is_some_and(|sets| *sets != parameter_sets) {
            return Err("its segments differ in their parameter sets and could not be joined".to_owned());
        }
        sets = Some(parameter_sets);
    }
    Ok(())
}

fn spec(encoding: &Encoding) -> VideoSpec {
    VideoSpec {
        source: ContentHash("trial".into()),
        stream_index: 0,
        decoder: None,
        fps: Fps::DEFAULT,
        frames: Frames(FRAMES),
        size: SIZE,
        graph: Graph::input(0, 0).into(),
        inputs: Vec::new(),
        captions: None,
        texts: Vec::new(),
        encoder: encoding.settings(None, Tier::Hd, Fps::DEFAULT).into(),
        part: None,
    }
}

async fn make(
    renderer: &Renderer,
    hardware: &Hardware,
    scratch: &Scratch,
    spec: &VideoSpec,
    pattern: &str,
    name: &str,
) -> Result<PathBuf, String> {
    let output = scratch.file(name);
    let input = args::DeviceInput { encoder: hardware.encoder, node: hardware.node.as_deref() };
    let decode = args::trial(pattern, FRAMES);
    let encode = args::device(spec, &input, &output);
    let piped =
        renderer.ffmpeg.run_piped((&decode, &encode), &hardware.devices, scratch.path(), LIMITS, |_| {});
    piped.await.map_err(|error| match error {
        PipedError::Encoder(error) => first_error(error.stderr()).unwrap_or_else(|| error.to_string()),
        PipedError::Decoder(error) => format!("the frames of the trial could not be generated: {error}"),
    })?;
    let checked = verification::video(&renderer.ffmpeg, scratch, &output, spec).await;
    checked.map_err(|error| error.message.to_string())?;
    let ssim = ssim(renderer, &output, pattern).await?;
    if ssim < MIN_SSIM {
        return Err(format!("its output differs from its input (SSIM {ssim:.3})"));
    }
    Ok(output)
}

/// The first error message of a device, from which the others follow.
fn first_error(stderr: &str) -> Option<String> {
    let line = stderr.lines().map(str::trim).find(|line| !line.is_empty())?;
    // The prefix with the name of the component and its address in memory is removed.
    Some(line.rsplit_once("] ").map_or(line, |(_, text)| text).to_owned())
}

async fn ssim(renderer: &Renderer, output: &Path, pattern: &str) -> Result<f64, String> {
    let mut args = Args::new(["-v", "info"].map(OsString::from).into());
    args.extend(input_args(output));
    let graph = format!("{pattern},format=yuv420p[given];[0:v]format=yuv420p[found];[found][given]ssim[out]");
    args.option("-filter_complex", graph).add(["-map", "[out]"]).option("-frames:v", FRAMES);
    args.add(["-f", "null", "-"]);
    let finished = renderer.ffmpeg.run_ffmpeg(&args.done(), None, LIMITS, |_| {}).await;
    let finished = finished.map_err(|error| error.to_string())?;
    all_of_ssim(&finished.stderr).ok_or_else(|| "what it encodes could not be compared".to_owned())
}

/// Reads `… SSIM Y:0.99 (20.1) U:… V:… All:0.993 (21.5)`.
fn all_of_ssim(stderr: &str) -> Option<f64> {
    let (_, behind) = stderr.rsplit_once("All:")?;
    behind.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_similarity_and_the_first_error_are_read() {
        let text = "[Parsed_ssim_3 @ 0x5] SSIM Y:0.99 (20) U:1.0 (inf) V:0.9 (10) All:0.9731 (15.7)\n";
        assert_eq!(all_of_ssim(text), Some(0.9731));
        assert_eq!(all_of_ssim("nothing"), None);
        let complaint = "\n[h264_nvenc @ 0x1] Cannot load libcuda.so.1\nError initializing output stream\n";
        assert_eq!(first_error(complaint).as_deref(), Some("Cannot load libcuda.so.1"));
        assert_eq!(first_error(" \n"), None);
    }
}
