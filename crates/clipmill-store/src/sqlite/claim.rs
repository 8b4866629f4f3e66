//! Claiming: the next ready row, leased, with everything its worker needs to know.

use std::collections::HashMap;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::{ItemId, TaskId, UserId};
use clipmill_core::plan::SourceRef;
use clipmill_core::segment::SegmentHash;
use clipmill_core::task::TaskState;

use super::failing;
use super::lease::{Target, WorkRow};
use super::rows::{self, Db, code, count32, from_json};
use crate::error::{StoreError, StoreResult};
use crate::model::*;

/// Claimed first: an item one step from its link.
pub const STAGE_FINISH: i64 = 0;
/// Cheap, and what tells clients early that an input is bad.
pub const STAGE_PREFLIGHT: i64 = 1;
pub const STAGE_SEGMENT: i64 = 2;

pub async fn claim(db: &mut Db, worker: &str, now: Millis, lease_ms: i64) -> StoreResult<Option<Claim>> {
    wake_delayed(db, now).await?;
    while let Some(mut work) = take_next(db, worker, now, lease_ms).await? {
        match job(db, &mut work, now).await {
            Ok(Some(job)) => {
                let attempt = count32(work.attempts)?.saturating_add(1);
                return Ok(Some(Claim { lease: work.lease(), attempt, job }));
            }
            Ok(None) => set_aside(db, &work, "dropped").await?,
            Err(StoreError::Corrupt(reason)) => give_up_unreadable(db, &work, &reason, now).await?,
            Err(other) => return Err(other),
        }
    }
    Ok(None)
}

async fn wake_delayed(db: &mut Db, now: Millis) -> StoreResult<()> {
    sqlx::query(
        "UPDATE work SET state = 'ready', run_after = NULL WHERE state = 'delayed' AND run_after <= $1",
    )
    .bind(now)
    .execute(db)
    .await?;
    Ok(())
}

/// Kinds that a newer program added are left to its own workers.
async fn take_next(db: &mut Db, worker: &str, now: Millis, lease_ms: i64) -> StoreResult<Option<WorkRow>> {
    let row = sqlx::query_as(
        "UPDATE work SET state = 'running', fence = fence + 1, worker = $1, claimed_at = $2, lease_until = $3
          WHERE id = (SELECT id FROM work WHERE state = 'ready' AND kind IN ('preflight', 'segment', 'finish')
                       ORDER BY priority DESC, stage, task_order, item_order, position, id LIMIT 1)
      RETURNING id, fence, task_id, segment_hash, item_id, user_id, attempts, lost_leases, claimed_at",
    )
    .bind(worker)
    .bind(now)
    .bind(now.saturating_add(lease_ms))
    .fetch_optional(db)
    .await?;
    Ok(row)
}

/// `None` when nobody needs the work any more.
async fn job(db: &mut Db, work: &mut WorkRow, now: Millis) -> StoreResult<Option<Job>> {
    match work.target()? {
        Target::Preflight(task) => preflight_job(db, task).await.map(Some),
        Target::Finish(item) => finish_job(db, item, now).await.map(Some),
        Target::Segment(hash) => {
            let Some(order) = segment_order(db, hash).await? else { return Ok(None) };
            let hash = SegmentHash(hash.to_owned());
            // From here on the work is done, and fails, for this user alone.
            work.user_id = order.user_id;
            segment_job(db, work, hash, &order, now).await.map(Some)
        }
    }
}

async fn preflight_job(db: &mut Db, task: TaskId) -> StoreResult<Job> {
    let (task_no, user, request, seed): (String, i64, String, i64) =
        sqlx::query_as("SELECT task_no, user_id, request, seed FROM tasks WHERE id = $1")
            .bind(task.0)
            .fetch_one(db)
            .await?;
    Ok(Job::Preflight {
        task,
        task_no: rows::task_no(&task_no)?,
        user: UserId(user),
        request: Box::new(from_json(&request)?),
        seed: seed.cast_unsigned(),
    })
}

/// What to make a segment from, for the first item that waits for it.
#[derive(sqlx::FromRow)]
struct SegmentOrder {
    user_id: i64,
    spec: String,
    /// A list of files.
    source: Option<String>,
}

async fn segment_order(db: &mut Db, hash: &str) -> StoreResult<Option<SegmentOrder>> {
    let row = sqlx::query_as(
        "SELECT w.user_id, s.spec, o.source
           FROM waiting_items w
           JOIN segments s ON s.hash = w.hash
           JOIN segment_sources o ON o.hash = w.hash AND o.user_id = w.user_id
          WHERE w.hash = $1 ORDER BY w.task_id, w.item_no LIMIT 1",
    )
    .bind(hash)
    .fetch_optional(db)
    .await?;
    Ok(row)
}

async fn segment_job(
    db: &mut Db,
    work: &WorkRow,
    hash: SegmentHash,
    order: &SegmentOrder,
    now: Millis,
) -> StoreResult<Job> {
    let spec = Box::new(from_json(&order.spec)?);
    let sources = order.source.as_deref().map(from_json).transpose()?.unwrap_or_default();
    sqlx::query("UPDATE work SET user_id = $2 WHERE id = $1")
        .bind(work.id)
        .bind(work.user_id)
        .execute(&mut *db)
        .await?;
    start_waiting(db, &hash.0, now).await?;
    Ok(Job::Segment { hash, spec, sources, user: work.user() })
}

async fn finish_job(db: &mut Db, item: ItemId, now: Millis) -> StoreResult<Job> {
    let (task, task_no, item_no, user, rendition): (i64, String, i64, i64, Option<String>) = sqlx::query_as(
        "SELECT t.id, t.task_no, i.item_no, t.user_id, i.rendition
           FROM items i JOIN tasks t ON t.id = i.task_id WHERE i.id = $1",
    )
    .bind(item.0)
    .fetch_one(&mut *db)
    .await?;
    let rendition = rendition.ok_or_else(|| StoreError::Corrupt(format!("item {item} has no rendition")))?;
    let job = Job::Finish {
        task_no: rows::task_no(&task_no)?,
        item,
        item_no: count32(item_no)?,
        user: UserId(user),
        rendition: Box::new(from_json(&rendition)?),
        inputs: inputs(db, item, UserId(user)).await?,
    };
    start_item(db, item, TaskId(task), now).await?;
    Ok(job)
}

/// Where the sources of an item's segments came from, for its user.
async fn inputs(db: &mut Db, item: ItemId, user: UserId) -> StoreResult<HashMap<SegmentHash, String>> {
    let rows: Vec<(String, String)> = sqlx::query_as(
        "SELECT o.hash, o.source FROM item_segments x
           JOIN segment_sources o ON o.hash = x.hash AND o.user_id = $2
          WHERE x.item_id = $1 AND o.source IS NOT NULL",
    )
    .bind(item.0)
    .bind(user.0)
    .fetch_all(db)
    .await?;
    let mut inputs = HashMap::with_capacity(rows.len());
    for (hash, sources) in rows {
        let sources: Vec<SourceRef> = from_json(&sources)?;
        inputs.extend(sources.into_iter().next().map(|source| (SegmentHash(hash), source.url)));
    }
    Ok(inputs)
}

/// The first claim of work that they wait for moves items and their tasks from queued to executing.
async fn start_waiting(db: &mut Db, hash: &str, now: Millis) -> StoreResult<()> {
    sqlx::query(
        "UPDATE tasks SET state = $3, started_at = $4
          WHERE state = $2 AND id IN (SELECT task_id FROM waiting_items WHERE hash = $1)",
    )
    .bind(hash)
    .bind(code(TaskState::Queued))
    .bind(code(TaskState::Executing))
    .bind(now)
    .execute(&mut *db)
    .await?;
    sqlx::query(
        "UPDATE items SET state = $3
          WHERE state = $2 AND id IN (SELECT item_id FROM waiting_items WHERE hash = $1)",
    )
    .bind(hash)
    .bind(code(TaskState::Queued))
    .bind(code(TaskState::Executing))
    .execute(db)
    .await?;
    Ok(())
}

async fn start_item(db: &mut Db, item: ItemId, task: TaskId, now: Millis) -> StoreResult<()> {
    sqlx::query("UPDATE tasks SET state = $3, started_at = $4 WHERE state = $2 AND id = $1")
        .bind(task.0)
        .bind(code(TaskState::Queued))
        .bind(code(TaskState::Executing))
        .bind(now)
        .execute(&mut *db)
        .await?;
    sqlx::query("UPDATE items SET state = $3 WHERE state = $2 AND id = $1")
        .bind(item.0)
        .bind(code(TaskState::Queued))
        .bind(code(TaskState::Executing))
        .execute(db)
        .await?;
    Ok(())
}

async fn set_aside(db: &mut Db, work: &WorkRow, state: &'static str) -> StoreResult<()> {
    super::lease::give_up(db, work.lease(), None, state).await.map(drop)
}

/// A row that cannot be understood must not stand in the way of all others for ever.
async fn give_up_unreadable(db: &mut Db, work: &WorkRow, reason: &str, now: Millis) -> StoreResult<()> {
    tracing::error!(work = work.id, reason, "stored work is not understood; giving it up");
    set_aside(db, work, "failed").await?;
    let error = TaskError::new(ErrorCode::Internal, "The stored task could not be read; send it again.");
    failing::end_work(db, work, &error, now).await
}
