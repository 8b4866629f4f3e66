//! Results of earlier tasks as inputs. A task that uses an output which does not exist yet waits: its preflight is delayed
//! until the unit that ends the item makes it ready, or until it has waited too long. The references are rows of
//! `task_uploads`, as those to uploads.

use std::collections::BTreeSet;

use clipmill_core::ids::{ItemId, TaskNo, UserId};
use clipmill_core::results::ResultRef;
use clipmill_core::task::TaskState;

use super::super::dialect::{self, locks};
use super::super::queue::leases::lease::{self, Target};
use super::super::rows::{Db, count32, from_json, state};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;
use crate::queue::jobs::ResultWait;
use crate::queue::leases::Lease;
use crate::tasks::{NewTask, ResultSource};

/// How long a task waits for results.
const MAX_WAIT_MS: i64 = 7 * 86_400_000;

/// The results that the task uses.
pub fn results_of(task: &NewTask) -> BTreeSet<ResultRef> {
    task.request.inputs().iter().filter_map(|input| ResultRef::of_url(input.url)).collect()
}

/// Locks the tasks of these results: their items do not end before this unit does. Before any other lock of the unit.
pub async fn lock(db: &mut Db, results: &BTreeSet<ResultRef>) -> StoreResult<()> {
    if results.is_empty() {
        return Ok(());
    }
    let numbers: BTreeSet<&str> = results.iter().map(|result| result.task_no.as_str()).collect();
    locks::tasks_numbered(db, &numbers.into_iter().collect::<Vec<_>>()).await
}

/// The position of a new task in chains of results, and until when it waits for those that do not exist yet.
pub struct Chain {
    pub length: u32,
    pub wait_until: Option<Millis>,
}

impl Chain {
    /// The caller has locked the tasks of these results.
    pub async fn of(db: &mut Db, results: &BTreeSet<ResultRef>, now: Millis) -> StoreResult<Self> {
        let mut chain = Self { length: 1, wait_until: None };
        for result in results {
            // A missing one fails in preflight.
            let Some(source) = source(db, result).await? else { continue };
            chain.length = chain.length.max(source.chain_length.saturating_add(1));
            if !source.state.is_final() {
                chain.wait_until = Some(now.saturating_add(MAX_WAIT_MS));
            }
        }
        Ok(chain)
    }
}

from_row! {
    struct SourceRow {
        user_id: i64,
        state: i64,
        chain_length: i64,
        expected: Option<String>,
        result: Option<String>,
        stored_until: Option<Millis>,
    }
}

pub async fn source(db: &mut Db, result: &ResultRef) -> StoreResult<Option<ResultSource>> {
    let row: Option<SourceRow> = sqlx::query_as(
        "SELECT t.user_id, i.state, t.chain_length, i.expected, i.result, i.stored_until
           FROM tasks t JOIN items i ON i.task_id = t.id WHERE t.task_no = $1 AND i.item_no = $2",
    )
    .bind(result.task_no.as_str())
    .bind(i64::from(result.item_no))
    .fetch_optional(db)
    .await?;
    let source = |row: SourceRow| {
        Ok(ResultSource {
            user: UserId(row.user_id),
            state: state(row.state)?,
            chain_length: count32(row.chain_length)?,
            expected: row.expected.as_deref().map(from_json).transpose()?,
            result: row.result.as_deref().map(from_json).transpose()?,
            stored_until: row.stored_until,
        })
    };
    row.map(source).transpose()
}

/// Makes preflights ready that waited for this item, which has ended, unless they use other items of its task that have
/// not. The unit has locked the task's row, so none of these ends at the same time. Never waits: a row of work that is
/// locked is being cancelled, or made ready by another unit.
pub async fn wake(db: &mut Db, item: ItemId, task_no: &TaskNo, item_no: u32) -> StoreResult<()> {
    sqlx::query(dialect::WAKE_WAITING)
        .bind(format!("{task_no}/{item_no}"))
        .bind(item.0)
        .bind(task_no.as_str())
        .execute(db)
        .await?;
    Ok(())
}

/// Returns the preflight to the queue until the results that its task uses exist, if there are some that do not.
pub async fn wait(db: &mut Db, lease: Lease, now: Millis) -> StoreResult<ResultWait> {
    let work = lease::leased(db, lease).await?;
    let Target::Preflight(task) = work.target()? else { return Err(StoreError::LeaseLost) };
    let ids: Vec<String> = sqlx::query_scalar("SELECT upload_id FROM task_uploads WHERE task_id = $1")
        .bind(task.0)
        .fetch_all(&mut *db)
        .await?;
    let results: BTreeSet<ResultRef> =
        ids.iter().filter_map(|id| ResultRef::of_url(&format!("result://{id}"))).collect();
    lock(db, &results).await?;
    let mut states = Vec::with_capacity(results.len());
    for result in &results {
        states.extend(source(db, result).await?.map(|source| source.state));
    }
    if states.into_iter().all(TaskState::is_final) {
        return Ok(ResultWait::Over);
    }
    let since: Millis = sqlx::query_scalar("SELECT created_at FROM work WHERE id = $1")
        .bind(work.id)
        .fetch_one(&mut *db)
        .await?;
    let until = since.saturating_add(MAX_WAIT_MS);
    if now >= until {
        return Ok(ResultWait::TooLong { days: (MAX_WAIT_MS / 86_400_000).unsigned_abs() });
    }
    lease::snooze(db, lease, until).await?;
    Ok(ResultWait::Waiting)
}
