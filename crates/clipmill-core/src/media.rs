//! Facts: the results of probing files, from which the planner works.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::TaskError;
pub use crate::ids::ContentHash;
use crate::message::{self, Message};
pub use crate::size::Size;
use crate::subtitle::{FontFile, Pauses, Subtitles, Transcript};

/// The facts about one file. Lengths are measured from the packets, not read from a header.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MediaInfo {
    pub content: ContentHash,
    pub size_bytes: u64,
    /// ffmpeg's name of the container, e.g. `mov,mp4,m4a,3gp,3g2,mj2`.
    pub format: String,
    pub video: Option<VideoInfo>,
    pub audio: Option<AudioInfo>,
    /// The frames of an animated image whose `video` is its first frame: a PNG, or a WebP that was converted to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<Box<VideoInfo>>,
    /// Peculiarities of the file; `None` for nearly all files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Arc<Condition>>,
}

/// Peculiarities of a file that is used nevertheless.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repair: Option<Repair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken_off: Option<Truncation>,
}

impl Condition {
    /// Repairs and losses, for the client.
    pub fn message(&self) -> Option<Message> {
        let seconds = |ms: u64| format!("{:.2}", ms as f64 / 1000.0);
        let broken_off = self.broken_off.map(|Truncation { found_ms, stated_ms }| {
            message::broken_off(seconds(found_ms), seconds(stated_ms))
        });
        let jumps = self.repair.as_ref().map_or(0, |repair| repair.jumps);
        broken_off.or_else(|| (jumps > 0).then(|| message::timestamps_repaired(jumps)))
    }
}

/// How a file is copied into a new container before it is used, because its timestamps jump, because it was joined from
/// several, or because a decoder of an unused stream is not allowed. The result depends on nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    /// The demuxer, if it is not the one that ffmpeg chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub demuxer: Option<String>,
    pub muxer: String,
    /// The streams that are kept, by their indices in the file.
    pub streams: Vec<u32>,
    /// How often the timestamps of a stream jump.
    pub jumps: u64,
    /// Whether the audio is decoded, because it changes its form or its timestamps are wrong.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub decoded: bool,
}

/// The lengths of a file that ends before its header says, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truncation {
    pub found_ms: u64,
    pub stated_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VideoInfo {
    pub stream_index: u32,
    pub codec: String,
    /// Coded size, before rotation.
    pub coded: Size,
    pub pix_fmt: String,
    /// Clockwise turn that shows the video upright: 0, 90, 180 or 270 degrees.
    pub rotation: u32,
    /// Sample aspect ratio, width to height, before rotation; (1, 1) when unknown.
    pub sample_aspect: (u32, u32),
    pub color: ColorInfo,
    pub interlaced: bool,
    /// First presentation time, in seconds on the container's clock.
    pub start_s: f64,
    /// Seconds from the first frame's time to the end of the last one.
    pub duration_s: f64,
    /// Number of frames.
    pub frames: u64,
    /// Average frames a second.
    pub rate: f64,
    /// True for a still image (one frame without a length of its own).
    pub still: bool,
    /// Whether a display matrix turns or mirrors the frames.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub oriented: bool,
    /// The effect of that matrix. `None` if it changes nothing, or turns frames by an angle other than 90, 180 or 270
    /// degrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Turn>,
    /// The longest time from one keyframe to the next, in seconds; 0 if it was not measured (facts of an earlier version).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub keyframe_interval_s: f64,
    /// Set only if its packets can be used in an output unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avc: Option<AvcForm>,
}

fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

/// A turn by a display matrix, in the terms of ffmpeg's filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    Clockwise,
    /// Clockwise by 90 degrees, then upside down.
    ClockwiseFlip,
    CounterClockwise,
    /// Counter-clockwise by 90 degrees, then upside down.
    CounterClockwiseFlip,
    HalfTurn,
    /// Left and right are swapped.
    Mirror,
    /// Top and bottom are swapped.
    Flip,
}

impl Turn {
    /// The turn of a matrix that ffmpeg applies by itself: `rotation` in degrees counter-clockwise, and the numbers of its
    /// upper left corner (a, b, c, d).
    pub fn of_matrix(rotation: f64, [a, _, c, d]: [i64; 4]) -> Option<Self> {
        let degrees = (-rotation.round()).rem_euclid(360.0);
        let is_near = |angle: f64| (degrees - angle).abs() < 1.0;
        if is_near(90.0) {
            Some(if c > 0 { Self::CounterClockwiseFlip } else { Self::Clockwise })
        } else if is_near(270.0) {
            Some(if c < 0 { Self::ClockwiseFlip } else { Self::CounterClockwise })
        } else if is_near(180.0) {
            match (a < 0, d < 0) {
                (true, true) => Some(Self::HalfTurn),
                (true, false) => Some(Self::Mirror),
                (false, true) => Some(Self::Flip),
                (false, false) => None,
            }
        } else {
            (is_near(0.0) && d < 0).then_some(Self::Flip)
        }
    }
}

/// H.264 in an MP4 with the properties of outputs: profile High, 8 bits, progressive, parameter sets only in the index,
/// no edit list that omits something, every packet a frame shown for one frame's time, and the first one a keyframe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AvcForm {
    /// A hash of the decoder's configuration: streams with the same one can be joined. It does not withstand forgery, so
    /// the bytes are compared before streams are joined.
    pub configuration: String,
    /// Frames per second; each frame is exactly on this grid, counted from the first one.
    pub rate: u32,
    /// The most frames from one keyframe to the next, or to the end.
    pub longest_group: u64,
}

impl VideoInfo {
    /// H.264 with square pixels and no peculiarities.
    pub fn plain(coded: Size, duration_s: f64, rate: f64) -> Self {
        Self {
            stream_index: 0,
            codec: "h264".to_owned(),
            coded,
            pix_fmt: "yuv420p".to_owned(),
            rotation: 0,
            sample_aspect: (1, 1),
            color: ColorInfo::default(),
            interlaced: false,
            start_s: 0.0,
            duration_s,
            frames: (duration_s * rate) as u64,
            rate,
            still: false,
            oriented: false,
            turn: None,
            keyframe_interval_s: 0.0,
            avc: None,
        }
    }

    /// Size as shown: rotation and sample aspect applied, rounded to whole pixels.
    pub fn display(&self) -> Size {
        let (num, den) = self.sample_aspect;
        let wide = (f64::from(self.coded.width) * f64::from(num) / f64::from(den)).round() as u32;
        let upright = Size::new(wide.max(1), self.coded.height);
        if self.rotation % 180 == 90 { Size::new(upright.height, upright.width) } else { upright }
    }

    /// The decoder that must be named because the default one would drop the alpha channel of this stream.
    pub fn named_decoder(&self) -> Option<&'static str> {
        self.alpha_decoder().filter(|_| self.has_alpha())
    }

    /// The decoder that reads the alpha channel of this codec, when the default one drops it.
    pub fn alpha_decoder(&self) -> Option<&'static str> {
        match self.codec.as_str() {
            "vp8" => Some("libvpx"),
            "vp9" => Some("libvpx-vp9"),
            _ => None,
        }
    }

    /// Whether the video has an alpha channel.
    pub fn has_alpha(&self) -> bool {
        let format = self.pix_fmt.as_str();
        ["yuva", "gbrap", "rgba", "bgra", "argb", "abgr", "ya8", "ya16", "pal8"]
            .iter()
            .any(|prefix| format.starts_with(prefix))
    }

    /// Coded size with rotation applied: the pixels that reach the filters.
    pub fn upright(&self) -> Size {
        if self.rotation % 180 == 90 { Size::new(self.coded.height, self.coded.width) } else { self.coded }
    }
}

/// Colour description by ffmpeg's names; `None` where the file does not state it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ColorInfo {
    pub matrix: Option<String>,
    pub primaries: Option<String>,
    pub transfer: Option<String>,
    pub full_range: Option<bool>,
    /// Where chroma samples are, unless it is `left`, the usual place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chroma_location: Option<String>,
    #[serde(default, skip_serializing_if = "ImageProfile::is_unread")]
    pub profile: ImageProfile,
}

/// The colours stated by the ICC profile of an image.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ImageProfile {
    /// Not read: the file is a video, or an earlier release probed it.
    #[default]
    Unread,
    /// sRGB, no profile, or one that is not supported.
    Srgb,
    Rgb(RgbProfile),
}

impl ImageProfile {
    fn is_unread(&self) -> bool {
        *self == Self::Unread
    }
}

/// Converts colours to sRGB: the curve makes them linear, the matrix changes their primaries.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RgbProfile {
    pub curve: ToneCurve,
    /// In parts of [`RgbProfile::UNIT`].
    pub to_srgb: [[i32; 3]; 3],
}

impl RgbProfile {
    pub const UNIT: i32 = 10_000;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ToneCurve {
    Srgb,
    /// A power, in thousandths.
    Gamma(u32),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AudioInfo {
    pub stream_index: u32,
    pub codec: String,
    pub channels: u32,
    /// Whether the channels are ambisonics: a sound field instead of loudspeakers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ambisonic: bool,
    pub sample_rate: u32,
    pub start_s: f64,
    pub duration_s: f64,
}

impl AudioInfo {
    /// AAC in stereo.
    pub fn plain(duration_s: f64) -> Self {
        let codec = "aac".to_owned();
        let (channels, ambisonic) = (2, false);
        Self { stream_index: 1, codec, channels, ambisonic, sample_rate: 48_000, start_s: 0.0, duration_s }
    }
}

/// The result of scanning a file's frames, in seconds after its first one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cuts {
    /// Takes in order, each from one cut to the next; of a long file, the scanned ones. An empty list means one take as
    /// long as the file.
    pub takes: Vec<(f64, f64)>,
    /// Stretches that are black, still or blurred, in order and apart from each other.
    pub dull: Vec<(f64, f64)>,
}

/// The known facts about every file of a request: its properties, its text, or why it cannot be used.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    pub media: BTreeMap<String, Result<MediaInfo, TaskError>>,
    /// Parsed subtitle files by URL.
    pub subtitles: BTreeMap<String, Result<Subtitles, TaskError>>,
    /// Cuts by URL, for the files that were scanned.
    pub cuts: BTreeMap<String, Result<Cuts, TaskError>>,
    /// Pauses by URL, of the voices that captions follow.
    pub pauses: BTreeMap<String, Result<Pauses, TaskError>>,
    /// What is spoken in files, by URL.
    pub transcripts: BTreeMap<String, Result<Transcript, TaskError>>,
    /// Font files by URL.
    pub fonts: BTreeMap<String, Result<FontFile, TaskError>>,
}

impl Facts {
    /// A failure that may be temporary. A lack of space comes first, because it is not a failure of the task.
    pub fn transient_failure(&self) -> Option<&TaskError> {
        let media = self.media.values().filter_map(|info| info.as_ref().err());
        let subtitles = self.subtitles.values().filter_map(|read| read.as_ref().err());
        let cuts = self.cuts.values().filter_map(|cuts| cuts.as_ref().err());
        let pauses = self.pauses.values().filter_map(|pauses| pauses.as_ref().err());
        let fonts = self.fonts.values().filter_map(|font| font.as_ref().err());
        let transcripts = self.transcripts.values().filter_map(|transcript| transcript.as_ref().err());
        let all = media.chain(subtitles).chain(cuts).chain(pauses).chain(transcripts).chain(fonts);
        let passing = all.filter(|error| error.retryable);
        passing.max_by_key(|error| error.lacks_disk_space)
    }

    /// Removes temporary failures, so that their files are probed again.
    pub fn forget_transient_failures(&mut self) {
        let may_pass = |error: Option<&TaskError>| error.is_some_and(|error| error.retryable);
        self.media.retain(|_, info| !may_pass(info.as_ref().err()));
        self.subtitles.retain(|_, read| !may_pass(read.as_ref().err()));
        self.cuts.retain(|_, cuts| !may_pass(cuts.as_ref().err()));
        self.pauses.retain(|_, pauses| !may_pass(pauses.as_ref().err()));
        self.transcripts.retain(|_, transcript| !may_pass(transcript.as_ref().err()));
        self.fonts.retain(|_, font| !may_pass(font.as_ref().err()));
    }
}
