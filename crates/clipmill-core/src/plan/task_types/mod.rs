//! The task types: one file for each plans its outputs, their files, prices and previews.

mod base_mix;
mod dedup;
mod pro_mix;

use crate::editorial::EditorialTimeline;
use crate::media::Facts;
use crate::plan::build::Builder;
use crate::plan::mix::choices::Choice;
use crate::plan::mix::pools::DrawnOptions;
use crate::plan::model::PlannedItem;
use crate::plan::preview::{ClipRange, FrameError, PlannedFrame, RegisteredClip};
use crate::pricing::Tier;
use crate::request::Moment;
use crate::request::model::Params;

/// Plans the tasks of one type.
pub(crate) trait Planner {
    fn plan<'a>(&'a self, seed: u64, builder: &mut Builder<'a>) -> Vec<PlannedItem>;

    /// The files that the video of the outputs is made of, as far as they are known, apart from those of the options of
    /// mixes.
    fn used_files(&self, seed: u64, facts: &Facts) -> Vec<&str>;

    /// The tier of each output and its length in seconds, from the known files and the declared lengths.
    fn lengths(&self, seed: u64, facts: &Facts) -> Vec<(Tier, f64)>;

    fn frame<'a>(
        &'a self,
        seed: u64,
        moment: &Moment,
        builder: &mut Builder<'a>,
    ) -> Result<PlannedFrame, FrameError>;

    /// The files that a frame depends on, apart from those of the options of mixes.
    fn frame_files(&self, seed: u64, choice: Option<&Choice>, facts: &Facts, moment: &Moment) -> Vec<&str>;

    /// Registers the segments of a short clip of an output.
    fn clip<'a>(
        &'a self,
        seed: u64,
        range: ClipRange,
        builder: &mut Builder<'a>,
    ) -> Result<RegisteredClip, FrameError>;

    /// The timeline of an output for editing programs. The output exists.
    fn editorial<'a>(
        &'a self,
        seed: u64,
        item_no: u32,
        builder: &mut Builder<'a>,
    ) -> Result<EditorialTimeline, FrameError>;

    /// The choices of all outputs, if the task type has scenes.
    fn choices(&self, _seed: u64, _facts: &Facts) -> Vec<Option<Choice>> {
        Vec::new()
    }

    /// Whether an output may show a clip in place of another one.
    fn is_filled(&self) -> bool {
        false
    }

    /// The clips whose audio may be transcribed for one output.
    fn transcribed_clips(
        &self,
        _index: usize,
        _choice: Option<&Choice>,
        _drawn: &DrawnOptions,
        _facts: &Facts,
    ) -> Vec<&str> {
        Vec::new()
    }

    /// The files that must be searched for cuts.
    fn unscanned_files(&self, _facts: &Facts) -> Vec<&str> {
        Vec::new()
    }

    /// The files that must be searched for pauses for one output, apart from its voice-over.
    fn unsearched_files(&self, _choice: &Choice, _drawn: &DrawnOptions, _facts: &Facts) -> Vec<&str> {
        Vec::new()
    }

    /// The number of different outputs that are possible, if the task type chooses among clips.
    fn distinct_combinations(&self, _facts: &Facts) -> Option<u64> {
        None
    }

    /// The same task with clips that start at their beginnings, if starts are drawn but too little is known to draw them.
    fn without_drawn_starts(&self, _facts: &Facts) -> Option<Params> {
        None
    }
}

pub(crate) fn planner(params: &Params) -> &dyn Planner {
    match params {
        Params::VideoDeduplication(params) => params,
        Params::BaseVideoMix(params) => params,
        Params::ProVideoMix(params) => params,
    }
}
