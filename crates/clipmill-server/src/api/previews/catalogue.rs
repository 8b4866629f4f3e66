//! What the catalogues of effects and of looks have in common on the wire.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ApiResult};

/// A text in both languages.
#[derive(Serialize, ToSchema)]
pub struct Bilingual {
    pub en: &'static str,
    pub zh: &'static str,
}

/// One entry of a catalogue.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CatalogueEntry {
    /// As requests and recipes name it.
    #[schema(examples("light-leak"))]
    pub name: &'static str,
    pub title: Bilingual,
    pub description: Bilingual,
    /// A small WebP picture, animated for effects; no key is needed.
    pub preview_url: String,
}

/// A catalogue, whole.
#[derive(Serialize, ToSchema)]
pub struct Catalogue {
    pub list: Vec<CatalogueEntry>,
    pub total: usize,
}

impl From<Vec<CatalogueEntry>> for Catalogue {
    fn from(list: Vec<CatalogueEntry>) -> Self {
        Self { total: list.len(), list }
    }
}

/// The picture that a path names (`light-leak.webp`).
pub fn picture(
    path: Result<Path<String>, PathRejection>,
    find: fn(&str) -> Option<&'static [u8]>,
) -> ApiResult<Response> {
    let file = path.map(|Path(file)| file).unwrap_or_default();
    let picture = file.strip_suffix(".webp").and_then(find).ok_or_else(ApiError::not_found)?;
    let headers = [(header::CONTENT_TYPE, "image/webp"), (header::CACHE_CONTROL, "public, max-age=86400")];
    Ok((headers, picture).into_response())
}
