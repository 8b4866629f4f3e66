//! Deletes what has expired, in bounded units under the job's lease.

use std::collections::{BTreeSet, HashSet};

use clipmill_core::plan::SourceRef;

use super::super::super::tasks::bodies;
use super::super::rows::{Db, count, from_json};
use super::super::states::{ended, live};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::maintenance::retention::{
    ClockReading, ClockTolerance, Cutoffs, ExpiredCounts, MaintenanceLease, RemovedResult,
};
use crate::tasks::ItemResult;

pub async fn claim_maintenance(
    db: &mut Db,
    name: &str,
    holder: &str,
    now: Millis,
    lease_ms: i64,
) -> StoreResult<Option<MaintenanceLease>> {
    // A lease that ends later than any current one was created before the clock was set back.
    let fence: Option<i64> = sqlx::query_scalar(
        "INSERT INTO jobs (name, fence, holder, lease_until) VALUES ($1, 1, $2, $4)
         ON CONFLICT (name) DO UPDATE SET fence = jobs.fence + 1, holder = excluded.holder,
                                          lease_until = excluded.lease_until
         WHERE jobs.lease_until IS NULL OR jobs.lease_until < $3 OR jobs.lease_until > $5
         RETURNING fence",
    )
    .bind(name)
    .bind(holder)
    .bind(now)
    .bind(now.saturating_add(lease_ms))
    .bind(now.saturating_add(lease_ms.saturating_mul(2)))
    .fetch_optional(db)
    .await?;
    Ok(fence.map(|fence| MaintenanceLease { name: name.to_owned(), fence }))
}

pub async fn renew_maintenance(
    db: &mut Db,
    lease: &MaintenanceLease,
    now: Millis,
    lease_ms: i64,
) -> StoreResult<()> {
    let renewed = sqlx::query(
        "UPDATE jobs SET lease_until = $3 WHERE name = $1 AND fence = $2 AND lease_until IS NOT NULL",
    )
    .bind(&lease.name)
    .bind(lease.fence)
    .bind(now.saturating_add(lease_ms))
    .execute(db)
    .await?;
    if renewed.rows_affected() == 1 { Ok(()) } else { Err(StoreError::LeaseLost) }
}

pub async fn end_maintenance(db: &mut Db, lease: &MaintenanceLease, now: Millis) -> StoreResult<()> {
    let update = sqlx::query(
        "UPDATE jobs SET lease_until = NULL, ended_at = $3
          WHERE name = $1 AND fence = $2 AND lease_until IS NOT NULL",
    )
    .bind(&lease.name)
    .bind(lease.fence)
    .bind(now)
    .execute(db)
    .await?;
    if update.rows_affected() == 1 { Ok(()) } else { Err(StoreError::LeaseLost) }
}

/// Compares the clock with the last check by any process, or with the job's last end if none is recorded.
pub async fn read_clock(
    db: &mut Db,
    name: &str,
    now: Millis,
    plausible: ClockTolerance,
) -> StoreResult<ClockReading> {
    // The row is locked from here on, so checks are serialized.
    let (seen, steady_from): (Option<Millis>, Option<Millis>) = sqlx::query_as(
        "INSERT INTO jobs (name, fence, holder) VALUES ($1, 0, '')
         ON CONFLICT (name) DO UPDATE SET fence = jobs.fence RETURNING COALESCE(seen_at, ended_at), steady_from",
    )
    .bind(name)
    .fetch_one(&mut *db)
    .await?;
    let step_ms = now.saturating_sub(seen.unwrap_or(now));
    let jumped = step_ms > plausible.forward_ms || step_ms < -plausible.back_ms;
    let steady_from = if jumped { Some(now.saturating_add(plausible.pause_ms)) } else { steady_from };
    sqlx::query("UPDATE jobs SET seen_at = $2, steady_from = $3 WHERE name = $1")
        .bind(name)
        .bind(now)
        .bind(steady_from)
        .execute(db)
        .await?;
    Ok(ClockReading { now, step_ms, is_steady: steady_from.is_none_or(|from| now >= from) })
}

pub async fn maintenance_ended_at(db: &mut Db, name: &str) -> StoreResult<Option<Millis>> {
    let ended_at: Option<Option<Millis>> =
        sqlx::query_scalar("SELECT ended_at FROM jobs WHERE name = $1").bind(name).fetch_optional(db).await?;
    Ok(ended_at.flatten())
}

/// Locks the job's row until the unit ends: another claim of the job waits, or comes later.
async fn require(db: &mut Db, lease: &MaintenanceLease) -> StoreResult<()> {
    let lease_row = sqlx::query(
        "UPDATE jobs SET fence = fence WHERE name = $1 AND fence = $2 AND lease_until IS NOT NULL",
    )
    .bind(&lease.name)
    .bind(lease.fence)
    .execute(db)
    .await?;
    if lease_row.rows_affected() == 1 { Ok(()) } else { Err(StoreError::LeaseLost) }
}

/// `$1` is now, `$2` the end of tasks that may be deleted. A result that an open task or batch uses stays.
const EXPIRED_RESULTS: &str = concat!(
    " FROM items i JOIN tasks t ON t.id = i.task_id
      WHERE i.stored_until IS NOT NULL AND t.state IN ",
    ended!(),
    "
        AND (i.stored_until <= $1 OR t.finished_at <= $2)
        AND NOT EXISTS (SELECT 1 FROM task_uploads x JOIN tasks o ON o.id = x.task_id
                         WHERE x.upload_id = t.task_no || '/' || CAST(i.item_no AS TEXT) AND o.state IN ",
    live!(),
    ")
        AND NOT EXISTS (SELECT 1 FROM batch_uploads x JOIN batches b ON b.id = x.batch_id
                         WHERE x.upload_id = t.task_no || '/' || CAST(i.item_no AS TEXT) AND b.finished_at IS NULL)"
);

/// `$1` is the last use of uploads that may be deleted.
const EXPIRED_UPLOADS: &str = concat!(
    " FROM uploads u
      WHERE u.created_at <= $1 AND (u.used_at IS NULL OR u.used_at <= $1)
        AND NOT EXISTS (SELECT 1 FROM task_uploads x JOIN tasks t ON t.id = x.task_id
                         WHERE x.upload_id = u.id AND t.state IN ",
    live!(),
    ")
        AND NOT EXISTS (SELECT 1 FROM template_uploads x WHERE x.upload_id = u.id)
        AND NOT EXISTS (SELECT 1 FROM draft_uploads x WHERE x.upload_id = u.id)
        AND NOT EXISTS (SELECT 1 FROM brand_uploads x WHERE x.upload_id = u.id)
        AND NOT EXISTS (SELECT 1 FROM batch_uploads x JOIN batches b ON b.id = x.batch_id
                         WHERE x.upload_id = u.id AND b.finished_at IS NULL)"
);

/// `$1` is the end of tasks that may be deleted.
const ENDED_TASKS: &str = " FROM tasks t WHERE t.finished_at <= $1
        AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.task_id = t.id AND o.state IN ('due', 'sending'))";

/// `$1` is the end of tasks without a delivery whose requests may be dropped.
const NEEDLESS_REQUESTS: &str =
    " FROM tasks t WHERE t.body_id IS NOT NULL AND t.completed_items = 0 AND t.finished_at <= $1";

const WITHOUT_FILES: &str = " AND NOT EXISTS (SELECT 1 FROM items i
                      WHERE i.task_id = t.id AND i.stored_until IS NOT NULL)";

const UNKNOWN_SEGMENTS: &str = " FROM segments s
      WHERE NOT EXISTS (SELECT 1 FROM item_segments x WHERE x.hash = s.hash)
        AND NOT EXISTS (SELECT 1 FROM work w WHERE w.segment_hash = s.hash AND w.state = 'running')";

/// `$1` is the time of attempts that may be deleted.
const OLD_ATTEMPTS: &str = " FROM delivery_attempts a JOIN outbox o ON o.event_id = a.event_id
      WHERE a.started_at <= $1 AND o.state IN ('delivered', 'failed')
        AND EXISTS (SELECT 1 FROM delivery_attempts n WHERE n.event_id = a.event_id AND n.id > a.id)";

/// Joins constant pieces of SQL.
fn sql(pieces: &[&'static str]) -> sqlx::AssertSqlSafe<String> {
    sqlx::AssertSqlSafe(pieces.concat())
}

pub async fn expired(db: &mut Db, cutoffs: Cutoffs) -> StoreResult<ExpiredCounts> {
    let results: Vec<(String,)> = sqlx::query_as(sql(&["SELECT i.result", EXPIRED_RESULTS]))
        .bind(cutoffs.now)
        .bind(cutoffs.tasks_ended_before)
        .fetch_all(&mut *db)
        .await?;
    let mut counts = ExpiredCounts { results: results.len() as u64, ..ExpiredCounts::default() };
    for (result,) in &results {
        counts.result_bytes += from_json::<ItemResult>(result)?.size_bytes;
    }
    counts.uploads = counted(db, EXPIRED_UPLOADS, cutoffs.uploads_used_before).await?;
    counts.tasks = counted(db, ENDED_TASKS, cutoffs.tasks_ended_before).await?;
    counts.requests = counted(db, NEEDLESS_REQUESTS, cutoffs.undelivered_before).await?;
    counts.attempts = counted(db, OLD_ATTEMPTS, cutoffs.attempts_before).await?;
    let segments: i64 =
        sqlx::query_scalar(sql(&["SELECT COUNT(*)", UNKNOWN_SEGMENTS])).fetch_one(&mut *db).await?;
    counts.segments = count(segments)?;
    Ok(counts)
}

async fn counted(db: &mut Db, what: &'static str, before: Millis) -> StoreResult<u64> {
    count(sqlx::query_scalar(sql(&["SELECT COUNT(*)", what])).bind(before).fetch_one(db).await?)
}

pub async fn expire_results(
    db: &mut Db,
    lease: &MaintenanceLease,
    cutoffs: Cutoffs,
    max: u32,
) -> StoreResult<Vec<RemovedResult>> {
    require(db, lease).await?;
    let rows: Vec<(i64, String)> =
        sqlx::query_as(sql(&["SELECT i.id, i.result", EXPIRED_RESULTS, " ORDER BY i.id LIMIT $3"]))
            .bind(cutoffs.now)
            .bind(cutoffs.tasks_ended_before)
            .bind(i64::from(max))
            .fetch_all(&mut *db)
            .await?;
    let mut removed = Vec::with_capacity(rows.len());
    for (item, result) in rows {
        sqlx::query("UPDATE items SET stored_until = NULL, picture_hashes = NULL WHERE id = $1")
            .bind(item)
            .execute(&mut *db)
            .await?;
        let result: ItemResult = from_json(&result)?;
        removed.push(RemovedResult { size_bytes: result.size_bytes, keys: keys(result).collect() });
    }
    Ok(removed)
}

/// The file and its cover.
fn keys(result: ItemResult) -> impl Iterator<Item = String> {
    std::iter::once(result.key).chain(result.cover.map(|cover| cover.key))
}

pub async fn expire_uploads(
    db: &mut Db,
    lease: &MaintenanceLease,
    cutoffs: Cutoffs,
    max: u32,
) -> StoreResult<u64> {
    require(db, lease).await?;
    let statement =
        ["DELETE FROM uploads WHERE id IN (SELECT u.id", EXPIRED_UPLOADS, " ORDER BY u.created_at LIMIT $2)"];
    expire(db, &statement, cutoffs.uploads_used_before, max).await
}

pub async fn expire_tasks(
    db: &mut Db,
    lease: &MaintenanceLease,
    cutoffs: Cutoffs,
    max: u32,
) -> StoreResult<u64> {
    require(db, lease).await?;
    let tasks = [
        "DELETE FROM tasks WHERE id IN (SELECT t.id",
        ENDED_TASKS,
        WITHOUT_FILES,
        " ORDER BY t.finished_at LIMIT $2) RETURNING body_id",
    ];
    let deleted_rows = expire_with_bodies(db, &tasks, cutoffs.tasks_ended_before, max).await?;
    // A batch is deleted with its last task.
    let batches = "DELETE FROM batches WHERE id IN (SELECT b.id FROM batches b WHERE b.finished_at <= $1
                     AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.batch_id = b.id)
                     AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.batch_id = b.id AND o.state IN ('due', 'sending'))
                   ORDER BY b.id LIMIT $2) RETURNING body_id";
    expire_with_bodies(db, &[batches], cutoffs.tasks_ended_before, max).await?;
    Ok(deleted_rows)
}

/// Deletes rows and the bodies that no other row refers to; returns the number of rows.
async fn expire_with_bodies(
    db: &mut Db,
    statement: &[&'static str],
    before: Millis,
    max: u32,
) -> StoreResult<u64> {
    let bodies: Vec<Option<i64>> =
        sqlx::query_scalar(sql(statement)).bind(before).bind(i64::from(max)).fetch_all(&mut *db).await?;
    let deleted_rows = bodies.len() as u64;
    let bodies: BTreeSet<i64> = bodies.into_iter().flatten().collect();
    bodies::delete_unused(db, &bodies.into_iter().collect::<Vec<_>>()).await?;
    Ok(deleted_rows)
}

/// Drops the requests of tasks that ended long ago and delivered nothing.
pub async fn expire_requests(
    db: &mut Db,
    lease: &MaintenanceLease,
    cutoffs: Cutoffs,
    max: u32,
) -> StoreResult<u64> {
    require(db, lease).await?;
    let tasks: Vec<(i64, i64)> = sqlx::query_as(sql(&[
        "SELECT t.id, t.body_id",
        NEEDLESS_REQUESTS,
        " ORDER BY t.finished_at LIMIT $2",
    ]))
    .bind(cutoffs.undelivered_before)
    .bind(i64::from(max))
    .fetch_all(&mut *db)
    .await?;
    for (task, _) in &tasks {
        sqlx::query("UPDATE tasks SET body_id = NULL WHERE id = $1").bind(task).execute(&mut *db).await?;
    }
    let bodies: BTreeSet<i64> = tasks.iter().map(|(_, body)| *body).collect();
    bodies::delete_unused(db, &bodies.into_iter().collect::<Vec<_>>()).await?;
    Ok(tasks.len() as u64)
}

pub async fn expire_segments(db: &mut Db, lease: &MaintenanceLease, max: u32) -> StoreResult<u64> {
    require(db, lease).await?;
    let statement =
        ["DELETE FROM segments WHERE hash IN (SELECT s.hash", UNKNOWN_SEGMENTS, " ORDER BY s.hash LIMIT $1)"];
    let deletion = sqlx::query(sql(&statement)).bind(i64::from(max)).execute(db).await?;
    Ok(deletion.rows_affected())
}

pub async fn expire_attempts(
    db: &mut Db,
    lease: &MaintenanceLease,
    cutoffs: Cutoffs,
    max: u32,
) -> StoreResult<u64> {
    require(db, lease).await?;
    let statement =
        ["DELETE FROM delivery_attempts WHERE id IN (SELECT a.id", OLD_ATTEMPTS, " ORDER BY a.id LIMIT $2)"];
    expire(db, &statement, cutoffs.attempts_before, max).await
}

async fn expire(db: &mut Db, statement: &[&'static str], before: Millis, max: u32) -> StoreResult<u64> {
    let deletion = sqlx::query(sql(statement)).bind(before).bind(i64::from(max)).execute(db).await?;
    Ok(deletion.rows_affected())
}

pub async fn result_keys(db: &mut Db, task_no: &str) -> StoreResult<HashSet<String>> {
    let results: Vec<(String,)> = sqlx::query_as(
        "SELECT i.result FROM items i JOIN tasks t ON t.id = i.task_id
          WHERE t.task_no = $1 AND i.stored_until IS NOT NULL",
    )
    .bind(task_no)
    .fetch_all(db)
    .await?;
    let mut referenced_keys = HashSet::new();
    for (result,) in &results {
        referenced_keys.extend(keys(from_json(result)?));
    }
    Ok(referenced_keys)
}

pub async fn sources_in_use(db: &mut Db) -> StoreResult<HashSet<String>> {
    let rows: Vec<(String,)> = sqlx::query_as(concat!(
        "SELECT DISTINCT o.source FROM tasks t
           JOIN items i ON i.task_id = t.id JOIN item_segments x ON x.item_id = i.id
           JOIN segment_sources o ON o.hash = x.hash
          WHERE t.state IN ",
        live!(),
        " AND i.state IN ",
        live!(),
        " AND o.source IS NOT NULL"
    ))
    .fetch_all(db)
    .await?;
    let mut contents = HashSet::new();
    for (sources,) in &rows {
        let sources: Vec<SourceRef> = from_json(sources)?;
        contents.extend(sources.into_iter().map(|source| source.content.0.to_string()));
    }
    Ok(contents)
}
