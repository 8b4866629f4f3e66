//! Fetching anew what a segment is made from, once it was evicted: beside the slots, since other people's servers are
//! to keep nobody from rendering. With its inputs there, the work is given back for whichever slot comes next.

use std::sync::Arc;

use clipmill_core::ids::UserId;
use clipmill_core::plan::SourceRef;
use clipmill_store::{Claim, Job, StoreError};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::{Failure, How, Outcome, ROOM_MS, Worker, WorkerSettings};
use crate::clock;
use crate::http::turns::Turns;

/// What is under way beside the slots: at most as much as there are slots for fetching.
#[derive(Debug)]
pub struct Beside {
    places: Arc<Turns>,
    under_way: TaskTracker,
}

impl Beside {
    pub fn new(settings: &WorkerSettings) -> Self {
        let share = match settings.fetch_slots_per_user {
            0 => settings.fetch_slots,
            share => share as usize,
        };
        Self { places: Turns::sharing(settings.fetch_slots, share), under_way: TaskTracker::new() }
    }

    pub(super) async fn end(&self) {
        self.under_way.close();
        self.under_way.wait().await;
    }
}

impl Worker {
    /// Whether a slot would have to wait for an input of this work.
    pub(super) async fn lacks_inputs(&self, claim: &Claim) -> bool {
        let Job::Segment { sources, .. } = &claim.job else { return false };
        // A bucket has them; bringing a large one takes a while, and is for whoever keeps the lease, not for here.
        if self.data.bucket().is_some() {
            return false;
        }
        for source in sources {
            // An error shows again when the work is done.
            if !self.engine.sources.bring(&source.content).await.unwrap_or(true) {
                return true;
            }
        }
        false
    }

    /// Begins to fetch the inputs of this work; where the user has as much under way as may be, it waits a while.
    pub(super) async fn fetch_inputs(self: &Arc<Self>, claim: Claim, cut: &CancellationToken) {
        let (Job::Segment { user, .. } | Job::Preflight { user, .. }) = claim.job else { return };
        let Ok(place) = self.beside.places.try_take(user) else {
            let now = clock::now_ms();
            match self.store.put_off(claim.lease, now + ROOM_MS, now).await {
                Ok(()) | Err(StoreError::LeaseLost) => {}
                // The lease runs out by itself.
                Err(error) => tracing::error!(work = %claim.lease.work, %error, "work could not be put off"),
            }
            return;
        };
        let (worker, cut) = (self.clone(), cut.clone());
        self.beside.under_way.spawn(async move {
            let _place = place;
            worker.work(claim, How::InputsOnly, &cut).await;
        });
    }

    pub(super) async fn inputs(&self, sources: &[SourceRef], user: UserId) -> Outcome {
        for source in sources {
            self.source_path(source, user).await?;
        }
        Err(Failure::Ready)
    }
}
