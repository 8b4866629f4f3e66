//! Images, videos and texts above the clips of a mix.

use crate::named_enum;
use serde::{Deserialize, Serialize};

use super::{OverlayMotions, Rgba, SubtitleStyle};

/// An image, a video or a text above the clips and below the captions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Overlay {
    pub shown: OverlayContent,
    pub place: OverlayPlace,
    /// Distance from the nearest edges, in percent of the output's short side.
    pub margin_percent: f64,
    /// The time in the output when it appears, in seconds.
    pub start_s: f64,
    /// The time when it disappears; at the output's end if absent.
    pub end_s: Option<f64>,
    /// How it enters and leaves; absent when it does neither.
    #[serde(default, skip_serializing_if = "OverlayMotions::is_none")]
    pub motions: OverlayMotions,
}

impl Overlay {
    /// The texts, one for each output; empty for an image and a video.
    pub fn texts(&self) -> &[String] {
        match &self.shown {
            OverlayContent::Image { .. } | OverlayContent::Video(_) => &[],
            OverlayContent::Text { texts, .. } => texts,
        }
    }

    /// Whether it is the same in every frame.
    pub fn is_constant(&self) -> bool {
        self.is_always_seen() && self.motions.is_none()
    }

    /// The video, if it is one.
    pub fn video(&self) -> Option<&VideoLayer> {
        match &self.shown {
            OverlayContent::Video(video) => Some(video),
            _ => None,
        }
    }

    /// Whether every frame shows the same of it.
    pub fn is_always_seen(&self) -> bool {
        self.start_s == 0.0 && self.end_s.is_none() && self.video().is_none()
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum OverlayContent {
    /// An image, `width_percent` of the output wide.
    Image {
        url: String,
        width_percent: f64,
        opacity_percent: f64,
    },
    /// Each output shows one of the texts, at most `max_width_percent` of its width wide. The fields of the style that
    /// position captions have no effect.
    Text {
        texts: Vec<String>,
        style: SubtitleStyle,
        max_width_percent: f64,
    },
    Video(VideoLayer),
}

/// A video above the clips, `width_percent` of the output wide. Its first frame is shown at the overlay's start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VideoLayer {
    pub url: String,
    pub width_percent: f64,
    pub opacity_percent: f64,
    /// Whether it repeats until the overlay's end; otherwise it disappears when it ends.
    pub looped: bool,
    /// The volume of its audio.
    pub volume_percent: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<ColorKey>,
}

/// Makes a colour transparent (green screen).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ColorKey {
    pub color: Rgba,
    /// How far from the colour pixels are still fully transparent, in percent of the way to colours without any of it.
    pub tolerance_percent: f64,
    /// The part of the rest of that way over which pixels become opaque.
    pub softness_percent: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OverlayPlace {
    At(Anchor),
    /// The middle of the overlay, in percent of the output's width and height.
    Around {
        x: f64,
        y: f64,
    },
}

named_enum! {
    /// Corners, middles of edges, and the middle of the frame.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Anchor {
        TopLeft = "top-left",
        Top = "top",
        TopRight = "top-right",
        Left = "left",
        Middle = "middle",
        Right = "right",
        BottomLeft = "bottom-left",
        Bottom = "bottom",
        BottomRight = "bottom-right",
    }
}
