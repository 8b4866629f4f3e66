//! `GET …/balance`: the caller's points.

use std::sync::Arc;

use axum::extract::State;

use crate::app::App;
use crate::auth::{Caller, Read};
use crate::error::ApiResult;
use crate::view::{BalanceView, Envelope};

pub async fn balance(caller: Caller<Read>, State(app): State<Arc<App>>) -> ApiResult<Envelope<BalanceView>> {
    let points = app.store.balance(caller.user).await?;
    Ok(Envelope(points.into()))
}
