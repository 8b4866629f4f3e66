//! How overlays enter and leave: when, and how they are shown on each frame, as numbers and as ffmpeg expressions.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::named_enum;
use crate::size::Size;
use crate::time::{Fps, Frames};

/// The size at which an overlay begins to pop up, and its largest one.
const POP_FROM: f64 = 0.55;
pub const POP_LARGEST: f64 = 1.08;
/// The part of the time after which an overlay that pops up is largest.
const POP_TURN: f64 = 0.6;
/// How much faster an overlay that pops up becomes opaque.
const POP_OPACITY: f64 = 3.0;

named_enum! {
    /// The way in which an overlay enters or leaves.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum OverlayMotion {
        #[default]
        None = "none",
        Fade = "fade",
        Pop = "pop",
        /// The direction is that of the motion: an overlay that slides left enters from the right edge, or leaves through
        /// the left one.
        SlideLeft = "slide-left",
        SlideRight = "slide-right",
        SlideUp = "slide-up",
        SlideDown = "slide-down",
    }
}

impl OverlayMotion {
    /// The direction of a slide, across and down.
    fn direction(self) -> Option<(f64, f64)> {
        match self {
            Self::None | Self::Fade | Self::Pop => None,
            Self::SlideLeft => Some((-1.0, 0.0)),
            Self::SlideRight => Some((1.0, 0.0)),
            Self::SlideUp => Some((0.0, -1.0)),
            Self::SlideDown => Some((0.0, 1.0)),
        }
    }
}

/// How an overlay enters and leaves, and for how many seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct OverlayMotions {
    pub enter: OverlayMotion,
    pub enter_s: f64,
    pub leave: OverlayMotion,
    pub leave_s: f64,
}

impl Default for OverlayMotions {
    fn default() -> Self {
        Self { enter: OverlayMotion::None, enter_s: 0.3, leave: OverlayMotion::None, leave_s: 0.3 }
    }
}

impl OverlayMotions {
    pub fn is_none(&self) -> bool {
        (self.enter, self.leave) == (OverlayMotion::None, OverlayMotion::None)
    }

    /// The phases of an overlay that is shown during these frames, and whether they had to be shortened to fit.
    pub fn phases(&self, shown: &Range<Frames>, fps: Fps) -> (Vec<MotionPhase>, bool) {
        let frames = |motion: OverlayMotion, seconds: f64| match motion {
            OverlayMotion::None => 0,
            _ => Frames::nearest(seconds, fps).0.max(1),
        };
        let (enter, leave) = (frames(self.enter, self.enter_s), frames(self.leave, self.leave_s));
        let available = shown.end.0.saturating_sub(shown.start.0);
        let is_short = enter + leave > available;
        let fitted = |frames: u64| if is_short { frames * available / (enter + leave) } else { frames };
        let (enter, leave) = (fitted(enter), fitted(leave));
        let phase = |motion, leaves, begin, frames| MotionPhase { motion, leaves, begin, age: 0, frames };
        let phases = [
            phase(self.enter, false, shown.start, enter),
            phase(self.leave, true, Frames(shown.end.0.saturating_sub(leave)), leave),
        ];
        (phases.into_iter().filter(|phase| phase.frames > 0).collect(), is_short && available > 0)
    }
}

/// An overlay that is entering or leaving.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MotionPhase {
    pub motion: OverlayMotion,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leaves: bool,
    /// Its first frame on the timeline or in the segment.
    pub begin: Frames,
    /// How many frames of it were before that one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub age: u64,
    /// The length of all of it.
    pub frames: u64,
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

impl MotionPhase {
    /// The frame behind its last one.
    pub fn end(self) -> Frames {
        self.begin + Frames(self.frames.saturating_sub(self.age))
    }

    /// The portion between two frames, with times relative to the first; `None` if there is none.
    pub fn between(self, start: Frames, end: Frames) -> Option<Self> {
        let is_seen = self.begin < end && self.end() > start;
        let over = start.0.saturating_sub(self.begin.0);
        let begin = Frames(self.begin.0.saturating_sub(start.0));
        is_seen.then_some(Self { begin, age: self.age + over, ..self })
    }

    /// How much of its place the overlay has taken on this frame: 0 is out of view, 1 at rest. It is at rest before it
    /// leaves and after it has entered.
    pub fn part(self, frame: Frames) -> f64 {
        let over = (frame.0 + self.age) as f64 - self.begin.0 as f64;
        let done = if self.leaves { self.frames as f64 - over } else { over + 1.0 };
        (done / (self.frames + 1) as f64).clamp(0.0, 1.0)
    }

    /// [`Self::part`] as an expression; `clock` is one for the number of the frame.
    fn part_expression(self, clock: &str) -> String {
        let (begin, age, frames) = (self.begin.0 as i128, i128::from(self.age), i128::from(self.frames));
        let steps = frames + 1;
        let done = match self.leaves {
            true => format!("{}-({clock})", frames + begin - age),
            false => format!("({clock})+{}", age - begin + 1),
        };
        format!("clip(({done})/{steps},0,1)")
    }

    /// From 0, invisible, to 1.
    pub fn opacity(self, frame: Frames) -> f64 {
        let part = self.part(frame);
        match self.motion {
            OverlayMotion::Fade => part * part * (3.0 - 2.0 * part),
            OverlayMotion::Pop => (POP_OPACITY * part).min(1.0),
            _ => 1.0,
        }
    }

    /// [`Self::opacity`] as an expression of the frame's number; `None` if it is always 1.
    pub fn opacity_expression(self, clock: &str) -> Option<String> {
        let part = self.part_expression(clock);
        match self.motion {
            OverlayMotion::Fade => Some(format!("(st(0,{part});ld(0)*ld(0)*(3-2*ld(0)))")),
            OverlayMotion::Pop => Some(format!("min({POP_OPACITY}*{part},1)")),
            _ => None,
        }
    }

    /// The size, in times of that at rest.
    pub fn scale(self, frame: Frames) -> f64 {
        if self.motion == OverlayMotion::Pop { pop_scale(self.part(frame)) } else { 1.0 }
    }

    /// [`Self::scale`] as an expression of the frame's number; `None` if it is always 1.
    pub fn scale_expression(self, clock: &str) -> Option<String> {
        (self.motion == OverlayMotion::Pop).then(|| {
            let part = self.part_expression(clock);
            let turn = format!("ld(0)/{POP_TURN}");
            let growing = format!("{POP_FROM}+{:.4}*{turn}*(2-{turn})", POP_LARGEST - POP_FROM);
            let shrinking =
                format!("{POP_LARGEST}-{:.4}*(ld(0)-{POP_TURN})/{:.4}", POP_LARGEST - 1.0, 1.0 - POP_TURN);
            format!("(st(0,{part});if(lt(ld(0),{POP_TURN}),{growing},{shrinking}))")
        })
    }

    /// How far from its place an overlay that slides is out of view, across and down; `edges` are its left, upper, right and
    /// lower edge at rest, in pixels.
    pub fn distance(self, [left, top, right, bottom]: [f64; 4], canvas: Size) -> Option<(f64, f64)> {
        let (across, down) = self.motion.direction()?;
        let (width, height) = (f64::from(canvas.width), f64::from(canvas.height));
        let is_away_at_start = |direction: f64| (direction > 0.0) != self.leaves;
        let along = |direction: f64, before: f64, behind: f64| match direction {
            0.0 => 0.0,
            _ if is_away_at_start(direction) => -before.max(0.0),
            _ => behind.max(0.0),
        };
        Some((along(across, right, width - left), along(down, bottom, height - top)))
    }

    /// How much of that distance is left.
    pub fn remainder(self, frame: Frames) -> f64 {
        (1.0 - self.part(frame)).powi(3)
    }

    /// [`Self::remainder`] as an expression of the frame's number.
    pub fn remainder_expression(self, clock: &str) -> String {
        format!("pow(1-{},3)", self.part_expression(clock))
    }
}

/// The size of something that pops up when `part` of its motion is over.
pub fn pop_scale(part: f64) -> f64 {
    if part < POP_TURN {
        let to_turn = part / POP_TURN;
        POP_FROM + (POP_LARGEST - POP_FROM) * to_turn * (2.0 - to_turn)
    } else {
        let back = (part - POP_TURN) / (1.0 - POP_TURN);
        POP_LARGEST - (POP_LARGEST - 1.0) * back
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motions(enter: OverlayMotion, enter_s: f64, leave: OverlayMotion, leave_s: f64) -> OverlayMotions {
        OverlayMotions { enter, enter_s, leave, leave_s }
    }

    #[test]
    fn phases_are_at_both_ends_and_shortened_in_proportion() {
        let fps = Fps::DEFAULT;
        let moves = motions(OverlayMotion::Fade, 0.3, OverlayMotion::Pop, 0.6);
        let lengths = |shown: Range<u64>| {
            let (phases, is_short) = moves.phases(&(Frames(shown.start)..Frames(shown.end)), fps);
            (Vec::from_iter(phases.iter().map(|phase| (phase.begin.0, phase.frames))), is_short)
        };
        assert_eq!(lengths(30..90), (vec![(30, 9), (72, 18)], false));
        assert_eq!(lengths(30..57), (vec![(30, 9), (39, 18)], false));
        assert_eq!(lengths(30..42), (vec![(30, 4), (34, 8)], true));
        assert_eq!(lengths(30..31), (vec![], true));
        assert_eq!(lengths(30..30), (vec![], false));
        let none = motions(OverlayMotion::None, 0.3, OverlayMotion::None, 0.3);
        assert_eq!(none.phases(&(Frames(0)..Frames(1)), fps), (vec![], false));
    }

    #[test]
    fn a_portion_continues_exactly() {
        let whole =
            OverlayMotions { enter: OverlayMotion::Pop, leave: OverlayMotion::Fade, ..Default::default() };
        let (phases, _) = whole.phases(&(Frames(10)..Frames(60)), Fps::DEFAULT);
        for phase in phases {
            for cut in 0..70 {
                for (start, end) in [(0, cut), (cut, 70)] {
                    let part = phase.between(Frames(start), Frames(end));
                    let seen = (start..end).filter(|frame| (phase.begin.0..phase.end().0).contains(frame));
                    assert_eq!(part.is_some(), seen.clone().next().is_some());
                    for frame in seen {
                        let part = part.unwrap();
                        assert_eq!(part.part(Frames(frame - start)), phase.part(Frames(frame)));
                        assert_eq!(part.between(Frames(0), Frames(end - start)), Some(part));
                    }
                }
            }
        }
    }

    #[test]
    fn an_overlay_is_visible_from_its_first_frame_and_at_rest_between() {
        for (_, motion) in &OverlayMotion::NAMES[1..] {
            let moves = motions(*motion, 0.3, *motion, 0.3);
            let (phases, _) = moves.phases(&(Frames(10)..Frames(60)), Fps::DEFAULT);
            let parts = |frame: u64| Vec::from_iter(phases.iter().map(|phase| phase.part(Frames(frame))));
            assert_eq!((parts(10), parts(59)), (vec![0.1, 1.0], vec![1.0, 0.1]));
            assert_eq!((parts(19), parts(50)), (vec![1.0, 1.0], vec![1.0, 1.0]));
            assert!(phases[0].opacity(Frames(10)) > 0.0 && phases[0].opacity(Frames(19)) == 1.0);
            assert_eq!((phases[0].scale(Frames(19)), phases[1].remainder(Frames(50))), (1.0, 0.0));
        }
    }

    #[test]
    fn slides_come_from_outside_the_canvas_and_continue_in_the_same_direction() {
        let (edges, canvas) = ([100.0, 40.0, 300.0, 80.0], Size::new(720, 400));
        let distance = |motion, leaves| {
            let phase = MotionPhase { motion, leaves, begin: Frames(0), age: 0, frames: 9 };
            phase.distance(edges, canvas)
        };
        use OverlayMotion::{Fade, SlideDown, SlideLeft, SlideRight, SlideUp};
        assert_eq!(
            [distance(SlideLeft, false), distance(SlideLeft, true)],
            [Some((620.0, 0.0)), Some((-300.0, 0.0))]
        );
        assert_eq!(
            [distance(SlideRight, false), distance(SlideRight, true)],
            [Some((-300.0, 0.0)), Some((620.0, 0.0))]
        );
        assert_eq!(
            [distance(SlideUp, false), distance(SlideUp, true)],
            [Some((0.0, 360.0)), Some((0.0, -80.0))]
        );
        assert_eq!(
            [distance(SlideDown, false), distance(SlideDown, true)],
            [Some((0.0, -80.0)), Some((0.0, 360.0))]
        );
        assert_eq!(distance(Fade, false), None);
    }
}
