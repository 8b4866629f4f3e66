//! `POST …/probe`, `POST …/thumbnail` and `GET …/uploads/{id}/thumbnail`: shows the properties of a file before it is
//! used.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use clipmill_core::error::TaskError;
use clipmill_core::ids::UserId;
use clipmill_core::media::ContentHash;
use clipmill_core::message;
use clipmill_core::request::{FileRequest, PREVIEW_WIDTHS, parse_file};
use clipmill_core::results::ResultRef;

use crate::api::extract::body::read_json;
use crate::api::extract::query::Params;
use crate::api::previews::preview::{failed_at, frame, within_timeout};
use crate::api::tasks::submit::no_such_upload;
use crate::app::{App, SMALL_BODY};
use crate::auth::{Caller, Read, Submit};
use crate::config::units::ByteSize;
use crate::error::{ApiError, ApiResult};
use crate::previews::frames::FrameFailure;
use crate::settings::request_policy;
use crate::view::{Answer, Envelope, FileBytes, FileRequestSchema, ProbeView};
use crate::{clock, result_inputs};

const SCHEME: &str = "upload://";
const DEFAULT_WIDTH: u32 = 320;

/// Probe a file: container, codecs, size, length. A file at a web address is downloaded and cached for a while. If
/// the file cannot be used, the error states the reason.
#[utoipa::path(post, path = "/open-api/v1/probe", operation_id = "probeFile", tag = "previews",
    security(("apiKey" = ["submit"])),
    request_body(content = FileRequestSchema, description = "The file; `atSeconds` and `width` have no effect here."),
    responses((status = 200, description = "Container and streams of the file.", body = Answer<ProbeView>)))]
pub async fn probe(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<ProbeView>> {
    let (FileRequest { url, .. }, upload) = read(&app, caller.user, request).await?;
    let probing = app.media.probe_url(&url, upload);
    let probe_result = within_timeout(&app, caller.user, probing).await?;
    let media = probe_result.map_err(|error| wrong(error, &url))?;
    Ok(Envelope(ProbeView { url, media }))
}

/// A frame of a file, as a JPEG.
#[utoipa::path(post, path = "/open-api/v1/thumbnail", operation_id = "showFile", tag = "previews",
    security(("apiKey" = ["submit"])),
    request_body(content = FileRequestSchema, description = "The file and a time in it."),
    responses((status = 200, description = "The frame.", content_type = "image/jpeg", body = inline(FileBytes))))]
pub async fn thumbnail(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Response> {
    let (file, upload) = read(&app, caller.user, request).await?;
    shown(&app, caller.user, file, upload).await
}

/// A frame of one of your uploads, as a JPEG.
#[utoipa::path(get, path = "/open-api/v1/uploads/{id}/thumbnail", operation_id = "showUpload", tag = "previews",
    security(("apiKey" = ["read"])),
    params(
        ("id" = String, Path, description = "Part of the URL after `upload://`."),
        ("atSeconds" = Option<f64>, Query, minimum = 0, description = "Time of the frame; by default near the beginning of the file."),
        ("width" = Option<u32>, Query, minimum = 16, maximum = 720, description = "Maximum width in pixels; 320 by default."),
    ),
    responses((status = 200, description = "The frame.", content_type = "image/jpeg", body = inline(FileBytes))))]
pub async fn upload_thumbnail(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    id: Result<Path<String>, PathRejection>,
    mut params: Params,
) -> ApiResult<Response> {
    let at_s = params.read("atSeconds", message::seconds_or_none(), |text| {
        text.parse().ok().filter(|seconds: &f64| (0.0..=86_400.0).contains(seconds))
    });
    let width = params.read("width", message::a_whole_number(16u32, 720u32), |text| {
        text.parse().ok().filter(|width| PREVIEW_WIDTHS.contains(width))
    });
    params.finish()?;
    let Path(id) = id.map_err(|_| ApiError::not_found())?;
    let upload = app.store.library().upload(caller.user, &id).await?.ok_or_else(ApiError::not_found)?;
    let width = width.map_or(DEFAULT_WIDTH, |width| width as u32);
    let file = FileRequest { url: format!("{SCHEME}{id}"), at_s, width };
    let mut response =
        shown(&app, caller.user, file, Some(ContentHash(upload.content_sha256.into()))).await?;
    // An upload never changes.
    let for_a_day = HeaderValue::from_static("private, max-age=86400, immutable");
    response.headers_mut().insert(header::CACHE_CONTROL, for_a_day);
    Ok(response)
}

async fn read(app: &App, user: UserId, request: Request) -> ApiResult<(FileRequest, Option<ContentHash>)> {
    let body = read_json(app, user, request, ByteSize(SMALL_BODY as u64)).await?;
    let file = parse_file(&body.bytes, &request_policy(&app.config))?;
    let upload = own(app, user, &file.url).await?;
    Ok((file, upload))
}

/// The contents of an `upload://` or `result://` URL of the user.
pub(super) async fn own(app: &App, user: UserId, url: &str) -> ApiResult<Option<ContentHash>> {
    if let Some(result) = ResultRef::of_url(url) {
        let source = result_inputs::find(&*app.store, user, &result, clock::now_ms()).await?;
        let error =
            |message| ApiError::invalid(vec![result_inputs::field_error("/url".to_owned(), message, url)]);
        let source = source.ok_or_else(|| error(message::no_such_result()))?;
        return match result_inputs::missing(&result, &source) {
            Some(message) => Err(error(message)),
            None => Ok(result_inputs::content(&source)),
        };
    }
    let Some(id) = url.strip_prefix(SCHEME) else { return Ok(None) };
    let unknown = || ApiError::invalid(vec![no_such_upload("/url".to_owned(), url)]);
    let upload = app.store.library().upload(user, id).await?.ok_or_else(unknown)?;
    Ok(Some(ContentHash(upload.content_sha256.into())))
}

async fn shown(
    app: &App,
    user: UserId,
    file: FileRequest,
    upload: Option<ContentHash>,
) -> ApiResult<Response> {
    let FileRequest { url, at_s, width } = file;
    let probing = app.media.plan_thumbnail(&url, upload, at_s);
    let planned = within_timeout(app, user, probing).await?.map_err(|error| wrong(error, &url))?;
    frame(app, user, &planned, width).await.map_err(|failure| match failure {
        FrameFailure::Busy => ApiError::busy(),
        FrameFailure::Failed(error) => wrong(error, &url),
    })
}

pub(super) fn wrong(error: TaskError, url: &str) -> ApiError {
    let error = if error.input.is_none() { error.input(url) } else { error };
    failed_at(error, vec!["/url".to_owned()])
}
