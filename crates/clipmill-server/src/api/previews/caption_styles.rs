//! `GET …/caption-styles`: the named styles of captions, with a moving image of each.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use clipmill_core::request::preset_fields;
use clipmill_core::subtitle::CaptionPreset;

use crate::api::previews::catalogue::image;
use crate::app::App;
use crate::error::ApiResult;
use crate::previews::catalogue;
use crate::view::{Answer, Bilingual, CaptionStyleCatalogue, CaptionStyleEntry, Envelope, FileBytes};

/// Styles that `subtitle.style.preset` names.
#[utoipa::path(get, path = "/open-api/v1/video-process/caption-styles", operation_id = "listCaptionStyles",
    tag = "catalogues", security(()),
    responses((status = 200, description = "The whole catalogue.", body = Answer<CaptionStyleCatalogue>)))]
pub async fn caption_styles(State(app): State<Arc<App>>) -> Envelope<CaptionStyleCatalogue> {
    let entry = |preset: CaptionPreset| {
        let entry = preset.entry();
        let path = format!("/open-api/v1/video-process/caption-styles/{}.webp", entry.name);
        CaptionStyleEntry {
            name: entry.name,
            title: Bilingual { en: entry.title_en, zh: entry.title_zh },
            description: Bilingual { en: entry.description_en, zh: entry.description_zh },
            style: preset_fields(preset),
            preview_url: app.links.open(&path),
        }
    };
    let list: Vec<CaptionStyleEntry> = CaptionPreset::ALL.into_iter().map(entry).collect();
    Envelope(CaptionStyleCatalogue { total: list.len(), list })
}

/// Image of one entry.
#[utoipa::path(get, path = "/open-api/v1/video-process/caption-styles/{file}", operation_id = "showCaptionStyle",
    tag = "catalogues", security(()),
    params(("file" = String, Path, description = "Name of the entry, followed by `.webp`.")),
    responses((status = 200, description = "The image.", content_type = "image/webp", body = inline(FileBytes))))]
pub async fn preview(path: Result<Path<String>, PathRejection>) -> ApiResult<Response> {
    image(path, catalogue::caption_style)
}
