//! `GET /s/{shareId}/{signature}` and the files below it: the page behind the link.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::html;
use super::link::{name, open, parse_name, videos};
use crate::api::extract::query::Params;
use crate::api::files::file;
use crate::api::service::console;
use crate::api::tasks::download::{File, zip};
use crate::app::App;
use crate::clock;
use crate::console::ConsoleFile;
use crate::error::{ApiError, ApiResult};
use crate::file_names::{Disposition, FileName};
use crate::links::LinkTarget;

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const NO_INDEX: &str = "noindex, nofollow, noarchive";

static STYLE: LazyLock<ConsoleFile> = LazyLock::new(|| {
    ConsoleFile::text("text/css; charset=utf-8", include_str!("assets/share.css").to_owned())
});
static SCRIPT: LazyLock<ConsoleFile> = LazyLock::new(|| {
    ConsoleFile::text("text/javascript; charset=utf-8", include_str!("assets/share.js").to_owned())
});

/// Shared pages are not part of the API description, because programs do not use them.
pub fn pages() -> Router<Arc<App>> {
    Router::new()
        .route("/s/share.css", get(async |headers: HeaderMap| console::respond(&STYLE, &headers)))
        .route("/s/share.js", get(async |headers: HeaderMap| console::respond(&SCRIPT, &headers)))
        .route("/s/{shareId}/{signature}", get(page))
        .route("/s/{shareId}/{signature}/all.zip", get(all))
        .route("/s/{shareId}/{signature}/{file}", get(one))
}

type Link = Result<Path<(String, String)>, PathRejection>;

async fn page(State(app): State<Arc<App>>, path: Link) -> Response {
    let lookup = async {
        let Path((id, signature)) = path.map_err(|_| ApiError::not_found())?;
        let share = open(&app, &id, &signature).await?;
        let videos = videos(&app, &share).await?;
        ApiResult::Ok((format!("/s/{id}/{signature}"), share.page, videos))
    };
    let (status, body) = match lookup.await {
        Ok((at, page, videos)) if !videos.is_empty() => (StatusCode::OK, html::page(&at, &page, &videos)),
        Ok(_) => (StatusCode::NOT_FOUND, html::not_found()),
        Err(error) if error.is_not_found() => (StatusCode::NOT_FOUND, html::not_found()),
        Err(error) => return error.into_response(),
    };
    let sources = app.links.origins().join(" ");
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' {sources}; \
         media-src 'self' {sources}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    );
    let about = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
        (ROBOTS, NO_INDEX.to_owned()),
    ];
    (status, about, body).into_response()
}

/// All videos as one zip, named by the title.
async fn all(State(app): State<Arc<App>>, path: Link) -> ApiResult<Response> {
    let Path((id, signature)) = path.map_err(|_| ApiError::not_found())?;
    let share = open(&app, &id, &signature).await?;
    let videos = videos(&app, &share).await?;
    if videos.is_empty() {
        return Err(ApiError::not_found());
    }
    let file = |video: super::link::Video| {
        File::new(format!("{}.{}", name(video.item), LinkTarget::Video.extension()), video.result)
    };
    let files = videos.into_iter().map(file).collect();
    let owner = app.store.tasks().owner(&share.task_no).await?.ok_or_else(ApiError::not_found)?;
    let permit = app.semaphores.shared_archives.try_acquire(owner)?;
    let file_name = FileName::of_all(share.page.title.as_deref(), "videos", "zip");
    Ok(hidden(zip(&app, permit, &file_name, files, clock::now_ms())?, "private, no-store"))
}

async fn one(
    State(app): State<Arc<App>>,
    path: Result<Path<(String, String, String)>, PathRejection>,
    params: Params,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Path((id, signature, file_name)) = path.map_err(|_| ApiError::not_found())?;
    let share = open(&app, &id, &signature).await?;
    let (video, extension) = file_name.rsplit_once('.').ok_or_else(ApiError::not_found)?;
    let what = LinkTarget::ALL.into_iter().find(|what| what.extension() == extension);
    let (item, what) = parse_name(video).zip(what).ok_or_else(ApiError::not_found)?;
    let task = share.shows(item.place, item.item_no).ok_or_else(ApiError::not_found)?;
    let kind = match params.text("download") {
        Some(_) => Disposition::Attachment,
        None => Disposition::Inline,
    };
    // Task names are private to the owner; the page shows numbers.
    let disposition = FileName::numbered(file_name.clone()).disposition(kind);
    let response = file::send(&app, what, (&task.task_no, item.item_no), disposition, &headers).await?;
    Ok(hidden(response, "private, no-cache"))
}

/// A file that search engines and shared caches do not keep.
fn hidden(mut response: Response, caching: &'static str) -> Response {
    let about = response.headers_mut();
    about.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    about.insert(ROBOTS, HeaderValue::from_static(NO_INDEX));
    response
}
