//! Failing work: it is tried again, or ends together with every item that needed it.

use clipmill_core::error::TaskError;
use clipmill_core::ids::ItemId;
use clipmill_core::task::TaskState;

use super::super::super::tasks::task_end::{self, end_item, end_task_if_over};
use super::super::dialect::locks;
use super::super::leases::lease::{self, JobRow, Target};
use super::super::rows::Db;
use super::preflight;
use crate::common::clock::{Millis, Now};
use crate::common::error::StoreResult;
use crate::queue::jobs::JobFailure;
use crate::queue::leases::Lease;

/// How many failures of a job live workers may report; the last one ends it.
const MAX_FAILURES: i64 = 3;

pub async fn fail(db: &mut Db, lease: Lease, failure: &JobFailure, now: Now) -> StoreResult<()> {
    let work = lease::leased(db, lease).await?;
    lock(db, &work).await?;
    let work = lease::give_up(db, lease, None, "failed").await?;
    sqlx::query("UPDATE work SET attempts = attempts + 1 WHERE id = $1")
        .bind(work.id)
        .execute(&mut *db)
        .await?;
    match failure.retry_at {
        Some(at) if work.attempts + 1 < MAX_FAILURES => lease::delay(db, &work, now.of(at)).await,
        _ => end_job(db, &work, &failure.error, now.ms).await,
    }
}

/// Locks everything that the end of this work may change.
pub async fn lock(db: &mut Db, work: &JobRow) -> StoreResult<()> {
    match work.target()? {
        Target::Preflight(task) => locks::task(db, task).await,
        Target::Segment(key) => locks::dependents(db, key).await,
        Target::Assemble(item) => locks::item(db, item).await,
    }
}

/// Ends failed work, and everything that depends on it.
pub async fn end_job(db: &mut Db, work: &JobRow, error: &TaskError, now: Millis) -> StoreResult<()> {
    match work.target()? {
        Target::Preflight(task) => preflight::reject_all(db, task, error, now).await,
        Target::Segment(key) => end_segment(db, work, key, error, now).await,
        Target::Assemble(item) => fail_item(db, item, error, now).await,
    }
}

async fn fail_item(db: &mut Db, item: ItemId, error: &TaskError, now: Millis) -> StoreResult<()> {
    let item = task_end::live_item(db, item).await?;
    end_item(db, &item, TaskState::Failed, Some(error), now).await?;
    end_task_if_over(db, item.task, now).await
}

/// The items of the user whose source was used fail. Another user's items that wait for the segment have their own
/// source, which is tried next, and never learn this one's address.
async fn end_segment(
    db: &mut Db,
    work: &JobRow,
    key: &str,
    error: &TaskError,
    now: Millis,
) -> StoreResult<()> {
    let items = task_end::waiting_items(db, key, work.user()).await?;
    for item in &items {
        end_item(db, item, TaskState::Failed, Some(error), now).await?;
    }
    let mut tasks: Vec<_> = items.iter().map(|item| item.task).collect();
    tasks.dedup();
    for task in tasks {
        end_task_if_over(db, task, now).await?;
    }
    ready_for_others(db, work, key).await
}

/// Makes the segment ready again for items that still wait for it.
pub async fn ready_for_others(db: &mut Db, work: &JobRow, key: &str) -> StoreResult<()> {
    sqlx::query(
        "UPDATE work SET state = 'ready', attempts = 0, lost_leases = 0, lost_fence = NULL
          WHERE id = $1 AND EXISTS (SELECT 1 FROM waiting_items w WHERE w.hash = $2)",
    )
    .bind(work.id)
    .bind(key)
    .execute(db)
    .await?;
    Ok(())
}
