//! `GET …/balance`: the caller's points.

use std::sync::Arc;

use axum::extract::State;

use crate::app::App;
use crate::error::ApiResult;
use crate::http::auth::{Caller, Read};
use crate::view::{Answer, BalanceView, Envelope};

/// Your points.
#[utoipa::path(get, path = "/open-api/v1/video-process/balance", operation_id = "getBalance", tag = "points",
    security(("apiKey" = ["read"])),
    responses((status = 200, description = "Points that can be spent, and points held.", body = Answer<BalanceView>)))]
pub async fn balance(caller: Caller<Read>, State(app): State<Arc<App>>) -> ApiResult<Envelope<BalanceView>> {
    let points = app.store.balance(caller.user).await?;
    Ok(Envelope(BalanceView::new(points, &caller.scopes, &app.config.server.contact)))
}
