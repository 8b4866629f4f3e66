//! `GET …/batches/{batchNo}/callbacks` and `POST …/callbacks/redeliver`: the log of a batch's callback, and redelivery.

use std::sync::Arc;

use axum::extract::State;
use clipmill_core::message;
use clipmill_store::Subject;

use super::{PathNo, batch_no};
use crate::api::callbacks::{send_again, standing};
use crate::app::App;
use crate::auth::{Caller, Read, Submit};
use crate::error::ApiResult;
use crate::view::{Answer, BatchCallbackView, Envelope};

/// State of a batch's callback, and every attempt to deliver it.
#[utoipa::path(get, path = "/open-api/v1/batches/{batchNo}/callbacks", operation_id = "getBatchCallback", tag = "batches",
    security(("apiKey" = ["read"])),
    params(("batchNo" = String, Path, description = "Number of the batch.")),
    responses((status = 200, description = "The callback and its attempts.", body = Answer<BatchCallbackView>)))]
pub async fn callback(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    number: PathNo,
) -> ApiResult<Envelope<BatchCallbackView>> {
    let subject = Subject::Batch(batch_no(number)?);
    Ok(Envelope(standing(&app, caller.user, &subject).await?.into()))
}

/// Send a batch's callback again.
/// The event is sent at once with the same ID and the full retry schedule, even if it was delivered or failed before.
#[utoipa::path(post, path = "/open-api/v1/batches/{batchNo}/callbacks/redeliver", operation_id = "redeliverBatchCallback", tag = "batches",
    security(("apiKey" = ["submit"])),
    params(("batchNo" = String, Path, description = "Number of the batch.")),
    responses((status = 200, description = "The updated callback.", body = Answer<BatchCallbackView>)))]
pub async fn redeliver(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    number: PathNo,
) -> ApiResult<Envelope<BatchCallbackView>> {
    let place = ("/path/batchNo", message::allowed_ended_batch());
    let callback = send_again(&app, caller.user, &Subject::Batch(batch_no(number)?), place).await?;
    Ok(Envelope(callback.into()))
}
