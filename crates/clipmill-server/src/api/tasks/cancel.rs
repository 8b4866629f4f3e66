//! `POST …/cancel/{taskNo}`: ends a task early; delivered outputs remain and are charged.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use clipmill_core::ids::TaskNo;
use clipmill_store::{CancelOutcome, Load};

use crate::app::App;
use crate::auth::{Caller, Submit};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::view::{Answer, Envelope, TaskView};

/// Cancel a task. Delivered outputs remain available and are charged. The others are not rendered, and their points
/// are released. Cancelling a cancelled task changes nothing.
#[utoipa::path(post, path = "/open-api/v1/video-process/cancel/{taskNo}", operation_id = "cancelTask", tag = "tasks",
    security(("apiKey" = ["submit"])),
    params(("taskNo" = String, Path, description = "Task number from the submission's response.")),
    responses((status = 200, description = "The updated task.", body = Answer<TaskView>)))]
pub async fn cancel(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    task_no: Result<Path<String>, PathRejection>,
) -> ApiResult<Envelope<TaskView>> {
    let task_no = task_no.ok().and_then(|Path(text)| TaskNo::parse(&text)).ok_or_else(ApiError::not_found)?;
    let now = clock::now_ms();
    match app.store.tasks().cancel(caller.user, &task_no, now).await?.ok_or_else(ApiError::not_found)? {
        CancelOutcome::Cancelled | CancelOutcome::Already => {}
        CancelOutcome::TooLate(state) => return Err(ApiError::task_ended(&task_no, state)),
    }
    let task = app.store.tasks().find(caller.user, &task_no).await?.ok_or_else(ApiError::not_found)?;
    Ok(Envelope(TaskView::detailed(task, &app.links, &Load::default(), now)))
}
