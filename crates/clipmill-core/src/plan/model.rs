//! The types of a plan and of its inputs. There is no logic here, because every planner uses them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::encoding::Encoding;
use crate::error::TaskError;
use crate::footage::Footage;
use crate::media::{Condition, ContentHash, MediaInfo, Size};
use crate::message::Message;
use crate::plan::division::DivisionSettings;
use crate::pricing::{BillableOutput, SpeechUse, Tier};
use crate::segment::{
    CacheKey, MixKey, RenditionKey, SegmentKey, SegmentSpec, Toolchain, VideoSpec, composed,
};
use crate::subtitle::FontMetrics;
use crate::time::{Fps, Frames, Samples};
use crate::warning::Warning;

/// The inputs of planning beside the request and the facts about its files.
#[derive(Clone)]
pub struct Context<'a> {
    pub toolchain: &'a Toolchain,
    /// The font for subtitles, or the problem with the installed ones.
    pub font: Result<&'a dyn FontMetrics, Message>,
    pub encoding: Encoding,
    /// The maximum length of an output.
    pub max_item_seconds: u64,
    /// The maximum size of all files of one task in total, in bytes.
    pub max_input_bytes: u64,
    pub division: DivisionSettings,
    /// Called before each output is planned. Once the plan is no longer wanted, planning ends without the remaining
    /// outputs.
    pub is_wanted: &'a dyn Fn() -> bool,
}

/// The complete plan of one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Distinct segments, in the order in which items need them.
    pub segments: Vec<PlannedSegment>,
    pub items: Vec<PlannedItem>,
    /// How alike the outputs are, if there are several.
    pub diversity: Option<Diversity>,
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedSegment {
    #[serde(rename = "hash")]
    pub key: SegmentKey,
    pub spec: SegmentSpec,
    /// The origin of its files, in case they must be fetched again; in the order of [`SegmentSpec::sources`].
    pub sources: Vec<SourceRef>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedItem {
    /// Counted from 1.
    pub item_no: u32,
    pub seed: u64,
    /// All random choices, for the client (`items[].recipe`).
    pub recipe: serde_json::Value,
    /// The footage that the output shows, at the output's rate.
    pub footage: Footage<ContentHash>,
    pub outcome: Result<Rendition, TaskError>,
    pub warnings: Vec<Warning>,
}

/// The result of planning one output.
pub(crate) struct Planned {
    pub rendition: Rendition,
    pub footage: Footage<ContentHash>,
    pub warnings: Vec<Warning>,
}

impl PlannedItem {
    pub(crate) fn new(
        item_no: u32,
        seed: u64,
        recipe: serde_json::Value,
        planned: Result<Planned, TaskError>,
    ) -> Self {
        let (outcome, footage, warnings) = match planned {
            Ok(Planned { rendition, footage, warnings }) => (Ok(rendition), footage, warnings),
            Err(error) => (Err(error), Footage::default(), vec![]),
        };
        Self { item_no, seed, recipe, footage, outcome, warnings }
    }
}

/// One output file: segments joined, audio mixed, multiplexed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rendition {
    pub fps: Fps,
    pub size: Size,
    pub frames: Frames,
    pub tier: Tier,
    /// Video segments in order; a segment may occur more than once.
    #[serde(rename = "pictures")]
    pub video: Vec<SegmentKey>,
    #[serde(rename = "sound")]
    pub audio: Option<AudioMix>,
    /// What the speech service does for this output and for no earlier one of the task.
    #[serde(rename = "spoken", default, skip_serializing_if = "Vec::is_empty")]
    pub speech: Vec<SpeechUse>,
    /// The cover, if the client sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cover: Option<Box<CoverPlan>>,
}

/// The cover of an output, made once the output is finished.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CoverPlan {
    pub source: CoverSource,
    /// The video that the cover is a frame of; the file of an output has no content hash of its own.
    pub video: VideoSpec,
    pub frame: Frames,
    /// Where reading may begin, in microseconds after the first frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seek_us: Option<i64>,
    /// The image and the fonts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceRef>,
}

/// The file that a cover is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CoverSource {
    /// The video of the output.
    Output,
    /// The cover that the service chooses.
    Automatic,
    /// An image of the client.
    Image,
}

impl Rendition {
    /// The properties that determine the output's price.
    pub fn extent(&self) -> BillableOutput<'_> {
        BillableOutput { tier: self.tier, frames: self.frames, fps: self.fps, speech: &self.speech }
    }

    /// Distinct segments, video first, each in the order of its first use.
    pub fn segments(&self) -> Vec<SegmentKey> {
        let audio = self.audio.iter().flat_map(AudioMix::pieces);
        let mut seen = std::collections::HashSet::new();
        self.video.iter().chain(audio).filter(|key| seen.insert(*key)).cloned().collect()
    }

    /// The key of the finished file: everything that determines its bytes is in the keys of its segments, their order,
    /// and the mix. Its price and its cover do not matter.
    pub fn key(&self) -> RenditionKey {
        match self.speech.is_empty() && self.cover.is_none() {
            true => RenditionKey(composed("rendition", self)),
            false => Self { speech: Vec::new(), cover: None, ..self.clone() }.key(),
        }
    }

    /// The keys of all cached files of this output beside the file itself: its segments and its audio mix.
    pub fn names(&self) -> impl Iterator<Item = CacheKey> {
        let mix = self.audio.as_ref().map(|mix| mix.key().into());
        self.segments().into_iter().map(CacheKey::from).chain(mix)
    }
}

impl AudioMix {
    /// The key of the encoded audio; outputs that sound the same share it.
    pub fn key(&self) -> MixKey {
        MixKey(composed("mix", self))
    }

    /// The length that tracks and fades are planned for; a range is a part of it.
    pub fn whole(&self) -> Samples {
        self.stretch.map_or(self.samples, |stretch| stretch.of)
    }

    /// The audio segments of all tracks; a segment that is used twice occurs twice.
    pub fn pieces(&self) -> impl Iterator<Item = &SegmentKey> {
        self.tracks.iter().flat_map(|track| &track.parts).filter_map(|part| match part {
            TrackPart::Audio(key) => Some(key),
            TrackPart::Silence(_) => None,
        })
    }
}

/// Audio tracks that are mixed, each at most as long as the video.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AudioMix {
    pub samples: Samples,
    #[serde(rename = "lanes")]
    pub tracks: Vec<MixTrack>,
    /// The integrated loudness that the mix is brought to; `None` leaves it unchanged.
    #[serde(default)]
    pub loudness_lufs: Option<f64>,
    /// The fade-out at the end of the mix.
    #[serde(default, skip_serializing_if = "is_none")]
    pub fade_out: Samples,
    /// Its range in a longer mix; `None` for a whole mix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stretch: Option<MixRange>,
}

/// A part of a mix. Tracks, fades and level are those of the whole mix.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MixRange {
    /// The first audible sample of the whole.
    pub begin: Samples,
    /// Samples of the whole.
    pub of: Samples,
}

/// Audio segments one after another without a gap, with one volume and one pair of fades over the audible part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MixTrack {
    pub parts: Vec<TrackPart>,
    /// Silence before the first part.
    #[serde(default, skip_serializing_if = "is_none")]
    pub begin: Samples,
    /// The audible length of the parts, from their start.
    pub heard: Samples,
    pub volume_percent: u32,
    pub fade_in: Samples,
    pub fade_out: Samples,
    #[serde(default)]
    pub ducking: Option<DuckingRole>,
}

fn is_none(samples: &Samples) -> bool {
    samples.0 == 0
}

/// The role of a track in a mix with ducking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DuckingRole {
    /// Lowers the music while it is audible.
    Speech,
    /// Is lowered under speech.
    Music,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrackPart {
    #[serde(rename = "sound")]
    Audio(SegmentKey),
    Silence(Samples),
}

/// A file that a plan needs, and the required kind of file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NeededInput {
    pub url: String,
    pub kind: InputKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum InputKind {
    Media,
    Subtitle,
    /// A known file that must be scanned for its cuts.
    Cuts,
    /// A known file that must be searched for the pauses of its voice.
    Pauses,
    /// A known file whose audio must be transcribed.
    Transcript,
    Font,
}

/// A source file by its content hash, and a URL to fetch it from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRef {
    pub content: ContentHash,
    pub url: String,
    /// [`MediaInfo::condition`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Arc<Condition>>,
}

impl SourceRef {
    pub fn of(info: &MediaInfo, url: &str) -> Self {
        let MediaInfo { content, condition, .. } = info;
        Self { content: content.clone(), url: url.to_owned(), condition: condition.clone() }
    }
}

/// The maximum number of listed pairs: all pairs if there are no more, otherwise those that share most.
pub const LISTED_PAIRS: usize = 20;

/// The footage that pairs of outputs share: all pairs in the order of their items, or the worst [`LISTED_PAIRS`], and
/// the pair that shares most. Visual similarity is known only once the outputs are rendered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diversity {
    pub pairs: Vec<Pair>,
    /// The number of pairs; `None` in older rows, which listed all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_pairs: Option<u64>,
    pub most_similar: Pair,
    /// The visually most similar pair.
    #[serde(default)]
    pub most_alike: Option<Pair>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pair {
    /// Two `itemNo`s, the lower one first.
    pub items: [u32; 2],
    pub shared_seconds: f64,
    /// From 0 to 1; `None` if it is not known.
    #[serde(default)]
    pub similarity: Option<f64>,
}
