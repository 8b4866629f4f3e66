//! The queue for operators: reading it and changing it.

use clipmill_core::ids::{JobId, UserId};
use serde::{Deserialize, Serialize};

use super::super::maintenance::shared_count::SharedCount;
use super::super::rows::{Db, count, count32, task_no};
use super::super::states::live;
use super::leases::lease::kind;
use super::workers::sql::ALIVE_MS;
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;
use crate::queue::{
    JobKind, JobKinds, Load, Pause, QueueDepth, QueueOverview, QueueState, Requeue, RunningJob, UserLoad,
};

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
    let able = || workers.iter().filter(|(_, kinds, _)| JobKinds::from_bits(*kinds).has(JobKind::Segment));
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
    const NAME: &'static str = "queue";

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

/// At most `max` users and running jobs.
pub async fn overview(db: &mut Db, waiting: Waiting, now: Millis, max: u32) -> StoreResult<QueueOverview> {
    Ok(QueueOverview {
        pause: pause_now(db).await?,
        depths: waiting.depths.iter().map(|row| depth(row, now)).collect::<StoreResult<_>>()?,
        users: waiting.users.into_iter().take(max as usize).map(user_load).collect::<StoreResult<_>>()?,
        running: running(db, now, max).await?,
    })
}

fn depth(
    (kind_name, state, found, since): &(String, String, i64, Millis),
    now: Millis,
) -> StoreResult<QueueDepth> {
    Ok(QueueDepth {
        kind: kind(kind_name)?,
        state: QueueState::parse(state)
            .ok_or_else(|| StoreError::Corrupt(format!("{state:?} is not a job state")))?,
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

async fn running(db: &mut Db, now: Millis, max: u32) -> StoreResult<Vec<RunningJob>> {
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
    .bind(i64::from(max))
    .fetch_all(db)
    .await?;
    rows.into_iter().map(|row| running_job(row, now)).collect()
}

fn running_job(row: RunningRow, now: Millis) -> StoreResult<RunningJob> {
    let since = now.saturating_sub(row.claimed_at.unwrap_or(now));
    Ok(RunningJob {
        work: JobId(row.id),
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
        Requeue::Job(id) => sqlx::query(
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
