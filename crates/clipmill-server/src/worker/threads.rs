//! The threads of encodes: all slots of a worker together use about as many as it has cores.

use clipmill_core::segment::SegmentSpec;
use clipmill_media::machine::Machine;
use tokio::sync::{Semaphore, SemaphorePermit};

pub struct Threads {
    permits: Semaphore,
    total: u32,
}

impl Threads {
    /// Threads for these slots: one for each, or if there are more cores, one for each core and one more, so that all
    /// cores are busy while an encode begins or ends. The additional slot for users without a job is not among them.
    pub fn new(slots: usize) -> Self {
        Self::with(slots.max(Machine::this().cores + 1))
    }

    fn with(total: usize) -> Self {
        let total = u32::try_from(total.min(Semaphore::MAX_PERMITS)).unwrap_or(u32::MAX);
        Self { permits: Semaphore::new(total as usize), total }
    }

    /// Waits for the threads of this segment's encode, after encodes that wait already. `None` if nothing is encoded.
    pub async fn acquire(&self, spec: &SegmentSpec) -> Option<SemaphorePermit<'_>> {
        match spec {
            SegmentSpec::Video(video) if video.encoder.is_copy() => None,
            SegmentSpec::Video(video) => self.take(video.encoder.threads).await,
            SegmentSpec::Audio(_) => None,
        }
    }

    async fn take(&self, threads: u32) -> Option<SemaphorePermit<'_>> {
        // The semaphore is never closed.
        self.permits.acquire_many(threads.clamp(1, self.total)).await.ok()
    }

    /// Whether no encode waits and a thread is free.
    pub(super) fn is_free(&self) -> bool {
        self.permits.available_permits() > 0
    }

    /// Returns when no encode waits and a thread is free.
    pub(super) async fn free(&self) {
        drop(self.permits.acquire().await);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn an_encode_waits_until_its_threads_are_free_and_later_ones_wait_behind_it() {
        let threads = Threads::with(5);
        let (four, one) = (threads.take(4).await, threads.take(1).await);
        let mut waiting = Box::pin(threads.take(2));
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(one);
        assert!(threads.free().now_or_never().is_none(), "one thread is free, but an encode waits for two");
        drop(four);
        let two = waiting.await;
        threads.free().await;
        drop(two);
    }

    #[tokio::test]
    async fn an_encode_with_more_threads_than_there_are_takes_all() {
        let threads = Threads::with(3);
        let all = threads.take(16).await;
        assert!(threads.free().now_or_never().is_none());
        drop(all);
        threads.free().await;
    }
}
