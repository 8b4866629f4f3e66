//! The throughput of this worker's slots, measured as work is done and reported with its presence.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clipmill_core::throughput::Speed;

#[derive(Debug, Default)]
pub struct Throughput(Mutex<Speed>);

impl Throughput {
    /// Records an executed job with its weight in the progress.
    pub(super) fn note(&self, work: u64, time: Duration) {
        self.lock().note(work, u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    }

    pub(super) fn in_1000_s(&self) -> Option<u64> {
        self.lock().in_1000_s()
    }

    fn lock(&self) -> MutexGuard<'_, Speed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
