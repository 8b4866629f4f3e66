//! `POST …/batches/{batchNo}/pause`, `resume`, `cancel` and `rows/{row}/retry`.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use clipmill_core::ids::BatchNo;
use clipmill_core::task::TaskState;
use clipmill_store::{RetryOutcome, RowRetry};

use super::submit::{MAX_OPEN, refused};
use super::{PathNo, batch_no, find};
use crate::app::App;
use crate::auth::{Caller, Submit};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::settings::quota;
use crate::view::{Answer, BatchView, Envelope};

/// Pause a batch: no further row becomes a task; existing tasks continue.
#[utoipa::path(post, path = "/open-api/v1/batches/{batchNo}/pause", operation_id = "pauseBatch", tag = "batches",
    security(("apiKey" = ["submit"])),
    params(("batchNo" = String, Path, description = "Number of the batch.")),
    responses((status = 200, description = "The batch.", body = Answer<BatchView>)))]
pub async fn pause(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    number: PathNo,
) -> ApiResult<Envelope<BatchView>> {
    set_paused(&app, caller, number, true).await
}

/// Resume a paused batch.
#[utoipa::path(post, path = "/open-api/v1/batches/{batchNo}/resume", operation_id = "resumeBatch", tag = "batches",
    security(("apiKey" = ["submit"])),
    params(("batchNo" = String, Path, description = "Number of the batch.")),
    responses((status = 200, description = "The batch.", body = Answer<BatchView>)))]
pub async fn resume(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    number: PathNo,
) -> ApiResult<Envelope<BatchView>> {
    set_paused(&app, caller, number, false).await
}

async fn set_paused(
    app: &App,
    caller: Caller<Submit>,
    number: PathNo,
    paused: bool,
) -> ApiResult<Envelope<BatchView>> {
    let batch = find(app, caller.user, number).await?;
    if batch.state.is_final() {
        return Err(ApiError::batch_ended(&batch.batch_no, batch.state));
    }
    let set = app.store.batches().pause(caller.user, &batch.batch_no, paused, clock::now_ms()).await?;
    set.ok_or_else(ApiError::not_found)?;
    shown(app, caller, &batch.batch_no).await
}

/// Cancel a batch: rows that have not started are dropped, and its tasks are cancelled. Delivered videos are kept
/// and charged.
#[utoipa::path(post, path = "/open-api/v1/batches/{batchNo}/cancel", operation_id = "cancelBatch", tag = "batches",
    security(("apiKey" = ["submit"])),
    params(("batchNo" = String, Path, description = "Number of the batch.")),
    responses((status = 200, description = "The batch.", body = Answer<BatchView>)))]
pub async fn cancel(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    number: PathNo,
) -> ApiResult<Envelope<BatchView>> {
    let number = batch_no(number)?;
    let stopped = app.store.batches().cancel(caller.user, &number, clock::now_ms()).await?;
    if !stopped.ok_or_else(ApiError::not_found)? {
        let batch = app.store.batches().find(caller.user, &number).await?.ok_or_else(ApiError::not_found)?;
        return Err(ApiError::batch_ended(&number, batch.state));
    }
    // Its tasks are cancelled in the background, even if this process ends now.
    shown(&app, caller, &number).await
}

/// Retry a failed row: it becomes a new task, which takes the place of its earlier one in the batch.
#[utoipa::path(post, path = "/open-api/v1/batches/{batchNo}/rows/{row}/retry", operation_id = "retryBatchRow", tag = "batches",
    security(("apiKey" = ["submit"])),
    params(
        ("batchNo" = String, Path, description = "Number of the batch."),
        ("row" = u32, Path, minimum = 1, description = "Number of the row, from 1."),
    ),
    responses((status = 200, description = "The batch, which is open again.", body = Answer<BatchView>)))]
pub async fn retry(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    place: Result<Path<(String, u32)>, PathRejection>,
) -> ApiResult<Envelope<BatchView>> {
    let Path((number, row)) = place.map_err(|_| ApiError::not_found())?;
    let number = BatchNo::parse(&number).ok_or_else(ApiError::not_found)?;
    let quota = quota(&app.config, clock::now_ms());
    let retry = RowRetry { user: caller.user, batch_no: number.clone(), row, max_open: MAX_OPEN, quota };
    let outcome = app.store.batches().retry_row(retry, clock::now_ms()).await?;
    match outcome.ok_or_else(ApiError::not_found)? {
        RetryOutcome::Waiting => shown(&app, caller, &number).await,
        RetryOutcome::NotFailed => Err(ApiError::row_not_failed(&number, row)),
        RetryOutcome::Cancelled => Err(ApiError::batch_ended(&number, TaskState::Cancelled)),
        RetryOutcome::Refused(refusal) => Err(refused(refusal)),
    }
}

async fn shown(app: &App, caller: Caller<Submit>, number: &BatchNo) -> ApiResult<Envelope<BatchView>> {
    let batch = app.store.batches().find(caller.user, number).await?.ok_or_else(ApiError::not_found)?;
    Ok(Envelope(BatchView::linked(batch, &app.links, clock::now_ms())))
}
