//! Claiming: leases the next ready row, with everything that its worker needs to know. The order of claims is explained in
//! [`super::order`].

use std::collections::{BTreeSet, HashMap};

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::{ItemId, TaskId, UserId};
use clipmill_core::message;
use clipmill_core::plan::SourceRef;
use clipmill_core::segment::SegmentKey;
use clipmill_core::task::TaskState;

use super::super::dialect::{self, locks};
use super::super::rows::{self, Db, code, count32, from_json, to_json};
use super::super::tasks::read::{self, RequestRow};
use super::jobs::failures;
use super::leases::lease::{self, JobRow, Target};
use super::order::{STAGE_ASSEMBLE, STAGE_SEGMENT};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;
use crate::queue::{Claim, ClaimLimits, Job, JobKind, JobKinds, More};
use crate::tasks::StoredRequest;

/// Makes due delayed work ready; returns the number of jobs.
pub async fn wake_delayed(db: &mut Db, now: Millis) -> StoreResult<u64> {
    Ok(sqlx::query(dialect::WAKE_DELAYED).bind(now).execute(db).await?.rows_affected())
}

/// Leased work with its job; the job is `None` if something must be written first, see [`begin`].
pub type ClaimedJob = (JobRow, Option<Claim>);

/// Leases up to `max` of the next jobs in fair order: one of each user in turn, then another of each. Never waits,
/// and locks only rows of work.
pub async fn take(
    db: &mut Db,
    worker: &str,
    now: Millis,
    lease_ms: i64,
    limits: ClaimLimits,
    max: u32,
) -> StoreResult<Vec<ClaimedJob>> {
    let mut claimed = Vec::new();
    // If users have limits, one job is claimed at a time, because a claim beyond a limit must be undone completely.
    let max = if limits.per_user == 0 { max } else { 1 };
    while let Some(more) =
        max.checked_sub(u32::try_from(claimed.len()).unwrap_or(u32::MAX)).filter(|more| *more > 0)
    {
        let jobs = take_turns(db, worker, now, lease_ms, limits, more).await?;
        if jobs.is_empty() {
            break;
        }
        for work in jobs {
            let claim = begun(db, &work).await?;
            claimed.push((work, claim));
        }
    }
    Ok(claimed)
}

async fn take_turns(
    db: &mut Db,
    worker: &str,
    now: Millis,
    lease_ms: i64,
    limits: ClaimLimits,
    max: u32,
) -> StoreResult<Vec<JobRow>> {
    let jobs: Vec<JobRow> = sqlx::query_as(dialect::TAKE_NEXT)
        .bind(worker)
        .bind(now)
        .bind(lease_ms)
        .bind(i64::from(limits.per_user))
        .bind(limits.kinds.bits())
        .bind(i64::from(max))
        .fetch_all(&mut *db)
        .await?;
    let turn = if limits.per_user == 0 { dialect::TAKE_TURN } else { dialect::TAKE_CAPPED_TURN };
    for work in &jobs {
        sqlx::query(turn).bind(work.user_id).bind(now).execute(&mut *db).await?;
        if limits.per_user > 0 && running(db, work.user(), limits.kinds).await? > i64::from(limits.per_user) {
            // Others claimed for the same user at the same time: check again, now that their claims are visible.
            return Err(StoreError::Conflict);
        }
    }
    Ok(jobs)
}

/// Leases this claimer's share of the assemblies of a task, one of whose assemblies it has already.
pub async fn take_more(
    db: &mut Db,
    worker: &str,
    more: More,
    now: Millis,
    lease_ms: i64,
    limits: ClaimLimits,
) -> StoreResult<Vec<ClaimedJob>> {
    let leased = lease::leased(db, more.lease).await?;
    let Target::Assemble(_) = leased.target()? else { return Ok(Vec::new()) };
    if limits.per_user > 0 {
        // The lock serializes claims for the user.
        sqlx::query(dialect::TAKE_CAPPED_TURN).bind(leased.user_id).bind(now).execute(&mut *db).await?;
    }
    let (lane, task_order): (i64, i64) = sqlx::query_as("SELECT lane, task_order FROM work WHERE id = $1")
        .bind(leased.id)
        .fetch_one(&mut *db)
        .await?;
    let (others, ready, segments): (i64, i64, i64) = sqlx::query_as(
        "SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM work WHERE state = 'ready' AND lane < $1 LIMIT 1) a)
              + (SELECT COUNT(*) FROM (SELECT 1 FROM work WHERE state = 'ready' AND lane > $1 LIMIT 1) b)
              + (SELECT COUNT(*) FROM pauses),
                (SELECT COUNT(*) FROM (SELECT 1 FROM work WHERE state = 'ready' AND lane = $1 AND stage = $2
                                          AND task_order = $3 LIMIT $4) c),
                (SELECT COUNT(*) FROM (SELECT 1 FROM work WHERE state = 'ready' AND lane = $1 AND stage = $5
                                          LIMIT $4) d)",
    )
    .bind(lane)
    .bind(STAGE_ASSEMBLE)
    .bind(task_order)
    .bind(i64::from(more.claimers.max(1)) * i64::from(more.max))
    .bind(STAGE_SEGMENT)
    .fetch_one(&mut *db)
    .await?;
    // The other claimers have segments to render, if there are enough of these.
    let elsewhere =
        if limits.kinds.has(JobKind::Segment) { u32::try_from(segments).unwrap_or(u32::MAX) } else { 0 };
    let claimers = more.claimers.saturating_sub(elsewhere).max(1);
    let share = u64::try_from(ready + 1).unwrap_or(1).div_ceil(u64::from(claimers));
    let mut remaining = i64::try_from(share.min(u64::from(more.max))).unwrap_or(1) - 1;
    if limits.per_user > 0 {
        remaining =
            remaining.min(i64::from(limits.per_user) - running(db, leased.user(), limits.kinds).await?);
    }
    if others > 0 || remaining < 1 {
        return Ok(Vec::new());
    }
    let mut rows: Vec<JobRow> = sqlx::query_as(dialect::TAKE_MORE)
        .bind(worker)
        .bind(now)
        .bind(lease_ms)
        .bind(lane)
        .bind(task_order)
        .bind(remaining)
        .fetch_all(&mut *db)
        .await?;
    rows.sort_by_key(|work| work.item_id);
    let mut claims = Vec::with_capacity(rows.len());
    for work in rows {
        let claim = begun(db, &work).await?;
        claims.push((work, claim));
    }
    Ok(claims)
}

/// How many jobs of these kinds a user has in progress.
async fn running(db: &mut Db, user: UserId, kinds: JobKinds) -> StoreResult<i64> {
    let stages: Vec<(i64, i64)> = sqlx::query_as(
        "SELECT stage, COUNT(*) FROM work WHERE state = 'running' AND user_id = $1 GROUP BY stage",
    )
    .bind(user.0)
    .fetch_all(db)
    .await?;
    let counted = stages.into_iter().filter(|(stage, _)| kinds.bits() >> stage & 1 == 1);
    Ok(counted.map(|(_, count)| count).sum())
}

/// The job of leased work whose task has already started, which is the usual case: nothing is written or locked. If
/// the work ends at the same time, its holder loses the lease.
async fn begun(db: &mut Db, work: &JobRow) -> StoreResult<Option<Claim>> {
    match job(db, work).await {
        Ok(Some(job)) if !is_first(db, work, &job).await? => Ok(Some(claim(work, job)?)),
        Ok(_) | Err(StoreError::Corrupt(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The jobs of leased work; `None` if there is nothing to do after all, or if the work must be begun individually,
/// see [`begin`].
pub async fn start_all(db: &mut Db, jobs: &[JobRow], now: Millis) -> StoreResult<Vec<Option<Claim>>> {
    lock(db, jobs).await?;
    let mut claims = Vec::with_capacity(jobs.len());
    for work in jobs {
        claims.push(match lease::holds(db, work.lease()).await? {
            true => match job(db, work).await {
                Ok(Some(job)) => {
                    start(db, work, &job, now).await?;
                    Some(claim(work, job)?)
                }
                Ok(None) | Err(StoreError::Corrupt(_)) => None,
                Err(error) => return Err(error),
            },
            false => None,
        });
    }
    Ok(claims)
}

/// The job of leased work; `None` if there is nothing to do after all.
pub async fn begin(db: &mut Db, work: &JobRow, now: Millis) -> StoreResult<Option<Claim>> {
    lock(db, std::slice::from_ref(work)).await?;
    if !lease::holds(db, work.lease()).await? {
        return Ok(None);
    }
    match job(db, work).await {
        Ok(Some(job)) => {
            start(db, work, &job, now).await?;
            return Ok(Some(claim(work, job)?));
        }
        Ok(None) => skipped(db, work, "dropped").await?,
        Err(StoreError::Corrupt(reason)) => give_up_unreadable(db, work, &reason, now).await?,
        Err(other) => return Err(other),
    }
    Ok(None)
}

/// Locks everything that the beginning of this work may change.
async fn lock(db: &mut Db, jobs: &[JobRow]) -> StoreResult<()> {
    let (mut hashes, mut items) = (BTreeSet::new(), Vec::new());
    for work in jobs {
        match work.target()? {
            Target::Preflight(_) => {}
            Target::Segment(key) => drop(hashes.insert(key)),
            Target::Assemble(item) => items.push(item),
        }
    }
    let hashes: Vec<&str> = hashes.into_iter().collect();
    // A plan that is being written may need a segment, and has locked its row.
    locks::segments(db, &hashes).await?;
    // Nearly all tasks have started, even if some of their items have not.
    let first = if hashes.is_empty() { Vec::new() } else { of_unstarted_tasks(db, &hashes).await? };
    if !first.is_empty() || !items.is_empty() {
        locks::tasks_of(db, &first.iter().map(String::as_str).collect::<Vec<_>>(), &items).await?;
    }
    locks::items_of(db, &hashes).await
}

/// Those of these segments that a task which has not started waits for.
async fn of_unstarted_tasks(db: &mut Db, hashes: &[&str]) -> StoreResult<Vec<String>> {
    let waiting = concat!(
        "SELECT DISTINCT w.hash FROM waiting_items w JOIN tasks t ON t.id = w.task_id
          WHERE t.state = $2 AND w.hash ",
        dialect::listed!("$1")
    );
    let waiting = sqlx::query_scalar(waiting).bind(to_json(&hashes)?).bind(code(TaskState::Queued));
    Ok(waiting.fetch_all(db).await?)
}

fn claim(work: &JobRow, job: Job) -> StoreResult<Claim> {
    let attempt = count32(work.attempts)?.saturating_add(1);
    Ok(Claim { lease: work.lease(), lease_times: count32(work.lease_times)?, attempt, job })
}

/// The job; `None` if the work is no longer needed.
async fn job(db: &mut Db, work: &JobRow) -> StoreResult<Option<Job>> {
    match work.target()? {
        Target::Preflight(task) => preflight_job(db, task).await.map(Some),
        Target::Assemble(item) => assemble_job(db, item).await.map(Some),
        Target::Segment(key) => {
            let Some(order) = segment_order(db, key).await? else { return Ok(None) };
            segment_job(SegmentKey(key.into()), &order).map(Some)
        }
    }
}

/// Whether the claim begins a task, or the work changes to another user.
async fn is_first(db: &mut Db, work: &JobRow, job: &Job) -> StoreResult<bool> {
    let unstarted: i64 = match job {
        Job::Preflight { .. } => return Ok(false),
        Job::Segment { user, .. } if *user != work.user() => return Ok(true),
        Job::Segment { key, .. } => {
            let waiting = "SELECT COUNT(*) FROM waiting_items w JOIN items i ON i.id = w.item_id
                            WHERE w.hash = $1 AND i.state = $2";
            sqlx::query_scalar(waiting).bind(&key.0).bind(code(TaskState::Queued)).fetch_one(db).await?
        }
        Job::Assemble { item, .. } => {
            let item_state = "SELECT COUNT(*) FROM items WHERE id = $1 AND state = $2";
            sqlx::query_scalar(item_state).bind(item.0).bind(code(TaskState::Queued)).fetch_one(db).await?
        }
    };
    Ok(unstarted > 0)
}

/// Locks tasks before items, and the work last: see the order of locks.
async fn start(db: &mut Db, work: &JobRow, job: &Job, now: Millis) -> StoreResult<()> {
    match job {
        Job::Preflight { .. } => Ok(()),
        Job::Assemble { item, .. } => start_item(db, *item, now).await,
        Job::Segment { key, user, .. } => {
            start_waiting(db, &key.0, now).await?;
            // From here on, the work is done for this user only, and a failure affects only this user.
            sqlx::query("UPDATE work SET user_id = $2 WHERE id = $1")
                .bind(work.id)
                .bind(user.0)
                .execute(db)
                .await?;
            Ok(())
        }
    }
}

async fn preflight_job(db: &mut Db, task: TaskId) -> StoreResult<Job> {
    let (task_no, user, seed): (String, i64, i64) =
        sqlx::query_as("SELECT task_no, user_id, seed FROM tasks WHERE id = $1")
            .bind(task.0)
            .fetch_one(&mut *db)
            .await?;
    let (task_no, user) = (rows::task_no(&task_no)?, UserId(user));
    let request = match read::request(db, user, &task_no).await?.map(RequestRow::read).transpose()? {
        Some(StoredRequest::Kept(request)) => request,
        Some(StoredRequest::Dropped) | None => {
            return Err(StoreError::Corrupt(format!("the request of {task_no} is gone")));
        }
    };
    Ok(Job::Preflight { task, task_no, user, request, seed: seed.cast_unsigned() })
}

from_row! {
    /// The inputs of a segment, for the first item that waits for it.
    struct SegmentOrder {
        user_id: i64,
        spec: String,
        /// The list of source files.
        source: Option<String>,
    }
}

async fn segment_order(db: &mut Db, key: &str) -> StoreResult<Option<SegmentOrder>> {
    let row = sqlx::query_as(
        "SELECT w.user_id, s.spec, o.source
           FROM waiting_items w
           JOIN segments s ON s.hash = w.hash
           JOIN segment_sources o ON o.hash = w.hash AND o.user_id = w.user_id
          WHERE w.hash = $1 ORDER BY w.task_id, w.item_no LIMIT 1",
    )
    .bind(key)
    .fetch_optional(db)
    .await?;
    Ok(row)
}

fn segment_job(key: SegmentKey, order: &SegmentOrder) -> StoreResult<Job> {
    let spec = Box::new(from_json(&order.spec)?);
    let sources = order.source.as_deref().map(from_json).transpose()?.unwrap_or_default();
    Ok(Job::Segment { key, spec, sources, user: UserId(order.user_id) })
}

async fn assemble_job(db: &mut Db, item: ItemId) -> StoreResult<Job> {
    let (task_no, item_no, user, rendition): (String, i64, i64, Option<String>) = sqlx::query_as(
        "SELECT t.task_no, i.item_no, t.user_id, i.rendition
           FROM items i JOIN tasks t ON t.id = i.task_id WHERE i.id = $1",
    )
    .bind(item.0)
    .fetch_one(&mut *db)
    .await?;
    let rendition = rendition.ok_or_else(|| StoreError::Corrupt(format!("item {item} has no rendition")))?;
    Ok(Job::Assemble {
        task_no: rows::task_no(&task_no)?,
        item,
        item_no: count32(item_no)?,
        user: UserId(user),
        rendition: Box::new(from_json(&rendition)?),
        inputs: inputs(db, item, UserId(user)).await?,
    })
}

/// The URLs of the sources of an item's segments, as sent by its user.
async fn inputs(db: &mut Db, item: ItemId, user: UserId) -> StoreResult<HashMap<SegmentKey, String>> {
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
    for (key, sources) in rows {
        let sources: Vec<SourceRef> = from_json(&sources)?;
        inputs.extend(sources.into_iter().next().map(|source| (SegmentKey(key.into()), source.url)));
    }
    Ok(inputs)
}

/// Moves items and their tasks from queued to executing at the first claim of work that they wait for.
async fn start_waiting(db: &mut Db, key: &str, now: Millis) -> StoreResult<()> {
    sqlx::query(
        "UPDATE tasks SET state = $3, started_at = $4
          WHERE state = $2 AND id IN (SELECT task_id FROM waiting_items WHERE hash = $1)",
    )
    .bind(key)
    .bind(code(TaskState::Queued))
    .bind(code(TaskState::Executing))
    .bind(now)
    .execute(&mut *db)
    .await?;
    sqlx::query(
        "UPDATE items SET state = $3
          WHERE state = $2 AND id IN (SELECT item_id FROM waiting_items WHERE hash = $1)",
    )
    .bind(key)
    .bind(code(TaskState::Queued))
    .bind(code(TaskState::Executing))
    .execute(db)
    .await?;
    Ok(())
}

async fn start_item(db: &mut Db, item: ItemId, now: Millis) -> StoreResult<()> {
    sqlx::query(
        "UPDATE tasks SET state = $3, started_at = $4
          WHERE state = $2 AND id = (SELECT task_id FROM items WHERE id = $1)",
    )
    .bind(item.0)
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

async fn skipped(db: &mut Db, work: &JobRow, state: &'static str) -> StoreResult<()> {
    lease::give_up(db, work.lease(), None, state).await.map(drop)
}

/// Fails a row that cannot be read, because it would otherwise block all others indefinitely.
async fn give_up_unreadable(db: &mut Db, work: &JobRow, reason: &str, now: Millis) -> StoreResult<()> {
    tracing::error!(work = work.id, reason, "stored work cannot be read; failing it");
    failures::lock(db, work).await?;
    skipped(db, work, "failed").await?;
    let error = TaskError::new(ErrorCode::Internal, message::task_unreadable());
    failures::end_job(db, work, &error, now).await
}
