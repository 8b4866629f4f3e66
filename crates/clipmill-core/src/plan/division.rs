//! How the video of a task is divided among the cores of an installation: into parts, each encoded by some threads.
//!
//! Only the plan and the width decide, never the cores of the machine that plans or renders, nor how busy they are: the
//! same request, seed and width give the same frames. Of all divisions, the one is chosen that is rendered first on
//! `width` idle cores, by a model of the rendering time. A coarser one is kept if a finer one gains little.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::encoding::{Encoder, Encoding, keyframe_interval};
use crate::media::VideoInfo;
use crate::plan::parts::{MAX_PARTS, Range, part_count, part_seconds, parts};
use crate::plan::{Context, Plan, PlannedSegment};
use crate::segment::{SegmentKey, SegmentSpec, VideoSpec};
use crate::time::{Fps, Frames};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Division {
    /// The length of parts in seconds; 0 renders each video as a whole.
    pub part_seconds: u64,
    /// The threads of each encode.
    pub threads: u32,
}

/// The maximum number of threads of one encode. More threads hardly make a video faster.
const MAX_THREADS: u32 = 4;

/// Lengths of parts that are tried, in seconds. The last part of a video is at least half as long.
const LENGTHS: [u64; 7] = [16, 12, 8, 6, 4, 3, 2];

impl Division {
    /// Videos as a whole, each encoded as fast as one alone can be.
    pub fn whole(context: &Context) -> Self {
        let threads = match context.encoding.threads {
            0 => MAX_THREADS.min(context.division.width.max(1)),
            fixed => fixed,
        };
        Self { part_seconds: 0, threads }
    }
}

/// What splitting video segments costs. A segment that is not listed costs nothing more.
#[derive(Default)]
pub(crate) struct Splits(FxHashMap<SegmentKey, Split>);

#[derive(Debug, Clone, Copy, PartialEq)]
enum Split {
    Impossible,
    /// Each part decodes from the previous keyframe of a source that has one at least every so many seconds.
    From(f64),
}

impl Splits {
    /// Adds a segment that reads `source`; `None` if it cannot be split.
    pub fn add(&mut self, key: &SegmentKey, source: Option<&VideoInfo>) {
        let split = match source.map(|video| video.keyframe_interval_s) {
            None => Split::Impossible,
            Some(interval_s) if interval_s > 1.0 => Split::From(interval_s),
            Some(_) => return,
        };
        self.0.insert(key.clone(), split);
    }
}

/// A video segment as a whole.
struct Video {
    frames: Frames,
    fps: Fps,
    pixels: u64,
    split: Split,
}

/// Settings of an installation that decide on divisions.
#[derive(Debug, Clone, Copy)]
pub struct DivisionSettings {
    /// The cores that plans are made for: a value of the installation, not of the machine that plans.
    pub width: u32,
    /// Videos much longer than this are rendered in parts of at most this length, or of a multiple of it if a task would
    /// have thousands; 0 renders each as a whole.
    pub part_seconds: u64,
}

impl DivisionSettings {
    /// Every video as a whole.
    pub const WHOLE: Self = Self { width: 1, part_seconds: 0 };
}

/// Divides the video of a task of whole videos.
pub(crate) fn division(
    whole: &Plan,
    splits: &Splits,
    settings: DivisionSettings,
    encoding: Encoding,
) -> Division {
    let coarsest = part_seconds(&whole.segments, settings.part_seconds);
    let videos: Vec<Video> =
        encoded(&whole.segments).map(|(key, spec)| Video::new(spec, splits.0.get(key).copied())).collect();
    let width = settings.width.max(1);
    let threads = match encoding.threads {
        0 => 1..=MAX_THREADS.min(width),
        fixed => fixed..=fixed,
    };
    let fewest = Division { part_seconds: coarsest, threads: *threads.start() };
    // So many videos keep all cores busy, and dividing them would only cost more.
    if videos.len() as u64 > 4 * (u64::from(width) + 1) {
        return fewest;
    }
    // Copied video, and video of a device, which encodes in parallel by itself: the threads are those of its fallback.
    if videos.is_empty() || encoding.encoder != Encoder::Libx264 {
        return Division { threads: *threads.end(), ..fewest };
    }
    let is_finer = |length: &u64| {
        *length < settings.part_seconds
            && (coarsest == 0 || *length < coarsest)
            && part_count(&whole.segments, *length) <= MAX_PARTS
    };
    let finer = LENGTHS.into_iter().filter(is_finer).filter(|length| costs_little(whole, &videos, *length));
    let mut best = (fewest, u64::MAX);
    for part_seconds in std::iter::once(coarsest).chain(finer) {
        for threads in threads.clone() {
            let time = makespan(&videos, part_seconds, threads, width);
            if gains(time, best.1) {
                best = (Division { part_seconds, threads }, time);
            }
        }
    }
    best.0
}

/// Whether a time is shorter than another by 3 % or more.
fn gains(time: u64, than: u64) -> bool {
    time < than - than / 32
}

fn encoded(segments: &[PlannedSegment]) -> impl Iterator<Item = (&SegmentKey, &VideoSpec)> {
    segments.iter().filter_map(|segment| match &segment.spec {
        SegmentSpec::Video(video) if !video.encoder.is_copy() => Some((&segment.key, video)),
        _ => None,
    })
}

impl Video {
    fn new(spec: &VideoSpec, split: Option<Split>) -> Self {
        let pixels = u64::from(spec.size.width) * u64::from(spec.size.height);
        Self { frames: spec.frames, fps: spec.fps, pixels, split: split.unwrap_or(Split::From(0.0)) }
    }

    fn parts(&self, part_seconds: u64) -> impl Iterator<Item = Range> {
        let part_seconds = if self.split == Split::Impossible { 0 } else { part_seconds };
        parts(self.frames, self.frames, self.fps, part_seconds)
    }

    /// Frames that are decoded before a part, on average.
    fn lead(&self, part: Range) -> u64 {
        match self.split {
            Split::From(interval_s) => Frames::nearest(interval_s / 2.0, self.fps).min(part.begin).0,
            Split::Impossible => 0,
        }
    }

    /// Keyframes of the video in these parts: each begins with one, and another follows at the latest after the
    /// encoder's interval.
    fn keyframes(&self, part_seconds: u64) -> u64 {
        let interval = keyframe_interval(self.fps);
        self.parts(part_seconds).map(|part| part.frames().0.div_ceil(u64::from(interval)).max(1)).sum()
    }
}

/// Whether parts of this length add few keyframes: each additional one makes ten seconds of video about 2 % larger. Outputs
/// of 20 s and more may grow by 2 %, shorter ones by 6 %.
fn costs_little(whole: &Plan, videos: &[Video], part_seconds: u64) -> bool {
    let renditions = whole.items.iter().filter_map(|item| item.outcome.as_ref().ok());
    let is_long = renditions.into_iter().any(|output| output.frames.seconds(output.fps) >= 20.0);
    let seconds: f64 = videos.iter().map(|video| video.frames.seconds(video.fps)).sum();
    let keyframes = |length| videos.iter().map(|video| video.keyframes(length)).sum::<u64>();
    let added = keyframes(part_seconds) - keyframes(0).min(keyframes(part_seconds));
    added as f64 * if is_long { 10.0 } else { 10.0 / 3.0 } <= seconds
}

/// Milliseconds of one encode that do not depend on its length: two processes begin, the second one checks the result.
const START_MS: u64 = 200;

/// Microseconds of one core for a frame: reading one of 1920×1080, and making a million pixels of the output.
const READ_US: u64 = 6_000;
const ENCODE_US: u64 = 15_000;

/// How much faster an encode is with 1 to 4 threads, and how many cores it then keeps busy, both times 10. Measured for 1 and
/// 2 threads (docs/contributing/performance-measurements.md), modelled for more.
const SPEEDUP: [u64; MAX_THREADS as usize] = [10, 15, 19, 22];
const CORES: [u64; MAX_THREADS as usize] = [10, 17, 24, 30];

fn of_threads(table: [u64; MAX_THREADS as usize], threads: u32) -> u64 {
    table[threads.clamp(1, MAX_THREADS) as usize - 1]
}

/// Milliseconds until all videos are rendered on `width` idle cores. As many encodes run at the same time as one core more has
/// threads for, which keeps all cores busy while one begins or ends; they share the cores evenly.
fn makespan(videos: &[Video], part_seconds: u64, threads: u32, width: u32) -> u64 {
    let mut encodes: Vec<u64> = videos
        .iter()
        .flat_map(|video| {
            let frame_us = READ_US + ENCODE_US * video.pixels / 1_000_000;
            let cost = move |part: Range| READ_US * video.lead(part) + frame_us * part.frames().0;
            let speedup = of_threads(SPEEDUP, threads);
            video.parts(part_seconds).map(move |part| START_MS + cost(part) / (100 * speedup))
        })
        .collect();
    encodes.sort_unstable_by_key(|time| Reverse(*time));
    let parallel = ((width + 1) / threads).max(1) as usize;
    let mut waiting = encodes.into_iter();
    // The ends of running encodes, on a clock that advances as each of them does.
    let mut running = BinaryHeap::new();
    let (mut clock, mut time) = (0, 0);
    let available = 10 * u64::from(width);
    loop {
        running.extend(waiting.by_ref().take(parallel - running.len()).map(|alone| Reverse(clock + alone)));
        let used = running.len() as u64 * of_threads(CORES, threads);
        let Some(Reverse(end)) = running.pop() else { return time };
        time += (end - clock) * used.max(available) / available;
        clock = end;
    }
}
