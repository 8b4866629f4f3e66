//! A shot: a clip shown once on the timeline.

use crate::media::{MediaInfo, VideoInfo};
use crate::plan::video::excerpt::Excerpt;
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
}
