//! Fetches evicted inputs of a segment again, outside the slots, because waiting for other servers must not block
//! rendering. Once the inputs are stored, the job is returned to the queue for the next free slot.

use std::sync::Arc;

use clipmill_core::ids::UserId;
use clipmill_core::plan::SourceRef;
use clipmill_store::{Claim, Job, StoreError};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::{ExecutionMode, Failure, Outcome, SNOOZE_MS, Worker, WorkerSettings};
use crate::clock;
use crate::http::permits::FairSemaphore;

/// Fetches in progress outside the slots: at most as many as there are slots for fetching.
#[derive(Debug)]
pub struct InputFetches {
    semaphore: Arc<FairSemaphore>,
    in_progress: TaskTracker,
}

impl InputFetches {
    pub fn new(settings: &WorkerSettings) -> Self {
        let share = match settings.fetch_slots_per_user {
            0 => settings.fetch_slots,
            share => share as usize,
        };
        Self {
            semaphore: FairSemaphore::with_share(settings.fetch_slots, share),
            in_progress: TaskTracker::new(),
        }
    }

    pub(super) async fn end(&self) {
        self.in_progress.close();
        self.in_progress.wait().await;
    }
}

impl Worker {
    /// Whether a slot would have to wait for an input of this work.
    pub(super) async fn lacks_inputs(&self, claim: &Claim) -> bool {
        let Job::Segment { sources, .. } = &claim.job else { return false };
        // The bucket has them. Downloading a large one takes a while and happens later, under the lease.
        if self.data.bucket().is_some() {
            return false;
        }
        for source in sources {
            // An error appears again when the work is done.
            if !self.engine.sources.ensure_local(&source.content).await.unwrap_or(true) {
                return true;
            }
        }
        false
    }

    /// Starts to fetch the inputs of this work; if the user has reached the limit of fetches, the work waits a while.
    pub(super) async fn fetch_inputs(self: &Arc<Self>, claim: Claim, abort: &CancellationToken) {
        let Ok(place) = self.beside.semaphore.try_acquire(claim.job.user()) else {
            let now = clock::now_ms();
            match self.store.leases().snooze(claim.lease, now + SNOOZE_MS, now).await {
                Ok(()) | Err(StoreError::LeaseLost) => {}
                // The lease expires by itself.
                Err(error) => {
                    tracing::error!(work = claim.lease.work.0, %error, "job could not be postponed")
                }
            }
            return;
        };
        let (worker, abort) = (self.clone(), abort.clone());
        self.beside.in_progress.spawn(async move {
            let _permit = place;
            worker.work(claim, ExecutionMode::InputsOnly, &abort).await;
        });
    }

    pub(super) async fn inputs(&self, sources: &[SourceRef], user: UserId) -> Outcome {
        for source in sources {
            self.source_path(source, user).await?;
        }
        Err(Failure::Ready)
    }
}
