//! `GET …/fonts`: the fonts that captions can be asked to stand in.

use clipmill_core::fonts::{CaptionFont, WEIGHTS};

use crate::view::{Answer, Bilingual, Envelope, FontCatalogue, FontEntry};

/// Fonts that `subtitle.style.font` names.
#[utoipa::path(get, path = "/open-api/v1/video-process/fonts", operation_id = "listFonts", tag = "catalogues",
    security(()), responses((status = 200, description = "The whole catalogue.", body = Answer<FontCatalogue>)))]
pub async fn fonts() -> Envelope<FontCatalogue> {
    let entry = |font: CaptionFont| {
        let known = font.entry();
        FontEntry {
            name: known.name,
            title: Bilingual { en: known.title_en, zh: known.title_zh },
            scripts: known.scripts,
            weights: &WEIGHTS,
        }
    };
    let list: Vec<FontEntry> = CaptionFont::ALL.into_iter().map(entry).collect();
    Envelope(FontCatalogue { total: list.len(), list })
}
