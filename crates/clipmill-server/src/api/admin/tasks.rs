//! Tasks of all users.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use clipmill_core::ids::TaskNo;

use crate::app::App;
use crate::auth::{Admin, Caller};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::view::{Answer, Envelope, UserTaskView};

/// State and failures of a task of any user. Its request and its files remain the user's own.
#[utoipa::path(get, path = "/open-api/v1/admin/tasks/{taskNo}", operation_id = "getUserTask", tag = "admin",
    security(("apiKey" = ["admin"])),
    params(("taskNo" = String, Path, description = "Task number.")),
    responses((status = 200, description = "The task, its user and its failed items.", body = Answer<UserTaskView>)))]
pub async fn task(
    _: Caller<Admin>,
    State(app): State<Arc<App>>,
    task_no: Result<Path<String>, PathRejection>,
) -> ApiResult<Envelope<UserTaskView>> {
    let task_no = task_no.ok().and_then(|Path(text)| TaskNo::parse(&text)).ok_or_else(ApiError::not_found)?;
    let owner = app.store.tasks().owner(&task_no).await?.ok_or_else(ApiError::not_found)?;
    let user = app.store.users().find(owner).await?.ok_or_else(ApiError::not_found)?;
    let task = app.store.tasks().find(owner, &task_no).await?.ok_or_else(ApiError::not_found)?;
    let load = app.eta.of(&*app.store, std::slice::from_ref(&task)).await;
    Ok(Envelope(UserTaskView::new(&user, task, &load, clock::now_ms())))
}
