//! The timeline of one output for editing programs: planned like a preview, from the request and the facts about its
//! files, without segments.

pub(crate) mod audio;
pub(crate) mod mix;
mod recipe;

use std::collections::HashMap;

pub use recipe::as_planned;

use crate::editorial::{EditorialMedia, EditorialMediaKind, EditorialTimeline};
use crate::media::{Facts, MediaInfo};
use crate::plan::build::Builder;
use crate::plan::division::Division;
use crate::plan::preview::FrameError;
use crate::plan::preview::clip::clip_inputs;
use crate::plan::task_types::planner;
use crate::plan::{Context, Moment, NeededInput};
use crate::request::model::TaskRequest;

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
    }
}

/// The time of the first frame of a file, or of its first sample, on the clock of its container: where editing programs
/// begin to count.
pub(crate) fn origin_s(info: &MediaInfo) -> f64 {
    let moving = info.video.as_ref().filter(|video| !video.still).map(|video| video.start_s);
    moving.or_else(|| Some(info.audio.as_ref()?.start_s)).unwrap_or(0.0)
}
