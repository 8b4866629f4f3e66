//! The trace of a job: one trace per task, from its submission to its callback.

use async_trait::async_trait;
use clipmill_core::ids::{JobId, TaskNo};

use crate::common::error::StoreResult;

#[async_trait]
pub trait TraceStore: Send + Sync + 'static {
    /// The W3C `traceparent` of the submission of this work's task; for a segment that several tasks wait for, that
    /// of the oldest.
    async fn of_job(&self, work: JobId) -> StoreResult<Option<String>>;
    async fn of_task(&self, task_no: &TaskNo) -> StoreResult<Option<String>>;
}
