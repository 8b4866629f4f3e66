//! A request after validation: defaults applied, switched-off options removed, every value within its range.
//!
//! Serialised, this is the normal form that is stored with the task and compared when the same `clientTaskId` is sent
//! again.

mod audio_url;
mod cover;
mod look;
mod overlays;
mod split_screen;
mod subtitle;

use serde::{Deserialize, Serialize};

use crate::encoding::Preset;
use crate::media::Size;
use crate::time::Fps;
use crate::transitions::Transition;
use crate::volume::{full_volume, is_full_volume};

pub use crate::overlay_motion::{OverlayMotion, OverlayMotions};
pub use crate::subtitle::{
    CaptionPlace, CaptionPreset, Highlight, Motion, Rgba, SubtitleStyle, Weight, WordDisplay,
};
pub use audio_url::AudioUrl;
pub use cover::{Cover, CoverTitle};
pub use look::LookChoice;
pub use overlays::{Anchor, ColorKey, Overlay, OverlayContent, OverlayPlace, VideoLayer};
pub use split_screen::{SplitLayout, SplitScreen};
pub use subtitle::{CaptionSource, CaptionTiming, Subtitle, TranscribedAudio};

/// One accepted submission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskRequest {
    pub params: Params,
    pub callback_url: Option<String>,
    pub client_task_id: Option<String>,
    /// The client's name for the task; it does not affect the outputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Labels by which tasks are found, without repeats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// The maximum price of the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_points: Option<u64>,
}

/// Declares the task types: variant, parameters, and name in requests.
macro_rules! task_types {
    ($($variant:ident($params:ident) = $name:literal,)+) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum TaskType {
            $(#[serde(rename = $name)] $variant,)+
        }

        impl TaskType {
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|kind| kind.as_str() == name)
            }
        }

        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "taskType")]
        #[allow(clippy::large_enum_variant, reason = "there is one per task; boxing saves nothing")]
        pub enum Params {
            $(#[serde(rename = $name)] $variant($params),)+
        }

        impl Params {
            pub fn task_type(&self) -> TaskType {
                match self {
                    $(Self::$variant(_) => TaskType::$variant,)+
                }
            }
        }
    };
}

task_types! {
    VideoDeduplication(DedupParams) = "videoDeduplication",
    BaseVideoMix(BaseMixParams) = "baseVideoMix",
    ProVideoMix(ProMixParams) = "proVideoMix",
}

/// A clip of the request. `duration_s` is the declared length of its file, used only for the price.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Clip {
    pub url: String,
    pub duration_s: Option<f64>,
    /// The used excerpt of the file, in seconds from its first frame; all of it if both are absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_s: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_s: Option<f64>,
    /// How many outputs are made of it; videoDeduplication only. `None` is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copies: Option<u32>,
    /// Its motion if it is an image; [`MixOptions::image_motion`] if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_motion: Option<ImageMotion>,
    /// The volume of its own audio in percent, which multiplies [`MixOptions::original_volume`]; 100 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume_percent: Option<u32>,
    /// [`MixOptions::look`] for this clip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub look: Option<LookChoice>,
    /// The speed of a video in thousandths; 1000 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_permille: Option<u32>,
    /// The clip beside it; baseVideoMix only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<SplitScreen>,
}

impl Clip {
    /// The clip, and the one beside it.
    pub fn files(&self) -> impl Iterator<Item = &Self> {
        [Some(self), self.split.as_ref().map(|split| &*split.second)].into_iter().flatten()
    }

    /// The speed of a video; 1 is unchanged.
    pub fn speed(&self) -> f64 {
        f64::from(self.speed_permille.unwrap_or(1000)) / 1000.0
    }

    /// How many outputs videoDeduplication makes of it.
    pub fn outputs(&self) -> usize {
        self.copies.map_or(1, |copies| copies as usize)
    }
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

impl DedupParams {
    /// The clip of each output, with its index in the list: copies of one follow each other.
    pub fn items(&self) -> impl Iterator<Item = (usize, &Clip)> {
        let copies = |(entry, clip): (usize, _)| std::iter::repeat_n((entry, clip), Clip::outputs(clip));
        self.videos.iter().enumerate().flat_map(copies)
    }

    pub fn total_items(&self) -> usize {
        self.videos.iter().map(Clip::outputs).sum()
    }
}

/// Options of videoDeduplication; `None` means switched off.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DedupOptions {
    pub mirror: bool,
    pub filter: bool,
    pub fps: Fps,
    /// Frames per second to keep, before the output rate is applied.
    pub frame_extraction: Option<Span>,
    /// Speed multiplier of video and audio.
    pub speed: Option<Span>,
    pub rotation: Option<Rotation>,
    pub zoom: Option<Span>,
    pub colour_mixing: Option<ColourMixing>,
    pub hue_mixing: Option<HueMixing>,
    pub color_balance: Option<ColorBalance>,
    pub pic_mask: Option<Mask>,
    pub video_mask: Option<Mask>,
    pub effect: Option<Effect>,
    pub pip: Option<Pip>,
    /// See [`MixOptions::cover`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cover: Option<Cover>,
    /// See [`MixOptions::preset`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<Preset>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rotation {
    pub clockwise: bool,
    /// In degrees.
    pub angle: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ColourMixing {
    pub brightness: Span,
    pub contrast: Span,
    pub saturation: Span,
    pub gamma: Span,
}

/// `hue_degrees` rotates the hue; `saturation` and `brightness` are offsets from neutral.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HueMixing {
    pub hue_degrees: f64,
    pub saturation: f64,
    pub brightness: f64,
}

/// Red, green and blue in each tonal range, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ColorBalance {
    pub shadows: [f64; 3],
    pub midtones: [f64; 3],
    pub highlights: [f64; 3],
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mask {
    pub urls: Vec<String>,
    pub layer_count: u32,
    pub opacity_percent: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    pub name: String,
    pub strength_percent: f64,
    pub duration_s: f64,
    pub position_percent: f64,
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
    /// The output is trimmed to this length.
    pub total_duration_s: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProMixParams {
    pub scenes: Vec<Scene>,
    pub audio_mode: AudioMode,
    /// Number of outputs, from whichever field.
    pub generate_count: u32,
    /// Manual rows: for each scene the index of its resource.
    pub combinations: Vec<Vec<u32>>,
    /// For each manual row, where in its file each scene's clip begins, in seconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<Vec<f64>>,
    /// For each manual row, the clips that each scene shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fill: Vec<Vec<Vec<ClipShowing>>>,
    pub options: MixOptions,
    pub seed: Option<u64>,
}

/// A part of a clip that a scene shows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ClipShowing {
    /// The index of the clip in the scene.
    pub resource: u32,
    /// Where it begins in its file.
    pub start_s: f64,
    pub length_s: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    pub key: String,
    pub name: String,
    pub duration_s: f64,
    /// What determines how long it lasts; absent if it is the default.
    #[serde(default, skip_serializing_if = "SceneLength::is_duration")]
    pub length: SceneLength,
    /// [`MixOptions::clip_start`] for this scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip_start: Option<ClipStart>,
    pub resources: Vec<Clip>,
    pub audio: Vec<SceneAudio>,
    /// The text that is shown as captions during the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SceneAudio {
    pub url: AudioUrl,
    /// Only this many seconds from the beginning of the file are used.
    pub duration_s: Option<f64>,
    pub start_s: f64,
    /// Absent from the normal form when it is 100.
    #[serde(default = "full_volume", skip_serializing_if = "is_full_volume")]
    pub volume_percent: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AudioMode {
    Merge,
    Split,
}

/// Options shared by both mixes; `is_shortest` is here wherever the request had it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MixOptions {
    pub size: Size,
    pub fill: FillMode,
    pub background: Background,
    pub fps: Fps,
    pub is_shortest: bool,
    pub music: Option<Track>,
    pub voice: Option<Track>,
    pub subtitle: Option<Subtitle>,
    /// Music dealt to the outputs, instead of `music`; absent from the normal form when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub music_pool: Vec<Track>,
    /// Voices with their captions, instead of `voice` and `subtitle`; absent when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub voice_pool: Vec<Voice>,
    /// Intro clips; each output begins with one of them. Absent when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub intro_pool: Vec<Bumper>,
    /// Outro clips; each output ends with one of them. Absent when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outro_pool: Vec<Bumper>,
    /// Volume of the clips' own audio in percent of amplitude (default 100).
    pub original_volume: u32,
    /// Music is lowered during speech. Absent from the normal form when off, so that requests stored before the option
    /// existed keep their fingerprint.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ducking: bool,
    /// The integrated loudness that the mix is brought to, in LUFS; absent when off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loudness_lufs: Option<f64>,
    /// The fade-out at the end of the whole mix; absent when off.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fade_out_s: f64,
    /// Where clips of proVideoMix start; absent if it is the default.
    #[serde(default, skip_serializing_if = "ClipStart::is_begin")]
    pub clip_start: ClipStart,
    /// What determines the length of an output; absent if it is the default.
    #[serde(default, skip_serializing_if = "MixLength::is_clips")]
    pub length: MixLength,
    /// How long an output continues after its voice, if that determines its length; [`MixOptions::TAIL_S`] if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail_s: Option<f64>,
    /// The maximum length of one showing of a clip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip_seconds: Option<f64>,
    /// Transitions between clips; absent when off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transition: Option<Transitions>,
    /// The motion of images used as clips; absent when off.
    #[serde(default, skip_serializing_if = "ImageMotion::is_none")]
    pub image_motion: ImageMotion,
    /// The colour look of the clips; absent when off.
    #[serde(default, skip_serializing_if = "LookChoice::is_none")]
    pub look: LookChoice,
    /// Effects below the overlays; absent when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
    /// Sounds at given times; absent when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sounds: Vec<Sound>,
    /// Images and texts above the clips, the lowest first; absent when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overlays: Vec<Overlay>,
    /// The cover; the most informative frame if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cover: Option<Cover>,
    /// The encoding effort; the installation's preset if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<Preset>,
}

impl MixOptions {
    /// How long an output continues after a voice that determines its length.
    pub const TAIL_S: f64 = 0.5;

    /// Whether an output may show what is spoken.
    pub fn may_be_transcribed(&self) -> bool {
        let pooled = self.voice_pool.iter().filter_map(|voice| voice.subtitle.as_ref());
        self.subtitle.iter().chain(pooled).any(|subtitle| subtitle.transcribed().is_some())
    }
}

/// Transitions, for which neighbouring clips overlap.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Transitions {
    /// The transitions to draw from; at least one.
    pub names: Vec<TransitionName>,
    pub duration_s: f64,
}

/// A transition of the catalogue, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&str")]
pub struct TransitionName(pub &'static Transition);

impl TryFrom<String> for TransitionName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Transition::find(&name).map(Self).ok_or(name)
    }
}

impl From<TransitionName> for &'static str {
    fn from(name: TransitionName) -> Self {
        name.0.name
    }
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// What determines the length of an output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MixLength {
    #[default]
    Clips,
    /// The voice-over: clips are shown until it ends.
    Voice,
}

impl MixLength {
    fn is_clips(&self) -> bool {
        *self == Self::Clips
    }
}

/// What determines the length of a scene.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SceneLength {
    #[default]
    Duration,
    /// Its audio resource: the scene ends with it.
    Voice,
}

impl SceneLength {
    fn is_duration(&self) -> bool {
        *self == Self::Duration
    }
}

/// Where in its file a clip starts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClipStart {
    /// At its first frame.
    #[default]
    Begin,
    /// At random positions, chosen so that outputs share as little footage as possible.
    Random,
    /// Likewise, but at the file's cuts.
    Shots,
}

impl ClipStart {
    fn is_begin(&self) -> bool {
        *self == Self::Begin
    }
}

/// The motion of an image while it is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ImageMotion {
    #[default]
    None,
    ZoomIn,
    ZoomOut,
    /// The view moves to the left over the image.
    PanLeft,
    PanRight,
    /// One of the other motions, chosen at random for each image.
    Random,
}

impl ImageMotion {
    /// The values by their names in requests and recipes.
    pub const NAMES: [(&str, Self); 6] = [
        ("none", Self::None),
        ("zoomIn", Self::ZoomIn),
        ("zoomOut", Self::ZoomOut),
        ("panLeft", Self::PanLeft),
        ("panRight", Self::PanRight),
        ("random", Self::Random),
    ];

    pub fn is_none(&self) -> bool {
        *self == Self::None
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FillMode {
    /// Shows the whole frame with bars.
    None,
    /// Fills the frame and crops the rest.
    Crop,
    Stretch,
}

/// The background of a clip that does not fill the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Background {
    Black,
    Blur,
    /// Opaque.
    Color(Rgba),
}

/// Background music or a voice-over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Track {
    pub url: AudioUrl,
    /// Only this many seconds are used.
    pub duration_s: Option<f64>,
    pub volume_percent: u32,
    pub fade_in_s: f64,
    pub fade_out_s: f64,
    /// Where in its file the used part of music begins, in seconds; at its beginning if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_s: Option<f64>,
    /// When a voice-over begins, in seconds after the intro; with the first clip if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_s: Option<f64>,
}

/// A sound that is played once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sound {
    pub url: String,
    /// When it begins in the output, in seconds.
    pub at_s: f64,
    pub volume_percent: u32,
    /// Where in its file the used part begins, in seconds; at its beginning if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_s: Option<f64>,
    /// Only this many seconds are used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_s: Option<f64>,
}

/// An intro or an outro: a clip that is shown in full.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bumper {
    pub url: String,
}

/// A voice-over and its captions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Voice {
    pub audio: Track,
    pub subtitle: Option<Subtitle>,
}
