//! Eviction: keeps the cache below its size limit.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use clipmill_core::segment::{CacheKey, SegmentKey};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::{Worker, wait};
use crate::clock;

type Error = Box<dyn std::error::Error + Send + Sync>;

/// How often the cache is measured, which takes a few seconds with a million files.
const MEASURE: Duration = Duration::from_secs(300);

impl Worker {
    /// Removes the least recently used files whenever the cache exceeds its limit.
    pub async fn evict(self: Arc<Self>, stop: CancellationToken) {
        while !stop.is_cancelled() {
            if let Err(error) = self.evict_once().await {
                tracing::error!(%error, "the cache could not be reduced to its size limit");
            }
            wait(MEASURE, &stop).await;
        }
    }

    async fn evict_once(&self) -> Result<(), Error> {
        let (max, now) = (self.settings.cache_bytes, clock::now());
        let (engine, store, runtime) = (self.engine.clone(), self.store.clone(), Handle::current());
        // The store is asked only about eviction candidates: a long queue needs more keys than fit into memory.
        let needed_keys = move |of: &[CacheKey]| -> Result<HashSet<CacheKey>, Error> {
            let of: Vec<_> = of.iter().map(|key| SegmentKey(key.0.clone())).collect();
            let keys = runtime.block_on(store.jobs().needed_segments(&of))?;
            Ok(keys.into_iter().map(CacheKey::from).collect())
        };
        let evicting =
            tokio::task::spawn_blocking(move || engine.renderer.cache.evict(max, now, needed_keys));
        let report = evicting.await??;
        if report.removed > 0 {
            tracing::info!(found = ?report, "the cache was reduced to its size limit");
        }
        if report.kept_bytes > max {
            tracing::warn!(found = ?report, max, "the cache exceeds its size limit: all its files are in use");
        }
        Ok(())
    }
}
