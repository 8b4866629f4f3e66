//! The end of an item's assembly: completed, or sent back because segments are gone.

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::ItemId;
use clipmill_core::message;
use clipmill_core::segment::SegmentKey;
use clipmill_core::task::TaskState;

use super::super::account::usage;
use super::super::dialect::locks;
use super::super::money::holds;
use super::super::rows::{Db, code, column, exactly_one, to_json};
use super::super::task::ending::{self, LiveItem};
use super::failing;
use super::lease::{self, Target, WorkRow};
use super::progress;
use super::rescue::{self, MAX_LOST_LEASES};
use super::segments::{self, Needed};
use crate::clock::Now;
use crate::error::{StoreError, StoreResult};
use crate::model::*;

pub async fn complete_item(
    db: &mut Db,
    lease: Lease,
    result: &ItemResult,
    points: u64,
    now: Now,
) -> StoreResult<()> {
    let (item, hold) = match undelivered(db, lease).await {
        // It ended between two statements.
        Err(StoreError::Corrupt(_)) if !lease::holds(db, lease).await? => return Err(StoreError::LeaseLost),
        read => read?,
    };
    // Whoever delivers for the same task waits from here on. What was read stays true if the lease is still good.
    let charged = hold.charge(points);
    let ended = count_delivered(db, &item, charged).await?;
    lease::give_up(db, lease, Some(WorkKind::Assemble), "done").await?;
    progress::fold(db, item.task).await?;
    let result = ItemResult { expires_at: now.of(result.expires_at), ..result.clone() };
    write_result(db, &item, &result, charged, ended).await?;
    holds::settle(db, item.held_for(), hold, charged, now.ms).await?;
    usage::note(db, item.user, result.duration_ms, charged, now.ms).await?;
    ending::end_task_if_over(db, item.task, now.ms).await
}

/// Nothing is locked by looking.
async fn undelivered(db: &mut Db, lease: Lease) -> StoreResult<(LiveItem, holds::Hold)> {
    let leased = lease::leased(db, lease).await?;
    let item = ending::live_item(db, assembled(&leased)?).await?;
    let hold = holds::open(db, item.held_for()).await?;
    Ok((item, hold))
}

/// Answers how many of the task's items have ended now. Once all have, this one has too: whoever counted it ended the lease.
async fn count_delivered(db: &mut Db, item: &LiveItem, charged: i64) -> StoreResult<i64> {
    let ended = sqlx::query_scalar(
        "UPDATE tasks SET completed_items = completed_items + 1, consumed_points = consumed_points + $3,
                frames_done = frames_done + (SELECT finish_weight FROM items WHERE id = $1)
          WHERE id = $2 AND completed_items + failed_items < total_items
      RETURNING completed_items + failed_items",
    )
    .bind(item.id.0)
    .bind(item.task.0)
    .bind(charged)
    .fetch_optional(db)
    .await?;
    ended.ok_or(StoreError::LeaseLost)
}

/// Counted like a lost lease, so that a cache which keeps nothing does not keep an item going for ever.
pub async fn segments_missing(
    db: &mut Db,
    lease: Lease,
    missing: &[SegmentKey],
    now: Millis,
) -> StoreResult<()> {
    let leased = lease::leased(db, lease).await?;
    locks::item(db, assembled(&leased)?).await?;
    let work = lease::give_up(db, lease, Some(WorkKind::Assemble), "waiting").await?;
    if work.lost_leases + 1 >= MAX_LOST_LEASES {
        let error = TaskError::new(ErrorCode::Internal, message::parts_disappeared());
        return failing::end_work(db, &work, &error, now).await;
    }
    rescue::count_lost(db, &work).await?;
    let item = ending::live_item(db, assembled(&work)?).await?;
    let since = work.claimed_at.unwrap_or(now);
    for (place, hash) in (0..).zip(missing) {
        let frames = frames_of_link(db, &item, hash).await?;
        segments::need(db, &hash.0, needed(&item, place, frames, since), now).await?;
    }
    ready_unless_needed(db, item.id).await
}

fn assembled(work: &WorkRow) -> StoreResult<ItemId> {
    match work.target()? {
        Target::Assemble(item) => Ok(item),
        Target::Preflight(_) | Target::Segment(_) => Err(StoreError::LeaseLost),
    }
}

async fn write_result(
    db: &mut Db,
    item: &LiveItem,
    result: &ItemResult,
    charged: i64,
    ended_order: i64,
) -> StoreResult<()> {
    let written = sqlx::query(
        "UPDATE items SET state = $3, result = $4, charged = $5, stored_user = $6, stored_bytes = $7,
                stored_until = $8, picture_hashes = $9, ended_order = $10, frames_done = frames_planned
          WHERE id = $1 AND state = $2",
    )
    .bind(item.id.0)
    .bind(code(TaskState::Executing))
    .bind(code(TaskState::Completed))
    .bind(to_json(result)?)
    .bind(charged)
    .bind(item.user.0)
    .bind(column(result.size_bytes, "result size")?)
    .bind(result.expires_at)
    .bind(result.pictures.as_ref().map(to_json).transpose()?)
    .bind(ended_order)
    .execute(db)
    .await?;
    exactly_one(written.rows_affected(), "delivering an item")
}

fn needed(item: &LiveItem, place: i64, frames: i64, since: Millis) -> Needed {
    let ord = segments::order(item.item_no, frames, place);
    Needed { user: item.user, task_order: item.task.0, ord, since }
}

/// Length of a segment that the item uses.
async fn frames_of_link(db: &mut Db, item: &LiveItem, hash: &SegmentKey) -> StoreResult<i64> {
    let frames: Option<i64> = sqlx::query_scalar(
        "SELECT s.frames FROM item_segments x JOIN segments s ON s.hash = x.hash
          WHERE x.item_id = $1 AND x.hash = $2",
    )
    .bind(item.id.0)
    .bind(&hash.0)
    .fetch_optional(db)
    .await?;
    frames.ok_or_else(|| StoreError::Corrupt(format!("item {} does not use segment {}", item.id, hash.0)))
}

/// Others may have made all of them in the meantime.
pub async fn ready_unless_needed(db: &mut Db, item: ItemId) -> StoreResult<()> {
    sqlx::query(
        "UPDATE work SET state = 'ready' WHERE item_id = $1 AND state = 'waiting'
            AND NOT EXISTS (SELECT 1 FROM item_segments x JOIN segments s ON s.hash = x.hash
                             WHERE x.item_id = $1 AND s.state <> 'done')",
    )
    .bind(item.0)
    .execute(db)
    .await?;
    Ok(())
}
