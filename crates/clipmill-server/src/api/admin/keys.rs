//! Keys of users: list, issue, revoke.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use clipmill_core::ids::UserId;
use clipmill_core::message;
use clipmill_core::request::{KeyRequest, parse_key};
use clipmill_store::{Millis, Scope, Scopes, StoreError};

use super::{LIMIT, named_user, wrong};
use crate::account::users::{self, AddError};
use crate::api::extract::body::read_json;
use crate::api::extract::query::moment;
use crate::app::App;
use crate::auth::{Admin, Caller};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::settings::request_policy;
use crate::view::{Answer, Envelope, KeyRequestSchema, KeyView, KeysView, NewKeyView, rfc3339};

/// Keys of a user, newest first, including expired and revoked ones; never the keys themselves.
#[utoipa::path(get, path = "/open-api/v1/admin/users/{userId}/keys", operation_id = "listKeys", tag = "admin",
    security(("apiKey" = ["admin"])),
    params(("userId" = i64, Path, description = "Number of the user.")),
    responses((status = 200, description = "The keys.", body = Answer<KeysView>)))]
pub async fn list(
    caller: Caller<Admin>,
    State(app): State<Arc<App>>,
    id: Result<Path<i64>, PathRejection>,
) -> ApiResult<Envelope<KeysView>> {
    let user = existing(&app, id).await?;
    let keys = app.store.keys().list(user).await?;
    let list: Vec<_> = keys.into_iter().map(|key| KeyView::new(key, caller.key_id)).collect();
    Ok(Envelope(KeysView { total: list.len(), list }))
}

/// Issue another key for a user; the key is shown only here.
#[utoipa::path(post, path = "/open-api/v1/admin/users/{userId}/keys", operation_id = "issueKey", tag = "admin",
    security(("apiKey" = ["admin"])),
    params(("userId" = i64, Path, description = "Number of the user.")),
    request_body(content = KeyRequestSchema, description = "Scopes and expiry of the key."),
    responses((status = 200, description = "The key.", body = Answer<NewKeyView>)))]
pub async fn issue(
    caller: Caller<Admin>,
    State(app): State<Arc<App>>,
    id: Result<Path<i64>, PathRejection>,
    request: Request,
) -> ApiResult<Envelope<NewKeyView>> {
    let user = existing(&app, id).await?;
    let body = read_json(&app, caller.user, request, LIMIT).await?;
    let key_request = parse_key(&body.bytes, &request_policy(&app.config))?;
    let scopes = scopes(key_request.scopes.as_deref())?;
    let expires_at = end(&key_request, clock::now_ms())?;
    let issued = match users::issue_key(&*app.store, user, scopes.clone(), expires_at).await {
        Err(AddError::Random(error)) => return Err(error.into()),
        Err(AddError::Store(error)) => return Err(error.into()),
        Ok(issued) => issued,
    };
    tracing::info!(
        key = caller.key_id,
        user = user.0,
        issued = issued.id,
        scopes = scopes.to_text(),
        "API key issued"
    );
    Ok(Envelope(NewKeyView {
        key_id: issued.id,
        user_id: user.0,
        api_key: issued.text,
        scopes: scopes.names(),
        expire_time: expires_at.map(rfc3339),
    }))
}

/// Revoke a key permanently: it is refused from the next call on.
#[utoipa::path(delete, path = "/open-api/v1/admin/keys/{keyId}", operation_id = "revokeKey", tag = "admin",
    security(("apiKey" = ["admin"])),
    params(("keyId" = i64, Path, description = "Number of the key.")),
    responses((status = 200, description = "The key, revoked.", body = Answer<KeyView>)))]
pub async fn revoke(
    caller: Caller<Admin>,
    State(app): State<Arc<App>>,
    id: Result<Path<i64>, PathRejection>,
) -> ApiResult<Envelope<KeyView>> {
    let Path(id) = id.map_err(|_| ApiError::not_found())?;
    if id == caller.key_id {
        return Err(wrong("/keyId", message::own_key(), id));
    }
    let revoked = match app.store.keys().revoke(id, clock::now_ms()).await {
        Err(StoreError::NotFound) => return Err(ApiError::not_found()),
        revoked => revoked?,
    };
    tracing::info!(key = caller.key_id, revoked = id, "API key revoked");
    Ok(Envelope(KeyView::new(revoked, caller.key_id)))
}

async fn existing(app: &App, id: Result<Path<i64>, PathRejection>) -> ApiResult<UserId> {
    let user = app.store.users().find(named_user(id)?).await?;
    user.map(|user| user.id).ok_or_else(ApiError::not_found)
}

/// The scopes with these names; by default, those that a client needs.
pub fn scopes(wanted: Option<&[String]>) -> ApiResult<Scopes> {
    let Some(names) = wanted else { return Ok(Scopes::default()) };
    let mut scopes = Vec::with_capacity(names.len());
    for (place, name) in names.iter().enumerate() {
        let scope_names = Scope::ALL.map(Scope::as_str).join(", ");
        let unknown = || wrong(&format!("/scopes/{place}"), message::none_of(scope_names), name.as_str());
        scopes.push(Scope::parse(name).ok_or_else(unknown)?);
    }
    Ok(Scopes::of(scopes).unwrap_or_default())
}

fn end(wanted: &KeyRequest, now: Millis) -> ApiResult<Option<Millis>> {
    let Some(text) = &wanted.expire_time else { return Ok(None) };
    match moment(text) {
        None => Err(wrong("/expireTime", message::must_be(message::a_moment()), text.as_str())),
        Some(end) if end <= now => Err(wrong("/expireTime", message::is_past(), text.as_str())),
        end => Ok(end),
    }
}
