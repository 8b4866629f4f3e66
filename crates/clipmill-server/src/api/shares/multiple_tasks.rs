//! `POST …/share`: one page for outputs of several tasks.

use std::sync::Arc;

use axum::extract::{Request, State};
use clipmill_core::ids::TaskNo;
use clipmill_core::message;
use clipmill_core::request::{FieldError, SharedTaskRequest, parse_multi_task_share};
use clipmill_store::{NewShare, ShareOutcome};
use serde_json::json;

use super::manage::{MAX_ITEMS, MAX_SHARES, end, no_output, too_many_outputs};
use crate::api::extract::body::read_json;
use crate::app::{App, SMALL_BODY};
use crate::auth::{Caller, Submit};
use crate::clock;
use crate::config::units::ByteSize;
use crate::error::{ApiError, ApiResult};
use crate::settings::request_policy;
use crate::view::{Answer, Envelope, ShareView, WideShareSchema};

/// Share outputs of several tasks with one link. The share is listed with each of these tasks and can be revoked
/// through any of them. It expires with the files at the latest; deleted tasks disappear from the page.
#[utoipa::path(post, path = "/open-api/v1/share", operation_id = "shareTasks", tag = "shares",
    security(("apiKey" = ["submit"])),
    request_body(content = WideShareSchema, description = "Tasks and outputs to show, expiry and texts of the page."),
    responses((status = 200, description = "The link.", body = Answer<ShareView>)))]
pub async fn share(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<ShareView>> {
    let body = read_json(&app, caller.user, request, ByteSize(SMALL_BODY as u64)).await?;
    let share_request = parse_multi_task_share(&body.bytes, &request_policy(&app.config))?;
    let now = clock::now_ms();
    let expires_at = end(share_request.expires_at.as_deref(), now)?;
    let unknown: Vec<FieldError> = (0..).zip(&share_request.tasks).filter_map(unnumbered).collect();
    if !unknown.is_empty() {
        return Err(ApiError::invalid(unknown));
    }
    let task_numbers: Vec<String> = share_request.tasks.iter().map(|task| task.task_no.clone()).collect();
    let tasks =
        share_request.tasks.into_iter().filter_map(|task| Some((TaskNo::parse(&task.task_no)?, task.items)));
    let (tasks, page) = (tasks.collect(), share_request.page);
    let new = NewShare { tasks, expires_at, page, max: MAX_SHARES, max_items: MAX_ITEMS };
    match app.store.shares().add(caller.user, new, now).await? {
        ShareOutcome::Made(share) => Ok(Envelope(ShareView::new(share, &app.links, now))),
        ShareOutcome::NoTask { task } => Err(ApiError::invalid(vec![no_task(task, task_numbers.get(task))])),
        ShareOutcome::NoItem { task, item, total } => {
            Err(no_output(format!("/tasks/{task}/items"), item, total))
        }
        ShareOutcome::TooManyItems { found } => Err(too_many_outputs("/tasks", found)),
        ShareOutcome::TooMany { limit } => Err(ApiError::too_many_shares(limit)),
    }
}

fn unnumbered((at, task): (usize, &SharedTaskRequest)) -> Option<FieldError> {
    TaskNo::parse(&task.task_no).is_none().then(|| no_task(at, Some(&task.task_no)))
}

/// The same error for another user's task and for one that does not exist.
fn no_task(at: usize, got: Option<&String>) -> FieldError {
    let path = format!("/tasks/{at}/taskNo");
    FieldError { path, message: message::no_such_task(), got: got.map(|got| json!(got)), allowed: None }
}
