//! Batches: submitted as a whole, turned into tasks one by one, ended once. A unit that changes a row has locked its
//! user's balance, so no row becomes two tasks, regardless of how many processes try.

use clipmill_core::ids::{BatchNo, TaskId, TaskNo, UserId};
use clipmill_core::message::{self, Message};
use clipmill_core::results::ResultRef;
use clipmill_core::task::TaskState;

use super::super::accounts::library::uploads;
use super::super::accounts::points::holds::{self, HoldOwner, WHOLE_BATCH};
use super::super::accounts::points::ledger;
use super::super::accounts::quotas::{self, LimitExceeded};
use super::super::rows::{Db, code, column, constraint, count, exactly_one, from_json, to_json};
use super::super::states::live;
use super::super::tasks::{bodies, result_inputs, submit};
use crate::accounts::library::Quota;
use crate::batches::{BatchOutcome, BatchRefusal, DueRow, NewBatch, NewRow, RowItem, RowOutcome, RowState};
use crate::common::body::Body;
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;
use crate::tasks::{NewTask, SubmitOutcome, SubmittedTask};

/// How many tasks of one batch are open at once, so that later tasks of the same user are not far behind them.
const OPEN_AT_ONCE: i64 = 100;
/// How many batches, or tasks of a batch, are examined in one unit.
const MAX_EXAMINED: i64 = 200;
/// How many batches' next rows are read at once, each with its template.
const READ_AT_ONCE: i64 = 20;

pub async fn submit(db: &mut Db, new: &NewBatch, body: &Body, now: Millis) -> StoreResult<BatchOutcome> {
    let available = ledger::balance_to_change(db, new.user).await?.available;
    if let Some(earlier) = earlier(db, new.user, &new.client_batch_id, &new.request_sha256).await? {
        return Ok(earlier);
    }
    if let Some(refused) = too_many_open(db, new.user, new.max_open).await? {
        return Ok(BatchOutcome::Refused(refused));
    }
    let price = new.rows.iter().fold(0_u64, |sum, row| sum.saturating_add(points(&row.items)));
    if let Some(max_points) = new.max_points.filter(|max| price > *max) {
        return Ok(BatchOutcome::Refused(BatchRefusal::AboveLimit { price, max_points }));
    }
    let affordable_rows = affordable(new, available);
    if affordable_rows == 0 || (affordable_rows < new.rows.len() && !new.partial) {
        return Ok(BatchOutcome::Refused(BatchRefusal::InsufficientPoints { needed: price, available }));
    }
    if let Some(refused) = above_quota(db, new.user, &new.quota, now).await? {
        return Ok(BatchOutcome::Refused(refused));
    }
    let ids = new.uploads.iter().cloned().collect();
    if let Some(id) = uploads::gone(db, new.user, &ids).await? {
        return Ok(BatchOutcome::Refused(BatchRefusal::UploadGone { id }));
    }
    let body = bodies::store(db, new.user, body).await?;
    let batch = insert_batch(db, new, body, affordable_rows, now).await?;
    for (index, row) in new.rows.iter().enumerate() {
        insert_row(db, batch, row, index < affordable_rows).await?;
    }
    let points_held =
        new.rows.iter().take(affordable_rows).fold(0_u64, |sum, row| sum.saturating_add(points(&row.items)));
    let held_for = HoldOwner { user: new.user, number: new.batch_no.as_str(), item_no: WHOLE_BATCH };
    holds::place(db, held_for, points_held, message::held_for_batch(), now).await?;
    for upload in new.uploads.iter().cloned().chain(new.results.iter().map(ResultRef::to_string)) {
        sqlx::query("INSERT INTO batch_uploads (upload_id, batch_id) VALUES ($1, $2)")
            .bind(upload)
            .bind(batch)
            .execute(&mut *db)
            .await?;
    }
    Ok(BatchOutcome::Created(new.batch_no.clone()))
}

/// The refusal of another open batch, if the user has as many as allowed.
pub async fn too_many_open(db: &mut Db, user: UserId, limit: u32) -> StoreResult<Option<BatchRefusal>> {
    let open: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM batches WHERE user_id = $1 AND finished_at IS NULL")
            .bind(user.0)
            .fetch_one(db)
            .await?;
    let open = count(open)?;
    Ok((open >= u64::from(limit)).then_some(BatchRefusal::TooManyOpen { open, limit }))
}

/// The refusal of rows, if the user has reached a quota.
pub async fn above_quota(
    db: &mut Db,
    user: UserId,
    quota: &Quota,
    now: Millis,
) -> StoreResult<Option<BatchRefusal>> {
    Ok(quotas::refuse_storing(db, user, quota, now).await?.map(|violation| match violation {
        LimitExceeded::StorageFull(full) => BatchRefusal::StorageFull(full),
        LimitExceeded::TooManyCancelled { given_up, limit } => {
            BatchRefusal::TooManyCancelled { given_up, limit }
        }
    }))
}

/// The batch that already has this id.
pub async fn earlier(
    db: &mut Db,
    user: UserId,
    client_batch_id: &str,
    request_sha256: &[u8; 32],
) -> StoreResult<Option<BatchOutcome>> {
    let row: Option<(String, Vec<u8>)> = sqlx::query_as(
        "SELECT batch_no, request_sha256 FROM batches WHERE user_id = $1 AND client_batch_id = $2",
    )
    .bind(user.0)
    .bind(client_batch_id)
    .fetch_optional(db)
    .await?;
    let Some((number, sha256)) = row else { return Ok(None) };
    let batch_no = batch_no(&number)?;
    let same = sha256 == request_sha256;
    Ok(Some(if same { BatchOutcome::Duplicate(batch_no) } else { BatchOutcome::Conflict { batch_no } }))
}

pub fn points(items: &[RowItem]) -> u64 {
    items.iter().fold(0_u64, |sum, item| sum.saturating_add(item.points))
}

/// How many rows, starting with the first, these points cover.
fn affordable(new: &NewBatch, available: i64) -> usize {
    let mut remaining = u64::try_from(available).unwrap_or(0);
    let enough =
        |row: &&NewRow| remaining.checked_sub(points(&row.items)).inspect(|rest| remaining = *rest).is_some();
    new.rows.iter().take_while(enough).count()
}

async fn insert_batch(db: &mut Db, new: &NewBatch, body: i64, taken: usize, now: Millis) -> StoreResult<i64> {
    let rows = || new.rows.iter().take(taken);
    let items: usize = new.rows.iter().map(|row| row.items.len()).sum();
    let points_held = rows().fold(0_u64, |sum, row| sum.saturating_add(points(&row.items)));
    let size = new.rows.iter().map(size).sum::<StoreResult<u64>>()?;
    sqlx::query_scalar(
        "INSERT INTO batches (batch_no, user_id, client_batch_id, request_sha256, name, callback_url, body_id,
                              template_no, template_version, total_rows, total_items, submitted_points, warnings,
                              created_at, size_bytes, max_points)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) RETURNING id",
    )
    .bind(new.batch_no.as_str())
    .bind(new.user.0)
    .bind(&new.client_batch_id)
    .bind(new.request_sha256.to_vec())
    .bind(&new.name)
    .bind(&new.callback_url)
    .bind(body)
    .bind(new.kept_as.as_ref().map(|kept| kept.template_no.as_str()))
    .bind(new.kept_as.as_ref().map(|kept| i64::from(kept.version)))
    .bind(column(new.rows.len() as u64, "rows")?)
    .bind(column(items as u64, "items")?)
    .bind(column(points_held, "points")?)
    .bind(to_json(&new.warnings)?)
    .bind(now)
    .bind(column(size, "the size of a batch")?)
    .bind(new.max_points.map(|max| column(max, "points")).transpose()?)
    .fetch_one(db)
    .await
    .map_err(constraint("a batch of this number"))
}

/// The bytes that a row takes in the database.
fn size(row: &NewRow) -> StoreResult<u64> {
    Ok((to_json(&row.values)?.len() + to_json(&row.items)?.len()) as u64)
}

async fn insert_row(db: &mut Db, batch: i64, row: &NewRow, affordable: bool) -> StoreResult<()> {
    let refusal = (!affordable).then(message::row_without_points);
    sqlx::query(
        "INSERT INTO batch_rows (batch_id, row_no, row_values, seed, items, total_items, state, error, message_code)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(batch)
    .bind(i64::from(row.row))
    .bind(to_json(&row.values)?)
    .bind(row.seed.cast_signed())
    .bind(to_json(&row.items)?)
    .bind(column(row.items.len() as u64, "items")?)
    .bind(if affordable { RowState::Waiting.as_str() } else { RowState::Refused.as_str() })
    .bind(refusal.as_ref().map(Message::english))
    .bind(refusal.as_ref().and_then(Message::stored_code))
    .execute(&mut *db)
    .await?;
    Ok(())
}

from_row! {
    struct DueRowRecord {
        id: i64,
        user_id: i64,
        client_batch_id: String,
        template_no: Option<String>,
        template_version: Option<i64>,
        row_no: i64,
        row_values: String,
        seed: i64,
        items: String,
        retries: i64,
    }
}

/// The template that the rows of a batch fill.
pub async fn template(db: &mut Db, batch: i64) -> StoreResult<Vec<u8>> {
    let content: Option<Vec<u8>> = sqlx::query_scalar(
        "SELECT c.content FROM batches b JOIN bodies c ON c.id = b.body_id WHERE b.id = $1",
    )
    .bind(batch)
    .fetch_optional(db)
    .await?;
    content.ok_or(StoreError::NotFound)
}

/// The next row of each batch that can continue, of [`READ_AT_ONCE`] batches after `after`.
pub async fn due(db: &mut Db, after: i64) -> StoreResult<Vec<DueRow>> {
    let rows: Vec<DueRowRecord> = sqlx::query_as(concat!(
        "SELECT b.id, b.user_id, b.client_batch_id, b.template_no, b.template_version, r.row_no,
                r.row_values, r.seed, r.items, r.retries
           FROM batches b
           JOIN batch_rows r ON r.batch_id = b.id AND r.row_no =
                (SELECT MIN(w.row_no) FROM batch_rows w WHERE w.batch_id = b.id AND w.state = 'waiting')
          WHERE b.finished_at IS NULL AND b.paused_at IS NULL AND b.cancelled_at IS NULL AND b.id > $3
            AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = b.user_id AND u.off_since IS NOT NULL)
            AND (SELECT COUNT(*) FROM tasks t WHERE t.batch_id = b.id AND t.state IN ",
        live!(),
        ") < $1
          ORDER BY b.id LIMIT $2"
    ))
    .bind(OPEN_AT_ONCE)
    .bind(READ_AT_ONCE)
    .bind(after)
    .fetch_all(db)
    .await?;
    rows.into_iter().map(due_row).collect()
}

fn due_row(row: DueRowRecord) -> StoreResult<DueRow> {
    Ok(DueRow {
        batch: row.id,
        user: UserId(row.user_id),
        client_batch_id: row.client_batch_id,
        kept_as: super::super::tasks::read::template(row.template_no.as_deref(), row.template_version)?,
        row: super::super::rows::count32(row.row_no)?,
        values: from_json(&row.row_values)?,
        seed: row.seed.cast_unsigned(),
        items: from_json(&row.items)?,
        retries: super::super::rows::count32(row.retries)?,
    })
}

/// Creates the task of a row: its points move from the batch to the task.
pub async fn make_row(
    db: &mut Db,
    batch: i64,
    row: u32,
    task: &NewTask,
    body: &Body,
    now: Millis,
) -> StoreResult<RowOutcome> {
    result_inputs::lock(db, &result_inputs::results_of(task)).await?;
    ledger::balance_to_change(db, task.user).await?;
    let Some(WaitingRow { number, points }) = waiting(db, batch, row).await? else {
        return Ok(RowOutcome::NotDue);
    };
    let held_for = HoldOwner { user: task.user, number: &number, item_no: row };
    let task_of_row = match submit::earlier(db, task).await? {
        Some(SubmitOutcome::Duplicate(earlier)) => {
            holds::release_row(db, held_for, points, message::moved_to_task(earlier.task_no.as_str()), now)
                .await?;
            earlier
        }
        Some(SubmitOutcome::Conflict { task_no }) => {
            holds::release_row(db, held_for, points, message::row_not_made(), now).await?;
            let why = message::row_id_taken(task_no.as_str());
            refuse(db, batch, row, RowState::Refused, &why).await?;
            return settled(db, batch, held_for, now).await;
        }
        Some(_) => return Err(StoreError::Corrupt("a task is neither itself nor another".to_owned())),
        None => {
            if quotas::refuse_task(db, task.user, &task.quota, now).await?.is_some() {
                return Ok(RowOutcome::Later);
            }
            holds::release_row(db, held_for, points, message::moved_to_task(task.task_no.as_str()), now)
                .await?;
            // The quotas were checked above, because the record just written counts against them too.
            let available = ledger::balance_to_change(db, task.user).await?.available;
            match submit::accept(db, task, body, available, now).await? {
                SubmitOutcome::Created(task_of_row) => task_of_row,
                // The server checks this when the batch is submitted.
                SubmitOutcome::AboveLimit { price, max_points } => {
                    let why = message::row_above_limit(price, max_points);
                    refuse(db, batch, row, RowState::Refused, &why).await?;
                    return settled(db, batch, held_for, now).await;
                }
                other => return Err(StoreError::Corrupt(format!("a row's task was not taken: {other:?}"))),
            }
        }
    };
    join(db, batch, row, &task_of_row).await?;
    settled(db, batch, held_for, now).await
}

/// After a row was settled: once no row is waiting, the batch's hold ends.
async fn settled(db: &mut Db, batch: i64, row: HoldOwner<'_>, now: Millis) -> StoreResult<RowOutcome> {
    let more: Option<i64> =
        sqlx::query_scalar("SELECT row_no FROM batch_rows WHERE batch_id = $1 AND state = 'waiting' LIMIT 1")
            .bind(batch)
            .fetch_optional(&mut *db)
            .await?;
    if more.is_none() {
        holds::release_batch(db, row.user, row.number, message::row_not_made(), now).await?;
    }
    Ok(RowOutcome::Settled)
}

async fn join(db: &mut Db, batch: i64, row: u32, task: &SubmittedTask) -> StoreResult<()> {
    let TaskId(id) = task.task_id;
    sqlx::query("UPDATE tasks SET batch_id = $2, batch_row = $3 WHERE id = $1")
        .bind(id)
        .bind(batch)
        .bind(i64::from(row))
        .execute(&mut *db)
        .await?;
    let done =
        sqlx::query("UPDATE batch_rows SET state = 'made', task_no = $3 WHERE batch_id = $1 AND row_no = $2")
            .bind(batch)
            .bind(i64::from(row))
            .bind(task.task_no.as_str())
            .execute(db)
            .await?;
    exactly_one(done.rows_affected(), "making a row")
}

/// Ends a row that cannot become a task; its points are released.
pub async fn refuse_row(
    db: &mut Db,
    user: UserId,
    batch: i64,
    row: u32,
    why: &Message,
    now: Millis,
) -> StoreResult<RowOutcome> {
    ledger::balance_to_change(db, user).await?;
    let Some(WaitingRow { number, points }) = waiting(db, batch, row).await? else {
        return Ok(RowOutcome::NotDue);
    };
    let held_for = HoldOwner { user, number: &number, item_no: row };
    holds::release_row(db, held_for, points, message::row_not_made(), now).await?;
    refuse(db, batch, row, RowState::Refused, why).await?;
    settled(db, batch, held_for, now).await
}

/// A row that may become a task.
struct WaitingRow {
    /// The batch's.
    number: String,
    points: u64,
}

/// The row, if it is waiting and its batch continues.
async fn waiting(db: &mut Db, batch: i64, row: u32) -> StoreResult<Option<WaitingRow>> {
    let stored: Option<(String, String)> = sqlx::query_as(
        "SELECT b.batch_no, r.items FROM batches b JOIN batch_rows r ON r.batch_id = b.id
          WHERE b.id = $1 AND r.row_no = $2 AND r.state = 'waiting' AND b.finished_at IS NULL
            AND b.paused_at IS NULL AND b.cancelled_at IS NULL",
    )
    .bind(batch)
    .bind(i64::from(row))
    .fetch_optional(db)
    .await?;
    let row = |(number, items): (String, String)| {
        StoreResult::Ok(WaitingRow { number, points: points(&from_json::<Vec<RowItem>>(&items)?) })
    };
    stored.map(row).transpose()
}

async fn refuse(db: &mut Db, batch: i64, row: u32, state: RowState, why: &Message) -> StoreResult<()> {
    sqlx::query(
        "UPDATE batch_rows SET state = $3, error = $4, message_code = $5 WHERE batch_id = $1 AND row_no = $2",
    )
    .bind(batch)
    .bind(i64::from(row))
    .bind(state.as_str())
    .bind(why.english())
    .bind(why.stored_code())
    .execute(db)
    .await?;
    Ok(())
}

/// Batches all of whose rows are settled and all of whose tasks have ended.
pub async fn over(db: &mut Db) -> StoreResult<Vec<i64>> {
    Ok(sqlx::query_scalar(concat!(
        "SELECT b.id FROM batches b WHERE b.finished_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM batch_rows r WHERE r.batch_id = b.id AND r.state = 'waiting')
            AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.batch_id = b.id AND t.state IN ",
        live!(),
        ") ORDER BY b.id LIMIT $1"
    ))
    .bind(MAX_EXAMINED)
    .fetch_all(db)
    .await?)
}

/// Ends a batch whose rows and tasks have ended; only one of several attempts does so.
pub async fn finish(db: &mut Db, batch: i64, now: Millis) -> StoreResult<bool> {
    let owner: Option<i64> = sqlx::query_scalar("SELECT user_id FROM batches WHERE id = $1")
        .bind(batch)
        .fetch_optional(&mut *db)
        .await?;
    let Some(owner) = owner else { return Ok(false) };
    // No row is retried meanwhile.
    ledger::balance_to_change(db, UserId(owner)).await?;
    let ended: Option<i64> = sqlx::query_scalar(concat!(
        "UPDATE batches SET finished_at = $2, state = CASE
                WHEN cancelled_at IS NOT NULL THEN 5
                WHEN EXISTS (SELECT 1 FROM tasks t WHERE t.batch_id = batches.id AND t.completed_items > 0) THEN 3
                ELSE 4 END
          WHERE id = $1 AND finished_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM batch_rows r WHERE r.batch_id = batches.id AND r.state = 'waiting')
            AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.batch_id = batches.id AND t.state IN ",
        live!(),
        ") RETURNING state"
    ))
    .bind(batch)
    .bind(now)
    .fetch_optional(&mut *db)
    .await?;
    let Some(ended) = ended else { return Ok(false) };
    // A batch that has ended again has another event.
    sqlx::query(
        "INSERT INTO outbox (event_id, batch_id, kind, created_at, due_at, decided_at)
         SELECT 'evt_' || batch_no || COALESCE((SELECT '_' || CAST(CAST(SUM(r.retries) AS BIGINT) AS TEXT)
                  FROM batch_rows r WHERE r.batch_id = batches.id AND r.retries > 0), ''), id, $2, $3, $3, $3
           FROM batches WHERE id = $1 AND callback_url IS NOT NULL",
    )
    .bind(batch)
    .bind(event_kind(ended)?)
    .bind(now)
    .execute(db)
    .await?;
    Ok(true)
}

fn event_kind(ended: i64) -> StoreResult<&'static str> {
    match super::super::rows::state(ended)? {
        TaskState::Completed => Ok("batch.completed"),
        TaskState::Failed => Ok("batch.failed"),
        TaskState::Cancelled => Ok("batch.cancelled"),
        other => Err(StoreError::Corrupt(format!("{other} is not a batch outcome"))),
    }
}

/// Cancels a batch: the points of rows that have not started are released. Returns whether it was still open; its
/// tasks are cancelled one by one.
pub async fn cancel(db: &mut Db, user: UserId, batch_no: &BatchNo, now: Millis) -> StoreResult<Option<bool>> {
    ledger::balance_to_change(db, user).await?;
    let row: Option<(i64, i64)> =
        sqlx::query_as("SELECT id, state FROM batches WHERE batch_no = $1 AND user_id = $2")
            .bind(batch_no.as_str())
            .bind(user.0)
            .fetch_optional(&mut *db)
            .await?;
    let Some((id, state)) = row else { return Ok(None) };
    if state != code(TaskState::Executing) {
        return Ok(Some(false));
    }
    // Batches from before schema 48 have a hold for each row.
    let held: Vec<i64> = sqlx::query_scalar(
        "SELECT item_no FROM holds WHERE task_no = $1 AND state = 'open' ORDER BY item_no",
    )
    .bind(batch_no.as_str())
    .fetch_all(&mut *db)
    .await?;
    for item_no in held {
        let held_for =
            HoldOwner { user, number: batch_no.as_str(), item_no: super::super::rows::count32(item_no)? };
        holds::release(db, held_for, message::row_not_made(), now).await?;
    }
    let why = message::row_cancelled();
    sqlx::query(
        "UPDATE batch_rows SET state = 'cancelled', error = $2, message_code = $3
          WHERE batch_id = $1 AND state = 'waiting'",
    )
    .bind(id)
    .bind(why.english())
    .bind(why.stored_code())
    .execute(&mut *db)
    .await?;
    sqlx::query("UPDATE batches SET cancelled_at = COALESCE(cancelled_at, $2) WHERE id = $1")
        .bind(id)
        .bind(now)
        .execute(db)
        .await?;
    Ok(Some(true))
}

/// Open tasks of cancelled batches.
pub async fn tasks_to_cancel(db: &mut Db) -> StoreResult<Vec<(UserId, TaskNo)>> {
    let rows: Vec<(i64, String)> = sqlx::query_as(concat!(
        "SELECT t.user_id, t.task_no FROM batches b JOIN tasks t ON t.batch_id = b.id
          WHERE b.finished_at IS NULL AND b.cancelled_at IS NOT NULL AND t.state IN ",
        live!(),
        " ORDER BY t.id LIMIT $1"
    ))
    .bind(MAX_EXAMINED)
    .fetch_all(db)
    .await?;
    rows.into_iter().map(|(user, number)| Ok((UserId(user), super::super::rows::task_no(&number)?))).collect()
}

/// Pauses or resumes creating tasks from rows; `None` if the user has no such batch.
pub async fn pause(
    db: &mut Db,
    user: UserId,
    batch_no: &BatchNo,
    paused: bool,
    now: Millis,
) -> StoreResult<Option<()>> {
    let update = sqlx::query(
        "UPDATE batches SET paused_at = CASE WHEN $3 = 1 THEN COALESCE(paused_at, $4) END
          WHERE batch_no = $1 AND user_id = $2",
    )
    .bind(batch_no.as_str())
    .bind(user.0)
    .bind(i64::from(paused))
    .bind(now)
    .execute(db)
    .await?;
    Ok((update.rows_affected() == 1).then_some(()))
}

pub fn batch_no(text: &str) -> StoreResult<BatchNo> {
    BatchNo::parse(text).ok_or_else(|| StoreError::Corrupt(format!("{text:?} is not a batch number")))
}
