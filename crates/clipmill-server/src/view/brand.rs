//! Brands.

use clipmill_core::request::Brand;
use clipmill_store::Millis;
use serde::Serialize;
use utoipa::ToSchema;

use super::rfc3339;

/// Brand of a user. Files are `upload://` URLs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BrandView {
    pub logo: Option<String>,
    pub fonts: Vec<String>,
    pub colors: Vec<String>,
    pub intro: Option<String>,
    pub outro: Option<String>,
    /// Name of a caption style.
    pub caption_preset: Option<String>,
    /// When it was last saved; null: never.
    #[schema(format = DateTime)]
    pub update_time: Option<String>,
}

impl BrandView {
    pub fn new(brand: Brand, updated_at: Option<Millis>) -> Self {
        let Brand { logo, fonts, colors, intro, outro, caption_preset } = brand;
        Self { logo, fonts, colors, intro, outro, caption_preset, update_time: updated_at.map(rfc3339) }
    }
}

/// A brand to save. Files are `upload://` URLs of your uploads.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct BrandRequestSchema {
    /// An image.
    #[schema(max_length = 200)]
    logo: Option<String>,
    /// Font files, for captions and overlays.
    #[schema(max_items = 10)]
    fonts: Option<Vec<String>>,
    /// Colours such as `#1B1B2F`.
    #[schema(max_items = 20)]
    colors: Option<Vec<String>>,
    /// A video or an image.
    #[schema(max_length = 200)]
    intro: Option<String>,
    /// A video or an image.
    #[schema(max_length = 200)]
    outro: Option<String>,
    /// Name of a caption style, as in `subtitle.style.preset`.
    caption_preset: Option<String>,
}
