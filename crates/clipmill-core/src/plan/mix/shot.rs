//! A shot: one showing of a clip on the timeline, alone or beside another one.

use std::ops::Range as FrameRange;

use crate::media::{MediaInfo, VideoInfo};
use crate::plan::build::LookAndSpeed;
use crate::plan::mix::is_held;
use crate::plan::mix::second_clip_key::SecondClipKey;
use crate::plan::parts::{Range, is_seekable};
use crate::plan::video::excerpt::Excerpt;
use crate::plan::video::motion::Movement;
use crate::plan::video::source_key::SourceKey;
use crate::request::model::{ImageMotion, SplitLayout};
use crate::segment::AudioSpec;
use crate::time::{Fps, Frames};

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
    pub adjustments: ClipAdjustments,
    /// The clip beside it.
    pub second: Option<SecondClip<'a>>,
}

/// The clip beside the one of a shot.
#[derive(Clone, Copy)]
pub(crate) struct SecondClip<'a> {
    pub layout: SplitLayout,
    pub url: &'a str,
    pub info: &'a MediaInfo,
    pub video: &'a VideoInfo,
    pub excerpt: Excerpt,
    /// How many frames the excerpt gives at the output's rate.
    pub natural: Frames,
    /// How many of its frames precede those of the shot.
    pub skipped: Frames,
    /// Whether it is so short that it repeats within its graph, from the beginning of the shot on.
    pub looped: bool,
    pub motion: ImageMotion,
    pub adjustments: ClipAdjustments,
}

/// Frames of one repetition of a clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Repetition {
    /// The frames from its beginning on. Those beyond its natural length hold its last frame.
    pub shown: Range,
    /// The first frame of the shot that shows it.
    pub at: Frames,
}

/// How a shot differs from its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ClipAdjustments {
    /// The volume of its own audio in percent.
    pub volume_percent: u32,
    /// The name of its colour look.
    pub look: Option<&'static str>,
    /// The speed in thousandths.
    pub speed_permille: u32,
}

impl ClipAdjustments {
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
    pub fn second_clip_key(&self) -> Option<Box<SecondClipKey<'a>>> {
        self.second.map(|second| Box::new(second.key(self.frames)))
    }

    /// The motion of an image over the whole shot.
    pub fn movement(&self) -> Option<Movement> {
        let Self { motion, frames, .. } = *self;
        (self.video.still && !motion.is_none()).then_some(Movement { motion, over: frames })
    }
}

impl<'a> SecondClip<'a> {
    /// Whether a clip of this length repeats within its graph.
    pub fn is_looped(video: &VideoInfo, natural: Frames, fps: Fps) -> bool {
        !video.still && natural.0 * 2 < u64::from(fps.get())
    }

    /// The same clip in a shot that begins this many frames later.
    pub fn after(self, frames: Frames) -> Self {
        Self { skipped: self.skipped + frames, ..self }
    }

    pub fn key(&self, frames: Frames) -> SecondClipKey<'a> {
        let Self { layout, info, video, excerpt, natural, skipped, looped, adjustments, .. } = *self;
        SecondClipKey {
            layout,
            content: &info.content,
            source: SourceKey::of(video),
            excerpt,
            natural,
            skipped,
            looped,
            frames,
            movement: self.shot(frames).movement(),
            look_and_speed: adjustments.look_and_speed(),
        }
    }

    /// Whether reading can begin at any of its frames.
    pub fn is_divisible(&self) -> bool {
        self.video.still || self.looped || is_seekable(self.info)
    }

    /// The repetitions that these frames of a shot of `frames` frames show.
    pub fn repetitions(&self, frames: Frames, shown: &FrameRange<Frames>, fps: Fps) -> Vec<Repetition> {
        let repetition = |begin: u64, end: u64, at: u64| Repetition {
            shown: Range { begin: Frames(begin), end: Frames(end), is_part: true },
            at: Frames(at),
        };
        if self.video.still || self.looped {
            return vec![repetition(shown.start.0, shown.end.0, shown.start.0)];
        }
        let (natural, skipped) = (self.natural.0.max(1), self.skipped.0);
        let last = last_begin(natural, skipped + frames.0, fps);
        let (mut at, end) = (skipped + shown.start.0, skipped + shown.end.0);
        let mut all = Vec::new();
        while at < end {
            let begin = (at / natural * natural).min(last);
            let until = if begin == last { end } else { end.min(begin + natural) };
            all.push(repetition(at - begin, until - begin, at - skipped));
            at = until;
        }
        all
    }

    /// The frames that a repetition takes from the file.
    pub fn moving(&self, repetition: &Repetition) -> Frames {
        let Range { begin, end, .. } = repetition.shown;
        let end = if self.video.still || self.looped { end } else { end.min(self.natural) };
        Frames(end.0.saturating_sub(begin.0))
    }

    /// The part of the file from a repetition's first frame on.
    pub fn excerpt_of(&self, repetition: &Repetition, fps: Fps) -> Excerpt {
        match self.video.still || self.looped {
            true => self.excerpt,
            false => self.excerpt.after(repetition.shown.begin, self.adjustments.speed(), fps),
        }
    }

    /// The clip by itself.
    pub fn shot(&self, frames: Frames) -> Shot<'a> {
        let Self { url, info, video, excerpt, natural, looped, motion, adjustments, .. } = *self;
        Shot { url, info, video, excerpt, natural, frames, looped, motion, adjustments, second: None }
    }
}

/// The length that all shots are trimmed to when the shortest one decides. Images can be shown as long as needed, so
/// they count only if there are no videos.
pub(crate) fn shortest<'s>(shots: impl Iterator<Item = &'s Shot<'s>> + Clone) -> Frames {
    let length = |shot: &Shot| shot.frames.min(shot.natural);
    let moving = shots.clone().filter(|shot| !shot.video.still).map(length).min();
    moving.or_else(|| shots.map(length).min()).unwrap_or_default()
}

/// Where a clip of `natural` frames begins for the last time within `frames` frames: the rest is hardly longer than the
/// clip, which then holds its last frame.
fn last_begin(natural: u64, frames: u64, fps: Fps) -> u64 {
    let mut begin = (frames / natural).saturating_sub(2) * natural;
    while !is_held(natural, frames.saturating_sub(begin), fps) {
        begin += natural;
    }
    begin
}
