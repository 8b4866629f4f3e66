//! `GET …/balance`: the caller's points.

use std::sync::Arc;

use axum::extract::State;
use clipmill_core::message;

use crate::api::extract::query::Params;
use crate::app::App;
use crate::auth::{Caller, Read};
use crate::error::{ApiError, ApiResult};
use crate::view::{AccountView, Answer, BalanceView, Envelope};

/// Your balance.
#[utoipa::path(get, path = "/open-api/v1/video-process/balance", operation_id = "getBalance", tag = "points",
    security(("apiKey" = ["read"])),
    params(("details" = Option<bool>, Query, description = "Whether to add the name of the user, the scopes of the key and the operator's contact.")),
    responses((status = 200, description = "Spendable and held points.", body = Answer<BalanceView>)))]
pub async fn balance(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<BalanceView>> {
    let details = params.read("details", message::true_or_false(), |text| text.parse().ok());
    params.finish()?;
    let points = app.store.points().balance(caller.user).await?;
    let account = match details {
        Some(true) => {
            let user = app.store.users().find(caller.user).await?.ok_or_else(ApiError::not_found)?;
            Some(AccountView::new(user.name, &caller.scopes, &app.config.server.contact))
        }
        _ => None,
    };
    Ok(Envelope(BalanceView::new(points, account)))
}
