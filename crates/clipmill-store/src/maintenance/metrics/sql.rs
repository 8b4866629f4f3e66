//! Metrics for monitoring. Every statement uses an index over open rows, regardless of how many have ended.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::super::super::accounts::points::movements::movement_type;
use super::super::dialect::Handle;
use super::super::rows::{Db, count};
use super::super::shared_count::SharedCount;
use super::super::states::live;
use super::super::unit::{apart, in_time, snapshot};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::maintenance::metrics::{MetricsStore, PointsTotal, Snapshot, Waiting};

#[async_trait]
impl MetricsStore for Handle {
    async fn snapshot(&self, now: Millis) -> StoreResult<Snapshot> {
        let counts: Snapshot = self.shared(now, async { snapshot!(self; tx => snapshot(tx)) }).await?;
        let paused = snapshot!(self; tx => is_paused(tx))?;
        Ok(Snapshot { paused, ..counts })
    }

    async fn moved_since(&self, movement: i64) -> StoreResult<PointsTotal> {
        snapshot!(self; tx => moved_since(tx, movement))
    }
}

impl SharedCount for Snapshot {
    const NAME: &'static str = "counts";

    fn rows(&self) -> u64 {
        let work = self.work.values().flat_map(BTreeMap::values);
        work.chain(self.tasks.values()).chain(self.events.values()).map(|waiting| waiting.count).sum()
    }
}

pub async fn snapshot(db: &mut Db) -> StoreResult<Snapshot> {
    let (points_available, points_held) = points(db).await?;
    Ok(Snapshot {
        tasks: tasks(db).await?,
        work: work(db).await?,
        workers: workers(db).await?,
        events: events(db).await?,
        paused: false,
        points_available,
        points_held,
    })
}

pub async fn is_paused(db: &mut Db) -> StoreResult<bool> {
    let pauses: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM pauses").fetch_one(db).await?;
    Ok(pauses > 0)
}

fn waiting(number: i64, since: Option<Millis>) -> StoreResult<Waiting> {
    Ok(Waiting { count: count(number)?, since })
}

async fn tasks(db: &mut Db) -> StoreResult<BTreeMap<u8, Waiting>> {
    let rows: Vec<(i64, i64, Option<Millis>)> = sqlx::query_as(concat!(
        "SELECT state, COUNT(*), MIN(created_at) FROM tasks WHERE state IN ",
        live!(),
        " GROUP BY state"
    ))
    .fetch_all(db)
    .await?;
    let mut tasks = BTreeMap::new();
    for (state, number, since) in rows {
        let state =
            u8::try_from(state).map_err(|_| StoreError::Corrupt(format!("{state} is not a state")))?;
        tasks.insert(state, waiting(number, since)?);
    }
    Ok(tasks)
}

async fn work(db: &mut Db) -> StoreResult<BTreeMap<String, BTreeMap<String, Waiting>>> {
    let rows: Vec<(String, String, i64, Option<Millis>)> = sqlx::query_as(
        "SELECT kind, CAST('ready' AS TEXT), COUNT(*), MIN(created_at) FROM work WHERE state = 'ready' GROUP BY kind
         UNION ALL
         SELECT kind, CAST('delayed' AS TEXT), COUNT(*), MIN(created_at) FROM work WHERE state = 'delayed' GROUP BY kind
         UNION ALL
         SELECT kind, CAST('running' AS TEXT), COUNT(*), MIN(created_at) FROM work WHERE state = 'running' GROUP BY kind",
    )
    .fetch_all(db)
    .await?;
    let mut work: BTreeMap<String, BTreeMap<String, Waiting>> = BTreeMap::new();
    for (kind, state, number, since) in rows {
        work.entry(state).or_default().insert(kind, waiting(number, since)?);
    }
    Ok(work)
}

async fn workers(db: &mut Db) -> StoreResult<u64> {
    count(
        sqlx::query_scalar("SELECT COUNT(DISTINCT worker) FROM work WHERE state = 'running'")
            .fetch_one(db)
            .await?,
    )
}

async fn events(db: &mut Db) -> StoreResult<BTreeMap<String, Waiting>> {
    let rows: Vec<(String, i64, Option<Millis>)> = sqlx::query_as(
        "SELECT CAST('due' AS TEXT), COUNT(*), MIN(due_at) FROM outbox WHERE state = 'due'
         UNION ALL SELECT CAST('sending' AS TEXT), COUNT(*), MIN(claimed_at) FROM outbox WHERE state = 'sending'
         UNION ALL SELECT CAST('failed' AS TEXT), COUNT(*), MIN(due_at) FROM outbox WHERE state = 'failed'",
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(|(state, number, since)| Ok((state, waiting(number, since)?))).collect()
}

async fn points(db: &mut Db) -> StoreResult<(i64, i64)> {
    // PostgreSQL sums to NUMERIC unless it is cast.
    let sums = sqlx::query_as(
        "SELECT CAST(COALESCE(SUM(available), 0) AS BIGINT), CAST(COALESCE(SUM(held), 0) AS BIGINT)
           FROM balances",
    );
    Ok(sums.fetch_one(db).await?)
}

pub async fn moved_since(db: &mut Db, movement: i64) -> StoreResult<PointsTotal> {
    let rows: Vec<(String, i64, i64)> = sqlx::query_as(
        "SELECT kind, CAST(SUM(amount) AS BIGINT), MAX(id) FROM movements WHERE id > $1 GROUP BY kind",
    )
    .bind(movement)
    .fetch_all(db)
    .await?;
    let mut totals = PointsTotal { up_to: movement, points: Vec::with_capacity(rows.len()) };
    for (kind, points, last) in rows {
        totals.up_to = totals.up_to.max(last);
        totals.points.push((movement_type(&kind)?, count(points)?));
    }
    Ok(totals)
}
