//! The similarity of a compressed video to its source: SSIM over all frames, SSIMULACRA2 on sampled ones.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, anyhow, ensure};
use ssimulacra2::{ColorPrimaries, Rgb, TransferCharacteristic, compute_frame_ssimulacra2};

use crate::run::{ffmpeg, read};

/// A video as an ffmpeg input: options before `-i`, the file, its size and number of frames.
#[derive(Debug, Clone, Copy)]
pub struct Video<'a> {
    pub options: &'a str,
    pub path: &'a Path,
    pub width: usize,
    pub height: usize,
    pub frames: usize,
}

/// Mean over all frames and planes, by ffmpeg's `ssim` (all planes weighted by their size).
pub fn ssim(made: &Video, reference: &Video) -> anyhow::Result<f64> {
    let mut command = ffmpeg("-v info");
    input(&mut command, made);
    input(&mut command, reference);
    let graph = "[0:v]setpts=N/TB/30,format=yuv420p[a];[1:v]setpts=N/TB/30,format=yuv420p[b];[a][b]ssim";
    command.args(["-lavfi", graph, "-f", "null", "-"]);
    let (_, said) = read(&mut command)?;
    let all = said.rsplit_once("All:").context("ffmpeg's ssim says nothing")?.1;
    let number = all.split_whitespace().next().unwrap_or_default();
    number.parse().with_context(|| format!("ffmpeg's ssim says {number:?}"))
}

/// Frames of a video as RGB, evenly spread.
pub struct Samples(Vec<Rgb>);

impl Samples {
    pub fn take(video: &Video, count: usize) -> anyhow::Result<Self> {
        let at = |i: usize| (2 * i + 1) * video.frames / (2 * count);
        let conditions: Vec<_> = (0..count).map(|i| format!("eq(n\\,{})", at(i))).collect();
        let mut command = ffmpeg("");
        input(&mut command, video);
        let graph = format!("select={},scale=in_color_matrix=bt709,format=rgb24", conditions.join("+"));
        command.args(["-vf", &graph, "-fps_mode", "passthrough", "-f", "rawvideo", "-"]);
        let (bytes, _) = read(&mut command)?;
        let frame_bytes = video.width * video.height * 3;
        ensure!(bytes.len() == frame_bytes * count, "{}: not {count} frames", video.path.display());
        let frames = bytes.chunks_exact(frame_bytes).map(|frame| rgb(frame, video)).collect();
        Ok(Self(frames))
    }

    /// Mean SSIMULACRA2 of these frames against the same ones of the reference: 90 is indistinguishable, 70
    /// high, 50 medium quality.
    pub fn ssimulacra2(&self, reference: &Self) -> anyhow::Result<f64> {
        let mut sum = 0.0;
        for (made, source) in self.0.iter().zip(&reference.0) {
            sum += compute_frame_ssimulacra2(source.clone(), made.clone())
                .map_err(|error| anyhow!("SSIMULACRA2: {error}"))?;
        }
        Ok(sum / self.0.len() as f64)
    }
}

#[expect(clippy::unwrap_used, reason = "the frame was cut to this size")]
fn rgb(frame: &[u8], video: &Video) -> Rgb {
    let unit = |value: u8| f32::from(value) / 255.0;
    let pixels = frame.chunks_exact(3).map(|p| [unit(p[0]), unit(p[1]), unit(p[2])]).collect();
    let (transfer, primaries) = (TransferCharacteristic::SRGB, ColorPrimaries::BT709);
    Rgb::new(pixels, video.width, video.height, transfer, primaries).unwrap()
}

fn input(command: &mut Command, video: &Video) {
    command.args(video.options.split_whitespace()).arg("-i").arg(video.path);
}
