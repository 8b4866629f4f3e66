//! Outputs of a run beside the video, by which a segment is judged: black and still runs, candidates for a cover, hashes of
//! frames, the first and last frames. They are files in the working directory.

use clipmill_core::segment::VideoSpec;
use clipmill_core::similarity::{HASHED_SIDE, hashed_frames};

use crate::ffmpeg::args::Args;
use crate::ffmpeg::detectors::{black, frozen};
use crate::findings::cover::Sampling;

/// Filters that convert a segment's frames to the colours of JPEG.
pub const JPEG_COLOURS: &str = "zscale=matrixin=709:rangein=limited:matrix=470bg:range=full,format=yuvj420p";

/// Black and still frames are judged by every fourth pixel of every fourth row: the measures are means over the whole frame,
/// which these pixels give as well in a third of the time.
const SAMPLED: &str = "scale=w=max(16\\,iw/4):h=max(16\\,ih/4):flags=neighbor";
/// Shorter runs are found as well, because one that reaches a segment's end may continue in the next segment.
const SEEN_BLACK_S: f64 = 0.0;
const SEEN_FROZEN_S: f64 = 0.1;
/// The first and the last frame are kept at this size, to tell whether a still frame continues in the next segment.
pub const TIP_SIDE: usize = 16;

/// Candidates for a cover in the working directory. It is a pattern, so no folder's name may be part of it.
pub const COVERS: &str = "cover-%d.jpg";

/// Files of the monitor in the working directory. Each detector has two, for starts and for ends.
pub const SMALL: &str = "candidates.gray";
pub const TIPS: &str = "tips.gray";
pub const HASHED: &str = "hashed.gray";
pub const BLACK_RUNS: [(&str, &str); 2] =
    [("lavfi.black_start", "black-starts"), ("lavfi.black_end", "black-ends")];
pub const FROZEN_RUNS: [(&str, &str); 2] =
    [("lavfi.freezedetect.freeze_start", "frozen-starts"), ("lavfi.freezedetect.freeze_end", "frozen-ends")];

/// The graph from `made` to `out`, which is the same video, with branches to the outputs of [`outputs`].
pub(super) fn graph(spec: &VideoSpec, made: &str, out: &str) -> String {
    let detector_filters = BLACK_RUNS.iter().chain(&FROZEN_RUNS);
    let detector_filters: String =
        detector_filters.map(|(key, file)| format!(",metadata=mode=print:key={key}:file={file}")).collect();
    let branches = branches("seen", &format!("{}{detector_filters}", detectors()), &Sampling::of(spec), spec);
    format!("[{made}]split[{out}][seen];{branches}")
}

pub fn detectors() -> String {
    format!("{},{}", black(SEEN_BLACK_S), frozen(SEEN_FROZEN_S))
}

/// The frames from `from` through the detectors, the hashed frames, candidates for a cover (small for judging, whole for
/// showing), and the first and last frames.
pub fn branches(from: &str, detectors: &str, sampling: &Sampling, spec: &VideoSpec) -> String {
    let last = spec.frames.0.saturating_sub(1);
    format!(
        "[{from}]split=3[all][some][ends];[all]{SAMPLED},split[tried][half];[tried]{detectors}[whole];\
         [half]select={},scale={HASHED_SIDE}:{HASHED_SIDE}:flags=area,format=gray[hashed];\
         [some]{},split[few][shown];[few]{}[small];\
         [shown]{JPEG_COLOURS}[jpeg];[ends]select=not(n)+eq(n\\,{last}),scale={TIP_SIDE}:{TIP_SIDE}:flags=area,format=gray[tips]",
        hashed_frames(spec.frames.0, spec.fps),
        sampling.select(),
        sampling.judged()
    )
}

/// The outputs of [`branches`].
pub fn outputs(args: &mut Args) {
    args.add(["-map", "[whole]", "-fps_mode", "passthrough", "-f", "null", "-"]);
    args.add(["-map", "[small]", "-fps_mode", "passthrough", "-c:v", "rawvideo", "-f", "rawvideo", SMALL]);
    args.add(["-map", "[hashed]", "-fps_mode", "passthrough", "-c:v", "rawvideo", "-f", "rawvideo", HASHED]);
    args.add(["-map", "[tips]", "-fps_mode", "passthrough", "-c:v", "rawvideo", "-f", "rawvideo", TIPS]);
    args.add(["-map", "[jpeg]", "-fps_mode", "passthrough", "-c:v", "mjpeg", "-q:v", "3"]);
    args.add(["-fflags", "+bitexact", "-flags:v", "+bitexact", "-start_number", "0", "-f", "image2", COVERS]);
}
