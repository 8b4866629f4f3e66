//! Ends items and tasks: state, points and event in one place.

use std::collections::BTreeSet;

use clipmill_core::error::TaskError;
use clipmill_core::ids::{ItemId, TaskId, TaskNo, UserId};
use clipmill_core::message::{self, Message};
use clipmill_core::task::{TaskEvent, TaskState};

use super::super::accounts::points::holds::{self, HoldOwner};
use super::super::queue::jobs::progress;
use super::super::rows::{self, Db, code, count32, exactly_one, from_json, state, to_json};
use super::super::states::live;
use super::result_inputs;
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;

/// An item that has not ended.
pub struct LiveItem {
    pub id: ItemId,
    pub item_no: u32,
    pub task: TaskId,
    pub task_no: TaskNo,
    pub user: UserId,
}

impl LiveItem {
    pub fn held_for(&self) -> HoldOwner<'_> {
        HoldOwner { user: self.user, number: self.task_no.as_str(), item_no: self.item_no }
    }
}

macro_rules! select_items {
    ($rest:literal) => {
        concat!(
            "SELECT i.id, i.item_no, i.task_id, t.task_no, t.user_id
               FROM items i JOIN tasks t ON t.id = i.task_id WHERE i.state IN ",
            live!(),
            " AND ",
            $rest
        )
    };
}

type LiveRow = (i64, i64, i64, String, i64);

fn live((id, item_no, task, task_no, user): LiveRow) -> StoreResult<LiveItem> {
    Ok(LiveItem {
        id: ItemId(id),
        item_no: count32(item_no)?,
        task: TaskId(task),
        task_no: rows::task_no(&task_no)?,
        user: UserId(user),
    })
}

pub async fn live_item(db: &mut Db, item: ItemId) -> StoreResult<LiveItem> {
    let row: Option<LiveRow> =
        sqlx::query_as(select_items!("i.id = $1")).bind(item.0).fetch_optional(db).await?;
    row.map(live).transpose()?.ok_or_else(|| StoreError::Corrupt(format!("item {item} has ended already")))
}

pub async fn live_items(db: &mut Db, task: TaskId) -> StoreResult<Vec<LiveItem>> {
    let rows: Vec<LiveRow> =
        sqlx::query_as(select_items!("i.task_id = $1 ORDER BY i.item_no")).bind(task.0).fetch_all(db).await?;
    rows.into_iter().map(live).collect()
}

/// Items of one user that wait for a segment.
pub async fn waiting_items(db: &mut Db, key: &str, user: UserId) -> StoreResult<Vec<LiveItem>> {
    let rows: Vec<LiveRow> = sqlx::query_as(select_items!(
        "i.id IN (SELECT item_id FROM waiting_items WHERE hash = $1 AND user_id = $2) ORDER BY i.id"
    ))
    .bind(key)
    .bind(user.0)
    .fetch_all(db)
    .await?;
    rows.into_iter().map(live).collect()
}

/// Ends an item without an output: its points are released, and work that only it needed is dropped. The caller
/// updates the task.
pub async fn end_item(
    db: &mut Db,
    item: &LiveItem,
    to: TaskState,
    error: Option<&TaskError>,
    now: Millis,
) -> StoreResult<()> {
    let error = error.map(to_json).transpose()?;
    let update = sqlx::query(concat!(
        "UPDATE items SET state = $2, error = $3, ended_order = COALESCE(
                (SELECT MAX(o.ended_order) FROM items o WHERE o.task_id = items.task_id), 0) + 1
          WHERE id = $1 AND state IN ",
        live!()
    ))
    .bind(item.id.0)
    .bind(code(to))
    .bind(&error)
    .execute(&mut *db)
    .await?;
    exactly_one(update.rows_affected(), "ending an item")?;
    holds::release(db, item.held_for(), message::output_not_made(), now).await?;
    if to == TaskState::Cancelled {
        progress::item_stopped(db, item.id).await?;
    } else {
        progress::item_gone(db, item.id, item.task).await?;
    }
    drop_jobs(db, item.id).await?;
    result_inputs::wake(db, item.id, &item.task_no, item.item_no).await?;
    let failed = i64::from(to == TaskState::Failed || to == TaskState::Rejected && error.is_some());
    sqlx::query("UPDATE tasks SET failed_items = failed_items + $2 WHERE id = $1")
        .bind(item.task.0)
        .bind(failed)
        .execute(db)
        .await?;
    Ok(())
}

/// Drops the item's assembly and the segments that no other item waits for. A worker that is executing one of them
/// loses its lease and stops.
async fn drop_jobs(db: &mut Db, item: ItemId) -> StoreResult<()> {
    sqlx::query(
        "UPDATE work SET state = 'dropped', worker = NULL, lease_until = NULL, run_after = NULL
          WHERE item_id = $1 AND state IN ('ready', 'delayed', 'waiting', 'running')",
    )
    .bind(item.0)
    .execute(&mut *db)
    .await?;
    sqlx::query(
        "UPDATE work SET state = 'dropped', worker = NULL, lease_until = NULL, run_after = NULL
          WHERE state IN ('ready', 'delayed', 'running')
            AND segment_hash IN (SELECT hash FROM item_segments WHERE item_id = $1)
            AND NOT EXISTS (SELECT 1 FROM waiting_items w WHERE w.hash = work.segment_hash)",
    )
    .bind(item.0)
    .execute(db)
    .await?;
    Ok(())
}

from_row! {
    struct TaskRow {
        state: i64,
        total_items: i64,
        completed_items: i64,
        failed_items: i64,
    }
}

/// Ends the task if all its items have ended.
pub async fn end_task_if_over(db: &mut Db, task: TaskId, now: Millis) -> StoreResult<()> {
    let row: TaskRow =
        sqlx::query_as("SELECT state, total_items, completed_items, failed_items FROM tasks WHERE id = $1")
            .bind(task.0)
            .fetch_one(&mut *db)
            .await?;
    // Rows of items are wide, so they are read only once, at the end.
    if row.completed_items + row.failed_items < row.total_items {
        return Ok(());
    }
    let live: i64 =
        sqlx::query_scalar(concat!("SELECT COUNT(*) FROM items WHERE task_id = $1 AND state IN ", live!()))
            .bind(task.0)
            .fetch_one(&mut *db)
            .await?;
    if live > 0 {
        return Ok(());
    }
    let from = start_if_queued(db, task, state(row.state)?, now).await?;
    let delivered = count32(row.completed_items)? as usize;
    let to = from.after(TaskEvent::ItemsEnded { delivered }).map_err(illegal)?;
    let message = failures(db, task, row.failed_items, row.total_items).await?;
    end_task(db, task, from, to, message.as_ref(), now).await
}

/// A shared segment that another task started can end a task without a claim of its own; the task then counts as
/// started.
async fn start_if_queued(db: &mut Db, task: TaskId, from: TaskState, now: Millis) -> StoreResult<TaskState> {
    if from != TaskState::Queued {
        return Ok(from);
    }
    let to = from.after(TaskEvent::WorkStarted).map_err(illegal)?;
    let update = sqlx::query("UPDATE tasks SET state = $3, started_at = $4 WHERE id = $1 AND state = $2")
        .bind(task.0)
        .bind(code(from))
        .bind(code(to))
        .bind(now)
        .execute(db)
        .await?;
    exactly_one(update.rows_affected(), "starting a task")?;
    Ok(to)
}

/// Writes the final state and, if the client asked for a callback, its event.
pub async fn end_task(
    db: &mut Db,
    task: TaskId,
    from: TaskState,
    to: TaskState,
    message: Option<&Message>,
    now: Millis,
) -> StoreResult<()> {
    progress::fold(db, task).await?;
    let update = sqlx::query(
        "UPDATE tasks SET state = $3, finished_at = $4, error_message = $5, message_code = $6
          WHERE id = $1 AND state = $2",
    )
    .bind(task.0)
    .bind(code(from))
    .bind(code(to))
    .bind(now)
    .bind(message.map(Message::english))
    .bind(message.and_then(Message::stored_code))
    .execute(&mut *db)
    .await?;
    exactly_one(update.rows_affected(), "ending a task")?;
    sqlx::query(
        "INSERT INTO outbox (event_id, task_id, kind, created_at, due_at, decided_at)
         SELECT 'evt_' || task_no, id, $2, $3, $3, $3 FROM tasks WHERE id = $1 AND callback_url IS NOT NULL",
    )
    .bind(task.0)
    .bind(event_kind(to)?)
    .bind(now)
    .execute(db)
    .await?;
    Ok(())
}

pub fn illegal(error: clipmill_core::task::IllegalTransition) -> StoreError {
    StoreError::Corrupt(error.to_string())
}

fn event_kind(state: TaskState) -> StoreResult<&'static str> {
    match state {
        TaskState::Completed => Ok("task.completed"),
        TaskState::Failed => Ok("task.failed"),
        TaskState::Cancelled => Ok("task.cancelled"),
        TaskState::Rejected => Ok("task.rejected"),
        other => Err(StoreError::Corrupt(format!("{other} is not a final state"))),
    }
}

/// How many different failures a task's message lists.
const SPELT_OUT: usize = 3;

async fn failures(db: &mut Db, task: TaskId, failed: i64, total: i64) -> StoreResult<Option<Message>> {
    let rows: Vec<(i64, String)> = sqlx::query_as(
        "SELECT item_no, error FROM items WHERE task_id = $1 AND error IS NOT NULL ORDER BY item_no LIMIT 100",
    )
    .bind(task.0)
    .fetch_all(db)
    .await?;
    let errors = rows
        .iter()
        .map(|(item_no, error)| Ok((count32(*item_no)?, from_json(error)?)))
        .collect::<StoreResult<Vec<(u32, TaskError)>>>()?;
    if errors.is_empty() {
        return Ok(None);
    }
    let mut reported = BTreeSet::new();
    let lines: Vec<Message> = errors
        .iter()
        .filter(|(_, error)| reported.insert(describe(error).english().to_owned()))
        .take(SPELT_OUT)
        .map(|(item_no, error)| message::of_item(*item_no, describe(error)))
        .collect();
    Ok(Some(message::items_failed(failed, total, lines)))
}

/// An error in one line, with the input if the message does not mention it.
pub fn describe(error: &TaskError) -> Message {
    match &error.input {
        Some(input) if !error.message.mentions(input) => message::about_input(input, &error.message),
        _ => error.message.clone(),
    }
}
