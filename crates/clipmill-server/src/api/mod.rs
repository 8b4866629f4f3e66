//! The HTTP API: a folder per resource, a file per verb.

mod account;
mod admin;
mod batches;
mod blocking;
mod brand;
mod callbacks;
mod drafts;
mod extract;
mod files;
mod invitations;
mod previews;
mod service;
mod shares;
mod speech;
mod tasks;
mod templates;

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::context;
use crate::error::{ApiError, panicked};

/// All routes. Every error has the form `{code, msg, data}`.
pub fn router(app: Arc<App>) -> Router {
    let (router, api) = described().split_for_parts();
    let router = router.merge(service::openapi::pages(service::openapi::complete(api)));
    // Agents' tools call the same routes with the same layers as everybody else.
    let api_router = finished(router.clone(), app.clone());
    let pages = service::console::pages().merge(shares::page::pages());
    finished(router.merge(pages).merge(service::mcp::route(api_router)), app)
}

fn finished(router: Router<Arc<App>>, app: Arc<App>) -> Router {
    router
        .fallback(async || ApiError::not_found())
        .method_not_allowed_fallback(async || ApiError::method())
        .layer(from_fn_with_state(app.clone(), extract::spool::spool))
        .layer(from_fn(without_nul))
        .layer(from_fn(extract::drain_body::drain_body))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(map_response(extract::headers::secure))
        .layer(from_fn(context::enter))
        .with_state(app)
}

/// No name contains a NUL character, and PostgreSQL refuses to search for one.
async fn without_nul(request: Request, next: Next) -> Response {
    if request.uri().path().contains("%00") {
        return ApiError::not_found().into_response();
    }
    next.run(request).await
}

/// The API description (OpenAPI 3.1) that `/openapi.json` returns.
pub fn openapi() -> serde_json::Value {
    service::openapi::complete(described().into_openapi())
}

/// Every endpoint, with its own description.
pub(crate) fn described() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(service::openapi::frame())
        .routes(routes!(tasks::submit::submit))
        .routes(routes!(tasks::estimate::estimate))
        .routes(routes!(tasks::status::status))
        .routes(routes!(tasks::request::request))
        .routes(routes!(tasks::naming::rename))
        .routes(routes!(tasks::diversity::diversity))
        .routes(routes!(tasks::timeline::timeline))
        .routes(routes!(tasks::cancel::cancel))
        .routes(routes!(tasks::events::events))
        .routes(routes!(tasks::list::list))
        .routes(routes!(tasks::outputs::outputs))
        .routes(routes!(callbacks::callback))
        .routes(routes!(callbacks::redeliver))
        .routes(routes!(callbacks::test))
        .routes(routes!(account::balance::balance))
        .routes(routes!(account::records::records))
        .routes(routes!(previews::effects::effects))
        .routes(routes!(previews::effects::preview))
        .routes(routes!(previews::looks::looks))
        .routes(routes!(previews::looks::preview))
        .routes(routes!(previews::transitions::transitions))
        .routes(routes!(previews::transitions::preview))
        .routes(routes!(previews::fonts::fonts))
        .routes(routes!(previews::caption_styles::caption_styles))
        .routes(routes!(previews::caption_styles::preview))
        .routes(routes!(speech::voices::voices))
        .routes(routes!(speech::listen::listen))
        .routes(routes!(files::uploads::upload, files::library::list))
        .routes(routes!(files::library::get, files::library::rename, files::library::delete))
        .routes(routes!(files::presign::presign))
        .routes(routes!(files::presign::confirm))
        .routes(routes!(shares::multiple_tasks::share))
        .routes(routes!(shares::manage::share, shares::manage::list))
        .routes(routes!(shares::manage::revoke))
        .routes(routes!(shares::feedback::read))
        .routes(routes!(shares::feedback::delete))
        .routes(routes!(shares::viewer::read))
        .routes(routes!(shares::viewer::pick))
        .routes(routes!(shares::viewer::comment))
        .routes(routes!(batches::submit::submit, batches::read::list))
        .routes(routes!(batches::submit::estimate))
        .routes(routes!(batches::read::get))
        .routes(routes!(batches::read::rows))
        .routes(routes!(batches::events::events))
        .routes(routes!(batches::callback::callback))
        .routes(routes!(batches::callback::redeliver))
        .routes(routes!(batches::control::pause))
        .routes(routes!(batches::control::resume))
        .routes(routes!(batches::control::cancel))
        .routes(routes!(batches::control::retry))
        .routes(routes!(batches::results::download))
        .routes(routes!(batches::results::table))
        .routes(routes!(templates::manage::add, templates::manage::list))
        .routes(routes!(templates::manage::get, templates::manage::replace, templates::manage::delete))
        .routes(routes!(drafts::manage::add, drafts::manage::list))
        .routes(routes!(drafts::manage::get, drafts::manage::replace, drafts::manage::delete))
        .routes(routes!(brand::manage::get, brand::manage::replace))
        .routes(routes!(previews::preview::preview))
        .routes(routes!(previews::clip::clip))
        .routes(routes!(files::probe::probe))
        .routes(routes!(files::probe::thumbnail))
        .routes(routes!(files::audio::audio))
        .routes(routes!(files::probe::upload_thumbnail))
        .routes(routes!(files::file::file))
        .routes(routes!(files::original::original))
        .routes(routes!(tasks::download::download))
        .routes(routes!(admin::queue::queue))
        .routes(routes!(admin::queue::pause))
        .routes(routes!(admin::queue::resume))
        .routes(routes!(admin::queue::requeue))
        .routes(routes!(admin::queue::workers))
        .routes(routes!(admin::users::users, admin::users::add_user))
        .routes(routes!(admin::users::switch_off))
        .routes(routes!(admin::users::switch_on))
        .routes(routes!(admin::keys::list, admin::keys::issue))
        .routes(routes!(admin::keys::revoke))
        .routes(routes!(invitations::manage::add, invitations::manage::list))
        .routes(routes!(invitations::manage::revoke))
        .routes(routes!(invitations::redeem::redeem))
        .routes(routes!(admin::points::grant))
        .routes(routes!(admin::points::deduct))
        .routes(routes!(admin::failures::failures))
        .routes(routes!(admin::failures::causes))
        .routes(routes!(admin::tasks::task))
        .routes(routes!(admin::usage::usage))
        .routes(routes!(service::health::healthz))
        .routes(routes!(service::health::readyz))
}
