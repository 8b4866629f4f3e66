//! A few seconds of an output for a waiting caller: planned and rendered like outputs, in the same cache, by software
//! and, unless they are many, before all background work. Finished segments stay when the future is dropped; unfinished
//! ones are aborted.

use std::future::Future;

use clipmill_core::error::TaskError;
use clipmill_core::media::Facts;
use clipmill_core::message;
use clipmill_core::plan::{FrameError, Moment, PlannedClip, PlannedSegment, SourceRef, clip, clip_inputs};
use clipmill_core::request::model::TaskRequest;
use clipmill_core::segment::SegmentKey;
use futures_util::{StreamExt, TryStreamExt, stream};

use crate::cache::DeliveryMethod;
use crate::engine::Engine;
use crate::error::MediaError;
use crate::failure::render_failed;
use crate::ingest::sources::SourceLocation;
use crate::output::assemble::AssembleError;
use crate::segment::renderer::Renderer;
use crate::source_file::SourceFile;

/// Segments of one clip rendered in parallel.
const PARALLEL: usize = 2;
/// Checks for missing segments: before rendering, after it, and after segments were lost meanwhile.
const ROUNDS: usize = 3;

impl Engine {
    /// Plans `seconds` of an output from all its files. `locate` resolves a URL.
    pub async fn plan_clip<F>(
        &self,
        request: &TaskRequest,
        seed: u64,
        moment: &Moment,
        seconds: f64,
        locate: impl Fn(String) -> F,
    ) -> Result<PlannedClip, FrameError>
    where
        F: Future<Output = Result<SourceLocation, TaskError>>,
    {
        let mut facts = Facts::default();
        loop {
            let inputs = clip_inputs(request, seed, &facts, moment);
            if inputs.is_empty() {
                return clip(request, seed, &facts, &self.context(), moment, seconds);
            }
            self.probe_cached(inputs, &mut facts, &locate).await;
        }
    }

    /// Renders the clip, an MP4. `attempt` must be unique among all attempts in progress.
    pub async fn make_clip(&self, attempt: &str, planned: &PlannedClip) -> Result<Vec<u8>, TaskError> {
        let renderer = Renderer {
            ffmpeg: match planned.is_long() {
                true => self.renderer.ffmpeg.clone(),
                false => self.renderer.ffmpeg.urgent(),
            },
            // Other machines have no use for it.
            cache: self.renderer.cache.clone().before(None),
            hardware: None,
        };
        let _in_use = renderer.cache.hold(planned.rendition.names());
        let scratch = renderer.cache.scratch(&format!("{attempt}-done")).await?;
        let clip_file = scratch.file("clip.mp4");
        for _ in 0..ROUNDS {
            match renderer.assemble(attempt, &planned.rendition, &clip_file, DeliveryMethod::Link).await {
                Ok(_) => {
                    return Ok(tokio::fs::read(&clip_file)
                        .await
                        .map_err(MediaError::file("read", &clip_file))?);
                }
                Err(AssembleError::Failed(error)) => return Err(error),
                Err(AssembleError::Missing(lost) | AssembleError::Mismatched(lost)) => {
                    self.make_pieces(&renderer, attempt, planned, &lost).await?;
                }
            }
        }
        Err(render_failed(message::clip_lost()))
    }

    async fn make_pieces(
        &self,
        renderer: &Renderer,
        attempt: &str,
        planned: &PlannedClip,
        wanted: &[SegmentKey],
    ) -> Result<(), TaskError> {
        let mut making = Vec::new();
        for (number, segment) in planned.segments.iter().enumerate() {
            if wanted.contains(&segment.key) {
                making.push(self.make_segment(renderer, format!("{attempt}-{number}"), segment));
            }
        }
        stream::iter(making).buffer_unordered(PARALLEL).try_collect().await
    }

    async fn make_segment(
        &self,
        renderer: &Renderer,
        attempt: String,
        segment: &PlannedSegment,
    ) -> Result<(), TaskError> {
        // Another clip may need the same.
        let _alone = renderer.cache.alone(&segment.key).await;
        let file =
            |source: &SourceRef| SourceFile { source: source.clone(), path: self.sources.path_of(source) };
        let files: Vec<SourceFile> = segment.sources.iter().map(file).collect();
        renderer.segment(&attempt, &segment.key, &segment.spec, &files, |_| {}).await?;
        Ok(())
    }
}
