//! Batches and their rows.

use clipmill_core::plan::Warning;
use clipmill_core::task::TaskState;
use clipmill_core::throughput::left_ms;
use clipmill_store::{BatchRecord, BatchRow, NewRow, RowState};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::schema::{MessageParams, RequestWithVariables, StateName, VariableValues};
use super::template::{TemplateRefView, VariableSchema};
use super::{MessageView, Params, WarningView, rfc3339, warnings};
use crate::links::Links;

/// Response to a batch. `duplicate` is only present when the batch existed before.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubmittedBatchView {
    /// `BP` and 26 characters.
    pub batch_no: String,
    /// Points held for the batch.
    pub estimated_dot_count: u64,
    pub total_rows: u32,
    /// Rows rejected because the balance did not cover them.
    pub refused_rows: u32,
    /// Number of output videos in all rows.
    pub total_items: u64,
    /// True if this `clientBatchId` was submitted before; otherwise omitted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub duplicate: bool,
    /// Paths begin with `/rows/N`, N from 0, followed by the path in the row's request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<WarningView>,
}

impl SubmittedBatchView {
    pub fn new(batch: BatchRecord, duplicate: bool) -> Self {
        Self {
            batch_no: batch.batch_no.to_string(),
            estimated_dot_count: batch.submitted_points,
            total_rows: batch.total_rows,
            refused_rows: batch.refused_rows,
            total_items: batch.total_items,
            duplicate,
            warnings: warnings(batch.warnings),
        }
    }
}

/// Price and size of a batch.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchEstimateView {
    pub total_rows: u64,
    /// Number of output videos in all rows.
    pub total_items: u64,
    /// Points that would be held.
    pub estimated_dot_count: u64,
    /// Paths begin with `/rows/N`, N from 0, followed by the path in the row's request.
    pub warnings: Vec<WarningView>,
}

impl BatchEstimateView {
    pub fn new(rows: &[NewRow], remarks: Vec<Warning>) -> Self {
        let items = || rows.iter().flat_map(|row| &row.items);
        Self {
            total_rows: rows.len() as u64,
            total_items: items().count() as u64,
            estimated_dot_count: items().map(|item| item.points).sum(),
            warnings: warnings(remarks),
        }
    }
}

/// State of a batch.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchView {
    pub batch_no: String,
    pub client_batch_id: String,
    pub name: Option<String>,
    /// The template it was created from; null otherwise.
    pub template: Option<TemplateRefView>,
    /// As for tasks: 2 executing, 3 completed (at least one video), 4 failed (none), 5 cancelled.
    #[schema(minimum = 2, maximum = 5)]
    pub status: u8,
    /// The state in words.
    #[schema(value_type = StateName)]
    pub status_name: &'static str,
    /// Whether the batch is paused: no further row becomes a task.
    pub paused: bool,
    /// 100 only once the batch has ended.
    #[schema(minimum = 0, maximum = 100)]
    pub progress_percent: u8,
    /// Estimated seconds remaining, from the batch's own progress so far; null if unknown.
    pub eta_seconds: Option<u64>,
    pub total_rows: u32,
    /// Rows that have not become tasks yet.
    pub waiting_rows: u32,
    /// Rows that have become tasks.
    pub made_rows: u32,
    /// Rows that never became tasks because points ran out or the batch was cancelled.
    pub refused_rows: u32,
    pub total_items: u64,
    pub completed_items: u64,
    pub failed_items: u64,
    /// Points held at submission.
    pub estimated_dot_count: u64,
    /// Points charged so far.
    pub consumed_dot_count: u64,
    #[schema(format = DateTime)]
    pub create_time: String,
    #[schema(format = DateTime)]
    pub finish_time: Option<String>,
    /// Signed link to all videos as one zip; no key is required. Null while there is no video, omitted in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub download_url: Option<Option<String>>,
    pub warnings: Vec<WarningView>,
}

impl BatchView {
    /// With a link that is valid from `now_ms` on.
    pub fn linked(batch: BatchRecord, links: &Links, now_ms: i64) -> Self {
        let link = (batch.completed_items > 0).then(|| links.sign_batch(&batch.batch_no, now_ms).url);
        Self { download_url: Some(link), ..Self::new(batch, now_ms) }
    }

    /// The batch as it appears in lists.
    pub fn new(batch: BatchRecord, now_ms: i64) -> Self {
        Self {
            progress_percent: percent(&batch),
            eta_seconds: eta_seconds(&batch, now_ms),
            batch_no: batch.batch_no.to_string(),
            client_batch_id: batch.client_batch_id,
            name: batch.name,
            template: batch.template.map(Into::into),
            status: batch.state.code(),
            status_name: batch.state.name(),
            paused: batch.paused && !batch.state.is_final(),
            total_rows: batch.total_rows,
            waiting_rows: batch.waiting_rows,
            made_rows: batch.made_rows,
            refused_rows: batch.refused_rows,
            total_items: batch.total_items,
            completed_items: batch.completed_items,
            failed_items: batch.failed_items,
            estimated_dot_count: batch.submitted_points,
            consumed_dot_count: batch.consumed_points,
            create_time: rfc3339(batch.created_at),
            finish_time: batch.finished_at.map(rfc3339),
            download_url: None,
            warnings: warnings(batch.warnings),
        }
    }
}

fn percent(batch: &BatchRecord) -> u8 {
    if batch.state.is_final() {
        return 100;
    }
    let percent = batch.done_thousandths / batch.total_items.max(1) / 10;
    percent.min(99) as u8
}

fn eta_seconds(batch: &BatchRecord, now_ms: i64) -> Option<u64> {
    if batch.paused || batch.state != TaskState::Executing {
        return None;
    }
    let elapsed = u64::try_from(now_ms.saturating_sub(batch.created_at)).ok()?;
    let whole = batch.total_items.saturating_mul(1000);
    left_ms(elapsed, batch.done_thousandths, whole, None).map(|left| left.div_ceil(1000))
}

/// An event of a batch.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only describes what comes")]
pub struct BatchEventSchema {
    /// `state` or `progress`.
    event: String,
    /// Identifies all events up to this one; a client that reconnects sends it as `Last-Event-ID`.
    id: String,
    data: BatchView,
}

/// A row of a batch.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchRowView {
    /// From 1.
    pub row: u32,
    /// Its values as submitted.
    #[schema(value_type = VariableValues)]
    pub values: Value,
    #[schema(value_type = RowStateName)]
    pub state: &'static str,
    /// The task created from the row.
    pub task_no: Option<String>,
    /// State of that task; null once the task has been deleted.
    #[schema(minimum = 0, maximum = 6)]
    pub task_status: Option<u8>,
    /// Delivered and failed videos of that task.
    pub completed_items: u32,
    pub failed_items: u32,
    /// Summary of the failures in that task.
    pub task_error: Option<String>,
    /// Stable code of `taskError`, listed in docs/api/messages.md; null without a text, and for texts of early versions.
    pub task_error_code: Option<&'static str>,
    /// Values in `taskError` by name; null without a code.
    #[schema(value_type = Option<MessageParams>)]
    pub task_error_params: Option<Params>,
    /// Why it never became a task.
    pub error: Option<String>,
    /// Stable code of `error`, listed in docs/api/messages.md; null without a text, and for texts of early versions.
    pub error_code: Option<&'static str>,
    /// Values in `error` by name; null without a code.
    #[schema(value_type = Option<MessageParams>)]
    pub error_params: Option<Params>,
}

impl From<BatchRow> for BatchRowView {
    fn from(row: BatchRow) -> Self {
        let task = row.task.as_ref();
        let (task_error, task_error_code, task_error_params) =
            MessageView::parts(task.and_then(|task| task.error.as_ref()));
        let (error, error_code, error_params) = MessageView::parts(row.error.as_ref());
        Self {
            row: row.row,
            task_no: task.map(|task| task.task_no.to_string()),
            task_status: task.and_then(|task| task.state).map(TaskState::code),
            completed_items: task.map_or(0, |task| task.completed_items),
            failed_items: task.map_or(0, |task| task.failed_items),
            task_error,
            task_error_code,
            task_error_params,
            values: Value::Object(row.values),
            state: RowState::as_str(row.state),
            error,
            error_code,
            error_params,
        }
    }
}

/// Selects rows by state; `failed` includes refused rows.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum RowFilterName {
    Waiting,
    Made,
    Refused,
    Cancelled,
    Failed,
}

/// How batches are listed among tasks.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum FoldName {
    Fold,
}

/// State of a row.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum RowStateName {
    Waiting,
    Made,
    Refused,
    Cancelled,
}

/// A batch to submit. Set exactly one of `template` and `request`, and exactly one of `rows` and `csvUrl`.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct NewBatchSchema {
    /// Your own ID for the batch. Submitting the same batch with the same ID again returns the existing batch and
    /// costs nothing.
    #[schema(min_length = 1, max_length = 100)]
    client_batch_id: String,
    #[schema(max_length = 120)]
    name: Option<String>,
    /// Number of one of your templates.
    #[schema(pattern = "^TP[0-9A-HJKMNP-TV-Z]{26}$")]
    template: Option<String>,
    /// Version of the template; the newest when absent.
    #[schema(minimum = 1)]
    version: Option<u32>,
    /// A request with variables, instead of a template.
    #[schema(value_type = Option<RequestWithVariables>)]
    request: Option<Value>,
    /// Declarations of the variables in `request`.
    #[schema(max_items = 200)]
    variables: Option<Vec<VariableSchema>>,
    /// Values of the variables, one row per task.
    #[schema(value_type = Option<Vec<VariableValues>>, min_items = 1, max_items = 1000)]
    rows: Option<Vec<Value>>,
    /// One of your uploads with the rows, as CSV. The first line names the variables.
    #[schema(max_length = 2048)]
    csv_url: Option<String>,
    /// If true, accepts as many rows as your balance covers, starting with the first; otherwise all rows or none.
    #[schema(default = false)]
    partial: Option<bool>,
    /// Maximum price of the whole batch. A batch whose estimate is higher is refused (40201); a row whose confirmed
    /// price would exceed the limit is rejected.
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_u64)]
    max_points: Option<u64>,
    /// Called once when the batch has ended. Tasks have their own callbacks, set in the request.
    #[schema(max_length = 2048)]
    callback_url: Option<String>,
}
