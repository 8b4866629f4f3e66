//! Assembles one item: join, mix, verify, complete.

use std::collections::HashMap;
use std::iter;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clipmill_blobs::{About, key};
use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::message;
use clipmill_core::plan::{Rendition, Warning};
use clipmill_core::pricing::BillableOutput;
use clipmill_core::segment::SegmentKey;
use clipmill_core::throughput::assemble_weight;
use clipmill_core::time::Frames;
use clipmill_media::cache::{DeliveryMethod, Scratch};
use clipmill_media::error::MediaError;
use clipmill_media::output::assemble::{AssembleError, Output};
use clipmill_media::segment::render::SegmentOrigin;
use clipmill_media::source_file::SourceFile;
use clipmill_store::{Cover, ItemResult, Lease, StoreError};
use tracing::Instrument;

use super::batch::Batch;
use super::lease::Progress;
use super::{Outcome, Worker, internal};
use crate::clock;
use crate::file_names::{self, Disposition, FileName};
use crate::links::LinkTarget;
use crate::observe::metric;

/// An output to assemble, with its lease.
pub(super) struct Assembly<'a> {
    pub lease: Lease,
    pub task_no: &'a TaskNo,
    pub item_no: u32,
    pub user: UserId,
    pub rendition: &'a Rendition,
    pub inputs: &'a HashMap<SegmentKey, String>,
}

impl Worker {
    pub(super) async fn assemble(
        &self,
        finishing: Assembly<'_>,
        batch: Option<&Batch<'_>>,
        progress: &Progress,
    ) -> Outcome {
        let Assembly { lease, task_no, item_no, user, rendition, inputs } = finishing;
        // The fence in the key keeps a late attempt from overwriting the valid one.
        let key = format!("{task_no}/{item_no}-{}.mp4", lease.fence);
        let attempt = format!("{}-{}", lease.work, lease.fence);
        let mut guard = match batch {
            Some(batch) => Some(batch.assembly().await),
            None => None,
        };
        let result_file = self.result_file(&key, &attempt).await?;
        let path = result_file.path.clone();
        let began = tokio::time::Instant::now();
        let finished = self.engine.renderer.assemble(&attempt, rendition, &path, DeliveryMethod::Link).await;
        let spent = began.elapsed() + guard.take().map_or(Duration::ZERO, |guard| guard.share);
        let mut output = match finished {
            Ok(output) => output,
            Err(error) => return self.unfinished(lease, error).await,
        };
        let of_cover = self.make_cover(&attempt, rendition, user, &path, &mut output).await;
        if output.origin == SegmentOrigin::Rendered {
            self.speed.note(assemble_weight(rendition.frames), spent);
        }
        tracing::info!(item = %format_args!("{task_no}/{item_no}"), linked = output.origin == SegmentOrigin::Cached, "output assembled");
        self.store_result(&key, &result_file, &output, (task_no, item_no)).await?;
        // The frames were counted in the file; its size and rate were checked against the plan.
        let actual_extent =
            BillableOutput { frames: Frames(output.quality.frames_found), ..rendition.extent() };
        let points = self.settings.prices.points(actual_extent);
        let now = clock::now_ms();
        let speed = output.quality.speed;
        let blobs = self.data.blobs().clone();
        let mut warnings = output.warnings(|hash| inputs.get(hash).map(String::as_str));
        warnings.extend(of_cover);
        let result = ItemResult { warnings, ..self.result(key, rendition, output, now) };
        let files = iter::once(&result.key).chain(result.cover.as_ref().map(|cover| &cover.key));
        let files: Vec<String> = files.map(|file| key::result(file)).collect();
        let (seconds, bytes) = (rendition.frames.seconds(rendition.fps), result.size_bytes);
        let store = self.store.clone();
        progress.close();
        // This runs to its end even if the job is dropped meanwhile: only the result of the write shows whether the
        // files are needed.
        let delivery = async move {
            let delivered = store.jobs().complete_item(lease, result, points, now).await;
            if delivered.is_ok() {
                count_completed(seconds, bytes, speed);
            }
            if matches!(delivered, Err(StoreError::LeaseLost)) {
                // Another worker completes the item, or it is no longer needed, so these files are not needed either.
                if let Err(error) = blobs.delete(files).await {
                    tracing::warn!(%error, "files of a lost lease remain until retention deletes them");
                }
            }
            delivered
        };
        let delivery = tokio::spawn(delivery.in_current_span());
        let unknown = |error: tokio::task::JoinError| StoreError::Corrupt(format!("delivery: {error}"));
        Ok(delivery.await.map_err(unknown)??)
    }

    /// Makes the cover that the client sets. If that fails, the output keeps the automatic one, with a warning.
    async fn make_cover(
        &self,
        attempt: &str,
        rendition: &Rendition,
        user: UserId,
        path: &Path,
        output: &mut Output,
    ) -> Option<Warning> {
        let plan = rendition.cover.as_deref()?;
        let made = async {
            let mut files = Vec::with_capacity(plan.sources.len());
            for source in &plan.sources {
                let path = self.source_path(source, user).await?;
                files.push(SourceFile { source: source.clone(), path });
            }
            self.engine.renderer.make_cover(&format!("{attempt}-cover"), plan, path, &files).await
        };
        match made.await {
            Ok(cover) => {
                output.cover = Some(cover);
                None
            }
            Err(error) => {
                tracing::warn!(%error, "a requested cover could not be made");
                Some(cover_warning(&error))
            }
        }
    }

    /// Queues missing segments for rendering before the output is assembled again; or returns the error.
    async fn unfinished(&self, lease: Lease, error: AssembleError) -> Outcome {
        let reason = match &error {
            AssembleError::Mismatched(_) => Some(error.to_string()),
            AssembleError::Failed(error) if error.code == ErrorCode::RenderFailed => {
                Some(error.message.to_string())
            }
            AssembleError::Missing(_) | AssembleError::Failed(_) => None,
        };
        if let Some(reason) = reason
            && self.assemble_by_fallback(lease, &reason).await?
        {
            return Ok(());
        }
        match error {
            AssembleError::Missing(lost) | AssembleError::Mismatched(lost) => {
                tracing::warn!(
                    count = lost.len(),
                    "segments are missing or do not fit, and will be re-rendered"
                );
                Ok(self.store.jobs().segments_missing(lease, &lost, clock::now_ms()).await?)
            }
            AssembleError::Failed(error) => Err(error.into()),
        }
    }

    /// The path for writing the result: its final place, or a scratch folder if results are in a bucket.
    async fn result_file(&self, key: &str, attempt: &str) -> Result<ResultFile, TaskError> {
        if self.data.bucket().is_some() {
            let scratch = self.engine.renderer.cache.scratch(&format!("{attempt}-result")).await?;
            return Ok(ResultFile { path: scratch.file("result.mp4"), _scratch: Some(scratch) });
        }
        let path = self.data.result(key).ok_or_else(|| internal(message::result_without_place()))?;
        Ok(ResultFile { path, _scratch: None })
    }

    /// Moves the result to its place, with its current download name.
    async fn store_result(
        &self,
        key: &str,
        result_file: &ResultFile,
        output: &Output,
        (task_no, item_no): (&TaskNo, u32),
    ) -> Outcome {
        let Some(bucket) = self.data.bucket() else { return Ok(()) };
        let words = file_names::words(&self.store.tasks().title(task_no).await?.unwrap_or_default());
        let about = |sha256: &str, what: LinkTarget| {
            let name = FileName::of_item(words.as_deref(), task_no, item_no, what.extension());
            let disposition = Some(name.disposition(Disposition::Inline));
            About { sha256: Some(sha256.to_owned()), disposition }
        };
        let stored = async {
            let about_video = about(&output.sha256, LinkTarget::Video);
            bucket.put(&key::result(key), &result_file.path, &about_video).await?;
            if let Some(cover) = &output.cover {
                let about_cover = about(&cover.sha256, LinkTarget::Cover);
                bucket.put(&key::result(&cover_key(key)), &cover.path, &about_cover).await?;
            }
            Ok::<(), MediaError>(())
        };
        Ok(stored.await.map_err(TaskError::from)?)
    }

    fn result(&self, key: String, rendition: &Rendition, output: Output, now: i64) -> ItemResult {
        let pictures = output.pictures.clone();
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
            audio_codec: rendition.audio.as_ref().map(|_| "aac".into()),
            quality: serde_json::to_value(&output.quality).unwrap_or_default(),
            cover,
            pictures,
            warnings: Vec::new(),
            expires_at: now.saturating_add(self.settings.keep_results.as_millis() as i64),
        }
    }
}

/// The path at which a result is assembled.
struct ResultFile {
    path: PathBuf,
    /// Keeps the scratch folder until the result was moved.
    _scratch: Option<Scratch>,
}

fn cover_warning(error: &TaskError) -> Warning {
    let message = message::cover_not_made(error.message.clone());
    Warning { path: "/params/options/cover".into(), message }
}

/// The cover is stored beside the file, with the same name.
fn cover_key(key: &str) -> String {
    format!("{}.jpg", key.strip_suffix(".mp4").unwrap_or(key))
}

/// Updates the metrics.
fn count_completed(seconds: f64, bytes: u64, speed: Option<f64>) {
    tracing::info!(seconds, bytes, speed, "output delivered");
    metric::count(metric::ITEMS, &[], 1);
    metric::count(metric::OUTPUT_BYTES, &[], bytes);
    metric::count(metric::OUTPUT_SECONDS, &[], seconds.round() as u64);
    if let Some(speed) = speed {
        metrics::histogram!(metric::RENDER_SPEED).record(speed);
    }
}
