//! Callbacks as their owner sees them: delivery status and every attempt.

use clipmill_core::ids::{ItemId, TaskId, TaskNo, UserId};
use clipmill_core::request::CallbackTest;
use clipmill_core::request::model::TaskType;
use clipmill_core::task::TaskState;
use clipmill_store::{CallbackRecord, DeliveryAttempt, ItemRecord, ItemResult, Load, TaskRecord};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::schema::MessageParams;
use super::{MessageView, Params, TaskView, WarningView, rfc3339};
use crate::links::Links;

/// State of a callback.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum CallbackStatus {
    None,
    Waiting,
    Due,
    Sending,
    Delivered,
    Failed,
}

/// Content of an event.
#[derive(ToSchema)]
pub enum EventType {
    #[schema(rename = "task.completed")]
    Completed,
    #[schema(rename = "task.failed")]
    Failed,
    #[schema(rename = "task.cancelled")]
    Cancelled,
    #[schema(rename = "task.rejected")]
    Rejected,
}

/// Content of a batch event.
#[derive(ToSchema)]
pub enum BatchEventType {
    #[schema(rename = "batch.completed")]
    Completed,
    #[schema(rename = "batch.failed")]
    Failed,
    #[schema(rename = "batch.cancelled")]
    Cancelled,
}

/// The callback of a task and its delivery so far.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallbackView {
    /// Task number.
    pub task_no: String,
    /// The message's `type`.
    #[schema(value_type = Option<EventType>)]
    pub r#type: Option<String>,
    #[serde(flatten)]
    pub delivery: DeliveryView,
}

/// The callback of a batch and its delivery so far.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchCallbackView {
    /// Number of the batch.
    pub batch_no: String,
    /// The message's `type`.
    #[schema(value_type = Option<BatchEventType>)]
    pub r#type: Option<String>,
    #[serde(flatten)]
    pub delivery: DeliveryView,
}

/// State of a callback.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryView {
    /// The `callbackUrl`.
    pub url: Option<String>,
    /// `none`: no `callbackUrl`; `waiting`: the task or batch has not ended; `due`: will be sent at `nextAttemptTime`;
    /// `sending`; `delivered`; `failed`: no attempt will follow.
    #[schema(value_type = CallbackStatus)]
    pub status: &'static str,
    /// The `webhook-id` of every attempt; null until the task or batch has ended.
    pub event_id: Option<String>,
    /// When the task or batch ended.
    #[schema(format = DateTime)]
    pub create_time: Option<String>,
    /// When the next attempt is due; null if none is.
    #[schema(format = DateTime)]
    pub next_attempt_time: Option<String>,
    /// The oldest first.
    pub attempts: Vec<AttemptView>,
}

/// One delivery attempt.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttemptView {
    /// When it began.
    #[schema(format = DateTime)]
    pub time: String,
    /// Milliseconds until the receiver responded or the attempt was abandoned; null if the service stopped meanwhile.
    pub duration_ms: Option<u64>,
    /// HTTP status of the response; null without one.
    pub status: Option<u16>,
    /// Why it does not count as delivered; null if it does.
    pub error: Option<String>,
    /// Stable code of `error`, listed in docs/api/messages.md; null without a text, and for texts of early versions.
    pub error_code: Option<&'static str>,
    /// Values in `error` by name; null without a code.
    #[schema(value_type = Option<MessageParams>)]
    pub error_params: Option<Params>,
}

/// The address to test, and the event to simulate.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct CallbackTestRequestSchema {
    /// Address to send the sample to; checked like a `callbackUrl`.
    #[schema(max_length = 2048, pattern = "^[Hh][Tt][Tt][Pp][Ss]?://")]
    url: String,
    /// Type of the sample event; by default `task.completed`.
    #[schema(value_type = Option<EventType>)]
    r#type: Option<String>,
}

/// How the receiver responded to the sample.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallbackTestView {
    /// The `webhook-id` it was sent with.
    pub event_id: String,
    /// Whether a real callback would count as delivered.
    pub delivered: bool,
    /// The attempt as it would appear in the log.
    pub attempt: AttemptView,
    pub warnings: Vec<WarningView>,
}

impl From<CallbackRecord> for CallbackView {
    fn from(callback: CallbackRecord) -> Self {
        let (task_no, r#type, delivery) = parts(callback);
        Self { task_no, r#type, delivery }
    }
}

impl From<CallbackRecord> for BatchCallbackView {
    fn from(callback: CallbackRecord) -> Self {
        let (batch_no, r#type, delivery) = parts(callback);
        Self { batch_no, r#type, delivery }
    }
}

/// The number of the task or batch, the message's type, and its delivery status.
fn parts(callback: CallbackRecord) -> (String, Option<String>, DeliveryView) {
    let CallbackRecord { subject, url, event } = callback;
    let number = subject.number().to_owned();
    let Some(event) = event else {
        let status = if url.is_some() { "waiting" } else { "none" };
        let delivery = DeliveryView {
            url,
            status,
            event_id: None,
            create_time: None,
            next_attempt_time: None,
            attempts: Vec::new(),
        };
        return (number, None, delivery);
    };
    let delivery = DeliveryView {
        url,
        status: event.state.as_str(),
        event_id: Some(event.event_id),
        create_time: Some(rfc3339(event.created_at)),
        next_attempt_time: event.due_at.map(rfc3339),
        attempts: event.attempts.into_iter().map(Into::into).collect(),
    };
    (number, Some(event.kind), delivery)
}

impl From<DeliveryAttempt> for AttemptView {
    fn from(attempt: DeliveryAttempt) -> Self {
        let (error, error_code, error_params) = MessageView::parts(attempt.error.as_ref());
        Self {
            time: rfc3339(attempt.started_at),
            duration_ms: attempt.duration_ms,
            status: attempt.status,
            error,
            error_code,
            error_params,
        }
    }
}

impl CallbackTestView {
    pub fn new(event_id: String, attempt: DeliveryAttempt, warnings: Vec<WarningView>) -> Self {
        Self { event_id, delivered: attempt.error.is_none(), attempt: attempt.into(), warnings }
    }
}

/// A sample of an ended task, for a test. Its link does not work.
pub fn sample_task(test: &CallbackTest, user: UserId, links: &Links, now: i64) -> TaskView {
    let task_no = TaskNo::new(now, [0; 10]);
    let is_completed = test.state == TaskState::Completed;
    let record = TaskRecord {
        id: TaskId(0),
        task_no,
        user,
        task_type: TaskType::BaseVideoMix,
        client_task_id: Some("callback-test".to_owned()),
        name: None,
        labels: Vec::new(),
        template: None,
        state: test.state,
        seed: 1,
        total_items: 1,
        completed_items: u32::from(is_completed),
        failed_items: u32::from(!is_completed),
        estimated_points: 8,
        price: Some(8),
        consumed_points: if is_completed { 8 } else { 0 },
        frames_done: 0,
        frames_planned: 0,
        queue_position: None,
        work_left: None,
        created_at: now,
        started_at: Some(now),
        finished_at: Some(now),
        error_message: None,
        warnings: Vec::new(),
        diversity: None,
        items: vec![sample_item(test.state, is_completed.then(|| sample_result(now)))],
        first_output: None,
    };
    TaskView::detailed(record, links, &Load::default(), now)
}

fn sample_item(state: TaskState, result: Option<ItemResult>) -> ItemRecord {
    ItemRecord {
        id: ItemId(0),
        item_no: 1,
        state,
        seed: 1,
        frames_done: 0,
        frames_planned: 0,
        recipe: json!(null),
        warnings: Vec::new(),
        error: None,
        charged: 0,
        result,
        ended_order: Some(1),
    }
}

fn sample_result(now: i64) -> ItemResult {
    ItemResult {
        key: String::new(),
        duration_ms: 7_600,
        width: 720,
        height: 1280,
        fps: 30,
        size_bytes: 1_500_000,
        sha256: "0".repeat(64),
        video_codec: "h264".to_owned(),
        audio_codec: Some("aac".to_owned()),
        quality: json!(null),
        cover: None,
        pictures: None,
        warnings: Vec::new(),
        expires_at: now.saturating_add(3_600_000),
    }
}
