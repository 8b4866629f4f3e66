//! `PATCH …/video-process/{taskNo}`: renames a task.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use clipmill_core::ids::TaskNo;
use clipmill_core::request::parse_task_naming;

use super::status::task_view;
use crate::api::extract::body::read_json;
use crate::app::{App, SMALL_BODY};
use crate::auth::{Caller, Submit};
use crate::config::units::ByteSize;
use crate::error::{ApiError, ApiResult};
use crate::settings::request_policy;
use crate::view::{Answer, Envelope, TaskNamingSchema, TaskView};

/// Rename a task, or change its labels.
///
/// The task can be in any state; its videos and its price do not change. Omitted fields are left unchanged.
#[utoipa::path(patch, path = "/open-api/v1/video-process/{taskNo}", operation_id = "renameTask", tag = "tasks",
    security(("apiKey" = ["submit"])),
    params(("taskNo" = String, Path, description = "Task number from the submission's response.")),
    request_body(content = TaskNamingSchema, description = "New name, new labels, or both."),
    responses((status = 200, description = "The updated task.", body = Answer<TaskView>)))]
pub async fn rename(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    task_no: Result<Path<String>, PathRejection>,
    request: Request,
) -> ApiResult<Envelope<TaskView>> {
    let task_no = task_no.ok().and_then(|Path(text)| TaskNo::parse(&text)).ok_or_else(ApiError::not_found)?;
    let body = read_json(&app, caller.user, request, ByteSize(SMALL_BODY as u64)).await?;
    let naming = parse_task_naming(&body.bytes, &request_policy(&app.config))?;
    if !app.store.tasks().rename(caller.user, &task_no, &naming).await? {
        return Err(ApiError::not_found());
    }
    task_view(&app, caller.user, &task_no).await
}
