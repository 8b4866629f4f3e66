//! Keeping a lease while work is under way, and letting go of the work when the lease is lost.

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use clipmill_store::{Lease, StoreError};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{Outcome, Worker};
use crate::clock;

/// Progress is reported, and the lease looked at, this often.
const PROGRESS: Duration = Duration::from_secs(1);

/// Frames done so far by the work under way.
#[derive(Debug, Default)]
pub(super) struct Progress(AtomicU64);

impl Progress {
    pub fn set(&self, frames: u64) {
        self.0.store(frames, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

pub(super) enum Ended {
    Finished(Outcome),
    /// The service stops and has waited long enough: the work was dropped, its processes are gone.
    Stopping,
    LeaseLost,
}

impl Worker {
    /// Runs `work` and renews its lease. Dropping the work kills its processes.
    pub(super) async fn keep_lease(
        &self,
        lease: Lease,
        progress: &Progress,
        cut: &CancellationToken,
        work: impl Future<Output = Outcome>,
    ) -> Ended {
        tokio::select! {
            outcome = work => Ended::Finished(outcome),
            () = cut.cancelled() => Ended::Stopping,
            () = self.renew_until_lost(lease, progress) => Ended::LeaseLost,
        }
    }

    /// Returns when the lease is lost (somebody else has the work, or nobody needs it any more), or could not
    /// be renewed for two thirds of its time: somebody else may take the work soon.
    async fn renew_until_lost(&self, lease: Lease, progress: &Progress) {
        let give_up = self.settings.lease * 2 / 3;
        let lease_ms = self.settings.lease.as_millis() as i64;
        let mut told = self.store.interruptions();
        let (mut renewed, mut reported) = (Instant::now(), 0);
        loop {
            tokio::select! {
                () = tokio::time::sleep(PROGRESS.min(self.settings.heartbeat)) => {}
                Ok(()) = told.changed() => {}
            }
            let (frames, asked) = (progress.get(), Instant::now());
            let due = frames != reported || renewed.elapsed() >= self.settings.heartbeat;
            let look = async {
                if due {
                    return self.store.heartbeat(lease, frames, clock::now_ms(), lease_ms).await;
                }
                self.store.holds_lease(lease).await?.then_some(()).ok_or(StoreError::LeaseLost)
            };
            match tokio::time::timeout_at(renewed + give_up, look).await {
                Ok(Ok(())) if due => (renewed, reported) = (asked, frames),
                Ok(Ok(())) => {}
                Ok(Err(StoreError::LeaseLost)) | Err(_) => return,
                Ok(Err(error)) => tracing::error!(%error, "a lease could not be renewed"),
            }
        }
    }
}
