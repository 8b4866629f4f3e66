//! Finishing one item: join, mix, verify, deliver.

use clipmill_core::ids::TaskNo;
use clipmill_core::plan::Rendition;
use clipmill_media::finish::{FinishError, Output};
use clipmill_store::{ItemResult, Lease, StoreError};
use tokio::time::Instant;

use super::{Outcome, Worker, internal};
use crate::clock;

impl Worker {
    pub(super) async fn finish(
        &self,
        lease: Lease,
        task_no: &TaskNo,
        item_no: u32,
        rendition: &Rendition,
    ) -> Outcome {
        // The fence in the name keeps a late attempt from overwriting the one that counts.
        let key = format!("{task_no}/{item_no}-{}.mp4", lease.fence);
        let Some(path) = self.data.result(&key) else {
            return Err(internal("the result has no place").into());
        };
        let (attempt, started) = (format!("{}-{}", lease.work, lease.fence), Instant::now());
        let mut output = match self.engine.renderer.finish(&attempt, rendition, &path).await {
            Ok(output) => output,
            Err(FinishError::Missing(missing)) => {
                tracing::warn!(count = missing.len(), "segments are missing and will be made again");
                return Ok(self.store.segments_missing(lease, &missing, clock::now_ms()).await?);
            }
            Err(FinishError::Failed(error)) => return Err(error.into()),
        };
        let speed = rendition.frames.seconds(rendition.fps) / started.elapsed().as_secs_f64().max(0.001);
        output.quality.speed = Some((speed * 10.0).round() / 10.0);
        let points = self.settings.prices.points(rendition.tier, rendition.frames, rendition.fps);
        let now = clock::now_ms();
        let result = self.result(key, rendition, output, now);
        let store = self.store.clone();
        // Runs to its end also when this work is dropped in the meantime: only then is it known what becomes
        // of the file.
        let delivery = tokio::spawn(async move {
            let delivered = store.deliver(lease, result, points, now).await;
            if matches!(delivered, Err(StoreError::LeaseLost)) {
                // Somebody else delivers, or nobody wants it any more; nobody knows this file.
                let _ = tokio::fs::remove_file(&path).await;
            }
            delivered
        });
        let unknown = |error: tokio::task::JoinError| StoreError::Corrupt(format!("delivery: {error}"));
        Ok(delivery.await.map_err(unknown)??)
    }

    fn result(&self, key: String, rendition: &Rendition, output: Output, now: i64) -> ItemResult {
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
            expires_at: now.saturating_add(self.settings.keep_results.as_millis() as i64),
        }
    }
}
