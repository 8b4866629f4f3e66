//! Cancelling: delivered outputs remain and are charged; the rest ends and its points are released.

use std::collections::BTreeMap;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::{TaskId, TaskNo, UserId};
use clipmill_core::message;
use clipmill_core::task::{TaskEvent, TaskState};

use super::super::dialect::locks;
use super::super::queue::jobs::completions;
use super::super::rows::{Db, state};
use super::task_end::{self, end_item, illegal};
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::from_row::from_row;
use crate::tasks::CancelOutcome;

pub async fn cancel(
    db: &mut Db,
    user: UserId,
    task_no: &TaskNo,
    now: Millis,
) -> StoreResult<Option<CancelOutcome>> {
    let Some(task) = find(db, user, task_no).await? else { return Ok(None) };
    locks::task(db, TaskId(task.id)).await?;
    // Outputs that already exist are completed.
    completions::settle(db, BTreeMap::from([(TaskId(task.id), Vec::new())]), now).await?;
    // The task is read again, because only now no other unit can change it.
    let Some(task) = find(db, user, task_no).await? else { return Ok(None) };
    let from = state(task.state)?;
    if from.is_final() {
        let cancelled = from == TaskState::Cancelled;
        return Ok(Some(if cancelled { CancelOutcome::Already } else { CancelOutcome::TooLate(from) }));
    }
    let id = TaskId(task.id);
    drop_preflight(db, id).await?;
    let error = TaskError::new(ErrorCode::Cancelled, message::cancelled_before());
    for item in task_end::live_items(db, id).await? {
        end_item(db, &item, TaskState::Cancelled, Some(&error), now).await?;
    }
    let to = from.after(TaskEvent::Cancel).map_err(illegal)?;
    let message = message::cancelled_after(task.completed_items, task.total_items);
    task_end::end_task(db, id, from, to, Some(&message), now).await?;
    Ok(Some(CancelOutcome::Cancelled))
}

from_row! {
    struct TaskRow {
        id: i64,
        state: i64,
        total_items: i64,
        completed_items: i64,
    }
}

async fn find(db: &mut Db, user: UserId, task_no: &TaskNo) -> StoreResult<Option<TaskRow>> {
    let row = sqlx::query_as(
        "SELECT id, state, total_items, completed_items FROM tasks WHERE task_no = $1 AND user_id = $2",
    )
    .bind(task_no.as_str())
    .bind(user.0)
    .fetch_optional(db)
    .await?;
    Ok(row)
}

/// A worker that is running the preflight loses its lease and stops.
async fn drop_preflight(db: &mut Db, task: TaskId) -> StoreResult<()> {
    sqlx::query(
        "UPDATE work SET state = 'dropped', worker = NULL, lease_until = NULL, run_after = NULL
          WHERE task_id = $1 AND state IN ('ready', 'delayed', 'running')",
    )
    .bind(task.0)
    .execute(db)
    .await?;
    Ok(())
}
