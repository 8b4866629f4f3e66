//! Batches: submitted as a whole, turned into tasks row by row.

use async_trait::async_trait;
use clipmill_core::ids::{BatchNo, TaskNo, UserId};
use clipmill_core::message::Message;
use clipmill_core::request::template::Template;

use crate::error::StoreResult;
use crate::model::*;

#[async_trait]
pub trait BatchStore: Send + Sync + 'static {
    /// Stores a batch with all its rows and holds their points, or changes nothing.
    async fn submit_batch(&self, new: NewBatch, now: Millis) -> StoreResult<BatchOutcome>;
    /// The result of [`BatchStore::submit_batch`] for a batch that was submitted before; `None` otherwise.
    async fn batch_before(
        &self,
        user: UserId,
        client_batch_id: &str,
        request_sha256: &[u8; 32],
    ) -> StoreResult<Option<BatchOutcome>>;
    /// The owner of a batch, for signed links, which contain no user.
    async fn batch_owner(&self, batch_no: &BatchNo) -> StoreResult<Option<UserId>>;
    async fn batch(&self, user: UserId, batch_no: &BatchNo) -> StoreResult<Option<BatchRecord>>;
    /// The newest first.
    async fn batches(&self, user: UserId, page: Page) -> StoreResult<Paged<BatchRecord>>;
    /// Tasks and batches in one list, the newest first, with a batch instead of its tasks. Only the times of the
    /// filter apply.
    async fn grouped_tasks(&self, user: UserId, filter: &TaskFilter, page: Page) -> StoreResult<GroupedPage>;
    /// The title from which the files of a task are named, for any user.
    async fn task_title(&self, task_no: &TaskNo) -> StoreResult<Option<TaskTitle>>;
    /// Rows of a batch by its row, in their order.
    async fn batch_rows(&self, batch: i64, which: RowFilter, page: Page) -> StoreResult<Paged<BatchRow>>;
    /// Outputs of a batch after this row and item, in their order.
    async fn batch_items(&self, batch: i64, after: (u32, u32), most: u32) -> StoreResult<Vec<BatchItem>>;
    /// The next row of each batch that can continue: of a few batches after the batch `after`, in their order.
    async fn due_rows(&self, after: i64) -> StoreResult<Vec<DueRow>>;
    /// The template that a batch's rows fill.
    async fn batch_template(&self, batch: i64) -> StoreResult<Template>;
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
    /// Ends batches whose rows and tasks have all ended; returns their number.
    async fn finish_batches(&self, now: Millis) -> StoreResult<u64>;
    /// Cancels rows and tasks that have not ended. `None` if the user has no such batch, `false` if it had ended.
    async fn cancel_batch(&self, user: UserId, batch_no: &BatchNo, now: Millis) -> StoreResult<Option<bool>>;
    /// Open tasks of cancelled batches, to be cancelled one by one.
    async fn tasks_to_cancel(&self) -> StoreResult<Vec<(UserId, TaskNo)>>;
    /// Pauses or resumes creating tasks from rows. `None` if the user has no such batch.
    async fn pause_batch(
        &self,
        user: UserId,
        batch_no: &BatchNo,
        paused: bool,
        now: Millis,
    ) -> StoreResult<Option<()>>;
}
