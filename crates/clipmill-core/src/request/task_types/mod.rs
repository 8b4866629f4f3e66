//! The task types: one file for each has its fields, reads and writes them, and lists its files.

mod base_mix;
mod dedup;
mod pro_mix;

use serde_json::Value;

use super::inputs::Inputs;
use super::model::{Clip, Cover, MixOptions, Params, Scene, TaskType};
use super::reader::Fields;
use super::schema::field::Field;
use crate::time::Fps;

/// A task type.
pub(super) struct TaskDeclaration {
    /// A description in Markdown, for the table of task types in the README.
    pub about: &'static str,
    /// The end of a sentence that begins with the name of the task type.
    pub summary: &'static str,
    /// Its fields, apart from those of all requests.
    pub rows: &'static [Field],
    /// Fields that several task types have.
    pub shared_rows: &'static [&'static [Field]],
    /// Reads `params`.
    pub read: fn(&mut Fields) -> Option<Params>,
    /// A request for the API description.
    pub example: fn() -> Value,
}

/// The parameters of a task.
pub(super) trait TaskParams {
    fn seed(&self) -> Option<u64>;
    fn fps(&self) -> Fps;
    fn total_items(&self) -> usize;

    fn mix_options(&self) -> Option<&MixOptions> {
        None
    }

    fn mix_options_mut(&mut self) -> Option<&mut MixOptions> {
        None
    }

    fn scenes(&self) -> &[Scene] {
        &[]
    }

    /// All clips, including those beside others.
    fn clips(&self) -> Vec<&Clip>;
    /// The clips that can have a declared length: none that is beside another one.
    fn clips_mut(&mut self) -> Vec<&mut Clip>;

    /// Adds its files in the order of the request, apart from those of the options of mixes.
    fn list_inputs<'a>(&'a self, inputs: &mut Inputs<'a>);

    /// Writes `params` as a client would send them.
    fn write(&self) -> Value;
}

impl TaskType {
    pub(super) fn declaration(self) -> &'static TaskDeclaration {
        match self {
            Self::VideoDeduplication => &dedup::DECLARATION,
            Self::BaseVideoMix => &base_mix::DECLARATION,
            Self::ProVideoMix => &pro_mix::DECLARATION,
        }
    }

    /// A description in Markdown, whose links are relative to the README.
    pub fn about(self) -> &'static str {
        self.declaration().about
    }

    /// The end of a sentence that begins with the name of the task type.
    pub fn summary(self) -> &'static str {
        self.declaration().summary
    }

    /// A request of this type.
    pub fn example(self) -> Value {
        (self.declaration().example)()
    }
}

impl Params {
    pub(super) fn as_dyn(&self) -> &dyn TaskParams {
        match self {
            Self::VideoDeduplication(params) => params,
            Self::BaseVideoMix(params) => params,
            Self::ProVideoMix(params) => params,
        }
    }

    fn as_dyn_mut(&mut self) -> &mut dyn TaskParams {
        match self {
            Self::VideoDeduplication(params) => params,
            Self::BaseVideoMix(params) => params,
            Self::ProVideoMix(params) => params,
        }
    }

    /// The seed set by the client (0 to 2^53−1), if any.
    pub fn seed(&self) -> Option<u64> {
        self.as_dyn().seed()
    }

    /// Rate of the outputs.
    pub fn fps(&self) -> Fps {
        self.as_dyn().fps()
    }

    /// Number of output videos.
    pub fn total_items(&self) -> usize {
        self.as_dyn().total_items()
    }

    /// The cover that the client sets.
    pub(crate) fn cover(&self) -> Option<&Cover> {
        match self {
            Self::VideoDeduplication(params) => params.options.cover.as_ref(),
            Self::BaseVideoMix(_) | Self::ProVideoMix(_) => self.mix_options()?.cover.as_ref(),
        }
    }

    /// The options of a mix, if it is one.
    pub fn mix_options(&self) -> Option<&MixOptions> {
        self.as_dyn().mix_options()
    }

    pub fn mix_options_mut(&mut self) -> Option<&mut MixOptions> {
        self.as_dyn_mut().mix_options_mut()
    }

    /// The scenes, if it has any.
    pub(crate) fn scenes(&self) -> &[Scene] {
        self.as_dyn().scenes()
    }

    pub(crate) fn clips_mut(&mut self) -> Vec<&mut Clip> {
        self.as_dyn_mut().clips_mut()
    }
}
