//! Errors of the HTTP API, and their conversion into responses.

pub mod catalogue;

use std::any::Any;
use std::fmt::Display;
use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use clipmill_core::error::TaskError;
use clipmill_core::ids::TaskNo;
use clipmill_core::message::Message;
use clipmill_core::request::batch::RowError;
use clipmill_core::request::{FieldError, RequestError, shorten};
use clipmill_core::task::TaskState;
use clipmill_media::descriptors;
use clipmill_store::{Millis, Scope, StorageFull, StoreError};
use serde::Serialize;
use serde_json::{Value, json};

use crate::config::units::ByteSize;
use crate::context::{self, Language};
use crate::localized;
use crate::view::{MessageView, rfc3339};

use catalogue::{Entry, ErrorKind};

/// The most characters of a path or a message in a `msg`.
const MAX_SHOWN_LENGTH: usize = 300;

pub type ApiResult<T> = Result<T, ApiError>;

/// An error as the client will see it. Internal causes are logged where the error is created, and not kept.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiError {
    kind: ErrorKind,
    detail: String,
    data: Value,
}

/// A field that is refused, with texts in the language of the request.
#[derive(Serialize)]
struct WrongField {
    path: String,
    #[serde(flatten)]
    message: MessageView,
    got: Option<Value>,
    allowed: Option<String>,
}

/// A value in a row of a table that is refused.
#[derive(Serialize)]
struct WrongCell {
    row: u32,
    column: Option<String>,
    #[serde(flatten)]
    field: WrongField,
}

impl WrongField {
    fn of(FieldError { path, message, got, allowed }: FieldError) -> Self {
        Self { message: (&message).into(), path, got, allowed: allowed.as_ref().map(localized::message_text) }
    }
}

impl ApiError {
    fn of(kind: ErrorKind) -> Self {
        Self { kind, detail: String::new(), data: Value::Null }
    }

    fn detail(mut self, detail: impl Display) -> Self {
        self.detail = detail.to_string();
        self
    }

    /// The message is the detail, and in `data` with its code.
    fn cause(self, message: &Message) -> Self {
        let data = json!({ "cause": MessageView::from(message) });
        self.detail(localized::message_text(message)).data(data)
    }

    fn data(mut self, data: Value) -> Self {
        self.data = data;
        self
    }

    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    pub fn unreadable(why: Message) -> Self {
        Self::of(ErrorKind::Unreadable).cause(&why)
    }

    pub fn invalid(errors: Vec<FieldError>) -> Self {
        let total = errors.len();
        Self::invalid_of(errors, total)
    }

    /// `total` also counts errors that are not listed.
    fn invalid_of(errors: Vec<FieldError>, total: usize) -> Self {
        let errors: Vec<WrongField> = errors.into_iter().map(WrongField::of).collect();
        let detail = errors.first().map(|first| first_and_more(first, total.saturating_sub(1)));
        Self::of(ErrorKind::Invalid).detail(detail.unwrap_or_default()).data(json!({ "errors": errors }))
    }

    pub fn key_missing() -> Self {
        Self::of(ErrorKind::KeyMissing)
    }

    /// The key came in a header that other services read.
    pub fn key_in_authorization() -> Self {
        Self::of(ErrorKind::KeyInAuthorization)
    }

    pub fn key_in_quotes() -> Self {
        Self::of(ErrorKind::KeyInQuotes)
    }

    pub fn key_ended() -> Self {
        Self::of(ErrorKind::KeyEnded)
    }

    pub fn not_enough_points(needed: u64, available: i64) -> Self {
        let data = json!({ "needed": needed, "available": available });
        Self::of(ErrorKind::NotEnoughPoints).data(data)
    }

    /// `row` is the row of a batch whose own request has the limit.
    pub fn above_price_limit(price: u64, max_points: u64, row: Option<u32>) -> Self {
        let mut data = json!({ "price": price, "maxPoints": max_points });
        if let Some(row) = row {
            data["row"] = json!(row);
        }
        Self::of(ErrorKind::AbovePriceLimit).data(data)
    }

    pub fn scope(needed: Scope) -> Self {
        Self::of(ErrorKind::Scope).data(json!({ "scope": needed.as_str() }))
    }

    /// `reason` is the operator's.
    pub fn user_off(reason: &str) -> Self {
        Self::of(ErrorKind::UserOff).data(json!({ "reason": reason }))
    }

    pub fn task_ended(task_no: impl Display, state: TaskState) -> Self {
        let data = json!({
            "taskNo": task_no.to_string(), "status": state.code(), "statusName": state.name(),
        });
        Self::of(ErrorKind::TaskEnded).data(data)
    }

    pub fn no_files(task_no: impl Display) -> Self {
        Self::of(ErrorKind::NoFiles).data(json!({ "taskNo": task_no.to_string() }))
    }

    /// `needed_by` is the task, template, draft or batch that needs the file.
    pub fn in_use(needed_by: impl Display) -> Self {
        Self::of(ErrorKind::InUse).data(json!({ "neededBy": needed_by.to_string() }))
    }

    /// `version` is the newest version.
    pub fn template_changed(version: u32) -> Self {
        Self::of(ErrorKind::TemplateChanged).data(json!({ "version": version }))
    }

    pub fn too_many_templates(limit: u32) -> Self {
        Self::of(ErrorKind::TooManyTemplates).data(json!({ "limit": limit }))
    }

    /// `updated_at` is the time of the newest change.
    pub fn draft_changed(updated_at: Millis) -> Self {
        Self::of(ErrorKind::DraftChanged).data(json!({ "updateTime": rfc3339(updated_at) }))
    }

    pub fn too_many_drafts(limit: u32) -> Self {
        Self::of(ErrorKind::TooManyDrafts).data(json!({ "limit": limit }))
    }

    /// `batch_no` is the batch that already has the id.
    pub fn client_batch_id_conflict(batch_no: impl Display) -> Self {
        Self::of(ErrorKind::ClientBatchIdConflict).data(json!({ "batchNo": batch_no.to_string() }))
    }

    pub fn too_many_open_batches(open: u64, limit: u32) -> Self {
        Self::of(ErrorKind::TooManyOpenBatches).data(json!({ "openBatches": open, "limit": limit }))
    }

    pub fn batch_ended(batch_no: impl Display, state: TaskState) -> Self {
        let data = json!({
            "batchNo": batch_no.to_string(), "status": state.code(), "statusName": state.name(),
        });
        Self::of(ErrorKind::BatchEnded).data(data)
    }

    pub fn row_not_failed(batch_no: impl Display, row: u32) -> Self {
        Self::of(ErrorKind::RowNotFailed).data(json!({ "batchNo": batch_no.to_string(), "row": row }))
    }

    /// Errors in rows of a table, by row and column; at most `max` are listed.
    pub fn wrong_rows(errors: Vec<RowError>, max: usize) -> Self {
        let total = errors.len();
        let first = errors.first().map(|wrong| {
            let wrong_field = WrongField::of(wrong.error.clone());
            let place = match (&wrong.column, context::current_language()) {
                (Some(column), Language::English) => format!("row {}, column {column}", wrong.row),
                (Some(column), Language::Chinese) => format!("第 {} 行，列 {column}", wrong.row),
                (None, Language::English) => format!("row {}, {}", wrong.row, wrong_field.path),
                (None, Language::Chinese) => format!("第 {} 行，{}", wrong.row, wrong_field.path),
            };
            first_and_more(&WrongField { path: place, ..wrong_field }, total.saturating_sub(1))
        });
        let cells = errors.into_iter().take(max).map(|RowError { row, column, error }| WrongCell {
            row,
            column,
            field: WrongField::of(error),
        });
        let errors: Vec<WrongCell> = cells.collect();
        let data = json!({ "errors": errors, "total": total });
        Self::of(ErrorKind::Invalid).detail(first.unwrap_or_default()).data(data)
    }

    pub fn is_not_found(&self) -> bool {
        self.kind == ErrorKind::NotFound
    }

    pub fn too_many_shares(limit: u32) -> Self {
        Self::of(ErrorKind::TooManyShares).data(json!({ "limit": limit }))
    }

    pub fn too_many_comments(limit: u32) -> Self {
        Self::of(ErrorKind::TooManyComments).data(json!({ "limit": limit }))
    }

    pub fn link_refused() -> Self {
        Self::of(ErrorKind::LinkRefused)
    }

    /// A page of another host sent the request.
    pub fn origin() -> Self {
        Self::of(ErrorKind::Origin)
    }

    /// The error is the same whether the resource belongs to another user or does not exist.
    pub fn not_found() -> Self {
        Self::of(ErrorKind::NotFound)
    }

    pub fn method() -> Self {
        Self::of(ErrorKind::Method)
    }

    pub fn client_task_id_conflict(task_no: impl Display) -> Self {
        Self::of(ErrorKind::ClientTaskIdConflict).data(json!({ "taskNo": task_no.to_string() }))
    }

    pub fn too_large(limit: ByteSize) -> Self {
        Self::of(ErrorKind::TooLarge).detail(limit)
    }

    pub fn content_type() -> Self {
        Self::of(ErrorKind::ContentType)
    }

    /// A form in place of a file.
    pub fn form() -> Self {
        Self::of(ErrorKind::Form)
    }

    pub fn too_many_open_tasks(open: u64, limit: u32) -> Self {
        Self::of(ErrorKind::TooManyOpenTasks).data(json!({ "openTasks": open, "limit": limit }))
    }

    pub fn too_many_cancelled(given_up: u64, limit: u32) -> Self {
        Self::of(ErrorKind::TooManyCancelled).data(json!({ "givenUp": given_up, "limit": limit }))
    }

    pub fn request_dropped(task_no: &TaskNo) -> Self {
        Self::of(ErrorKind::RequestDropped).data(json!({ "taskNo": task_no.as_str() }))
    }

    pub fn too_many_event_streams(open: u64, limit: u32) -> Self {
        Self::of(ErrorKind::TooManyEventStreams).data(json!({ "openStreams": open, "limit": limit }))
    }

    /// The limit is that of a day, which ends at midnight (UTC).
    pub fn listened_too_much(characters: u64, limit: u64, now: Millis) -> Self {
        const DAY_MS: i64 = 86_400_000;
        let seconds = (DAY_MS - now.rem_euclid(DAY_MS)) / 1000 + 1;
        let data = json!({ "spokenCharacters": characters, "limit": limit, "seconds": seconds });
        Self::of(ErrorKind::ListenedTooMuch).data(data)
    }

    pub fn speech_failed(why: &Message) -> Self {
        Self::of(ErrorKind::SpeechFailed).cause(why)
    }

    pub fn storage_full(full: StorageFull) -> Self {
        Self::of(ErrorKind::StorageFull).data(json!({ "storedBytes": full.stored, "limit": full.limit }))
    }

    /// A failure of rendering or decoding, in the client's terms.
    pub fn no_image(why: Message) -> Self {
        Self::of(ErrorKind::NoImage).cause(&why)
    }

    /// The output has no timeline for editing programs.
    pub fn no_timeline(why: &Message) -> Self {
        Self::of(ErrorKind::NoTimeline).cause(why)
    }

    pub fn too_many_requests(wait: Duration) -> Self {
        let seconds = wait.as_secs_f64().ceil().max(1.0) as u64;
        Self::of(ErrorKind::TooManyRequests).data(json!({ "seconds": seconds }))
    }

    pub fn too_many_from_address(wait: Duration) -> Self {
        let seconds = wait.as_secs_f64().ceil().max(1.0) as u64;
        Self::of(ErrorKind::TooManyFromAddress).data(json!({ "seconds": seconds }))
    }

    /// The error is the same for unknown, used, revoked and expired codes.
    pub fn invitation_refused() -> Self {
        Self::of(ErrorKind::InvitationRefused)
    }

    /// No permit became free in time, or too many calls of the user are waiting for one.
    pub fn busy() -> Self {
        Self::of(ErrorKind::Busy).data(json!({ "seconds": 5 }))
    }

    /// An internal error; the cause is logged with the request ID.
    pub fn internal(cause: impl Display) -> Self {
        tracing::error!(%cause, "request failed");
        Self::of(ErrorKind::Internal)
    }

    /// A dependency of the service is unavailable.
    pub fn unavailable(cause: impl Display) -> Self {
        tracing::error!(%cause, "service unavailable");
        Self::of(ErrorKind::Unavailable)
    }

    /// The service is starting, or cannot work for a reason that is already in its log.
    pub fn not_ready(cause: impl Display) -> Self {
        tracing::debug!(%cause, "service not ready");
        Self::of(ErrorKind::Unavailable)
    }

    /// The body of the response: `{code, msg, data}`.
    pub fn envelope(&self) -> Value {
        let entry = self.kind.entry();
        json!({ "code": entry.code, "msg": self.message(entry), "data": self.data })
    }

    fn retry_after_s(&self) -> Option<u64> {
        match self.kind {
            ErrorKind::Unavailable | ErrorKind::SpeechFailed => Some(5),
            // After an hour they no longer count.
            ErrorKind::TooManyCancelled => Some(300),
            // It is unknown when one of them will end.
            ErrorKind::TooManyOpenTasks | ErrorKind::TooManyOpenBatches | ErrorKind::TooManyEventStreams => {
                Some(30)
            }
            _ => self.data.get("seconds").and_then(Value::as_u64),
        }
    }

    fn message(&self, entry: &Entry) -> String {
        let text = match context::current_language() {
            Language::English => entry.english,
            Language::Chinese => entry.chinese,
        };
        let values = self.data.as_object().into_iter().flatten();
        let filled = values.fold(text.to_owned(), |text, (name, value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            text.replace(&format!("{{{name}}}"), &value)
        });
        // The detail is filled in last, so that a client's text is never taken for a placeholder.
        filled.replace("{id}", &context::request_id()).replace("{detail}", &self.detail)
    }
}

/// The response after a panic; the panic hook has logged where it happened.
pub fn panicked(_: Box<dyn Any + Send + 'static>) -> Response {
    ApiError::internal("a handler panicked").into_response()
}

/// A text with the first wrong field, what is wrong with it, and how many more there are.
fn first_and_more(first: &WrongField, more: usize) -> String {
    let (path, message) =
        (shorten(&first.path, MAX_SHOWN_LENGTH), shorten(&first.message.message, MAX_SHOWN_LENGTH));
    match (context::current_language(), more) {
        (Language::English, 0) => format!("{}: {message}", place_or(path, "the body")),
        (Language::English, _) => format!("{}: {message} (and {more} more)", place_or(path, "the body")),
        (Language::Chinese, 0) => format!("{}：{message}", place_or(path, "请求体")),
        (Language::Chinese, _) => format!("{}：{message}（另有 {more} 处错误）", place_or(path, "请求体")),
    }
}

/// The place of an error; an empty path means the whole body.
fn place_or(path: String, whole: &str) -> String {
    if path.is_empty() { whole.to_owned() } else { path }
}

impl From<RequestError> for ApiError {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Syntax { line, column, message } => {
                let place = match context::current_language() {
                    Language::English => format!("line {line}, column {column}"),
                    Language::Chinese => format!("第 {line} 行第 {column} 列"),
                };
                let text = localized::message_text(&message);
                Self::of(ErrorKind::Syntax).cause(&message).detail(format_args!("{text} ({place})"))
            }
            RequestError::Invalid { errors, total } => Self::invalid_of(errors, total),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        if error.is_unavailable() { Self::unavailable(error) } else { Self::internal(error) }
    }
}

/// Converts a failure of work that a call waits for.
impl From<TaskError> for ApiError {
    fn from(error: TaskError) -> Self {
        if error.lacks_disk_space { Self::unavailable(error) } else { Self::internal(error) }
    }
}

impl From<std::io::Error> for ApiError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Self::unavailable(error),
            _ if descriptors::are_used_up(&error) => Self::unavailable(error),
            _ => Self::internal(error),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.kind.entry().status(), Json(self.envelope())).into_response();
        if let Some(seconds) = self.retry_after_s() {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
