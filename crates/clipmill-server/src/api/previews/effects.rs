//! `GET …/effects`: the catalogue of effects, with an image of each.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use clipmill_core::effects::Effect;

use crate::api::previews::catalogue::image;
use crate::app::App;
use crate::error::ApiResult;
use crate::previews::catalogue;
use crate::view::{Answer, Bilingual, Catalogue, CatalogueEntry, Envelope, FileBytes};

/// Effects of videoDeduplication and of mixes.
#[utoipa::path(get, path = "/open-api/v1/video-process/effects", operation_id = "listEffects", tag = "catalogues",
    security(()), responses((status = 200, description = "The whole catalogue.", body = Answer<Catalogue>)))]
pub async fn effects(State(app): State<Arc<App>>) -> Envelope<Catalogue> {
    let entry = |entry: &Effect| CatalogueEntry {
        name: entry.name,
        title: Bilingual { en: entry.title_en, zh: entry.title_zh },
        description: Bilingual { en: entry.description_en, zh: entry.description_zh },
        preview_url: app.links.open(&format!("/open-api/v1/video-process/effects/{}.webp", entry.name)),
    };
    Envelope(Effect::all().iter().map(entry).collect::<Vec<_>>().into())
}

/// Image of one entry.
#[utoipa::path(get, path = "/open-api/v1/video-process/effects/{file}", operation_id = "showEffect", tag = "catalogues",
    security(()), params(("file" = String, Path, description = "Name of the entry, followed by `.webp`.")),
    responses((status = 200, description = "The image.", content_type = "image/webp", body = inline(FileBytes))))]
pub async fn preview(path: Result<Path<String>, PathRejection>) -> ApiResult<Response> {
    image(path, catalogue::effect)
}
