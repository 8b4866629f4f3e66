//! What determines how the second clip of a split screen is shown.

use crate::media::ContentHash;
use crate::plan::video::excerpt::Excerpt;
use crate::plan::video::motion::Movement;
use crate::plan::video::source_key::SourceKey;
use crate::request::model::SplitLayout;
use crate::time::Frames;

/// What determines the second half of a shot's video, beside the range of the shot.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct SecondClipKey<'a> {
    pub layout: SplitLayout,
    pub content: &'a ContentHash,
    pub source: SourceKey<'a>,
    pub excerpt: Excerpt,
    pub natural: Frames,
    pub skipped: Frames,
    pub looped: bool,
    /// The length of the shot, which determines where the clip repeats for the last time.
    pub frames: Frames,
    pub movement: Option<Movement>,
    pub look_and_speed: (Option<&'static str>, u32),
}
