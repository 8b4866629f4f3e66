//! Errors that are not caused by an input.

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::message;
use std::path::{Path, PathBuf};

use crate::ffmpeg::process::ProcessError;

/// An error that the operator has to fix; an error of the client's input is a [`TaskError`].
#[derive(Debug, thiserror::Error)]
pub enum MediaError {
    #[error(transparent)]
    Process(#[from] ProcessError),
    #[error(transparent)]
    Sandbox(#[from] crate::ffmpeg::sandbox::SandboxError),
    #[error("cannot {action} {}: {source}", path.display())]
    File { action: &'static str, path: PathBuf, source: std::io::Error },
    #[error("cannot set up the HTTP client: {0}")]
    HttpClient(#[from] reqwest::Error),
    #[error(transparent)]
    Storage(#[from] clipmill_blobs::BlobError),
    /// An error that the client gets unchanged.
    #[error(transparent)]
    Refused(TaskError),
    #[error(
        "the encoder {encoder} cannot be used here ({reason}): fix that, or set encoder = \"libx264\" or \
         \"auto\" under [worker]"
    )]
    NoEncoder { encoder: &'static str, reason: String },
    /// The installed programs cannot be used.
    #[error("{0}")]
    Unsupported(String),
    #[error("unexpected output of {program}: {detail}")]
    Unexpected { program: &'static str, detail: String },
}

impl MediaError {
    /// For `map_err`: adds the operation and the file to an error of the file system.
    pub fn file(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::File { action, path: path.to_owned(), source }
    }
}

/// The client gets a general internal error; the log has the cause.
impl From<MediaError> for TaskError {
    fn from(error: MediaError) -> Self {
        tracing::error!(%error, "machine error; the input is not the cause");
        match error {
            MediaError::Refused(error) => error,
            MediaError::File { source, .. } if is_full(&source) => disk_full(),
            MediaError::Storage(error) if error.is_disk_full() => disk_full(),
            MediaError::Storage(_) => TaskError::new(ErrorCode::Internal, message::storage_unreachable()),
            _ => TaskError::new(ErrorCode::Internal, message::our_fault()),
        }
    }
}

/// The error about a full disk for the client.
pub fn disk_full() -> TaskError {
    TaskError::new(ErrorCode::Internal, message::disk_full()).with_disk_full()
}

fn is_full(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded)
}
