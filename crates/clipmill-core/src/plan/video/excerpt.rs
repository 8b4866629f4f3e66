//! Excerpts: the part of a file that a clip uses, from `from` to `to` of the request. The rest of the file is ignored.

use crate::error::{ErrorCode, TaskError};
use crate::media::VideoInfo;
use crate::message;
use crate::request::model::Clip;
use crate::time::{Fps, Frames};

/// A part of a file, in microseconds after its first frame. The default is the whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Excerpt {
    pub from_us: i64,
    /// `None` is the end of the file.
    pub to_us: Option<i64>,
}

impl Excerpt {
    /// The excerpt of a file of this length. Fails if `from` is after the file's end; a later `to` means the end.
    pub fn of(clip: &Clip, length_s: f64) -> Result<Self, TaskError> {
        let from_s = clip.from_s.unwrap_or(0.0);
        if from_s > 0.0 && from_s >= length_s {
            let message = message::from_behind_end(from_s, format!("{length_s:.2}"));
            return Err(TaskError::new(ErrorCode::ClipTooShort, message));
        }
        Ok(Self { from_us: micros(from_s), to_us: clip.to_s.filter(|to| *to < length_s).map(micros) })
    }

    /// The same excerpt from this frame of its file on.
    pub fn beginning(self, start: Frames, fps: Fps, video: &VideoInfo) -> Result<Self, TaskError> {
        self.beginning_at(micros(start.seconds(fps)), video)
    }

    /// The same excerpt from this microsecond of its file on.
    pub fn beginning_at(self, from_us: i64, video: &VideoInfo) -> Result<Self, TaskError> {
        let later = Self { from_us, ..self };
        if later.seconds(video.duration_s) > 0.0 {
            return Ok(later);
        }
        let message = message::from_behind_end(later.begin_s(), format!("{:.2}", video.duration_s));
        Err(TaskError::new(ErrorCode::ClipTooShort, message))
    }

    /// The same excerpt without the first frames of the output at this speed.
    pub fn after(self, frames: Frames, speed: f64, fps: Fps) -> Self {
        Self { from_us: self.from_us.saturating_add(micros(frames.seconds(fps) * speed)), ..self }
    }

    pub fn is_whole(self) -> bool {
        self == Self::default()
    }

    pub fn begin_s(self) -> f64 {
        self.from_us as f64 / 1e6
    }

    /// The length of the excerpt, given the file's length.
    pub fn seconds(self, length_s: f64) -> f64 {
        self.to_us.map_or(length_s, |to| to as f64 / 1e6) - self.begin_s()
    }

    /// Its frames at the output's rate before trimming; at least 1.
    pub fn frames(self, video: &VideoInfo, speed: f64, fps: Fps) -> Frames {
        Frames(Frames::nearest(self.seconds(video.duration_s) / speed, fps).0.max(1))
    }
}

pub(crate) fn micros(seconds: f64) -> i64 {
    (seconds * 1e6).round() as i64
}
