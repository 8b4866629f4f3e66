//! Effects of a mix: when each is shown in the output, and the segments that it changes.
//!
//! The frames of an effect depend on its time in the output. Segments that no effect touches do not depend on it.

use crate::effects::{Effect, Stage};
use crate::plan::video::clip::{finish, numbered};
use crate::request::model::MixOptions;
use crate::segment::VideoSpec;
use crate::time::Frames;

/// An effect, and where in the output it is applied.
pub(crate) type PlacedEffect = (&'static Effect, Stage);

/// The effects of an output of `total` frames, in order.
pub(crate) fn placed_effects(options: &MixOptions, total: Frames) -> Vec<PlacedEffect> {
    let output = (options.size, options.fps, total);
    let placed = options.effects.iter().filter_map(|effect| {
        let stage = Stage::new(output, effect.strength_percent, effect.duration_s, effect.position_percent);
        Some((Effect::find(&effect.name)?, stage))
    });
    placed.collect()
}

/// The effects during one segment.
#[derive(Default)]
pub(crate) struct EffectView {
    effects: Vec<PlacedEffect>,
    /// The frame of the output at which the segment begins.
    start: Frames,
}

impl EffectView {
    /// The effects that change any of `frames` frames from `start` on.
    pub fn of(effects: &[PlacedEffect], start: Frames, frames: Frames) -> Self {
        let is_seen = |stage: &Stage| stage.begin < start + frames && start < stage.begin + stage.frames;
        Self { effects: effects.iter().filter(|(_, stage)| is_seen(stage)).copied().collect(), start }
    }

    pub fn is_empty(&self) -> bool {
        self.effects.is_empty()
    }

    /// The segment with the effects. Its graph begins at the segment's frame `first`.
    pub fn applied(&self, spec: VideoSpec, first: Frames) -> VideoSpec {
        if self.effects.is_empty() {
            return spec;
        }
        let graph_begin = self.start + first;
        // Effects count in times of the output.
        let timed = (*spec.graph).clone().then(numbered(graph_begin, spec.fps));
        let graph = self
            .effects
            .iter()
            .fold(timed, |graph, (effect, stage)| effect.apply(graph, &Stage { graph_begin, ..*stage }));
        VideoSpec { graph: graph.then(finish()).then(numbered(first, spec.fps)).into(), ..spec }
    }
}
