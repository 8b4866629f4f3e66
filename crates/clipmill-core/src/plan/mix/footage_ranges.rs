//! Divides the footage of a file into stretches that do not overlap: evenly, or along its cuts.

use crate::media::Cuts;
use crate::random::RandomStream;
use crate::time::{Fps, Frames};

/// A longer take gets another start after every [`AGAIN_S`]: ten minutes of speech without a cut give more than one
/// start.
const LONG_TAKE_S: f64 = 10.0;
const AGAIN_S: f64 = 5.0;
/// A stretch is dull if more than this part of it is dull.
const DULL_PART: f64 = 0.2;
/// Tolerance for the time of a cut, which is that of its first frame: clocks are no more accurate than this.
const CLOCK: f64 = 1e-3;

/// A place where a clip may begin, counted from the clip's first frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FootageRange {
    pub start: u64,
    /// Whether much of it is black, still or blurred.
    pub is_dull: bool,
}

/// The footage to be divided, in frames at the output's rate.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FootageExtent {
    /// The first frame of the clip in its file, and the clip's length.
    pub begin: u64,
    pub natural: u64,
    /// The length of the longest scene that shows it.
    pub longest: u64,
    /// The most stretches to make.
    pub most: usize,
    /// Whether a scene shows the clip from its beginning.
    pub from_begin: bool,
}

impl FootageExtent {
    /// As many stretches as fit, evenly spaced; the first begins at a random point within the remainder.
    pub fn evenly(&self, rng: &mut RandomStream) -> Vec<FootageRange> {
        let count = (self.natural / self.longest.max(1)).clamp(1, self.most.max(1) as u64);
        let step = self.natural / count;
        let room = if self.from_begin { 0 } else { step.saturating_sub(self.longest) };
        let offset = rng.below(room as usize + 1) as u64;
        (0..count).map(|number| FootageRange { start: offset + number * step, is_dull: false }).collect()
    }

    /// Stretches that begin with a take: first those of takes that are long enough, then shorter ones in between.
    pub fn along(&self, cuts: &Cuts, fps: Fps) -> Vec<FootageRange> {
        let takes = self.takes(cuts, fps);
        let long = f64::from(fps.get()) * LONG_TAKE_S;
        let again = Frames::nearest(AGAIN_S, fps).0.max(self.longest).max(1);
        let mut starts: Vec<u64> = if self.from_begin { vec![0] } else { Vec::new() };
        for &(from, to) in takes.iter().filter(|(from, to)| to - from >= self.longest) {
            let step = if (to - from) as f64 > long { again } else { u64::MAX };
            let mut start = from;
            while start.saturating_add(self.longest) <= to {
                self.enter(&mut starts, start);
                start = start.saturating_add(step);
            }
        }
        for &(from, _) in &takes {
            self.enter(&mut starts, from);
        }
        if starts.is_empty() {
            starts.push(0);
        }
        if starts.len() > self.most {
            let all = starts.len();
            starts = (0..self.most).map(|number| starts[number * all / self.most]).collect();
        }
        let is_dull = |start: u64| self.dull(cuts, start, fps) > DULL_PART * self.longest as f64;
        starts.into_iter().map(|start| FootageRange { start, is_dull: is_dull(start) }).collect()
    }

    /// Takes within the clip, each from its first frame to the frame after its last. The clip's beginning also begins a
    /// take.
    fn takes(&self, cuts: &Cuts, fps: Fps) -> Vec<(u64, u64)> {
        let within = |frame: f64| (frame.max(0.0) as u64).saturating_sub(self.begin).min(self.natural);
        let rate = f64::from(fps.get());
        let take = |&(from, to): &(f64, f64)| {
            (within((from * rate - CLOCK).ceil()), within((to * rate + CLOCK).floor()))
        };
        let takes: Vec<(u64, u64)> = cuts.takes.iter().map(take).filter(|(from, to)| from < to).collect();
        if cuts.takes.is_empty() { vec![(0, self.natural)] } else { takes }
    }

    /// Adds a start, in order, unless its stretch would overlap another or pass the clip's end.
    fn enter(&self, starts: &mut Vec<u64>, start: u64) {
        let place = starts.partition_point(|&other| other < start);
        let after_last = place == 0 || starts[place - 1] + self.longest <= start;
        let before_next = starts.get(place).is_none_or(|&next| start + self.longest <= next);
        if after_last && before_next && start + self.longest <= self.natural {
            starts.insert(place, start);
        }
    }

    /// How many frames of the stretch are dull.
    fn dull(&self, cuts: &Cuts, start: u64, fps: Fps) -> f64 {
        let (from, to) = (self.begin + start, self.begin + start + self.longest);
        let (from, to) = (Frames(from).seconds(fps), Frames(to).seconds(fps));
        let first = cuts.dull.partition_point(|&(_, end)| end <= from);
        let overlapping = cuts.dull[first..].iter().take_while(|&&(begin, _)| begin < to);
        let seconds: f64 = overlapping.map(|&(begin, end)| end.min(to) - begin.max(from)).sum();
        seconds * f64::from(fps.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FPS: u64 = 25;

    fn along(extent: FootageExtent, takes: &[(f64, f64)], dull: &[(f64, f64)]) -> Vec<(u64, bool)> {
        let cuts = Cuts { takes: takes.to_vec(), dull: dull.to_vec() };
        let fps = Fps::new(FPS as u32).unwrap();
        extent.along(&cuts, fps).into_iter().map(|stretch| (stretch.start, stretch.is_dull)).collect()
    }

    /// A clip of 60 s, for a scene of 3 s.
    const MINUTE: FootageExtent =
        FootageExtent { begin: 0, natural: 60 * FPS, longest: 3 * FPS, most: 100, from_begin: false };

    fn starts(extent: FootageExtent, takes: &[(f64, f64)]) -> Vec<u64> {
        along(extent, takes, &[]).into_iter().map(|(start, _)| start).collect()
    }

    #[test]
    fn every_take_that_is_long_enough_is_a_start() {
        let twelve: Vec<(f64, f64)> =
            (0..12).map(|take| (5.0 * take as f64, 5.0 * take as f64 + 5.0)).collect();
        let actual = starts(MINUTE, &twelve);
        assert_eq!(actual, (0..12).map(|take| 5 * FPS * take).collect::<Vec<_>>());
        // A cut between two frames of the output begins with the later one.
        assert_eq!(starts(MINUTE, &[(0.0, 4.05), (4.05, 8.0)]), [0, 102]);
        assert_eq!(starts(MINUTE, &[(0.0, 3.0 + 1e-6), (3.0 + 1e-6, 8.0)]), [0, 75]);
    }

    #[test]
    fn short_takes_are_shown_together_where_there_is_room() {
        // Long takes keep their beginnings; the last short one would pass the end.
        let takes = [
            (0.0, 1.0),
            (1.0, 2.0),
            (2.0, 6.0),
            (6.0, 7.0),
            (7.0, 9.0),
            (9.0, 13.0),
            (13.0, 14.0),
            (58.0, 60.0),
        ];
        assert_eq!(starts(MINUTE, &takes), [2, 6, 9, 13].map(|s| s * FPS));
        let flicker: Vec<(f64, f64)> = (0..1500).map(|n| (n as f64 * 0.04, (n + 1) as f64 * 0.04)).collect();
        assert_eq!(starts(MINUTE, &flicker), (0..20).map(|n| n * 75).collect::<Vec<_>>());
        assert_eq!(starts(FootageExtent { most: 5, ..MINUTE }, &flicker).len(), 5);
    }

    #[test]
    fn a_long_take_has_several_starts() {
        let all: Vec<u64> = (0..12).map(|n| 5 * FPS * n).collect();
        assert_eq!(starts(MINUTE, &[(0.0, 60.0)]), all);
        assert_eq!(starts(MINUTE, &[]), all, "without a cut, or where nothing could be found");
        assert_eq!(starts(FootageExtent { longest: 500, ..MINUTE }, &[]), [0, 500, 1000]);
        assert_eq!(
            starts(FootageExtent { longest: 61 * FPS, ..MINUTE }, &[]),
            [0],
            "it is shorter than the scene"
        );
        assert_eq!(starts(FootageExtent { natural: 1, longest: 1, ..MINUTE }, &[]), [0]);
    }

    #[test]
    fn only_the_used_excerpt_counts() {
        let takes = [(0.0, 4.0), (4.0, 9.0), (9.0, 20.0)];
        let part = FootageExtent { begin: 6 * FPS, natural: 7 * FPS, ..MINUTE };
        assert_eq!(starts(part, &takes), [0, 3 * FPS]);
        assert_eq!(
            starts(FootageExtent { from_begin: true, begin: 5 * FPS, natural: 7 * FPS, ..MINUTE }, &takes),
            [0, 4 * FPS]
        );
        assert_eq!(
            starts(FootageExtent { begin: 30 * FPS, natural: 30 * FPS, ..MINUTE }, &takes),
            [0],
            "nothing was seen of it"
        );
    }

    #[test]
    fn mostly_black_still_or_blurred_stretches_are_dull() {
        let takes = [(0.0, 5.0), (5.0, 10.0), (10.0, 15.0)];
        let dull = [(0.0, 0.5), (5.2, 6.0), (12.9, 14.0)];
        assert_eq!(along(MINUTE, &takes, &dull), [(0, false), (5 * FPS, true), (10 * FPS, false)]);
    }
}
