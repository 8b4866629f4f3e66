//! The search for encoder settings: processor time, and quality in SSIM, SSIMULACRA2 and bytes, on several kinds of
//! footage.

pub mod candidates;
mod footage;
mod table;

use std::path::Path;

use anyhow::Context;

use self::candidates::{Candidate, expert};
use self::footage::Footage;
use crate::quality::{Samples, Video, ssim};
use crate::run::{ffmpeg, run};

pub use self::table::{by_footage, table};

#[derive(Debug, Clone, Copy)]
pub struct Search {
    /// Frames of each kind of footage.
    pub frames: usize,
    /// Frames that SSIMULACRA2 examines.
    pub sampled: usize,
    /// The number of encodes of each. The minimum of processor time counts, because other load on the machine only adds
    /// to it.
    pub rounds: usize,
    pub threads: usize,
}

/// The measurements of a setting on one kind of footage.
#[derive(Debug, Clone, Copy, Default)]
pub struct Point {
    pub cpu_s: f64,
    pub bytes: f64,
    pub ssim: f64,
    pub ssimulacra2: f64,
}

/// A setting and its points, one for each kind of footage.
pub struct Measured {
    pub candidate: Candidate,
    pub points: Vec<Point>,
}

pub struct Outcome {
    /// All settings, the expert's first.
    pub measured: Vec<Measured>,
    /// The names of the footage.
    pub footage: Vec<&'static str>,
}

/// Measures the expert's setting and all candidates.
pub fn search(
    samples: &Path,
    folder: &Path,
    options: Search,
    tried: Vec<Candidate>,
) -> anyhow::Result<Outcome> {
    let footage = footage::make(samples, folder, options.frames)?;
    let candidates: Vec<_> = std::iter::once(expert()).chain(tried).collect();
    let mut measured: Vec<_> =
        candidates.into_iter().map(|candidate| Measured { candidate, points: vec![] }).collect();
    for footage in &footage {
        eprintln!("{}", footage.name);
        let reference = Samples::take(&footage.video(), options.sampled)?;
        let mut costs = vec![f64::INFINITY; measured.len()];
        // Settings are measured in turn, so that other load on the machine slows all of them.
        for _ in 1..options.rounds {
            for (one, cost) in measured.iter().zip(&mut costs) {
                *cost = cost.min(encode(&one.candidate, footage, folder, options.threads)?);
            }
        }
        for (one, cost) in measured.iter_mut().zip(costs) {
            let cpu_s = cost.min(encode(&one.candidate, footage, folder, options.threads)?);
            let point = measure_quality(footage, folder, &reference, options.sampled)?;
            one.points.push(Point { cpu_s, ..point });
        }
    }
    Ok(Outcome { measured, footage: footage.iter().map(|footage| footage.name).collect() })
}

fn encode(candidate: &Candidate, footage: &Footage, folder: &Path, threads: usize) -> anyhow::Result<f64> {
    let video = footage.video();
    let mut command = ffmpeg(video.options);
    command.arg("-i").arg(video.path).args(["-c:v", "libx264", "-preset", &candidate.preset]);
    command.args(["-crf", &candidate.crf.to_string(), "-threads:v", &threads.to_string()]);
    command.args(["-maxrate", "6000k", "-bufsize", "12000k", "-g", "120", "-flags:v", "+cgop"]);
    command.args(["-profile:v", "high", "-pix_fmt", "yuv420p"]);
    if !candidate.params.is_empty() {
        command.args(["-x264-params", &candidate.params]);
    }
    command.arg(folder.join(OUTPUT));
    Ok(run(&mut command)?.cpu_s)
}

const OUTPUT: &str = "encoded.mp4";

fn measure_quality(
    footage: &Footage,
    folder: &Path,
    reference: &Samples,
    sampled: usize,
) -> anyhow::Result<Point> {
    let path = folder.join(OUTPUT);
    let source = footage.video();
    let encoded = Video { options: "", path: &path, ..source };
    let bytes = std::fs::metadata(&path).context("nothing was encoded")?.len() as f64;
    let ssimulacra2 = Samples::take(&encoded, sampled)?.ssimulacra2(reference)?;
    Ok(Point { cpu_s: 0.0, bytes, ssim: ssim(&encoded, &source)?, ssimulacra2 })
}
