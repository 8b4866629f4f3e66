//! Segments of a request, rendered or from the cache.

use std::collections::{HashMap, HashSet};

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::plan::PlannedSegment;
use clipmill_core::segment::SegmentKey;
use clipmill_media::failure::SegmentError;
use clipmill_media::segment::render::SegmentOrigin;
use clipmill_media::source_file::SourceFile;
use futures_util::{StreamExt, stream};
use indicatif::ProgressBar;

use super::stop_report::RunProgress;
use crate::local::PreparedRequest;

/// The result of each segment.
pub struct Segments(HashMap<SegmentKey, Result<SegmentOrigin, SegmentError>>);

impl Segments {
    pub fn count(&self, made: SegmentOrigin) -> usize {
        self.0.values().filter(|outcome| matches!(outcome, Ok(found) if *found == made)).count()
    }

    /// The first failure among the segments of an item.
    pub fn failure(&self, hashes: &[SegmentKey]) -> Option<TaskError> {
        hashes.iter().find_map(|key| match self.0.get(key)?.as_ref().err()? {
            SegmentError::Failed(error) => Some(error.clone()),
            SegmentError::FallBack(reason) => Some(TaskError::new(ErrorCode::RenderFailed, reason.clone())),
        })
    }

    /// Segments that failed and have a fallback.
    pub fn lost(&self) -> HashSet<SegmentKey> {
        let lost = self.0.iter().filter(|(_, made)| matches!(made, Err(SegmentError::FallBack(_))));
        lost.map(|(key, _)| key.clone()).collect()
    }
}

pub async fn make_segments(
    prepared: &PreparedRequest,
    progress: &RunProgress,
    bar: &ProgressBar,
) -> Segments {
    let used = used_segments(prepared);
    let jobs = used.into_iter().enumerate().map(|(index, segment)| async move {
        let outcome = make_segment(prepared, index, segment, bar).await;
        progress.note_segment(&outcome);
        (segment.key.clone(), outcome)
    });
    Segments(stream::iter(jobs).buffer_unordered(prepared.context.slots).collect().await)
}

/// Segments of renderable items, in the order of the plan.
pub fn used_segments(prepared: &PreparedRequest) -> Vec<&PlannedSegment> {
    let renditions = prepared.plan.items.iter().filter_map(|item| item.outcome.as_ref().ok());
    let used: HashSet<SegmentKey> = renditions.flat_map(|rendition| rendition.segments()).collect();
    prepared.plan.segments.iter().filter(|segment| used.contains(&segment.key)).collect()
}

/// Renders a segment once a slot is free, unless another row is rendering it.
pub async fn make_segment(
    prepared: &PreparedRequest,
    index: usize,
    segment: &PlannedSegment,
    bar: &ProgressBar,
) -> Result<SegmentOrigin, SegmentError> {
    let engine = &prepared.context.engine;
    // Rows of a table may need the same segment. Waiting for another row to render it occupies no slot.
    let _alone = engine.renderer.cache.alone(&segment.key).await;
    let _turn = prepared.context.permits.acquire().await;
    let _threads = prepared.context.threads.acquire(&segment.spec).await;
    let sources = segment.sources.iter().cloned();
    let files: Vec<SourceFile> =
        sources.map(|source| SourceFile { path: engine.sources.path_of(&source), source }).collect();
    let mut reported = 0;
    let mut advance = |frames: u64| {
        bar.inc(frames.saturating_sub(reported));
        reported = reported.max(frames);
    };
    let attempt = format!("render-{}-{}-{index}", std::process::id(), prepared.row);
    let outcome = engine.renderer.segment(&attempt, &segment.key, &segment.spec, &files, &mut advance).await;
    advance(segment.spec.frames().0);
    outcome
}
