//! Limits of a run's time and of its output's size, derived from its plan.

use std::time::Duration;

use clipmill_core::segment::{AudioSpec, SegmentSpec, VideoSpec};
use clipmill_core::time::{Fps, Frames};

use crate::ffmpeg::args;
use crate::ffmpeg::process::Limits;

/// Generous for a slow machine: two minutes, and half a minute per second of output.
pub(crate) fn wall_limit(frames: Frames, fps: Fps) -> Duration {
    Duration::from_secs(120 + 30 * frames.started_seconds(fps))
}

pub(crate) fn video_limits(spec: &VideoSpec) -> Limits {
    // The footage before a part may have to be read as well.
    let part_start = spec.part.map_or(Frames(0), |part| part.begin);
    Limits::wall(wall_limit(part_start + spec.frames, spec.fps)).file_bytes(2 * args::max_bytes(spec))
}

pub(crate) fn audio_wall_limit(spec: &AudioSpec) -> Duration {
    Duration::from_secs(120 + spec.samples.0 / 24_000)
}

pub(crate) fn planned_bytes(spec: &SegmentSpec) -> u64 {
    match spec {
        SegmentSpec::Video(picture) => args::max_bytes(picture),
        SegmentSpec::Audio(sound) => wav_bytes(sound),
    }
}

/// The size of stereo in 32-bit floats.
pub(crate) fn wav_bytes(spec: &AudioSpec) -> u64 {
    spec.samples.0.saturating_mul(8)
}
