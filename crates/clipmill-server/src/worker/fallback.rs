//! Encoder fallback: if a device fails or packets cannot be copied, the whole output is re-encoded with the fallback
//! of its settings.
//!
//! The encoder of an output is decided when it is planned, and never for single segments, whose keys depend on it.
//! All such failures are handled here: a failing device, a worker without a device, a clip that turns out not to be
//! copyable, and segments that cannot be joined.

use clipmill_core::plan::by_fallback;
use clipmill_media::cache::extension;
use clipmill_store::{Fallback, ItemParts, Lease, NewSegment};

use super::{Failure, Worker};
use crate::clock;
use crate::observe::metric;

impl Worker {
    /// Replans the items that wait for the leased segment, and drops the segment.
    pub(super) async fn by_fallback(&self, lease: Lease, reason: &str) -> Result<(), Failure> {
        let fallbacks = self.fallbacks(lease).await?;
        log_fallback(&fallbacks, reason);
        Ok(self.store.jobs().use_fallback(lease, fallbacks, clock::now_ms()).await?)
    }

    /// Replans the item whose assembly is leased; `false` if there is no fallback.
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
        "segments could not be rendered as planned; their outputs are re-encoded with the fallback encoder"
    );
    metric::count(metric::FALLBACKS, &[], fallbacks.len() as u64);
}
