//! Eviction: keeps the cache below its size limit.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use clipmill_core::segment::CacheKey;
use clipmill_media::cache::Evicted;
use tokio_util::sync::CancellationToken;

use super::{Worker, wait};
use crate::clock;

/// How often the cache is measured, which takes a few seconds with a million files.
const MEASURE: Duration = Duration::from_secs(300);

impl Worker {
    /// Removes what was used longest ago whenever the cache exceeds its limit.
    pub async fn evict(self: Arc<Self>, stop: CancellationToken) {
        while !stop.is_cancelled() {
            if let Err(error) = self.evict_once().await {
                tracing::error!(%error, "the cache could not be kept to its size");
            }
            wait(MEASURE, &stop).await;
        }
    }

    async fn evict_once(&self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let max = self.settings.cache_bytes;
        // With a long queue the list of needed keys is long, so the store is only asked for it if something must go.
        if self.evict_beyond(u64::MAX, HashSet::new()).await?.kept_bytes <= max {
            return Ok(());
        }
        let needed = self.store.needed_segments().await?.into_iter().map(CacheKey::from).collect();
        let found = self.evict_beyond(max, needed).await?;
        if found.removed > 0 {
            tracing::info!(?found, "the cache was cut to its size");
        }
        if found.kept_bytes > max {
            tracing::warn!(?found, max, "the cache is larger than it should be: everything in it is in use");
        }
        Ok(())
    }

    async fn evict_beyond(&self, max: u64, needed: HashSet<CacheKey>) -> Result<Evicted, std::io::Error> {
        let (engine, now) = (self.engine.clone(), clock::now());
        tokio::task::spawn_blocking(move || engine.renderer.cache.evict(max, &needed, now)).await?
    }
}
