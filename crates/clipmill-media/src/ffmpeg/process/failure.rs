//! Classifies how a run failed, and whether the machine or the file is to blame.

use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;

use super::{Ffmpeg, Limits, Program};
use crate::descriptors;
use crate::ffmpeg::sandbox::{COMPLAINT, EXIT_NOT_CONFINED};

/// Checks after a crash whether this machine can process a file that is known to be good.
#[derive(Clone)]
pub struct CrashCheck(Arc<dyn Fn(String) -> BoxFuture<'static, Result<(), String>> + Send + Sync>);

impl CrashCheck {
    /// `check` gets a description of the crash, and returns why the machine cannot process the good file.
    pub fn new(
        check: impl Fn(String) -> BoxFuture<'static, Result<(), String>> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(check))
    }
}

impl std::fmt::Debug for CrashCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Referee")
    }
}

impl PartialEq for CrashCheck {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for CrashCheck {}

#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    #[error("cannot start {}: {source}; install ffmpeg or configure its path", program.display())]
    Spawn { program: PathBuf, source: std::io::Error },
    #[error("it ended with {status}: {}", last_line(stderr))]
    Failed { status: ExitStatus, stderr: String },
    /// It crashed, ran out of memory, or ended without a result, on a machine that processes other files.
    #[error("it crashed ({cause}): {}", last_line(stderr))]
    Crashed { cause: String, stderr: String },
    /// The same, on a machine that cannot process a good file either.
    #[error("{program} crashed ({cause}), and on a good file too: {reason}")]
    Machine { program: &'static str, cause: String, reason: String },
    /// Killed by another process.
    #[error("it was killed, most likely for lack of memory")]
    Killed,
    #[error("it was stopped after {} s", after.as_secs_f64())]
    TimedOut { after: Duration },
    #[error("it was stopped because it wrote more than {limit} bytes")]
    TooMuchOutput { limit: u64 },
    #[error("it was not started because it could not be confined: {0}")]
    NotConfined(String),
    #[error("it could not open a file because no file descriptor was left: {0}")]
    NoDescriptors(String),
    #[error("the pipe to it broke: {0}")]
    Io(#[from] std::io::Error),
}

impl ProcessError {
    /// The output of the program before it failed.
    pub fn stderr(&self) -> &str {
        match self {
            Self::Failed { stderr, .. } | Self::Crashed { stderr, .. } => stderr,
            _ => "",
        }
    }

    /// Whether the program reported a fault of the file, or crashed on it.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Failed { .. } | Self::Crashed { .. })
    }

    /// Whether it crashed because memory was short.
    pub fn is_out_of_memory(&self) -> bool {
        matches!(self, Self::Crashed { cause, .. } if cause == OUT_OF_MEMORY)
    }
}

const OUT_OF_MEMORY: &str = "out of memory";

/// Distinguishes the limits of a confined run from other failures.
pub(super) fn why(status: ExitStatus, stderr: String, limits: Limits) -> ProcessError {
    const CPU_TIME: i32 = libc::SIGXCPU;
    const FILE_SIZE: i32 = libc::SIGXFSZ;
    let complaint =
        stderr.strip_prefix(COMPLAINT).filter(|_| status.code() == Some(EXIT_NOT_CONFINED.into()));
    match (status.signal(), complaint) {
        _ if limits.cpu.is_some() && is_out_of_time(status, &stderr) => {
            ProcessError::TimedOut { after: limits.cpu.unwrap_or(limits.wall) }
        }
        (Some(CPU_TIME), _) => ProcessError::TimedOut { after: limits.wall },
        (Some(FILE_SIZE), _) => ProcessError::TooMuchOutput { limit: limits.file_bytes },
        (Some(libc::SIGKILL), _) => ProcessError::Killed,
        (_, Some(complaint)) => ProcessError::NotConfined(complaint.trim_end().to_owned()),
        (Some(signal), _) => ProcessError::Crashed { cause: format!("signal {signal}"), stderr },
        _ if descriptors::are_missed_in(&stderr) => {
            ProcessError::NoDescriptors(last_line(&stderr).to_owned())
        }
        _ if is_out_of_memory(&stderr) => ProcessError::Crashed { cause: OUT_OF_MEMORY.to_owned(), stderr },
        // A loader that lacks a library, or a shell that could not start the program.
        _ if matches!(status.code(), Some(126 | 127)) => {
            ProcessError::Crashed { cause: status.to_string(), stderr }
        }
        _ => ProcessError::Failed { status, stderr },
    }
}

/// Whether a run with a limit of processor time reached it: ffmpeg catches the signal and ends with these statuses,
/// without an error message.
fn is_out_of_time(status: ExitStatus, stderr: &str) -> bool {
    const INTERRUPTED: i32 = 255;
    const INTERRUPTED_AGAIN: i32 = 123;
    match status.code() {
        Some(INTERRUPTED) => stderr.trim().is_empty(),
        Some(code) => code == INTERRUPTED_AGAIN,
        None => matches!(status.signal(), Some(libc::SIGXCPU | libc::SIGKILL)),
    }
}

fn is_out_of_memory(stderr: &str) -> bool {
    const SIGNS: [&str; 6] = [
        "Cannot allocate memory",
        "std::bad_alloc",
        "pthread_create failed",
        "out of memory",
        // No further thread or process is allowed.
        "Resource temporarily unavailable",
        "thread_encoder_init failed",
    ];
    SIGNS.iter().any(|sign| stderr.contains(sign))
}

impl Ffmpeg {
    /// Blames the machine for a crash if it cannot process a good file. A program that cannot be started is always the
    /// machine's fault, and its test determines for how long. All other errors are unchanged.
    pub(crate) async fn judged(&self, program: Program, error: ProcessError) -> ProcessError {
        let Some(crash_check) = &self.crash_check else { return error };
        let (cause, first) = match &error {
            ProcessError::Crashed { cause, stderr } => {
                (cause.clone(), stderr.lines().next().unwrap_or("it printed nothing").to_owned())
            }
            ProcessError::Spawn { .. } | ProcessError::NotConfined(_) => {
                ("not started".to_owned(), error.to_string())
            }
            _ => return error,
        };
        let program = program.name();
        match (crash_check.0)(format!("{program} crashed ({cause}): {first}")).await {
            Ok(()) => {
                tracing::warn!(
                    program,
                    cause,
                    stderr = first,
                    "crashed on a file; a good file can be processed"
                );
                error
            }
            Err(reason) => {
                tracing::error!(
                    program,
                    cause,
                    stderr = first,
                    reason,
                    "crashed, and the machine is to blame"
                );
                ProcessError::Machine { program, cause, reason }
            }
        }
    }

    /// Blames the machine for a failure that the file does not explain, if it cannot process a good file; otherwise the
    /// error is unchanged.
    pub(crate) async fn unexplained(&self, program: Program, error: ProcessError) -> ProcessError {
        let crash = ProcessError::Crashed {
            cause: "failed on an intact file".to_owned(),
            stderr: error.stderr().to_owned(),
        };
        match self.judged(program, crash).await {
            machine @ ProcessError::Machine { .. } => machine,
            _ => error,
        }
    }

    /// The error of a run that succeeded without its required output.
    pub(crate) async fn silent(&self, program: Program, stderr: String) -> ProcessError {
        self.judged(program, ProcessError::Crashed { cause: "no output".to_owned(), stderr }).await
    }
}

pub(super) fn last_line(stderr: &str) -> &str {
    stderr.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message")
}
