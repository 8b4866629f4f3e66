//! The style of captions.

use serde::{Deserialize, Serialize};

use crate::fonts::FontRef;

/// Subtitle style; the em height is `font_size × magnification` pixels in an output whose short side is 720 pixels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SubtitleStyle {
    pub font_size: u32,
    pub font_color: Rgba,
    pub outline_color: Option<Rgba>,
    pub back_color: Option<Rgba>,
    /// Distance of the text from its edge in output pixels, unless `place` overrides it.
    pub bottom: u32,
    pub magnification: f64,
    /// Absent for the font that every installation has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub font: Option<FontRef>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub weight: Weight,
    #[serde(default, skip_serializing_if = "is_default")]
    pub place: CaptionPlace,
    /// The distance of the shadow in hundredths of an em; 0 is none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub shadow: u32,
    /// The radius of the box's corners in hundredths of an em.
    #[serde(default, skip_serializing_if = "is_default")]
    pub radius: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highlight: Option<Highlight>,
}

impl SubtitleStyle {
    /// The style of a request that sets nothing.
    pub const DEFAULT: Self = Self {
        font_size: 14,
        font_color: Rgba::WHITE,
        outline_color: None,
        back_color: None,
        bottom: 50,
        magnification: 2.5,
        font: None,
        weight: Weight::Regular,
        place: CaptionPlace::Bottom,
        shadow: 0,
        radius: 0,
        highlight: None,
    };
}

/// The weight of letters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    #[default]
    Regular,
    Bold,
}

/// The vertical position of captions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CaptionPlace {
    #[default]
    Bottom,
    LowerThird,
    Middle,
    Top,
}

/// The highlighting of the spoken word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Highlight {
    pub color: Rgba,
}

/// A colour with alpha (255 is opaque).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rgba {
    pub r: u8,
    pub g: u8,
    pub b: u8,
    pub a: u8,
}

impl Rgba {
    pub const WHITE: Rgba = Rgba { r: 255, g: 255, b: 255, a: 255 };
    pub const BLACK: Rgba = Rgba { r: 0, g: 0, b: 0, a: 255 };
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
