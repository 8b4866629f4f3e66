//! The catalogues of effects, of looks, of fonts and of caption styles.

use serde::Serialize;
use serde_json::{Map, Value};
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
    /// The name used in requests and recipes.
    #[schema(examples("light-leak"))]
    pub name: &'static str,
    pub title: Bilingual,
    pub description: Bilingual,
    /// A small WebP image, animated for effects and transitions; no key is required.
    pub preview_url: String,
}

/// A complete catalogue.
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
    /// The name used in `subtitle.style.font`.
    #[schema(examples("noto-serif-sc"))]
    pub name: &'static str,
    pub title: Bilingual,
    /// Scripts that the font contains (ISO 15924); other fonts are substituted for the rest.
    pub scripts: &'static [&'static str],
    pub weights: &'static [&'static str],
}

/// A voice that speaks texts.
#[derive(Serialize, ToSchema)]
pub struct VoiceEntry {
    /// The name used in `audio.voice`.
    #[schema(examples("en-us"))]
    pub name: String,
    /// Its language; null for voices of other services than espeak-ng.
    pub title: Option<Bilingual>,
}

/// All voices, and the speech services.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VoiceCatalogue {
    pub list: Vec<VoiceEntry>,
    pub total: usize,
    /// The speech service; null if there is none.
    pub service: Option<String>,
    /// Points for 1,000 characters of a text.
    #[serde(rename = "pointsPer1000Characters")]
    pub points_per_thousand: u32,
    /// The service that transcribes audio (`subtitle.from`); null if there is none.
    pub transcription_service: Option<String>,
    /// Points for a minute of audio that is transcribed.
    pub points_per_minute: u32,
}

/// The complete catalogue of fonts.
#[derive(Serialize, ToSchema)]
pub struct FontCatalogue {
    pub list: Vec<FontEntry>,
    pub total: usize,
}

/// A named style of captions.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaptionStyleEntry {
    /// The name used in `subtitle.style.preset`. Its fields never change.
    #[schema(examples("karaoke"))]
    pub name: &'static str,
    pub title: Bilingual,
    pub description: Bilingual,
    /// The fields of `subtitle.style` that it sets.
    #[schema(value_type = Object, examples(json!({ "weight": "bold", "motion": "fade" })))]
    pub style: Map<String, Value>,
    /// A small animated WebP image; no key is required.
    pub preview_url: String,
}

/// The complete catalogue of caption styles.
#[derive(Serialize, ToSchema)]
pub struct CaptionStyleCatalogue {
    pub list: Vec<CaptionStyleEntry>,
    pub total: usize,
}
