//! The end of an item's assembly: completed, or returned to the queue because segments are missing.

use std::collections::{BTreeMap, BTreeSet};

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::{ItemId, TaskId};
use clipmill_core::message;
use clipmill_core::segment::SegmentKey;

use super::super::super::tasks::task_end::{self, LiveItem};
use super::super::dialect::locks;
use super::super::leases::expired_leases::{self, MAX_LOST_LEASES};
use super::super::leases::lease::{self, JobRow, Target};
use super::super::order;
use super::super::rows::Db;
use super::completions::{self, Completion};
use super::failures;
use super::segments::{self, SegmentPriority};
use crate::common::clock::{Millis, Now};
use crate::common::error::{StoreError, StoreResult};
use crate::queue::JobKind;
use crate::queue::leases::Lease;
use crate::tasks::ItemResult;

/// The result of reporting an assembled output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputOutcome {
    Completed,
    /// Another unit has locked the row of this task.
    Noted(TaskId, ItemId),
}

/// An assembled output, and its lease.
#[derive(Debug, Clone)]
pub struct Output {
    pub lease: Lease,
    pub result: ItemResult,
    pub points: u64,
}

/// Ends the assembly of outputs; `None` for those whose lease is lost. Their items are completed unless another unit
/// has locked their task's row: then they are recorded for that unit.
pub async fn complete_items(
    db: &mut Db,
    outputs: &[Output],
    now: Now,
) -> StoreResult<Vec<Option<OutputOutcome>>> {
    let leases: Vec<Lease> = outputs.iter().map(|output| output.lease).collect();
    let assembled = lease::assembled(db, &leases).await?;
    let tasks: BTreeSet<TaskId> = assembled.values().map(|(_, task)| *task).collect();
    // Before the rows of work, as in all units; this never waits.
    let free = locks::free_tasks(db, &tasks.into_iter().collect::<Vec<_>>()).await?;
    let mut jobs = lease::end_all(db, &leases, JobKind::Assemble).await?;
    let mut completed: BTreeMap<TaskId, Vec<Completion>> = BTreeMap::new();
    let mut delivered = Vec::with_capacity(outputs.len());
    for Output { lease, result, points } in outputs {
        // A repeated report is too late.
        let Some(&(item, task)) = assembled.get(lease).filter(|_| jobs.remove(lease)) else {
            delivered.push(None);
            continue;
        };
        let result = ItemResult { expires_at: now.of(result.expires_at), ..result.clone() };
        let completion = Completion::new(item, &result, *points)?;
        if free.contains(&task) {
            completed.entry(task).or_default().push(completion);
            delivered.push(Some(OutputOutcome::Completed));
        } else {
            completions::note(db, task, &completion).await?;
            delivered.push(Some(OutputOutcome::Noted(task, item)));
        }
    }
    completions::settle(db, completed, now.ms).await?;
    Ok(delivered)
}

/// Completes a recorded item unless that was done already or another unit has locked its task's row. The lease counts
/// as lost if the item has ended in another way meanwhile.
pub async fn complete_noted(
    db: &mut Db,
    task: TaskId,
    item: ItemId,
    now: Millis,
) -> StoreResult<OutputOutcome> {
    if completions::waits(db, item).await? && !completions::settle_if_free(db, task, now).await? {
        return Ok(OutputOutcome::Noted(task, item));
    }
    if completions::completed(db, item).await? {
        Ok(OutputOutcome::Completed)
    } else {
        Err(StoreError::LeaseLost)
    }
}

/// Counts like a lost lease, so that a cache which keeps nothing does not retry an item indefinitely.
pub async fn segments_missing(
    db: &mut Db,
    lease: Lease,
    missing: &[SegmentKey],
    now: Millis,
) -> StoreResult<()> {
    let leased = lease::leased(db, lease).await?;
    locks::item(db, assembled(&leased)?).await?;
    let work = lease::give_up(db, lease, Some(JobKind::Assemble), "waiting").await?;
    if work.lost_leases + 1 >= MAX_LOST_LEASES {
        let error = TaskError::new(ErrorCode::Internal, message::parts_disappeared());
        return failures::end_job(db, &work, &error, now).await;
    }
    expired_leases::count_lost(db, &work).await?;
    let item = task_end::live_item(db, assembled(&work)?).await?;
    let since = work.claimed_at.unwrap_or(now);
    for (place, key) in (0..).zip(missing) {
        let frames = frames_of_link(db, &item, key).await?;
        segments::need(db, &key.0, needed(&item, place, frames, since), now).await?;
    }
    ready_unless_needed(db, item.id).await
}

fn assembled(work: &JobRow) -> StoreResult<ItemId> {
    match work.target()? {
        Target::Assemble(item) => Ok(item),
        Target::Preflight(_) | Target::Segment(_) => Err(StoreError::LeaseLost),
    }
}

fn needed(item: &LiveItem, place: i64, frames: i64, since: Millis) -> SegmentPriority {
    let ord = order::order(item.item_no, frames, place);
    SegmentPriority { user: item.user, task_order: item.task.0, ord, since }
}

/// The length of a segment that the item uses.
async fn frames_of_link(db: &mut Db, item: &LiveItem, key: &SegmentKey) -> StoreResult<i64> {
    let frames: Option<i64> = sqlx::query_scalar(
        "SELECT s.frames FROM item_segments x JOIN segments s ON s.hash = x.hash
          WHERE x.item_id = $1 AND x.hash = $2",
    )
    .bind(item.id.0)
    .bind(&key.0)
    .fetch_optional(db)
    .await?;
    frames.ok_or_else(|| StoreError::Corrupt(format!("item {} does not use segment {}", item.id, key.0)))
}

/// Makes the assembly ready if other workers have rendered all missing segments in the meantime.
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
