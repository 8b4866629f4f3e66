//! Checks a video segment while it is made and afterwards.
//!
//! Black and still frames, the best frame for a cover, and hashes of frames are determined beside the encoder, where
//! the frames pass anyway ([`monitor`]); the finished file is decoded once more, only to verify that it can be.
//! For an encoder that may fail in its own way (hardware) everything is measured in the finished file.
//!
//! Findings are stored beside their segment for as long as it exists, so an output of cached segments is checked like
//! one of new segments.

use std::collections::HashMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clipmill_core::error::TaskError;
use clipmill_core::message::{self, Message};
use clipmill_core::plan::Rendition;
use clipmill_core::segment::{SegmentKey, VideoSpec};
use clipmill_core::similarity::{FrameHash, FrameHashes, HASHED_SIDE, joined};
use clipmill_core::time::{Fps, Frames};

use crate::cache::Scratch;
use crate::error::MediaError;
use crate::failure::{render_failed, run_error};
use crate::ffmpeg::args::monitor::{self, BLACK_RUNS, COVERS, FROZEN_RUNS, HASHED, SMALL, TIP_SIDE, TIPS};
use crate::ffmpeg::args::{self, Args, Strictness};
use crate::ffmpeg::detectors::number;
use crate::ffmpeg::limits::wall_limit;
use crate::ffmpeg::policy::input_args;
use crate::ffmpeg::process::{Ffmpeg, Limits, RunReport};
use crate::findings::cover::{self, Sampling};
use crate::findings::{Edges, Findings, Quality};

/// Black and still runs count if they last at least this many seconds.
const BLACK_S: f64 = 0.1;
const FROZEN_S: f64 = 0.5;
/// When the same still frame is encoded twice, its small luma differs by no more than this anywhere.
const TIP_NOISE: u8 = 2;

/// An hour that flickers all the time logs less than this.
const LOG_BYTES: usize = 4 << 20;

/// A kind of run to detect: black or still.
#[derive(Clone, Copy)]
struct RunKind {
    min_s: f64,
    inside: fn(&Findings) -> u64,
    edges: fn(&Edges) -> [u64; 2],
    /// Whether the run before a joint and the run after it are one.
    continues: fn(&Edges, &Edges) -> bool,
}

const SOUGHT_BLACK: RunKind = RunKind {
    min_s: BLACK_S,
    inside: |found| found.black_frames,
    edges: |edges| edges.black,
    continues: |_, _| true,
};
const SOUGHT_FROZEN: RunKind = RunKind {
    min_s: FROZEN_S,
    inside: |found| found.frozen_frames,
    edges: |edges| edges.frozen,
    continues: |before, after| match (&before.tips[1], &after.tips[0]) {
        (Some(last), Some(first)) => {
            last.len() == first.len() && last.iter().zip(first).all(|(a, b)| a.abs_diff(*b) <= TIP_NOISE)
        }
        _ => false,
    },
};

/// The distinct segments of an output with their findings, video first.
#[derive(Debug, Default)]
pub struct SegmentFindings(pub Vec<(SegmentKey, Findings)>);

impl SegmentFindings {
    /// Adds the findings of the segments to `quality`. A segment that is used twice counts twice.
    pub fn judge(&self, rendition: &Rendition, finishing: Duration, quality: &mut Quality) {
        let findings_by_key: HashMap<&SegmentKey, &Findings> =
            self.0.iter().map(|(key, findings)| (key, findings)).collect();
        let sequence: Vec<&Findings> =
            rendition.video.iter().filter_map(|key| findings_by_key.get(key).copied()).collect();
        let sum = |run_kind: RunKind| {
            let inside: u64 = sequence.iter().map(|findings| (run_kind.inside)(findings)).sum();
            let across = across(&sequence, run_kind, min(run_kind.min_s, rendition.fps));
            let frames = Frames((inside + across).min(rendition.frames.0));
            (frames.seconds(rendition.fps) * 100.0).round() / 100.0
        };
        quality.black_seconds = sum(SOUGHT_BLACK);
        quality.frozen_seconds = sum(SOUGHT_FROZEN);
        let making: u64 = self.0.iter().map(|(_, findings)| findings.made_ms).sum();
        let work_s = making as f64 / 1000.0 + finishing.as_secs_f64();
        let speed = rendition.frames.seconds(rendition.fps) / work_s.max(0.001);
        quality.speed = Some((speed * 100.0).round() / 100.0);
    }

    /// The hashes of the output's frames; `None` if a segment of an earlier release has none.
    pub fn pictures(&self, rendition: &Rendition) -> Option<FrameHashes> {
        let findings_by_key: HashMap<&SegmentKey, &Findings> =
            self.0.iter().map(|(key, findings)| (key, findings)).collect();
        let hash_sequence = rendition.video.iter().map(|key| {
            let findings = findings_by_key.get(key)?;
            Some((findings.edges.as_ref()?.frames, findings.pictures.as_ref()?))
        });
        let hash_sequence: Vec<_> = hash_sequence.collect::<Option<_>>()?;
        Some(joined(hash_sequence, rendition.fps))
    }

    /// The segment with the best cover; the first of several equally good ones.
    pub fn cover(&self) -> Option<&SegmentKey> {
        let candidates = self.0.iter().filter_map(|(key, findings)| Some((key, findings.cover?)));
        let best = candidates.reduce(|best, next| if next.1.score > best.1.score { next } else { best });
        best.map(|(key, _)| key)
    }

    /// Segments whose source was damaged, and how.
    pub fn damaged(&self) -> Vec<(SegmentKey, Message)> {
        self.0.iter().filter_map(|(key, findings)| Some((key.clone(), findings.damage()?))).collect()
    }
}

/// Frames of runs that cross joints: the pieces too short to count in their own segment, if the run as a whole is long
/// enough.
fn across(sequence: &[&Findings], run_kind: RunKind, min: u64) -> u64 {
    let (mut sum, mut run, mut previous) = (0, Run::default(), None);
    for findings in sequence {
        let Some(edges) = &findings.edges else {
            (sum, run, previous) = (sum + run.uncounted(min), Run::default(), None);
            continue;
        };
        if !previous.is_some_and(|previous| (run_kind.continues)(previous, edges)) {
            sum += std::mem::take(&mut run).uncounted(min);
        }
        let [head, tail] = (run_kind.edges)(edges);
        run.add(head, min);
        if head == 0 || head != edges.frames {
            sum += std::mem::take(&mut run).uncounted(min);
            run.add(tail, min);
        }
        previous = Some(edges);
    }
    sum + run.uncounted(min)
}

/// A run that is followed across joints.
#[derive(Default)]
struct Run {
    frames: u64,
    /// Frames in pieces too short to count in their own segment.
    short: u64,
}

impl Run {
    fn add(&mut self, frames: u64, min: u64) {
        self.frames += frames;
        self.short += if frames < min { frames } else { 0 };
    }

    /// The frames of the run that its segments have not counted.
    fn uncounted(self, min: u64) -> u64 {
        if self.frames < min { 0 } else { self.short }
    }
}

/// The fewest frames that last this long.
fn min(seconds: f64, fps: Fps) -> u64 {
    (seconds * f64::from(fps.get()) - 1e-6).ceil() as u64
}

/// Reads what the run that encoded the segment wrote beside it ([`monitor`]). The file itself is decoded, strictly, and its
/// frames are counted.
pub async fn monitored(
    ffmpeg: &Ffmpeg,
    scratch: &Scratch,
    path: &Path,
    spec: &VideoSpec,
) -> Result<(Findings, Option<PathBuf>), TaskError> {
    let mut args = Args::default();
    args.extend(Strictness::Strict.options());
    args::decoder_threads(&mut args, spec);
    // Deblocking reads nothing of the file, so it can be skipped when only decodability is checked.
    args.add(["-skip_loop_filter", "all"]).extend(input_args(path));
    args.add(["-map", "0:v:0", "-fps_mode", "passthrough", "-f", "null", "-"]);
    decoded(ffmpeg, scratch, args.done(), spec).await?;
    let [black, frozen] =
        [BLACK_RUNS, FROZEN_RUNS].map(|files| files.map(|(key, file)| (key, scratch.file(file))));
    let monitor_files = MonitorFiles {
        black: read_runs(black, spec).await?,
        frozen: read_runs(frozen, spec).await?,
        small: scratch.file(SMALL),
        tips: scratch.file(TIPS),
        hashed: scratch.file(HASHED),
    };
    monitor_files.judge(scratch, spec, &Sampling::of(spec)).await
}

/// Runs as the `metadata` filter wrote them.
async fn read_runs(files: [(&str, PathBuf); 2], spec: &VideoSpec) -> Result<Vec<Range<u64>>, MediaError> {
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

/// Runs a decode that must give all planned frames.
async fn decoded(
    ffmpeg: &Ffmpeg,
    scratch: &Scratch,
    args: Vec<OsString>,
    spec: &VideoSpec,
) -> Result<RunReport, TaskError> {
    // A copied segment may be long, and took no longer than this to make.
    let wall = wall_limit(spec.frames, spec.fps).max(Duration::from_secs(600));
    let limits = Limits { stderr_bytes: LOG_BYTES, ..Limits::wall(wall) };
    let finished = ffmpeg.run_ffmpeg(&args, Some(scratch.path()), limits, |_| {}).await;
    let finished =
        finished.map_err(|error| run_error(error, |error| message::result_undecodable(error.to_string())))?;
    let decoded = finished.progress.frame;
    if decoded != spec.frames.0 {
        return Err(render_failed(message::frames_undecodable(decoded, spec.frames.0)));
    }
    Ok(finished)
}

/// Runs of black and of still frames, and the files of candidates for a cover, of the first and last frames, and of those
/// that are hashed.
struct MonitorFiles {
    black: Vec<Range<u64>>,
    frozen: Vec<Range<u64>>,
    small: PathBuf,
    tips: PathBuf,
    hashed: PathBuf,
}

impl MonitorFiles {
    async fn judge(
        self,
        scratch: &Scratch,
        spec: &VideoSpec,
        sampling: &Sampling,
    ) -> Result<(Findings, Option<PathBuf>), TaskError> {
        let Self { black, frozen, small, tips, hashed } = self;
        let luma = tokio::fs::read(&small).await.map_err(MediaError::file("read", &small))?;
        let tips = tokio::fs::read(&tips).await.map_err(MediaError::file("read", &tips))?;
        let hashed = tokio::fs::read(&hashed).await.map_err(MediaError::file("read", &hashed))?;
        let cover = cover::best(sampling, &luma);
        let jpeg =
            cover.map(|cover| scratch.file(&COVERS.replace("%d", &sampling.index(&cover).to_string())));
        let long = |runs: &[Range<u64>], min_s: f64| {
            let (lengths, min) = (runs.iter().map(|run| run.end - run.start), min(min_s, spec.fps));
            lengths.filter(|length| *length >= min).sum()
        };
        let findings = Findings {
            black_frames: long(&black, BLACK_S),
            frozen_frames: long(&frozen, FROZEN_S),
            cover,
            edges: Some(edges(&black, &frozen, &tips, spec.frames.0)),
            pictures: Some(FrameHashes(
                hashed.chunks_exact(HASHED_SIDE * HASHED_SIDE).map(FrameHash::of).collect(),
            )),
            ..Findings::default()
        };
        Ok((findings, jpeg))
    }
}

fn edges(black: &[Range<u64>], frozen: &[Range<u64>], tips: &[u8], frames: u64) -> Edges {
    let length = |run: Option<&Range<u64>>| run.map_or(0, |run| run.end - run.start);
    let ends = |runs: &[Range<u64>]| {
        let (first, last) = (runs.first(), runs.last());
        [length(first.filter(|run| run.start == 0)), length(last.filter(|run| run.end == frames))]
    };
    // A segment of one frame has only one.
    let mut tips = tips.chunks_exact(TIP_SIDE * TIP_SIDE);
    let first = tips.next();
    let tips = [first, tips.next().or(first)];
    let [head, tail] = ends(frozen);
    let tip_pixels = |tip: Option<&[u8]>, still: u64| tip.filter(|_| still > 0).map(<[u8]>::to_vec);
    Edges {
        black: ends(black),
        frozen: [head, tail],
        frames,
        tips: [tip_pixels(tips[0], head), tip_pixels(tips[1], tail)],
    }
}

/// Decodes a finished video segment once, strictly: counts its frames, detects black and still ones, and writes a JPEG
/// of the best one for a cover into the scratch folder.
pub async fn video(
    ffmpeg: &Ffmpeg,
    scratch: &Scratch,
    path: &Path,
    spec: &VideoSpec,
) -> Result<(Findings, Option<PathBuf>), TaskError> {
    let (sampling, small) = (Sampling::of(spec), scratch.file(SMALL));
    let finished = decoded(ffmpeg, scratch, decoding_args(path, spec, &sampling), spec).await?;
    if spec.encoder.is_copy() {
        check_silence(&finished.stderr)?;
    }
    let files = MonitorFiles {
        black: runs(&finished.stderr, "black_start:", "black_end:", spec.fps, spec.frames.0),
        frozen: runs(&finished.stderr, "freeze_start:", "freeze_end:", spec.fps, spec.frames.0),
        small,
        tips: scratch.file(TIPS),
        hashed: scratch.file(HASHED),
    };
    files.judge(scratch, spec, &sampling).await
}

/// A copied stream is used only if a decoder reports no errors.
fn check_silence(log: &str) -> Result<(), TaskError> {
    let complaint = log.lines().find(|line| ["[error]", "[fatal]"].iter().any(|level| line.contains(level)));
    complaint.map_or(Ok(()), |line| Err(render_failed(message::result_complaints(line))))
}

fn decoding_args(path: &Path, spec: &VideoSpec, sampling: &Sampling) -> Vec<OsString> {
    let mut args = Args::default();
    // The detectors log at this level; the prefix of each line identifies the detector.
    args.add(["-v", "level+info"]).extend(Strictness::Strict.options());
    args::decoder_threads(&mut args, spec);
    args.extend(input_args(path));
    args.option("-filter_complex", monitor::branches("0:v:0", &monitor::detectors(), sampling, spec));
    monitor::outputs(&mut args);
    args.done()
}

/// All runs that a detector reported. One that reaches the last frame ends there or has no end.
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
    fn a_repeated_segment_counts_twice() {
        let key = |name: &str| SegmentKey(name.into());
        let findings = |black: u64, score| Findings {
            black_frames: black,
            cover: Some(cover::Candidate { frame: black, score }),
            made_ms: 1000,
            ..Findings::default()
        };
        let parts = SegmentFindings(vec![(key("a"), findings(15, 1.0)), (key("b"), findings(3, 2.0))]);
        let rendition = Rendition {
            fps: Fps::new(30).unwrap(),
            size: clipmill_core::media::Size::new(64, 64),
            frames: Frames(90),
            tier: clipmill_core::pricing::Tier::of(clipmill_core::media::Size::new(64, 64)),
            video: vec![key("a"), key("b"), key("a")],
            audio: None,
            speech: Vec::new(),
            cover: None,
        };
        let mut quality = Quality::default();
        parts.judge(&rendition, Duration::from_secs(1), &mut quality);
        assert_eq!((quality.black_seconds, quality.frozen_seconds), (1.1, 0.0));
        assert_eq!(quality.speed, Some(1.0));
        assert_eq!(parts.cover(), Some(&key("b")));
    }

    #[test]
    fn runs_are_summed_and_the_last_one_reaches_the_end() {
        let fps = Fps::new(30).unwrap();
        assert_eq!(runs(LOG, "black_start:", "black_end:", fps, 210), [0..60, 90..105, 180..210]);
        assert_eq!(runs(LOG, "freeze_start:", "freeze_end:", fps, 210), [0..60, 150..210]);
        assert_eq!(runs("", "freeze_start:", "freeze_end:", fps, 210), []);
    }

    #[test]
    fn errors_are_distinguished_from_findings() {
        assert!(
            check_silence("[blackdetect @ 0x2] [info] black_start:0 black_end:2\n[warning] deprecated")
                .is_ok()
        );
        assert!(check_silence("[info] a\n[h264 @ 0x5] [error] concealing 5 DC").is_err());
    }

    fn segment(frames: u64, black: [u64; 2], frozen: [(u64, u8); 2]) -> Findings {
        let tips = frozen.map(|(still, luma)| (still > 0).then(|| vec![luma; 4]));
        let edges = Edges { black, frozen: frozen.map(|(still, _)| still), frames, tips };
        Findings { edges: Some(edges), ..Findings::default() }
    }

    #[test]
    fn black_across_seams_counts_as_one() {
        let black = |frames, edges| segment(frames, edges, [(0, 0); 2]);
        let check = |shown: &[Findings], expected: u64| {
            let shown: Vec<&Findings> = shown.iter().collect();
            assert_eq!(across(&shown, SOUGHT_BLACK, 3), expected, "{shown:#?}");
        };
        let (tail, head) = (|left| black(50, [0, left]), |right| black(50, [right, 0]));
        check(&[tail(1), head(1)], 0);
        check(&[tail(1), head(2)], 3);
        check(&[tail(2), head(0)], 0);
        check(&[tail(2)], 0);
        // Runs that are long enough count in their own segment.
        check(&[tail(5), head(1)], 1);
        check(&[tail(2), head(9)], 2);
        check(&[tail(5), head(5)], 0);
        // The run crosses a segment that is black as a whole.
        let whole = |frames| black(frames, [frames; 2]);
        check(&[tail(1), whole(1), head(1)], 3);
        check(&[whole(1), whole(1)], 0);
        check(&[whole(1), whole(1), whole(1), tail(2)], 3);
        check(&[tail(2), whole(9), head(1), head(2), head(0), tail(1)], 3);
        // Both ends of a segment are black, but not the middle.
        check(&[tail(1), black(50, [1, 1]), head(1)], 0);
        check(&[tail(2), black(50, [1, 2]), head(1)], 6);
        // Findings of earlier releases lack the edges or the length.
        check(&[tail(2), Findings::default(), head(2)], 0);
        check(&[tail(2), black(0, [1, 0]), head(2)], 3);
    }

    #[test]
    fn a_freeze_continues_only_in_the_same_frame() {
        let still = |tail: (u64, u8), head: (u64, u8)| {
            let shown = [segment(50, [0; 2], [(0, 0), tail]), segment(50, [0; 2], [head, (0, 0)])];
            across(&[&shown[0], &shown[1]], SOUGHT_FROZEN, 13)
        };
        assert_eq!(still((7, 100), (6, 100)), 13);
        assert_eq!(still((7, 100), (6, 102)), 13, "the encoder's noise");
        assert_eq!(still((7, 100), (6, 103)), 0);
        assert_eq!(still((7, 100), (0, 100)), 0);
        assert_eq!(still((20, 100), (6, 130)), 0);
    }

    #[test]
    fn findings_of_earlier_releases_can_be_read() {
        let read = |edges: &str| {
            let text = format!(
                r#"{{"blackFrames":1,"frozenFrames":2,"damage":null,"cover":null,"madeMs":3{edges}}}"#
            );
            serde_json::from_str::<Findings>(&text).unwrap().edges
        };
        assert_eq!(read(""), None);
        let edges = read(r#","edges":{"black":[1,2],"frozen":[3,4]}"#).unwrap();
        assert_eq!((edges.black, edges.frozen, edges.frames), ([1, 2], [3, 4], 0));
    }
}
