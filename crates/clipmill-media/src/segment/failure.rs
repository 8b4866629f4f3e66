//! What went wrong with a run, in the client's terms.

use clipmill_core::error::{ErrorCode, TaskError};

use crate::cache::disk;
use crate::error::MediaError;
use crate::ffmpeg::process::ProcessError;
use crate::ingest::source_file::SourceFile;

#[derive(Debug, thiserror::Error)]
pub enum SegmentError {
    /// The encoding device is missing, failed, or made something else than planned, or packets cannot be used as
    /// they are: the outputs that need the segment are to be planned again, as a whole, by what its settings fall
    /// back on.
    #[error("{0}")]
    FallBack(String),
    #[error(transparent)]
    Failed(#[from] TaskError),
}

impl From<MediaError> for SegmentError {
    fn from(error: MediaError) -> Self {
        Self::Failed(error.into())
    }
}

/// For those who cannot plan again.
impl From<SegmentError> for TaskError {
    fn from(error: SegmentError) -> Self {
        match error {
            SegmentError::Failed(error) => error,
            SegmentError::FallBack(reason) => {
                tracing::error!(reason, "a segment could not be made as planned");
                render_failed("the encoder failed; try again with libx264")
            }
        }
    }
}

pub(crate) fn render_failed(message: impl Into<String>) -> TaskError {
    TaskError::new(ErrorCode::RenderFailed, message)
}

/// A decoder's complaint in the client's terms.
pub(crate) fn damaged(error: &ProcessError, source: &SourceFile) -> TaskError {
    match error {
        ProcessError::TimedOut { after } => {
            let message =
                format!("the work was stopped after {} s; try a shorter or smaller file", after.as_secs());
            TaskError::new(ErrorCode::RenderTimeout, message)
        }
        ProcessError::Failed { stderr, .. } if out_of_space(stderr) => disk::full(),
        ProcessError::TooMuchOutput { limit } => {
            render_failed(format!("the result grew beyond the {limit} bytes that were planned for it"))
        }
        ProcessError::Failed { stderr, .. } if stderr.contains("Cannot allocate memory") => {
            render_failed("the file needs more memory than one piece of work may have; use a smaller picture")
        }
        ProcessError::Failed { stderr, .. } => {
            let reason = stderr.lines().next().unwrap_or("no reason given");
            let reason = reason.rsplit_once("] ").map_or(reason, |(_, text)| text);
            undecodable(reason, source)
        }
        // It says nothing about the file.
        ProcessError::Killed => {
            tracing::error!(%error, "ffmpeg was ended");
            TaskError::new(ErrorCode::Internal, "the renderer was ended from outside; memory may be short")
        }
        _ => {
            tracing::error!(%error, "ffmpeg could not be run");
            TaskError::new(ErrorCode::Internal, "the renderer could not be run")
        }
    }
}

pub(crate) fn undecodable(reason: &str, source: &SourceFile) -> TaskError {
    let message = format!("the file cannot be decoded ({reason}); export or upload it again");
    TaskError::new(ErrorCode::MediaDamaged, message).input(&source.source.url)
}

pub(crate) fn out_of_space(stderr: &str) -> bool {
    stderr.contains("No space left on device")
}
