//! `GET /files/{taskNo}/{itemNo}.mp4` and `.jpg`: a result file or its cover by its signed link, whole or in
//! part.

use std::io::SeekFrom;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use clipmill_blobs::{Bucket, key};
use clipmill_core::ids::TaskNo;
use clipmill_store::ItemResult;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;

use crate::api::extract::headers::{names_tag, text};
use crate::api::extract::query::Params;
use crate::api::extract::range::ByteRange;
use crate::app::App;
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::file_names::{self, Disposition, FileName};
use crate::links::{LinkTarget, canonical};
use crate::observe::metric;
use crate::view::FileBytes;

const BUFFER: usize = 64 << 10;
/// How long a redirect to the storage is valid; a running download continues after that.
const REDIRECT_LIFETIME: Duration = Duration::from_secs(300);

/// Download a result by its signed link, whole or in part.
/// Take the link from a task's `items[].url`; no key is required. Supports ranges and conditional requests.
/// `Content-Disposition` contains the name of the task, or of its batch and row, and the number of the output.
#[utoipa::path(get, path = "/files/{taskNo}/{file}", operation_id = "downloadFile", tag = "files", security(()),
    params(
        ("taskNo" = String, Path, description = "Task number."),
        ("file" = String, Path, description = "Item number and `.mp4`, or `.jpg` for its cover."),
        ("expires" = String, Query, description = "Expiry of the link, in seconds since 1970."),
        ("signature" = String, Query, description = "Signature of the link."),
    ),
    responses(
        (status = 200, description = "The file.", content((inline(FileBytes) = "video/mp4"), (inline(FileBytes) = "image/jpeg"))),
        (status = 206, description = "A part of the file.", content((inline(FileBytes) = "video/mp4"), (inline(FileBytes) = "image/jpeg"))),
        (status = 307, description = "The file is in object storage: follow `Location`."),
        (status = 304, description = "Your copy of the file is current."),
        (status = 416, description = "The range is outside of the file."),
    ))]
// The signature of the link authorizes the download, so no key is required.
pub async fn file(
    State(app): State<Arc<App>>,
    path: Result<Path<(String, String)>, PathRejection>,
    params: Params,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let now = clock::now_ms();
    let (what, task_no, item_no) =
        path.ok().and_then(|Path(parts)| parse_path(&parts)).ok_or_else(ApiError::link_refused)?;
    let expires_s = params.text("expires").and_then(canonical).unwrap_or(0);
    let signature = params.text("signature").unwrap_or_default();
    if !app.links.check(what, &task_no, item_no, expires_s, signature, now) {
        return Err(ApiError::link_refused());
    }
    let title = app.store.tasks().title(&task_no).await?.unwrap_or_default();
    let words = file_names::words(&title);
    let name = FileName::of_item(words.as_deref(), &task_no, item_no, what.extension());
    send(&app, what, (&task_no, item_no), name.disposition(Disposition::Inline), &headers).await
}

/// Sends a file of a task; the caller has checked access.
pub(crate) async fn send(
    app: &App,
    what: LinkTarget,
    (task_no, item_no): (&TaskNo, u32),
    disposition: String,
    headers: &HeaderMap,
) -> ApiResult<Response> {
    let now = clock::now_ms();
    let result =
        app.store.tasks().item_result(task_no, item_no).await?.filter(|result| now < result.expires_at);
    let result = result.ok_or_else(ApiError::not_found)?;
    let described = DescribedFile::new(what, disposition, result).ok_or_else(ApiError::not_found)?;
    if let Some(bucket) = app.data.bucket() {
        return redirect(bucket, &key::result(&described.key), &described.disposition, now).await;
    }
    let (file, size) = open(path_of(app, &described.key)?).await?;
    respond(file, size, &described, headers).await
}

/// Redirects to the storage by a short-lived link; the storage handles ranges and conditions.
pub(crate) async fn redirect(bucket: &Bucket, key: &str, disposition: &str, now: i64) -> ApiResult<Response> {
    let link = bucket.short_link(key, disposition, REDIRECT_LIFETIME, now).await;
    let link = link.map_err(ApiError::unavailable)?;
    let about = [(header::LOCATION, link), (header::CACHE_CONTROL, "no-store".to_owned())];
    Ok((StatusCode::TEMPORARY_REDIRECT, about).into_response())
}

fn parse_path((task_no, file): &(String, String)) -> Option<(LinkTarget, TaskNo, u32)> {
    let (item_no, extension) = file.rsplit_once('.')?;
    let what = LinkTarget::ALL.into_iter().find(|what| what.extension() == extension)?;
    Some((what, TaskNo::parse(task_no)?, canonical(item_no)?))
}

fn path_of(app: &App, key: &str) -> ApiResult<PathBuf> {
    app.data.result(key).ok_or_else(|| ApiError::internal("a result's key leads out of its folder"))
}

pub(crate) async fn open(path: PathBuf) -> ApiResult<(File, u64)> {
    let began = tokio::time::Instant::now();
    let file = match File::open(&path).await {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            tracing::warn!(path = %path.display(), "a file is missing before it expires");
            return Err(ApiError::not_found());
        }
        Err(error) => return Err(error.into()),
    };
    let size = file.metadata().await?.len();
    metric::seconds(metric::STORAGE_SECONDS, &[("op", "open")], began.elapsed());
    Ok((file, size))
}

pub(crate) struct DescribedFile {
    /// Whether a browser displays it inline, and the name it would save the file under.
    pub disposition: String,
    pub content_type: &'static str,
    pub key: String,
    pub sha256: String,
}

impl DescribedFile {
    fn new(what: LinkTarget, disposition: String, result: ItemResult) -> Option<Self> {
        let (content_type, key, sha256) = match what {
            LinkTarget::Video => ("video/mp4", result.key, result.sha256),
            LinkTarget::Cover => result.cover.map(|cover| ("image/jpeg", cover.key, cover.sha256))?,
        };
        Some(Self { disposition, content_type, key, sha256 })
    }
}

pub(crate) async fn respond(
    file: File,
    size: u64,
    what: &DescribedFile,
    headers: &HeaderMap,
) -> ApiResult<Response> {
    let etag = format!("\"{}\"", what.sha256);
    let common = [
        (header::CONTENT_TYPE, what.content_type.to_owned()),
        (header::CONTENT_DISPOSITION, what.disposition.clone()),
        (header::ACCEPT_RANGES, "bytes".to_owned()),
        (header::CACHE_CONTROL, "private, max-age=3600".to_owned()),
        (header::ETAG, etag.clone()),
    ];
    if names_tag(headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let same_file = text(headers, header::IF_RANGE).is_none_or(|tag| tag == etag);
    match ByteRange::of(text(headers, header::RANGE).filter(|_| same_file), size) {
        ByteRange::Whole => {
            let length = [(header::CONTENT_LENGTH, size.to_string())];
            Ok((common, length, part(file, 0, size).await?).into_response())
        }
        ByteRange::Part(range) => {
            let (first, last) = range.into_inner();
            let length = last - first + 1;
            let about = [
                (header::CONTENT_LENGTH, length.to_string()),
                (header::CONTENT_RANGE, format!("bytes {first}-{last}/{size}")),
            ];
            let body = part(file, first, length).await?;
            Ok((StatusCode::PARTIAL_CONTENT, common, about, body).into_response())
        }
        ByteRange::Unsatisfiable => {
            // A client that has the whole file already learns its name.
            let size = [
                (header::CONTENT_RANGE, format!("bytes */{size}")),
                (header::CONTENT_DISPOSITION, what.disposition.clone()),
            ];
            Ok((StatusCode::RANGE_NOT_SATISFIABLE, size).into_response())
        }
    }
}

/// Bytes of a file, read while they are sent, never all at once.
async fn part(mut file: File, first: u64, length: u64) -> ApiResult<Body> {
    if first > 0 {
        file.seek(SeekFrom::Start(first)).await?;
    }
    Ok(Body::from_stream(ReaderStream::with_capacity(file.take(length), BUFFER)))
}
