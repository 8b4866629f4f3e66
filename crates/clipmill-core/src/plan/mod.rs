//! From a request and the facts about its files to a plan.
//!
//! Planning is a pure function; rendering follows the plan and makes no decisions. The types are in `model`, the lowest
//! module; `task_types` plans the task types with `mix` and `vary`, `video` the video of one clip, `preview` single frames.

mod assumptions;
mod build;
mod cover;
mod diversity;
mod division;
mod editorial;
pub(crate) mod estimate;
mod fallback;
mod inputs;
mod mix;
mod model;
mod parts;
mod preview;
mod price_estimate;
pub mod schedule;
mod speech;
mod task_types;
mod timeline;
mod vary;
mod video;

use std::collections::BTreeMap;

pub use diversity::{most_alike, pairs};
pub use division::DivisionSettings;
pub use editorial::{as_planned, editorial_inputs, editorial_timeline};
pub use estimate::{Estimate, assumed_plan, distinct_combinations};
pub use fallback::{FallbackRendition, by_fallback};
pub use inputs::{bad_inputs, needed_inputs};
pub use mix::audio::no_audio;
pub use mix::moving_overlay::faded_still;
pub use model::{
    AudioMix, Context, CoverPlan, CoverSource, Diversity, DuckingRole, InputKind, LISTED_PAIRS, MixRange,
    MixTrack, NeededInput, Pair, Plan, PlannedItem, PlannedSegment, Rendition, SourceRef, TrackPart,
};
pub use preview::clip::{PlannedClip, clip, clip_inputs};
pub use preview::frame::{frame, frame_inputs, thumbnail};
pub use preview::thumbnail::{Thumbnail, ThumbnailSubject, catalogue_thumbnail};
pub use preview::{FrameError, FrameSpec, PlannedFrame};
pub use price_estimate::{ItemPrice, estimate_prices};
pub use video::clip::overlay_png_filters;

pub use crate::request::Moment;
pub use crate::warning::Warning;
use build::Builder;
use division::{Division, Splits, division};
use task_types::planner;

use crate::error::{ErrorCode, TaskError};
use crate::footage::Footage;
use crate::media::{ContentHash, Facts};
use crate::message;
use crate::request::model::TaskRequest;
use crate::seed::item_seed;

/// Plans a task. Items whose files cannot be used carry the error; the others are planned without them. All files that
/// [`needed_inputs`] lists must be in `facts`. Into how many parts video is divided, and how many threads encode each, is
/// decided by the request, its files and [`DivisionSettings::width`].
pub fn plan(request: &TaskRequest, seed: u64, facts: &Facts, context: &Context) -> Plan {
    if let Some(error) = inputs_too_large(facts, context.max_input_bytes) {
        return refused(request, seed, &error);
    }
    let whole = Division { part_seconds: 0, threads: context.encoding.threads.max(1) };
    let (plan, splits) = planned(request, seed, facts, context, whole);
    match division(&plan, &splits, context.division, context.encoding) {
        division if division == whole => plan,
        division => planned(request, seed, facts, context, division).0,
    }
}

/// The plan, and what splitting its video costs.
fn planned(
    request: &TaskRequest,
    seed: u64,
    facts: &Facts,
    context: &Context,
    division: Division,
) -> (Plan, Splits) {
    let mut builder = Builder::new(facts, context, division);
    let mut items = planner(&request.params).plan(seed, &mut builder);
    cover::add_covers(request, &mut items, &builder);
    let (mut plan, splits) = builder.finish(items);
    let is_made = |index: usize| plan.items.get(index).is_some_and(|item| item.outcome.is_ok());
    let uses = speech::speech_uses(request, seed, facts, is_made);
    for (item, uses) in plan.items.iter_mut().zip(uses) {
        if let Ok(rendition) = &mut item.outcome {
            rendition.speech = uses;
        }
    }
    (Plan { diversity: diversity::diversity(&plan.items), ..plan }, splits)
}

/// Fails when the files of a task are too large in total. A file with several places or URLs counts once.
fn inputs_too_large(facts: &Facts, limit: u64) -> Option<TaskError> {
    let files = || facts.media.values().filter_map(|info| info.as_ref().ok());
    if files().fold(0, |sum: u64, info| sum.saturating_add(info.size_bytes)) <= limit {
        return None;
    }
    let sizes: BTreeMap<&ContentHash, u64> = files().map(|info| (&info.content, info.size_bytes)).collect();
    let total = sizes.into_values().fold(0, u64::saturating_add);
    let message = || message::files_too_large(total, limit);
    (total > limit).then(|| TaskError::new(ErrorCode::MediaTooLarge, message()))
}

/// A plan in which all items fail with the same error.
fn refused(request: &TaskRequest, seed: u64, error: &TaskError) -> Plan {
    let item = |item_no| PlannedItem {
        item_no,
        seed: item_seed(seed, item_no),
        recipe: serde_json::Value::Object(serde_json::Map::new()),
        footage: Footage::default(),
        outcome: Err(error.clone()),
        warnings: vec![],
    };
    let items = (1..=request.params.total_items() as u32).map(item).collect();
    Plan { segments: vec![], items, diversity: None, warnings: vec![] }
}
