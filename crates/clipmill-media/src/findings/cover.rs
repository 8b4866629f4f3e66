//! The cover: the most informative frame of an output, sharp and neither dark nor glaring.
//!
//! Candidates are saved while a segment is rendered: small ones for scoring, and each as a JPEG, which costs less than
//! seeking one frame again. A segment keeps its best; an output uses the best of its segments.

use clipmill_core::media::Size;
use clipmill_core::segment::VideoSpec;
use serde::{Deserialize, Serialize};

/// At least this many frames of a segment are scored, if it has as many.
const MIN_CANDIDATES: u64 = 4;
/// Whatever the length of a segment, at most about this many frames are scored.
const MAX_CANDIDATES: u64 = 64;
/// The longer side of the scored frames: small enough to be cheap, large enough to distinguish sharp from soft.
const JUDGED_SIDE: u32 = 480;

/// A frame of a segment, and its score as a cover.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub frame: u64,
    /// Higher is better; 0 is black, white or flat.
    pub score: f64,
}

/// Which frames of a segment are scored, and at which size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    step: u64,
    offset: u64,
    size: Size,
}

impl Sampling {
    /// One frame every two seconds, evenly spread; more for short segments and fewer for very long ones.
    pub fn of(spec: &VideoSpec) -> Self {
        let step = step(spec.frames.0, 2 * u64::from(spec.fps.get()));
        Self { step, offset: step / 2, size: judged_size(spec.size) }
    }

    /// Filters that select these frames.
    pub fn select(&self) -> String {
        format!("select=gte(n\\,{0})*not(mod(n-{0}\\,{1}))", self.offset, self.step)
    }

    /// Filters that reduce them to small luma planes.
    pub fn judged(&self) -> String {
        format!("scale={}:{}:flags=area,format=gray", self.size.width, self.size.height)
    }

    /// The index of a candidate among them.
    pub fn index(&self, candidate: &Candidate) -> u64 {
        candidate.frame.saturating_sub(self.offset) / self.step
    }
}

fn step(frames: u64, max: u64) -> u64 {
    (frames / MIN_CANDIDATES).min(max).max(frames / MAX_CANDIDATES).max(1)
}

fn judged_size(size: Size) -> Size {
    let scale = (f64::from(JUDGED_SIDE) / f64::from(size.long_side())).min(1.0);
    let side = |n: u32| ((f64::from(n) * scale / 2.0).round() as u32 * 2).max(4);
    Size::new(side(size.width), side(size.height))
}

/// The best of the sampled frames.
pub fn best(sampling: &Sampling, luma: &[u8]) -> Option<Candidate> {
    let (width, area) = (sampling.size.width as usize, (sampling.size.width * sampling.size.height) as usize);
    let judged = (0..).zip(luma.chunks_exact(area)).map(|(index, plane)| Candidate {
        frame: sampling.offset + index * sampling.step,
        score: sharpness(plane, width) * exposure(plane),
    });
    judged.reduce(|best, next| if next.score > best.score { next } else { best })
}

/// The root mean square difference of neighbouring pixels: an edge counts more than the same change spread over many.
fn sharpness(plane: &[u8], width: usize) -> f64 {
    let step = |a: u8, b: u8| u64::from(a.abs_diff(b)).pow(2);
    let across = plane.chunks_exact(width).flat_map(|row| row.windows(2)).map(|pair| step(pair[0], pair[1]));
    let down = plane.iter().zip(plane.iter().skip(width)).map(|(a, b)| step(*a, *b));
    let sum: u64 = across.chain(down).sum();
    (sum as f64 / (2 * plane.len()).max(1) as f64).sqrt()
}

/// 1 for a mean luma in the middle of the range, falling to 0 at black and at white.
fn exposure(plane: &[u8]) -> f64 {
    let mean = plane.iter().map(|y| f64::from(*y)).sum::<f64>() / plane.len().max(1) as f64;
    let (from_black, from_white) = ((mean - 16.0) / 64.0, (235.0 - mean) / 48.0);
    from_black.min(from_white).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = 32;

    fn plane(pixel: impl Fn(usize, usize) -> u8) -> Vec<u8> {
        (0..SIZE * SIZE).map(|at| pixel(at % SIZE, at / SIZE)).collect()
    }

    #[test]
    fn a_sharp_frame_beats_soft_dark_and_glaring_ones() {
        let checks = |low: u8, high: u8| plane(move |x, y| if (x / 4 + y / 4) % 2 == 0 { low } else { high });
        let soft = plane(|x, y| (80 + (x + y) * 2) as u8);
        let planes =
            [plane(|_, _| 16), soft, checks(18, 28), checks(60, 180), checks(200, 255), plane(|_, _| 235)];
        let sampling = Sampling { step: 10, offset: 5, size: Size::new(SIZE as u32, SIZE as u32) };
        let cover = best(&sampling, &planes.concat()).unwrap();
        assert_eq!(cover.frame, 35);
        assert!(cover.score > 0.0);
        assert_eq!(best(&sampling, &planes[0]).unwrap().score, 0.0);
        assert_eq!(best(&sampling, &[]), None);
    }

    #[test]
    fn a_few_frames_of_every_segment_are_scored() {
        // Columns: frames, frames in two seconds, how many are scored.
        for (frames, max, expected) in [
            (1, 60, 1),
            (3, 60, 3),
            (4, 60, 4),
            (9, 60, 4),
            (60, 60, 4),
            (239, 60, 4),
            (240, 60, 4),
            (300, 60, 5),
            (3_600, 60, 60),
            (3_840, 60, 64),
            (36_000, 60, 64),
            (100, 20, 5),
        ] {
            let step = step(frames, max);
            let count = (step / 2..frames).step_by(step as usize).count();
            assert_eq!(count, expected, "of {frames}");
        }
        for frames in 1..5_000 {
            let step = step(frames, 60);
            let count = (step / 2..frames).step_by(step as usize).count() as u64;
            assert!((frames.min(4)..=65).contains(&count), "{count} of {frames}");
        }
    }
}
