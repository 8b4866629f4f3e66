//! What work costs beside other work, and how long it will still take by how long it took so far.

use crate::time::Frames;

/// Frames of an item's finishing (sound, join) in the progress sum: what it costs, measured in frames of a
/// segment. Fifteen seconds are finished in the time of sixteen frames.
pub fn finish_weight(frames: Frames) -> u64 {
    frames.0.div_ceil(28)
}

/// Time until all is done, at the pace so far; unknown before the first frame. It takes all slots to be busy to
/// the end: of a task with fewer pieces than two or three for each slot it promises too little.
pub fn left_ms(elapsed_ms: u64, frames_done: u64, frames_planned: u64) -> Option<u64> {
    if frames_done == 0 {
        return None;
    }
    let left = u128::from(frames_planned.saturating_sub(frames_done));
    u64::try_from((u128::from(elapsed_ms) * left).div_ceil(u128::from(frames_done))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cost of a frame: making it, then checking it, when no progress is seen.
    const MAKE_MS: u64 = 26;
    const CHECK_MS: u64 = 4;
    /// Finishing half a second of output.
    const FINISH_MS: u64 = 16;

    /// A piece of work under way in a slot.
    #[derive(Clone, Copy)]
    struct Busy {
        since: u64,
        until: u64,
        /// Frames that are seen as they come, and what counts at the end.
        frames: u64,
        weight: u64,
    }

    impl Busy {
        /// Progress is reported once a second.
        fn seen(&self, now: u64) -> u64 {
            ((now - self.since) / 1000 * 1000 / MAKE_MS).min(self.frames)
        }
    }

    /// How far the estimates after the first tenth are off the true end, at worst, as a part of the whole.
    fn worst_error(slots: usize, segments: &[u64], finishes: &[u64]) -> f64 {
        let make = |frames: &u64| (*frames * (MAKE_MS + CHECK_MS), *frames, *frames);
        let finish = |frames: &u64| (frames * FINISH_MS / 15, 0, finish_weight(Frames(*frames)));
        let mut queue: Vec<(u64, u64, u64)> =
            segments.iter().map(make).chain(finishes.iter().map(finish)).rev().collect();
        let planned: u64 = queue.iter().map(|(_, _, weight)| weight).sum();
        let (mut busy, mut done, mut told): (Vec<Busy>, u64, Vec<(u64, u64)>) = (vec![], 0, vec![]);
        let mut now = 0;
        loop {
            done += busy.iter().filter(|work| work.until <= now).map(|work| work.weight).sum::<u64>();
            busy.retain(|work| work.until > now);
            while busy.len() < slots
                && let Some((cost, frames, weight)) = queue.pop()
            {
                busy.push(Busy { since: now, until: now + cost, frames, weight });
            }
            if busy.is_empty() {
                break;
            }
            let seen = done + busy.iter().map(|work| work.seen(now)).sum::<u64>();
            told.extend(left_ms(now, seen, planned).map(|left| (now, now + left)));
            now += 100;
        }
        let total = now as f64;
        let late = told.iter().filter(|(at, _)| *at as f64 >= total / 10.0);
        late.map(|(_, end)| (*end as f64 - total).abs() / total).fold(0.0, f64::max)
    }

    #[test]
    fn after_the_first_tenth_of_a_long_task_the_end_is_known_within_a_quarter() {
        for (what, slots, segments, finishes) in [
            ("64 outputs of 12 clips", 2, vec![150; 12], vec![450; 64]),
            ("1,000 outputs of 100 clips on more cores", 8, vec![150; 100], vec![450; 1000]),
            ("100 outputs of clips of all lengths", 4, (1..=100).map(|n| 20 * n).collect(), vec![900; 100]),
            ("one long video", 1, vec![18_000], vec![18_000]),
            ("sound and joining only", 2, vec![], vec![450; 400]),
        ] {
            let error = worst_error(slots, &segments, &finishes);
            assert!(error <= 0.25, "{what}: {:.0} % off", error * 100.0);
        }
    }

    #[test]
    fn nothing_is_promised_before_the_first_frame_and_numbers_do_not_overflow() {
        assert_eq!(left_ms(1000, 0, 10), None);
        assert_eq!(left_ms(1000, 10, 40), Some(3000));
        assert_eq!(left_ms(1000, 50, 40), Some(0));
        assert_eq!(left_ms(u64::MAX, 1, u64::MAX), None);
    }
}
