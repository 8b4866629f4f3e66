//! What was found in a segment when it was made: the one time that all of it is decoded anyway.
//!
//! Findings lie beside their segment for as long as it does, so an output made of cached segments is judged as
//! well as one made of new ones.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clipmill_core::error::TaskError;
use clipmill_core::plan::Rendition;
use clipmill_core::segment::{PictureSpec, SegmentHash};
use clipmill_core::time::{Fps, Frames};
use serde::{Deserialize, Serialize};

use crate::args::{Args, Strictness};
use crate::cache::Scratch;
use crate::cover::{self, Candidate, JPEG_COLOURS, Sampling};
use crate::error::MediaError;
use crate::probe::input_args;
use crate::process::{Ffmpeg, Limits};
use crate::render::render_failed;
use crate::verify::Quality;

/// A picture is black when at least 98 % of it is darker than a tenth of the luma range, for 0.1 s or more.
const BLACK: &str = "blackdetect=d=0.1:pic_th=0.98:pix_th=0.1";
/// A picture stands still when it differs by less than 0.05 % from the one at which that began, for 0.5 s or
/// more.
const FROZEN: &str = "freezedetect=n=0.0005:d=0.5";

/// Candidates for a cover, in the working directory: a pattern, so no folder's name may be part of it.
const COVERS: &str = "cover-%d.jpg";

/// An hour that flickers all the time says less than this.
const LOG_BYTES: usize = 4 << 20;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Findings {
    pub black_frames: u64,
    pub frozen_frames: u64,
    /// Why the source had to be decoded leniently, in words for the client; `None` where it is whole.
    pub damage: Option<String>,
    /// The picture that would do best as a cover.
    pub cover: Option<Candidate>,
    /// Time spent on making and checking the segment.
    pub made_ms: u64,
}

/// The distinct segments of an output with what was found in each, pictures first.
#[derive(Debug, Default)]
pub struct Parts(pub Vec<(SegmentHash, Findings)>);

impl Parts {
    /// Writes into `quality` what only the segments know. A segment that stands twice counts twice.
    pub fn judge(&self, rendition: &Rendition, finishing: Duration, quality: &mut Quality) {
        let known: HashMap<&SegmentHash, &Findings> =
            self.0.iter().map(|(hash, found)| (hash, found)).collect();
        let sum = |frames: fn(&Findings) -> u64| {
            let shown = rendition.pictures.iter().filter_map(|hash| known.get(hash));
            let frames = Frames(shown.map(|found| frames(found)).sum::<u64>().min(rendition.frames.0));
            (frames.seconds(rendition.fps) * 100.0).round() / 100.0
        };
        quality.black_seconds = sum(|found| found.black_frames);
        quality.frozen_seconds = sum(|found| found.frozen_frames);
        let making: u64 = self.0.iter().map(|(_, found)| found.made_ms).sum();
        let work_s = making as f64 / 1000.0 + finishing.as_secs_f64();
        let speed = rendition.frames.seconds(rendition.fps) / work_s.max(0.001);
        quality.speed = Some((speed * 100.0).round() / 100.0);
    }

    /// The segment with the best picture for a cover; the first of several equally good ones.
    pub fn cover(&self) -> Option<&SegmentHash> {
        let candidates = self.0.iter().filter_map(|(hash, found)| Some((hash, found.cover?)));
        let best = candidates.reduce(|best, next| if next.1.score > best.1.score { next } else { best });
        best.map(|(hash, _)| hash)
    }

    /// Segments whose source was damaged, and how.
    pub fn damaged(&self) -> Vec<(SegmentHash, String)> {
        self.0.iter().filter_map(|(hash, found)| Some((hash.clone(), found.damage.clone()?))).collect()
    }
}

/// Decodes a finished picture segment once, strictly: counts its pictures, finds black and frozen ones, and
/// the best for a cover, whose JPEG is left in the scratch folder.
pub async fn picture(
    ffmpeg: &Ffmpeg,
    scratch: &Scratch,
    path: &Path,
    spec: &PictureSpec,
) -> Result<(Findings, Option<PathBuf>), TaskError> {
    let (sampling, small) = (Sampling::of(spec), scratch.file("candidates.gray"));
    let args = decoding_args(path, &sampling, &small);
    let limits = Limits { stderr_bytes: LOG_BYTES, ..Limits::wall(Duration::from_secs(600)) };
    let finished = ffmpeg.run_ffmpeg(&args, Some(scratch.path()), limits, |_| {}).await;
    let finished = finished.map_err(|error| render_failed(format!("the result does not decode: {error}")))?;
    let decoded = finished.progress.frame;
    if decoded != spec.frames.0 {
        return Err(render_failed(format!("{decoded} of {} planned frames can be decoded", spec.frames.0)));
    }
    let luma = tokio::fs::read(&small).await.map_err(MediaError::file("read", &small))?;
    let total = spec.frames.0;
    let cover = cover::best(&sampling, &luma);
    let jpeg = cover.map(|cover| scratch.file(&COVERS.replace("%d", &sampling.index(&cover).to_string())));
    let findings = Findings {
        black_frames: runs(&finished.stderr, "black_start:", "black_end:", spec.fps, total),
        frozen_frames: runs(&finished.stderr, "freeze_start:", "freeze_end:", spec.fps, total),
        cover,
        ..Findings::default()
    };
    Ok((findings, jpeg))
}

fn decoding_args(path: &Path, sampling: &Sampling, small: &Path) -> Vec<OsString> {
    let mut args = Args::default();
    // The detectors speak at this level.
    args.add(["-v", "info"]).extend(Strictness::Strict.options()).extend(input_args(path));
    args.option(
        "-filter_complex",
        format!(
            "[0:v:0]split[a][b];[a]{BLACK},{FROZEN}[whole];[b]{},split[c][d];[c]{}[small];[d]{JPEG_COLOURS}[jpeg]",
            sampling.select(),
            sampling.judged()
        ),
    );
    args.add(["-map", "[whole]", "-fps_mode", "passthrough", "-f", "null", "-"]);
    args.add(["-map", "[small]", "-fps_mode", "passthrough", "-c:v", "rawvideo", "-f", "rawvideo"]);
    args.file(small);
    args.add(["-map", "[jpeg]", "-fps_mode", "passthrough", "-c:v", "mjpeg", "-q:v", "3"]);
    args.add(["-fflags", "+bitexact", "-flags:v", "+bitexact", "-start_number", "0", "-f", "image2", COVERS]);
    args.done()
}

/// Frames in all runs that a detector told of. One that reaches the last picture has its end there or no end.
fn runs(log: &str, start: &str, end: &str, fps: Fps, total: u64) -> u64 {
    let frame = |seconds: f64| (seconds * f64::from(fps.get())).round() as u64;
    let (mut sum, mut open) = (0, None);
    for line in log.lines() {
        if let Some(at) = number(line, start) {
            open = Some(frame(at));
        }
        if let (Some(from), Some(until)) = (open, number(line, end)) {
            let until = frame(until);
            let until = if until + 1 >= total { total } else { until };
            sum += until.saturating_sub(from);
            open = None;
        }
    }
    sum + open.map_or(0, |from| total.saturating_sub(from))
}

/// The number behind `label`.
fn number(line: &str, label: &str) -> Option<f64> {
    let (_, rest) = line.split_once(label)?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
[freezedetect @ 0x1] lavfi.freezedetect.freeze_start: 0
[blackdetect @ 0x2] black_start:0 black_end:2 black_duration:2
[freezedetect @ 0x1] lavfi.freezedetect.freeze_duration: 2
[freezedetect @ 0x1] lavfi.freezedetect.freeze_end: 2
[blackdetect @ 0x2] black_start:3 black_end:3.5 black_duration:0.5
[freezedetect @ 0x1] lavfi.freezedetect.freeze_start: 5
[blackdetect @ 0x2] black_start:6 black_end:6.96667 black_duration:0.966667
";

    #[test]
    fn a_segment_that_stands_twice_counts_twice() {
        let hash = |name: &str| SegmentHash(name.into());
        let found = |black: u64, score| Findings {
            black_frames: black,
            cover: Some(Candidate { frame: black, score }),
            made_ms: 1000,
            ..Findings::default()
        };
        let parts = Parts(vec![(hash("a"), found(15, 1.0)), (hash("b"), found(3, 2.0))]);
        let rendition = Rendition {
            fps: Fps::new(30).unwrap(),
            size: clipmill_core::media::Size::new(64, 64),
            frames: Frames(90),
            tier: clipmill_core::pricing::Tier::of(clipmill_core::media::Size::new(64, 64)),
            pictures: vec![hash("a"), hash("b"), hash("a")],
            sound: None,
        };
        let mut quality = Quality::default();
        parts.judge(&rendition, Duration::from_secs(1), &mut quality);
        assert_eq!((quality.black_seconds, quality.frozen_seconds), (1.1, 0.0));
        assert_eq!(quality.speed, Some(1.0));
        assert_eq!(parts.cover(), Some(&hash("b")));
    }

    #[test]
    fn runs_are_summed_and_the_last_one_reaches_the_end() {
        let fps = Fps::new(30).unwrap();
        assert_eq!(runs(LOG, "black_start:", "black_end:", fps, 210), 60 + 15 + 30);
        assert_eq!(runs(LOG, "freeze_start:", "freeze_end:", fps, 210), 60 + 60);
        assert_eq!(runs("", "freeze_start:", "freeze_end:", fps, 210), 0);
    }
}
