//! Segments of a request, rendered or from the cache.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::plan::schedule::cost;
use clipmill_core::plan::{AudioMix, PlannedSegment};
use clipmill_core::segment::{SegmentKey, SegmentSpec};
use clipmill_media::failure::SegmentError;
use clipmill_media::output::mixes_per_run;
use clipmill_media::segment::render::SegmentOrigin;
use clipmill_media::source_file::SourceFile;
use futures_util::{StreamExt, stream};
use indicatif::ProgressBar;
use tokio::sync::Notify;
use tracing::Instrument;

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
    let audio = AudioProgress::default();
    let mut used: Vec<(usize, &PlannedSegment)> = used_segments(prepared).into_iter().enumerate().collect();
    // Audio first, so that it is mixed while video is rendered, then the longest video.
    used.sort_by_key(|(_, segment)| Reverse(cost(&segment.spec)));
    audio.expect(used.iter().filter(|(_, segment)| is_audio(segment)).count());
    let audio = &audio;
    let jobs = used.into_iter().map(|(index, segment)| async move {
        let span = tracing::trace_span!("segment", key = %segment.key.0);
        let outcome = make_segment(prepared, index, segment, bar).instrument(span).await;
        progress.note_segment(&outcome);
        if is_audio(segment) {
            audio.advance();
        }
        (segment.key.clone(), outcome)
    });
    let rendering = stream::iter(jobs).buffer_unordered(prepared.context.slots).collect();
    let mixing = async {
        audio.finished().await;
        mix_outputs(prepared).await;
    };
    Segments(tokio::join!(rendering, mixing).0)
}

fn is_audio(segment: &PlannedSegment) -> bool {
    matches!(segment.spec, SegmentSpec::Audio(_))
}

/// The audio segments that are still to be rendered.
#[derive(Default)]
struct AudioProgress {
    left: AtomicUsize,
    none_left: Notify,
}

impl AudioProgress {
    fn expect(&self, segments: usize) {
        self.left.store(segments, Ordering::Relaxed);
        if segments == 0 {
            self.none_left.notify_one();
        }
    }

    fn advance(&self) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.none_left.notify_one();
        }
    }

    async fn finished(&self) {
        self.none_left.notified().await;
    }
}

/// Mixes the audio of all outputs, several in one run. A failed mix is repeated, and its error reported, when its output is
/// assembled.
async fn mix_outputs(prepared: &PreparedRequest) {
    let context = &prepared.context;
    let renditions = prepared.plan.items.iter().filter_map(|item| item.outcome.as_ref().ok());
    let mixes: BTreeMap<_, &AudioMix> =
        renditions.filter_map(|rendition| rendition.audio.as_ref()).map(|mix| (mix.key(), mix)).collect();
    let mixes: Vec<&AudioMix> = mixes.into_values().collect();
    let share = mixes.len().div_ceil(context.slots.max(1));
    let batch_size = share.clamp(1, mixes_per_run(mixes.iter().copied()));
    let batches = mixes.chunks(batch_size).map(|batch| {
        let keys: Vec<String> = batch.iter().map(|mix| mix.key().0.to_string()).collect();
        let span = tracing::trace_span!("mix", keys = keys.join(" "));
        let mixing = async move {
            let _turn = context.permits.acquire().await;
            let renderer = &context.engine.renderer;
            if let Err(error) = renderer.mix_ahead(&renderer.cache.unique("ahead"), batch).await {
                tracing::debug!(%error, "audio could not be mixed early");
            }
        };
        mixing.instrument(span)
    });
    stream::iter(batches).buffer_unordered(context.slots.max(1)).collect::<Vec<()>>().await;
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
    // Before the slot, which others need meanwhile.
    let _threads = prepared.context.threads.acquire(&segment.spec).await;
    let _turn = prepared.context.permits.acquire().await;
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
