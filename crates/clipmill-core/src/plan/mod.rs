//! From a request and the facts about its files to a plan.
//!
//! Planning is a pure function; rendering obeys the plan and decides nothing.

mod again;
mod base_mix;
mod build;
mod choices;
mod copy;
mod dedup;
mod diversity;
mod estimate;
mod extra;
mod inputs;
mod layers;
mod mix;
mod parts;
mod picture;
mod pip;
mod preview;
mod pro_mix;
mod quote;
mod region;
mod sound;
mod source_color;
mod still;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

pub use again::{Again, again};
pub use diversity::{Diversity, Pair};
pub use estimate::{Estimate, assumed_plan, distinct_combinations};
pub use extra::ExtraInputs;
pub use inputs::{bad_inputs, needed_inputs};
pub use preview::{Preview, Shown, preview};
pub use quote::{ItemQuote, quote};
pub use still::{Moment, Still, StillError, StillSpec, still, still_inputs, thumbnail};

use build::Builder;

use crate::encoding::Encoding;
use crate::error::{ErrorCode, TaskError};
use crate::media::{ContentHash, Facts, Size};
use crate::pricing::Tier;
use crate::request::model::{Clip, Params, TaskRequest};
use crate::seed::item_seed;
use crate::segment::{SegmentHash, SegmentSpec, Toolchain, composed};
use crate::subtitle::FontMetrics;
use crate::time::{Fps, Frames, Samples};

/// What planning depends on beside the request and the facts about its files.
pub struct Context<'a> {
    pub toolchain: &'a Toolchain,
    /// The font for subtitles, or what is wrong with the installed ones.
    pub font: Result<&'a dyn FontMetrics, String>,
    pub encoding: Encoding,
    /// Longest output.
    pub max_item_seconds: u64,
    /// Most bytes that all files of one task may have together.
    pub max_input_bytes: u64,
    /// Pictures much longer than this are made in parts of this length; 0 makes each in one piece.
    pub part_seconds: u64,
}

/// Plans a task. Items whose files cannot be used carry the error; the others are planned without them.
/// Every file that [`needed_inputs`] names must be in `facts`.
pub fn plan(request: &TaskRequest, seed: u64, facts: &Facts, context: &Context) -> Plan {
    if let Some(error) = inputs_too_large(facts, context.max_input_bytes) {
        return refused(request, seed, &error);
    }
    let mut builder = Builder::new(facts, context);
    builder.many = has_many_pictures(&request.params);
    let items = match &request.params {
        Params::VideoDeduplication(params) => dedup::plan(params, seed, &mut builder),
        Params::BaseVideoMix(params) => base_mix::plan(params, seed, &mut builder),
        Params::ProVideoMix(params) => pro_mix::plan(params, seed, &mut builder),
    };
    let plan = builder.finish(items);
    match request.params {
        Params::ProVideoMix(_) => {
            Plan { diversity: diversity::diversity(&plan.items, &plan.segments, facts), ..plan }
        }
        _ => plan,
    }
}

/// Fewer pictures than this are encoded by as many threads as the installation says.
const MANY_PICTURES: usize = 3;

/// By what the request alone says, so that two tasks that use the same clips agree in nearly all cases.
fn has_many_pictures(params: &Params) -> bool {
    match params {
        Params::VideoDeduplication(params) => params.videos.len() >= MANY_PICTURES,
        Params::BaseVideoMix(params) => are_many(params.groups.iter().flat_map(|group| &group.videos)),
        Params::ProVideoMix(params) => are_many(params.scenes.iter().flat_map(|scene| &scene.resources)),
    }
}

fn are_many<'a>(mut clips: impl Iterator<Item = &'a Clip>) -> bool {
    let mut urls = BTreeSet::new();
    clips.any(|clip| urls.insert(&clip.url) && urls.len() >= MANY_PICTURES)
}

/// A file that stands at several places, or at several addresses, counts once.
fn inputs_too_large(facts: &Facts, limit: u64) -> Option<TaskError> {
    let files = || facts.media.values().filter_map(|info| info.as_ref().ok());
    if files().fold(0, |sum: u64, info| sum.saturating_add(info.size_bytes)) <= limit {
        return None;
    }
    let sizes: BTreeMap<&ContentHash, u64> = files().map(|info| (&info.content, info.size_bytes)).collect();
    let total = sizes.into_values().fold(0, u64::saturating_add);
    let message = || {
        format!(
            "the task's files have {total} bytes together; at most {limit} are taken: use fewer or smaller ones"
        )
    };
    (total > limit).then(|| TaskError::new(ErrorCode::MediaTooLarge, message()))
}

/// A plan whose items all fail for one reason.
fn refused(request: &TaskRequest, seed: u64, error: &TaskError) -> Plan {
    let item = |item_no| PlannedItem {
        item_no,
        seed: item_seed(seed, item_no),
        recipe: serde_json::Value::Object(serde_json::Map::new()),
        outcome: Err(error.clone()),
        warnings: vec![],
    };
    let items = (1..=request.params.total_items() as u32).map(item).collect();
    Plan { segments: vec![], items, diversity: None, warnings: vec![] }
}

/// Everything to be made for one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Distinct segments, in the order in which items need them.
    pub segments: Vec<PlannedSegment>,
    pub items: Vec<PlannedItem>,
    /// How alike the outputs are (proVideoMix).
    pub diversity: Option<Diversity>,
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedSegment {
    pub hash: SegmentHash,
    pub spec: SegmentSpec,
    /// Where its files come from, should they have to be fetched again; in the order of [`SegmentSpec::sources`].
    pub sources: Vec<SourceRef>,
}

/// A remark for the client; `path` is a JSON Pointer into the request where one place is meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    pub path: String,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedItem {
    /// From 1.
    pub item_no: u32,
    pub seed: u64,
    /// Every value that chance chose, for the client (`items[].recipe`).
    pub recipe: serde_json::Value,
    pub outcome: Result<Rendition, TaskError>,
    pub warnings: Vec<Warning>,
}

/// One output file: segments joined, sound mixed, multiplexed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rendition {
    pub fps: Fps,
    pub size: Size,
    pub frames: Frames,
    pub tier: Tier,
    /// Picture segments in order; one may stand several times.
    pub pictures: Vec<SegmentHash>,
    pub sound: Option<SoundMix>,
}

impl Rendition {
    /// Distinct segments, pictures first, each in the order of its first use.
    pub fn segments(&self) -> Vec<SegmentHash> {
        let sounds = self.sound.iter().flat_map(SoundMix::pieces);
        let mut seen = std::collections::HashSet::new();
        self.pictures.iter().chain(sounds).filter(|hash| seen.insert(*hash)).cloned().collect()
    }

    /// The name of the finished file: everything that determines its bytes is in the names of its pieces, in
    /// their order and in the mix.
    pub fn hash(&self) -> SegmentHash {
        composed("rendition", self)
    }

    /// Everything that a cache keeps for this output but the file itself: its segments and its mixed sound.
    pub fn names(&self) -> impl Iterator<Item = SegmentHash> {
        self.segments().into_iter().chain(self.sound.as_ref().map(SoundMix::hash))
    }
}

impl SoundMix {
    /// The name of the encoded sound; outputs that sound the same share it.
    pub fn hash(&self) -> SegmentHash {
        composed("mix", self)
    }

    /// The sounds in all its lanes; one that stands twice comes twice.
    pub fn pieces(&self) -> impl Iterator<Item = &SegmentHash> {
        self.lanes.iter().flat_map(|lane| &lane.parts).filter_map(|part| match part {
            LanePart::Sound(hash) => Some(hash),
            LanePart::Silence(_) => None,
        })
    }
}

/// Lanes that sound together, each exactly as long as the picture or shorter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SoundMix {
    pub samples: Samples,
    pub lanes: Vec<Lane>,
    /// Integrated loudness that the sum is brought to; `None` leaves it as it is.
    #[serde(default)]
    pub loudness_lufs: Option<f64>,
}

/// Sound pieces one after another without a gap, then one volume and one pair of fades over what is heard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lane {
    pub parts: Vec<LanePart>,
    /// What is heard of the parts, from their start.
    pub heard: Samples,
    pub volume_percent: u32,
    pub fade_in: Samples,
    pub fade_out: Samples,
    #[serde(default)]
    pub ducking: Option<DuckingRole>,
}

/// What a lane does in a mix whose music is lowered under speech.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DuckingRole {
    /// Lowers the music while it sounds.
    Speech,
    /// Is lowered.
    Music,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LanePart {
    Sound(SegmentHash),
    Silence(Samples),
}

/// A file that a plan needs and what kind of file it must be.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NeededInput {
    pub url: String,
    pub kind: InputKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum InputKind {
    Media,
    Subtitle,
}

/// A source file by its content, and a url it can be had from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRef {
    pub content: ContentHash,
    pub url: String,
}
