//! `GET …/batches`, `GET …/batches/{batchNo}` and its rows.

use std::sync::Arc;

use axum::extract::State;
use clipmill_core::message;
use clipmill_store::{RowFilter, RowState};

use super::{PathNo, find};
use crate::api::extract::query::{PageParams, Params};
use crate::app::App;
use crate::auth::{Caller, Read};
use crate::clock;
use crate::error::ApiResult;
use crate::view::{Answer, BatchRowView, BatchView, Envelope, PageView, RowFilterName};

/// Your batches, newest first.
#[utoipa::path(get, path = "/open-api/v1/batches", operation_id = "listBatches", tag = "batches",
    security(("apiKey" = ["read"])),
    params(PageParams),
    responses((status = 200, description = "A page of batches.", body = Answer<PageView<BatchView>>)))]
pub async fn list(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<PageView<BatchView>>> {
    let page = params.page();
    params.finish()?;
    let batch_page = app.store.batches().list(caller.user, page).await?;
    let now = clock::now_ms();
    let list = batch_page.list.into_iter().map(|batch| BatchView::new(batch, now)).collect();
    Ok(Envelope(PageView { list, total: batch_page.total, page_no: page.number, page_size: page.size }))
}

/// State and progress of a batch.
#[utoipa::path(get, path = "/open-api/v1/batches/{batchNo}", operation_id = "getBatch", tag = "batches",
    security(("apiKey" = ["read"])),
    params(("batchNo" = String, Path, description = "Number of the batch.")),
    responses((status = 200, description = "The batch.", body = Answer<BatchView>)))]
pub async fn get(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    number: PathNo,
) -> ApiResult<Envelope<BatchView>> {
    let batch = find(&app, caller.user, number).await?;
    Ok(Envelope(BatchView::linked(batch, &app.links, clock::now_ms())))
}

/// Rows of a batch in order, with their tasks.
#[utoipa::path(get, path = "/open-api/v1/batches/{batchNo}/rows", operation_id = "listBatchRows", tag = "batches",
    security(("apiKey" = ["read"])),
    params(
        ("batchNo" = String, Path, description = "Number of the batch."),
        PageParams,
        ("state" = Option<RowFilterName>, Query, description = "Only rows in this state; `failed`: refused rows, and rows whose task has failed videos or has ended without all of its videos."),
    ),
    responses((status = 200, description = "A page of rows.", body = Answer<PageView<BatchRowView>>)))]
pub async fn rows(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    number: PathNo,
    mut params: Params,
) -> ApiResult<Envelope<PageView<BatchRowView>>> {
    let page = params.page();
    let allowed = message::one_of("waiting, made, refused, cancelled, failed");
    let which = params.read("state", allowed, filter).unwrap_or(RowFilter::All);
    params.finish()?;
    let batch = find(&app, caller.user, number).await?;
    let row_page = app.store.batches().rows(batch.id, which, page).await?;
    let list = row_page.list.into_iter().map(Into::into).collect();
    Ok(Envelope(PageView { list, total: row_page.total, page_no: page.number, page_size: page.size }))
}

fn filter(name: &str) -> Option<RowFilter> {
    if name == "failed" { Some(RowFilter::Failed) } else { RowState::parse(name).map(RowFilter::In) }
}
