//! `…/uploads`: a user's uploads as a library.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use clipmill_core::ids::UserId;
use clipmill_core::message;
use clipmill_core::request::parse_upload_name;
use clipmill_store::{DeleteOutcome, LibraryFilter, MediaKind};

use crate::api::extract::body::read_json;
use crate::api::extract::query::{PageParams, Params, short};
use crate::app::{App, SMALL_BODY};
use crate::auth::{Caller, Read, Submit};
use crate::clock;
use crate::config::units::ByteSize;
use crate::error::{ApiError, ApiResult};
use crate::settings::request_policy;
use crate::view::{Answer, Envelope, LibraryFileView, MediaKindName, PageView, UploadNameSchema};

const MAX_NAME_LENGTH: usize = 255;

/// Your uploads, newest first. A file that was uploaded several times is listed once, with its latest URL.
#[utoipa::path(get, path = "/open-api/v1/uploads", operation_id = "listUploads", tag = "files",
    security(("apiKey" = ["read"])),
    params(
        PageParams,
        ("q" = Option<String>, Query, max_length = 255, description = "Only files whose name contains this (case-insensitive)."),
        ("kind" = Option<MediaKindName>, Query, description = "Only files of this kind."),
        ("sha256" = Option<String>, Query, pattern = "^[0-9a-f]{64}$", description = "Only the file with this content. Use it to check whether a file is already uploaded."),
    ),
    responses((status = 200, description = "A page of files.", body = Answer<PageView<LibraryFileView>>)))]
pub async fn list(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<PageView<LibraryFileView>>> {
    let page = params.page();
    let filter = LibraryFilter {
        part_of_name: params.read("q", message::short_text(), |text| short(text, MAX_NAME_LENGTH)),
        kind: params.read("kind", message::one_of("video, picture, audio"), MediaKind::parse),
        content_sha256: params.read("sha256", message::a_sha256(), sha256),
    };
    params.finish()?;
    let file_page = app.store.library().list(caller.user, &filter, page).await?;
    let now = clock::now_ms();
    let to_view = |file| LibraryFileView::of(file, caller.user, &app.links, now);
    let list = file_page.list.into_iter().map(to_view).collect();
    Ok(Envelope(PageView { list, total: file_page.total, page_no: page.number, page_size: page.size }))
}

fn sha256(text: &str) -> Option<String> {
    let well_formed = text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    well_formed.then(|| text.to_owned())
}

/// One of your uploads.
#[utoipa::path(get, path = "/open-api/v1/uploads/{id}", operation_id = "getUpload", tag = "files",
    security(("apiKey" = ["read"])),
    params(("id" = String, Path, description = "Part of the URL after `upload://`.")),
    responses((status = 200, description = "The file.", body = Answer<LibraryFileView>)))]
pub async fn get(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    id: Result<Path<String>, PathRejection>,
) -> ApiResult<Envelope<LibraryFileView>> {
    let Path(id) = id.map_err(|_| ApiError::not_found())?;
    find_upload(&app, caller.user, &id).await
}

/// Rename an upload.
#[utoipa::path(patch, path = "/open-api/v1/uploads/{id}", operation_id = "renameUpload", tag = "files",
    security(("apiKey" = ["submit"])),
    params(("id" = String, Path, description = "Part of the URL after `upload://`.")),
    request_body(content = UploadNameSchema, description = "The new name."),
    responses((status = 200, description = "The file.", body = Answer<LibraryFileView>)))]
pub async fn rename(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    id: Result<Path<String>, PathRejection>,
    request: Request,
) -> ApiResult<Envelope<LibraryFileView>> {
    let Path(id) = id.map_err(|_| ApiError::not_found())?;
    let body = read_json(&app, caller.user, request, ByteSize(SMALL_BODY as u64)).await?;
    let name = parse_upload_name(&body.bytes, &request_policy(&app.config))?;
    if !app.store.library().rename(caller.user, &id, &name).await? {
        return Err(ApiError::not_found());
    }
    find_upload(&app, caller.user, &id).await
}

async fn find_upload(app: &App, user: UserId, id: &str) -> ApiResult<Envelope<LibraryFileView>> {
    let file = app.store.library().find(user, id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Envelope(LibraryFileView::of(file, user, &app.links, clock::now_ms())))
}

/// Delete an upload and all uploads of the same file. Refused while an open task, a template or a batch needs it.
#[utoipa::path(delete, path = "/open-api/v1/uploads/{id}", operation_id = "deleteUpload", tag = "files",
    security(("apiKey" = ["submit"])),
    params(("id" = String, Path, description = "Part of the URL after `upload://`.")),
    responses((status = 200, description = "Deleted.", body = Answer<Option<String>>)))]
pub async fn delete(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    id: Result<Path<String>, PathRejection>,
) -> ApiResult<Envelope<Option<String>>> {
    let Path(id) = id.map_err(|_| ApiError::not_found())?;
    match app.store.library().delete(caller.user, &id).await? {
        None => Err(ApiError::not_found()),
        Some(DeleteOutcome::Deleted) => Ok(Envelope(None)),
        Some(DeleteOutcome::InUse(needed_by)) => Err(ApiError::in_use(needed_by)),
    }
}
