//! The catalogues of effects, of looks and of fonts.

use serde::Serialize;
use utoipa::ToSchema;

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

/// A font for captions.
#[derive(Serialize, ToSchema)]
pub struct FontEntry {
    /// As `subtitle.style.font` names it.
    #[schema(examples("noto-serif-sc"))]
    pub name: &'static str,
    pub title: Bilingual,
    /// What it draws by itself, by ISO 15924; other fonts step in for the rest.
    pub scripts: &'static [&'static str],
    pub weights: &'static [&'static str],
}

/// The catalogue of fonts, whole.
#[derive(Serialize, ToSchema)]
pub struct FontCatalogue {
    pub list: Vec<FontEntry>,
    pub total: usize,
}
