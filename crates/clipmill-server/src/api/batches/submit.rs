//! `POST …/batches` and `POST …/batches/estimate`.

use std::sync::Arc;

use axum::extract::{Request, State};
use clipmill_core::ids::{BatchNo, UserId};
use clipmill_store::{BatchOutcome, BatchRefusal, NewBatch, Quota};

use super::check::{AboveLimit, CheckedBatch, check, read};
use crate::api::tasks::submit::no_such_upload;
use crate::app::App;
use crate::auth::{Caller, Submit};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::settings;
use crate::view::{Answer, BatchEstimateView, Envelope, NewBatchSchema, SubmittedBatchView};

/// The most batches of one user that have not ended.
pub(super) const MAX_OPEN: u32 = 100;

/// Submit a batch: one task per row of a table. All rows are validated before any is accepted, and the price of the
/// whole batch is held at once. Each row becomes a task with the `clientTaskId` `clientBatchId#row`. Sending the same
/// batch again returns the existing one and costs nothing.
#[utoipa::path(post, path = "/open-api/v1/batches", operation_id = "submitBatch", tag = "batches",
    security(("apiKey" = ["submit"])),
    request_body(content = NewBatchSchema, description = "A template, or a request with variables, and rows."),
    responses((status = 200, description = "The batch's number and price.", body = Answer<SubmittedBatchView>)))]
pub async fn submit(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<SubmittedBatchView>> {
    app.require_disk_space()?;
    let batch = read(&app, caller.user, request).await?;
    let id = &batch.request.client_batch_id;
    if let Some(existing) = app.store.batches().submitted_before(caller.user, id, &batch.sha256).await? {
        return respond(&app, caller.user, existing).await;
    }
    let checked = check(&app, caller.user, batch).await?;
    if let Some(AboveLimit { row, price, max_points }) = checked.above_limit {
        return Err(ApiError::above_price_limit(price, max_points, Some(row)));
    }
    let now = clock::now_ms();
    let quota = settings::quota(&app.config, now);
    let new = new_batch(caller.user, BatchNo::new(now, clock::random()?), checked, quota);
    let outcome = app.store.batches().submit(new, now).await?;
    respond(&app, caller.user, outcome).await
}

/// Price and size of a batch; nothing is stored.
#[utoipa::path(post, path = "/open-api/v1/batches/estimate", operation_id = "estimateBatch", tag = "batches",
    security(("apiKey" = ["submit"])),
    request_body(content = NewBatchSchema, description = "The batch as it would be submitted."),
    responses((status = 200, description = "Price of the batch.", body = Answer<BatchEstimateView>)))]
pub async fn estimate(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<BatchEstimateView>> {
    let batch = read(&app, caller.user, request).await?;
    let checked = check(&app, caller.user, batch).await?;
    Ok(Envelope(BatchEstimateView::new(&checked.rows, checked.warnings)))
}

fn new_batch(user: UserId, batch_no: BatchNo, checked: CheckedBatch, quota: Quota) -> NewBatch {
    let CheckedBatch { request, sha256, template, kept_as, rows, warnings, uploads, results, .. } = checked;
    NewBatch {
        user,
        batch_no,
        client_batch_id: request.client_batch_id,
        request_sha256: sha256,
        name: request.name,
        callback_url: request.callback_url,
        partial: request.partial,
        max_points: request.max_points,
        template,
        kept_as,
        rows,
        warnings,
        uploads,
        results,
        max_open: MAX_OPEN,
        quota,
    }
}

async fn respond(app: &App, user: UserId, outcome: BatchOutcome) -> ApiResult<Envelope<SubmittedBatchView>> {
    let (batch_no, duplicate) = match outcome {
        BatchOutcome::Created(batch_no) => (batch_no, false),
        BatchOutcome::Duplicate(batch_no) => (batch_no, true),
        BatchOutcome::Conflict { batch_no } => return Err(ApiError::client_batch_id_conflict(batch_no)),
        BatchOutcome::Refused(refusal) => return Err(refused(refusal)),
    };
    let batch = app.store.batches().find(user, &batch_no).await?.ok_or_else(ApiError::not_found)?;
    Ok(Envelope(SubmittedBatchView::new(batch, duplicate)))
}

pub(super) fn refused(refusal: BatchRefusal) -> ApiError {
    match refusal {
        BatchRefusal::InsufficientPoints { needed, available } => {
            ApiError::not_enough_points(needed, available)
        }
        BatchRefusal::AboveLimit { price, max_points } => {
            ApiError::above_price_limit(price, max_points, None)
        }
        BatchRefusal::TooManyOpen { open, limit } => ApiError::too_many_open_batches(open, limit),
        BatchRefusal::StorageFull(full) => ApiError::storage_full(full),
        BatchRefusal::TooManyCancelled { given_up, limit } => ApiError::too_many_cancelled(given_up, limit),
        BatchRefusal::UploadGone { id } => {
            ApiError::invalid(vec![no_such_upload("/rows".to_owned(), &format!("upload://{id}"))])
        }
    }
}
