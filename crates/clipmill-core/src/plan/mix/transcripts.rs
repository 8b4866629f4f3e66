//! What is spoken in an output, from the transcripts of its audio.

use std::ops::Range;

use crate::error::{ErrorCode, TaskError};
use crate::media::{MediaInfo, VideoInfo};
use crate::message;
use crate::plan::build::Builder;
use crate::plan::mix::shot::{SecondClip, Shot};
use crate::plan::timeline::Timeline;
use crate::subtitle::Transcript;
use crate::time::{Fps, Frames};

/// Excerpts of a file that are nearer to each other than this continue each other.
const GAP_MS: u64 = 50;

/// An excerpt of a file as an output plays it, in milliseconds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HeardExcerpt<'u> {
    pub url: &'u str,
    /// Where in the output it begins.
    pub at_ms: u64,
    /// Where in the audio of the file it begins.
    pub from_ms: u64,
    pub length_ms: u64,
    /// The speed of the file in thousandths.
    pub speed_permille: u32,
}

/// An excerpt of the file of a clip: the file, where the excerpt begins, its first frame in the output, its frames there,
/// and its speed in thousandths.
type Excerpt<'a> = ((&'a str, &'a MediaInfo, &'a VideoInfo), f64, Frames, Frames, u32);

/// The audio of the clips of an output. A shot that continues the previous one is one excerpt with it.
pub(crate) fn heard_clips<'a>(timeline: &Timeline<'a>, fps: Fps) -> Vec<HeardExcerpt<'a>> {
    let first = timeline.scene_shots().map(|(start, shot)| {
        let Shot { url, info, video, excerpt, adjustments, .. } = *shot;
        let frames = shot.frames.min(shot.natural);
        ((url, info, video), excerpt.begin_s(), start, frames, adjustments.speed_permille)
    });
    let second = timeline.scene_shots().filter_map(|(start, shot)| Some((start, shot.frames, shot.second?)));
    // One that repeats within its graph is too short to say anything.
    let second = second.filter(|(_, _, second)| !second.looped);
    let second = second.flat_map(|(start, frames, second)| {
        let SecondClip { url, info, video, adjustments, .. } = second;
        let repetitions = second.repetitions(frames, &(Frames(0)..frames), fps);
        repetitions.into_iter().map(move |repetition| {
            let (begin_s, at) = (second.excerpt_of(&repetition, fps).begin_s(), start + repetition.at);
            ((url, info, video), begin_s, at, second.moving(&repetition), adjustments.speed_permille)
        })
    });
    heard(first.chain(second), fps)
}

fn heard<'a>(excerpts: impl Iterator<Item = Excerpt<'a>>, fps: Fps) -> Vec<HeardExcerpt<'a>> {
    let mut all: Vec<HeardExcerpt> = Vec::new();
    for ((url, info, video), begin_s, start, frames, speed_permille) in excerpts {
        let Some(audio) = &info.audio else { continue };
        let ms = |seconds: f64| (seconds * 1000.0).round() as i64;
        let from = ms(video.start_s + begin_s - audio.start_s);
        // Audio that begins later than the video.
        let silence_ms = u64::try_from(-from).unwrap_or(0);
        let length_ms = ms(frames.seconds(fps)) as u64;
        let silence_ms = silence_ms * 1000 / u64::from(speed_permille);
        let one = HeardExcerpt {
            url,
            at_ms: ms(start.seconds(fps)) as u64 + silence_ms,
            from_ms: u64::try_from(from).unwrap_or(0),
            length_ms: length_ms.saturating_sub(silence_ms),
            speed_permille,
        };
        match all.last_mut().filter(|last| last.is_continued_by(&one)) {
            Some(last) => last.length_ms = one.at_ms + one.length_ms - last.at_ms,
            None => all.push(one),
        }
    }
    all
}

impl HeardExcerpt<'_> {
    fn is_continued_by(&self, next: &Self) -> bool {
        self.url == next.url
            && self.speed_permille == next.speed_permille
            && self.range().end.abs_diff(next.from_ms) <= GAP_MS
            && (self.at_ms + self.length_ms).abs_diff(next.at_ms) <= GAP_MS
    }

    /// The milliseconds of the file that are heard.
    fn range(&self) -> Range<u64> {
        self.from_ms..self.from_ms + self.length_ms * u64::from(self.speed_permille) / 1000
    }

    /// What is spoken in the excerpt, at the times from its beginning on.
    pub fn spoken(&self, transcript: &Transcript) -> Transcript {
        transcript.excerpt(&self.range()).at_speed(self.speed_permille)
    }

    /// What is spoken in the file.
    pub fn transcript<'f>(&self, builder: &Builder<'f>) -> Result<&'f Transcript, TaskError> {
        match builder.facts.transcripts.get(self.url) {
            Some(transcript) => transcript.as_ref().map_err(Clone::clone),
            None => Err(TaskError::new(ErrorCode::Internal, message::never_read()).input(self.url)),
        }
    }
}
