//! The units of workers.

use async_trait::async_trait;

use super::super::dialect::{Handle, is_conflict};
use super::super::rows::{Db, count, count32};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::from_row::from_row;
use crate::queue::JobKinds;
use crate::queue::workers::{WorkerInfo, WorkerRecord, WorkerStore};

#[async_trait]
impl WorkerStore for Handle {
    async fn record(&self, worker: &WorkerInfo, now: Millis) -> StoreResult<u64> {
        let processes = unit!(self, at now, worker; tx => add_or_update(tx, &worker, now.ms))?;
        self.fleet_is(processes);
        Ok(processes)
    }

    async fn remove(&self, name: &str) -> StoreResult<()> {
        unit!(self, name; tx => remove(tx, &name))
    }

    async fn list(&self, now: Millis) -> StoreResult<Vec<WorkerRecord>> {
        snapshot!(self, at now; tx => all(tx, now.ms))
    }
}

/// A worker that has not reported for this long counts as gone; workers report every ten seconds.
pub const ALIVE_MS: i64 = 30_000;

/// The row of such a worker is deleted after this time.
const FORGOTTEN_MS: i64 = 24 * 3_600_000;

async fn add_or_update(db: &mut Db, worker: &WorkerInfo, now: Millis) -> StoreResult<u64> {
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

async fn remove(db: &mut Db, name: &str) -> StoreResult<()> {
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

async fn all(db: &mut Db, now: Millis) -> StoreResult<Vec<WorkerRecord>> {
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
            kinds: JobKinds::from_bits(row.kinds),
            draining: row.draining != 0,
            speed: row.speed.map(count).transpose()?,
        },
        started_at: row.started_at,
        seen_at: row.seen_at,
        alive: now.saturating_sub(row.seen_at) <= ALIVE_MS,
        running: count32(row.running)?,
    })
}
