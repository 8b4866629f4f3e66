//! Tasks as their owners see them.

use clipmill_core::footage::Footage;
use clipmill_core::ids::{ItemId, TaskId, TaskNo, TemplateNo, UserId};
use clipmill_core::media::ContentHash;
use clipmill_core::message::Message;
use clipmill_core::plan::{SourceRef, Warning};
use clipmill_core::request::model::{TaskRequest, TaskType};
use clipmill_core::similarity::FrameHashes;
use clipmill_core::task::TaskState;

use super::super::rows::{self, Db, count, count32, from_json, state};
use super::super::states::{live, planned, unstarted};
use crate::accounts::templates::TemplateRef;
use crate::common::body::Body;
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;
use crate::tasks::{ItemRecord, ItemResult, RowTitle, StoredRequest, TaskProgress, TaskRecord, TaskTitle};

/// Tasks that wait for results of others are not before other tasks in the queue.
macro_rules! select_task {
    ($rest:literal) => {
        concat!(
            "SELECT t.id, t.task_no, t.user_id, t.task_type, t.client_task_id, t.name, t.labels, t.template_no,
                    t.template_version, t.state, t.seed, t.total_items,
                    t.completed_items, t.failed_items, t.estimated_points, t.price, t.consumed_points, t.frames_done,
                    t.frames_planned, t.submit_warnings, t.preflight_warnings, t.diversity, t.error_message, t.message_code,
                    t.created_at,
                    t.started_at, t.finished_at,
                    CASE WHEN t.state IN ", unstarted!(), " THEN
                        (SELECT COUNT(*) FROM tasks q WHERE q.state IN ", unstarted!(), " AND q.id <= t.id)
                        - (SELECT COUNT(*) FROM work w JOIN tasks q ON q.id = w.task_id
                            WHERE w.state = 'delayed' AND q.state IN ", unstarted!(), " AND q.chain_length > 1
                              AND q.id < t.id)
                    END AS queue_position,
                    CASE WHEN t.state IN ", planned!(), " THEN
                        (SELECT CAST(SUM(q.frames_planned - q.frames_done) AS BIGINT) FROM tasks q
                          WHERE q.user_id = t.user_id AND q.state IN ", live!(), " AND q.id <= t.id)
                    END AS work_left
               FROM tasks t ",
            $rest
        )
    };
}
pub(super) use select_task;

pub async fn task(db: &mut Db, user: UserId, task_no: &TaskNo) -> StoreResult<Option<TaskRecord>> {
    let row: Option<TaskRow> = sqlx::query_as(select_task!("WHERE t.task_no = $1 AND t.user_id = $2"))
        .bind(task_no.as_str())
        .bind(user.0)
        .fetch_optional(&mut *db)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let items = items(db, TaskId(row.id)).await?;
    Ok(Some(TaskRecord { items, ..task_record(row)? }))
}

from_row! {
    /// A stored request, and the fields stored apart from it.
    pub struct RequestRow {
        content: Option<Vec<u8>>,
        client_task_id: Option<String>,
        name: Option<String>,
        labels: String,
    }
}

impl RequestRow {
    /// The submitted request with the task's current name and labels.
    pub fn read(self) -> StoreResult<StoredRequest> {
        let Some(content) = self.content else { return Ok(StoredRequest::Dropped) };
        Ok(StoredRequest::Kept(Box::new(TaskRequest {
            client_task_id: self.client_task_id,
            name: self.name,
            labels: from_json(&self.labels)?,
            ..Body::read(&content)?
        })))
    }
}

pub async fn request(db: &mut Db, user: UserId, task_no: &TaskNo) -> StoreResult<Option<RequestRow>> {
    let row = sqlx::query_as(
        "SELECT b.content, t.client_task_id, t.name, t.labels
           FROM tasks t LEFT JOIN bodies b ON b.id = t.body_id WHERE t.task_no = $1 AND t.user_id = $2",
    );
    Ok(row.bind(task_no.as_str()).bind(user.0).fetch_optional(db).await?)
}

/// By item number; of existing and planned outputs.
pub async fn footage(db: &mut Db, task: TaskId) -> StoreResult<Vec<(u32, Footage<ContentHash>)>> {
    let rows: Vec<(i64, String)> = sqlx::query_as(
        "SELECT item_no, footage FROM items
          WHERE task_id = $1 AND footage IS NOT NULL AND rendition IS NOT NULL ORDER BY item_no",
    )
    .bind(task.0)
    .fetch_all(db)
    .await?;
    rows.into_iter().map(|(item_no, footage)| Ok((count32(item_no)?, from_json(&footage)?))).collect()
}

/// In no particular order.
pub async fn sources(db: &mut Db, user: UserId, task: TaskId) -> StoreResult<Vec<SourceRef>> {
    let rows: Vec<String> = sqlx::query_scalar(
        "SELECT DISTINCT o.source FROM items i
           JOIN item_segments x ON x.item_id = i.id
           JOIN segment_sources o ON o.hash = x.hash AND o.user_id = $2
          WHERE i.task_id = $1 AND o.source IS NOT NULL",
    )
    .bind(task.0)
    .bind(user.0)
    .fetch_all(db)
    .await?;
    let mut sources = Vec::with_capacity(rows.len());
    for row in &rows {
        sources.extend(from_json::<Vec<SourceRef>>(row)?);
    }
    Ok(sources)
}

/// By item number; of delivered outputs.
pub async fn frame_hashes(db: &mut Db, task: TaskId) -> StoreResult<Vec<(u32, FrameHashes)>> {
    let rows: Vec<(i64, String)> = sqlx::query_as(
        "SELECT item_no, picture_hashes FROM items
          WHERE task_id = $1 AND picture_hashes IS NOT NULL ORDER BY item_no",
    )
    .bind(task.0)
    .fetch_all(db)
    .await?;
    rows.into_iter().map(|(item_no, hashes)| Ok((count32(item_no)?, from_json(&hashes)?))).collect()
}

pub async fn item_result(db: &mut Db, task_no: &TaskNo, item_no: u32) -> StoreResult<Option<ItemResult>> {
    let result: Option<Option<String>> = sqlx::query_scalar(
        "SELECT i.result FROM items i JOIN tasks t ON t.id = i.task_id WHERE t.task_no = $1 AND i.item_no = $2",
    )
    .bind(task_no.as_str())
    .bind(i64::from(item_no))
    .fetch_optional(db)
    .await?;
    result.flatten().as_deref().map(from_json).transpose()
}

pub async fn owner(db: &mut Db, task_no: &TaskNo) -> StoreResult<Option<UserId>> {
    let owner = sqlx::query_scalar("SELECT user_id FROM tasks WHERE task_no = $1").bind(task_no.as_str());
    Ok(owner.fetch_optional(db).await?.map(UserId))
}

/// A task's name, its batch's, its row, and the values of the row.
type TitleRow = (Option<String>, Option<String>, Option<i64>, Option<String>);

pub async fn title(db: &mut Db, task_no: &TaskNo) -> StoreResult<Option<TaskTitle>> {
    let row: Option<TitleRow> = sqlx::query_as(
        "SELECT t.name, b.name, r.row_no, r.row_values
           FROM tasks t LEFT JOIN batches b ON b.id = t.batch_id
                LEFT JOIN batch_rows r ON r.batch_id = t.batch_id AND r.row_no = t.batch_row
          WHERE t.task_no = $1",
    )
    .bind(task_no.as_str())
    .fetch_optional(db)
    .await?;
    let Some((name, batch_name, row, values)) = row else { return Ok(None) };
    let batch = row.zip(values).map(|(row, values)| {
        StoreResult::Ok(RowTitle { name: batch_name, row: count32(row)?, values: from_json(&values)? })
    });
    Ok(Some(TaskTitle { name, batch: batch.transpose()? }))
}

pub async fn results(db: &mut Db, task_no: &TaskNo) -> StoreResult<Vec<(u32, ItemResult)>> {
    let rows: Vec<(i64, String)> = sqlx::query_as(
        "SELECT i.item_no, i.result FROM items i JOIN tasks t ON t.id = i.task_id
          WHERE t.task_no = $1 AND i.result IS NOT NULL ORDER BY i.item_no",
    )
    .bind(task_no.as_str())
    .fetch_all(db)
    .await?;
    rows.into_iter().map(|(item_no, result)| Ok((count32(item_no)?, from_json(&result)?))).collect()
}

/// How many tasks one statement reads.
const PULSES_AT_ONCE: usize = 500;

pub async fn task_progress(db: &mut Db, tasks: &[TaskId]) -> StoreResult<Vec<TaskProgress>> {
    let mut progress = Vec::with_capacity(tasks.len());
    for some in tasks.chunks(PULSES_AT_ONCE) {
        let mut query = sqlx::QueryBuilder::new(
            "SELECT id, state, completed_items + failed_items, frames_done, frames_planned
               FROM tasks WHERE id IN (",
        );
        let mut ids = query.separated(", ");
        for task in some {
            ids.push_bind(task.0);
        }
        query.push(")");
        let rows: Vec<(i64, i64, i64, i64, i64)> = query.build_query_as().fetch_all(&mut *db).await?;
        for row in rows {
            progress.push(pulse(row)?);
        }
    }
    Ok(progress)
}

fn pulse((task, code, ended, done, planned): (i64, i64, i64, i64, i64)) -> StoreResult<TaskProgress> {
    Ok(TaskProgress {
        task: TaskId(task),
        state: state(code)?,
        ended_items: count32(ended)?,
        frames_done: count(done)?,
        frames_planned: count(planned)?,
    })
}

async fn items(db: &mut Db, task: TaskId) -> StoreResult<Vec<ItemRecord>> {
    let rows: Vec<ItemRow> = sqlx::query_as(
        "SELECT id, item_no, state, seed, frames_done, frames_planned, recipe, warnings, error, charged, result,
                ended_order
           FROM items WHERE task_id = $1 ORDER BY item_no",
    )
    .bind(task.0)
    .fetch_all(db)
    .await?;
    rows.into_iter().map(item_record).collect()
}

from_row! {
    pub(super) struct TaskRow {
        id: i64,
        task_no: String,
        user_id: i64,
        task_type: String,
        client_task_id: Option<String>,
        name: Option<String>,
        labels: String,
        template_no: Option<String>,
        template_version: Option<i64>,
        state: i64,
        seed: i64,
        total_items: i64,
        completed_items: i64,
        failed_items: i64,
        estimated_points: i64,
        price: Option<i64>,
        consumed_points: i64,
        frames_done: i64,
        frames_planned: i64,
        submit_warnings: String,
        preflight_warnings: String,
        diversity: Option<String>,
        error_message: Option<String>,
        message_code: Option<String>,
        created_at: Millis,
        started_at: Option<Millis>,
        finished_at: Option<Millis>,
        queue_position: Option<i64>,
        work_left: Option<i64>,
    }
}

pub(super) fn task_record(row: TaskRow) -> StoreResult<TaskRecord> {
    Ok(TaskRecord {
        id: TaskId(row.id),
        task_no: rows::task_no(&row.task_no)?,
        user: UserId(row.user_id),
        task_type: task_type(&row.task_type)?,
        client_task_id: row.client_task_id,
        name: row.name,
        labels: from_json(&row.labels)?,
        template: template(row.template_no.as_deref(), row.template_version)?,
        state: state(row.state)?,
        seed: row.seed.cast_unsigned(),
        total_items: count32(row.total_items)?,
        completed_items: count32(row.completed_items)?,
        failed_items: count32(row.failed_items)?,
        estimated_points: count(row.estimated_points)?,
        price: row.price.map(count).transpose()?,
        consumed_points: count(row.consumed_points)?,
        frames_done: count(row.frames_done)?,
        frames_planned: count(row.frames_planned)?,
        queue_position: row.queue_position.map(count).transpose()?,
        work_left: row.work_left.map(|work_left| count(work_left.max(0))).transpose()?,
        created_at: row.created_at,
        started_at: row.started_at,
        finished_at: row.finished_at,
        error_message: row
            .error_message
            .map(|english| Message::of_stored(english, row.message_code.as_deref())),
        warnings: warnings(&row.submit_warnings, &row.preflight_warnings)?,
        diversity: row.diversity.as_deref().map(from_json).transpose()?,
        items: Vec::new(),
        first_output: None,
    })
}

pub fn template(number: Option<&str>, version: Option<i64>) -> StoreResult<Option<TemplateRef>> {
    let (Some(number), Some(version)) = (number, version) else { return Ok(None) };
    let wrong = || StoreError::Corrupt(format!("{number:?} is not a template number"));
    let template_no = TemplateNo::parse(number).ok_or_else(wrong)?;
    Ok(Some(TemplateRef { template_no, version: count32(version)? }))
}

pub(super) fn task_type(name: &str) -> StoreResult<TaskType> {
    TaskType::parse(name).ok_or_else(|| StoreError::Corrupt(format!("{name:?} is not a type of task")))
}

/// Warnings of the submission, then those of preflight.
fn warnings(submit: &str, preflight: &str) -> StoreResult<Vec<Warning>> {
    let mut all: Vec<Warning> = from_json(submit)?;
    for warning in from_json::<Vec<Warning>>(preflight)? {
        if !all.contains(&warning) {
            all.push(warning);
        }
    }
    Ok(all)
}

from_row! {
    struct ItemRow {
        id: i64,
        item_no: i64,
        state: i64,
        seed: i64,
        frames_done: i64,
        frames_planned: i64,
        recipe: String,
        warnings: String,
        error: Option<String>,
        charged: i64,
        result: Option<String>,
        ended_order: Option<i64>,
    }
}

fn item_record(row: ItemRow) -> StoreResult<ItemRecord> {
    let state: TaskState = state(row.state)?;
    Ok(ItemRecord {
        id: ItemId(row.id),
        item_no: count32(row.item_no)?,
        state,
        seed: row.seed.cast_unsigned(),
        frames_done: count(row.frames_done)?,
        frames_planned: count(row.frames_planned)?,
        recipe: from_json(&row.recipe)?,
        warnings: from_json(&row.warnings)?,
        error: row.error.as_deref().map(from_json).transpose()?,
        charged: count(row.charged)?,
        result: row.result.as_deref().map(from_json).transpose()?,
        ended_order: row.ended_order.map(count32).transpose()?,
    })
}
