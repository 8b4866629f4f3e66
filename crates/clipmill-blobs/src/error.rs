//! Errors of storage, worded so that the operator knows what to fix.

use std::path::{Path, PathBuf};

use object_store::Error;

pub type BlobResult<T> = Result<T, BlobError>;

#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    #[error("cannot {action} {}: {source}", path.display())]
    File { action: &'static str, path: PathBuf, source: std::io::Error },
    #[error("{0:?} is not a valid key")]
    Key(String),
    #[error("{0}")]
    Settings(String),
    #[error("the stored file {key} is damaged: {detail}")]
    Damaged { key: String, detail: String },
    #[error("the storage refuses: {0}")]
    Refused(String),
    #[error("the bucket does not exist: {0}")]
    NoBucket(String),
    #[error("the storage does not accept this: {0}")]
    Rejected(String),
    #[error("unexpected response from the storage: {0}")]
    Failed(String),
}

impl BlobError {
    /// For `map_err`: adds the operation and the file to an error of the file system.
    pub fn file(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::File { action, path: path.to_owned(), source }
    }

    /// What to do about the error.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::File { .. } => "give the service a folder it may write to (--data), with space left",
            Self::Key(_) => "report this",
            Self::Settings(_) => "correct storage.url and the AWS_* variables",
            Self::Damaged { .. } => {
                "remove that file, and check the network and proxies between the service and the storage"
            }
            Self::Refused(_) => {
                "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, the machine's clock, and that the \
                 key may s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket (docs/operate/storage.md)"
            }
            Self::NoBucket(_) => "make the bucket, or correct its name in storage.url and AWS_REGION",
            Self::Rejected(_) => {
                "check that storage.url and AWS_ENDPOINT_URL lead to S3 or what speaks its protocol"
            }
            Self::Failed(_) => {
                "check AWS_ENDPOINT_URL and that this machine reaches it; on AWS without AWS_ACCESS_KEY_ID, that \
                 the machine has a role"
            }
        }
    }

    /// Whether the disk of this machine is full.
    pub fn is_disk_full(&self) -> bool {
        use std::io::ErrorKind::{QuotaExceeded, StorageFull};
        matches!(self, Self::File { source, .. } if matches!(source.kind(), StorageFull | QuotaExceeded))
    }
}

impl From<Error> for BlobError {
    fn from(error: Error) -> Self {
        let text = one_line(&error);
        match error {
            Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => Self::Refused(text),
            Error::NotFound { .. } if text.contains("NoSuchBucket") => Self::NoBucket(text),
            Error::InvalidPath { .. } => Self::Key(text),
            Error::NotFound { .. } | Error::NotSupported { .. } | Error::NotImplemented { .. } => {
                Self::Rejected(text)
            }
            _ if text.contains("400 Bad Request") => Self::Rejected(text),
            _ => Self::Failed(text),
        }
    }
}

/// Error responses of storage services are XML over several lines.
fn one_line(error: &Error) -> String {
    const MAX_CHARACTERS: usize = 600;
    let text = error.to_string();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(MAX_CHARACTERS).collect()
}
