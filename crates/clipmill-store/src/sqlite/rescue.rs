//! Leases whose holders are gone.

use clipmill_core::error::{ErrorCode, TaskError};

use super::lease::{self, WorkRow};
use super::rows::Db;
use super::{deliveries, failing};
use crate::error::StoreResult;
use crate::model::Millis;

/// Leases of the same work that may be lost; the last one ends it. More than failures, because machines
/// die without the work being to blame.
pub const MAX_LOST_LEASES: i64 = 10;

/// Frees work whose lease ran out before `before`; returns how many rows.
pub async fn rescue(db: &mut Db, before: Millis, now: Millis) -> StoreResult<u64> {
    let lost: Vec<WorkRow> = sqlx::query_as(
        "SELECT id, fence, task_id, segment_hash, item_id, user_id, attempts, lost_leases, claimed_at
           FROM work WHERE state = 'running' AND lease_until < $1 ORDER BY lease_until, id",
    )
    .bind(before)
    .fetch_all(&mut *db)
    .await?;
    let mut rescued = 0;
    for work in &lost {
        rescued += u64::from(free(db, work, now).await?);
    }
    Ok(rescued)
}

/// Frees everything that is leased; returns how many pieces of work, and events besides.
pub async fn rescue_all(db: &mut Db, now: Millis) -> StoreResult<u64> {
    let events = deliveries::free_lost(db, Millis::MAX, Millis::MAX, now).await?;
    Ok(rescue(db, Millis::MAX, now).await? + events)
}

pub async fn count_lost(db: &mut Db, work: &WorkRow) -> StoreResult<()> {
    sqlx::query("UPDATE work SET lost_leases = lost_leases + 1 WHERE id = $1")
        .bind(work.id)
        .execute(db)
        .await?;
    Ok(())
}

/// `false` when an end found earlier in the same sweep took the work with it.
async fn free(db: &mut Db, work: &WorkRow, now: Millis) -> StoreResult<bool> {
    let last = work.lost_leases + 1 >= MAX_LOST_LEASES;
    match lease::give_up(db, work.lease(), None, if last { "failed" } else { "ready" }).await {
        Err(crate::StoreError::LeaseLost) => return Ok(false),
        given_up => given_up?,
    };
    count_lost(db, work).await?;
    if last {
        let message = "The machines working on this stopped again and again; send the task again.";
        failing::end_work(db, work, &TaskError::new(ErrorCode::Internal, message), now).await?;
    }
    Ok(true)
}
