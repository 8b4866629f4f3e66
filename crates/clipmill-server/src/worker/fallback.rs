//! Encoder fallback: outputs of a device that failed, or of packets that cannot be copied, are encoded again as a whole with
//! the fallback of their settings.
//!
//! The encoder of an output is decided when it is planned, and never for single segments, whose keys depend on it. So all
//! failures end here: a device that fails, a worker without one, a clip that only seemed fit to be copied, and segments that
//! cannot be joined.

use clipmill_core::plan::by_fallback;
use clipmill_media::cache::extension;
use clipmill_store::{Fallback, ItemParts, Lease, NewSegment};

use super::{Failure, Worker};
use crate::clock;
use crate::observe::metric;

impl Worker {
    /// Plans the items that wait for the leased segment again, and gives the segment up.
    pub(super) async fn by_fallback(&self, lease: Lease, reason: &str) -> Result<(), Failure> {
        let fallbacks = self.fallbacks(lease).await?;
        log_fallback(&fallbacks, reason);
        Ok(self.store.jobs().use_fallback(lease, fallbacks, clock::now_ms()).await?)
    }

    /// Plans the item whose assembly is leased again; `false` if there is no fallback.
    pub(super) async fn assemble_by_fallback(&self, lease: Lease, reason: &str) -> Result<bool, Failure> {
        let fallbacks = self.fallbacks(lease).await?;
        if fallbacks.is_empty() {
            return Ok(false);
        }
        log_fallback(&fallbacks, reason);
        self.store.jobs().use_fallback(lease, fallbacks, clock::now_ms()).await?;
        Ok(true)
    }

    async fn fallbacks(&self, lease: Lease) -> Result<Vec<Fallback>, Failure> {
        let mut fallbacks = Vec::new();
        for ItemParts { item, rendition: was, segments } in self.store.jobs().item_parts(lease).await? {
            let Some(again) = by_fallback(&was, &segments, &self.engine.toolchain) else { continue };
            let mut replaced = Vec::with_capacity(again.replaced.len());
            for (old, key, spec) in again.replaced {
                let cache = &self.engine.renderer.cache;
                let present = cache
                    .is_made(&key, extension(&spec))
                    .await
                    .map_err(|error| Failure::Task(error.into()))?;
                // The sources are those of the old segment, which the store knows.
                replaced.push((old, NewSegment { key, spec, sources: Vec::new(), present }));
            }
            fallbacks.push(Fallback { item, was, rendition: again.rendition, replaced });
        }
        Ok(fallbacks)
    }
}

fn log_fallback(fallbacks: &[Fallback], reason: &str) {
    tracing::warn!(
        items = fallbacks.len(),
        reason,
        "segments could not be made as planned; whole outputs are encoded by what they fall back on"
    );
    metric::count(metric::FALLBACKS, &[], fallbacks.len() as u64);
}
