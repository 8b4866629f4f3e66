//! The timeline of one output for editing programs: planned like a preview, from the request and the facts about its
//! files, without segments.

pub(crate) mod audio;
pub(crate) mod mix;
mod recipe;
mod transitions;

use std::collections::HashMap;

pub use recipe::as_planned;

use crate::editorial::{EditorialMedia, EditorialMediaKind, EditorialTimeline};
use crate::media::{AudioInfo, Facts, MediaInfo, VideoInfo};
use crate::plan::build::Builder;
use crate::plan::division::Division;
use crate::plan::preview::FrameError;
use crate::plan::preview::clip::clip_inputs;
use crate::plan::task_types::planner;
use crate::plan::{Context, Moment, NeededInput};
use crate::request::model::TaskRequest;
use crate::time::{Fps, Frames};

/// Files that the timeline of an output depends on and that are not in `facts` yet. Call it again after each round.
pub fn editorial_inputs(request: &TaskRequest, seed: u64, facts: &Facts, item_no: u32) -> Vec<NeededInput> {
    clip_inputs(request, seed, facts, &Moment { item_no, at_s: None, clip: None })
}

/// The timeline of an output. All files that [`editorial_inputs`] lists must be in `facts`.
pub fn editorial_timeline<'a>(
    request: &'a TaskRequest,
    seed: u64,
    facts: &'a Facts,
    context: &'a Context<'a>,
    item_no: u32,
) -> Result<EditorialTimeline, FrameError> {
    let items = request.params.total_items() as u32;
    if item_no == 0 || item_no > items {
        return Err(FrameError::NoSuchItem(items));
    }
    let mut builder = Builder::new(facts, context, Division::whole(context));
    planner(&request.params).editorial(seed, item_no, &mut builder)
}

/// The files of a timeline, each once.
#[derive(Default)]
pub(crate) struct MediaTable<'a> {
    indexes: HashMap<&'a str, usize>,
    media: Vec<EditorialMedia>,
}

impl<'a> MediaTable<'a> {
    /// The index of a file.
    pub fn index(&mut self, url: &'a str, info: &MediaInfo) -> usize {
        *self.indexes.entry(url).or_insert_with(|| {
            self.media.push(described(url, info));
            self.media.len() - 1
        })
    }

    pub fn media(&self) -> &[EditorialMedia] {
        &self.media
    }

    pub fn into_media(self) -> Vec<EditorialMedia> {
        self.media
    }
}

fn described(url: &str, info: &MediaInfo) -> EditorialMedia {
    let audio_s = info.audio.as_ref().map_or(0.0, |audio| audio.duration_s);
    let (kind, duration_s) = match &info.video {
        Some(video) if !video.still => (EditorialMediaKind::Video(video.rate), video.duration_s),
        // A cover image in a file of audio.
        Some(_) if info.audio.is_none() => (EditorialMediaKind::Image, 0.0),
        _ => (EditorialMediaKind::Audio, audio_s),
    };
    EditorialMedia {
        url: url.to_owned(),
        content: info.content.clone(),
        size_bytes: info.size_bytes,
        format: info.format.clone(),
        kind,
        duration_s,
        audio_end_s: audio_end_s(info),
    }
}

/// When the audio of a file ends, in seconds after [`origin_s`]; 0 without audio.
pub(crate) fn audio_end_s(info: &MediaInfo) -> f64 {
    let end_s = |audio: &AudioInfo| audio.start_s + audio.duration_s - origin_s(info);
    info.audio.as_ref().map_or(0.0, end_s).max(0.0)
}

/// When the frame of a file begins that the output shows at `frame`, in seconds after the first frame of the file. The
/// excerpt from `begin_s` on is played at `speed`. As the filter that sets the output's rate, this takes the last frame
/// whose time is less than half a frame of the output later.
pub(crate) fn frame_start_s(video: &VideoInfo, begin_s: f64, (frame, speed): (Frames, f64), fps: Fps) -> f64 {
    let frame_s = speed / f64::from(fps.get());
    if video.still || video.rate <= 0.0 {
        return begin_s;
    }
    let limit = (begin_s + (frame.0 as f64 + 0.5) * frame_s) * video.rate;
    let last = (video.duration_s * video.rate).round() - 1.0;
    // Sums of decimal fractions are not exact.
    ((limit - 1e-4).ceil() - 1.0).min(last).max(0.0) / video.rate
}

/// The time of the first frame of a file, or of its first sample, on the clock of its container: where editing programs
/// begin to count.
pub(crate) fn origin_s(info: &MediaInfo) -> f64 {
    let moving = info.video.as_ref().filter(|video| !video.still).map(|video| video.start_s);
    moving.or_else(|| Some(info.audio.as_ref()?.start_s)).unwrap_or(0.0)
}
