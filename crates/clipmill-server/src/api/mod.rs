//! The HTTP interface: a file per verb.

mod balance;
mod body;
mod cancel;
mod files;
mod headers;
mod health;
mod linger;
mod list;
mod query;
mod range;
mod records;
mod status;
mod submit;
mod upload_refs;
mod uploads;

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, map_response};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;

use crate::app::App;
use crate::context;
use crate::error::{ApiError, panicked};

/// All routes. Whatever goes wrong, the answer is `{code, msg, data}`.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/open-api/v1/video-process/submit", post(submit::submit))
        .route("/open-api/v1/video-process/status/{task_no}", get(status::status))
        .route("/open-api/v1/video-process/cancel/{task_no}", post(cancel::cancel))
        .route("/open-api/v1/video-process/list", get(list::list))
        .route("/open-api/v1/video-process/balance", get(balance::balance))
        .route("/open-api/v1/video-process/records", get(records::records))
        .route("/open-api/v1/uploads", post(uploads::upload))
        .route("/files/{task_no}/{file}", get(files::file))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .fallback(async || ApiError::not_found())
        .method_not_allowed_fallback(async || ApiError::method())
        .layer(from_fn(linger::linger))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(map_response(headers::secure))
        .layer(from_fn(context::enter))
        .with_state(app)
}
