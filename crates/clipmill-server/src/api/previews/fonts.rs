//! `GET …/fonts`: the fonts available for captions.

use clipmill_core::fonts::{CaptionFont, WEIGHTS};

use crate::view::{Answer, Bilingual, Envelope, FontCatalogue, FontEntry};

/// Fonts that `subtitle.style.font` names.
#[utoipa::path(get, path = "/open-api/v1/video-process/fonts", operation_id = "listFonts", tag = "catalogues",
    security(()), responses((status = 200, description = "The whole catalogue.", body = Answer<FontCatalogue>)))]
pub async fn fonts() -> Envelope<FontCatalogue> {
    let entry = |font: CaptionFont| {
        let font_entry = font.entry();
        FontEntry {
            name: font_entry.name,
            title: Bilingual { en: font_entry.title_en, zh: font_entry.title_zh },
            scripts: font_entry.scripts,
            weights: &WEIGHTS,
        }
    };
    let list: Vec<FontEntry> = CaptionFont::ALL.into_iter().map(entry).collect();
    Envelope(FontCatalogue { total: list.len(), list })
}
