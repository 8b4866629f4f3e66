//! Finishing one item: join, mix, verify, deliver.

use std::collections::HashMap;

use clipmill_core::ids::TaskNo;
use clipmill_core::plan::Rendition;
use clipmill_core::segment::SegmentHash;
use clipmill_media::cache::Handover;
use clipmill_media::finish::{FinishError, Output};
use clipmill_media::render::Made;
use clipmill_store::{Cover, ItemResult, Lease, StoreError};

use super::{Outcome, Worker, internal};
use crate::clock;

impl Worker {
    pub(super) async fn finish(
        &self,
        lease: Lease,
        task_no: &TaskNo,
        item_no: u32,
        rendition: &Rendition,
        inputs: &HashMap<SegmentHash, String>,
    ) -> Outcome {
        // The fence in the name keeps a late attempt from overwriting the one that counts.
        let key = format!("{task_no}/{item_no}-{}.mp4", lease.fence);
        let Some(path) = self.data.result(&key) else {
            return Err(internal("the result has no place").into());
        };
        let attempt = format!("{}-{}", lease.work, lease.fence);
        let finished = self.engine.renderer.finish(&attempt, rendition, &path, Handover::Link).await;
        let output = match finished {
            Ok(output) => output,
            Err(FinishError::Missing(missing)) => {
                tracing::warn!(count = missing.len(), "segments are missing and will be made again");
                return Ok(self.store.segments_missing(lease, &missing, clock::now_ms()).await?);
            }
            Err(FinishError::Failed(error)) => return Err(error.into()),
        };
        tracing::info!(item = %format_args!("{task_no}/{item_no}"), linked = output.made == Made::Cached, "output is there");
        let points = self.settings.prices.points(rendition.tier, rendition.frames, rendition.fps);
        let now = clock::now_ms();
        let cover = output.cover.clone();
        let warnings = output.warnings(|hash| inputs.get(hash).map(String::as_str));
        let result = ItemResult { warnings, ..self.result(key, rendition, output, now) };
        let store = self.store.clone();
        // Runs to its end also when this work is dropped in the meantime: only then is it known what becomes
        // of the files.
        let delivery = tokio::spawn(async move {
            let delivered = store.deliver(lease, result, points, now).await;
            if matches!(delivered, Err(StoreError::LeaseLost)) {
                // Somebody else delivers, or nobody wants them any more; nobody knows these files.
                for file in [Some(path), cover.map(|cover| cover.path)].into_iter().flatten() {
                    let _ = tokio::fs::remove_file(&file).await;
                }
            }
            delivered
        });
        let unknown = |error: tokio::task::JoinError| StoreError::Corrupt(format!("delivery: {error}"));
        Ok(delivery.await.map_err(unknown)??)
    }

    fn result(&self, key: String, rendition: &Rendition, output: Output, now: i64) -> ItemResult {
        let cover = output.cover.map(|cover| Cover { key: cover_key(&key), sha256: cover.sha256 });
        ItemResult {
            key,
            duration_ms: (rendition.frames.seconds(rendition.fps) * 1000.0).round() as u64,
            width: rendition.size.width,
            height: rendition.size.height,
            fps: rendition.fps.get(),
            size_bytes: output.size_bytes,
            sha256: output.sha256,
            video_codec: "h264".into(),
            audio_codec: rendition.sound.as_ref().map(|_| "aac".into()),
            quality: serde_json::to_value(&output.quality).unwrap_or_default(),
            cover,
            warnings: Vec::new(),
            expires_at: now.saturating_add(self.settings.keep_results.as_millis() as i64),
        }
    }
}

/// The cover lies beside the file, under its name.
fn cover_key(key: &str) -> String {
    format!("{}.jpg", key.strip_suffix(".mp4").unwrap_or(key))
}
