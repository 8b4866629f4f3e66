//! Failures of a run, in the client's terms.

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::message::{self, Message, Param};

use crate::error::{MediaError, disk_full};
use crate::ffmpeg::process::ProcessError;
use crate::source_file::SourceFile;

#[derive(Debug, thiserror::Error)]
pub enum SegmentError {
    /// The encoding device is missing, failed, or produced an unplanned result, or packets cannot be copied: the
    /// outputs that need the segment must be planned again as a whole, with the fallback of its settings.
    #[error("{0}")]
    FallBack(Message),
    #[error(transparent)]
    Failed(#[from] TaskError),
}

impl From<MediaError> for SegmentError {
    fn from(error: MediaError) -> Self {
        Self::Failed(error.into())
    }
}

/// The error if the output cannot be planned again.
impl From<SegmentError> for TaskError {
    fn from(error: SegmentError) -> Self {
        match error {
            SegmentError::Failed(error) => error,
            SegmentError::FallBack(reason) => {
                tracing::error!(%reason, "a segment could not be rendered as planned");
                render_failed(message::encoder_failed())
            }
        }
    }
}

pub(crate) fn render_failed(message: Message) -> TaskError {
    TaskError::new(ErrorCode::RenderFailed, message)
}

/// A decoder's error in the client's terms.
pub(crate) fn damaged(error: &ProcessError, source: &SourceFile) -> TaskError {
    match error {
        ProcessError::TimedOut { after } => {
            TaskError::new(ErrorCode::RenderTimeout, message::work_stopped(after.as_secs()))
        }
        ProcessError::Failed { stderr, .. } if out_of_space(stderr) => disk_full(),
        ProcessError::TooMuchOutput { limit } => render_failed(message::result_grew(*limit)),
        error if error.is_out_of_memory() => render_failed(message::too_much_memory()),
        ProcessError::Crashed { .. } => {
            let crashed = message::export_again(message::crashed("ffmpeg"));
            TaskError::new(ErrorCode::MediaDamaged, crashed).input(&source.source.url)
        }
        ProcessError::Failed { stderr, .. } => undecodable(reason(stderr), source),
        // Being killed is no evidence about the file.
        ProcessError::Killed => {
            tracing::error!(%error, "ffmpeg was terminated");
            TaskError::new(ErrorCode::Internal, message::renderer_ended())
        }
        _ => {
            tracing::error!(%error, "ffmpeg could not be run");
            TaskError::new(ErrorCode::Internal, message::renderer_not_run())
        }
    }
}

/// The first error message of a decoder, without its name.
pub(crate) fn reason(stderr: &str) -> Param {
    stderr.lines().next().map_or_else(
        || message::no_reason().into(),
        |line| Param::from(line.rsplit_once("] ").map_or(line, |(_, text)| text)),
    )
}

/// The error of a run that reads no file of a client: `message`, unless the disk is full or the machine is to blame.
pub(crate) fn run_error(error: ProcessError, message: impl FnOnce(&ProcessError) -> Message) -> TaskError {
    match error {
        error if out_of_space(error.stderr()) => disk_full(),
        ProcessError::Failed { .. }
        | ProcessError::Crashed { .. }
        | ProcessError::TimedOut { .. }
        | ProcessError::TooMuchOutput { .. } => {
            tracing::error!(%error, "files of clipmill could not be processed");
            render_failed(message(&error))
        }
        error => MediaError::from(error).into(),
    }
}

pub(crate) fn undecodable(reason: impl Into<Param>, source: &SourceFile) -> TaskError {
    TaskError::new(ErrorCode::MediaDamaged, message::undecodable_for(reason)).input(&source.source.url)
}

pub(crate) fn out_of_space(stderr: &str) -> bool {
    stderr.contains("No space left on device")
}
