//! How often each process of a fleet polls and reports, so that a large fleet does not load the database more than a
//! small one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Up to this many processes poll as often as a single one; more of them share that rate.
const LARGE_FLEET: f64 = 8.0;
/// Up to this many processes report as often as a single one.
const HEARTBEAT_FACTOR: f64 = 32.0;
/// Every process polls at least this often, however many there are.
const MAX_WAIT: Duration = Duration::from_secs(60);
/// In a fleet larger than [`LARGE_FLEET`], this many idle processes wake for new work. A process that finds work wakes
/// others.
const WAKEUP_FACTOR: f64 = 2.0;

/// The backoff of polling, from the number of live processes that this process knows of.
#[derive(Debug, Default)]
pub struct PollBackoff(AtomicU64);

impl PollBackoff {
    pub fn set(&self, processes: u64) {
        self.0.store(processes, Ordering::Relaxed);
    }

    fn count(&self) -> f64 {
        self.0.load(Ordering::Relaxed) as f64
    }

    /// How long this process waits when a single one would wait for `interval`; in a large fleet `jitter` (0 to 1) makes it
    /// up to half shorter or longer, so that processes do not poll in step.
    pub fn wait(&self, interval: Duration, jitter: f64) -> Duration {
        let share = self.count() / LARGE_FLEET;
        if share <= 1.0 {
            return interval;
        }
        let longest = MAX_WAIT.max(interval);
        interval.mul_f64(share).min(longest).mul_f64(0.5 + jitter.clamp(0.0, 1.0))
    }

    /// How often this process reports its progress when a single one reports every `interval`; at least every `most`.
    pub fn report(&self, interval: Duration, most: Duration) -> Duration {
        interval.mul_f64((self.count() / HEARTBEAT_FACTOR).max(1.0)).min(most.max(interval))
    }

    /// How many jobs this process claims at once for `idle` free slots; a small fleet claims one at a time, so
    /// that every process gets some.
    pub fn claim_size(&self, idle: u32) -> u32 {
        if self.is_large() { idle.max(1) } else { 1 }
    }

    /// Whether this process wakes when new work is announced to all.
    pub fn wakes(&self, jitter: f64) -> bool {
        !self.is_large() || jitter * self.count() < WAKEUP_FACTOR
    }

    /// Whether the fleet is so large that some processes sleep through a signal; a process that finds work then resends it.
    pub fn is_large(&self) -> bool {
        self.count() > LARGE_FLEET
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_large_fleet_polls_as_often_as_a_small_one() {
        let backoff = PollBackoff::default();
        for few in [0, 1, 8] {
            backoff.set(few);
            assert_eq!([0.0, 0.99].map(|jitter| backoff.wait(SECOND, jitter)), [SECOND; 2], "{few}");
        }
        for many in [32, 160, 450] {
            backoff.set(many);
            let waits: f64 =
                (0..1_000).map(|n| backoff.wait(SECOND, f64::from(n) / 1_000.0).as_secs_f64()).sum();
            let a_second = many as f64 / (waits / 1_000.0);
            assert!((7.7..8.3).contains(&a_second), "{many}: {a_second}");
        }
        backoff.set(1_000_000);
        assert_eq!(backoff.wait(SECOND, 0.5), MAX_WAIT);
        assert_eq!(backoff.wait(2 * MAX_WAIT, 0.5), 2 * MAX_WAIT);
    }

    #[test]
    fn a_large_fleet_reports_less_often_and_claims_more_at_once() {
        let backoff = PollBackoff::default();
        for (processes, every, takes) in [(0, 1, 1), (8, 1, 1), (32, 1, 6), (96, 3, 6), (10_000, 10, 6)] {
            backoff.set(processes);
            assert_eq!(backoff.report(SECOND, 10 * SECOND), every * SECOND, "{processes}");
            assert_eq!((backoff.claim_size(6), backoff.claim_size(0)), (takes, 1), "{processes}");
        }
        assert_eq!(backoff.report(10 * SECOND, SECOND), 10 * SECOND);
    }

    #[test]
    fn a_few_of_a_fleet_wake_for_new_work() {
        let backoff = PollBackoff::default();
        let come = || (0..10_000).filter(|n| backoff.wakes(f64::from(*n) / 10_000.0)).count();
        for few in [0, 1, 8] {
            backoff.set(few);
            assert!(come() == 10_000 && !backoff.is_large(), "{few}: all");
        }
        backoff.set(1_000);
        assert!(come() == 20 && backoff.is_large(), "two of a thousand");
    }
}
