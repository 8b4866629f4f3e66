//! Readiness: whether the database can be written, tested periodically.
//!
//! If the database is merely busy, the last known result counts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clipmill_store::Store;
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::Instant;

use crate::clock;

/// A result is reused for this long, however often it is requested.
const CACHE_TTL: Duration = Duration::from_secs(5);
/// How long a request waits for a test write that is queued behind others.
const TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Clone)]
pub struct Readiness {
    store: Arc<dyn Store>,
    /// When a write was last tried; locked while one is in progress.
    tried: Arc<Mutex<Option<Instant>>>,
    writable: Arc<AtomicBool>,
}

impl Readiness {
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, tried: Arc::default(), writable: Arc::new(AtomicBool::new(true)) }
    }

    pub async fn is_writable(&self) -> bool {
        if let Ok(tried) = self.tried.clone().try_lock_owned()
            && tried.is_none_or(|tried| tried.elapsed() >= CACHE_TTL)
        {
            tokio::spawn(self.clone().try_writing(tried));
        }
        let _ = tokio::time::timeout(TIMEOUT, self.tried.lock()).await;
        self.writable.load(Ordering::Relaxed)
    }

    async fn try_writing(self, mut tried: OwnedMutexGuard<Option<Instant>>) {
        match self.store.try_writing(clock::now_ms()).await {
            Ok(()) => {
                if !self.writable.swap(true, Ordering::Relaxed) {
                    tracing::info!("the database is writable again");
                }
            }
            Err(error) if error.cannot_write() => {
                if self.writable.swap(false, Ordering::Relaxed) {
                    tracing::error!(%error, "the database cannot be written; free space on its disk");
                }
            }
            Err(error) => tracing::debug!(%error, "the test write could not be completed"),
        }
        *tried = Some(Instant::now());
    }
}
