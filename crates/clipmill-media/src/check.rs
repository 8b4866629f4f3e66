//! What was found in a segment when it was made.
//!
//! Black and still pictures and the best for a cover are looked for beside the encoder, where the pictures pass anyway
//! ([`Watch`]); the finished file is decoded once more, only to see that it can be. Of an encoder that may fail in its
//! own way (hardware) everything is looked for in the finished file.
//!
//! Findings lie beside their segment for as long as it does, so an output made of cached segments is judged as
//! well as one made of new ones.

use std::collections::HashMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clipmill_core::error::TaskError;
use clipmill_core::plan::Rendition;
use clipmill_core::segment::{Part, PictureSpec, SegmentHash};
use clipmill_core::time::{Fps, Frames};
use serde::{Deserialize, Serialize};

use crate::args::{self, Args, Strictness};
use crate::cache::Scratch;
use crate::cover::{self, Candidate, JPEG_COLOURS, Sampling};
use crate::error::MediaError;
use crate::probe::input_args;
use crate::process::{Ffmpeg, Finished, Limits};
use crate::render::{render_failed, wall_limit};
use crate::verify::Quality;

/// Black and still pictures are judged by every fourth pixel of every fourth row: their measures are means over the
/// whole picture, which these pixels give as well, for a third of the time.
const SAMPLED: &str = "scale=w=max(16\\,iw/4):h=max(16\\,ih/4):flags=neighbor";
/// A picture is black when at least 98 % of it is darker than a tenth of the luma range, for so long or longer.
const BLACK: &str = "blackdetect=pic_th=0.98:pix_th=0.1";
const BLACK_S: f64 = 0.1;
/// A picture stands still when it differs by less than 0.05 % from the one at which that began, for so long or
/// longer.
const FROZEN: &str = "freezedetect=n=0.0005";
const FROZEN_S: f64 = 0.5;
/// In a part shorter runs are looked for as well: one that reaches its end may go on in the next part.
const PART_BLACK_S: f64 = 0.0;
const PART_FROZEN_S: f64 = 0.1;

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
    /// What reaches the ends of a part of a longer picture; `None` for a whole one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<Edges>,
}

/// Frames from a part's first one on, and up to its last one: runs of any length. At the beginning of the first
/// part nothing goes on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edges {
    pub black: [u64; 2],
    pub frozen: [u64; 2],
}

/// The distinct segments of an output with what was found in each, pictures first.
#[derive(Debug, Default)]
pub struct Parts(pub Vec<(SegmentHash, Findings)>);

impl Parts {
    /// Writes into `quality` what only the segments know. A segment that stands twice counts twice.
    pub fn judge(&self, rendition: &Rendition, finishing: Duration, quality: &mut Quality) {
        let known: HashMap<&SegmentHash, &Findings> =
            self.0.iter().map(|(hash, found)| (hash, found)).collect();
        let shown: Vec<&Findings> =
            rendition.pictures.iter().filter_map(|hash| known.get(hash).copied()).collect();
        let sum = |frames: fn(&Findings) -> u64, edges: fn(&Edges) -> [u64; 2], least_s: f64| {
            let least = least(least_s, rendition.fps);
            let inside: u64 = shown.iter().map(|found| frames(found)).sum();
            let across: u64 = shown.windows(2).map(|pair| across(pair[0], pair[1], edges, least)).sum();
            let frames = Frames((inside + across).min(rendition.frames.0));
            (frames.seconds(rendition.fps) * 100.0).round() / 100.0
        };
        quality.black_seconds = sum(|found| found.black_frames, |edges| edges.black, BLACK_S);
        quality.frozen_seconds = sum(|found| found.frozen_frames, |edges| edges.frozen, FROZEN_S);
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

/// Frames of a run that goes from one part into the next and is too short to count in one of them, or in both, but
/// long enough as a whole.
fn across(before: &Findings, after: &Findings, of: fn(&Edges) -> [u64; 2], least: u64) -> u64 {
    let (Some(before), Some(after)) = (&before.edges, &after.edges) else { return 0 };
    let ([_, left], [right, _]) = (of(before), of(after));
    if left == 0 || right == 0 || left + right < least {
        return 0;
    }
    [left, right].into_iter().filter(|frames| *frames < least).sum()
}

/// The fewest frames that last so long.
fn least(seconds: f64, fps: Fps) -> u64 {
    (seconds * f64::from(fps.get()) - 1e-6).ceil() as u64
}

/// What is watched while a segment is made: further branches of its graph, further outputs of its run.
pub struct Watch<'a> {
    spec: &'a PictureSpec,
    sampling: Sampling,
}

/// Files of a watch, in the working directory; two of a detector, for starts and for ends.
const SMALL: &str = "candidates.gray";
const BLACK_RUNS: [(&str, &str); 2] =
    [("lavfi.black_start", "black-starts"), ("lavfi.black_end", "black-ends")];
const FROZEN_RUNS: [(&str, &str); 2] =
    [("lavfi.freezedetect.freeze_start", "frozen-starts"), ("lavfi.freezedetect.freeze_end", "frozen-ends")];

impl<'a> Watch<'a> {
    pub fn of(spec: &'a PictureSpec) -> Self {
        Self { spec, sampling: Sampling::of(spec) }
    }

    /// From `made` to `out`, which is the same, and what is watched.
    pub fn graph(&self, made: &str, out: &str) -> String {
        let told = BLACK_RUNS.iter().chain(&FROZEN_RUNS);
        let told: String =
            told.map(|(key, file)| format!(",metadata=mode=print:key={key}:file={file}")).collect();
        let watched = watched("seen", &format!("{}{told}", detectors(self.spec)), &self.sampling);
        format!("[{made}]split[{out}][seen];{watched}")
    }

    pub fn outputs(&self, args: &mut Args) {
        watched_outputs(args);
    }

    /// What was seen. The file itself is decoded, strictly, and its pictures counted.
    pub async fn findings(
        &self,
        ffmpeg: &Ffmpeg,
        scratch: &Scratch,
        path: &Path,
    ) -> Result<(Findings, Option<PathBuf>), TaskError> {
        let mut args = Args::default();
        args.extend(Strictness::Strict.options());
        args::decoder_threads(&mut args, self.spec);
        // Smoothing the edges of blocks reads nothing of the file: whether it can be decoded shows without.
        args.add(["-skip_loop_filter", "all"]).extend(input_args(path));
        args.add(["-map", "0:v:0", "-fps_mode", "passthrough", "-f", "null", "-"]);
        decoded(ffmpeg, scratch, args.done(), self.spec).await?;
        let [black, frozen] =
            [BLACK_RUNS, FROZEN_RUNS].map(|files| files.map(|(key, file)| (key, scratch.file(file))));
        let found = Found {
            black: told_runs(black, self.spec).await?,
            frozen: told_runs(frozen, self.spec).await?,
            small: scratch.file(SMALL),
        };
        found.judge(scratch, self.spec, &self.sampling).await
    }
}

/// Runs by what the `metadata` filter wrote down.
async fn told_runs(files: [(&str, PathBuf); 2], spec: &PictureSpec) -> Result<Vec<Range<u64>>, MediaError> {
    let mut moments = [Vec::new(), Vec::new()];
    for ((key, file), moments) in files.into_iter().zip(&mut moments) {
        let text = tokio::fs::read_to_string(&file).await.map_err(MediaError::file("read", &file))?;
        let label = format!("{key}=");
        moments.extend(text.lines().filter_map(|line| number(line, &label)));
    }
    let [starts, ends] = moments;
    let (fps, total) = (spec.fps, spec.frames.0);
    let frame = |seconds: f64| (seconds * f64::from(fps.get())).round() as u64;
    let run = |(index, start): (usize, &f64)| {
        let start = frame(*start);
        start..ends.get(index).map_or(total, |end| frame(*end)).max(start)
    };
    Ok(starts.iter().enumerate().map(run).collect())
}

/// Runs a decode that must give all planned pictures.
async fn decoded(
    ffmpeg: &Ffmpeg,
    scratch: &Scratch,
    args: Vec<OsString>,
    spec: &PictureSpec,
) -> Result<Finished, TaskError> {
    // A copied picture may be long, and took no longer than this to be made.
    let wall = wall_limit(spec.frames, spec.fps).max(Duration::from_secs(600));
    let limits = Limits { stderr_bytes: LOG_BYTES, ..Limits::wall(wall) };
    let finished = ffmpeg.run_ffmpeg(&args, Some(scratch.path()), limits, |_| {}).await;
    let finished = finished.map_err(|error| render_failed(format!("the result does not decode: {error}")))?;
    let decoded = finished.progress.frame;
    if decoded != spec.frames.0 {
        return Err(render_failed(format!("{decoded} of {} planned frames can be decoded", spec.frames.0)));
    }
    Ok(finished)
}

/// Runs of black and of still pictures, and the file of candidates for a cover.
struct Found {
    black: Vec<Range<u64>>,
    frozen: Vec<Range<u64>>,
    small: PathBuf,
}

impl Found {
    async fn judge(
        self,
        scratch: &Scratch,
        spec: &PictureSpec,
        sampling: &Sampling,
    ) -> Result<(Findings, Option<PathBuf>), TaskError> {
        let Self { black, frozen, small } = self;
        let luma = tokio::fs::read(&small).await.map_err(MediaError::file("read", &small))?;
        let cover = cover::best(sampling, &luma);
        let jpeg =
            cover.map(|cover| scratch.file(&COVERS.replace("%d", &sampling.index(&cover).to_string())));
        let long = |runs: &[Range<u64>], least_s: f64| {
            let (lengths, least) = (runs.iter().map(|run| run.end - run.start), least(least_s, spec.fps));
            lengths.filter(|length| *length >= least).sum()
        };
        let edges = |runs: &[Range<u64>], part: Part| {
            let length = |run: Option<&Range<u64>>| run.map_or(0, |run| run.end - run.start);
            let first = runs.first().filter(|run| run.start == 0 && part.begin.0 > 0);
            [length(first), length(runs.last().filter(|run| run.end == spec.frames.0))]
        };
        let findings = Findings {
            black_frames: long(&black, BLACK_S),
            frozen_frames: long(&frozen, FROZEN_S),
            cover,
            edges: spec.part.map(|part| Edges { black: edges(&black, part), frozen: edges(&frozen, part) }),
            ..Findings::default()
        };
        Ok((findings, jpeg))
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
    let (sampling, small) = (Sampling::of(spec), scratch.file(SMALL));
    let finished = decoded(ffmpeg, scratch, decoding_args(path, spec, &sampling), spec).await?;
    if spec.encoder.is_copy() {
        check_silence(&finished.stderr)?;
    }
    let found = Found {
        black: runs(&finished.stderr, "black_start:", "black_end:", spec.fps, spec.frames.0),
        frozen: runs(&finished.stderr, "freeze_start:", "freeze_end:", spec.fps, spec.frames.0),
        small,
    };
    found.judge(scratch, spec, &sampling).await
}

/// What others encoded is used only where a decoder has nothing to remark.
fn check_silence(log: &str) -> Result<(), TaskError> {
    let complaint = log.lines().find(|line| ["[error]", "[fatal]"].iter().any(|level| line.contains(level)));
    complaint.map_or(Ok(()), |line| Err(render_failed(format!("the result decodes with complaints: {line}"))))
}

fn decoding_args(path: &Path, spec: &PictureSpec, sampling: &Sampling) -> Vec<OsString> {
    let mut args = Args::default();
    // The detectors speak at this level; each line tells its own.
    args.add(["-v", "level+info"]).extend(Strictness::Strict.options());
    args::decoder_threads(&mut args, spec);
    args.extend(input_args(path));
    args.option("-filter_complex", watched("0:v:0", &detectors(spec), sampling));
    watched_outputs(&mut args);
    args.done()
}

fn detectors(spec: &PictureSpec) -> String {
    let (black_s, frozen_s) =
        if spec.part.is_some() { (PART_BLACK_S, PART_FROZEN_S) } else { (BLACK_S, FROZEN_S) };
    format!("{SAMPLED},{BLACK}:d={black_s},{FROZEN}:d={frozen_s}")
}

/// Pictures from `from` through the detectors, and candidates for a cover: small for judging, whole for showing.
fn watched(from: &str, detectors: &str, sampling: &Sampling) -> String {
    format!(
        "[{from}]split[all][some];[all]{detectors}[whole];[some]{},split[few][shown];[few]{}[small];[shown]{JPEG_COLOURS}[jpeg]",
        sampling.select(),
        sampling.judged()
    )
}

fn watched_outputs(args: &mut Args) {
    args.add(["-map", "[whole]", "-fps_mode", "passthrough", "-f", "null", "-"]);
    args.add(["-map", "[small]", "-fps_mode", "passthrough", "-c:v", "rawvideo", "-f", "rawvideo", SMALL]);
    args.add(["-map", "[jpeg]", "-fps_mode", "passthrough", "-c:v", "mjpeg", "-q:v", "3"]);
    args.add(["-fflags", "+bitexact", "-flags:v", "+bitexact", "-start_number", "0", "-f", "image2", COVERS]);
}

/// All runs that a detector told of. One that reaches the last picture has its end there or no end.
fn runs(log: &str, start: &str, end: &str, fps: Fps, total: u64) -> Vec<Range<u64>> {
    let frame = |seconds: f64| (seconds * f64::from(fps.get())).round() as u64;
    let (mut runs, mut open) = (Vec::new(), None);
    for line in log.lines() {
        if let Some(at) = number(line, start) {
            open = Some(frame(at));
        }
        if let (Some(from), Some(until)) = (open, number(line, end)) {
            let until = frame(until);
            let until = if until + 1 >= total { total } else { until };
            runs.push(from..until.max(from));
            open = None;
        }
    }
    runs.extend(open.map(|from| from..total.max(from)));
    runs
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
        assert_eq!(runs(LOG, "black_start:", "black_end:", fps, 210), [0..60, 90..105, 180..210]);
        assert_eq!(runs(LOG, "freeze_start:", "freeze_end:", fps, 210), [0..60, 150..210]);
        assert_eq!(runs("", "freeze_start:", "freeze_end:", fps, 210), []);
    }

    #[test]
    fn complaints_are_told_from_findings() {
        assert!(
            check_silence("[blackdetect @ 0x2] [info] black_start:0 black_end:2\n[warning] deprecated")
                .is_ok()
        );
        assert!(check_silence("[info] a\n[h264 @ 0x5] [error] concealing 5 DC").is_err());
    }

    #[test]
    fn a_run_across_a_seam_counts_as_one() {
        let part = |black: [u64; 2]| Findings {
            edges: Some(Edges { black, frozen: [0, 0] }),
            ..Findings::default()
        };
        let check = |left: u64, right: u64, expected: u64| {
            let found = across(&part([0, left]), &part([right, 0]), |edges| edges.black, 3);
            assert_eq!(found, expected, "{left} and {right}");
        };
        check(1, 1, 0);
        check(1, 2, 3);
        check(2, 0, 0);
        // Those that are long enough count where they lie.
        check(5, 1, 1);
        check(2, 9, 2);
        check(5, 5, 0);
        let whole = Findings::default();
        assert_eq!(across(&whole, &part([9, 0]), |edges| edges.black, 3), 0);
    }
}
