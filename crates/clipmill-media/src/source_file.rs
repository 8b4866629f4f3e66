//! A file that a segment is made from.

use std::path::PathBuf;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::media::ContentHash;
use clipmill_core::message;
use clipmill_core::plan::SourceRef;

/// A file that a segment is made from: its facts, the client's URL of it, and its path.
#[derive(Debug, Clone)]
pub struct SourceFile {
    pub source: SourceRef,
    pub path: PathBuf,
}

pub(crate) fn find<'a>(
    files: &'a [SourceFile],
    content: Option<&ContentHash>,
) -> Result<&'a SourceFile, TaskError> {
    let source_file = files.iter().find(|file| Some(&file.source.content) == content);
    source_file.ok_or_else(|| TaskError::new(ErrorCode::Internal, message::source_missing()))
}
