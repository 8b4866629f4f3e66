//! One entry of a catalogue, shown on a short piece of a video.

use crate::effects::{Effect, Stage};
use crate::filter_graph::Graph;
use crate::looks::Look;
use crate::media::{Size, VideoInfo};
use crate::plan::vary::dedup::rgb_filters;
use crate::plan::video::picture::{Timing, dedup_graph, natural_frames};
use crate::time::{Fps, Frames};

/// Longest preview, in seconds.
const LENGTH_S: f64 = 2.8;
/// Long side of a preview, in pixels.
const LONG_SIDE: u32 = 640;

/// What is shown.
#[derive(Clone, Copy)]
pub enum Shown {
    /// An effect at a strength in percent.
    Effect(&'static Effect, f64),
    Look(&'static Look),
}

/// Pictures to be made of a video.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    pub graph: Graph,
    pub fps: Fps,
    pub frames: Frames,
    pub size: Size,
    /// The frame that shows it best.
    pub still: Frames,
}

/// An effect comes after a fifth of the preview and goes a fifth before its end; a look stays.
pub fn preview(video: &VideoInfo, shown: Shown) -> Preview {
    let fps = Fps::DEFAULT;
    let natural = natural_frames(video, 1.0, fps);
    let frames = natural.min(Frames::nearest(LENGTH_S, fps));
    let size = small(video.display());
    let timing = Timing::plain(fps, natural, frames);
    let seconds = frames.seconds(fps);
    let change = |graph: Graph| match shown {
        Shown::Look(look) => graph.then(rgb_filters(None, Some(look.name))),
        Shown::Effect(effect, strength) => {
            effect.apply(graph, &Stage::new((size, fps, frames), strength, 0.6 * seconds, 20.0))
        }
    };
    let graph =
        match dedup_graph(video, &timing, size, |graph| Ok::<_, std::convert::Infallible>(change(graph))) {
            Ok(graph) => graph,
            Err(never) => match never {},
        };
    Preview { graph, fps, frames, size, still: Frames(frames.0 * 54 / 100) }
}

fn small(size: Size) -> Size {
    let scale = (f64::from(LONG_SIDE) / f64::from(size.long_side())).min(1.0);
    let side = |n: u32| ((f64::from(n) * scale / 2.0).round() as u32 * 2).max(2);
    Size::new(side(size.width), side(size.height))
}
