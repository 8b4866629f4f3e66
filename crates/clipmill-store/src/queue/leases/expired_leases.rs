//! Expired leases: returns the work of dead workers to the queue.

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::JobId;
use clipmill_core::message;

use super::super::jobs::failures;
use super::super::rows::Db;
use super::lease::{JobRow, runs};
use crate::common::clock::Millis;
use crate::common::error::StoreResult;

/// How many leases of the same job may be lost; the last one ends it. More than failures are allowed, because
/// machines fail for other reasons than the job.
pub const MAX_LOST_LEASES: i64 = 10;

/// Work whose lease ran out before `before`.
pub async fn lost(db: &mut Db, before: Millis) -> StoreResult<Vec<JobId>> {
    let expired: Vec<i64> = sqlx::query_scalar(
        "SELECT id FROM work WHERE state = 'running' AND lease_until < $1 ORDER BY lease_until, id",
    )
    .bind(before)
    .fetch_all(db)
    .await?;
    Ok(expired.into_iter().map(JobId).collect())
}

pub async fn count_lost(db: &mut Db, work: &JobRow) -> StoreResult<()> {
    sqlx::query("UPDATE work SET lost_leases = lost_leases + 1 WHERE id = $1")
        .bind(work.id)
        .execute(db)
        .await?;
    Ok(())
}

/// Frees work whose lease has expired. Returns `false` if it was renewed, freed by another process or ended in the
/// meantime.
pub async fn free(db: &mut Db, work: JobId, before: Millis, now: Millis) -> StoreResult<bool> {
    let row: Option<JobRow> = sqlx::query_as(
        concat!(
            "SELECT id, fence, task_id, segment_hash, item_id, user_id, attempts, lost_leases, lease_times, claimed_at
           FROM work WHERE id = $1 AND ",
            runs!()
        ),
    )
    .bind(work.0)
    .fetch_optional(&mut *db)
    .await?;
    let Some(work) = row else { return Ok(false) };
    let last = work.lost_leases + 1 >= MAX_LOST_LEASES;
    if last {
        failures::lock(db, &work).await?;
    }
    if !give_up_if_lost(db, &work, before, if last { "failed" } else { "ready" }).await? {
        return Ok(false);
    }
    if last {
        let error = TaskError::new(ErrorCode::Internal, message::machines_stopped());
        failures::end_job(db, &work, &error, now).await?;
    }
    Ok(true)
}

/// The end of the lease is checked once more, because it may have been renewed since it was read.
async fn give_up_if_lost(db: &mut Db, work: &JobRow, before: Millis, state: &str) -> StoreResult<bool> {
    let given_up = sqlx::query(concat!(
        "UPDATE work SET state = $3, worker = NULL, lease_until = NULL,
                lost_leases = lost_leases + 1, lost_fence = fence
          WHERE id = $1 AND fence = $2 AND lease_until < $4 AND ",
        runs!()
    ))
    .bind(work.id)
    .bind(work.fence)
    .bind(state)
    .bind(before)
    .execute(db)
    .await?;
    Ok(given_up.rows_affected() > 0)
}
