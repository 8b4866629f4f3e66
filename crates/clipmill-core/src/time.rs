//! Time as integer counts: output frames and 48 kHz samples.
//!
//! Seconds (`f64`) exist only in requests and probe results; they are converted to counts once, here, and never back.
//! Every allowed frame rate divides 48,000, so a frame is a whole number of samples, and audio and video can be cut at
//! exactly the same time.

use serde::{Deserialize, Serialize};

/// Sample rate of every output and of every intermediate sound file, in Hz.
pub const SAMPLE_RATE: u64 = 48_000;

/// Output frame rate: 25, 30, 50 or 60 frames a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct Fps(u32);

impl Fps {
    /// The rates a request may name, in ascending order.
    pub const ALLOWED: [u32; 4] = [25, 30, 50, 60];
    pub const DEFAULT: Fps = Fps(30);

    /// `None` unless `rate` is one of [`Fps::ALLOWED`].
    pub fn new(rate: u32) -> Option<Self> {
        Self::ALLOWED.contains(&rate).then_some(Self(rate))
    }

    pub fn get(self) -> u32 {
        self.0
    }

    pub fn samples_per_frame(self) -> u64 {
        SAMPLE_RATE / u64::from(self.0)
    }
}

impl Default for Fps {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl TryFrom<u32> for Fps {
    type Error = String;

    fn try_from(rate: u32) -> Result<Self, String> {
        Self::new(rate).ok_or_else(|| format!("{rate} is not an output frame rate"))
    }
}

impl From<Fps> for u32 {
    fn from(fps: Fps) -> u32 {
        fps.0
    }
}

/// A count of output frames, or the index of one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Frames(pub u64);

impl Frames {
    /// The frame count nearest to a length in seconds; negative and non-finite lengths are 0.
    pub fn nearest(seconds: f64, fps: Fps) -> Self {
        Self(non_negative((seconds * f64::from(fps.get())).round()))
    }

    /// The frame that is shown at a time in seconds. A time that is less than a thousandth of a frame before the next frame
    /// counts as that frame's: decimal fractions are not exact.
    pub fn shown_at(seconds: f64, fps: Fps) -> Self {
        Self(non_negative((seconds * f64::from(fps.get()) + 1e-3).floor()))
    }

    pub fn samples(self, fps: Fps) -> Samples {
        Samples(self.0.saturating_mul(fps.samples_per_frame()))
    }

    /// For arguments and reports only; never used in calculations.
    pub fn seconds(self, fps: Fps) -> f64 {
        self.0 as f64 / f64::from(fps.get())
    }

    /// Started seconds, the unit of the price.
    pub fn started_seconds(self, fps: Fps) -> u64 {
        self.0.div_ceil(u64::from(fps.get()))
    }
}

impl std::ops::Add for Frames {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::iter::Sum for Frames {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self(0), |a, b| a + b)
    }
}

/// A count of samples at [`SAMPLE_RATE`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Samples(pub u64);

impl Samples {
    /// The sample count nearest to a length in seconds; negative and non-finite lengths are 0.
    pub fn nearest(seconds: f64) -> Self {
        Self(non_negative((seconds * SAMPLE_RATE as f64).round()))
    }

    pub fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    /// Rounded to whole microseconds.
    pub fn micros(self) -> i64 {
        let micros = (u128::from(self.0) * 1_000_000 + u128::from(SAMPLE_RATE / 2)) / u128::from(SAMPLE_RATE);
        i64::try_from(micros).unwrap_or(i64::MAX)
    }
}

fn non_negative(value: f64) -> u64 {
    // `as` saturates and maps NaN to 0, which is the right result for a hostile length.
    value.max(0.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rate_has_whole_samples_per_frame() {
        for rate in Fps::ALLOWED {
            let fps = Fps::new(rate).unwrap();
            assert_eq!(fps.samples_per_frame() * u64::from(rate), SAMPLE_RATE);
        }
        assert_eq!(Fps::new(24), None);
    }

    #[test]
    fn seconds_become_the_nearest_count_and_never_overflow() {
        let fps = Fps::DEFAULT;
        assert_eq!(Frames::nearest(5.005, fps), Frames(150));
        assert_eq!(Frames::nearest(-1.0, fps), Frames(0));
        assert_eq!(Frames::nearest(f64::NAN, fps), Frames(0));
        assert_eq!(Frames::nearest(f64::INFINITY, fps), Frames(u64::MAX));
        assert_eq!(Samples::nearest(0.5), Samples(24_000));
        assert_eq!(Frames(151).started_seconds(fps), 6);
        assert_eq!(Frames(150).started_seconds(fps), 5);
    }
}
