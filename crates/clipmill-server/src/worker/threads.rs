//! The threads of encodes: all slots of a worker together use about as many as it has cores.

use clipmill_core::segment::SegmentSpec;
use clipmill_media::machine::Machine;
use clipmill_store::Job;
use tokio::sync::{Semaphore, SemaphorePermit};

pub struct Threads(Semaphore);

impl Threads {
    /// Threads for these slots: one for each, or if there are more cores, one for each core and one more, so that all
    /// cores are busy while an encode begins or ends. The additional slot for users without a job is not among them.
    pub fn new(slots: usize) -> Self {
        Self(Semaphore::new(slots.max(Machine::this().cores + 1).min(Semaphore::MAX_PERMITS)))
    }

    /// Waits until a thread is free for this segment's encode. It also takes its further threads as far as they are free:
    /// if it waited for all of them, encodes of others that began earlier could delay it until they end. `None` if nothing
    /// is encoded.
    pub async fn acquire(&self, spec: &SegmentSpec) -> Option<SemaphorePermit<'_>> {
        let threads = threads_of(spec)?;
        // The semaphore is never closed.
        let mut taken = self.0.acquire().await.ok()?;
        if let Some(more) = self.take_free(threads - 1) {
            taken.merge(more);
        }
        Some(taken)
    }

    /// Takes the threads of a job's encode as far as they are free.
    pub(super) fn take_for(&self, job: &Job) -> Option<SemaphorePermit<'_>> {
        match job {
            Job::Segment { spec, .. } => self.take_free(threads_of(spec)?),
            Job::Preflight { .. } | Job::Assemble { .. } => None,
        }
    }

    fn take_free(&self, threads: u32) -> Option<SemaphorePermit<'_>> {
        let mut taken = None;
        for _ in 0..threads {
            let Ok(one) = self.0.try_acquire() else { break };
            match &mut taken {
                None => taken = Some(one),
                Some(taken) => taken.merge(one),
            }
        }
        taken
    }

    pub(super) fn free_count(&self) -> usize {
        self.0.available_permits()
    }

    /// Returns when a thread is free and no encode waits for it.
    pub(super) async fn free(&self) {
        drop(self.0.acquire().await);
    }
}

/// The threads of an encode, at least one; `None` for segments that are not encoded.
fn threads_of(spec: &SegmentSpec) -> Option<u32> {
    match spec {
        SegmentSpec::Video(video) if !video.encoder.is_copy() => Some(video.encoder.threads.max(1)),
        SegmentSpec::Video(_) | SegmentSpec::Audio(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn an_encode_takes_the_threads_that_are_free_and_others_wait() {
        let threads = Threads(Semaphore::new(5));
        let four = threads.take_free(4).unwrap();
        let second = threads.take_free(4).unwrap();
        assert_eq!((four.num_permits(), second.num_permits()), (4, 1));
        assert!(threads.take_free(1).is_none());
        let mut waiting = Box::pin(threads.0.acquire());
        assert!((&mut waiting).now_or_never().is_none());
        drop(second);
        assert!(threads.free().now_or_never().is_none(), "an encode waits for the free thread");
        drop(four);
        drop(waiting);
        assert_eq!(threads.free_count(), 5);
        threads.free().await;
        assert_eq!(threads.take_free(16).unwrap().num_permits(), 5);
    }
}
