//! Scans the frames of a file for cuts and for black, still or blurred stretches.
//!
//! Everything is measured in one pass over small frames, which costs little compared with decoding. Of a long file,
//! stretches spread over it are scanned.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use clipmill_core::error::TaskError;
use clipmill_core::media::{Cuts, VideoInfo};
use tokio::time::Instant;

use crate::error::MediaError;
use crate::ffmpeg::args::Args;
use crate::ffmpeg::detectors::{self, number};
use crate::ffmpeg::policy::input_args;
use crate::ffmpeg::process::{Ffmpeg, Limits, ProcessError};

/// The longer side of the sampled frames: means over them are those of the whole frames.
const SIDE: u32 = 160;
/// The longer side of the frames in which blur is measured; sharp edges are still sharp at this size.
const BLUR_SIDE: u32 = 320;
/// A cut is where the score of ffmpeg's `scdet` reaches this value, which is its default.
const CUT_SCORE: &str = "10";
/// A frame is blurred if its edges are on average this many pixels wide (`blurdetect`). Sharp footage has 3 to 6, and 8 if
/// its smallest detail is a hundredth of the width.
const BLURRED: f64 = 8.0;
/// How often blur is measured.
const BLUR_EVERY_S: f64 = 1.0;
const BLACK_S: f64 = 0.1;
const FROZEN_S: f64 = 0.5;
/// How much of a file is scanned; less if its frames are large or many: as many pixels as ten minutes of 1080p at 60 frames
/// a second have. Longer files are scanned in stretches of [`WINDOW_S`].
const MAX_S: f64 = 600.0;
const MAX_PIXELS: f64 = 600.0 * 60.0 * 1920.0 * 1080.0;
const MIN_WINDOWS: u32 = 3;
const WINDOW_S: f64 = 20.0;
/// After this time the scan ends, and the results so far are used.
const TIMEOUT: Duration = Duration::from_secs(600);
/// The time between a window's edge and a cut counts as a take only if it is this long: then the edge is somewhere
/// within a take, and as good a start as any other position in it.
const EDGE_S: f64 = 10.0;
/// Three times the log of ten minutes in which every frame is a cut.
const LOG_BYTES: usize = 16 << 20;

/// The result of one pass, in seconds after the file's first frame.
#[derive(Debug, Default, PartialEq)]
struct ScanResult {
    cuts: Vec<f64>,
    dull: Vec<(f64, f64)>,
    /// The time of the first decoded frame, relative to where the scan began.
    first: Option<f64>,
}

/// Scans the video of a file. Frames that cannot be decoded end the scan without an error, because rendering the file
/// reports them.
pub async fn find(ffmpeg: &Ffmpeg, path: &Path, video: &VideoInfo) -> Result<Cuts, TaskError> {
    let (mut takes, mut dull, mut delay) = (Vec::new(), Vec::new(), None);
    let began = Instant::now();
    for (from, to) in windows(video) {
        if began.elapsed() > TIMEOUT {
            break;
        }
        let scan = look(ffmpeg, path, video, (from, to)).await?;
        // If a container has no presentation times, those of the decoder are later, all by the same amount.
        let late = *delay.get_or_insert_with(|| delayed(scan.first, video));
        let cuts: Vec<f64> = scan.cuts.iter().map(|cut| cut - late).collect();
        takes.extend(takes_of(&cuts, (from, to)));
        let scan =
            scan.dull.into_iter().map(|(begin, end)| ((begin - late).max(from), (end - late).max(from)));
        dull.extend(scan.filter(|(begin, end)| begin < end));
    }
    Ok(Cuts { takes, dull: joined(dull) })
}

/// How much later the first frame is than its packets state; zero if frames before it could not be decoded.
fn delayed(first: Option<f64>, video: &VideoInfo) -> f64 {
    const MAX_FRAMES: f64 = 4.5;
    first.filter(|late| late.abs() * video.rate < MAX_FRAMES).unwrap_or_default()
}

/// The stretches of a file that are scanned.
fn windows(video: &VideoInfo) -> Vec<(f64, f64)> {
    let pixels = video.rate * f64::from(video.coded.width) * f64::from(video.coded.height);
    let max = MAX_S.min(MAX_PIXELS / pixels.max(1.0));
    let duration_s = video.duration_s;
    let count = ((max / WINDOW_S) as u32).max(MIN_WINDOWS);
    if duration_s <= max || duration_s <= f64::from(count) * WINDOW_S {
        return vec![(0.0, duration_s)];
    }
    let step = duration_s / f64::from(count);
    (0..count).map(|number| (f64::from(number) * step, f64::from(number) * step + WINDOW_S)).collect()
}

/// Takes between the cuts of a window, as far as they are in it. The file's beginning counts as a cut.
fn takes_of(cuts: &[f64], (from, to): (f64, f64)) -> Vec<(f64, f64)> {
    let edges: Vec<f64> = [from]
        .into_iter()
        .chain(cuts.iter().copied().filter(|cut| from < *cut && *cut < to))
        .chain([to])
        .collect();
    let is_take = |pair: &&[f64]| pair[0] > from || from <= 0.0 || pair[1] - pair[0] >= EDGE_S;
    edges.windows(2).filter(is_take).map(|pair| (pair[0], pair[1])).collect()
}

/// Sorts stretches and merges those that touch.
fn joined(mut stretches: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    stretches.sort_by(|a, b| a.0.total_cmp(&b.0));
    stretches.dedup_by(|next, last| {
        let touches = next.0 <= last.1;
        if touches {
            last.1 = last.1.max(next.1);
        }
        touches
    });
    stretches
}

async fn look(
    ffmpeg: &Ffmpeg,
    path: &Path,
    video: &VideoInfo,
    window: (f64, f64),
) -> Result<ScanResult, TaskError> {
    let seconds = window.1 - window.0;
    // Several times slower than playback, with a minimum for short files on a slow disk.
    let wall = Duration::from_secs_f64((seconds * 5.0).max(60.0)).min(TIMEOUT);
    let limits = Limits { stderr_bytes: LOG_BYTES, ..Limits::wall(wall) };
    let log = match ffmpeg.run_ffmpeg(&args(path, video, window), None, limits, |_| {}).await {
        Ok(finished) => finished.stderr,
        Err(ProcessError::Failed { stderr, .. } | ProcessError::Crashed { stderr, .. }) => stderr,
        Err(ProcessError::TimedOut { .. }) => String::new(),
        Err(error) => return Err(MediaError::from(error).into()),
    };
    Ok(read(&log, window))
}

fn args(path: &Path, video: &VideoInfo, (from, to): (f64, f64)) -> Vec<OsString> {
    let mut args = Args::default();
    // The detectors log at this level.
    args.add(["-v", "info", "-threads", "1", "-skip_loop_filter", "all", "-noautorotate", "-copyts"]);
    if from > 0.0 || to < video.duration_s {
        // The container's clock starts with its first stream, perhaps a little before the first frame.
        args.option("-ss", format!("{from:.6}")).option("-t", format!("{:.6}", to - from + 1.0));
    }
    args.extend(input_args(path));
    args.add(["-filter_complex_threads", "1"]).option("-filter_complex", graph(video, from));
    args.add(["-map", "[all]", "-map", "[some]", "-fps_mode", "passthrough", "-f", "null", "-"]);
    args.done()
}

/// Times in the log count from `from` seconds after the first frame, because large times are logged with few digits.
fn graph(video: &VideoInfo, from: f64) -> String {
    let small = |max: u32| {
        let side = |dimension: &str| format!("max(16\\,trunc({dimension}*min(1\\,{max}/max(iw\\,ih))/2)*2)");
        format!("scale=w={}:h={}:flags=neighbor,format=yuv420p", side("iw"), side("ih"))
    };
    format!(
        "[0:{}]setpts=PTS-({:.6})/TB,split[seen][few];[seen]{},scdet=t={CUT_SCORE},{},{}[all];\
         [few]select=isnan(prev_selected_t)+gte(t-prev_selected_t\\,{BLUR_EVERY_S}),{},blurdetect,\
         metadata=mode=print:key=lavfi.blur[some]",
        video.stream_index,
        video.start_s + from,
        small(SIDE),
        detectors::black(BLACK_S),
        detectors::frozen(FROZEN_S),
        small(BLUR_SIDE),
    )
}

fn read(log: &str, (from, to): (f64, f64)) -> ScanResult {
    let mut scan = ScanResult::default();
    let (mut black, mut frozen, mut measured) = (None, None, None);
    let mut measurements = Vec::new();
    let within = |seconds: f64| (seconds + from).clamp(from, to);
    for line in log.lines() {
        if let Some(at) = number(line, "lavfi.scd.time: ") {
            scan.cuts.push(at + from);
        } else if let (Some(start), Some(end)) = (number(line, "black_start:"), number(line, "black_end:")) {
            scan.dull.push((within(start), within(end)));
            black = None;
        } else if let Some(start) = number(line, "black_start:") {
            black = Some(start);
        } else if let Some(start) = number(line, "freeze_start: ") {
            frozen = Some(start);
        } else if let (Some(start), Some(end)) = (frozen, number(line, "freeze_end: ")) {
            scan.dull.push((within(start), within(end)));
            frozen = None;
        } else if let Some(at) = number(line, "pts_time:") {
            scan.first.get_or_insert(at);
            measured = Some(at);
        } else if let (Some(at), Some(width)) = (measured, number(line, "lavfi.blur=")) {
            measurements.push((at + from, width >= BLURRED));
        }
    }
    // Runs without an end extend to the end of the window.
    scan.dull.extend([black, frozen].into_iter().flatten().map(|start| (within(start), to)));
    let blurred = blurred(&measurements, &scan.cuts);
    scan.dull.extend(blurred.map(|(begin, end)| (begin.clamp(from, to), end.clamp(from, to))));
    scan
}

/// The blurred stretches. A measurement holds until the next one, but not beyond a cut, because the frames after it
/// were not measured yet.
/// measured yet.
fn blurred<'a>(
    measurements: &'a [(f64, bool)],
    cuts: &'a [f64],
) -> impl Iterator<Item = (f64, f64)> + use<'a> {
    /// The log may round the times of a cut and of a measurement of the same frame differently.
    const CLOCK_S: f64 = 1e-3;
    let nexts = measurements.iter().skip(1).map(|(at, _)| *at).chain([f64::INFINITY]);
    let blurred = measurements.iter().zip(nexts).filter(|((_, is_blurred), _)| *is_blurred);
    blurred.map(|(&(at, _), next)| {
        let cut = cuts.iter().copied().find(|cut| *cut > at + CLOCK_S);
        (at, cut.map_or(next, |cut| cut.min(next)))
    })
}

#[cfg(test)]
mod tests {
    use clipmill_core::media::Size;

    use super::*;

    #[test]
    fn a_log_is_read() {
        let log = "\
[Parsed_metadata_9 @ 0x1] frame:0    pts:0       pts_time:0
[Parsed_metadata_9 @ 0x1] lavfi.blur=3.407892
[freezedetect @ 0x1] lavfi.freezedetect.freeze_start: 0.4
[freezedetect @ 0x1] lavfi.freezedetect.freeze_duration: 2
[freezedetect @ 0x1] lavfi.freezedetect.freeze_end: 2.4
[scdet @ 0x2] lavfi.scd.score: 15.020, lavfi.scd.time: 2.48
[Parsed_metadata_9 @ 0x1] frame:1    pts:6144    pts_time:3.5
[Parsed_metadata_9 @ 0x1] lavfi.blur=9.5
[Parsed_metadata_9 @ 0x1] frame:1    pts:6144    pts_time:4
[Parsed_metadata_9 @ 0x1] lavfi.blur=-nan
[blackdetect @ 0x2] black_start:5 black_end:5.5 black_duration:0.5
[freezedetect @ 0x1] lavfi.freezedetect.freeze_start: 19
";
        let scan = read(log, (100.0, 120.0));
        assert_eq!(scan.cuts, [102.48]);
        assert_eq!(joined(scan.dull), [(100.4, 102.4), (103.5, 104.0), (105.0, 105.5), (119.0, 120.0)]);
        assert_eq!(scan.first, Some(0.0));
        assert_eq!(read("", (0.0, 1.0)), ScanResult::default());
    }

    #[test]
    fn blur_ends_at_a_cut() {
        let check = |cuts: &[f64], expected: &[(f64, f64)]| {
            let mut log = String::new();
            for (at, width) in [(0.0, 4.0), (1.0, 9.0), (2.0, 9.0), (3.0, 4.0), (4.0, 9.0)] {
                log += &format!("pts_time:{at}\nlavfi.blur={width}\n");
            }
            // The two branches of the graph log independently of each other.
            cuts.iter().for_each(|cut| log += &format!("lavfi.scd.time: {cut}\n"));
            assert_eq!(joined(read(&log, (10.0, 15.0)).dull), expected, "{cuts:?}");
        };
        check(&[], &[(11.0, 13.0), (14.0, 15.0)]);
        check(&[2.4, 2.8, 4.5], &[(11.0, 12.4), (14.0, 14.5)]);
        check(&[1.5], &[(11.0, 11.5), (12.0, 13.0), (14.0, 15.0)]);
        check(&[2.000_01, 4.0], &[(11.0, 13.0), (14.0, 15.0)]);
    }

    #[test]
    fn takes_are_between_cuts_and_the_ends_of_scans() {
        assert_eq!(takes_of(&[], (0.0, 5.0)), [(0.0, 5.0)]);
        assert_eq!(takes_of(&[2.0, 3.5], (0.0, 5.0)), [(0.0, 2.0), (2.0, 3.5), (3.5, 5.0)]);
        // Footage before a window is unknown, so a take at its edge counts only if it is long.
        assert_eq!(takes_of(&[105.0, 112.0], (100.0, 120.0)), [(105.0, 112.0), (112.0, 120.0)]);
        assert_eq!(takes_of(&[119.5], (100.0, 120.0)), [(100.0, 119.5), (119.5, 120.0)]);
        assert_eq!(takes_of(&[], (100.0, 120.0)), [(100.0, 120.0)]);
    }

    #[test]
    fn long_and_large_files_are_sampled() {
        let video = |duration_s: f64, rate: f64, width: u32, height: u32| {
            VideoInfo::plain(Size::new(width, height), duration_s, rate)
        };
        let hd = |duration_s| windows(&video(duration_s, 30.0, 1920, 1080));
        assert_eq!(hd(600.0), [(0.0, 600.0)]);
        let of_hours = hd(7200.0);
        assert_eq!((of_hours.len(), of_hours[0], of_hours[29]), (30, (0.0, 20.0), (6960.0, 6980.0)));
        let just_longer = hd(601.0);
        assert!(just_longer.windows(2).all(|pair| pair[0].1 <= pair[1].0));
        assert!(just_longer.last().unwrap().1 <= 601.0);
        // Ten minutes of 8K are scanned in three places, a minute as a whole.
        let large = |duration_s| windows(&video(duration_s, 60.0, 7680, 4320));
        assert_eq!(large(600.0), [(0.0, 20.0), (200.0, 220.0), (400.0, 420.0)]);
        assert_eq!(large(60.0), [(0.0, 60.0)]);
    }
}
