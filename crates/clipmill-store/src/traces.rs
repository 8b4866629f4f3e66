//! The trace that a piece of work belongs to: one for each task, from its submission to its callback.

use async_trait::async_trait;
use clipmill_core::ids::{TaskNo, WorkId};

use crate::error::StoreResult;

#[async_trait]
pub trait Traces: Send + Sync + 'static {
    /// The W3C `traceparent` that the task of this work was submitted under; of a segment that several tasks
    /// wait for, the oldest task's.
    async fn trace_of_work(&self, work: WorkId) -> StoreResult<Option<String>>;
    async fn trace_of_task(&self, task_no: &TaskNo) -> StoreResult<Option<String>>;
}
