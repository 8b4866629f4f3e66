//! Overlay images that enter and leave, as filters. While an image moves it is a stream of frames of its own; between, it
//! is made exactly as an image that does not move.

use std::ops::Range;

use crate::filter_graph::{Filter, Graph, during};
use crate::media::{Size, VideoInfo};
use crate::overlay_motion::{MotionPhase, POP_LARGEST};
use crate::plan::video::clip::{overlay_filters, premultiplied_overlay, straight_alpha};
use crate::plan::video::region::even_near;
use crate::time::{Fps, Frames};

/// Frames of a segment during which an overlay enters, rests or leaves.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stage {
    pub seen: Range<Frames>,
    /// `None` at rest.
    pub phase: Option<MotionPhase>,
}

/// Divides the frames that show an overlay by its phases, which follow each other.
pub(crate) fn stages(seen: &Range<Frames>, phases: &[MotionPhase]) -> Vec<Stage> {
    let mut stages = Vec::new();
    let mut at = seen.start;
    let mut push = |from: Frames, to: Frames, phase| {
        if from < to {
            stages.push(Stage { seen: from..to, phase });
        }
    };
    for phase in phases {
        let end = phase.end().min(seen.end);
        push(at, phase.begin, None);
        push(phase.begin.max(at), end, Some(*phase));
        at = end.max(at);
    }
    push(at, seen.end, None);
    stages
}

/// An overlay image on a canvas.
pub(crate) struct MovingImage<'a> {
    pub video: &'a VideoInfo,
    /// The upper left corner at rest.
    pub at: (u32, u32),
    pub size: Size,
    pub opacity: f64,
    pub fps: Fps,
    pub canvas: Size,
}

impl MovingImage<'_> {
    /// The image by itself, as one frame made from those of its file.
    pub fn at_rest(&self, file: Graph) -> Graph {
        let faded = (self.opacity < 1.0).then(|| [with_alpha_plane(), self.translucent()]);
        file.then(first_frame())
            .then(overlay_filters(self.video, self.size))
            .then(faded.into_iter().flatten())
    }

    /// The filter that places the image at rest, on these frames or on all.
    pub fn place(&self, seen: Option<&Range<Frames>>) -> Filter {
        self.placed((self.at.0.to_string(), self.at.1.to_string()), seen)
    }

    /// The graph with the image over it during a stage.
    pub fn staged(&self, graph: Graph, file: Graph, stage: &Stage) -> Graph {
        let Some(phase) = stage.phase else {
            return graph.join(self.at_rest(file), self.place(Some(&stage.seen)));
        };
        let (mut x, mut y) = (f64::from(self.at.0), f64::from(self.at.1));
        let image = match (phase.opacity_expression("N"), phase.scale_expression("(on-1)")) {
            (Some(_), Some(_)) => {
                let room = self.room();
                x -= f64::from(room.width - self.size.width) / 2.0;
                y -= f64::from(room.height - self.size.height) / 2.0;
                self.popping(file, room, stage, phase)
            }
            (Some(_), None) => {
                let image = self.at_rest(file).then((self.opacity >= 1.0).then(with_alpha_plane));
                image.then(repeated(&stage.seen)).then(self.fading(&stage.seen, &[phase]))
            }
            _ => return graph.join(self.sliding_image(file, stage, phase), self.beside(stage, phase)),
        };
        graph.join(image, self.placed((x.to_string(), y.to_string()), Some(&stage.seen)))
    }

    /// The graph with a video over it that enters and leaves; `frames` are those of the video during `seen`, at their
    /// times, or the only one. At rest its frames are those of a video that does not move.
    pub fn streamed(
        &self,
        graph: Graph,
        frames: Graph,
        seen: &Range<Frames>,
        is_still: bool,
        phases: &[MotionPhase],
    ) -> Graph {
        let timed = is_still.then(|| repeated(seen).into_iter().chain(self.fading(seen, &[])));
        let frames = frames.then(timed.into_iter().flatten());
        if phases.iter().all(|phase| phase.scale_expression("N").is_none() && self.distance(*phase).is_none())
        {
            return self.moving(graph, frames, seen, phases);
        }
        let body = stages(seen, phases).into_iter().fold(graph, |graph, Stage { seen: part, phase }| {
            let trim = Filter::new("trim")
                .arg("start_frame", part.start.0 - seen.start.0)
                .arg("end_frame", part.end.0 - seen.start.0);
            let frames = Graph::copy_of("layer").then([trim]);
            match phase.filter(|phase| self.distance(*phase).is_some()) {
                Some(phase) => {
                    let stage = Stage { seen: part, phase: Some(phase) };
                    let frames = frames.then([
                        Filter::new("format").arg("pix_fmts", "yuva444p"),
                        self.padded(self.margin()),
                    ]);
                    let shifted = [self.shifted(&stage, phase), with_alpha_plane()];
                    graph.join(frames.then(shifted), self.beside(&stage, phase))
                }
                None => self.moving(graph, frames, &part, phase.as_slice()),
            }
        });
        frames.named("layer", body)
    }

    /// The graph with the frames of a video over it, which move during all or some of them.
    fn moving(&self, graph: Graph, frames: Graph, seen: &Range<Frames>, phases: &[MotionPhase]) -> Graph {
        let clock = format!("(on-1+{})", seen.start.0);
        let scale = phases.iter().find_map(|phase| phase.scale_expression(&clock));
        let fades = phases.iter().any(|phase| phase.opacity_expression("N").is_some());
        let (mut x, mut y) = (f64::from(self.at.0), f64::from(self.at.1));
        let frames = match scale {
            Some(scale) => {
                let room = self.room();
                x -= f64::from(room.width - self.size.width) / 2.0;
                y -= f64::from(room.height - self.size.height) / 2.0;
                let premultiplied = [
                    Filter::new("format").arg("pix_fmts", "yuva444p"),
                    Filter::new("premultiply").arg("inplace", 1),
                ];
                frames.then(premultiplied).then([self.padded(room), zoomed(&scale)]).then(straight_alpha())
            }
            None => frames.then(fades.then(with_alpha_plane)),
        };
        let fading = fades.then(|| self.fading(seen, phases));
        let frames = frames.then(fading.into_iter().flatten());
        graph.join(frames, self.placed((x.to_string(), y.to_string()), Some(seen)))
    }

    /// How far from its place the overlay is when it is out of view; `None` if it does not slide.
    fn distance(&self, phase: MotionPhase) -> Option<(f64, f64)> {
        let (left, top) = (f64::from(self.at.0), f64::from(self.at.1));
        let edges = [left, top, left + f64::from(self.size.width), top + f64::from(self.size.height)];
        phase.distance(edges, self.canvas)
    }

    /// The upper left corner of an overlay that slides, in whole pixels; `clock` is an expression of the frame's number.
    fn corner(&self, phase: MotionPhase, clock: &str) -> (String, String) {
        let distance = self.distance(phase).unwrap_or_default();
        let along = |rest: u32, distance: f64| match distance {
            0.0 => rest.to_string(),
            _ => format!("round({rest}+{distance}*{})", phase.remainder_expression(clock)),
        };
        (along(self.at.0, distance.0), along(self.at.1, distance.1))
    }

    /// The image during a stage in which it slides, shifted by one pixel on some frames.
    fn sliding_image(&self, file: Graph, stage: &Stage, phase: MotionPhase) -> Graph {
        file.then(first_frame())
            .then(premultiplied_overlay(self.video, self.size))
            .then([self.padded(self.margin())])
            .then(straight_alpha_444())
            .then((self.opacity < 1.0).then(|| self.translucent()))
            .then(repeated(&stage.seen))
            .then([self.shifted(stage, phase), with_alpha_plane()])
            .then(numbered(&stage.seen, self.fps))
    }

    /// The size of the frames around an overlay that slides.
    fn margin(&self) -> Size {
        Size::new(self.size.width + 4, self.size.height + 4)
    }

    /// Cuts the frames of an overlay out of their margin, with all of the overlay and one column and row more on each
    /// side. `overlay` places frames of half-size chroma at even positions; at an odd one, the frames are shifted.
    fn shifted(&self, stage: &Stage, phase: MotionPhase) -> Filter {
        let (x, y) = self.corner(phase, &format!("(n+{})", stage.seen.start.0));
        Filter::new("crop")
            .arg("w", self.size.width + 2)
            .arg("h", self.size.height + 2)
            .arg("x", format!("2-{}", odd_part(&x)))
            .arg("y", format!("2-{}", odd_part(&y)))
    }

    /// Places the frames of [`Self::shifted`].
    fn beside(&self, stage: &Stage, phase: MotionPhase) -> Filter {
        let (x, y) = self.corner(phase, &format!("round(t*{})", self.fps.get()));
        let even = |place: &str| format!("({place})-{}", odd_part(place));
        self.placed((even(&x), even(&y)), Some(&stage.seen))
    }

    fn placed(&self, (x, y): (String, String), seen: Option<&Range<Frames>>) -> Filter {
        let over = Filter::new("overlay").arg("x", x).arg("y", y).arg("eof_action", "repeat");
        match seen {
            Some(seen) => over.arg("enable", during(seen, self.fps)),
            None => over,
        }
    }

    /// The size of the frames in which the image pops up: as large as its largest size, on even distances from it.
    fn room(&self) -> Size {
        let side = |side: u32| side + 2 * even_near(f64::from(side) * (POP_LARGEST - 1.0) / 2.0 + 2.0);
        Size::new(side(self.size.width), side(self.size.height))
    }

    /// The image in frames of the size `room`, smaller or larger on each. Colours are multiplied by alpha meanwhile, so
    /// that those of transparent pixels do not bleed.
    fn popping(&self, file: Graph, room: Size, stage: &Stage, phase: MotionPhase) -> Graph {
        let clock = format!("(on-1+{})", stage.seen.start.0);
        let scale = phase.scale_expression(&clock).unwrap_or_else(|| "1".to_owned());
        file.then(first_frame())
            .then(premultiplied_overlay(self.video, self.size))
            .then([self.padded(room)])
            .then(repeated(&stage.seen))
            .then([zoomed(&scale)])
            .then(straight_alpha())
            .then((self.opacity < 1.0).then(|| self.translucent()))
            .then(self.fading(&stage.seen, &[phase]))
    }

    /// Puts the image into the middle of frames of the size `room`.
    fn padded(&self, room: Size) -> Filter {
        Filter::new("pad")
            .arg("w", room.width)
            .arg("h", room.height)
            .arg("x", (room.width - self.size.width) / 2)
            .arg("y", (room.height - self.size.height) / 2)
            .arg("color", "black@0")
    }

    fn translucent(&self) -> Filter {
        Filter::new("lutyuv").arg("a", format!("round(val*{:.6})", self.opacity))
    }

    fn fading(&self, seen: &Range<Frames>, phases: &[MotionPhase]) -> Vec<Filter> {
        fading(seen, phases, self.fps)
    }
}

/// Filters that show a single frame with alpha during `seen`, as opaque on each frame as an overlay with these phases.
pub fn faded_still(seen: &Range<Frames>, phases: &[MotionPhase], fps: Fps) -> Vec<Filter> {
    [with_alpha_plane()].into_iter().chain(repeated(seen)).chain(fading(seen, phases, fps)).collect()
}

/// Multiplies the alpha of each of these frames, and sets its time. The filter `fade` fades linearly over a second of
/// its clock, so the clock is set to the opacity.
fn fading(seen: &Range<Frames>, phases: &[MotionPhase], fps: Fps) -> Vec<Filter> {
    let (start, fps) = (seen.start.0, fps.get());
    let clock = format!("(N+{start})");
    let factors: Vec<String> = phases.iter().filter_map(|phase| phase.opacity_expression(&clock)).collect();
    let opacity = if factors.is_empty() { "1".to_owned() } else { factors.join("*") };
    vec![
        Filter::new("settb").arg("expr", "1/1000000"),
        Filter::new("setpts").arg("expr", format!("round(1000000*{opacity})")),
        Filter::new("fade").arg("type", "in").arg("start_time", 0).arg("duration", 1).arg("alpha", 1),
        Filter::new("settb").arg("expr", format!("1/{fps}")),
        Filter::new("setpts").arg("expr", format!("N+{start}")),
    ]
}

/// How far an integer is above the even one below it, as an expression.
fn odd_part(integer: &str) -> String {
    format!("mod(abs({integer}),2)")
}

/// Shows frames smaller or larger, around their middle.
fn zoomed(scale: &str) -> Filter {
    let edge = |side: &str, sign: char| format!("{side}/2{sign}{side}/2/({scale})");
    let (left, right) = (edge("W", '-'), edge("W", '+'));
    let (top, bottom) = (edge("H", '-'), edge("H", '+'));
    Filter::new("perspective")
        .arg("x0", &left)
        .arg("y0", &top)
        .arg("x1", &right)
        .arg("y1", &top)
        .arg("x2", &left)
        .arg("y2", &bottom)
        .arg("x3", &right)
        .arg("y3", &bottom)
        .arg("interpolation", "linear")
        .arg("eval", "frame")
}

fn first_frame() -> [Filter; 2] {
    [Filter::new("trim").arg("end_frame", 1), Filter::new("setpts").arg("expr", 0)]
}

/// Divides colours by alpha again, and keeps all planes of one size.
fn straight_alpha_444() -> [Filter; 2] {
    [Filter::new("unpremultiply").arg("inplace", 1), Filter::new("format").arg("pix_fmts", "yuva444p")]
}

/// Sets the times of consecutive frames.
fn numbered(seen: &Range<Frames>, fps: Fps) -> [Filter; 2] {
    [
        Filter::new("settb").arg("expr", format!("1/{}", fps.get())),
        Filter::new("setpts").arg("expr", format!("N+{}", seen.start.0)),
    ]
}

fn with_alpha_plane() -> Filter {
    Filter::new("format").arg("pix_fmts", "yuva420p")
}

/// Repeats a single frame for each of these.
fn repeated(seen: &Range<Frames>) -> [Filter; 1] {
    [Filter::new("loop").arg("loop", seen.end.0.saturating_sub(seen.start.0 + 1)).arg("size", 1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overlay_motion::OverlayMotion;

    #[test]
    fn stages_follow_each_other() {
        let phase = |leaves, begin, frames| MotionPhase {
            motion: OverlayMotion::Fade,
            leaves,
            begin: Frames(begin),
            age: 0,
            frames,
        };
        let (enter, leave) = (phase(false, 10, 5), phase(true, 20, 5));
        let of =
            |seen: Range<u64>, phases: &[MotionPhase]| {
                let stages = stages(&(Frames(seen.start)..Frames(seen.end)), phases);
                Vec::from_iter(stages.into_iter().map(|stage| {
                    (stage.seen.start.0, stage.seen.end.0, stage.phase.map(|phase| phase.leaves))
                }))
            };
        assert_eq!(
            of(10..25, &[enter, leave]),
            [(10, 15, Some(false)), (15, 20, None), (20, 25, Some(true))]
        );
        assert_eq!(
            of(10..22, &[enter, leave]),
            [(10, 15, Some(false)), (15, 20, None), (20, 22, Some(true))]
        );
        assert_eq!(of(10..12, &[enter]), [(10, 12, Some(false))]);
        assert_eq!(of(0..25, &[leave]), [(0, 20, None), (20, 25, Some(true))]);
    }
}
