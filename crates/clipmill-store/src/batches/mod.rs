//! Batches: submitted as a whole, turned into tasks row by row.

use async_trait::async_trait;
use clipmill_core::error::TaskError;
use clipmill_core::ids::{BatchNo, TaskNo, UserId};
use clipmill_core::message::Message;
use clipmill_core::named_enum;
use clipmill_core::plan::Warning;
use clipmill_core::request::template::{Template, Values};
use clipmill_core::results::{ExpectedOutput, ResultRef};
use clipmill_core::task::TaskState;
use serde::{Deserialize, Serialize};

use crate::accounts::library::{Quota, StorageFull};
use crate::accounts::templates::TemplateRef;
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::page::{Page, Paged};
use crate::tasks::{ItemResult, NewTask, TaskFilter, TaskRecord};

#[async_trait]
pub trait BatchStore: Send + Sync + 'static {
    /// Stores a batch with all its rows and holds their points, or changes nothing.
    async fn submit(&self, new: NewBatch, now: Millis) -> StoreResult<BatchOutcome>;
    /// The result of [`BatchStore::submit`] for a batch that was submitted before; `None` otherwise.
    async fn submitted_before(
        &self,
        user: UserId,
        client_batch_id: &str,
        request_sha256: &[u8; 32],
    ) -> StoreResult<Option<BatchOutcome>>;
    /// The owner of a batch, for signed links, which contain no user.
    async fn owner(&self, batch_no: &BatchNo) -> StoreResult<Option<UserId>>;
    async fn find(&self, user: UserId, batch_no: &BatchNo) -> StoreResult<Option<BatchRecord>>;
    /// The newest first.
    async fn list(&self, user: UserId, page: Page) -> StoreResult<Paged<BatchRecord>>;
    /// Tasks and batches in one list, the newest first, with a batch instead of its tasks. Only the times of the
    /// filter apply.
    async fn grouped_tasks(&self, user: UserId, filter: &TaskFilter, page: Page) -> StoreResult<GroupedPage>;
    /// Rows of a batch by its row, in their order.
    async fn rows(&self, batch: i64, which: RowFilter, page: Page) -> StoreResult<Paged<BatchRow>>;
    /// Outputs of a batch after this row and item, in their order.
    async fn items(&self, batch: i64, after: (u32, u32), max: u32) -> StoreResult<Vec<BatchItem>>;
    /// The next row of each batch that can continue: of a few batches after the batch `after`, in their order.
    async fn due_rows(&self, after: i64) -> StoreResult<Vec<DueRow>>;
    /// The template that a batch's rows fill.
    async fn template(&self, batch: i64) -> StoreResult<Template>;
    /// Creates the task of a row, only once. Its points move from the batch to the task.
    async fn make_row(&self, batch: i64, row: u32, task: NewTask, now: Millis) -> StoreResult<RowOutcome>;
    /// Ends a row from which no task can be created.
    async fn refuse_row(
        &self,
        user: UserId,
        batch: i64,
        row: u32,
        why: Message,
        now: Millis,
    ) -> StoreResult<RowOutcome>;
    /// Lets a failed row become another task, in place of its earlier one, for its original price. `None` if the user
    /// has no such row.
    async fn retry_row(&self, retry: RowRetry, now: Millis) -> StoreResult<Option<RetryOutcome>>;
    /// Ends batches whose rows and tasks have all ended; returns their number.
    async fn finish(&self, now: Millis) -> StoreResult<u64>;
    /// Cancels rows and tasks that have not ended. `None` if the user has no such batch, `false` if it had ended.
    async fn cancel(&self, user: UserId, batch_no: &BatchNo, now: Millis) -> StoreResult<Option<bool>>;
    /// Open tasks of cancelled batches, to be cancelled one by one.
    async fn tasks_to_cancel(&self) -> StoreResult<Vec<(UserId, TaskNo)>>;
    /// Pauses or resumes creating tasks from rows. `None` if the user has no such batch.
    async fn pause(
        &self,
        user: UserId,
        batch_no: &BatchNo,
        paused: bool,
        now: Millis,
    ) -> StoreResult<Option<()>>;
}

/// A batch whose rows are all valid.
#[derive(Debug, Clone)]
pub struct NewBatch {
    pub user: UserId,
    pub batch_no: BatchNo,
    pub client_batch_id: String,
    pub request_sha256: [u8; 32],
    pub name: Option<String>,
    pub callback_url: Option<String>,
    /// Whether to accept as many rows as the balance covers, starting with the first.
    pub partial: bool,
    /// The price limit of the whole batch.
    pub max_points: Option<u64>,
    pub template: Template,
    pub kept_as: Option<TemplateRef>,
    pub rows: Vec<NewRow>,
    pub warnings: Vec<Warning>,
    /// The IDs of the uploads that its rows use.
    pub uploads: Vec<String>,
    /// The results of tasks that its rows use.
    pub results: Vec<ResultRef>,
    /// The limit of open batches per user.
    pub max_open: u32,
    pub quota: Quota,
}

#[derive(Debug, Clone)]
pub struct NewRow {
    pub row: u32,
    pub values: Values,
    pub seed: u64,
    pub items: Vec<RowItem>,
}

/// An output of a row with the points to hold for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowItem {
    pub seed: u64,
    pub points: u64,
    /// The size of the output, as far as it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<ExpectedOutput>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchOutcome {
    Created(BatchNo),
    /// The same id with the same content: nothing was done.
    Duplicate(BatchNo),
    /// The same id with other content.
    Conflict {
        batch_no: BatchNo,
    },
    Refused(BatchRefusal),
}

/// Why a batch or the retry of a row is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchRefusal {
    InsufficientPoints {
        needed: u64,
        available: i64,
    },
    /// The price of all rows is higher than the price limit.
    AboveLimit {
        price: u64,
        max_points: u64,
    },
    TooManyOpen {
        open: u64,
        limit: u32,
    },
    StorageFull(StorageFull),
    TooManyCancelled {
        given_up: u64,
        limit: u32,
    },
    /// This upload was deleted meanwhile.
    UploadGone {
        id: String,
    },
}

/// A row that is to become a task, by filling the template of its batch ([`crate::BatchStore::template`]).
#[derive(Debug, Clone)]
pub struct DueRow {
    pub batch: i64,
    pub user: UserId,
    pub client_batch_id: String,
    pub kept_as: Option<TemplateRef>,
    pub row: u32,
    pub values: Values,
    pub seed: u64,
    pub items: Vec<RowItem>,
    /// How many of its earlier tasks were replaced.
    pub retries: u32,
}

#[derive(Debug, Clone)]
pub struct RowRetry {
    pub user: UserId,
    pub batch_no: BatchNo,
    pub row: u32,
    /// The limit of open batches per user.
    pub max_open: u32,
    pub quota: Quota,
}

/// The result of retrying a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RetryOutcome {
    /// It waits to become a task.
    Waiting,
    /// It has not ended, all of its outputs were delivered, or its task was deleted.
    NotFailed,
    /// Its batch was cancelled.
    Cancelled,
    Refused(BatchRefusal),
}

/// The result of turning a row into a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowOutcome {
    /// The row became a task, or was refused.
    Settled,
    /// Its user has reached the limit of open tasks or stored bytes.
    Later,
    /// It was settled before, or its batch is paused or has ended.
    NotDue,
}

/// A batch as its owner sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchRecord {
    pub id: i64,
    pub batch_no: BatchNo,
    pub user: UserId,
    pub client_batch_id: String,
    pub name: Option<String>,
    pub template: Option<TemplateRef>,
    pub state: TaskState,
    pub paused: bool,
    pub total_rows: u32,
    pub waiting_rows: u32,
    pub made_rows: u32,
    /// Refused, or cancelled before they started.
    pub refused_rows: u32,
    pub total_items: u64,
    pub completed_items: u64,
    pub failed_items: u64,
    /// Progress in thousandths of an item.
    pub done_thousandths: u64,
    pub submitted_points: u64,
    pub consumed_points: u64,
    pub warnings: Vec<Warning>,
    pub created_at: Millis,
    pub finished_at: Option<Millis>,
}

/// A row and its state.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchRow {
    pub row: u32,
    pub values: Values,
    pub state: RowState,
    pub task: Option<RowTask>,
    /// Why it never became a task.
    pub error: Option<Message>,
}

named_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RowState {
        Waiting = "waiting",
        Made = "made",
        Refused = "refused",
        Cancelled = "cancelled",
    }
}

/// A filter for rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFilter {
    All,
    In(RowState),
    /// Refused rows, and rows whose task has failed outputs.
    Failed,
}

/// The task of a row; its state is `None` if the task was deleted.
#[derive(Debug, Clone, PartialEq)]
pub struct RowTask {
    pub task_no: TaskNo,
    pub state: Option<TaskState>,
    pub total_items: u32,
    pub completed_items: u32,
    pub failed_items: u32,
    /// Failures in the task.
    pub error: Option<Message>,
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
