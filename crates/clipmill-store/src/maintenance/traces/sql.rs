//! Trace contexts of tasks.

use async_trait::async_trait;
use clipmill_core::ids::{JobId, TaskNo};

use super::super::dialect::Handle;
use super::super::rows::Db;
use super::super::unit::{apart, in_time, snapshot};
use crate::common::error::StoreResult;
use crate::maintenance::traces::TraceStore;

#[async_trait]
impl TraceStore for Handle {
    async fn of_job(&self, work: JobId) -> StoreResult<Option<String>> {
        snapshot!(self; tx => of_job(tx, work))
    }

    async fn of_task(&self, task_no: &TaskNo) -> StoreResult<Option<String>> {
        snapshot!(self, task_no; tx => of_task(tx, &task_no))
    }
}

pub async fn of_job(db: &mut Db, work: JobId) -> StoreResult<Option<String>> {
    let trace: Option<Option<String>> = sqlx::query_scalar(
        "SELECT t.traceparent FROM work w
           JOIN tasks t ON t.id = COALESCE(
                w.task_id,
                (SELECT i.task_id FROM items i WHERE i.id = w.item_id),
                (SELECT MIN(n.task_id) FROM waiting_items n WHERE n.hash = w.segment_hash))
          WHERE w.id = $1",
    )
    .bind(work.0)
    .fetch_optional(db)
    .await?;
    Ok(trace.flatten())
}

pub async fn of_task(db: &mut Db, task_no: &TaskNo) -> StoreResult<Option<String>> {
    let trace: Option<Option<String>> =
        sqlx::query_scalar("SELECT traceparent FROM tasks WHERE task_no = $1")
            .bind(task_no.as_str())
            .fetch_optional(db)
            .await?;
    Ok(trace.flatten())
}
