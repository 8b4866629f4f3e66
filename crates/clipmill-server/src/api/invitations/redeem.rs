//! `POST …/invitations/redeem`: exchanges the code of an invitation for a key. Anybody may call it.

use std::sync::Arc;

use axum::extract::{Request, State};
use clipmill_core::ids::UserId;
use clipmill_core::request::parse_invitation_code;
use clipmill_store::InvitedKey;

use crate::account::keys;
use crate::api::extract::body::read_json;
use crate::app::App;
use crate::clock;
use crate::config::units::ByteSize;
use crate::error::{ApiError, ApiResult};
use crate::http::client::client;
use crate::settings::request_policy;
use crate::view::{Answer, Envelope, InvitationCodeSchema, RedeemedInvitationView};

/// Far below the size from which bodies need permits, which are shared among users.
const LIMIT: ByteSize = ByteSize(4 << 10);
/// Nobody is signed in; small bodies are not counted for a user.
const NOBODY: UserId = UserId(0);

/// Exchange the code of an invitation for an API key, once. The key is shown only here. Used, revoked, expired and
/// unknown codes return the same error. Calls are limited per address.
#[utoipa::path(post, path = "/open-api/v1/invitations/redeem", operation_id = "redeemInvitation", tag = "invitations",
    security(()),
    request_body(content = InvitationCodeSchema, description = "The code: the part of the link after `#invitation=`."),
    responses((status = 200, description = "The key.", body = Answer<RedeemedInvitationView>)))]
pub async fn redeem(
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<RedeemedInvitationView>> {
    let address = client(&request, &app.config.server);
    if let Some(wait) = app.rates.count_address(address) {
        return Err(ApiError::too_many_from_address(wait));
    }
    let body = read_json(&app, NOBODY, request, LIMIT).await?;
    let code = parse_invitation_code(&body.bytes, &request_policy(&app.config))?;
    // A mistyped code never reaches the database.
    let code = keys::check_code(code.trim()).ok_or_else(ApiError::invitation_refused)?;
    let key = keys::new_key(clock::random()?);
    let invited = InvitedKey { key_sha256: key.sha256, prefix: key.prefix };
    let redeemed = app.store.invitations().redeem(&code, invited, clock::now_ms()).await?;
    let redeemed = redeemed.ok_or_else(ApiError::invitation_refused)?;
    tracing::info!(user = redeemed.user.0, issued = redeemed.key_id, "invitation redeemed");
    Ok(Envelope(RedeemedInvitationView::new(redeemed, key.text)))
}
