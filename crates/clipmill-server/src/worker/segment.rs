//! Renders one segment.

use std::path::PathBuf;
use std::time::Duration;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::UserId;
use clipmill_core::message;
use clipmill_core::plan::{AudioMix, SourceRef};
use clipmill_core::segment::{SegmentKey, SegmentSpec};
use clipmill_media::failure::SegmentError;
use clipmill_media::ingest::fetch::FileKind;
use clipmill_media::segment::render::SegmentOrigin;
use clipmill_media::source_file::SourceFile;
use clipmill_store::Lease;
use tracing::Instrument;

use super::lease::Progress;
use super::{Outcome, Worker};
use crate::clock;
use crate::observe::metric;

impl Worker {
    pub(super) async fn segment(
        &self,
        lease: Lease,
        key: &SegmentKey,
        spec: &SegmentSpec,
        sources: &[SourceRef],
        user: UserId,
        progress: &Progress,
    ) -> Outcome {
        let mut files = Vec::with_capacity(sources.len());
        for source in sources {
            files.push(SourceFile { source: source.clone(), path: self.source_path(source, user).await? });
        }
        let attempt = format!("{}-{}", lease.work, lease.fence);
        let began = tokio::time::Instant::now();
        let renderer = &self.engine.renderer;
        let origin = match renderer.segment(&attempt, key, spec, &files, |frames| progress.set(frames)).await
        {
            Ok(origin) => origin,
            Err(SegmentError::FallBack(reason)) => return self.by_fallback(lease, &reason).await,
            Err(SegmentError::Failed(error)) => return Err(error.into()),
        };
        tracing::info!(segment = %key.0, made = ?origin, "segment ready");
        count_made(origin, spec, began.elapsed());
        if origin == SegmentOrigin::Rendered && !is_copied(spec) {
            // While one encode has several threads, fewer run in the other slots.
            self.speed.note(spec.frames().0, began.elapsed() * threads(spec));
        }
        let ahead = match spec {
            SegmentSpec::Audio(_) => self.audio_of_only_output(lease).await,
            SegmentSpec::Video(_) => None,
        };
        progress.close();
        self.store.jobs().complete_segment(lease, clock::now_ms()).await?;
        if let Some(mix) = ahead {
            self.mix_beside(mix, format!("{attempt}-mix"), user);
        }
        Ok(())
    }

    /// The mix to render after the last audio segment of an output, so that it is ready before the last video
    /// segment. Only for tasks with a single output, which would wait for it: tasks with several outputs mix in
    /// batches (`batch.rs`). If results are in a bucket, another worker may assemble the output, so nothing is mixed.
    async fn audio_of_only_output(&self, lease: Lease) -> Option<AudioMix> {
        if self.data.bucket().is_some() {
            return None;
        }
        match self.store.jobs().only_output(lease).await {
            Ok(output) => output?.audio,
            Err(error) => {
                tracing::debug!(%error, "no audio could be selected for early mixing");
                None
            }
        }
    }

    /// Mixes outside the slots, which are rendering video. At most as many mixes run there as there are slots. A failed mix is
    /// repeated, and its error reported, during assembly.
    fn mix_beside(&self, mix: AudioMix, attempt: String, user: UserId) {
        let Ok(permit) = self.mixing.clone().try_acquire_owned() else { return };
        let engine = self.engine.clone();
        let mixing = async move {
            let _permit = permit;
            if let Err(error) = engine.renderer.mix_ahead(&attempt, &[&mix]).await {
                tracing::debug!(%error, "audio could not be mixed early");
            }
        };
        let render_time = self.render_time.clone();
        tokio::spawn(async move { render_time.charge(user, mixing).await }.in_current_span());
    }

    /// The path of the source file. A missing file is fetched again and must still have the same content.
    pub(super) async fn source_path(&self, source: &SourceRef, user: UserId) -> Result<PathBuf, TaskError> {
        let sources = &self.engine.sources;
        let path = sources.path_of(source);
        if sources.ensure_local(&source.content).await? {
            sources.keep(&source.content);
            sources.repair(source).await?;
            return Ok(path);
        }
        let located = self.locate(user, source.url.clone()).await?;
        let content =
            sources.obtain(located, FileKind::Media).await.map_err(|error| error.input(&source.url))?;
        if content != source.content
            || !tokio::fs::try_exists(sources.path(&source.content)).await.unwrap_or(false)
        {
            return Err(TaskError::new(ErrorCode::DownloadFailed, message::file_changed())
                .input(&source.url)
                .retryable(false));
        }
        sources.repair(source).await?;
        Ok(path)
    }
}

fn threads(spec: &SegmentSpec) -> u32 {
    match spec {
        SegmentSpec::Video(video) => video.encoder.threads.max(1),
        SegmentSpec::Audio(_) => 1,
    }
}

/// Copied segments do not count for the throughput of encoding.
fn is_copied(spec: &SegmentSpec) -> bool {
    matches!(spec, SegmentSpec::Video(video) if video.encoder.is_copy())
}

/// Updates the metrics.
fn count_made(made: SegmentOrigin, spec: &SegmentSpec, time: Duration) {
    let from = match made {
        SegmentOrigin::Rendered => "rendered",
        SegmentOrigin::Cached => "cache",
    };
    metric::count(metric::SEGMENTS, &[("from", from)], 1);
    if made == SegmentOrigin::Rendered
        && let SegmentSpec::Video(video) = spec
    {
        let seconds = video.frames.seconds(video.fps);
        metric::count(metric::RENDERED, &[], (seconds * 1000.0).round() as u64);
        metric::count(metric::RENDER_TIME, &[], time.as_millis() as u64);
    }
}
