//! The queue for operators: reading it and changing it, and the workers that reported.

use clipmill_core::error::ErrorCode;
use clipmill_core::ids::{UserId, WorkId};
use serde::{Deserialize, Serialize};

use super::super::account::users::name_pattern;
use super::super::money::records::offset;
use super::super::rows::{Db, count, count32, from_json, task_no};
use super::super::states::{failed, live};
use super::super::upkeep::shared_count::SharedCount;
use super::lease::kind;
use crate::error::{StoreError, StoreResult};
use crate::from_row::from_row;
use crate::model::*;

/// A worker that has not reported for this long counts as gone; workers report every ten seconds.
const ALIVE_MS: i64 = 30_000;
/// The row of such a worker is deleted after this time.
const FORGOTTEN_MS: i64 = 24 * 3_600_000;

pub async fn record_worker(db: &mut Db, worker: &WorkerInfo, now: Millis) -> StoreResult<u64> {
    sqlx::query(
        "INSERT INTO workers (name, host, version, slots, kinds, draining, started_at, seen_at, speed)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8)
         ON CONFLICT (name) DO UPDATE SET host = excluded.host, version = excluded.version,
            slots = excluded.slots, kinds = excluded.kinds, draining = excluded.draining,
            seen_at = excluded.seen_at, speed = excluded.speed",
    )
    .bind(&worker.name)
    .bind(&worker.host)
    .bind(&worker.version)
    .bind(i64::from(worker.slots))
    .bind(worker.kinds.bits())
    .bind(i64::from(worker.draining))
    .bind(now)
    .bind(worker.speed.map(|speed| i64::try_from(speed).unwrap_or(i64::MAX)))
    .execute(&mut *db)
    .await?;
    sqlx::query("DELETE FROM workers WHERE seen_at < $1")
        .bind(now.saturating_sub(FORGOTTEN_MS))
        .execute(&mut *db)
        .await?;
    let alive: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM workers WHERE draining = 0 AND seen_at >= $1")
        .bind(now.saturating_sub(ALIVE_MS))
        .fetch_one(db)
        .await?;
    count(alive)
}

pub async fn remove_worker(db: &mut Db, name: &str) -> StoreResult<()> {
    sqlx::query("DELETE FROM workers WHERE name = $1").bind(name).execute(db).await?;
    Ok(())
}

from_row! {
    struct WorkerRow {
        name: String,
        host: String,
        version: String,
        slots: i64,
        kinds: i64,
        draining: i64,
        started_at: Millis,
        seen_at: Millis,
        speed: Option<i64>,
        running: i64,
    }
}

pub async fn workers(db: &mut Db, now: Millis) -> StoreResult<Vec<WorkerRecord>> {
    let rows: Vec<WorkerRow> = sqlx::query_as(
        "SELECT name, host, version, slots, kinds, draining, started_at, seen_at, speed,
                (SELECT COUNT(*) FROM work w WHERE w.worker = workers.name AND w.state = 'running') AS running
           FROM workers ORDER BY host, name",
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(|row| worker(row, now)).collect()
}

fn worker(row: WorkerRow, now: Millis) -> StoreResult<WorkerRecord> {
    Ok(WorkerRecord {
        info: WorkerInfo {
            name: row.name,
            host: row.host,
            version: row.version,
            slots: count32(row.slots)?,
            kinds: WorkKinds::from_bits(row.kinds),
            draining: row.draining != 0,
            speed: row.speed.map(count).transpose()?,
        },
        started_at: row.started_at,
        seen_at: row.seen_at,
        alive: now.saturating_sub(row.seen_at) <= ALIVE_MS,
        running: count32(row.running)?,
    })
}

/// A worker that has measured nothing yet counts like the average of the others.
pub async fn load(db: &mut Db, now: Millis) -> StoreResult<Load> {
    let pause = pause_now(db).await?;
    let workers: Vec<(i64, i64, Option<i64>)> =
        sqlx::query_as("SELECT slots, kinds, speed FROM workers WHERE draining = 0 AND seen_at >= $1")
            .bind(now.saturating_sub(ALIVE_MS))
            .fetch_all(&mut *db)
            .await?;
    let work_left: Vec<(i64, i64)> = sqlx::query_as(concat!(
        "SELECT user_id, CAST(SUM(frames_planned - frames_done) AS BIGINT) FROM tasks
          WHERE state IN ",
        live!(),
        " GROUP BY user_id"
    ))
    .fetch_all(db)
    .await?;
    let work_left = work_left.into_iter().filter(|(_, work_left)| *work_left > 0);
    let work_left = work_left
        .map(|(user, work_left)| Ok((UserId(user), count(work_left)?)))
        .collect::<StoreResult<_>>()?;
    Ok(Load { speed: speed(&workers).filter(|_| pause.is_none()), work_left, pause })
}

fn speed(workers: &[(i64, i64, Option<i64>)]) -> Option<u64> {
    let able = || workers.iter().filter(|(_, kinds, _)| WorkKinds::from_bits(*kinds).has(WorkKind::Segment));
    let measured = able().filter_map(|(slots, _, speed)| Some((*slots, (*speed)?)));
    let (known_slots, sum) = measured.fold((0i128, 0i128), |(slots, sum), (more, speed)| {
        (slots + i128::from(more), sum + i128::from(more) * i128::from(speed))
    });
    let slots: i128 = able().map(|(slots, _, _)| i128::from(*slots)).sum();
    u64::try_from(sum.checked_mul(slots)?.checked_div(known_slots)?).ok().filter(|speed| *speed > 0)
}

/// Counts of waiting and running work.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Waiting {
    /// Kind, state, count, and since when the oldest is in the queue (for running work: since it runs).
    depths: Vec<(String, String, i64, Millis)>,
    /// Name, ready, running; most running work first.
    users: Vec<(String, i64, i64)>,
}

/// More than are ever requested.
const USERS: i64 = 1000;

impl SharedCount for Waiting {
    const JOB: &'static str = "queue";

    fn rows(&self) -> u64 {
        self.depths.iter().map(|(_, _, job_count, _)| u64::try_from(*job_count).unwrap_or(0)).sum()
    }
}

/// Ended work is in the same table and must not be read: each counted state has an index of its own.
pub async fn waiting(db: &mut Db) -> StoreResult<Waiting> {
    let depths = sqlx::query_as(
        "SELECT kind, state, COUNT(*), MIN(created_at) FROM work WHERE state = 'ready' GROUP BY kind, state
         UNION ALL
         SELECT kind, state, COUNT(*), MIN(created_at) FROM work WHERE state = 'delayed' GROUP BY kind, state
         UNION ALL
         SELECT kind, state, COUNT(*), MIN(created_at) FROM work WHERE state = 'waiting' GROUP BY kind, state
         UNION ALL
         SELECT kind, state, COUNT(*), MIN(claimed_at) FROM work WHERE state = 'running' GROUP BY kind, state",
    );
    let users = sqlx::query_as(
        "SELECT u.name, CAST(SUM(l.ready) AS BIGINT), CAST(SUM(l.running) AS BIGINT) FROM (
            SELECT user_id, COUNT(*) AS ready, 0 AS running FROM work WHERE state = 'ready' GROUP BY user_id
            UNION ALL
            SELECT user_id, 0, COUNT(*) FROM work WHERE state = 'running' GROUP BY user_id) l
           JOIN users u ON u.id = l.user_id
          GROUP BY u.id, u.name ORDER BY 3 DESC, 2 DESC, u.id LIMIT $1",
    );
    Ok(Waiting { depths: depths.fetch_all(&mut *db).await?, users: users.bind(USERS).fetch_all(db).await? })
}

/// At most `most` users and running jobs.
pub async fn overview(db: &mut Db, waiting: Waiting, now: Millis, most: u32) -> StoreResult<QueueOverview> {
    Ok(QueueOverview {
        pause: pause_now(db).await?,
        depths: waiting.depths.iter().map(|row| depth(row, now)).collect::<StoreResult<_>>()?,
        users: waiting.users.into_iter().take(most as usize).map(user_load).collect::<StoreResult<_>>()?,
        running: running(db, now, most).await?,
    })
}

fn depth(
    (kind_name, state, found, since): &(String, String, i64, Millis),
    now: Millis,
) -> StoreResult<QueueDepth> {
    Ok(QueueDepth {
        kind: kind(kind_name)?,
        state: QueueState::parse(state)
            .ok_or_else(|| StoreError::Corrupt(format!("{state:?} is no state of work")))?,
        count: count(*found)?,
        oldest_ms: u64::try_from(now.saturating_sub(*since)).unwrap_or(0),
    })
}

fn user_load((user_name, ready, running): (String, i64, i64)) -> StoreResult<UserLoad> {
    Ok(UserLoad { user_name, ready: count(ready)?, running: count(running)? })
}

from_row! {
    struct RunningRow {
        id: i64,
        kind: String,
        user_name: String,
        task_no: Option<String>,
        item_no: Option<i64>,
        worker: Option<String>,
        claimed_at: Option<Millis>,
        lease_until: Option<Millis>,
        attempts: i64,
        lost_leases: i64,
    }
}

async fn running(db: &mut Db, now: Millis, most: u32) -> StoreResult<Vec<RunningWork>> {
    let rows: Vec<RunningRow> = sqlx::query_as(
        "SELECT w.id, w.kind, u.name AS user_name, t.task_no, i.item_no, w.worker, w.claimed_at, w.lease_until,
                w.attempts, w.lost_leases
           FROM work w
           JOIN users u ON u.id = w.user_id
           LEFT JOIN items i ON i.id = w.item_id
           LEFT JOIN tasks t ON t.id = COALESCE(w.task_id, i.task_id,
                CASE WHEN w.segment_hash IS NOT NULL THEN w.task_order END)
          WHERE w.state = 'running' ORDER BY w.claimed_at, w.id LIMIT $1",
    )
    .bind(i64::from(most))
    .fetch_all(db)
    .await?;
    rows.into_iter().map(|row| running_work(row, now)).collect()
}

fn running_work(row: RunningRow, now: Millis) -> StoreResult<RunningWork> {
    let since = now.saturating_sub(row.claimed_at.unwrap_or(now));
    Ok(RunningWork {
        work: WorkId(row.id),
        kind: kind(&row.kind)?,
        user_name: row.user_name,
        task_no: row.task_no.as_deref().map(task_no).transpose()?,
        item_no: row.item_no.map(count32).transpose()?,
        worker: row.worker.unwrap_or_default(),
        running_ms: u64::try_from(since).unwrap_or(0),
        lease_left_ms: row.lease_until.unwrap_or(now).saturating_sub(now),
        attempts: count32(row.attempts)?,
        lost_leases: count32(row.lost_leases)?,
    })
}

async fn pause_now(db: &mut Db) -> StoreResult<Option<Pause>> {
    let row: Option<(Millis, Option<String>)> =
        sqlx::query_as("SELECT paused_at, reason FROM pauses").fetch_optional(db).await?;
    Ok(row.map(|(since, reason)| Pause { since, reason }))
}

/// Returns `false` if it was already paused.
pub async fn pause(db: &mut Db, reason: Option<&str>, now: Millis) -> StoreResult<bool> {
    let paused = sqlx::query(
        "INSERT INTO pauses (id, paused_at, reason) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING",
    )
    .bind(now)
    .bind(reason)
    .execute(&mut *db)
    .await?
    .rows_affected()
        > 0;
    if !paused && reason.is_some() {
        sqlx::query("UPDATE pauses SET reason = $1").bind(reason).execute(db).await?;
    }
    Ok(paused)
}

/// Returns `false` if it was not paused.
pub async fn resume(db: &mut Db) -> StoreResult<bool> {
    Ok(sqlx::query("DELETE FROM pauses").execute(db).await?.rows_affected() > 0)
}

/// The fence does not change: it increases at the next claim, and until then the old lease is invalid because the
/// work is not running.
pub async fn requeue(db: &mut Db, what: &Requeue) -> StoreResult<u64> {
    let query = match what {
        Requeue::Work(id) => sqlx::query(
            "UPDATE work SET state = 'ready', worker = NULL, lease_until = NULL, run_after = NULL
              WHERE id = $1 AND state IN ('running', 'delayed')",
        )
        .bind(id.0),
        Requeue::Worker(name) => sqlx::query(
            "UPDATE work SET state = 'ready', worker = NULL, lease_until = NULL
              WHERE worker = $1 AND state = 'running'",
        )
        .bind(name),
        Requeue::Delayed => {
            sqlx::query("UPDATE work SET state = 'ready', run_after = NULL WHERE state = 'delayed'")
        }
    };
    Ok(query.execute(db).await?.rows_affected())
}

from_row! {
    struct FailedRow {
        task_no: String,
        item_no: i64,
        user_name: String,
        error: String,
        finished_at: Option<Millis>,
    }
}

/// The latest first.
pub async fn failures(db: &mut Db, most: u32) -> StoreResult<Vec<FailedItem>> {
    let rows: Vec<FailedRow> = sqlx::query_as(concat!(
        "SELECT t.task_no, i.item_no, u.name AS user_name, i.error, t.finished_at
           FROM items i JOIN tasks t ON t.id = i.task_id JOIN users u ON u.id = t.user_id
          WHERE i.state IN ",
        failed!(),
        " AND i.error IS NOT NULL ORDER BY i.id DESC LIMIT $1"
    ))
    .bind(i64::from(most))
    .fetch_all(db)
    .await?;
    rows.into_iter().map(failed).collect()
}

/// The same, page by page; only those with `code`, and those with `search` in the task's number or the user's name.
pub async fn failed_items(
    db: &mut Db,
    code: Option<ErrorCode>,
    search: Option<&str>,
    page: Page,
) -> StoreResult<Paged<FailedItem>> {
    // Errors are stored as JSON written by this crate.
    let like = code.map_or("%".to_owned(), |code| format!("%\"code\":\"{}\"%", code.as_str()));
    let pattern = name_pattern(search);
    let total: i64 = sqlx::query_scalar(concat!(
        "SELECT COUNT(*) FROM items i JOIN tasks t ON t.id = i.task_id JOIN users u ON u.id = t.user_id
          WHERE i.state IN ",
        failed!(),
        " AND i.error LIKE $1 AND (LOWER(u.name) LIKE $2 ESCAPE '!' OR LOWER(t.task_no) LIKE $2 ESCAPE '!')"
    ))
    .bind(&like)
    .bind(&pattern)
    .fetch_one(&mut *db)
    .await?;
    let rows: Vec<FailedRow> = sqlx::query_as(concat!(
        "SELECT t.task_no, i.item_no, u.name AS user_name, i.error, t.finished_at
           FROM items i JOIN tasks t ON t.id = i.task_id JOIN users u ON u.id = t.user_id
          WHERE i.state IN ",
        failed!(),
        " AND i.error LIKE $1 AND (LOWER(u.name) LIKE $2 ESCAPE '!' OR LOWER(t.task_no) LIKE $2 ESCAPE '!')
          ORDER BY i.id DESC LIMIT $3 OFFSET $4"
    ))
    .bind(&like)
    .bind(&pattern)
    .bind(i64::from(page.size))
    .bind(offset(page))
    .fetch_all(db)
    .await?;
    let list = rows.into_iter().map(failed).collect::<StoreResult<_>>()?;
    Ok(Paged { list, total: count(total)? })
}

fn failed(row: FailedRow) -> StoreResult<FailedItem> {
    Ok(FailedItem {
        task_no: task_no(&row.task_no)?,
        item_no: count32(row.item_no)?,
        user_name: row.user_name,
        error: from_json(&row.error)?,
        finished_at: row.finished_at,
    })
}
