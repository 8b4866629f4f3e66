//! `GET /s/{shareId}/{signature}` and the files below it: the page behind the link.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use clipmill_store::{ItemResult, ShareRecord};

use crate::api::extract::query::Params;
use crate::api::files::file;
use crate::app::App;
use crate::clock;
use crate::context::{Language, current_language};
use crate::error::{ApiError, ApiResult};
use crate::file_names::{Disposition, FileName};
use crate::links::{LinkTarget, canonical};

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const NO_INDEX: &str = "noindex, nofollow, noarchive";

/// Shared pages are not part of the API description, because programs do not use them.
pub fn pages() -> Router<Arc<App>> {
    Router::new().route("/s/{id}/{signature}", get(page)).route("/s/{id}/{signature}/{file}", get(one))
}

/// The share; the error is the same for one that never existed, has ended or was revoked.
async fn open(app: &App, id: &str, signature: &str) -> ApiResult<ShareRecord> {
    let id = canonical::<i64>(id).filter(|id| app.links.check_share(*id, signature, clock::now_ms()));
    let share = app.store.shares().find(id.ok_or_else(ApiError::not_found)?).await?;
    share.filter(|share| share.is_open(clock::now_ms())).ok_or_else(ApiError::not_found)
}

async fn page(State(app): State<Arc<App>>, path: Result<Path<(String, String)>, PathRejection>) -> Response {
    let lookup = async {
        let Path((id, signature)) = path.map_err(|_| ApiError::not_found())?;
        let share = open(&app, &id, &signature).await?;
        ApiResult::Ok((format!("/s/{id}/{signature}"), videos(&app, &share).await?))
    };
    let (status, body) = match lookup.await {
        Ok((at, videos)) if !videos.is_empty() => (StatusCode::OK, shown(&at, &videos)),
        Ok(_) => (StatusCode::NOT_FOUND, not_found_page()),
        Err(error) if error.is_not_found() => (StatusCode::NOT_FOUND, not_found_page()),
        Err(error) => return error.into_response(),
    };
    let sources = app.links.origins().join(" ");
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' {sources}; media-src 'self' {sources}; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    );
    let about = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
        (ROBOTS, NO_INDEX.to_owned()),
    ];
    (status, about, body).into_response()
}

/// A video of a share, by the name of its files without their ending.
struct Video {
    name: String,
    result: ItemResult,
}

/// The outputs of a share that still exist.
async fn videos(app: &App, share: &ShareRecord) -> ApiResult<Vec<Video>> {
    let (mut videos, now) = (Vec::new(), clock::now_ms());
    for task in &share.tasks {
        for (item, result) in app.store.tasks().results(&task.task_no).await? {
            if task.shows(item) && now < result.expires_at {
                let name = task.place.map_or(item.to_string(), |place| format!("{place}-{item}"));
                videos.push(Video { name, result });
            }
        }
    }
    Ok(videos)
}

async fn one(
    State(app): State<Arc<App>>,
    path: Result<Path<(String, String, String)>, PathRejection>,
    params: Params,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Path((id, signature, name)) = path.map_err(|_| ApiError::not_found())?;
    let share = open(&app, &id, &signature).await?;
    let (place, item_no, what) = parse_name(&name).ok_or_else(ApiError::not_found)?;
    let task = share.shows(place, item_no).ok_or_else(ApiError::not_found)?;
    let kind = match params.text("download") {
        Some(_) => Disposition::Attachment,
        None => Disposition::Inline,
    };
    // Task names are private to the owner; the page shows numbers.
    let disposition = FileName::numbered(name).disposition(kind);
    let mut response = file::send(&app, what, (&task.task_no, item_no), disposition, &headers).await?;
    let about = response.headers_mut();
    about.insert(header::CACHE_CONTROL, header::HeaderValue::from_static("private, no-cache"));
    about.insert(ROBOTS, header::HeaderValue::from_static(NO_INDEX));
    Ok(response)
}

/// The name of a file: `7.mp4` in a share of one task, `3-7.mp4` for the third of several tasks.
fn parse_name(name: &str) -> Option<(Option<u32>, u32, LinkTarget)> {
    let (video, extension) = name.rsplit_once('.')?;
    let what = LinkTarget::ALL.into_iter().find(|what| what.extension() == extension)?;
    match video.split_once('-') {
        Some((place, item_no)) => Some((Some(canonical(place)?), canonical(item_no)?, what)),
        None => Some((None, canonical(video)?, what)),
    }
}

const STYLE: &str = "
:root{color-scheme:light dark;--line:#8884}
*{box-sizing:border-box}
body{margin:0;font:16px/1.5 system-ui,-apple-system,'Noto Sans','Noto Sans SC',sans-serif}
main{max-width:72rem;margin:0 auto;padding:1rem}
h1{font-size:1.25rem;margin:.5rem 0 1rem}
ul{list-style:none;margin:0;padding:0;display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(16rem,100%),1fr))}
li{border:1px solid var(--line);border-radius:.75rem;overflow:hidden}
video{display:block;width:100%;max-height:80vh;background:#000}
p{margin:0;padding:.75rem 1rem;display:flex;justify-content:space-between;gap:1rem}
a{color:inherit}
";

/// Contains nothing from a client except numbers and a verified signature.
fn shown(at: &str, videos: &[Video]) -> String {
    let (title, download) = match current_language() {
        Language::English => ("Shared videos", "Download"),
        Language::Chinese => ("分享的视频", "下载"),
    };
    let item = |(number, Video { name, result }): (usize, &Video)| {
        let poster =
            result.cover.as_ref().map(|_| format!(" poster=\"{at}/{name}.jpg\"")).unwrap_or_default();
        // With several tasks, the same number would appear more than once.
        let number = if name.contains('-') { number.to_string() } else { name.clone() };
        let (width, height) = (result.width, result.height);
        let seconds = result.duration_ms.div_ceil(1000);
        format!(
            "<li><video controls playsinline preload=\"none\" width=\"{width}\" height=\"{height}\" \
             style=\"height:auto\"{poster} src=\"{at}/{name}.mp4\"></video>\
             <p><span>{number} · {}:{:02}</span> <a href=\"{at}/{name}.mp4?download=1\" download>{download}</a></p></li>",
            seconds / 60,
            seconds % 60
        )
    };
    let items: String = (1..).zip(videos).map(item).collect();
    whole(title, &format!("<h1>{title}</h1><ul>{items}</ul>"))
}

fn not_found_page() -> String {
    let (title, text) = match current_language() {
        Language::English => ("Not shared any more", "This link has ended, or never led to anything."),
        Language::Chinese => ("分享已结束", "该链接已失效，或不存在。"),
    };
    whole(title, &format!("<h1>{title}</h1><p>{text}</p>"))
}

fn whole(title: &str, body: &str) -> String {
    let language = match current_language() {
        Language::English => "en",
        Language::Chinese => "zh",
    };
    format!(
        "<!doctype html><html lang=\"{language}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex,nofollow\"><title>{title}</title><style>{STYLE}</style></head>\
         <body><main>{body}</main></body></html>"
    )
}
