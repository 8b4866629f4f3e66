//! `make bench`: clipmill beside one hand-written ffmpeg command that makes the same video, in turn, in one
//! run. What counts is the ratio of the medians: this machine's speed cancels out.

#![allow(clippy::print_stdout, reason = "the table is the result")]
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads the clock and starts programs as a person would"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use serde_json::json;

/// Runs of each side; odd, so that the median is one of them.
const RUNS: usize = 5;

fn main() -> anyhow::Result<()> {
    let program = PathBuf::from(std::env::args_os().nth(1).context("usage: bench PATH-OF-CLIPMILL")?);
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").canonicalize()?;
    let folder = std::env::temp_dir().join(format!("clipmill-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let request = folder.join("request.json");
    std::fs::write(&request, two_clips(&samples).to_string())?;
    let (mut expert, mut fresh, mut again) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let cache = folder.join("cache");
        let _ = std::fs::remove_dir_all(&cache);
        expert.push(seconds(&mut expert_command(&samples, &folder.join("expert.mp4")))?);
        fresh.push(seconds(&mut clipmill(&program, &request, &folder, &cache))?);
        again.push(seconds(&mut clipmill(&program, &request, &folder, &cache))?);
    }
    let _ = std::fs::remove_dir_all(&folder);
    let base = median(expert);
    println!("two landscape clips to one 720x1280 output, cropped, 30 fps, median of {RUNS}:");
    println!("  one ffmpeg command          {base:6.2} s   1.00");
    for (name, runs) in [("clipmill, nothing cached", fresh), ("clipmill, the same again", again)] {
        let median = median(runs);
        println!("  {name:26}  {median:6.2} s   {:.2}", median / base);
    }
    Ok(())
}

fn two_clips(samples: &Path) -> serde_json::Value {
    let clip = |name: &str| json!({ "url": samples.join(name) });
    json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [{ "videos": [clip("bigbuckbunny.mp4"), clip("city.mp4")] }],
        "options": { "resolution": "720:1280", "resolutionMode": "crop", "fps": 30 } } })
}

fn clipmill(program: &Path, request: &Path, out: &Path, cache: &Path) -> Command {
    let mut command = Command::new(program);
    command.arg("render").arg(request).arg("-o").arg(out).arg("--cache").arg(cache);
    command
}

/// Scale, crop, rate, concatenation, x264 veryfast at crf 21, AAC: what an expert would write. The second clip
/// has no sound of its own.
fn expert_command(samples: &Path, output: &Path) -> Command {
    let fill = "scale=720:1280:force_original_aspect_ratio=increase,crop=720:1280,fps=30,setsar=1";
    let graph = format!(
        "[0:v]{fill}[a];[1:v]{fill}[b];anullsrc=r=48000:cl=stereo:d=7.6[q];\
         [0:a]aresample=48000,aformat=channel_layouts=stereo[s];[a][s][b][q]concat=n=2:v=1:a=1[v][w]"
    );
    let mut command = Command::new("ffmpeg");
    command.args(["-nostdin", "-v", "error", "-y"]);
    command.arg("-i").arg(samples.join("bigbuckbunny.mp4")).arg("-i").arg(samples.join("city.mp4"));
    command.args([
        "-filter_complex",
        &graph,
        "-map",
        "[v]",
        "-map",
        "[w]",
        "-c:v",
        "libx264",
        "-preset",
        "veryfast",
    ]);
    command.args([
        "-crf",
        "21",
        "-pix_fmt",
        "yuv420p",
        "-c:a",
        "aac",
        "-b:a",
        "128k",
        "-movflags",
        "+faststart",
    ]);
    command.arg(output);
    command
}

fn seconds(command: &mut Command) -> anyhow::Result<f64> {
    let start = Instant::now();
    let status =
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().context("a side does not start")?;
    ensure!(status.success(), "a side failed: {command:?}");
    Ok(start.elapsed().as_secs_f64())
}

fn median(mut runs: Vec<f64>) -> f64 {
    runs.sort_by(f64::total_cmp);
    runs[runs.len() / 2]
}
