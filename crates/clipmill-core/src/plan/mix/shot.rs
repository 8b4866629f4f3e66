//! A shot: one showing of a clip on the timeline.

use crate::media::{MediaInfo, VideoInfo};
use crate::plan::build::LookAndSpeed;
use crate::plan::mix::split_screen::{SecondClip, SecondForm};
use crate::plan::video::excerpt::Excerpt;
use crate::plan::video::motion::Movement;
use crate::request::model::ImageMotion;
use crate::segment::AudioSpec;
use crate::time::Frames;

/// One showing of a clip on the timeline.
#[derive(Clone, Copy)]
pub(crate) struct Shot<'a> {
    pub url: &'a str,
    pub info: &'a MediaInfo,
    pub video: &'a VideoInfo,
    /// The part of the file that the clip uses.
    pub excerpt: Excerpt,
    /// How many frames that part gives at the output's rate.
    pub natural: Frames,
    /// How many frames are shown.
    pub frames: Frames,
    /// Whether the clip repeats within the shot; otherwise its last frame is held.
    pub looped: bool,
    /// The motion of the shot if it is an image.
    pub motion: ImageMotion,
    pub treatment: Treatment,
    /// The clip beside it.
    pub second: Option<SecondClip<'a>>,
}

/// How a shot differs from its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Treatment {
    /// The volume of its own audio in percent.
    pub volume_percent: u32,
    /// The name of its colour look.
    pub look: Option<&'static str>,
    /// The speed in thousandths.
    pub speed_permille: u32,
}

impl Treatment {
    /// That of intros and outros.
    pub const NONE: Self = Self { volume_percent: 100, look: None, speed_permille: 1000 };

    pub fn speed(&self) -> f64 {
        f64::from(self.speed_permille) / 1000.0
    }

    /// The audio of a clip, treated.
    pub fn treated(&self, audio: AudioSpec) -> AudioSpec {
        let Self { volume_percent, speed_permille, .. } = *self;
        AudioSpec { volume_percent, tempo_permille: speed_permille, ..audio }
    }

    /// What determines its video.
    pub fn look_and_speed(&self) -> LookAndSpeed {
        (self.look, self.speed_permille)
    }
}

impl<'a> Shot<'a> {
    /// What determines the half of its video that shows another clip.
    pub fn second_form(&self) -> Option<Box<SecondForm<'a>>> {
        self.second.map(|second| Box::new(second.form(self.frames)))
    }

    /// The motion of an image over the whole shot.
    pub fn movement(&self) -> Option<Movement> {
        let Self { motion, frames, .. } = *self;
        (self.video.still && !motion.is_none()).then_some(Movement { motion, over: frames })
    }
}

/// The length that all shots are trimmed to when the shortest one decides. Images can be shown as long as needed, so
/// they count only if there are no videos.
pub(crate) fn shortest<'s>(shots: impl Iterator<Item = &'s Shot<'s>> + Clone) -> Frames {
    let length = |shot: &Shot| shot.frames.min(shot.natural);
    let moving = shots.clone().filter(|shot| !shot.video.still).map(length).min();
    moving.or_else(|| shots.map(length).min()).unwrap_or_default()
}
