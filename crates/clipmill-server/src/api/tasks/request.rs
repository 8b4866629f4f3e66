//! `GET …/request/{taskNo}`: the request of a task, so that it can be changed and sent again.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::request::model::TaskRequest;
use clipmill_store::StoredRequest;
use serde_json::Value;

use crate::api::blocking::run_with_permit;
use crate::app::App;
use crate::auth::{Caller, Read};
use crate::error::{ApiError, ApiResult};
use crate::view::{Answer, Envelope, TaskRequestSchema};

/// The request of a task. The body is equivalent to the submitted one: defaults are filled in, and disabled options
/// and comments are omitted. Submitting it unchanged returns the existing task; with another `clientTaskId`, or
/// without one, it creates a new task. The request of a task that delivered nothing is kept for 7 days after its end.
#[utoipa::path(get, path = "/open-api/v1/video-process/request/{taskNo}", operation_id = "getTaskRequest", tag = "tasks",
    security(("apiKey" = ["read"])),
    params(("taskNo" = String, Path, description = "Task number from the submission's response.")),
    responses((status = 200, description = "The request.", body = Answer<TaskRequestSchema>)))]
pub async fn request(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    task_no: Result<Path<String>, PathRejection>,
) -> ApiResult<Envelope<Value>> {
    let task_no = task_no.ok().and_then(|Path(text)| TaskNo::parse(&text)).ok_or_else(ApiError::not_found)?;
    let permit = app.semaphores.large_bodies.acquire(caller.user).await?;
    let request = kept_request(&app, caller.user, &task_no).await?;
    // The wire form of a large request takes a while.
    let wire = run_with_permit(permit, move |_| request.to_wire()).await?;
    Ok(Envelope(wire))
}

/// The request of a task of the user.
pub(super) async fn kept_request(app: &App, user: UserId, task_no: &TaskNo) -> ApiResult<Box<TaskRequest>> {
    match app.store.tasks().request(user, task_no).await?.ok_or_else(ApiError::not_found)? {
        StoredRequest::Kept(request) => Ok(request),
        StoredRequest::Dropped => Err(ApiError::request_dropped(task_no)),
    }
}
