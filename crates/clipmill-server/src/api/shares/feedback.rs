//! `…/share/{taskNo}/{shareId}/feedback` and `/comments`: the owner reads the feedback on a share and deletes comments.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use clipmill_core::ids::{TaskNo, UserId};
use clipmill_store::ShareRecord;

use crate::app::App;
use crate::auth::{Caller, Read, Submit};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::view::{Answer, Envelope, ShareFeedbackView};

/// A share of a task of this user that has not ended.
async fn own(app: &App, user: UserId, number: &str, id: i64) -> ApiResult<ShareRecord> {
    let task_no = TaskNo::parse(number).ok_or_else(ApiError::not_found)?;
    app.store.tasks().find(user, &task_no).await?.ok_or_else(ApiError::not_found)?;
    let share = app.store.shares().find(id).await?.ok_or_else(ApiError::not_found)?;
    let is_of_task = share.tasks.iter().any(|task| task.task_no == task_no);
    if is_of_task && share.is_open(clock::now_ms()) { Ok(share) } else { Err(ApiError::not_found()) }
}

/// Videos that the viewers of a share have picked, and their comments, the oldest first. Feedback ends with the share.
#[utoipa::path(get, path = "/open-api/v1/share/{taskNo}/{shareId}/feedback", operation_id = "getFeedback", tag = "shares",
    security(("apiKey" = ["read"])),
    params(
        ("taskNo" = String, Path, description = "Task number."),
        ("shareId" = i64, Path, description = "Number of the share."),
    ),
    responses((status = 200, description = "Picks and comments.", body = Answer<ShareFeedbackView>)))]
pub async fn read(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    numbers: Result<Path<(String, i64)>, PathRejection>,
) -> ApiResult<Envelope<ShareFeedbackView>> {
    let Path((number, id)) = numbers.map_err(|_| ApiError::not_found())?;
    let share = own(&app, caller.user, &number, id).await?;
    let feedback = app.store.feedback().read(share.id).await?;
    Ok(Envelope(ShareFeedbackView::new(feedback, &share)))
}

/// Delete a comment of a viewer permanently.
#[utoipa::path(delete, path = "/open-api/v1/share/{taskNo}/{shareId}/comments/{commentId}", operation_id = "deleteComment", tag = "shares",
    security(("apiKey" = ["submit"])),
    params(
        ("taskNo" = String, Path, description = "Task number."),
        ("shareId" = i64, Path, description = "Number of the share."),
        ("commentId" = i64, Path, description = "Number of the comment."),
    ),
    responses((status = 200, description = "Deleted.", body = Answer<Option<String>>)))]
pub async fn delete(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    numbers: Result<Path<(String, i64, i64)>, PathRejection>,
) -> ApiResult<Envelope<Option<String>>> {
    let Path((number, id, comment)) = numbers.map_err(|_| ApiError::not_found())?;
    let share = own(&app, caller.user, &number, id).await?;
    let deleted = app.store.feedback().delete_comment(caller.user, share.id, comment).await?;
    if deleted { Ok(Envelope(None)) } else { Err(ApiError::not_found()) }
}
