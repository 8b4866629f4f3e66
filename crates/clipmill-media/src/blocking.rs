//! Work on files that would keep a thread of the runtime busy.

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::message;

/// Runs `work` on a thread where it may block.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, TaskError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "work on a file ended abnormally");
        TaskError::new(ErrorCode::Internal, message::ended_abnormally())
    })
}
