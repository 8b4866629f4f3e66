//! The HTTP interface: a file per verb.

mod admin;
mod balance;
mod body;
mod callbacks;
mod cancel;
mod catalogue;
mod console;
mod download;
mod effects;
mod estimate;
mod events;
mod files;
mod headers;
mod health;
mod linger;
mod list;
mod look;
mod looks;
mod openapi;
mod presign;
mod preview;
mod query;
mod range;
mod records;
mod request;
mod status;
mod submit;
mod uploads;

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, map_response};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::context;
use crate::error::{ApiError, panicked};

/// All routes. Whatever goes wrong, the answer is `{code, msg, data}`.
pub fn router(app: Arc<App>) -> Router {
    let (router, api) = described().split_for_parts();
    router
        .merge(openapi::pages(openapi::complete(api)))
        .merge(console::pages())
        .fallback(async || ApiError::not_found())
        .method_not_allowed_fallback(async || ApiError::method())
        .layer(from_fn(linger::linger))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(map_response(headers::secure))
        .layer(from_fn(context::enter))
        .with_state(app)
}

/// The interface's description (OpenAPI 3.1), as `/openapi.json` answers it.
pub fn openapi() -> serde_json::Value {
    openapi::complete(described().into_openapi())
}

/// Every endpoint, with its own description.
fn described() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(openapi::frame())
        .routes(routes!(submit::submit))
        .routes(routes!(estimate::estimate))
        .routes(routes!(status::status))
        .routes(routes!(request::request))
        .routes(routes!(cancel::cancel))
        .routes(routes!(events::events))
        .routes(routes!(list::list))
        .routes(routes!(callbacks::callback))
        .routes(routes!(callbacks::redeliver))
        .routes(routes!(callbacks::test))
        .routes(routes!(balance::balance))
        .routes(routes!(records::records))
        .routes(routes!(effects::effects))
        .routes(routes!(effects::preview))
        .routes(routes!(looks::looks))
        .routes(routes!(looks::preview))
        .routes(routes!(uploads::upload))
        .routes(routes!(presign::presign))
        .routes(routes!(presign::confirm))
        .routes(routes!(preview::preview))
        .routes(routes!(look::probe))
        .routes(routes!(look::thumbnail))
        .routes(routes!(look::upload_thumbnail))
        .routes(routes!(files::file))
        .routes(routes!(download::download))
        .routes(routes!(admin::queue))
        .routes(routes!(admin::pause))
        .routes(routes!(admin::resume))
        .routes(routes!(admin::requeue))
        .routes(routes!(admin::workers))
        .routes(routes!(admin::users, admin::add_user))
        .routes(routes!(admin::grant))
        .routes(routes!(admin::failures))
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
}
