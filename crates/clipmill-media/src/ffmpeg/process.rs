//! Runs ffmpeg and ffprobe: the only file of the workspace that starts a process.
//!
//! A run always ends: both pipes are drained together and kept within bounds, a wall-clock limit ends it, and when the
//! future that waits for it is dropped, the whole process group is killed. The program is always waited for, so no
//! zombie remains. Children get an environment of a few named variables only: keys and database addresses must not
//! reach a decoder of hostile files. Every run is confined by [`crate::ffmpeg::sandbox`] to the inputs in its arguments
//! and to its working folder. There are no retries here.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::Instant;

use crate::ffmpeg::progress::{Progress, ProgressParser};
use crate::ffmpeg::sandbox::{Confinement, Sandbox, inputs};
use crate::machine::Machine;

mod account;
mod command;
mod failure;
mod lines;
mod piped;
mod spawner;

pub use account::{Priority, RunAccount, charged_to};
pub use command::Command;
pub use failure::{CrashCheck, ProcessError};
pub use piped::PipedError;

use account::{Charge, niceness};
use failure::{last_line, why};
use lines::{Lines, Tail};

/// The paths of the programs, and how they are confined. A bare name is looked up in `PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ffmpeg {
    pub ffmpeg: PathBuf,
    pub ffprobe: PathBuf,
    pub sandbox: Sandbox,
    /// Files that runs read beside their inputs, because a generated list contains them.
    also_read: Vec<PathBuf>,
    /// Devices that runs may use: those of an encoder that gets only raw frames and no file of a client.
    devices: Vec<PathBuf>,
    /// Variables for the loader, beside the few that every run gets.
    variables: Vec<(OsString, OsString)>,
    /// Whether a caller waits for all runs.
    urgent: bool,
    /// Decides whether the machine or the file caused a crash; without one, it is the file.
    crash_check: Option<CrashCheck>,
}

/// From `PATH` and not confined: for tests and tools that open only files of their own. The service sets it in
/// [`crate::engine::EngineSettings`].
impl Default for Ffmpeg {
    fn default() -> Self {
        Self {
            ffmpeg: "ffmpeg".into(),
            ffprobe: "ffprobe".into(),
            sandbox: Sandbox::Off,
            also_read: Vec::new(),
            devices: Vec::new(),
            variables: Vec::new(),
            urgent: false,
            crash_check: None,
        }
    }
}

/// Which of the two programs to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    Ffmpeg,
    Ffprobe,
}

/// The bounds of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest time that the run may take.
    pub wall: Duration,
    /// Processor time of all threads, if runs are confined and it is less than all cores have in `wall`.
    pub cpu: Option<Duration>,
    /// How many bytes of the end of stderr are kept.
    pub stderr_bytes: usize,
    /// More than this on stdout ends the run with [`ProcessError::TooMuchOutput`].
    pub stdout_bytes: u64,
    /// A file that grows beyond this also ends the run, if runs are confined.
    pub file_bytes: u64,
    /// Address space, if runs are confined and the sandbox grants as much.
    pub memory_bytes: u64,
    /// Whether a caller waits for the result. If runs are confined, all others have a lower priority than it and than
    /// the service itself.
    pub urgent: bool,
}

impl Limits {
    /// `wall` with 16 KiB of stderr and 16 MiB of stdout, which is ample for progress and for JSON, and files of at most
    /// 16 GiB.
    pub const fn wall(wall: Duration) -> Self {
        Self {
            wall,
            cpu: None,
            stderr_bytes: 16 << 10,
            stdout_bytes: 16 << 20,
            file_bytes: 16 << 30,
            memory_bytes: u64::MAX,
            urgent: false,
        }
    }

    pub const fn cpu(self, cpu: Duration) -> Self {
        Self { cpu: Some(cpu), ..self }
    }

    pub const fn file_bytes(self, file_bytes: u64) -> Self {
        Self { file_bytes, ..self }
    }

    pub const fn urgent(self) -> Self {
        Self { urgent: true, ..self }
    }

    pub const fn memory_bytes(self, memory_bytes: u64) -> Self {
        Self { memory_bytes, ..self }
    }

    pub const fn stderr_bytes(self, stderr_bytes: usize) -> Self {
        Self { stderr_bytes, ..self }
    }

    pub const fn stdout_bytes(self, stdout_bytes: u64) -> Self {
        Self { stdout_bytes, ..self }
    }
}

/// An ffmpeg run that ended with status 0, which alone proves nothing about its output.
#[derive(Debug, Clone, PartialEq)]
pub struct RunReport {
    pub progress: Progress,
    /// The end of its log.
    pub stderr: String,
}

impl Program {
    fn name(self) -> &'static str {
        match self {
            Self::Ffmpeg => "ffmpeg",
            Self::Ffprobe => "ffprobe",
        }
    }
}

/// The arguments that every ffmpeg run starts with. [`Ffmpeg::run_ffmpeg`] adds them by itself; a later `-v` overrides the
/// one here.
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
        // No accepted video needs half a gigabyte in one allocation.
        "-max_alloc",
        "536870912",
    ];
    ARGS.map(Into::into).into()
}

/// How many threads filters use, before all other arguments: ffmpeg would start one for each core.
fn filter_threads() -> [OsString; 4] {
    let threads = threads().to_string();
    ["-filter_threads", &threads, "-filter_complex_threads", &threads].map(OsString::from)
}

/// The same without progress reports, for runs whose stdout carries frames.
fn without_progress() -> Vec<OsString> {
    let all = global_args();
    let place = all.iter().position(|arg| arg == "-progress").unwrap_or(all.len());
    all.iter().take(place).chain(all.iter().skip(place + 2)).cloned().collect()
}

impl Ffmpeg {
    /// From `PATH`, confined by `sandbox`.
    pub fn confined(sandbox: Sandbox) -> Self {
        Self { sandbox, ..Self::default() }
    }

    /// Both programs in `folder`, otherwise as by default.
    pub fn in_folder(folder: &Path) -> Self {
        Self { ffmpeg: folder.join("ffmpeg"), ffprobe: folder.join("ffprobe"), ..Self::default() }
    }

    /// The same programs, which may also read these files: those in a list among the inputs.
    pub fn reading(&self, files: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut with = self.clone();
        // The helper works in another folder, so paths must be absolute.
        with.also_read.extend(files.into_iter().map(|file| std::path::absolute(&file).unwrap_or(file)));
        with.also_read.sort_unstable();
        with.also_read.dedup();
        with
    }

    /// The same programs; `crash_check` decides whether the machine caused a crash.
    pub(crate) fn with_crash_check(&self, crash_check: CrashCheck) -> Self {
        Self { crash_check: Some(crash_check), ..self.clone() }
    }

    /// The same programs, for runs that a caller waits for.
    pub fn urgent(&self) -> Self {
        Self { urgent: true, ..self.clone() }
    }

    /// The same programs, which may also use these devices.
    fn using(&self, devices: &[PathBuf]) -> Self {
        Self { devices: devices.to_vec(), ..self.clone() }
    }

    /// The same programs with a variable, for instance for their loader.
    pub fn with_variable(&self, name: &str, value: impl Into<OsString>) -> Self {
        let mut with = self.clone();
        with.variables.push((name.into(), value.into()));
        with
    }

    /// Runs ffmpeg with [`global_args`] and then `args`, and reports progress about twice a second. Progress uses stdout, so
    /// outputs go to files, or through [`Ffmpeg::output`].
    pub async fn run_ffmpeg(
        &self,
        args: &[OsString],
        cwd: Option<&Path>,
        limits: Limits,
        mut on_progress: impl FnMut(&Progress) + Send,
    ) -> Result<RunReport, ProcessError> {
        let args = [&global_args(), args].concat();
        let (mut parser, mut lines) = (ProgressParser::default(), Lines::default());
        let stderr = self
            .run(Program::Ffmpeg, args, cwd, limits, |chunk| {
                lines.feed(chunk, |line| {
                    if let Some(progress) = parser.line(line) {
                        on_progress(&progress);
                    }
                });
            })
            .await?;
        Ok(RunReport { progress: parser.current(), stderr })
    }

    /// Runs ffprobe with `args` and passes on its stdout line by line, so that long output is never held in memory. Lines are
    /// cut at 64 KiB. Returns the end of stderr.
    pub async fn run_ffprobe_lines(
        &self,
        args: &[OsString],
        limits: Limits,
        mut on_line: impl FnMut(&str) + Send,
    ) -> Result<String, ProcessError> {
        let mut lines = Lines::default();
        let stderr = self.run_ffprobe(args, limits, |chunk| lines.feed(chunk, &mut on_line)).await?;
        lines.finish(on_line);
        Ok(stderr)
    }

    /// [`Ffmpeg::run_ffprobe_lines`] with stdout in chunks as they come.
    pub async fn run_ffprobe(
        &self,
        args: &[OsString],
        limits: Limits,
        on_chunk: impl FnMut(&[u8]) + Send,
    ) -> Result<String, ProcessError> {
        self.run(Program::Ffprobe, args.to_vec(), None, limits, on_chunk).await
    }

    async fn run(
        &self,
        program: Program,
        args: Vec<OsString>,
        cwd: Option<&Path>,
        limits: Limits,
        on_stdout: impl FnMut(&[u8]) + Send,
    ) -> Result<String, ProcessError> {
        let (began, threads) = (Instant::now(), threads_of(&args));
        let outcome = run(self.invocation(program, args, cwd, limits), limits, on_stdout).await;
        let ms = began.elapsed().as_millis() as u64;
        tracing::trace!(program = program.name(), threads, ms, "a process ended");
        match outcome {
            Err(error) => Err(self.judged(program, error).await),
            done => done,
        }
    }

    /// Runs a program with exactly `args` and returns its stdout.
    pub async fn output(
        &self,
        program: Program,
        args: &[OsString],
        limits: Limits,
    ) -> Result<Vec<u8>, ProcessError> {
        self.output_with_log(program, args, limits).await.map(|(stdout, _)| stdout)
    }

    /// [`Ffmpeg::output`] that also returns the end of stderr.
    pub(crate) async fn output_with_log(
        &self,
        program: Program,
        args: &[OsString],
        limits: Limits,
    ) -> Result<(Vec<u8>, String), ProcessError> {
        let mut stdout = Vec::new();
        let stderr =
            self.run(program, args.to_vec(), None, limits, |chunk| stdout.extend_from_slice(chunk)).await?;
        Ok((stdout, stderr))
    }

    /// Runs this work of our own program, confined like ffmpeg: `args` as [`inputs`] expects them. `None` if runs are not
    /// confined. Returns stdout.
    pub(crate) async fn own_work(
        &self,
        name: &str,
        args: &[OsString],
        limits: Limits,
    ) -> Option<Result<Vec<u8>, ProcessError>> {
        let Sandbox::On(_) = &self.sandbox else { return None };
        // The helper does this work instead of starting a program of that name.
        let own = Self { ffprobe: name.into(), ..self.clone() };
        let mut stdout = Vec::new();
        let invocation = own.invocation(Program::Ffprobe, args.to_vec(), None, limits);
        let outcome = run(invocation, limits, |chunk| stdout.extend_from_slice(chunk)).await;
        Some(outcome.map(|_| stdout))
    }

    /// The actual command: the program itself, or our own program, which confines itself and then becomes it.
    fn invocation(
        &self,
        program: Program,
        args: Vec<OsString>,
        cwd: Option<&Path>,
        limits: Limits,
    ) -> Invocation {
        let (program, args) = match program {
            Program::Ffmpeg => (&self.ffmpeg, [&filter_threads(), &args[..]].concat()),
            Program::Ffprobe => (&self.ffprobe, args),
        };
        self.confined_invocation(program, args, cwd, limits)
    }

    fn confined_invocation(
        &self,
        program: &Path,
        args: Vec<OsString>,
        cwd: Option<&Path>,
        limits: Limits,
    ) -> Invocation {
        let cwd = cwd.map(|cwd| std::path::absolute(cwd).unwrap_or_else(|_| cwd.to_owned()));
        let Sandbox::On(cage) = &self.sandbox else {
            return Invocation { program: program.to_owned(), args, cwd, variables: self.variables.clone() };
        };
        let readable = inputs(&args).chain(self.also_read.clone()).chain(cage.readable.clone()).collect();
        // Memory of the device is mapped as well, however large it is.
        let memory_bytes = match self.devices.is_empty() {
            // Decoders and filters start a thread for each core, up to a limit, or as many as the arguments choose; each has
            // a stack and frames.
            true => {
                let threads = threads().max(threads_of(&args));
                cage.memory_bytes.saturating_add(threads.saturating_mul(BYTES_PER_THREAD))
            }
            false => u64::MAX,
        };
        let confinement = Confinement {
            parent: std::process::id(),
            memory_bytes: memory_bytes.min(limits.memory_bytes),
            cpu_seconds: match limits.cpu {
                Some(cpu) => cpu.as_secs(),
                None => limits.wall.as_secs().max(1).saturating_mul(cores()),
            },
            file_bytes: limits.file_bytes,
            niceness: niceness(limits.urgent || self.urgent),
            read: readable,
            write: cwd.iter().cloned().collect(),
            devices: self.devices.clone(),
            variables: self.variables.clone(),
        };
        let mut line = confinement.to_args();
        line.push(program.into());
        line.extend(args);
        Invocation { program: cage.helper.clone(), args: line, cwd, variables: Vec::new() }
    }
}

/// Address space for a thread of each decoder, filter graph and encoder, in up to five inputs at once.
const BYTES_PER_THREAD: u64 = 192 << 20;

/// The most threads that a decoder starts by itself; filters are limited to as many, because further ones gain little and
/// need address space each.
const MAX_THREADS: usize = 16;

/// The threads that the arguments choose; 1 if they choose none.
fn threads_of(args: &[OsString]) -> u64 {
    let number = args.iter().skip_while(|arg| *arg != "-threads").nth(1);
    number.and_then(|number| number.to_str()?.parse().ok()).unwrap_or(1)
}

/// The threads of each decoder and of each filter graph.
fn threads() -> u64 {
    Machine::this().cores.min(MAX_THREADS) as u64
}

fn cores() -> u64 {
    Machine::this().cores as u64
}

#[derive(Debug, Clone)]
struct Invocation {
    program: PathBuf,
    args: Vec<OsString>,
    cwd: Option<PathBuf>,
    variables: Vec<(OsString, OsString)>,
}

/// Runs one program until it ends or reaches a limit, and returns the end of its stderr.
async fn run(
    invocation: Invocation,
    limits: Limits,
    on_stdout: impl FnMut(&[u8]) + Send,
) -> Result<String, ProcessError> {
    let mut group = Group::spawn(invocation).await?;
    let outcome = match tokio::time::timeout(limits.wall, group.drive(limits, on_stdout)).await {
        Ok(outcome) => outcome,
        Err(_) => Err(ProcessError::TimedOut { after: limits.wall }),
    };
    match outcome {
        Ok((status, stderr)) if status.success() => Ok(stderr),
        Ok((status, stderr)) => Err(why(status, stderr, limits)),
        Err(error) => {
            group.end().await;
            Err(error)
        }
    }
}

/// A program that leads a process group of its own. Dropping it before it was waited for kills the group.
struct Group {
    leader: tokio::process::Child,
    _charge: Charge,
}

impl Group {
    async fn spawn(invocation: Invocation) -> Result<Self, ProcessError> {
        Self::spawn_between(invocation, Stdio::null(), Stdio::piped()).await
    }

    async fn spawn_between(
        invocation: Invocation,
        stdin: Stdio,
        stdout: Stdio,
    ) -> Result<Self, ProcessError> {
        let Invocation { program, args, cwd, variables } = invocation;
        #[allow(clippy::disallowed_methods, reason = "this is the one place where processes start")]
        let mut command = tokio::process::Command::new(&program);
        command.args(args).env_clear().envs(environment(std::env::vars_os())).envs(variables);
        command.stdin(stdin).stdout(stdout).stderr(Stdio::piped());
        command.process_group(0).kill_on_drop(true);
        if let Some(cwd) = cwd {
            command.current_dir(cwd);
        }
        let charge = Charge::begin();
        let spawned =
            spawner::on_lasting_thread(move || Ok(Self { leader: command.spawn()?, _charge: charge }));
        spawned.await.map_err(|source| ProcessError::Spawn { program, source })
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

    /// Kills the group and waits for its leader; the init process reaps the others.
    async fn end(&mut self) {
        self.kill();
        if let Err(error) = self.leader.wait().await {
            tracing::warn!(%error, "cannot wait for a process that was killed");
        }
    }

    fn kill(&self) {
        // A leader that was waited for has no id any more: its number may belong to another process.
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
        let length = pipe.read(&mut buffer).await?;
        total += length as u64;
        if total > limit {
            return Err(ProcessError::TooMuchOutput { limit });
        }
        match buffer.get(..length) {
            Some(chunk) if length > 0 => on_chunk(chunk),
            _ => return Ok(()),
        }
    }
}

async fn drain_tail(pipe: Option<impl AsyncRead + Unpin>, limit: usize) -> Result<String, ProcessError> {
    let mut tail = Tail::new(limit);
    drain_bounded(pipe, u64::MAX, |chunk| tail.push(chunk)).await?;
    Ok(tail.into_text())
}

/// The variables of this process that reach a child.
pub(crate) fn inherited() -> Vec<(OsString, OsString)> {
    environment(std::env::vars_os()).collect()
}

/// The environment of a child: how to find programs, libraries, fonts and temporary space, and the language.
fn environment(
    all: impl Iterator<Item = (OsString, OsString)>,
) -> impl Iterator<Item = (OsString, OsString)> {
    const KEPT: [&str; 11] = [
        "PATH",
        "HOME",
        "TMPDIR",
        "LANG",
        "LD_LIBRARY_PATH",
        "FONTCONFIG_FILE",
        "FONTCONFIG_PATH",
        "XDG_CACHE_HOME",
        // These say which driver and which card an encoder uses.
        "LIBVA_DRIVER_NAME",
        "LIBVA_DRIVERS_PATH",
        "CUDA_VISIBLE_DEVICES",
    ];
    // Address space is limited. Without the second one, every thread claims 64 MiB of it. Without the others, a BLAS library
    // that ffmpeg is linked with through its speech recognition claims 32 MiB for each core, although nothing uses it.
    const SET: [(&str, &str); 5] = [
        ("AV_LOG_FORCE_NOCOLOR", "1"),
        ("MALLOC_ARENA_MAX", "4"),
        ("OPENBLAS_NUM_THREADS", "1"),
        ("GOTO_NUM_THREADS", "1"),
        ("OMP_NUM_THREADS", "1"),
    ];
    let set = SET.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    all.filter(|(name, _)| KEPT.iter().any(|kept| name == OsStr::new(kept))).chain(set)
}

#[cfg(test)]
mod tests;
