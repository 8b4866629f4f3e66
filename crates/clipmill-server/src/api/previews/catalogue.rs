//! Shared by the endpoints of all catalogues.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::error::{ApiError, ApiResult};

/// The image at a path such as `light-leak.webp`.
pub fn image(
    path: Result<Path<String>, PathRejection>,
    find: fn(&str) -> Option<&'static [u8]>,
) -> ApiResult<Response> {
    let file = path.map(|Path(file)| file).unwrap_or_default();
    let image = file.strip_suffix(".webp").and_then(find).ok_or_else(ApiError::not_found)?;
    let headers = [(header::CONTENT_TYPE, "image/webp"), (header::CACHE_CONTROL, "public, max-age=86400")];
    Ok((headers, image).into_response())
}
