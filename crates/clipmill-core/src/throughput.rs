//! Weights of work, throughput so far, and the time left that follows from them.

use crate::time::Frames;

/// Frames that an item's assembly (audio, join) counts in the progress sum: what it costs, measured in frames of a
/// segment. Fifteen seconds are assembled in the time of sixteen frames.
pub fn assemble_weight(frames: Frames) -> u64 {
    frames.0.div_ceil(28)
}

/// Work is looked at over so much time of one slot; what was before counts for less and less.
const HORIZON_MS: f64 = 600_000.0;
/// Once this part of a task is done, its own pace says all; before, what is known of other work helps.
const SETTLED: u64 = 20;

/// How fast work of one slot goes, measured; recent work counts most. Needs no clock: only time worked counts.
#[derive(Debug, Clone, Default)]
pub struct Speed {
    work: f64,
    ms: f64,
}

impl Speed {
    /// A piece of work (its frames, or its [`assemble_weight`]) that took so long.
    pub fn note(&mut self, work: u64, ms: u64) {
        self.work += work as f64;
        self.ms += ms as f64;
        if self.ms > HORIZON_MS {
            self.work *= HORIZON_MS / self.ms;
            self.ms = HORIZON_MS;
        }
    }

    /// Work in 1,000 seconds; unknown before any was done.
    pub fn in_1000_s(&self) -> Option<u64> {
        let speed = self.work / self.ms.max(1.0) * 1e6;
        (self.work > 0.0 && self.ms > 0.0).then_some(speed.clamp(1.0, 1e15) as u64)
    }
}

/// Time until a user's work of this amount is done, with what `others` have to be done beside it: all users are
/// served alike, so another one takes as much as this one until either has nothing left. `in_1000_s` is the speed of
/// all slots together.
pub fn wait_ms(own: u64, others: impl IntoIterator<Item = u64>, in_1000_s: u64) -> Option<u64> {
    let beside: u128 = others.into_iter().map(|other| u128::from(other.min(own))).sum();
    let ms = (u128::from(own) + beside) * 1_000_000;
    u64::try_from(ms.div_ceil(u128::from(in_1000_s.max(1)))).ok()
}

/// Time until all is done, at the pace so far. It takes all slots to be busy to the end: of a task with fewer
/// pieces than two or three for each slot it promises too little. `expected` is what the queue and the speed of
/// other work let expect: it counts before there is a pace, and less and less until there is one.
pub fn left_ms(
    elapsed_ms: u64,
    frames_done: u64,
    frames_planned: u64,
    expected_ms: Option<u64>,
) -> Option<u64> {
    let Some(throughput) = at_throughput(elapsed_ms, frames_done, frames_planned) else { return expected_ms };
    let Some(expected) = expected_ms else { return Some(throughput) };
    let (whole, settled) = (u128::from(frames_planned.max(1)), u128::from(frames_done) * u128::from(SETTLED));
    let settled = settled.min(whole);
    let sum = u128::from(throughput) * settled + u128::from(expected) * (whole - settled);
    u64::try_from(sum.div_ceil(whole)).ok()
}

fn at_throughput(elapsed_ms: u64, frames_done: u64, frames_planned: u64) -> Option<u64> {
    if frames_done == 0 {
        return None;
    }
    let left = u128::from(frames_planned.saturating_sub(frames_done));
    u64::try_from((u128::from(elapsed_ms) * left).div_ceil(u128::from(frames_done))).ok()
}

#[cfg(test)]
#[path = "throughput_tests.rs"]
mod tests;
