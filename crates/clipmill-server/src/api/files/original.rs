//! `GET /files/uploads/{user}/{id}`: an unchanged upload by its signed link, whole or in part.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use clipmill_blobs::key;
use clipmill_core::ids::UserId;
use clipmill_store::{LibraryFile, MediaKind};

use super::file::{DescribedFile, open, redirect, respond};
use crate::api::extract::query::Params;
use crate::app::App;
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::file_names::{Disposition, FileName};
use crate::links::canonical;
use crate::view::FileBytes;

/// Download an unchanged upload by its signed link, whole or in part.
/// Take the link from a library entry's `fileUrl`; no key is required. Supports ranges and conditional requests.
#[utoipa::path(get, path = "/files/uploads/{user}/{id}", operation_id = "downloadUpload", tag = "files", security(()),
    params(
        ("user" = i64, Path, description = "Number of the owner."),
        ("id" = String, Path, description = "Part of the URL after `upload://`."),
        ("expires" = String, Query, description = "Expiry of the link, in seconds since 1970."),
        ("signature" = String, Query, description = "Signature of the link."),
    ),
    responses(
        (status = 200, description = "The file.", content_type = "application/octet-stream", body = inline(FileBytes)),
        (status = 206, description = "A part of the file.", content_type = "application/octet-stream", body = inline(FileBytes)),
        (status = 307, description = "The file is in object storage: follow `Location`."),
        (status = 304, description = "Your copy of the file is current."),
        (status = 416, description = "The range is outside of the file."),
    ))]
// The signature of the link authorizes the download, so no key is required.
pub async fn original(
    State(app): State<Arc<App>>,
    path: Result<Path<(String, String)>, PathRejection>,
    params: Params,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let now = clock::now_ms();
    let parse_name = |(user, id): (String, String)| Some((UserId(canonical(&user)?), id));
    let (user, id) =
        path.ok().and_then(|Path(parts)| parse_name(parts)).ok_or_else(ApiError::link_refused)?;
    let expires_s = params.text("expires").and_then(canonical).unwrap_or(0);
    let signature = params.text("signature").unwrap_or_default();
    if !app.links.check_upload(user, &id, expires_s, signature, now) {
        return Err(ApiError::link_refused());
    }
    let file = app.store.library().find(user, &id).await?.ok_or_else(ApiError::not_found)?;
    let sha256 = file.content_sha256.clone();
    let kind = if file.facts.is_some() { Disposition::Inline } else { Disposition::Attachment };
    let disposition = FileName::of_upload(file.name.as_deref(), &id).disposition(kind);
    if let Some(bucket) = app.data.bucket() {
        return redirect(bucket, &key::input(&sha256), &disposition, now).await;
    }
    let (opened, size) = open(app.data.input(&sha256)).await?;
    let content_type = content_type(&file).unwrap_or("application/octet-stream");
    respond(opened, size, &DescribedFile { disposition, content_type, key: String::new(), sha256 }, &headers)
        .await
}

/// The content type for a player; never one that a browser would execute.
fn content_type(file: &LibraryFile) -> Option<&'static str> {
    let facts = file.facts.as_ref()?;
    let format = facts.media["format"].as_str()?;
    let is = |names: &[&str]| format.split(',').any(|part| names.contains(&part));
    match facts.kind {
        MediaKind::Video if is(&["mp4", "mov"]) => Some("video/mp4"),
        MediaKind::Video if is(&["webm", "matroska"]) => Some("video/webm"),
        MediaKind::Audio if is(&["mp3"]) => Some("audio/mpeg"),
        MediaKind::Audio if is(&["wav"]) => Some("audio/wav"),
        MediaKind::Audio if is(&["ogg"]) => Some("audio/ogg"),
        MediaKind::Audio if is(&["flac"]) => Some("audio/flac"),
        MediaKind::Audio if is(&["aac"]) => Some("audio/aac"),
        MediaKind::Audio if is(&["mp4", "mov", "m4a"]) => Some("audio/mp4"),
        MediaKind::Image if is(&["png_pipe", "apng"]) => Some("image/png"),
        MediaKind::Image if is(&["jpeg_pipe"]) => Some("image/jpeg"),
        MediaKind::Image if is(&["webp_pipe"]) => Some("image/webp"),
        _ => None,
    }
}
