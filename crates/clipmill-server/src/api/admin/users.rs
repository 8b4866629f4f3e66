//! Users: list, create, disable, enable.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use clipmill_core::message;
use clipmill_core::request::{parse_new_user, parse_switch_off};
use clipmill_store::StoreError;

use super::{LIMIT, named_user, search, wrong};
use crate::account::users::{self, AddError};
use crate::api::extract::body::read_json;
use crate::api::extract::query::{PageParams, Params};
use crate::app::App;
use crate::auth::{Admin, Caller};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::settings::request_policy;
use crate::view::{
    Answer, Envelope, NewUserRequestSchema, NewUserView, PageView, SwitchOffSchema, SwitchedView, UserView,
    rfc3339,
};

/// Users, newest first.
#[utoipa::path(get, path = "/open-api/v1/admin/users", operation_id = "listUsers", tag = "admin",
    security(("apiKey" = ["admin"])),
    params(PageParams, ("search" = Option<String>, Query, description = "Part of a name.")),
    responses((status = 200, description = "A page of users.", body = Answer<PageView<UserView>>)))]
pub async fn users(
    _: Caller<Admin>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<PageView<UserView>>> {
    let page = params.page();
    let search = search(&mut params);
    params.finish()?;
    let user_page = app.store.users().list(search.as_deref(), page).await?;
    let list = user_page.list.into_iter().map(Into::into).collect();
    Ok(Envelope(PageView { list, total: user_page.total, page_no: page.number, page_size: page.size }))
}

/// Create a user and a key, which is shown only here.
#[utoipa::path(post, path = "/open-api/v1/admin/users", operation_id = "addUser", tag = "admin",
    security(("apiKey" = ["admin"])),
    request_body(content = NewUserRequestSchema, description = "A name that is not in use, and initial points."),
    responses((status = 200, description = "The user, key and secret.", body = Answer<NewUserView>)))]
pub async fn add_user(
    caller: Caller<Admin>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<NewUserView>> {
    let body = read_json(&app, caller.user, request, LIMIT).await?;
    let user_request = parse_new_user(&body.bytes, &request_policy(&app.config))?;
    let account = users::add(&*app.store, &user_request.name, user_request.points).await.map_err(
        |error| match error {
            AddError::Store(StoreError::Exists(_)) => {
                wrong("/name", message::user_exists(), user_request.name.as_str())
            }
            AddError::Store(error) => error.into(),
            AddError::Random(error) => error.into(),
        },
    )?;
    tracing::info!(key = caller.key_id, user = account.user.0, points = user_request.points, "user added");
    Ok(Envelope(NewUserView {
        user_id: account.user.0,
        name: user_request.name,
        api_key: account.api_key,
        webhook_secret: account.webhook_secret,
    }))
}

/// Disable a user: from the next call on, their keys receive error 40301 with the reason. Submitted tasks are
/// finished unless you set `cancel`. Batches create no further tasks, shared pages are closed, and nothing is
/// deleted. Calling it again with another reason replaces the reason.
#[utoipa::path(post, path = "/open-api/v1/admin/users/{userId}/off", operation_id = "switchUserOff", tag = "admin",
    security(("apiKey" = ["admin"])),
    params(("userId" = i64, Path, description = "Number of the user.")),
    request_body(content = SwitchOffSchema, description = "The reason shown to the user."),
    responses((status = 200, description = "The user is disabled.", body = Answer<SwitchedView>)))]
pub async fn switch_off(
    caller: Caller<Admin>,
    State(app): State<Arc<App>>,
    id: Result<Path<i64>, PathRejection>,
    request: Request,
) -> ApiResult<Envelope<SwitchedView>> {
    let user = named_user(id)?;
    let body = read_json(&app, caller.user, request, LIMIT).await?;
    let switch_off_request = parse_switch_off(&body.bytes, &request_policy(&app.config))?;
    if user == caller.user {
        return Err(wrong("/userId", message::own_user(), user.0));
    }
    let off = match app.store.users().switch_off(user, &switch_off_request.reason, clock::now_ms()).await {
        Err(StoreError::NotFound) => return Err(ApiError::not_found()),
        off => off?,
    };
    let cancelled = if switch_off_request.cancel { users::cancel_all(&*app.store, user).await? } else { 0 };
    tracing::info!(
        key = caller.key_id,
        user = user.0,
        reason = switch_off_request.reason,
        cancelled,
        "user disabled"
    );
    Ok(Envelope(SwitchedView {
        user_id: user.0,
        off_since: Some(rfc3339(off.since)),
        off_reason: Some(off.reason),
        cancelled,
    }))
}

/// Enable a user again.
#[utoipa::path(post, path = "/open-api/v1/admin/users/{userId}/on", operation_id = "switchUserOn", tag = "admin",
    security(("apiKey" = ["admin"])),
    params(("userId" = i64, Path, description = "Number of the user.")),
    responses((status = 200, description = "The user is enabled.", body = Answer<SwitchedView>)))]
pub async fn switch_on(
    caller: Caller<Admin>,
    State(app): State<Arc<App>>,
    id: Result<Path<i64>, PathRejection>,
) -> ApiResult<Envelope<SwitchedView>> {
    let user = named_user(id)?;
    app.store.users().find(user).await?.ok_or_else(ApiError::not_found)?;
    let was_off = app.store.users().switch_on(user).await?;
    tracing::info!(key = caller.key_id, user = user.0, changed = was_off, "user enabled");
    Ok(Envelope(SwitchedView { user_id: user.0, off_since: None, off_reason: None, cancelled: 0 }))
}
