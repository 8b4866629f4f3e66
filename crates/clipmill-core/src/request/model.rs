//! A request after validation: defaults applied, switched-off options gone, every value within its range.
//!
//! Serialised, this is the normal form that is stored with the task and compared when the same
//! `clientTaskId` comes again.

use serde::{Deserialize, Serialize};

use super::form::form;
use super::{mix_options, overlays};
use crate::encoding::Preset;
use crate::media::Size;
use crate::time::Fps;

/// One accepted submission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskRequest {
    pub params: Params,
    pub callback_url: Option<String>,
    pub client_task_id: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TaskType {
    #[serde(rename = "videoDeduplication")]
    VideoDeduplication,
    #[serde(rename = "baseVideoMix")]
    BaseVideoMix,
    #[serde(rename = "proVideoMix")]
    ProVideoMix,
}

impl TaskType {
    pub const ALL: [Self; 3] = [Self::VideoDeduplication, Self::BaseVideoMix, Self::ProVideoMix];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::VideoDeduplication => "videoDeduplication",
            Self::BaseVideoMix => "baseVideoMix",
            Self::ProVideoMix => "proVideoMix",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "taskType")]
#[allow(clippy::large_enum_variant, reason = "one lives per task; a box would only be in the way")]
pub enum Params {
    #[serde(rename = "videoDeduplication")]
    VideoDeduplication(DedupParams),
    #[serde(rename = "baseVideoMix")]
    BaseVideoMix(BaseMixParams),
    #[serde(rename = "proVideoMix")]
    ProVideoMix(ProMixParams),
}

impl Params {
    pub fn task_type(&self) -> TaskType {
        match self {
            Self::VideoDeduplication(_) => TaskType::VideoDeduplication,
            Self::BaseVideoMix(_) => TaskType::BaseVideoMix,
            Self::ProVideoMix(_) => TaskType::ProVideoMix,
        }
    }

    /// The seed the client gave (0 to 2^53−1), if any.
    pub fn seed(&self) -> Option<u64> {
        match self {
            Self::VideoDeduplication(params) => params.seed,
            Self::BaseVideoMix(params) => params.seed,
            Self::ProVideoMix(params) => params.seed,
        }
    }

    /// Number of output videos.
    pub fn total_items(&self) -> usize {
        match self {
            Self::VideoDeduplication(params) => params.videos.len(),
            Self::BaseVideoMix(params) => params.groups.len(),
            Self::ProVideoMix(params) => params.generate_count as usize,
        }
    }
}

/// A clip as the client names it. `duration_s` is the declared length, which only prices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clip {
    pub url: String,
    pub duration_s: Option<f64>,
}

/// An inclusive range a value is drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Span {
    pub min: f64,
    pub max: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DedupParams {
    pub videos: Vec<Clip>,
    pub options: DedupOptions,
    pub seed: Option<u64>,
}

form! {
    /// Options of videoDeduplication; `None` means switched off.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub struct DedupOptions {
        mirror: bool = "isMirror",
        filter: bool = "isFilter",
        fps: Fps = "fps",
        /// Frames a second kept before the output rate is set.
        frame_extraction: Option<Span> = ("frameExtraction", "isExtract", "start", "end"),
        /// Speed multiplier of picture and sound.
        speed: Option<Span> = ("speed", "isSpeed", "start", "end"),
        rotation: Option<Rotation> = "rotation",
        zoom: Option<Span> = ("zoom", "isZoom", "minScale", "maxScale"),
        colour_mixing: Option<ColourMixing> = "colourMixing",
        hue_mixing: Option<HueMixing> = "hueMixing",
        color_balance: Option<ColorBalance> = "colorBalance",
        pic_mask: Option<Mask> = ("picMask", "picFiles"),
        video_mask: Option<Mask> = ("videoMask", "videoFiles"),
        effect: Option<Effect> = "effect",
        pip: Option<Pip> = "PIP",
        /// As in [`MixOptions::preset`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        preset: Option<Preset> = "preset",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rotation {
    pub clockwise: bool,
    /// Degrees.
    pub angle: Span,
}

form! {
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    pub struct ColourMixing [switch "isMixing"] {
        brightness: Span = ("brightnessMin", "brightnessMax"),
        contrast: Span = ("contrastMin", "contrastMax"),
        saturation: Span = ("saturationMin", "saturationMax"),
        gamma: Span = ("gammaMin", "gammaMax"),
    }
}

form! {
    /// `hue_degrees` turns the hue; `saturation` and `brightness` are offsets from neutral.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    pub struct HueMixing [switch "isMixing"] {
        hue_degrees: f64 = "h",
        saturation: f64 = "s",
        brightness: f64 = "b",
    }
}

form! {
    /// Red, green, blue in each tonal range, 0 to 1.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    pub struct ColorBalance [switch "isBalance"] {
        shadows: [f64; 3] = ["rs", "gs", "bs"],
        midtones: [f64; 3] = ["rm", "gm", "bm"],
        highlights: [f64; 3] = ["rh", "gh", "bh"],
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mask {
    pub urls: Vec<String>,
    pub layer_count: u32,
    pub opacity_percent: f64,
}

form! {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct Effect [check overlays::check_effect] {
        name: String = "value",
        strength_percent: f64 = "trans",
        duration_s: f64 = "duration",
        position_percent: f64 = "position",
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pip {
    pub padding_percent: f64,
    /// False: plain fill (fillMode 1); true: blurred fill (fillMode 2).
    pub blurred: bool,
    pub fill_url: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BaseMixParams {
    pub groups: Vec<Group>,
    pub options: MixOptions,
    pub seed: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Group {
    pub videos: Vec<Clip>,
    /// Cuts the output.
    pub total_duration_s: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProMixParams {
    pub scenes: Vec<Scene>,
    pub audio_mode: AudioMode,
    pub generate_count: u32,
    /// Manual rows: for each scene the index of its resource.
    pub combinations: Vec<Vec<u32>>,
    pub options: MixOptions,
    pub seed: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    pub key: String,
    pub name: String,
    pub duration_s: f64,
    pub resources: Vec<Clip>,
    pub audio: Vec<SceneAudio>,
}

form! {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct SceneAudio [check mix_options::check_scene_audio] {
        url: String = "url",
        /// Use only the first so many seconds of the file.
        duration_s: Option<f64> = "duration",
        start_s: f64 = "startTime",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AudioMode {
    Merge,
    Split,
}

form! {
    /// Options shared by both mixes; `is_shortest` stands here wherever the request had it.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct MixOptions [check mix_options::check] {
        size: Size = "resolution",
        fill: FillMode = "resolutionMode",
        background: Background = "background",
        fps: Fps = "fps",
        is_shortest: bool = "isShortest",
        music: Option<Track> = "backgroundMusic",
        voice: Option<Track> = "audio",
        subtitle: Option<Subtitle> = "subtitle",
        /// Volume of the clips' own sound, percent of amplitude (ours; default 100).
        original_volume: u32 = "originalVolume",
        /// Music is lowered while somebody speaks (ours). Absent from the normal form when off, so that requests
        /// stored before it existed keep their fingerprint.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        ducking: bool = "ducking",
        /// Integrated loudness that the mix is brought to, in LUFS (ours); absent as above.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        loudness_lufs: Option<f64> = "loudness",
        /// How much work goes into each frame (ours); the installation's where absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        preset: Option<Preset> = "preset",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FillMode {
    /// The whole picture, with bars.
    None,
    /// Fill the frame, crop what is over.
    Crop,
    Stretch,
}

/// What lies behind a picture that does not fill the frame (ours).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Background {
    Black,
    Blur,
}

form! {
    /// Background music or a voice-over.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct Track [check mix_options::check_track] {
        url: String = "url",
        /// Use only the first so many seconds of the file.
        duration_s: Option<f64> = "duration",
        volume_percent: u32 = "volume",
        fade_in_s: f64 = "fadeIn",
        fade_out_s: f64 = "fadeOut",
    }
}

form! {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct Subtitle [check mix_options::check_subtitle] {
        url: String = "url",
        style: SubtitleStyle = "style",
    }
}

form! {
    /// Subtitle style; the em height is `font_size × magnification` pixels of a picture whose short side is 720.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct SubtitleStyle {
        font_size: u32 = "fontSize",
        font_color: Rgba = "fontColor",
        outline_color: Option<Rgba> = "outlineColor",
        back_color: Option<Rgba> = "backColor",
        /// Output pixels from the bottom edge.
        bottom: u32 = "bottom",
        magnification: f64 = "magnification",
    }
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
