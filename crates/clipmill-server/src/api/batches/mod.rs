//! Batches: many tasks from one template and a table.

pub(crate) mod callback;
mod check;
pub(crate) mod control;
pub(crate) mod events;
pub(crate) mod read;
pub(crate) mod results;
pub(crate) mod submit;

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use clipmill_core::ids::{BatchNo, UserId};
use clipmill_store::BatchRecord;

use crate::app::App;
use crate::error::{ApiError, ApiResult};

type PathNo = Result<Path<String>, PathRejection>;

fn batch_no(number: PathNo) -> ApiResult<BatchNo> {
    number.ok().and_then(|Path(text)| BatchNo::parse(&text)).ok_or_else(ApiError::not_found)
}

async fn find(app: &App, user: UserId, number: PathNo) -> ApiResult<BatchRecord> {
    app.store.batches().find(user, &batch_no(number)?).await?.ok_or_else(ApiError::not_found)
}
