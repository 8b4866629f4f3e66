//! How fast the slots of this worker are: measured as work is done, told with the worker's other news.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clipmill_core::pace::Speed;

#[derive(Debug, Default)]
pub struct Pace(Mutex<Speed>);

impl Pace {
    /// A piece of work that was really made, by its frames in the progress sum.
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
