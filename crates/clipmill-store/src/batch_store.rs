//! Batches: taken as a whole, made row by row.

use async_trait::async_trait;
use clipmill_core::ids::{BatchNo, TaskNo, UserId};
use clipmill_core::message::Message;
use clipmill_core::request::template::Template;

use crate::error::StoreResult;
use crate::model::*;

#[async_trait]
pub trait BatchStore: Send + Sync + 'static {
    /// Takes a batch with all its rows and holds their points, or nothing.
    async fn submit_batch(&self, new: NewBatch, now: Millis) -> StoreResult<BatchOutcome>;
    /// What [`BatchStore::submit_batch`] would say of one that was sent before; `None` otherwise.
    async fn batch_before(
        &self,
        user: UserId,
        client_batch_id: &str,
        request_sha256: &[u8; 32],
    ) -> StoreResult<Option<BatchOutcome>>;
    /// Whose batch it is: for signed links, which name nobody.
    async fn batch_owner(&self, batch_no: &BatchNo) -> StoreResult<Option<UserId>>;
    async fn batch(&self, user: UserId, batch_no: &BatchNo) -> StoreResult<Option<BatchRecord>>;
    /// The newest first.
    async fn batches(&self, user: UserId, page: Page) -> StoreResult<Paged<BatchRecord>>;
    /// Tasks and batches in one order, the newest first: a batch in place of its tasks. Of the filter, only times count.
    async fn grouped_tasks(&self, user: UserId, filter: &TaskFilter, page: Page) -> StoreResult<GroupedPage>;
    /// What the files of a task are named by, whoever asks.
    async fn task_title(&self, task_no: &TaskNo) -> StoreResult<Option<TaskTitle>>;
    /// Rows of a batch by its row, in their order.
    async fn batch_rows(&self, batch: i64, which: RowFilter, page: Page) -> StoreResult<Paged<BatchRow>>;
    /// Outputs of a batch after this row and item, in their order.
    async fn batch_items(&self, batch: i64, after: (u32, u32), most: u32) -> StoreResult<Vec<BatchItem>>;
    /// The next row of each batch that may go on, a few batches at a time: of those after the batch `after`, in their order.
    async fn due_rows(&self, after: i64) -> StoreResult<Vec<DueRow>>;
    /// The template that a batch's rows fill.
    async fn batch_template(&self, batch: i64) -> StoreResult<Template>;
    /// Makes a task of a row, once, whoever tries: its points move from the batch to the task.
    async fn make_row(&self, batch: i64, row: u32, task: NewTask, now: Millis) -> StoreResult<RowOutcome>;
    /// Ends a row of which no task can be made.
    async fn refuse_row(
        &self,
        user: UserId,
        batch: i64,
        row: u32,
        why: Message,
        now: Millis,
    ) -> StoreResult<RowOutcome>;
    /// Ends batches whose rows and tasks have all ended; answers how many.
    async fn finish_batches(&self, now: Millis) -> StoreResult<u64>;
    /// Gives up what is not begun. `None` when the user has no such batch, `false` when it had ended.
    async fn cancel_batch(&self, user: UserId, batch_no: &BatchNo, now: Millis) -> StoreResult<Option<bool>>;
    /// Open tasks of cancelled batches, which are to be cancelled one by one.
    async fn tasks_to_cancel(&self) -> StoreResult<Vec<(UserId, TaskNo)>>;
    /// Stops or goes on making tasks of rows. `None` when the user has no such batch.
    async fn pause_batch(
        &self,
        user: UserId,
        batch_no: &BatchNo,
        paused: bool,
        now: Millis,
    ) -> StoreResult<Option<()>>;
}
