//! `GET …/transitions`: the catalogue of transitions, with an image of each.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use clipmill_core::transitions::Transition;

use crate::api::previews::catalogue::image;
use crate::app::App;
use crate::error::ApiResult;
use crate::previews::catalogue;
use crate::view::{Answer, Bilingual, Catalogue, CatalogueEntry, Envelope, FileBytes};

/// Transitions between the clips of a mix.
#[utoipa::path(get, path = "/open-api/v1/video-process/transitions", operation_id = "listTransitions", tag = "catalogues",
    security(()), responses((status = 200, description = "The whole catalogue.", body = Answer<Catalogue>)))]
pub async fn transitions(State(app): State<Arc<App>>) -> Envelope<Catalogue> {
    let entry = |entry: &Transition| CatalogueEntry {
        name: entry.name,
        title: Bilingual { en: entry.title_en, zh: entry.title_zh },
        description: Bilingual { en: entry.description_en, zh: entry.description_zh },
        preview_url: app.links.open(&format!("/open-api/v1/video-process/transitions/{}.webp", entry.name)),
    };
    Envelope(Transition::listed().map(entry).collect::<Vec<_>>().into())
}

/// Animated image of one entry.
#[utoipa::path(get, path = "/open-api/v1/video-process/transitions/{file}", operation_id = "showTransition", tag = "catalogues",
    security(()), params(("file" = String, Path, description = "Name of the entry, followed by `.webp`.")),
    responses((status = 200, description = "The image.", content_type = "image/webp", body = inline(FileBytes))))]
pub async fn preview(path: Result<Path<String>, PathRejection>) -> ApiResult<Response> {
    image(path, catalogue::transition)
}
