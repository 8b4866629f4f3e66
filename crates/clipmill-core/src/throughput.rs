//! Weights of work, measured throughput, and estimates of the time left.

use crate::time::Frames;

/// How many frames of a segment an item's assembly (audio, muxing) counts for in the progress: its cost in the same
/// unit. Assembling fifteen seconds takes as long as sixteen frames.
pub fn assemble_weight(frames: Frames) -> u64 {
    frames.0.div_ceil(28)
}

/// Work is averaged over this much time of one slot; the weight of earlier work decreases.
const HORIZON_MS: f64 = 600_000.0;
/// Once this percentage of a task is done, only its own throughput counts; before, that of other work helps.
const SETTLED: u64 = 20;

/// The measured throughput of one slot; recent work counts most. It needs no clock, since only working time counts.
#[derive(Debug, Clone, Default)]
pub struct Speed {
    work: f64,
    ms: f64,
}

impl Speed {
    /// Records a job (its frames, or its [`assemble_weight`]) and its duration.
    pub fn note(&mut self, work: u64, ms: u64) {
        self.work += work as f64;
        self.ms += ms as f64;
        if self.ms > HORIZON_MS {
            self.work *= HORIZON_MS / self.ms;
            self.ms = HORIZON_MS;
        }
    }

    /// Work done in 1,000 seconds; `None` before any work.
    pub fn in_1000_s(&self) -> Option<u64> {
        let speed = self.work / self.ms.max(1.0) * 1e6;
        (self.work > 0.0 && self.ms > 0.0).then_some(speed.clamp(1.0, 1e15) as u64)
    }
}

/// The time until a user's work of this amount is done, beside the work of `others`. Users are served equally, so
/// another user takes as much as this one until either has no work left. `in_1000_s` is the throughput of all slots
/// together.
pub fn wait_ms(own: u64, others: impl IntoIterator<Item = u64>, in_1000_s: u64) -> Option<u64> {
    let beside: u128 = others.into_iter().map(|other| u128::from(other.min(own))).sum();
    let ms = (u128::from(own) + beside) * 1_000_000;
    u64::try_from(ms.div_ceil(u128::from(in_1000_s.max(1)))).ok()
}

/// The time until everything is done, at the throughput so far. It assumes that all slots stay busy: for a task with
/// fewer than two or three jobs per slot it is too short. `expected` is the estimate from the queue and the throughput
/// of other work. It counts alone at first, and less and less as the task proceeds.
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
    let remaining = u128::from(frames_planned.saturating_sub(frames_done));
    u64::try_from((u128::from(elapsed_ms) * remaining).div_ceil(u128::from(frames_done))).ok()
}

#[cfg(test)]
#[path = "throughput_tests.rs"]
mod tests;
