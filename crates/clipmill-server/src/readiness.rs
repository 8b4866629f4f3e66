//! Readiness: whether the database can be written, tried now and then.
//!
//! A database that is merely busy is not asked for an answer: what was known last counts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clipmill_store::Store;
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::Instant;

use crate::clock;

/// What was found out counts for so long, however often somebody asks.
const FRESH: Duration = Duration::from_secs(5);
/// How long whoever asks waits for a write that stands in line behind others.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Clone)]
pub struct Readiness {
    store: Arc<dyn Store>,
    /// When a write was tried last; held while one is.
    tried: Arc<Mutex<Option<Instant>>>,
    writable: Arc<AtomicBool>,
}

impl Readiness {
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, tried: Arc::default(), writable: Arc::new(AtomicBool::new(true)) }
    }

    pub async fn is_writable(&self) -> bool {
        if let Ok(tried) = self.tried.clone().try_lock_owned()
            && tried.is_none_or(|tried| tried.elapsed() >= FRESH)
        {
            tokio::spawn(self.clone().try_writing(tried));
        }
        let _ = tokio::time::timeout(PATIENCE, self.tried.lock()).await;
        self.writable.load(Ordering::Relaxed)
    }

    async fn try_writing(self, mut tried: OwnedMutexGuard<Option<Instant>>) {
        match self.store.try_writing(clock::now_ms()).await {
            Ok(()) => {
                if !self.writable.swap(true, Ordering::Relaxed) {
                    tracing::info!("the database can be written again");
                }
            }
            Err(error) if error.cannot_write() => {
                if self.writable.swap(false, Ordering::Relaxed) {
                    tracing::error!(%error, "the database cannot be written; free space on its disk");
                }
            }
            Err(error) => tracing::debug!(%error, "whether the database can be written is not known"),
        }
        *tried = Some(Instant::now());
    }
}
