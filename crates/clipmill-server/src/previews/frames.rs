//! Single frames rendered on request: a few at a time, with recent ones cached, so that repeated previews cost
//! nothing and rendering continues beside them.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use clipmill_core::error::TaskError;
use clipmill_core::ids::UserId;
use hashlink::LinkedHashMap;

use crate::http::permits::{Busy, FairSemaphore};
use crate::render_time::RenderTime;

/// The most bytes of images in the cache.
const MAX_BYTES: usize = 48 << 20;

pub struct FrameCache {
    entries: Mutex<FrameEntries>,
    semaphore: Arc<FairSemaphore>,
    render_time: Arc<RenderTime>,
}

/// Why a frame could not be returned.
#[derive(Debug)]
pub enum FrameFailure {
    /// Too many other calls are waiting.
    Busy,
    Failed(TaskError),
}

impl FrameCache {
    pub fn new(semaphore: Arc<FairSemaphore>, render_time: Arc<RenderTime>) -> Self {
        Self { entries: Mutex::default(), semaphore, render_time }
    }

    /// The frame with this key, from the cache or rendered by `make` with a permit of the user.
    pub async fn get(
        &self,
        user: UserId,
        name: &str,
        make: impl Future<Output = Result<Vec<u8>, TaskError>>,
    ) -> Result<Bytes, FrameFailure> {
        if let Some(image) = self.entries().find(name) {
            return Ok(image);
        }
        let _permit = self.semaphore.acquire(user).await.map_err(|Busy| FrameFailure::Busy)?;
        // Another call may have rendered it in the meantime.
        if let Some(image) = self.entries().find(name) {
            return Ok(image);
        }
        let image = Bytes::from(self.render_time.charge(user, make).await.map_err(FrameFailure::Failed)?);
        self.entries().keep(name, image.clone());
        Ok(image)
    }

    fn entries(&self) -> std::sync::MutexGuard<'_, FrameEntries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Images by key; the least recently requested one is removed first.
#[derive(Default)]
struct FrameEntries {
    images: LinkedHashMap<String, Bytes>,
    bytes: usize,
}

impl FrameEntries {
    fn find(&mut self, name: &str) -> Option<Bytes> {
        self.images.to_back(name).cloned()
    }

    fn keep(&mut self, name: &str, image: Bytes) {
        self.bytes += image.len();
        if let Some(replaced) = self.images.insert(name.to_owned(), image) {
            self.bytes -= replaced.len();
        }
        while self.bytes > MAX_BYTES
            && let Some((_, oldest)) = self.images.pop_front()
        {
            self.bytes -= oldest.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_frame_is_rendered_once() {
        let frame_cache = FrameCache::new(FairSemaphore::new(1, 100), Arc::default());
        let render_count = std::sync::atomic::AtomicUsize::new(0);
        let make = async || {
            render_count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            tokio::task::yield_now().await;
            Ok(vec![1])
        };
        let (first, second) =
            tokio::join!(frame_cache.get(UserId(1), "a", make()), frame_cache.get(UserId(1), "a", make()));
        assert_eq!((first.unwrap(), second.unwrap()), (Bytes::from_static(&[1]), Bytes::from_static(&[1])));
        assert_eq!(render_count.into_inner(), 1);
        let failed = frame_cache.get(UserId(1), "b", async {
            Err(TaskError::new(
                clipmill_core::error::ErrorCode::Internal,
                clipmill_core::message::our_fault(),
            ))
        });
        assert!(matches!(failed.await, Err(FrameFailure::Failed(_))));
        assert!(
            frame_cache.get(UserId(1), "b", async { Ok(vec![2]) }).await.is_ok(),
            "failures are not kept"
        );
    }

    #[test]
    fn the_least_recently_requested_frame_is_removed_first() {
        let mut entries = FrameEntries::default();
        let large = Bytes::from(vec![0; MAX_BYTES / 2]);
        entries.keep("a", large.clone());
        entries.keep("b", large.clone());
        assert!(entries.find("a").is_some());
        entries.keep("c", large.clone());
        assert_eq!(["a", "b", "c"].map(|name| entries.find(name).is_some()), [true, false, true]);
        entries.keep("c", large);
        assert_eq!(entries.bytes, MAX_BYTES / 2 * 2);
    }
}
