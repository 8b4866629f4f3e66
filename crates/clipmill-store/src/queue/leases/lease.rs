//! Leases: every write on a worker's behalf begins here, and ends here when the lease is lost.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use clipmill_core::ids::{ItemId, JobId, TaskId, UserId};
use sqlx::QueryBuilder;

use super::super::dialect::{self, locks};
use super::super::jobs::progress;
use super::super::rows::{Database, Db};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;
use crate::queue::JobKind;
use crate::queue::leases::Lease;

/// The condition that a row of work, found by its id, is running. It is written so that PostgreSQL does not match it
/// with its indexes of running work: it believes these to be empty, and would scan them completely for each single
/// row.
macro_rules! runs {
    () => {
        "COALESCE(state, '') = 'running'"
    };
}
pub(in super::super) use runs;

from_row! {
    /// A row of work when it is claimed or failed.
    #[derive(Debug, Clone)]
    pub struct JobRow {
        pub id: i64,
        pub fence: i64,
        pub task_id: Option<i64>,
        pub segment_hash: Option<String>,
        pub item_id: Option<i64>,
        pub user_id: i64,
        pub attempts: i64,
        pub lost_leases: i64,
        pub lease_times: i64,
        pub claimed_at: Option<Millis>,
    }
}

/// The subject of a row of work.
#[derive(Debug, Clone, Copy)]
pub enum Target<'a> {
    Preflight(TaskId),
    Segment(&'a str),
    Assemble(ItemId),
}

impl JobRow {
    pub fn lease(&self) -> Lease {
        Lease { work: clipmill_core::ids::JobId(self.id), fence: self.fence }
    }

    pub fn user(&self) -> UserId {
        UserId(self.user_id)
    }

    pub fn target(&self) -> StoreResult<Target<'_>> {
        match (self.task_id, &self.segment_hash, self.item_id) {
            (Some(task), None, None) => Ok(Target::Preflight(TaskId(task))),
            (None, Some(key), None) => Ok(Target::Segment(key)),
            (None, None, Some(item)) => Ok(Target::Assemble(ItemId(item))),
            _ => Err(StoreError::Corrupt(format!("work {} is about several things", self.id))),
        }
    }
}

/// Ends a lease, leaving the work in `state`; [`StoreError::LeaseLost`] unless it is the live lease of
/// work of this kind.
pub async fn give_up(
    db: &mut Db,
    lease: Lease,
    kind: Option<JobKind>,
    state: &'static str,
) -> StoreResult<JobRow> {
    sqlx::query_as(
        concat!(
            "UPDATE work SET state = $3, worker = NULL, lease_until = NULL
          WHERE id = $1 AND fence = $2 AND (CAST($4 AS TEXT) IS NULL OR kind = $4) AND ",
            runs!(),
            " RETURNING id, fence, task_id, segment_hash, item_id, user_id, attempts, lost_leases, lease_times, claimed_at"
        ),
    )
    .bind(lease.work.0)
    .bind(lease.fence)
    .bind(state)
    .bind(kind.map(JobKind::as_str))
    .fetch_optional(db)
    .await?
    .ok_or(StoreError::LeaseLost)
}

/// Ends these leases permanently, except those that are not the live lease of work of this kind; returns the ended
/// ones.
pub async fn end_all(db: &mut Db, leases: &[Lease], kind: JobKind) -> StoreResult<HashSet<Lease>> {
    let mut query = QueryBuilder::<Database>::new(concat!(
        "UPDATE work SET state = 'done', worker = NULL, lease_until = NULL WHERE ",
        runs!(),
        " AND kind = "
    ));
    query.push_bind(kind.as_str()).push(" AND (id, fence) IN (VALUES ");
    push_leases(&mut query, leases);
    let rows: Vec<(i64, i64)> = query
        .push(") RETURNING id, fence")
        .build_query_as()
        .persistent(leases.len() == 1)
        .fetch_all(db)
        .await?;
    Ok(rows.into_iter().map(|(id, fence)| Lease { work: JobId(id), fence }).collect())
}

/// Reads work under a lease, before anything is decided about it; nothing is locked.
pub async fn leased(db: &mut Db, lease: Lease) -> StoreResult<JobRow> {
    let row: Option<JobRow> = sqlx::query_as(
        concat!(
            "SELECT id, fence, task_id, segment_hash, item_id, user_id, attempts, lost_leases, lease_times, claimed_at
           FROM work WHERE id = $1 AND fence = $2 AND ",
            runs!()
        ),
    )
    .bind(lease.work.0)
    .bind(lease.fence)
    .fetch_optional(db)
    .await?;
    row.ok_or(StoreError::LeaseLost)
}

/// Renews these leases without waiting: a row that is locked is about to lose its lease.
pub async fn renew(db: &mut Db, leases: &[Lease], now: Millis, lease_ms: i64) -> StoreResult<()> {
    let mut query = QueryBuilder::<Database>::new(concat!(
        "WITH good AS (SELECT id FROM work WHERE ",
        runs!(),
        " AND (id, fence) IN (VALUES "
    ));
    push_leases(&mut query, leases);
    query.push(")").push(dialect::SKIP_LOCKED).push(") UPDATE work SET lease_until = ").push_bind(now);
    query.push(" + lease_times * ").push_bind(lease_ms).push(" WHERE id IN (SELECT id FROM good)");
    query.build().persistent(false).execute(db).await?;
    Ok(())
}

/// The valid ones of these leases by their work, each with its segment; nothing is locked.
pub async fn held(db: &mut Db, leases: &[Lease]) -> StoreResult<HashMap<JobId, Option<String>>> {
    let mut query = QueryBuilder::<Database>::new(concat!(
        "SELECT id, segment_hash FROM work WHERE ",
        runs!(),
        " AND (id, fence) IN (VALUES "
    ));
    push_leases(&mut query, leases);
    let rows: Vec<(i64, Option<String>)> =
        query.push(")").build_query_as().persistent(leases.len() == 1).fetch_all(db).await?;
    Ok(rows.into_iter().map(|(id, key)| (JobId(id), key)).collect())
}

/// The items that are assembled under the valid ones of these leases, and their tasks; nothing is locked.
pub async fn assembled(db: &mut Db, leases: &[Lease]) -> StoreResult<HashMap<Lease, (ItemId, TaskId)>> {
    let mut query = QueryBuilder::<Database>::new(concat!(
        "SELECT id, fence, item_id, (SELECT task_id FROM items WHERE items.id = work.item_id) FROM work
          WHERE item_id IS NOT NULL AND ",
        runs!(),
        " AND (id, fence) IN (VALUES "
    ));
    push_leases(&mut query, leases);
    let rows: Vec<(i64, i64, i64, i64)> =
        query.push(")").build_query_as().persistent(leases.len() == 1).fetch_all(db).await?;
    let assembled =
        |(id, fence, item, task)| (Lease { work: JobId(id), fence }, (ItemId(item), TaskId(task)));
    Ok(rows.into_iter().map(assembled).collect())
}

fn push_leases(query: &mut QueryBuilder<Database>, leases: &[Lease]) {
    let mut pairs = query.separated(", ");
    for lease in leases {
        pairs.push("(").push_bind_unseparated(lease.work.0).push_unseparated(", ");
        pairs.push_bind_unseparated(lease.fence).push_unseparated(")");
    }
}

/// Records the progress of segments, in the order of their hashes; `false` if none has advanced. Segments whose lease
/// is lost by now are skipped.
pub async fn progress(db: &mut Db, reached: &BTreeMap<String, (Lease, u64)>) -> StoreResult<bool> {
    locks::segments_in_use(db, &reached.keys().map(String::as_str).collect::<Vec<_>>()).await?;
    let leases: Vec<Lease> = reached.values().map(|(lease, _)| *lease).collect();
    let good = held(db, &leases).await?;
    let mut tasks = BTreeSet::new();
    for (key, (_, frames)) in reached.iter().filter(|(_, (lease, _))| good.contains_key(&lease.work)) {
        tasks.extend(progress::reach(db, key, i64::try_from(*frames).unwrap_or(i64::MAX)).await?);
    }
    let has_advanced = !tasks.is_empty();
    progress::fold_free(db, &tasks.into_iter().collect::<Vec<_>>()).await?;
    Ok(has_advanced)
}

pub async fn holds(db: &mut Db, lease: Lease) -> StoreResult<bool> {
    let lease_count: i64 =
        sqlx::query_scalar(concat!("SELECT COUNT(*) FROM work WHERE id = $1 AND fence = $2 AND ", runs!()))
            .bind(lease.work.0)
            .bind(lease.fence)
            .fetch_one(db)
            .await?;
    Ok(lease_count == 1)
}

pub async fn release(db: &mut Db, lease: Lease) -> StoreResult<()> {
    give_up(db, lease, None, "ready").await.map(drop)
}

/// The longest that a lease grows, as a multiple of the usual one.
const MAX_LEASE_TIMES: i64 = 32;

/// The holder of a lease is alive but could not renew it in time: the job's next leases last twice as long, and the
/// loss does not count as that of a dead machine. Work that has ended is not changed. Returns whether the holder
/// still had the work and returned it.
pub async fn extend_next_lease(db: &mut Db, lease: Lease) -> StoreResult<bool> {
    let given_back = match give_up(db, lease, None, "ready").await {
        Ok(_) => true,
        Err(StoreError::LeaseLost) => false,
        Err(error) => return Err(error),
    };
    sqlx::query(
        "UPDATE work SET lease_times = CASE WHEN lease_times < $4 THEN lease_times * 2 ELSE $4 END,
                lost_leases = CASE WHEN lost_fence = $2 THEN lost_leases - 1 ELSE lost_leases END, lost_fence = NULL
          WHERE id = $1 AND ($3 = 1 AND fence = $2 OR lost_fence = $2)
            AND state NOT IN ('done', 'failed', 'dropped')",
    )
    .bind(lease.work.0)
    .bind(lease.fence)
    .bind(i64::from(given_back))
    .bind(MAX_LEASE_TIMES)
    .execute(db)
    .await?;
    Ok(given_back)
}

pub async fn snooze(db: &mut Db, lease: Lease, until: Millis) -> StoreResult<()> {
    let work = give_up(db, lease, None, "failed").await?;
    delay(db, &work, until).await
}

/// Delays returned work until this time.
pub async fn delay(db: &mut Db, work: &JobRow, until: Millis) -> StoreResult<()> {
    sqlx::query("UPDATE work SET state = 'delayed', run_after = $2 WHERE id = $1")
        .bind(work.id)
        .bind(until)
        .execute(db)
        .await?;
    Ok(())
}

pub fn kind(name: &str) -> StoreResult<JobKind> {
    JobKind::parse(name).ok_or_else(|| StoreError::Corrupt(format!("{name:?} is not a job kind")))
}
