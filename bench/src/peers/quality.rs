//! The quality of an output against the lossless source, and its size.

use std::path::Path;
use std::process::Command;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::clips::FPS;
use super::measurements::Case;
use crate::quality::{Samples, Video, ssim};
use crate::run::read;

/// Frames that SSIMULACRA2 examines: a prime number, so that frames of all types are included.
const SAMPLED: usize = 31;

#[derive(Debug, Serialize, Deserialize)]
pub struct OutputQuality {
    pub case: Case,
    pub side: String,
    /// The size of the video alone.
    pub bytes: u64,
    pub ssim: Option<f64>,
    pub ssimulacra2: Option<f64>,
}

impl OutputQuality {
    /// `raw` holds the frames of a portrait output, 720×1280.
    pub fn measure(case: Case, side: &str, path: &Path, raw: Option<&Path>) -> anyhow::Result<Self> {
        let (bytes, side) = (video_bytes(path)?, side.to_owned());
        let Some(raw) = raw else { return Ok(Self { case, side, bytes, ssim: None, ssimulacra2: None }) };
        let (width, height) = (720, 1280);
        let frames = std::fs::metadata(raw)?.len() as usize / (width * height * 3 / 2);
        let options = format!("-f rawvideo -pix_fmt yuv420p -r {FPS} -s {width}x{height}");
        let source = Video { options: &options, path: raw, width, height, frames };
        let output = Video { options: "", path, ..source };
        let of_source = Samples::take(&source, SAMPLED)?;
        let ssimulacra2 = Samples::take(&output, SAMPLED)?.ssimulacra2(&of_source)?;
        Ok(Self { case, side, bytes, ssim: Some(ssim(&output, &source)?), ssimulacra2: Some(ssimulacra2) })
    }
}

fn video_bytes(path: &Path) -> anyhow::Result<u64> {
    let mut command = Command::new("ffprobe");
    command.args(["-v", "error", "-select_streams", "v", "-show_entries", "packet=size", "-of", "csv=p=0"]);
    let (stdout, _) = read(command.arg(path))?;
    let text = String::from_utf8(stdout)?;
    let sizes = text.lines().map(|line| line.trim_matches(',').parse::<u64>());
    sizes.sum::<Result<u64, _>>().context("ffprobe does not report the sizes of packets")
}
