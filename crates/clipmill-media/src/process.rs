//! Runs ffmpeg and ffprobe: the only file of the workspace that starts a process.
//!
//! A run is a value with an end: both pipes are drained together and kept within bounds, a wall-clock
//! limit ends it, and whenever the future that waits for it is dropped, the whole process group dies.
//! The program is always waited for, so no zombie stays behind. Children see an environment of a few
//! named variables only: keys and database addresses are nothing for a decoder of hostile files.
//! Deliberately absent: retries, and a sandbox (that is a program placed in front of ffmpeg).

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::progress::{Progress, ProgressParser};

mod lines;

use lines::{Lines, Tail};

/// Where the programs are. A bare name is looked up in `PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ffmpeg {
    pub ffmpeg: PathBuf,
    pub ffprobe: PathBuf,
}

impl Default for Ffmpeg {
    fn default() -> Self {
        Self { ffmpeg: "ffmpeg".into(), ffprobe: "ffprobe".into() }
    }
}

/// Which of the two programs to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    Ffmpeg,
    Ffprobe,
}

/// Bounds of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Longest time the run may take.
    pub wall: Duration,
    /// How much of the end of stderr is kept.
    pub stderr_bytes: usize,
    /// More than this on stdout ends the run with [`ProcessError::TooMuchOutput`].
    pub stdout_bytes: u64,
}

impl Limits {
    /// `wall` with 16 KiB of stderr and 16 MiB of stdout, which is ample for progress and for JSON.
    pub const fn wall(wall: Duration) -> Self {
        Self { wall, stderr_bytes: 16 << 10, stdout_bytes: 16 << 20 }
    }

    pub const fn stdout_bytes(self, stdout_bytes: u64) -> Self {
        Self { stdout_bytes, ..self }
    }
}

/// An ffmpeg run that ended with status 0, which alone proves nothing about its output.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    pub progress: Progress,
    /// The end of what it said.
    pub stderr: String,
}

#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    #[error("cannot start {}: {source}; install ffmpeg or configure where it is", program.display())]
    Spawn { program: PathBuf, source: std::io::Error },
    #[error("it ended with {status}: {}", last_line(stderr))]
    Failed { status: ExitStatus, stderr: String },
    #[error("it was stopped after {} s", after.as_secs_f64())]
    TimedOut { after: Duration },
    #[error("it was stopped because it wrote more than {limit} bytes")]
    TooMuchOutput { limit: u64 },
    #[error("the pipe to it broke: {0}")]
    Io(#[from] std::io::Error),
}

impl ProcessError {
    /// What the program said before it failed; empty where it had no say.
    pub fn stderr(&self) -> &str {
        match self {
            Self::Failed { stderr, .. } => stderr,
            _ => "",
        }
    }
}

/// The arguments that every ffmpeg run starts with. [`Ffmpeg::run_ffmpeg`] puts them in front by itself;
/// a later `-v` overrides the one here.
pub fn global_args() -> Vec<OsString> {
    const ARGS: [&str; 10] = [
        "-nostdin",
        "-hide_banner",
        "-v",
        "error",
        "-nostats",
        "-progress",
        "pipe:1",
        "-y",
        // No picture that is accepted needs half a gigabyte in one piece.
        "-max_alloc",
        "536870912",
    ];
    ARGS.map(Into::into).into()
}

impl Ffmpeg {
    /// Both programs in `folder`.
    pub fn in_folder(folder: &Path) -> Self {
        Self { ffmpeg: folder.join("ffmpeg"), ffprobe: folder.join("ffprobe") }
    }

    /// Runs ffmpeg with [`global_args`] and then `args`, reporting progress about twice a second.
    /// stdout is taken by the progress report: outputs go to files, or through [`Ffmpeg::output`].
    pub async fn run_ffmpeg(
        &self,
        args: &[OsString],
        cwd: Option<&Path>,
        limits: Limits,
        mut on_progress: impl FnMut(&Progress) + Send,
    ) -> Result<Finished, ProcessError> {
        let args = [&global_args(), args].concat();
        let (mut parser, mut lines) = (ProgressParser::default(), Lines::default());
        let stderr = run(&self.ffmpeg, &args, cwd, limits, |chunk| {
            lines.feed(chunk, |line| {
                if let Some(progress) = parser.line(line) {
                    on_progress(&progress);
                }
            });
        })
        .await?;
        Ok(Finished { progress: parser.current(), stderr })
    }

    /// Runs ffprobe with `args` and hands over its stdout line by line, so that nothing of any length has
    /// to be held. Lines are cut at 64 KiB. Answers the end of stderr.
    pub async fn run_ffprobe_lines(
        &self,
        args: &[OsString],
        limits: Limits,
        mut on_line: impl FnMut(&str) + Send,
    ) -> Result<String, ProcessError> {
        let mut lines = Lines::default();
        let stderr = run(&self.ffprobe, args, None, limits, |chunk| lines.feed(chunk, &mut on_line)).await?;
        lines.finish(on_line);
        Ok(stderr)
    }

    /// Runs a program with exactly `args` and answers its stdout.
    pub async fn output(
        &self,
        program: Program,
        args: &[OsString],
        limits: Limits,
    ) -> Result<Vec<u8>, ProcessError> {
        let mut stdout = Vec::new();
        let program = match program {
            Program::Ffmpeg => &self.ffmpeg,
            Program::Ffprobe => &self.ffprobe,
        };
        run(program, args, None, limits, |chunk| stdout.extend_from_slice(chunk)).await?;
        Ok(stdout)
    }
}

/// Runs one program to its end, or to its limits, and answers the end of its stderr.
async fn run(
    program: &Path,
    args: &[OsString],
    cwd: Option<&Path>,
    limits: Limits,
    on_stdout: impl FnMut(&[u8]) + Send,
) -> Result<String, ProcessError> {
    let mut group = Group::spawn(program, args, cwd)?;
    let outcome = match tokio::time::timeout(limits.wall, group.drive(limits, on_stdout)).await {
        Ok(outcome) => outcome,
        Err(_) => Err(ProcessError::TimedOut { after: limits.wall }),
    };
    match outcome {
        Ok((status, stderr)) if status.success() => Ok(stderr),
        Ok((status, stderr)) => Err(ProcessError::Failed { status, stderr }),
        Err(error) => {
            group.end().await;
            Err(error)
        }
    }
}

/// A program that leads a process group of its own. Dropping it before it was waited for kills the group.
struct Group {
    leader: tokio::process::Child,
}

impl Group {
    fn spawn(program: &Path, args: &[OsString], cwd: Option<&Path>) -> Result<Self, ProcessError> {
        #[allow(clippy::disallowed_methods, reason = "this is the one place where processes start")]
        let mut command = tokio::process::Command::new(program);
        command.args(args).env_clear().envs(environment(std::env::vars_os()));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.process_group(0).kill_on_drop(true);
        if let Some(cwd) = cwd {
            command.current_dir(cwd);
        }
        let spawned = command.spawn();
        let leader = spawned.map_err(|source| ProcessError::Spawn { program: program.to_owned(), source })?;
        Ok(Self { leader })
    }

    async fn drive(
        &mut self,
        limits: Limits,
        on_stdout: impl FnMut(&[u8]) + Send,
    ) -> Result<(ExitStatus, String), ProcessError> {
        let (stdout, stderr) = (self.leader.stdout.take(), self.leader.stderr.take());
        let ((), stderr) = tokio::try_join!(
            drain_bounded(stdout, limits.stdout_bytes, on_stdout),
            drain_tail(stderr, limits.stderr_bytes)
        )?;
        Ok((self.leader.wait().await?, stderr))
    }

    /// Kills the group and waits for its leader; the others are the init process's to reap.
    async fn end(&mut self) {
        self.kill();
        if let Err(error) = self.leader.wait().await {
            tracing::warn!(%error, "cannot wait for a process that was killed");
        }
    }

    fn kill(&self) {
        // A leader that was waited for has no id any more: its number may already belong to another.
        let pid = self.leader.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed()));
        if let Some(pid) = pid
            && let Err(error) = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL)
        {
            tracing::warn!(%error, "cannot kill a process group");
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

async fn drain_bounded(
    pipe: Option<impl AsyncRead + Unpin>,
    limit: u64,
    mut on_chunk: impl FnMut(&[u8]),
) -> Result<(), ProcessError> {
    let Some(mut pipe) = pipe else { return Ok(()) };
    let (mut buffer, mut total) = (vec![0; 64 << 10], 0u64);
    loop {
        let read = pipe.read(&mut buffer).await?;
        total += read as u64;
        if total > limit {
            return Err(ProcessError::TooMuchOutput { limit });
        }
        match buffer.get(..read) {
            Some(chunk) if read > 0 => on_chunk(chunk),
            _ => return Ok(()),
        }
    }
}

async fn drain_tail(pipe: Option<impl AsyncRead + Unpin>, limit: usize) -> Result<String, ProcessError> {
    let mut tail = Tail::new(limit);
    drain_bounded(pipe, u64::MAX, |chunk| tail.push(chunk)).await?;
    Ok(tail.into_text())
}

/// What a child may see: how to find programs, libraries, fonts and temporary space, and the language.
fn environment(
    all: impl Iterator<Item = (OsString, OsString)>,
) -> impl Iterator<Item = (OsString, OsString)> {
    const KEPT: [&str; 8] = [
        "PATH",
        "HOME",
        "TMPDIR",
        "LANG",
        "LD_LIBRARY_PATH",
        "FONTCONFIG_FILE",
        "FONTCONFIG_PATH",
        "XDG_CACHE_HOME",
    ];
    let plain = (OsString::from("AV_LOG_FORCE_NOCOLOR"), OsString::from("1"));
    all.filter(|(name, _)| KEPT.iter().any(|kept| name == OsStr::new(kept))).chain([plain])
}

fn last_line(stderr: &str) -> &str {
    stderr.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing")
}

#[cfg(test)]
mod tests;
