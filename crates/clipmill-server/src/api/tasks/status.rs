//! `GET …/status/{taskNo}`: one task with its items and fresh links.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use clipmill_core::ids::{TaskNo, UserId};

use crate::app::App;
use crate::auth::{Caller, Read};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::view::{Answer, Envelope, TaskView};

/// State, progress and results of a task.
#[utoipa::path(get, path = "/open-api/v1/video-process/status/{taskNo}", operation_id = "getTask", tag = "tasks",
    security(("apiKey" = ["read"])),
    params(("taskNo" = String, Path, description = "Task number from the submission's response.")),
    responses((status = 200, description = "The task with its items.", body = Answer<TaskView>)))]
pub async fn status(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    task_no: Result<Path<String>, PathRejection>,
) -> ApiResult<Envelope<TaskView>> {
    let task_no = task_no.ok().and_then(|Path(text)| TaskNo::parse(&text)).ok_or_else(ApiError::not_found)?;
    task_view(&app, caller.user, &task_no).await
}

/// The task as it is now.
pub(super) async fn task_view(app: &App, user: UserId, task_no: &TaskNo) -> ApiResult<Envelope<TaskView>> {
    let mut task = app.store.tasks().find(user, task_no).await?.ok_or_else(ApiError::not_found)?;
    app.similarities.add_to(&*app.store, user, &mut task).await?;
    let load = app.eta.of(&*app.store, std::slice::from_ref(&task)).await;
    Ok(Envelope(TaskView::detailed(task, &app.links, &load, clock::now_ms())))
}
