//! A shot: a clip shown once on the timeline.

use crate::media::{MediaInfo, VideoInfo};
use crate::plan::video::excerpt::Excerpt;
use crate::plan::video::motion::Movement;
use crate::request::model::ImageMotion;
use crate::time::Frames;

/// One pass of a clip on the timeline.
#[derive(Clone, Copy)]
pub(crate) struct Shot<'a> {
    pub url: &'a str,
    pub info: &'a MediaInfo,
    pub video: &'a VideoInfo,
    /// What of the file the clip is.
    pub excerpt: Excerpt,
    /// Frames that gives at the output rate.
    pub natural: Frames,
    /// Frames shown.
    pub frames: Frames,
    /// Whether the clip repeats within the shot; otherwise its last frame is held.
    pub looped: bool,
    /// How it moves if it is a picture.
    pub motion: ImageMotion,
}

impl Shot<'_> {
    /// Over all that is shown of a picture that moves.
    pub fn movement(&self) -> Option<Movement> {
        let Self { motion, frames, .. } = *self;
        (self.video.still && !motion.is_none()).then_some(Movement { motion, over: frames })
    }
}

/// The length that shots are cut to where that is the shortest one's: pictures have as much as is wanted of them, so
/// they count only where there is nothing else.
pub(crate) fn shortest<'s>(shots: impl Iterator<Item = &'s Shot<'s>> + Clone) -> Frames {
    let length = |shot: &Shot| shot.frames.min(shot.natural);
    let moving = shots.clone().filter(|shot| !shot.video.still).map(length).min();
    moving.or_else(|| shots.map(length).min()).unwrap_or_default()
}
