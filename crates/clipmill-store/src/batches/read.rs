//! Batches as their owners see them.

use clipmill_core::ids::{BatchNo, UserId};
use clipmill_core::message::Message;
use sqlx::QueryBuilder;

use super::super::rows::{self, Database, Db, count, count32, from_json, offset, state};
use super::super::states::ended;
use super::super::tasks::read::template;
use super::super::tasks::search::push_list;
use super::write::batch_no;
use crate::batches::{BatchItem, BatchRecord, BatchRow, RowFilter, RowState, RowTask};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;
use crate::common::page::{Page, Paged};

const SELECT: &str = "SELECT b.id, b.batch_no, b.user_id, b.client_batch_id, b.name, b.template_no, b.template_version,
            b.state, b.paused_at, b.total_rows, b.total_items, b.submitted_points, b.warnings, b.created_at, b.finished_at
       FROM batches b";

pub async fn get(db: &mut Db, user: UserId, batch_no: &BatchNo) -> StoreResult<Option<BatchRecord>> {
    let mut query = QueryBuilder::<Database>::new(SELECT);
    query.push(" WHERE b.user_id = ").push_bind(user.0);
    query.push(" AND b.batch_no = ").push_bind(batch_no.as_str().to_owned());
    let row: Option<RecordRow> = query.build_query_as().fetch_optional(&mut *db).await?;
    match row {
        Some(row) => record(db, row).await.map(Some),
        None => Ok(None),
    }
}

pub async fn page(db: &mut Db, user: UserId, page: Page) -> StoreResult<Paged<BatchRecord>> {
    let total: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM batches WHERE user_id = $1")
        .bind(user.0)
        .fetch_one(&mut *db)
        .await?;
    let mut query = QueryBuilder::<Database>::new(SELECT);
    query.push(" WHERE b.user_id = ").push_bind(user.0);
    query.push(" ORDER BY b.created_at DESC, b.id DESC LIMIT ").push_bind(i64::from(page.size));
    query.push(" OFFSET ").push_bind(offset(page));
    Ok(Paged { list: records(db, query).await?, total: count(total)? })
}

/// The batches of these ids, the newest first.
pub async fn of_ids(db: &mut Db, ids: &[i64]) -> StoreResult<Vec<BatchRecord>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = QueryBuilder::<Database>::new(SELECT);
    query.push(" WHERE b.id IN (");
    push_list(&mut query, ids);
    query.push(") ORDER BY b.created_at DESC, b.id DESC");
    records(db, query).await
}

async fn records(db: &mut Db, mut query: QueryBuilder<Database>) -> StoreResult<Vec<BatchRecord>> {
    let rows: Vec<RecordRow> = query.build_query_as().fetch_all(&mut *db).await?;
    let mut list = Vec::with_capacity(rows.len());
    for row in rows {
        list.push(record(db, row).await?);
    }
    Ok(list)
}

pub async fn owner(db: &mut Db, batch_no: &BatchNo) -> StoreResult<Option<UserId>> {
    let user: Option<i64> = sqlx::query_scalar("SELECT user_id FROM batches WHERE batch_no = $1")
        .bind(batch_no.as_str())
        .fetch_optional(db)
        .await?;
    Ok(user.map(UserId))
}

/// `$1` the batch, `$2` a state of its rows or NULL, `$3` 1 for those that failed.
macro_rules! wanted_rows {
    () => {
        concat!(
            " FROM batch_rows r LEFT JOIN tasks t ON t.task_no = r.task_no
          WHERE r.batch_id = $1 AND (CAST($2 AS TEXT) IS NULL OR r.state = $2)
            AND ($3 = 0 OR r.state = 'refused' OR t.failed_items > 0 OR (t.completed_items < t.total_items AND t.state IN ",
            ended!(),
            "))"
        )
    };
}

/// Rows in order; `total` counts all matching rows.
pub async fn rows(db: &mut Db, batch: i64, which: RowFilter, page: Page) -> StoreResult<Paged<BatchRow>> {
    let in_state = match which {
        RowFilter::In(state) => Some(state.as_str()),
        RowFilter::All | RowFilter::Failed => None,
    };
    let failed = i64::from(which == RowFilter::Failed);
    let total: i64 = sqlx::query_scalar(concat!("SELECT COUNT(*)", wanted_rows!()))
        .bind(batch)
        .bind(in_state)
        .bind(failed)
        .fetch_one(&mut *db)
        .await?;
    let rows: Vec<BatchRowRecord> = sqlx::query_as(concat!(
        "SELECT r.row_no, r.row_values, r.state, r.task_no, r.error, r.message_code, t.state AS task_state,
                t.total_items, t.completed_items, t.failed_items, t.error_message AS task_error,
                t.message_code AS task_error_code",
        wanted_rows!(),
        " ORDER BY r.row_no LIMIT $4 OFFSET $5"
    ))
    .bind(batch)
    .bind(in_state)
    .bind(failed)
    .bind(i64::from(page.size))
    .bind(offset(page))
    .fetch_all(db)
    .await?;
    Ok(Paged { list: rows.into_iter().map(row).collect::<StoreResult<_>>()?, total: count(total)? })
}

/// Outputs in the order of rows, those after `after`, a row and an item of it.
pub async fn items(db: &mut Db, batch: i64, after: (u32, u32), max: u32) -> StoreResult<Vec<BatchItem>> {
    let rows: Vec<ItemRow> = sqlx::query_as(
        "SELECT t.batch_row, t.task_no, t.name, i.item_no, i.state, i.result, i.error
           FROM tasks t JOIN items i ON i.task_id = t.id
          WHERE t.batch_id = $1 AND (t.batch_row > $2 OR (t.batch_row = $2 AND i.item_no > $3))
          ORDER BY t.batch_row, i.item_no LIMIT $4",
    )
    .bind(batch)
    .bind(i64::from(after.0))
    .bind(i64::from(after.1))
    .bind(i64::from(max))
    .fetch_all(db)
    .await?;
    rows.into_iter().map(item).collect()
}

from_row! {
    struct RecordRow {
        id: i64,
        batch_no: String,
        user_id: i64,
        client_batch_id: String,
        name: Option<String>,
        template_no: Option<String>,
        template_version: Option<i64>,
        state: i64,
        paused_at: Option<Millis>,
        total_rows: i64,
        total_items: i64,
        submitted_points: i64,
        warnings: String,
        created_at: Millis,
        finished_at: Option<Millis>,
    }
}

/// Sums over the rows of one batch, and over its tasks: no other batch is read for them.
type RowSums = (i64, i64, i64, i64, i64);
type TaskSums = (i64, i64, i64, i64);

async fn record(db: &mut Db, row: RecordRow) -> StoreResult<BatchRecord> {
    let (waiting, made, refused, refused_items, replaced): RowSums = sqlx::query_as(
        "SELECT CAST(COALESCE(SUM(CASE WHEN state = 'waiting' THEN 1 ELSE 0 END), 0) AS BIGINT),
                CAST(COALESCE(SUM(CASE WHEN state = 'made' THEN 1 ELSE 0 END), 0) AS BIGINT),
                CAST(COALESCE(SUM(CASE WHEN state IN ('refused', 'cancelled') THEN 1 ELSE 0 END), 0) AS BIGINT),
                CAST(COALESCE(SUM(CASE WHEN state IN ('refused', 'cancelled') THEN total_items ELSE 0 END), 0) AS BIGINT),
                CAST(COALESCE(SUM(replaced_points), 0) AS BIGINT)
           FROM batch_rows WHERE batch_id = $1",
    )
    .bind(row.id)
    .fetch_one(&mut *db)
    .await?;
    let (completed, failed, consumed, done): TaskSums = sqlx::query_as(concat!(
        "SELECT CAST(COALESCE(SUM(completed_items), 0) AS BIGINT), CAST(COALESCE(SUM(failed_items), 0) AS BIGINT),
                CAST(COALESCE(SUM(consumed_points), 0) AS BIGINT),
                CAST(COALESCE(SUM(total_items * CASE WHEN state IN ",
        ended!(),
        " THEN 1000
                     WHEN frames_planned > 0 THEN frames_done * 1000 / frames_planned ELSE 0 END), 0) AS BIGINT)
           FROM tasks WHERE batch_id = $1"
    ))
    .bind(row.id)
    .fetch_one(db)
    .await?;
    Ok(BatchRecord {
        id: row.id,
        batch_no: batch_no(&row.batch_no)?,
        user: UserId(row.user_id),
        client_batch_id: row.client_batch_id,
        name: row.name,
        template: template(row.template_no.as_deref(), row.template_version)?,
        state: state(row.state)?,
        paused: row.paused_at.is_some(),
        total_rows: count32(row.total_rows)?,
        waiting_rows: count32(waiting)?,
        made_rows: count32(made)?,
        refused_rows: count32(refused)?,
        total_items: count(row.total_items)?,
        completed_items: count(completed)?,
        failed_items: count(failed)?,
        done_thousandths: count(done)?.saturating_add(count(refused_items)?.saturating_mul(1000)),
        submitted_points: count(row.submitted_points)?,
        consumed_points: count(consumed.saturating_add(replaced))?,
        warnings: from_json(&row.warnings)?,
        created_at: row.created_at,
        finished_at: row.finished_at,
    })
}

from_row! {
    struct BatchRowRecord {
        row_no: i64,
        row_values: String,
        state: String,
        task_no: Option<String>,
        error: Option<String>,
        message_code: Option<String>,
        task_state: Option<i64>,
        total_items: Option<i64>,
        completed_items: Option<i64>,
        failed_items: Option<i64>,
        task_error: Option<String>,
        task_error_code: Option<String>,
    }
}

fn row(row: BatchRowRecord) -> StoreResult<BatchRow> {
    let unknown = || StoreError::Corrupt(format!("{:?} is not a row state", row.state));
    let items = |found: Option<i64>| count32(found.unwrap_or(0));
    let task = |number: &str| {
        StoreResult::Ok(RowTask {
            task_no: rows::task_no(number)?,
            state: row.task_state.map(state).transpose()?,
            total_items: items(row.total_items)?,
            completed_items: items(row.completed_items)?,
            failed_items: items(row.failed_items)?,
            error: row
                .task_error
                .clone()
                .map(|english| Message::of_stored(english, row.task_error_code.as_deref())),
        })
    };
    Ok(BatchRow {
        row: count32(row.row_no)?,
        values: from_json(&row.row_values)?,
        state: RowState::parse(&row.state).ok_or_else(unknown)?,
        task: row.task_no.as_deref().map(task).transpose()?,
        error: row.error.map(|english| Message::of_stored(english, row.message_code.as_deref())),
    })
}

from_row! {
    struct ItemRow {
        batch_row: i64,
        task_no: String,
        name: Option<String>,
        item_no: i64,
        state: i64,
        result: Option<String>,
        error: Option<String>,
    }
}

fn item(row: ItemRow) -> StoreResult<BatchItem> {
    Ok(BatchItem {
        row: count32(row.batch_row)?,
        name: row.name,
        task_no: rows::task_no(&row.task_no)?,
        item_no: count32(row.item_no)?,
        state: state(row.state)?,
        result: row.result.as_deref().map(from_json).transpose()?,
        error: row.error.as_deref().map(from_json).transpose()?,
    })
}
