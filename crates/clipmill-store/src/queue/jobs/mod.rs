//! Jobs: the reports of workers about leased work, from the plan of a task to its outputs.

pub use clipmill_core::throughput::assemble_weight;

use async_trait::async_trait;
use clipmill_core::error::TaskError;
use clipmill_core::footage::Footage;
use clipmill_core::ids::ItemId;
use clipmill_core::media::ContentHash;
use clipmill_core::plan::{Diversity, Rendition, SourceRef, Warning};
use clipmill_core::segment::{SegmentKey, SegmentSpec};

use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::queue::leases::Lease;
use crate::tasks::ItemResult;

#[async_trait]
pub trait JobStore: Send + Sync + 'static {
    /// Writes the plan: re-prices each hold (released and placed again), fails bad items and releases
    /// theirs, creates segment and assembly work, sets `frames_planned` to the distinct segments' frames plus
    /// [`assemble_weight`] of each item. Rejects the task when no item can be made or the price exceeds the
    /// balance. Segments that other tasks have made or are making are not rendered again.
    async fn complete_preflight(&self, lease: Lease, plan: PreflightResult, now: Millis) -> StoreResult<()>;
    /// Before a preflight: while its task uses results that do not exist yet, the work is returned to the queue, and
    /// becomes ready with the end of the last of them.
    async fn await_results(&self, lease: Lease, now: Millis) -> StoreResult<ResultWait>;
    /// A segment is in the cache. Items that now have all their segments become ready for assembly.
    async fn complete_segment(&self, lease: Lease, now: Millis) -> StoreResult<()>;
    /// Completes an item: settles `points` (never above the hold), releases the rest, ends the task with its last item.
    async fn complete_item(
        &self,
        lease: Lease,
        result: ItemResult,
        points: u64,
        now: Millis,
    ) -> StoreResult<()>;
    /// Reports a failure. A retry is scheduled, or the work ends and with it every item that needed it:
    /// a preflight fails the whole task, a segment all items that use it, an assembly its item.
    async fn fail(&self, lease: Lease, failure: JobFailure, now: Millis) -> StoreResult<()>;
    /// Segments are missing from the cache. They are re-rendered, and the item waits for them.
    async fn segments_missing(&self, lease: Lease, missing: &[SegmentKey], now: Millis) -> StoreResult<()>;
    /// The output that waits for a leased segment, if it is the only one.
    async fn only_output(&self, lease: Lease) -> StoreResult<Option<Rendition>>;
    /// Outputs that wait for segments which this worker is making, the earliest first.
    async fn outputs_waiting(&self, worker: &str, max: u32) -> StoreResult<Vec<Rendition>>;
    /// The parts of the items that need a leased segment, or of the item whose assembly is leased.
    async fn item_parts(&self, lease: Lease) -> StoreResult<Vec<ItemParts>>;
    /// Ends the leased work because an encoder failed, and plans these items with other segments. Items that have changed since
    /// [`JobStore::item_parts`] stay unchanged; a segment that they still need becomes ready again.
    async fn use_fallback(&self, lease: Lease, fallbacks: Vec<Fallback>, now: Millis) -> StoreResult<()>;
    /// The segments among `of` that an open item needs. They must not be evicted.
    async fn needed_segments(&self, of: &[SegmentKey]) -> StoreResult<Vec<SegmentKey>>;
}

/// Whether a preflight must wait for results of other tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultWait {
    /// All have ended; the lease remains.
    Over,
    /// The work was returned to the queue.
    Waiting,
    /// It has waited as long as allowed; the lease remains.
    TooLong { days: u64 },
}

/// The result of a preflight, written in one unit.
#[derive(Debug, Clone, Default)]
pub struct PreflightResult {
    pub items: Vec<PreflightItem>,
    /// Distinct segments of all planned items.
    pub segments: Vec<NewSegment>,
    pub diversity: Option<Diversity>,
    pub warnings: Vec<Warning>,
    /// Every unusable input, including those that no item's error mentions.
    pub bad_inputs: Vec<TaskError>,
}

#[derive(Debug, Clone)]
pub struct PreflightItem {
    pub item_no: u32,
    pub recipe: serde_json::Value,
    pub footage: Footage<ContentHash>,
    pub warnings: Vec<Warning>,
    pub outcome: Result<ItemPlan, TaskError>,
}

#[derive(Debug, Clone)]
pub struct ItemPlan {
    /// The confirmed price.
    pub points: u64,
    pub rendition: Rendition,
    /// Distinct segments, video and audio, that the item needs.
    pub segments: Vec<SegmentKey>,
}

#[derive(Debug, Clone)]
pub struct NewSegment {
    pub key: SegmentKey,
    pub spec: SegmentSpec,
    /// Its files, in the order of [`SegmentSpec::sources`].
    pub sources: Vec<SourceRef>,
    /// Whether it is already in the cache and needs no work.
    pub present: bool,
}

/// The segments and the plan of an item.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemParts {
    pub item: ItemId,
    pub rendition: Rendition,
    pub segments: Vec<(SegmentKey, SegmentSpec)>,
}

/// An item whose planned segments are replaced by others.
#[derive(Debug, Clone)]
pub struct Fallback {
    pub item: ItemId,
    /// The plan to replace; an item that has a different plan by now is not changed.
    pub was: Rendition,
    pub rendition: Rendition,
    /// Each old segment with its replacement; their source files are the same.
    pub replaced: Vec<(SegmentKey, NewSegment)>,
}

/// Failure of a job, reported by a live worker.
#[derive(Debug, Clone)]
pub struct JobFailure {
    pub error: TaskError,
    /// When to retry; `None` or a third failure ends the job.
    pub retry_at: Option<Millis>,
}
