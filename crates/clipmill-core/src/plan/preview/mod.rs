//! Single frames and short clips of a task before it is rendered; thumbnails of catalogue entries.

pub(crate) mod clip;
pub(crate) mod frame;
pub(crate) mod thumbnail;

use std::ops::Range;

use serde::Serialize;

use crate::error::TaskError;
use crate::filter_graph::Filter;
use crate::plan::model::{Rendition, SourceRef};
use crate::request::Moment;
use crate::segment::{self, FrameKey, Toolchain, VideoSpec};
use crate::time::{Fps, Frames};

/// At least this much of an output that is as long is played, wherever a clip of it would begin.
const MIN_S: f64 = 1.0;

/// A frame to be made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannedFrame {
    /// Begins shortly before the frame; absent if that is the beginning anyway.
    pub quick: Option<FrameSpec>,
    /// Begins where the segment begins: for sources that cannot be read from the middle.
    pub exact: FrameSpec,
    pub sources: Vec<SourceRef>,
    /// The frame's time in the output and the output's length, in seconds.
    pub at_s: f64,
    pub length_s: f64,
}

/// One way to make a frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrameSpec {
    #[serde(rename = "picture")]
    pub video: VideoSpec,
    /// The wanted frame, on the clock of the graph's frames.
    pub frame: Frames,
    /// Where reading of the source may begin, in microseconds after its first frame.
    pub seek_us: Option<i64>,
}

/// The reason why there is no such frame.
#[derive(Debug, Clone, PartialEq)]
pub enum FrameError {
    /// The task has only this many outputs.
    NoSuchItem(u32),
    /// The output has only this many clips.
    NoSuchClip(usize),
    Task(TaskError),
}

impl From<TaskError> for FrameError {
    fn from(error: TaskError) -> Self {
        Self::Task(error)
    }
}

impl PlannedFrame {
    /// The key of the frame at this width: frames with equal keys look the same. Where files come from does not matter.
    pub fn name(&self, toolchain: &Toolchain, width: u32) -> FrameKey {
        FrameKey(segment::name(toolchain, &(&self.quick, &self.exact, width)))
    }
}

impl FrameSpec {
    /// The filter that selects the wanted frame.
    pub fn chosen(&self) -> Filter {
        Filter::new("trim").arg("start", before(self.frame, self.video.fps))
    }

    /// The same frame with all files read from their beginnings.
    pub(crate) fn unentered(self) -> Self {
        Self { seek_us: None, ..self }
    }
}

/// A time shortly before a frame, in seconds. The filter may round it to whole frames, so it is nearer to this frame than to
/// the previous one.
fn before(frame: Frames, fps: Fps) -> String {
    format!("{:.6}", ((frame.0 as f64 - 0.25) / f64::from(fps.get())).max(0.0))
}

/// The requested range of the output.
#[derive(Clone, Copy)]
pub(crate) struct ClipRange<'m> {
    pub moment: &'m Moment,
    pub seconds: f64,
}

impl ClipRange<'_> {
    /// Its frames, if the output has so many and the moment counts from `origin`.
    pub fn frames(self, origin: Frames, total: Frames, fps: Fps) -> Range<Frames> {
        let least = Frames::nearest(MIN_S, fps).min(total);
        let latest = Frames(total.0 - least.0);
        let begin = (origin + Frames::nearest(self.moment.at_s.unwrap_or(0.0), fps)).min(latest);
        let length = Frames::nearest(self.seconds, fps).max(Frames(1));
        begin..(begin + length).min(total)
    }
}

/// A clip whose segments are registered.
pub(crate) struct RegisteredClip {
    pub rendition: Rendition,
    pub shown: Range<Frames>,
    pub total: Frames,
}

pub(crate) fn no_more_than(clips: usize, moment: &Moment) -> Result<(), FrameError> {
    match moment.clip {
        Some(clip) if clip >= clips => Err(FrameError::NoSuchClip(clips)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frame_is_selected_in_coarse_and_fine_times() {
        for fps in Fps::ALLOWED.map(|fps| Fps::new(fps).unwrap()) {
            let rate = f64::from(fps.get());
            for frame in 0..20_000 {
                let start: f64 = before(Frames(frame), fps).parse().unwrap();
                let frame = frame as f64;
                assert_eq!((start * rate).round(), frame, "{rate} {frame}");
                assert!(start <= frame / rate && start > (frame - 1.0) / rate, "{rate} {frame}");
            }
        }
    }
}
