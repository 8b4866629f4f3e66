//! Outputs of an encoding device that failed, or of packets that cannot be used as they are: made again as a whole by
//! what their settings fall back on.
//!
//! Which encoder an output has is decided where it is planned, and never piece by piece: its segments are named by
//! their encoder. So a device that fails, a worker that has none, a clip that only seemed fit to be copied, and
//! segments that cannot be joined all end here.

use clipmill_core::plan::again;
use clipmill_media::cache::extension;
use clipmill_store::{ItemParts, Lease, NewSegment, Remake};

use super::{Failure, Worker};
use crate::clock;
use crate::observe::figures;

impl Worker {
    /// Has the items that wait for the leased segment made again, and gives it up.
    pub(super) async fn by_fallback(&self, lease: Lease, reason: &str) -> Result<(), Failure> {
        let remakes = self.remakes(lease).await?;
        log_fallback(&remakes, reason);
        Ok(self.store.remake(lease, remakes, clock::now_ms()).await?)
    }

    /// Has the item whose finish is leased made again; `false` where there is nothing to fall
    /// back on.
    pub(super) async fn finish_by_fallback(&self, lease: Lease, reason: &str) -> Result<bool, Failure> {
        let remakes = self.remakes(lease).await?;
        if remakes.is_empty() {
            return Ok(false);
        }
        log_fallback(&remakes, reason);
        self.store.remake(lease, remakes, clock::now_ms()).await?;
        Ok(true)
    }

    async fn remakes(&self, lease: Lease) -> Result<Vec<Remake>, Failure> {
        let mut remakes = Vec::new();
        for ItemParts { item, rendition: was, segments } in self.store.item_parts(lease).await? {
            let Some(again) = again(&was, &segments, &self.engine.toolchain) else { continue };
            let mut replaced = Vec::with_capacity(again.replaced.len());
            for (old, hash, spec) in again.replaced {
                let cache = &self.engine.renderer.cache;
                let present = cache
                    .is_made(&hash, extension(&spec))
                    .await
                    .map_err(|error| Failure::Task(error.into()))?;
                // The files are those of the old one, which the store knows.
                replaced.push((old, NewSegment { hash, spec, sources: Vec::new(), present }));
            }
            remakes.push(Remake { item, was, rendition: again.rendition, replaced });
        }
        Ok(remakes)
    }
}

fn log_fallback(remakes: &[Remake], reason: &str) {
    tracing::warn!(
        items = remakes.len(),
        reason,
        "segments could not be made as planned; whole outputs are encoded by what they fall back on"
    );
    figures::count(figures::REMADE, &[], remakes.len() as u64);
}
