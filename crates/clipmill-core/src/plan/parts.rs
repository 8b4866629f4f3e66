//! Long videos in parts: each part is rendered independently, by any free worker, and joined without a seam.
//!
//! A part begins at a fixed multiple of the configured length from its shot's beginning, so that a clip shown for ten
//! minutes in one output and for eight in another shares its first parts. A part has the graph of the whole, started
//! later: every frame has the position and the time that it has in the whole. Audio, which is cheap, is never split. A
//! video stays whole if
//! - its source has no index, so that everything before a part would have to be decoded to reach it,
//! - a moving mask or fill repeats at a period that cannot be computed exactly (frames at uneven times),
//! - it repeats within itself (clips under half a second).

use crate::media::{MediaInfo, VideoInfo};
use crate::plan::PlannedSegment;
use crate::segment::SegmentSpec;
use crate::time::{Fps, Frames};

/// Formats whose files list their keyframes.
const WITH_INDEX: [&str; 4] = ["mov", "mp4", "matroska", "webm"];

/// Frames from `begin` up to but not including `end` of a whole video.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Range {
    pub begin: Frames,
    pub end: Frames,
    /// Whether the whole has other parts.
    pub is_part: bool,
}

impl Range {
    pub fn whole(frames: Frames) -> Self {
        Self { begin: Frames(0), end: frames, is_part: false }
    }

    /// The end of a video from `begin` on, for a single frame to be selected there.
    pub fn from(begin: Frames, frames: Frames) -> Self {
        Self { begin, ..Self::whole(frames) }
    }

    pub fn frames(&self) -> Frames {
        Frames(self.end.0.saturating_sub(self.begin.0))
    }

    /// The portion of this range that is shown, if any; a portion at the beginning is a shorter whole, not a part.
    pub fn within(self, shown: &std::ops::Range<Frames>) -> Option<Self> {
        let (begin, end) = (self.begin.max(shown.start), self.end.min(shown.end));
        (begin < end).then_some(Self { begin, end, is_part: self.is_part || begin.0 > 0 })
    }
}

/// Splits `frames`, of which the source gives the first `natural`, into parts of `part_seconds`. The last part is from
/// half to one and a half times as long, and includes the held frame beyond the source's end.
pub(crate) fn parts(
    frames: Frames,
    natural: Frames,
    fps: Fps,
    part_seconds: u64,
) -> impl Iterator<Item = Range> + Clone {
    let length = part_seconds.saturating_mul(u64::from(fps.get()));
    let available = frames.0.min(natural.0);
    let count = match length {
        0 => 1,
        length => (available.saturating_add(length / 2) / length).max(1),
    };
    let range = move |number: u64| Range {
        begin: Frames(number * length),
        end: if number + 1 == count { frames } else { Frames((number + 1) * length) },
        is_part: count > 1,
    };
    (0..count).map(range)
}

/// The maximum number of parts of all videos of one task. Each has a specification of its own, of up to 40 kB, and more
/// parts than processors do not speed up rendering.
pub(crate) const MAX_PARTS: u64 = 5_000;

/// The length of parts for a task with these whole videos, in seconds; 0 if none of them has parts.
pub(crate) fn part_seconds(whole: &[PlannedSegment], configured: u64) -> u64 {
    let videos = part_count(whole, 0);
    let mut seconds = configured;
    loop {
        match part_count(whole, seconds) {
            count if count <= videos => return 0,
            count if count <= MAX_PARTS => return seconds,
            _ => seconds = seconds.saturating_mul(2),
        }
    }
}

/// The number of parts of these whole videos, if each can be split.
pub(crate) fn part_count(whole: &[PlannedSegment], part_seconds: u64) -> u64 {
    let videos = whole.iter().filter_map(|segment| match &segment.spec {
        SegmentSpec::Video(video) => Some(video),
        _ => None,
    });
    videos.map(|video| parts(video.frames, video.frames, video.fps, part_seconds).count() as u64).sum()
}

/// Whether parts of a file can be read without reading everything before them.
pub(crate) fn can_be_parted(info: &MediaInfo, video: &VideoInfo) -> bool {
    !video.still && is_seekable(info)
}

/// Whether reading can begin in the middle: without an index a demuxer seeks only approximately, possibly past the
/// wanted frame.
pub(crate) fn is_seekable(info: &MediaInfo) -> bool {
    WITH_INDEX.iter().any(|format| info.format.split(',').any(|name| name == *format))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(frames: u64, natural: u64, part_seconds: u64) -> Vec<(u64, u64)> {
        let actual: Vec<_> = parts(Frames(frames), Frames(natural), Fps::DEFAULT, part_seconds).collect();
        assert_eq!(actual.iter().all(|range| range.is_part), actual.len() > 1);
        actual.into_iter().map(|range| (range.begin.0, range.end.0)).collect()
    }

    #[test]
    fn parts_begin_at_multiples_and_the_last_takes_a_short_rest() {
        assert_eq!(cut(0, 0, 1), [(0, 0)]);
        assert_eq!(cut(44, 44, 1), [(0, 44)]);
        assert_eq!(cut(45, 45, 1), [(0, 30), (30, 45)]);
        assert_eq!(cut(74, 74, 1), [(0, 30), (30, 74)]);
        assert_eq!(cut(1_000_000, 1_000_000, 0), [(0, 1_000_000)]);
        assert_eq!(cut(100, 100, u64::MAX), [(0, 100)]);
    }

    #[test]
    fn no_part_begins_after_the_end_of_the_source() {
        assert_eq!(cut(90, 50, 1), [(0, 30), (30, 90)]);
        for natural in 1..200 {
            let actual = cut(200, natural, 1);
            assert!(actual.last().unwrap().0 < natural.max(1));
            assert!(actual.windows(2).all(|pair| pair[0].1 == pair[1].0));
            assert_eq!(actual.last().unwrap().1, 200);
        }
    }
}
