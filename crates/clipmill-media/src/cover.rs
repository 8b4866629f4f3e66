//! The cover: the picture of an output that shows most, sharp and neither dark nor glaring.
//!
//! Candidates are looked at small, while a segment is decoded for its check; only the winner of an output is
//! ever decoded at full size, once for all outputs that share it.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use clipmill_core::error::TaskError;
use clipmill_core::media::Size;
use clipmill_core::segment::PictureSpec;
use clipmill_core::time::Fps;
use serde::{Deserialize, Serialize};

use crate::args::{Args, Strictness};
use crate::probe::input_args;
use crate::process::{Ffmpeg, Limits};

/// At least so many pictures of a segment are looked at, where it has as many.
const LEAST: u64 = 8;
/// However long a segment is, no more than about this many are.
const MOST: u64 = 64;
/// Longer side of the pictures that are judged: small enough to be cheap, large enough to tell sharp from soft.
const JUDGED_SIDE: u32 = 480;

/// A picture of a segment, and how well it would do.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub frame: u64,
    /// More is better; 0 is black, white or flat.
    pub score: f64,
}

/// Which pictures of a segment are looked at, and how large.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    step: u64,
    offset: u64,
    size: Size,
}

impl Sampling {
    /// One a second, evenly spread; more of short segments and fewer of very long ones.
    pub fn of(spec: &PictureSpec) -> Self {
        let step = step(spec.frames.0, u64::from(spec.fps.get()));
        Self { step, offset: step / 2, size: judged_size(spec.size) }
    }

    /// Filters that leave just these, as planes of luma.
    pub fn filters(&self) -> String {
        format!(
            "select=gte(n\\,{0})*not(mod(n-{0}\\,{1})),scale={2}:{3}:flags=area,format=gray",
            self.offset, self.step, self.size.width, self.size.height
        )
    }
}

fn step(frames: u64, fps: u64) -> u64 {
    (frames / LEAST).min(fps).max(frames / MOST).max(1)
}

fn judged_size(size: Size) -> Size {
    let scale = (f64::from(JUDGED_SIDE) / f64::from(size.long_side())).min(1.0);
    let side = |n: u32| ((f64::from(n) * scale / 2.0).round() as u32 * 2).max(4);
    Size::new(side(size.width), side(size.height))
}

/// The best of the sampled pictures.
pub fn best(sampling: &Sampling, luma: &[u8]) -> Option<Candidate> {
    let (width, area) = (sampling.size.width as usize, (sampling.size.width * sampling.size.height) as usize);
    let judged = (0..).zip(luma.chunks_exact(area)).map(|(index, plane)| Candidate {
        frame: sampling.offset + index * sampling.step,
        score: sharpness(plane, width) * exposure(plane),
    });
    judged.reduce(|best, next| if next.score > best.score { next } else { best })
}

/// Root mean square difference of next pixels: an edge counts for more than the same change spread over many.
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

/// Writes picture `frame` of a segment as JPEG, in the colours that JPEG means.
pub async fn write(
    ffmpeg: &Ffmpeg,
    segment: &Path,
    fps: Fps,
    frame: u64,
    to: &Path,
) -> Result<(), TaskError> {
    let limits = Limits::wall(Duration::from_secs(120));
    ffmpeg.run_ffmpeg(&jpeg_args(segment, fps, frame, to), None, limits, |_| {}).await?;
    Ok(())
}

fn jpeg_args(segment: &Path, fps: Fps, frame: u64, to: &Path) -> Vec<OsString> {
    // Half a frame early: whatever the rounding, the first picture from there on is the one.
    let seconds = (frame as f64 - 0.5).max(0.0) / f64::from(fps.get());
    let mut args = Args::new(Strictness::Strict.options());
    args.option("-ss", format!("{seconds:.6}")).extend(input_args(segment));
    args.add(["-map", "0:v:0", "-frames:v", "1", "-vf"]);
    args.add(["zscale=matrixin=709:rangein=limited:matrix=470bg:range=full,format=yuvj420p"]);
    args.add(["-c:v", "mjpeg", "-q:v", "3", "-map_metadata", "-1", "-fflags", "+bitexact"]);
    args.add(["-flags:v", "+bitexact", "-f", "image2", "-update", "1"]).file(to);
    args.done()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = 32;

    fn plane(pixel: impl Fn(usize, usize) -> u8) -> Vec<u8> {
        (0..SIZE * SIZE).map(|at| pixel(at % SIZE, at / SIZE)).collect()
    }

    #[test]
    fn a_sharp_picture_beats_soft_dark_and_glaring_ones() {
        let checks = |low: u8, high: u8| plane(move |x, y| if (x / 4 + y / 4) % 2 == 0 { low } else { high });
        let soft = plane(|x, y| (80 + (x + y) * 2) as u8);
        let pictures =
            [plane(|_, _| 16), soft, checks(18, 28), checks(60, 180), checks(200, 255), plane(|_, _| 235)];
        let sampling = Sampling { step: 10, offset: 5, size: Size::new(SIZE as u32, SIZE as u32) };
        let found = best(&sampling, &pictures.concat()).unwrap();
        assert_eq!(found.frame, 35);
        assert!(found.score > 0.0);
        assert_eq!(best(&sampling, &pictures[0]).unwrap().score, 0.0);
        assert_eq!(best(&sampling, &[]), None);
    }

    #[test]
    fn at_least_eight_pictures_are_looked_at_and_never_very_many() {
        let count = |frames: u64, fps: u64| {
            let step = step(frames, fps);
            (step / 2..frames).step_by(step as usize).count() as u64
        };
        for frames in 1..5_000 {
            let found = count(frames, 30);
            assert!(found >= frames.min(LEAST) && found <= 2 * MOST, "{found} of {frames}");
        }
    }
}
