//! Tasks: submission, cancellation, and what their owners read: states, outputs, results.

pub(crate) mod callbacks;

use async_trait::async_trait;
use clipmill_core::error::TaskError;
use clipmill_core::footage::Footage;
use clipmill_core::ids::{ItemId, TaskId, TaskNo, UserId};
use clipmill_core::media::ContentHash;
use clipmill_core::message::Message;
use clipmill_core::plan::{Diversity, SourceRef, Warning};
use clipmill_core::request::TaskNaming;
use clipmill_core::request::model::{TaskRequest, TaskType};
use clipmill_core::request::template::Values;
use clipmill_core::results::{ExpectedOutput, ResultRef};
use clipmill_core::similarity::FrameHashes;
use clipmill_core::task::TaskState;
use serde::{Deserialize, Serialize};

use crate::accounts::library::{Quota, StorageFull};
use crate::accounts::templates::TemplateRef;
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::page::{Page, Paged};

#[async_trait]
pub trait TaskStore: Send + Sync + 'static {
    /// Writes task, items, one hold per item and the preflight work, or nothing. Quotas count for new tasks, not
    /// for repeats.
    async fn submit(&self, task: NewTask, now: Millis) -> StoreResult<SubmitOutcome>;
    /// The result of a submission if an earlier task has the same `clientTaskId`. Changes nothing.
    async fn submitted_before(&self, task: &NewTask) -> StoreResult<Option<SubmitOutcome>>;
    async fn find(&self, user: UserId, task_no: &TaskNo) -> StoreResult<Option<TaskRecord>>;
    /// The submitted request, with its current name. `None` if the user has no such task.
    async fn request(&self, user: UserId, task_no: &TaskNo) -> StoreResult<Option<StoredRequest>>;
    /// Renames a task in any state; returns whether the user has such a task.
    async fn rename(&self, user: UserId, task_no: &TaskNo, to: &TaskNaming) -> StoreResult<bool>;
    /// The footage of each output of a task, by its number, without outputs that cannot be rendered. Empty for tasks planned by
    /// a version that did not store it.
    async fn footage(&self, task: TaskId) -> StoreResult<Vec<(u32, Footage<ContentHash>)>>;
    /// The files that the segments of a task were planned from, as its user gave them; some may occur several times.
    async fn sources(&self, user: UserId, task: TaskId) -> StoreResult<Vec<SourceRef>>;
    /// Frame hashes of the outputs of a task, by their numbers: of delivered outputs whose files still exist.
    async fn frame_hashes(&self, task: TaskId) -> StoreResult<Vec<(u32, FrameHashes)>>;
    /// Cancels a task that has not ended. Items without a file end and release their points, and work that only they needed
    /// is taken from its worker. `None` if the user has no such task.
    async fn cancel(&self, user: UserId, task_no: &TaskNo, now: Millis)
    -> StoreResult<Option<CancelOutcome>>;
    async fn list(&self, user: UserId, filter: &TaskFilter, page: Page) -> StoreResult<Paged<TaskRecord>>;
    /// Delivered outputs of the tasks that the filter finds: of the newest task first, in a task by their numbers. The
    /// newest 10,000 are counted and listed.
    async fn outputs(
        &self,
        user: UserId,
        filter: &TaskFilter,
        page: Page,
    ) -> StoreResult<Paged<OutputRecord>>;
    /// The result of an item of any user, for signed links.
    async fn item_result(&self, task_no: &TaskNo, item_no: u32) -> StoreResult<Option<ItemResult>>;
    /// The output that a request names as an input; of any user. `None` if there is no such item.
    async fn result_source(&self, result: &ResultRef) -> StoreResult<Option<ResultSource>>;
    /// The owner of a task, for signed links, which name no user.
    async fn owner(&self, task_no: &TaskNo) -> StoreResult<Option<UserId>>;
    /// Files of a task's items, for signed links.
    async fn results(&self, task_no: &TaskNo) -> StoreResult<Vec<(u32, ItemResult)>>;
    /// The title from which the files of a task are named, for any user.
    async fn title(&self, task_no: &TaskNo) -> StoreResult<Option<TaskTitle>>;
    /// The progress of these tasks, without those that do not exist.
    async fn progress(&self, tasks: &[TaskId]) -> StoreResult<Vec<TaskProgress>>;
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
    /// The size of the output, as far as it is known.
    pub expected: Option<ExpectedOutput>,
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
    TooManyCancelled {
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
    /// Work done and planned, in output frames (see [`crate::JobStore::complete_preflight`]).
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

/// An output as the input of another task.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultSource {
    pub user: UserId,
    pub state: TaskState,
    /// How many tasks the longest chain that ends with its task has.
    pub chain_length: u32,
    /// The size before it exists; `None` if it is not known.
    pub expected: Option<ExpectedOutput>,
    /// Set once it was delivered.
    pub result: Option<ItemResult>,
    /// Until when its files are kept at least; `None` if they do not exist.
    pub stored_until: Option<Millis>,
}

/// A JPEG beside a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cover {
    pub key: String,
    pub sha256: String,
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

/// The title from which the files of a task are named.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TaskTitle {
    pub name: Option<String>,
    /// The batch row of the task.
    pub batch: Option<RowTitle>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RowTitle {
    /// The batch's.
    pub name: Option<String>,
    pub row: u32,
    pub values: Values,
}

/// The request of a task.
#[derive(Debug, Clone, PartialEq)]
pub enum StoredRequest {
    Kept(Box<TaskRequest>),
    /// The task ended long ago and delivered nothing.
    Dropped,
}
