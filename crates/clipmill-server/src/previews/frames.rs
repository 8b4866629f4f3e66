//! Single frames made on request: a few at a time, with recent ones cached, so that trying settings again costs nothing and
//! rendering goes on beside it.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use clipmill_core::error::TaskError;
use clipmill_core::ids::UserId;
use hashlink::LinkedHashMap;

use crate::http::permits::{Busy, FairSemaphore};
use crate::render_time::RenderTime;

/// The most bytes of pictures in the cache.
const MOST_BYTES: usize = 48 << 20;

pub struct FrameCache {
    kept: Mutex<FrameEntries>,
    semaphore: Arc<FairSemaphore>,
    render_time: Arc<RenderTime>,
}

/// Why there is no picture.
#[derive(Debug)]
pub enum FrameFailure {
    /// Too many other calls are waiting.
    Busy,
    Failed(TaskError),
}

impl FrameCache {
    pub fn new(semaphore: Arc<FairSemaphore>, render_time: Arc<RenderTime>) -> Self {
        Self { kept: Mutex::default(), semaphore, render_time }
    }

    /// The frame with this key, from the cache or rendered by `make` with a permit of the user.
    pub async fn get(
        &self,
        user: UserId,
        name: &str,
        make: impl Future<Output = Result<Vec<u8>, TaskError>>,
    ) -> Result<Bytes, FrameFailure> {
        if let Some(picture) = self.kept().find(name) {
            return Ok(picture);
        }
        let _permit = self.semaphore.acquire(user).await.map_err(|Busy| FrameFailure::Busy)?;
        // Another call may have made it in the meantime.
        if let Some(picture) = self.kept().find(name) {
            return Ok(picture);
        }
        let picture = Bytes::from(self.render_time.charge(user, make).await.map_err(FrameFailure::Failed)?);
        self.kept().keep(name, picture.clone());
        Ok(picture)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, FrameEntries> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Pictures by key; the one that was requested longest ago is removed first.
#[derive(Default)]
struct FrameEntries {
    pictures: LinkedHashMap<String, Bytes>,
    bytes: usize,
}

impl FrameEntries {
    fn find(&mut self, name: &str) -> Option<Bytes> {
        self.pictures.to_back(name).cloned()
    }

    fn keep(&mut self, name: &str, picture: Bytes) {
        self.bytes += picture.len();
        if let Some(replaced) = self.pictures.insert(name.to_owned(), picture) {
            self.bytes -= replaced.len();
        }
        while self.bytes > MOST_BYTES
            && let Some((_, oldest)) = self.pictures.pop_front()
        {
            self.bytes -= oldest.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_picture_is_made_once() {
        let stills = FrameCache::new(FairSemaphore::new(1, 100), Arc::default());
        let made = std::sync::atomic::AtomicUsize::new(0);
        let make = async || {
            made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            tokio::task::yield_now().await;
            Ok(vec![1])
        };
        let (first, second) =
            tokio::join!(stills.get(UserId(1), "a", make()), stills.get(UserId(1), "a", make()));
        assert_eq!((first.unwrap(), second.unwrap()), (Bytes::from_static(&[1]), Bytes::from_static(&[1])));
        assert_eq!(made.into_inner(), 1);
        let failed = stills.get(UserId(1), "b", async {
            Err(TaskError::new(
                clipmill_core::error::ErrorCode::Internal,
                clipmill_core::message::our_fault(),
            ))
        });
        assert!(matches!(failed.await, Err(FrameFailure::Failed(_))));
        assert!(stills.get(UserId(1), "b", async { Ok(vec![2]) }).await.is_ok(), "failures are not kept");
    }

    #[test]
    fn what_was_asked_for_longest_ago_goes_first() {
        let mut kept = FrameEntries::default();
        let large = Bytes::from(vec![0; MOST_BYTES / 2]);
        kept.keep("a", large.clone());
        kept.keep("b", large.clone());
        assert!(kept.find("a").is_some());
        kept.keep("c", large.clone());
        assert_eq!(["a", "b", "c"].map(|name| kept.find(name).is_some()), [true, false, true]);
        kept.keep("c", large);
        assert_eq!(kept.bytes, MOST_BYTES / 2 * 2);
    }
}
