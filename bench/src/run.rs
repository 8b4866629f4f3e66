//! Runs programs to their end, and measures their cost.

use std::ffi::OsStr;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

/// Wall-clock seconds and seconds of processor time (user and system, of all threads).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cost {
    pub wall_s: f64,
    pub cpu_s: f64,
}

/// ffmpeg, quiet, with these arguments split at white space; the caller adds more.
pub fn ffmpeg(args: &str) -> Command {
    let mut command = Command::new("ffmpeg");
    command.args(["-nostdin", "-v", "error", "-y"]).args(args.split_whitespace());
    command
}

/// Runs to the end; an exit status other than 0 is an error with the program's stderr.
pub fn run(command: &mut Command) -> anyhow::Result<Cost> {
    let (wall, cpu) = (Instant::now(), children_cpu_s()?);
    let output = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output();
    let output = output.with_context(|| format!("{:?} does not start", command.get_program()))?;
    let cost = Cost { wall_s: wall.elapsed().as_secs_f64(), cpu_s: children_cpu_s()? - cpu };
    let stderr = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?} failed:\n{stderr}");
    Ok(cost)
}

/// The standard output and standard error of a program.
pub fn read(command: &mut Command) -> anyhow::Result<(Vec<u8>, String)> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("{:?} does not start", command.get_program()))?;
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "{command:?} failed:\n{stderr}");
    Ok((output.stdout, stderr))
}

/// Whether a program of this name can be started.
pub fn installed(program: impl AsRef<OsStr>, argument: &str) -> bool {
    let run = Command::new(program).arg(argument).stdin(Stdio::null()).output();
    run.is_ok_and(|output| output.status.success())
}

/// Processor time of all children that have ended.
pub fn children_cpu_s() -> anyhow::Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("the cost of children cannot be read")?;
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(micros as f64 / 1e6)
}
