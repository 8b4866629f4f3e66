//! The cover of an output, as a client sets it.

use serde::{Deserialize, Serialize};

use crate::subtitle::{Rgba, SubtitleStyle, Weight};

/// The cover of an output: a frame of it, an image, or the most informative frame if neither is set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cover {
    /// The time of the frame in the output, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_s: Option<f64>,
    /// The URL of the image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<CoverTitle>,
}

/// A text in the middle of the cover.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CoverTitle {
    pub text: String,
    /// [`CoverTitle::STYLE`] if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<SubtitleStyle>,
}

impl CoverTitle {
    /// Large bold letters with a black outline, which are readable on any image.
    pub const STYLE: SubtitleStyle = SubtitleStyle {
        magnification: 5.0,
        outline_color: Some(Rgba { r: 0, g: 0, b: 0, a: 255 }),
        weight: Weight::Bold,
        ..SubtitleStyle::DEFAULT
    };

    pub fn style(&self) -> SubtitleStyle {
        self.style.clone().unwrap_or(Self::STYLE)
    }
}
