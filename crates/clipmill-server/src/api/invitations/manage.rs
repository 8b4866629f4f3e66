//! `…/admin/invitations`: creates, lists and revokes invitations.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use clipmill_core::ids::UserId;
use clipmill_core::request::parse_invitation;
use clipmill_store::StoreError;

use crate::account::users::{self, AddError};
use crate::api::admin::{LIMIT, keys};
use crate::api::extract::body::read_json;
use crate::api::extract::query::{PageParams, Params};
use crate::app::App;
use crate::auth::{Admin, Caller};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::settings::request_policy;
use crate::view::{Answer, Envelope, InvitationRequestSchema, InvitationView, NewInvitationView, PageView};

const HOUR_MS: i64 = 3_600_000;
const DEFAULT_HOURS: u32 = 24;

/// Invite a person to sign in as a user. The first person who opens the link gets a key with these scopes; the key is created
/// then. The link is shown only here.
#[utoipa::path(post, path = "/open-api/v1/admin/invitations", operation_id = "addInvitation", tag = "invitations",
    security(("apiKey" = ["admin"])),
    request_body(content = InvitationRequestSchema, description = "The user, the scopes of the key, and how long the link is valid."),
    responses((status = 200, description = "The link.", body = Answer<NewInvitationView>)))]
pub async fn add(
    caller: Caller<Admin>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<NewInvitationView>> {
    let body = read_json(&app, caller.user, request, LIMIT).await?;
    let wanted = parse_invitation(&body.bytes, &request_policy(&app.config))?;
    let scopes = keys::scopes(wanted.scopes.as_deref())?;
    let hours = wanted.hours.unwrap_or(DEFAULT_HOURS);
    let expires_at = clock::now_ms().saturating_add(i64::from(hours) * HOUR_MS);
    let invitation = match users::invite(&*app.store, UserId(wanted.user_id), scopes, expires_at).await {
        Err(AddError::Store(StoreError::NotFound)) => return Err(ApiError::not_found()),
        Err(AddError::Random(error)) => return Err(error.into()),
        Err(AddError::Store(error)) => return Err(error.into()),
        Ok(invitation) => invitation,
    };
    let record = &invitation.record;
    tracing::info!(
        key = caller.key_id,
        user = record.user.0,
        invitation = record.id,
        scopes = record.scopes.to_text(),
        "invitation created"
    );
    let url = app.links.open(&users::invitation_path(&invitation.code));
    Ok(Envelope(NewInvitationView { invitation: invitation.record.into(), url }))
}

/// Invitations, newest first, including used, revoked and expired ones; never their links.
#[utoipa::path(get, path = "/open-api/v1/admin/invitations", operation_id = "listInvitations", tag = "invitations",
    security(("apiKey" = ["admin"])),
    params(PageParams),
    responses((status = 200, description = "A page of invitations.", body = Answer<PageView<InvitationView>>)))]
pub async fn list(
    _: Caller<Admin>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<PageView<InvitationView>>> {
    let page = params.page();
    params.finish()?;
    let invitations = app.store.invitations().list(page).await?;
    let list = invitations.list.into_iter().map(Into::into).collect();
    Ok(Envelope(PageView { list, total: invitations.total, page_no: page.number, page_size: page.size }))
}

/// Revoke an invitation permanently: its link cannot be used any more. A key that was issued for it remains valid.
#[utoipa::path(delete, path = "/open-api/v1/admin/invitations/{invitationId}", operation_id = "revokeInvitation", tag = "invitations",
    security(("apiKey" = ["admin"])),
    params(("invitationId" = i64, Path, description = "Number of the invitation.")),
    responses((status = 200, description = "The invitation, revoked.", body = Answer<InvitationView>)))]
pub async fn revoke(
    caller: Caller<Admin>,
    State(app): State<Arc<App>>,
    id: Result<Path<i64>, PathRejection>,
) -> ApiResult<Envelope<InvitationView>> {
    let Path(id) = id.map_err(|_| ApiError::not_found())?;
    let revoked = match app.store.invitations().revoke(id, clock::now_ms()).await {
        Err(StoreError::NotFound) => return Err(ApiError::not_found()),
        revoked => revoked?,
    };
    tracing::info!(key = caller.key_id, invitation = id, "invitation revoked");
    Ok(Envelope(revoked.into()))
}
