//! Records that the store accepts and returns.

use std::collections::HashMap;

use clipmill_core::error::TaskError;
use clipmill_core::footage::Footage;
use clipmill_core::ids::{BatchNo, ItemId, TaskId, TaskNo, UserId, WorkId};
use clipmill_core::media::ContentHash;
use clipmill_core::message::Message;
use clipmill_core::plan::{Diversity, Rendition, SourceRef, Warning};
use clipmill_core::request::model::{TaskRequest, TaskType};
use clipmill_core::segment::{SegmentKey, SegmentSpec};
use clipmill_core::similarity::FrameHashes;
use clipmill_core::task::TaskState;
use serde::{Deserialize, Serialize};

pub use clipmill_core::throughput::assemble_weight;

pub use crate::batch_records::{
    BatchOutcome, BatchRecord, BatchRow, DueRow, NewBatch, NewRow, RowFilter, RowItem, RowOutcome, RowState,
    RowTask, RowTitle, TaskTitle,
};
pub use crate::clock::Millis;
pub use crate::delivery::{
    AttemptOutcome, CallbackRecord, DeliveryAttempt, DeliveryState, DueEvent, EventLease, EventRecord,
    OpenDelivery, RedeliverOutcome, Subject,
};
pub use crate::key::{KeyOwner, KeyRecord, NewKey, Scope, Scopes, SwitchedOff};
pub use crate::library::{
    DeleteOutcome, LibraryFile, LibraryFilter, MediaKind, Quota, StorageFull, UploadFacts,
};
pub use crate::queue::{
    FailedItem, Load, Pause, QueueDepth, QueueOverview, QueueState, Requeue, RunningWork, UserLoad,
    UserOverview, WorkKind, WorkKinds, WorkerInfo, WorkerRecord,
};
pub use crate::shares::{NewShare, ShareOutcome, ShareRecord, SharedTask};
pub use crate::templates::{SaveOutcome, SavedTemplate, TemplateOverview, TemplateRecord, TemplateRef};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    pub name: String,
    /// `whsec_…`
    pub webhook_secret: String,
}

#[derive(Debug, Clone)]
pub struct NewUser {
    pub name: String,
    pub webhook_secret: String,
}

/// Points of a user. `available` is spendable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    pub available: i64,
    pub held: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MovementType {
    Grant,
    Hold,
    Settle,
    Release,
    Adjust,
}

/// One ledger record as shown by the records endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movement {
    pub record_no: i64,
    pub kind: MovementType,
    /// The signed change of the spendable balance.
    pub dot_count: i64,
    pub amount: i64,
    pub balance_after: i64,
    pub task_no: Option<TaskNo>,
    /// Set for a batch whose rows have not become tasks yet; `item_no` is then a row only in batches from before
    /// schema 48.
    pub batch_no: Option<BatchNo>,
    pub item_no: Option<u32>,
    pub remark: Message,
    pub created_at: Millis,
}

#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// From 1.
    pub number: u32,
    pub size: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paged<T> {
    pub list: Vec<T>,
    pub total: u64,
}

#[derive(Debug, Clone, Default)]
pub struct TaskFilter {
    pub state: Option<TaskState>,
    pub task_type: Option<TaskType>,
    /// Prefixes of words of name, number and `clientTaskId`, all of which must match.
    pub words: Option<String>,
    pub label: Option<String>,
    /// Submitted at this time or later.
    pub from: Option<Millis>,
    /// Submitted before this time.
    pub to: Option<Millis>,
}

impl TaskFilter {
    /// Whether the filter also applies to batches: they have no types, labels or words, and other states.
    pub fn finds_batches(&self) -> bool {
        let Self { state, task_type, words, label, from: _, to: _ } = self;
        state.is_none() && task_type.is_none() && words.is_none() && label.is_none()
    }

    /// Whether it filters by more than words and labels.
    pub fn narrows_tasks(&self) -> bool {
        self.state.is_some() || self.task_type.is_some() || self.from.is_some() || self.to.is_some()
    }
}

#[derive(Debug, Clone, Default)]
pub struct MovementFilter {
    pub kind: Option<MovementType>,
    pub task_no: Option<TaskNo>,
}

#[derive(Debug, Clone)]
pub struct NewTask {
    pub user: UserId,
    pub task_no: TaskNo,
    pub request: TaskRequest,
    /// SHA-256 of the request's normal form: distinguishes a repeat from another body under the same `clientTaskId`.
    pub request_sha256: [u8; 32],
    pub seed: u64,
    pub items: Vec<NewItem>,
    pub warnings: Vec<Warning>,
    /// The W3C trace context of the submission, if tracing is on.
    pub traceparent: Option<String>,
    pub quota: Quota,
    /// The template of the request.
    pub template: Option<TemplateRef>,
}

/// An item in order (item 1 first) with the points to hold for it.
#[derive(Debug, Clone)]
pub struct NewItem {
    pub seed: u64,
    pub points: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubmitOutcome {
    Created(SubmittedTask),
    /// The same `clientTaskId` with the same body: the original task; nothing is charged.
    Duplicate(SubmittedTask),
    /// The same `clientTaskId` with another body.
    Conflict {
        task_no: TaskNo,
    },
    InsufficientPoints {
        needed: u64,
        available: i64,
    },
    /// The estimate is higher than the request's price limit.
    AboveLimit {
        price: u64,
        max_points: u64,
    },
    TooManyOpenTasks {
        open: u64,
        limit: u32,
    },
    StorageFull(StorageFull),
    /// Too many outputs of the user were cancelled or rejected recently.
    GaveUpTooMuch {
        given_up: u64,
        limit: u32,
    },
    /// This upload was deleted meanwhile.
    UploadGone {
        id: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmittedTask {
    pub task_id: TaskId,
    pub task_no: TaskNo,
    pub points: u64,
    pub total_items: u32,
    pub warnings: Vec<Warning>,
}

/// The result of asking for a task's cancellation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelOutcome {
    Cancelled,
    /// It was cancelled before: nothing changed.
    Already,
    /// It had ended otherwise, in this state.
    TooLate(TaskState),
}

/// A task as its owner sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskRecord {
    pub id: TaskId,
    pub task_no: TaskNo,
    pub user: UserId,
    pub task_type: TaskType,
    pub client_task_id: Option<String>,
    pub name: Option<String>,
    pub labels: Vec<String>,
    pub template: Option<TemplateRef>,
    pub state: TaskState,
    pub seed: u64,
    pub total_items: u32,
    pub completed_items: u32,
    pub failed_items: u32,
    pub estimated_points: u64,
    /// The price confirmed by preflight, also for a task that was rejected because of it.
    pub price: Option<u64>,
    pub consumed_points: u64,
    /// Work done and planned, in output frames (see [`crate::Store::complete_preflight`]).
    pub frames_done: u64,
    pub frames_planned: u64,
    /// Position among the tasks of all users that have not started (1 is next); `None` once this one has started.
    pub queue_position: Option<u64>,
    /// Remaining work of the task and of its user's planned tasks before it; `None` unless it is planned and has not
    /// ended.
    pub work_left: Option<u64>,
    pub created_at: Millis,
    pub started_at: Option<Millis>,
    pub finished_at: Option<Millis>,
    pub error_message: Option<Message>,
    pub warnings: Vec<Warning>,
    pub diversity: Option<Diversity>,
    /// Empty in lists.
    pub items: Vec<ItemRecord>,
    /// In lists: the first of its outputs with an existing file.
    pub first_output: Option<Output>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ItemRecord {
    pub id: ItemId,
    pub item_no: u32,
    pub state: TaskState,
    pub seed: u64,
    pub frames_done: u64,
    pub frames_planned: u64,
    pub recipe: serde_json::Value,
    pub warnings: Vec<Warning>,
    pub error: Option<TaskError>,
    /// Points settled for it.
    pub charged: u64,
    pub result: Option<ItemResult>,
    /// 1 for the item that ended first; `None` until it has ended.
    pub ended_order: Option<u32>,
}

/// A finished output file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemResult {
    /// Key in result storage.
    pub key: String,
    pub duration_ms: u64,
    pub width: u32,
    pub height: u32,
    pub fps: u32,
    pub size_bytes: u64,
    pub sha256: String,
    pub video_codec: String,
    pub audio_codec: Option<String>,
    pub quality: serde_json::Value,
    /// The cover image; it is kept as long as the file.
    #[serde(default)]
    pub cover: Option<Cover>,
    /// Hashes of the frames, stored apart because only comparisons of outputs read them.
    #[serde(skip)]
    pub pictures: Option<FrameHashes>,
    /// Warnings from assembly, to be added to the item's.
    #[serde(default)]
    pub warnings: Vec<Warning>,
    pub expires_at: Millis,
}

/// A delivered output, apart from the task that it is an item of.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    pub item_no: u32,
    pub seed: u64,
    pub result: ItemResult,
}

/// An output with the name of its task.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputRecord {
    pub task_no: TaskNo,
    pub task_type: TaskType,
    pub client_task_id: Option<String>,
    pub name: Option<String>,
    pub labels: Vec<String>,
    pub output: Output,
}

/// A page of tasks in which each batch is one entry; both lists have the newest first.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupedPage {
    /// Tasks without a batch.
    pub tasks: Vec<TaskRecord>,
    pub batches: Vec<BatchRecord>,
    /// Entries of all pages, at most 10,000.
    pub total: u64,
}

/// An output of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchItem {
    pub row: u32,
    /// Its task's.
    pub name: Option<String>,
    pub task_no: TaskNo,
    pub item_no: u32,
    pub state: TaskState,
    pub result: Option<ItemResult>,
    pub error: Option<TaskError>,
}

/// A JPEG beside a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cover {
    pub key: String,
    pub sha256: String,
}

/// The right to work on one row until `expires`; every write carries it. `fence` increases with each claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lease {
    pub work: WorkId,
    pub fence: i64,
}

/// The limits for a claim.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClaimLimits {
    /// Jobs of these kinds leased for one user; 0: no limit.
    pub per_user: u32,
    /// The kinds of work that the claimer accepts.
    pub kinds: WorkKinds,
}

/// The parts of a task that change during its execution; cheap to read for many tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskProgress {
    pub task: TaskId,
    pub state: TaskState,
    pub ended_items: u32,
    pub frames_done: u64,
    pub frames_planned: u64,
}

/// The assemblies to lease in addition to a leased one.
#[derive(Debug, Clone, Copy)]
pub struct More {
    pub lease: Lease,
    /// The claimer gets its share of the ready assemblies: this many claimers can assemble or render segments.
    pub claimers: u32,
    /// The total number, including the leased one.
    pub most: u32,
}

#[derive(Debug, Clone)]
pub struct Claim {
    pub lease: Lease,
    /// The lease lasts this many times longer than requested, because earlier holders were too slow to renew it.
    pub lease_times: u32,
    /// 1 at the first attempt.
    pub attempt: u32,
    pub job: Job,
}

/// The report of a lease holder.
#[derive(Debug, Clone, Copy)]
pub struct Heartbeat {
    pub lease: Lease,
    /// Whether to renew the lease.
    pub renews: bool,
    /// Frames done so far by this attempt, if that has changed.
    pub frames_done: Option<u64>,
}

#[derive(Debug, Clone)]
pub enum Job {
    /// Fetch and probe the inputs, plan, confirm the price.
    Preflight { task: TaskId, task_no: TaskNo, user: UserId, request: Box<TaskRequest>, seed: u64 },
    /// Render one segment.
    Segment { key: SegmentKey, spec: Box<SegmentSpec>, sources: Vec<SourceRef>, user: UserId },
    /// Join, mix, multiplex and verify one item; all its segments exist.
    Assemble {
        task_no: TaskNo,
        item: ItemId,
        item_no: u32,
        user: UserId,
        rendition: Box<Rendition>,
        /// The source URL of each segment in this user's tasks.
        inputs: HashMap<SegmentKey, String>,
    },
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
pub struct WorkFailure {
    pub error: TaskError,
    /// When to retry; `None` or a third failure ends the job.
    pub retry_at: Option<Millis>,
}

#[derive(Debug, Clone)]
pub struct NewUpload {
    /// Unguessable; the part after `upload://`.
    pub id: String,
    pub user: UserId,
    pub content_sha256: String,
    pub size_bytes: u64,
    pub file_name: Option<String>,
    pub created_at: Millis,
    pub quota: Quota,
}

/// The result of registering an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UploadOutcome {
    Added,
    /// The upload was not registered.
    StorageFull(StorageFull),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    pub id: String,
    pub user: UserId,
    pub content_sha256: String,
    pub size_bytes: u64,
    /// Whether it contains video, audio or an image.
    pub is_media: bool,
}
