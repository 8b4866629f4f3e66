//! Thumbnails of the catalogues: one entry, applied to a short piece of a video.

use crate::effects::{Effect, Stage};
use crate::filter_graph::{Filter, Graph};
use crate::looks::Look;
use crate::media::{Size, VideoInfo};
use crate::plan::video::clip::{Timing, finish, numbered, whole};
use crate::plan::video::excerpt::Excerpt;
use crate::plan::video::rgb::rgb_filters;
use crate::time::{Fps, Frames};
use crate::transitions::{Overlap, Transition};

/// Longest thumbnail, in seconds.
const LENGTH_S: f64 = 2.8;
/// Long side of a thumbnail, in pixels.
const LONG_SIDE: u32 = 640;

/// The catalogue entry to show.
#[derive(Clone, Copy)]
pub enum ThumbnailSubject {
    /// An effect at a strength in percent.
    Effect(&'static Effect, f64),
    Look(&'static Look),
    Transition(&'static Transition),
}

/// The plan of a thumbnail from a video.
#[derive(Debug, Clone, PartialEq)]
pub struct Thumbnail {
    pub graph: Graph,
    pub fps: Fps,
    pub frames: Frames,
    pub size: Size,
    /// The frame that shows the entry best.
    pub best_frame: Frames,
}

/// The longest that each of a transition's two clips may be, in frames; the transition takes two thirds of that.
const LED: u64 = 36;

/// An effect begins after a fifth of the thumbnail and ends a fifth before its end; a look is applied throughout. A
/// transition leads from the file's beginning to its middle, mirrored.
pub fn catalogue_thumbnail(video: &VideoInfo, shown: ThumbnailSubject) -> Thumbnail {
    let fps = Fps::DEFAULT;
    let natural = Excerpt::default().frames(video, 1.0, fps);
    let length = natural.min(Frames::nearest(LENGTH_S, fps));
    let led = Frames((natural.0 / 2).clamp(3, LED));
    let (wanted, frames) = match shown {
        ThumbnailSubject::Transition(_) => (natural, Frames(2 * led.0 - led.0 * 2 / 3)),
        ThumbnailSubject::Effect(..) | ThumbnailSubject::Look(_) => (length, length),
    };
    let size = small(video.display());
    let timing = Timing::plain(fps, natural, wanted);
    let seconds = frames.seconds(fps);
    let change = |graph: Graph| match shown {
        ThumbnailSubject::Look(look) => graph.then(rgb_filters(None, Some(look.name))),
        ThumbnailSubject::Transition(transition) => {
            transition_graph(graph, transition, led, Frames(natural.0 / 2), (size, fps))
        }
        ThumbnailSubject::Effect(effect, strength) => {
            effect.apply(graph, &Stage::new((size, fps, frames), strength, 0.6 * seconds, 20.0))
        }
    };
    let graph = change(whole(video, &timing, size)).then(finish());
    Thumbnail { graph, fps, frames, size, best_frame: Frames(frames.0 * 54 / 100) }
}

/// Leads by a transition from the first `length` frames to as many from `second` on.
fn transition_graph(
    graph: Graph,
    transition: &Transition,
    length: Frames,
    second: Frames,
    (size, fps): (Size, Fps),
) -> Graph {
    let frames = Frames(length.0 * 2 / 3);
    let overlap = Overlap { size, fps, frames, before: Frames(length.0 - frames.0) };
    let part = |from: u64| {
        let cut = Filter::new("trim").arg("start_frame", from).arg("end_frame", from + length.0);
        Graph::copy_of("all").then([cut]).then(numbered(Frames(0), fps))
    };
    let behind = part(second.0).then([Filter::new("hflip")]);
    graph.named("all", transition.apply(part(0), behind, &overlap))
}

fn small(size: Size) -> Size {
    let scale = (f64::from(LONG_SIDE) / f64::from(size.long_side())).min(1.0);
    let side = |n: u32| ((f64::from(n) * scale / 2.0).round() as u32 * 2).max(2);
    Size::new(side(size.width), side(size.height))
}
