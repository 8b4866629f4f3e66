//! `POST …/cancel/{taskNo}`: ends a task early; what is delivered stays and is paid.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use clipmill_core::ids::TaskNo;
use clipmill_store::CancelOutcome;

use crate::app::App;
use crate::auth::{Caller, Submit};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::view::{Envelope, TaskView};

/// Answers the task as it stands afterwards.
pub async fn cancel(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    task_no: Result<Path<String>, PathRejection>,
) -> ApiResult<Envelope<TaskView>> {
    let task_no = task_no.ok().and_then(|Path(text)| TaskNo::parse(&text)).ok_or_else(ApiError::not_found)?;
    let now = clock::now_ms();
    match app.store.cancel(caller.user, &task_no, now).await?.ok_or_else(ApiError::not_found)? {
        CancelOutcome::Cancelled | CancelOutcome::Already => {}
        CancelOutcome::TooLate(state) => return Err(ApiError::task_ended(&task_no, state)),
    }
    let task = app.store.task(caller.user, &task_no).await?.ok_or_else(ApiError::not_found)?;
    Ok(Envelope(TaskView::detailed(task, &app.links, now)))
}
