//! `GET …/download/{taskNo}`: all results of a task as one zip, by key or by signed link.

use std::io;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path, Request, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use clipmill_blobs::{Bucket, key};
use clipmill_core::ids::TaskNo;
use clipmill_store::ItemResult;
use futures_util::TryStreamExt;
use tokio_util::io::StreamReader;

use crate::api::extract::query::Params;
use crate::app::App;
use crate::archive::{self, Entry, Reader};
use crate::auth::{Caller, Read};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::file_names::{self, Disposition, FileName};
use crate::http::permits::Permit;
use crate::links::{LinkTarget, canonical};
use crate::view::{FileBytes, rfc3339};

/// Download all results of a task as one zip. Use your key, or the link in the task's `downloadUrl`, which requires
/// no key. The files have the same names as when downloaded individually. A task without files, or whose files have
/// expired, is an error.
#[utoipa::path(get, path = "/open-api/v1/download/{taskNo}", operation_id = "downloadTask", tag = "files",
    security(("apiKey" = ["read"])),
    params(
        ("taskNo" = String, Path, description = "Task number."),
        ("expires" = Option<String>, Query, description = "For a signed link: expiry, in seconds since 1970."),
        ("signature" = Option<String>, Query, description = "For a signed link: its signature."),
    ),
    responses((status = 200, description = "The archive.", content_type = "application/zip", body = inline(FileBytes))))]
pub async fn download(
    State(app): State<Arc<App>>,
    task_no: Result<Path<String>, PathRejection>,
    params: Params,
    request: Request,
) -> ApiResult<Response> {
    let task_no = task_no.ok().and_then(|Path(text)| TaskNo::parse(&text));
    let now = clock::now_ms();
    let task_no = match params.text("signature") {
        Some(signature) => {
            let expires_s = params.text("expires").and_then(canonical).unwrap_or(0);
            let genuine = |task_no: &TaskNo| app.links.check_archive(task_no, expires_s, signature, now);
            task_no.filter(genuine).ok_or_else(ApiError::link_refused)?
        }
        None => {
            let (mut parts, _) = request.into_parts();
            let caller = Caller::<Read>::from_request_parts(&mut parts, &app).await?;
            let task_no = task_no.ok_or_else(ApiError::not_found)?;
            app.store.tasks().find(caller.user, &task_no).await?.ok_or_else(ApiError::not_found)?;
            task_no
        }
    };
    let mut results = app.store.tasks().results(&task_no).await?;
    results.retain(|(_, result)| now < result.expires_at);
    if results.is_empty() {
        return Err(ApiError::no_files(&task_no));
    }
    let words = file_names::words(&app.store.tasks().title(&task_no).await?.unwrap_or_default());
    let file = |(item_no, result)| {
        let name = FileName::of_item(words.as_deref(), &task_no, item_no, LinkTarget::Video.extension());
        File::new(name.as_str().to_owned(), result)
    };
    let files = results.into_iter().map(file).collect();
    let name = FileName::of_all(words.as_deref(), task_no.as_str(), "zip");
    let owner = app.store.tasks().owner(&task_no).await?.ok_or_else(ApiError::not_found)?;
    let permit = app.semaphores.archives.try_acquire(owner)?;
    zip(&app, permit, &name, files, now)
}

/// A result that goes into an archive.
pub(crate) struct File {
    name: String,
    key: String,
    size: u64,
}

impl File {
    pub fn new(name: String, result: ItemResult) -> Self {
        Self { name, key: result.key, size: result.size_bytes }
    }
}

/// Sends these files as an archive with this name.
pub(crate) fn zip(
    app: &Arc<App>,
    permit: Permit,
    name: &FileName,
    files: Vec<File>,
    now: i64,
) -> ApiResult<Response> {
    let sizes: Vec<_> = files.iter().map(|file| (file.name.clone(), file.size)).collect();
    let (files, app) = (Arc::new(files), app.clone());
    let open = move |index| {
        let (app, files) = (app.clone(), files.clone());
        async move {
            let file: &File = files.get(index).ok_or_else(|| io::Error::other("no such file"))?;
            open(&app, file).await
        }
    };
    archive_response(permit, name, &sizes, now, open)
}

/// Sends an archive with this name. `sizes` has the names of its files and their sizes; `open` opens them in turn.
pub(super) fn archive_response<F>(
    permit: Permit,
    name: &FileName,
    sizes: &[(String, u64)],
    now: i64,
    open: impl Fn(usize) -> F + Send + 'static,
) -> ApiResult<Response>
where
    F: Future<Output = io::Result<Entry>> + Send + 'static,
{
    let modified = archive::moment(&rfc3339(now));
    let length = archive::length(sizes, modified);
    let open = move |index| {
        // The permit is held until the stream ends, because files are opened while the client reads.
        let _permit = &permit;
        open(index)
    };
    let count = sizes.len();
    let body = Body::from_stream(archive::stream(count, length.is_none(), modified, open));
    let about = [
        (header::CONTENT_TYPE, "application/zip".to_owned()),
        (header::CONTENT_DISPOSITION, name.disposition(Disposition::Attachment)),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    let mut response = (about, body).into_response();
    if let Some(length) = length {
        response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    }
    Ok(response)
}

/// Opens a result in the configured storage.
async fn open(app: &App, file: &File) -> io::Result<Entry> {
    let source = match app.data.bucket() {
        Some(bucket) => from_bucket(bucket, &file.key).await,
        None => from_folder(app, &file.key).await,
    };
    let reader = source.inspect_err(|error| {
        tracing::warn!(%error, key = %file.key, "a result file cannot be read");
    })?;
    Ok(Entry { name: file.name.clone(), size: file.size, reader })
}

async fn from_folder(app: &App, key: &str) -> io::Result<Reader> {
    let path = app.data.result(key).ok_or_else(|| io::Error::other("a key leads out of its folder"))?;
    Ok(Box::pin(tokio::fs::File::open(path).await?))
}

async fn from_bucket(bucket: &Bucket, key: &str) -> io::Result<Reader> {
    let chunks = bucket.read(&key::result(key)).await.map_err(io::Error::other)?;
    let chunks = chunks.ok_or(io::ErrorKind::NotFound)?;
    Ok(Box::pin(StreamReader::new(chunks.map_err(io::Error::other))))
}
