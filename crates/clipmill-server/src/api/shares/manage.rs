//! `…/share/{taskNo}`: makes, lists and revokes shares.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use clipmill_core::ids::TaskNo;
use clipmill_core::message;
use clipmill_core::request::{FieldError, MAX_SHARED, parse_share};
use clipmill_store::{NewShare, ShareOutcome};
use serde_json::json;

use crate::api::extract::body::read_json;
use crate::api::extract::query::moment;
use crate::app::{App, SMALL_BODY};
use crate::auth::{Caller, Read, Submit};
use crate::clock;
use crate::config::units::ByteSize;
use crate::error::{ApiError, ApiResult};
use crate::settings::request_policy;
use crate::view::{Answer, Envelope, NewShareSchema, ShareView};

/// The most shares of one task.
pub(super) const MAX_SHARES: u32 = 100;
/// The most outputs that one share shows.
pub(super) const MAX_ITEMS: u32 = MAX_SHARED as u32;

/// Share outputs of a task: creates a page to play and download them, for everyone who has the link.
/// The page gives access to nothing else. It ends at `expiresAt`, when it is revoked, or with the files.
#[utoipa::path(post, path = "/open-api/v1/share/{taskNo}", operation_id = "shareTask", tag = "shares",
    security(("apiKey" = ["submit"])),
    params(("taskNo" = String, Path, description = "Task number.")),
    request_body(content = NewShareSchema, description = "Outputs to show, expiry and texts of the page."),
    responses((status = 200, description = "The link.", body = Answer<ShareView>)))]
pub async fn share(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    number: Result<Path<String>, PathRejection>,
    request: Request,
) -> ApiResult<Envelope<ShareView>> {
    let task_no = number.ok().and_then(|Path(text)| TaskNo::parse(&text)).ok_or_else(ApiError::not_found)?;
    let body = read_json(&app, caller.user, request, ByteSize(SMALL_BODY as u64)).await?;
    let share_request = parse_share(&body.bytes, &request_policy(&app.config))?;
    let now = clock::now_ms();
    let expires_at = end(share_request.expires_at.as_deref(), now)?;
    let new = NewShare {
        tasks: vec![(task_no, share_request.items)],
        expires_at,
        page: share_request.page,
        max: MAX_SHARES,
        max_items: MAX_ITEMS,
    };
    match app.store.shares().add(caller.user, new, now).await? {
        ShareOutcome::Made(share) => Ok(Envelope(ShareView::new(share, &app.links, now))),
        ShareOutcome::NoTask { .. } => Err(ApiError::not_found()),
        ShareOutcome::NoItem { item, total, .. } => Err(no_output("/items".to_owned(), item, total)),
        ShareOutcome::TooManyItems { found } => Err(too_many_outputs("/items", found)),
        ShareOutcome::TooMany { limit } => Err(ApiError::too_many_shares(limit)),
    }
}

pub(super) fn no_output(path: String, item: u32, total: u32) -> ApiError {
    let message = message::no_such_output();
    let allowed = Some(message::allowed_range(1u32, total));
    ApiError::invalid(vec![FieldError { path, message, got: Some(json!(item)), allowed }])
}

pub(super) fn too_many_outputs(path: &str, found: u64) -> ApiError {
    let message = message::too_many_shared(found, MAX_ITEMS);
    ApiError::invalid(vec![FieldError { path: path.to_owned(), message, got: None, allowed: None }])
}

pub(super) fn end(expires_at: Option<&str>, now: i64) -> ApiResult<Option<i64>> {
    let Some(text) = expires_at else { return Ok(None) };
    let wrong = |message| {
        let path = "/expiresAt".to_owned();
        ApiError::invalid(vec![FieldError { path, message, got: Some(json!(text)), allowed: None }])
    };
    match moment(text) {
        None => Err(wrong(message::must_be(message::a_moment()))),
        Some(end) if end <= now => Err(wrong(message::is_past())),
        Some(end) => Ok(Some(end)),
    }
}

/// Shares of a task, newest first.
#[utoipa::path(get, path = "/open-api/v1/share/{taskNo}", operation_id = "listShares", tag = "shares",
    security(("apiKey" = ["read"])),
    params(("taskNo" = String, Path, description = "Task number.")),
    responses((status = 200, description = "The shares.", body = Answer<Vec<ShareView>>)))]
pub async fn list(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    number: Result<Path<String>, PathRejection>,
) -> ApiResult<Envelope<Vec<ShareView>>> {
    let task_no = number.ok().and_then(|Path(text)| TaskNo::parse(&text)).ok_or_else(ApiError::not_found)?;
    app.store.tasks().find(caller.user, &task_no).await?.ok_or_else(ApiError::not_found)?;
    let shares = app.store.shares().list(caller.user, &task_no).await?;
    let now = clock::now_ms();
    Ok(Envelope(shares.into_iter().map(|share| ShareView::new(share, &app.links, now)).collect()))
}

/// Revoke a share permanently: its page and files become unavailable at once.
#[utoipa::path(delete, path = "/open-api/v1/share/{taskNo}/{shareId}", operation_id = "revokeShare", tag = "shares",
    security(("apiKey" = ["submit"])),
    params(
        ("taskNo" = String, Path, description = "Task number."),
        ("shareId" = i64, Path, description = "Number of the share."),
    ),
    responses((status = 200, description = "Revoked.", body = Answer<Option<String>>)))]
pub async fn revoke(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    numbers: Result<Path<(String, i64)>, PathRejection>,
) -> ApiResult<Envelope<Option<String>>> {
    let Path((number, id)) = numbers.map_err(|_| ApiError::not_found())?;
    let task_no = TaskNo::parse(&number).ok_or_else(ApiError::not_found)?;
    let revoked = app.store.shares().revoke(caller.user, &task_no, id, clock::now_ms()).await?;
    if revoked { Ok(Envelope(None)) } else { Err(ApiError::not_found()) }
}
