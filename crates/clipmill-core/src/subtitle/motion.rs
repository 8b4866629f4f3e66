//! The motions with which captions and words appear. Each frame of a motion is drawn by events of its own, so it does not
//! depend on where the timeline is cut.

use serde::{Deserialize, Serialize};

use super::pixels::thousandths;
use super::style::Motion;
use crate::overlay_motion::{MotionPhase, OverlayMotion, pop_scale};
use crate::time::{Fps, Frames};

const FADE_S: f64 = 0.2;
const POP_S: f64 = 0.27;
const RISE_S: f64 = 0.3;
const LETTER_S: f64 = 0.04;
/// How long the spoken word takes to grow.
const GROWTH_S: f64 = 0.1;

/// How far a text rises, in em.
pub const RISE_EM: f64 = 0.5;

/// A motion that lasts for `frames` frames and began `age` frames before its text is shown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    #[serde(default, skip_serializing_if = "is_zero")]
    pub age: u64,
    pub frames: u64,
}

/// A text overlay that is entering or leaving.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PlacedPhase {
    pub phase: MotionPhase,
    /// The middle of the text, in pixels.
    pub center: (f64, f64),
    /// The distance from its place when it is out of view.
    pub distance: (f64, f64),
}

impl PlacedPhase {
    /// The pose of the text on a frame.
    pub fn pose(&self, frame: Frames) -> Pose {
        let Self { phase, center, distance } = *self;
        let left = phase.remainder(frame);
        let moved = Transform { x: distance.0 * left, y: distance.1 * left, ..Transform::IDENTITY };
        let transform = Transform::scaled(phase.scale(frame), center).then(moved);
        Pose { transform, opacity: phase.opacity(frame) }
    }

    pub fn slides(&self) -> bool {
        self.distance != (0.0, 0.0)
    }

    pub fn fades(&self) -> bool {
        self.phase.motion == OverlayMotion::Fade
    }

    /// The frame on which emoji appear or disappear. They slide and fade with their text, but do not grow with it, so then
    /// it is in the middle.
    pub fn emoji_change(&self) -> Frames {
        let MotionPhase { begin, age, frames, leaves, .. } = self.phase;
        let over = match (self.slides() || self.fades(), leaves) {
            (true, true) => frames,
            (true, false) => 0,
            (false, _) => frames.div_ceil(2),
        };
        begin + Frames(over.saturating_sub(age))
    }
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

impl Progress {
    /// The motion of a text of `letters` letters that is shown for `shown` frames; `None` if it does not move.
    pub fn of(motion: Motion, letters: usize, shown: Frames, fps: Fps) -> Option<Self> {
        let seconds = match motion {
            Motion::None => return None,
            Motion::Fade => FADE_S,
            Motion::Pop => POP_S,
            Motion::Rise => RISE_S,
            Motion::Typewriter => LETTER_S * letters as f64,
        };
        Self::during(seconds, shown, fps)
    }

    /// The growth of the spoken word.
    pub fn of_growth(shown: Frames, fps: Fps) -> Option<Self> {
        Self::during(GROWTH_S, shown, fps)
    }

    /// A motion takes at most half of the time for which its text is shown.
    fn during(seconds: f64, shown: Frames, fps: Fps) -> Option<Self> {
        let frames = (seconds * f64::from(fps.get())).round() as u64;
        let frames = frames.min(shown.0 / 2);
        (frames > 0).then_some(Self { age: 0, frames })
    }

    /// The rest of the motion after `frames` frames; `None` if it is over.
    pub fn after(self, frames: u64) -> Option<Self> {
        let age = self.age.saturating_add(frames);
        (age < self.frames).then_some(Self { age, ..self })
    }

    /// The number of frames that are left.
    pub fn left(self) -> u64 {
        self.frames.saturating_sub(self.age)
    }

    /// How much of the motion is over on the frame with this number since its text is shown: above 0 on the first frame, and
    /// 1 after the last.
    pub fn part(self, frame: u64) -> f64 {
        let over = self.age.saturating_add(frame).saturating_add(1) as f64;
        (over / (self.frames + 1) as f64).min(1.0)
    }

    /// How many of `letters` letters are typed on this frame.
    pub fn typed(self, frame: u64, letters: usize) -> usize {
        let over = self.age.saturating_add(frame).saturating_add(1);
        let typed = (over as u128 * letters as u128).div_ceil(u128::from(self.frames + 1));
        usize::try_from(typed).unwrap_or(letters).min(letters)
    }
}

/// How a text is drawn on one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    pub transform: Transform,
    /// From 0, invisible, to 1.
    pub opacity: f64,
}

impl Pose {
    pub const REST: Self = Self { transform: Transform::IDENTITY, opacity: 1.0 };

    /// The pose when `part` of a motion is over; `rise` is how far it rises in pixels.
    pub fn of(motion: Motion, part: f64, center: (f64, f64), rise: f64) -> Self {
        if part >= 1.0 {
            return Self::REST;
        }
        match motion {
            Motion::None | Motion::Typewriter => Self::REST,
            Motion::Fade => Self { opacity: part, ..Self::REST },
            Motion::Pop => {
                Self { transform: Transform::scaled(pop_scale(part), center), opacity: (3.0 * part).min(1.0) }
            }
            Motion::Rise => Self {
                transform: Transform { y: rise * (1.0 - part).powi(3), ..Transform::IDENTITY },
                opacity: (1.5 * part).min(1.0),
            },
        }
    }

    /// This pose within something that has another one.
    pub fn within(self, outer: Self) -> Self {
        Self { transform: self.transform.then(outer.transform), opacity: self.opacity * outer.opacity }
    }
}

/// The size of a word that grows to `scale` when `part` of its growth is over.
pub fn growth(scale: f64, part: f64) -> f64 {
    1.0 + (scale - 1.0) * part * (2.0 - part)
}

/// Scales around the upper left corner of the canvas, then moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    pub scale: f64,
    pub x: f64,
    pub y: f64,
}

impl Transform {
    pub const IDENTITY: Self = Self { scale: 1.0, x: 0.0, y: 0.0 };

    /// Scales around a point.
    pub fn scaled(scale: f64, (x, y): (f64, f64)) -> Self {
        Self { scale, x: x * (1.0 - scale), y: y * (1.0 - scale) }
    }

    pub fn then(self, outer: Self) -> Self {
        let (x, y) = outer.apply((self.x, self.y));
        Self { scale: self.scale * outer.scale, x, y }
    }

    pub fn apply(self, (x, y): (f64, f64)) -> (f64, f64) {
        (thousandths(self.scale * x + self.x), thousandths(self.scale * y + self.y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motions_begin_visibly_end_at_rest_and_leave_time_to_read() {
        for motion in [Motion::Fade, Motion::Pop, Motion::Rise] {
            for shown in 2..60 {
                let progress = Progress::of(motion, 10, Frames(shown), Fps::DEFAULT).unwrap();
                assert!(progress.frames <= shown / 2, "{motion:?} {shown}");
                let pose = |frame| Pose::of(motion, progress.part(frame), (100.0, 50.0), 20.0);
                assert!(pose(0).opacity > 0.0 && pose(progress.frames - 1) != Pose::REST);
                assert_eq!(pose(progress.frames), Pose::REST);
            }
            assert_eq!(Progress::of(motion, 10, Frames(1), Fps::DEFAULT), None);
        }
    }

    #[test]
    fn letters_are_typed_one_after_another() {
        let progress = Progress::of(Motion::Typewriter, 10, Frames(100), Fps::DEFAULT).unwrap();
        let typed: Vec<usize> = (0..=progress.frames).map(|frame| progress.typed(frame, 10)).collect();
        assert_eq!((typed.first(), typed.last()), (Some(&1), Some(&10)));
        assert!(typed.windows(2).all(|pair| pair[1] - pair[0] <= 1), "{typed:?}");
        let later = progress.after(5).unwrap();
        assert_eq!(later.typed(2, 10), progress.typed(7, 10));
        assert_eq!(progress.after(progress.frames), None);
    }

    #[test]
    fn poses_combine() {
        let inner = Transform::scaled(1.2, (100.0, 100.0));
        let outer = Transform::scaled(0.5, (200.0, 100.0));
        assert_eq!(inner.apply((100.0, 100.0)), (100.0, 100.0));
        assert_eq!(inner.then(outer).apply((110.0, 100.0)), outer.apply(inner.apply((110.0, 100.0))));
        assert!((pop_scale(1.0) - 1.0).abs() < 1e-9);
        assert!((growth(1.3, 1.0) - 1.3).abs() < 1e-9 && (growth(1.3, 0.0) - 1.0).abs() < 1e-9);
    }
}
