//! Completing items: state, points and the end of the task in one unit, for all items of a task whose outputs are
//! assembled. All deliveries for a task would wait for the lock on its row. A unit that finds the row locked records
//! its output and returns; the unit that holds the row, or the next one that locks it, also completes the recorded
//! outputs.

use std::collections::{BTreeMap, HashMap};

use clipmill_core::ids::{ItemId, TaskId, TaskNo, UserId};
use clipmill_core::task::TaskState;
use sqlx::QueryBuilder;

use super::super::super::accounts::points::holds::{self, Hold, HoldOwner, Settlement};
use super::super::super::maintenance::operations::usage;
use super::super::super::tasks::{result_inputs, task_end};
use super::super::dialect::locks;
use super::super::rows::{self, Database, Db, code, column, count32, exactly_one, from_json, to_json};
use super::progress;
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;
use crate::tasks::ItemResult;

from_row! {
    /// An assembled output.
    pub struct Completion {
        item_id: i64,
        result: String,
        hashes: Option<String>,
        points: i64,
    }
}

impl Completion {
    pub fn new(item: ItemId, result: &ItemResult, points: u64) -> StoreResult<Self> {
        Ok(Self {
            item_id: item.0,
            result: to_json(result)?,
            hashes: result.pictures.as_ref().map(to_json).transpose()?,
            points: i64::try_from(points).unwrap_or(i64::MAX),
        })
    }
}

/// Records it for the unit that has locked the task's row.
pub async fn note(db: &mut Db, task: TaskId, completion: &Completion) -> StoreResult<()> {
    sqlx::query(
        "INSERT INTO completions (item_id, task_id, result, hashes, points) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (item_id) DO UPDATE SET
            result = excluded.result, hashes = excluded.hashes, points = excluded.points",
    )
    .bind(completion.item_id)
    .bind(task.0)
    .bind(&completion.result)
    .bind(&completion.hashes)
    .bind(completion.points)
    .execute(db)
    .await?;
    Ok(())
}

/// Whether the recorded output of the item is still waiting.
pub async fn waits(db: &mut Db, item: ItemId) -> StoreResult<bool> {
    let noted: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM completions WHERE item_id = $1")
        .bind(item.0)
        .fetch_one(db)
        .await?;
    Ok(noted > 0)
}

/// Whether the item ended with its output.
pub async fn completed(db: &mut Db, item: ItemId) -> StoreResult<bool> {
    let completed: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM items WHERE id = $1 AND state = $2")
        .bind(item.0)
        .bind(code(TaskState::Completed))
        .fetch_one(db)
        .await?;
    Ok(completed > 0)
}

/// Tasks with recorded outputs that are not settled.
pub async fn left(db: &mut Db) -> StoreResult<Vec<TaskId>> {
    let tasks: Vec<i64> =
        sqlx::query_scalar("SELECT DISTINCT task_id FROM completions LIMIT 1000").fetch_all(db).await?;
    Ok(tasks.into_iter().map(TaskId).collect())
}

/// Completes the recorded outputs of a task; returns `false` if another unit has locked its row.
pub async fn settle_if_free(db: &mut Db, task: TaskId, now: Millis) -> StoreResult<bool> {
    if locks::free_tasks(db, &[task]).await?.is_empty() {
        return Ok(false);
    }
    settle(db, BTreeMap::from([(task, Vec::new())]), now).await?;
    Ok(true)
}

/// Completes the recorded and the given outputs of these tasks. The caller has locked the tasks' rows.
pub async fn settle(db: &mut Db, tasks: BTreeMap<TaskId, Vec<Completion>>, now: Millis) -> StoreResult<()> {
    let mut outputs = Vec::with_capacity(tasks.len());
    for (task, completions) in tasks {
        outputs.extend(write(db, task, completions).await?);
    }
    // Balances come last, in the order of their users.
    outputs.sort_by_key(|task| (task.user, task.task));
    for tasks in outputs.chunk_by(|a, b| a.user == b.user) {
        let Some(WrittenOutputs { user, .. }) = tasks.first() else { continue };
        let settlements: Vec<Settlement<'_>> = tasks.iter().flat_map(WrittenOutputs::settlements).collect();
        let charged = settlements.iter().map(|settlement| settlement.charged).sum();
        let output_ms = tasks.iter().map(|task| task.output_ms).fold(0, u64::saturating_add);
        holds::settle(db, *user, &settlements, now).await?;
        usage::note(db, *user, settlements.len(), output_ms, charged, now).await?;
    }
    for task in outputs {
        task_end::end_task_if_over(db, task.task, now).await?;
    }
    Ok(())
}

/// Written outputs of a task whose points are still held.
struct WrittenOutputs {
    task: TaskId,
    user: UserId,
    task_no: TaskNo,
    done: Vec<CompletedItem>,
    output_ms: u64,
}

impl WrittenOutputs {
    fn settlements(&self) -> impl Iterator<Item = Settlement<'_>> {
        self.done.iter().map(|item| item.settlement(self.user, &self.task_no))
    }
}

/// Writes the recorded and the given outputs of a task.
async fn write(
    db: &mut Db,
    task: TaskId,
    completions: Vec<Completion>,
) -> StoreResult<Option<WrittenOutputs>> {
    let mut all: Vec<Completion> = sqlx::query_as(
        "DELETE FROM completions WHERE task_id = $1 RETURNING item_id, result, hashes, points",
    )
    .bind(task.0)
    .fetch_all(&mut *db)
    .await?;
    let item_ids: Vec<i64> = completions.iter().map(|completion| completion.item_id).collect();
    all.extend(completions);
    let done = open(db, task, all).await?;
    // The unit that ended the item in another way revoked the lease.
    if let Some(item) =
        item_ids.iter().find(|item_id| done.iter().all(|item| item.completion.item_id != **item_id))
    {
        return Err(StoreError::Corrupt(format!("item {item} has ended already or holds no points")));
    }
    let Some(first) = done.first() else { return Ok(None) };
    let (user, task_no) = (first.user, first.task_no.clone());
    let ended = count(db, task, &done).await?;
    progress::fold(db, task).await?;
    let output_ms = write_results(db, user, &done, ended).await?;
    Ok(Some(WrittenOutputs { task, user, task_no, done, output_ms }))
}

/// An item that is completed now.
struct CompletedItem {
    completion: Completion,
    item_no: u32,
    user: UserId,
    task_no: TaskNo,
    hold: Hold,
    finish_weight: i64,
}

impl CompletedItem {
    fn charged(&self) -> i64 {
        self.hold.charge(self.completion.points)
    }

    fn settlement<'a>(&self, user: UserId, task_no: &'a TaskNo) -> Settlement<'a> {
        let held_for = HoldOwner { user, number: task_no.as_str(), item_no: self.item_no };
        Settlement { held_for, hold: self.hold, charged: self.charged() }
    }
}

from_row! {
    struct OpenRow {
        id: i64,
        item_no: i64,
        finish_weight: i64,
        user_id: i64,
        task_no: String,
        hold_id: i64,
        amount: i64,
    }
}

/// Those whose items have not ended, in the order of their items, with their held points.
async fn open(db: &mut Db, task: TaskId, all: Vec<Completion>) -> StoreResult<Vec<CompletedItem>> {
    if all.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = QueryBuilder::<Database>::new(
        "SELECT i.id, i.item_no, i.finish_weight, t.user_id, t.task_no, h.id AS hold_id, h.amount
           FROM items i JOIN tasks t ON t.id = i.task_id
           JOIN holds h ON h.task_no = t.task_no AND h.item_no = i.item_no AND h.state = 'open'
          WHERE i.task_id = ",
    );
    query
        .push_bind(task.0)
        .push(" AND i.state = ")
        .push_bind(code(TaskState::Executing))
        .push(" AND i.id IN (");
    let mut ids = query.separated(", ");
    for completion in &all {
        ids.push_bind(completion.item_id);
    }
    query.push(") ORDER BY i.item_no");
    let rows: Vec<OpenRow> = query.build_query_as().persistent(all.len() == 1).fetch_all(db).await?;
    let mut completions: HashMap<i64, Completion> =
        all.into_iter().map(|noted| (noted.item_id, noted)).collect();
    let done = rows.into_iter().filter_map(|row| Some((completions.remove(&row.id)?, row)));
    let done = done.map(|(completion, row)| {
        Ok(CompletedItem {
            completion,
            item_no: count32(row.item_no)?,
            user: UserId(row.user_id),
            task_no: rows::task_no(&row.task_no)?,
            hold: Hold::open(row.hold_id, row.amount),
            finish_weight: row.finish_weight,
        })
    });
    let done = done.collect::<StoreResult<Vec<CompletedItem>>>()?;
    for item in completions.keys() {
        // The worker is told that the lease was lost.
        tracing::warn!(item, "received an output of an item that has already ended");
    }
    Ok(done)
}

/// Returns how many of the task's items had ended before these.
async fn count(db: &mut Db, task: TaskId, done: &[CompletedItem]) -> StoreResult<i64> {
    let items = i64::try_from(done.len()).unwrap_or(i64::MAX);
    let ended: Option<i64> = sqlx::query_scalar(
        "UPDATE tasks SET completed_items = completed_items + $2, consumed_points = consumed_points + $3,
                frames_done = frames_done + $4
          WHERE id = $1 RETURNING completed_items + failed_items - $2",
    )
    .bind(task.0)
    .bind(items)
    .bind(done.iter().map(CompletedItem::charged).sum::<i64>())
    .bind(done.iter().map(|item| item.finish_weight).sum::<i64>())
    .fetch_optional(db)
    .await?;
    ended.ok_or_else(|| StoreError::Corrupt(format!("task {task} is gone")))
}

/// Returns the total length in milliseconds.
async fn write_results(
    db: &mut Db,
    user: UserId,
    done: &[CompletedItem],
    ended_before: i64,
) -> StoreResult<u64> {
    let mut output_ms = 0_u64;
    for (order, item) in (ended_before + 1..).zip(done) {
        let result: ItemResult = from_json(&item.completion.result)?;
        output_ms = output_ms.saturating_add(result.duration_ms);
        let insert = sqlx::query(
            "UPDATE items SET state = $3, result = $4, charged = $5, stored_user = $6, stored_bytes = $7,
                    stored_until = $8, picture_hashes = $9, ended_order = $10, frames_done = frames_planned
              WHERE id = $1 AND state = $2",
        )
        .bind(item.completion.item_id)
        .bind(code(TaskState::Executing))
        .bind(code(TaskState::Completed))
        .bind(&item.completion.result)
        .bind(item.charged())
        .bind(user.0)
        .bind(column(result.size_bytes, "result size")?)
        .bind(result.expires_at)
        .bind(&item.completion.hashes)
        .bind(order)
        .execute(&mut *db)
        .await?;
        exactly_one(insert.rows_affected(), "delivering an item")?;
        result_inputs::wake(db, ItemId(item.completion.item_id), &item.task_no, item.item_no).await?;
    }
    Ok(output_ms)
}
