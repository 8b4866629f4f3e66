//! The end of an item's assembly: completed, or sent back because segments are gone.

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::{ItemId, TaskId};
use clipmill_core::message;
use clipmill_core::segment::SegmentKey;

use super::super::dialect::locks;
use super::super::rows::Db;
use super::super::task::ending::{self, LiveItem};
use super::completions::{self, Completion};
use super::failing;
use super::lease::{self, Target, WorkRow};
use super::rescue::{self, MAX_LOST_LEASES};
use super::segments::{self, Needed};
use crate::clock::Now;
use crate::error::{StoreError, StoreResult};
use crate::model::*;

/// What became of an output that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivered {
    Completed,
    /// Somebody else has the row of this task.
    Noted(TaskId, ItemId),
}

/// Ends the assembly of an output that is there. Its item is completed, unless somebody else has its task's row: then it
/// is noted for whoever has it.
pub async fn complete_item(
    db: &mut Db,
    lease: Lease,
    result: &ItemResult,
    points: u64,
    now: Now,
) -> StoreResult<Delivered> {
    let item = assembled(&lease::leased(db, lease).await?)?;
    let task: Option<i64> = sqlx::query_scalar("SELECT task_id FROM items WHERE id = $1")
        .bind(item.0)
        .fetch_optional(&mut *db)
        .await?;
    let task = TaskId(task.ok_or(StoreError::LeaseLost)?);
    // Before the row of work, as everywhere; nobody is waited for.
    let free = locks::free_task(db, task).await?;
    lease::give_up(db, lease, Some(WorkKind::Assemble), "done").await?;
    let result = ItemResult { expires_at: now.of(result.expires_at), ..result.clone() };
    let completion = Completion::new(item, &result, points)?;
    if !free {
        completions::note(db, task, &completion).await?;
        return Ok(Delivered::Noted(task, item));
    }
    completions::settle(db, task, Some(completion), now.ms).await?;
    Ok(Delivered::Completed)
}

/// Completes an item that was noted, unless somebody did, or has its task's row. The lease counts as lost where the item
/// has ended in another way meanwhile.
pub async fn complete_noted(db: &mut Db, task: TaskId, item: ItemId, now: Millis) -> StoreResult<Delivered> {
    if completions::waits(db, item).await? && !completions::settle_if_free(db, task, now).await? {
        return Ok(Delivered::Noted(task, item));
    }
    if completions::completed(db, item).await? {
        Ok(Delivered::Completed)
    } else {
        Err(StoreError::LeaseLost)
    }
}

/// Counts like a lost lease, so that a cache which keeps nothing does not keep an item going for ever.
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

fn needed(item: &LiveItem, place: i64, frames: i64, since: Millis) -> Needed {
    let ord = segments::order(item.item_no, frames, place);
    Needed { user: item.user, task_order: item.task.0, ord, since }
}

/// The length of a segment that the item uses.
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

/// Makes the assembly ready if other workers have made all missing segments in the meantime.
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
