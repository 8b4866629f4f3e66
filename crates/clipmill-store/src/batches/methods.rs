//! Implements [`BatchStore`]: the unit of work behind each method, and the signals that it sends.

use std::sync::Arc;

use async_trait::async_trait;
use clipmill_core::ids::{BatchNo, TaskNo, UserId};
use clipmill_core::message::Message;
use clipmill_core::request::template::Template;

use super::super::dialect::{Handle, is_conflict};
use super::super::tasks::bodies;
use super::super::unit::{TRIES, apart, computed, in_time, pause, snapshot, unit};
use super::{grouped_list, read, retry, write};
use crate::batches::{
    BatchItem, BatchOutcome, BatchRecord, BatchRow, BatchStore, DueRow, GroupedPage, NewBatch, RetryOutcome,
    RowFilter, RowOutcome, RowRetry,
};
use crate::common::body::Body;
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::page::{Page, Paged};
use crate::common::signals::Signal;
use crate::tasks::{NewTask, TaskFilter};

#[async_trait]
impl BatchStore for Handle {
    async fn submit(&self, new: NewBatch, now: Millis) -> StoreResult<BatchOutcome> {
        let new = Arc::new(new);
        let template = new.clone();
        let body = computed(move || Body::of(&template.template).map(Arc::new)).await?;
        let outcome = unit!(self, at now, new, body; tx => write::submit(tx, &new, &body, now.ms))?;
        self.notify(&[Signal::Changed]);
        Ok(outcome)
    }

    async fn submitted_before(
        &self,
        user: UserId,
        client_batch_id: &str,
        request_sha256: &[u8; 32],
    ) -> StoreResult<Option<BatchOutcome>> {
        snapshot!(self, client_batch_id, request_sha256;
                  tx => write::earlier(tx, user, &client_batch_id, &request_sha256))
    }

    async fn owner(&self, batch_no: &BatchNo) -> StoreResult<Option<UserId>> {
        snapshot!(self, batch_no; tx => read::owner(tx, &batch_no))
    }

    async fn find(&self, user: UserId, batch_no: &BatchNo) -> StoreResult<Option<BatchRecord>> {
        snapshot!(self, batch_no; tx => read::get(tx, user, &batch_no))
    }

    async fn list(&self, user: UserId, page: Page) -> StoreResult<Paged<BatchRecord>> {
        snapshot!(self; tx => read::page(tx, user, page))
    }

    async fn grouped_tasks(&self, user: UserId, filter: &TaskFilter, page: Page) -> StoreResult<GroupedPage> {
        snapshot!(self, filter; tx => grouped_list::page(tx, user, &filter, page))
    }

    async fn rows(&self, batch: i64, which: RowFilter, page: Page) -> StoreResult<Paged<BatchRow>> {
        snapshot!(self; tx => read::rows(tx, batch, which, page))
    }

    async fn items(&self, batch: i64, after: (u32, u32), max: u32) -> StoreResult<Vec<BatchItem>> {
        snapshot!(self; tx => read::items(tx, batch, after, max))
    }

    async fn due_rows(&self, after: i64) -> StoreResult<Vec<DueRow>> {
        snapshot!(self; tx => write::due(tx, after))
    }

    async fn template(&self, batch: i64) -> StoreResult<Template> {
        let content = snapshot!(self; tx => write::template(tx, batch))?;
        computed(move || Body::read(&content)).await
    }

    async fn make_row(&self, batch: i64, row: u32, task: NewTask, now: Millis) -> StoreResult<RowOutcome> {
        let task = Arc::new(task);
        let body = bodies::of_task(task.clone()).await?;
        let outcome =
            unit!(self, at now, task, body; tx => write::make_row(tx, batch, row, &task, &body, now.ms))?;
        self.notify(&[Signal::Ready]);
        Ok(outcome)
    }

    async fn refuse_row(
        &self,
        user: UserId,
        batch: i64,
        row: u32,
        why: Message,
        now: Millis,
    ) -> StoreResult<RowOutcome> {
        unit!(self, at now, why; tx => write::refuse_row(tx, user, batch, row, &why, now.ms))
    }

    async fn retry_row(&self, row: RowRetry, now: Millis) -> StoreResult<Option<RetryOutcome>> {
        let row = Arc::new(row);
        let outcome = unit!(self, at now, row; tx => retry::retry_row(tx, &row, now.ms))?;
        self.notify(&[Signal::Changed]);
        Ok(outcome)
    }

    async fn finish(&self, now: Millis) -> StoreResult<u64> {
        let mut finished = 0;
        for batch in snapshot!(self; tx => write::over(tx))? {
            finished += u64::from(unit!(self, at now; tx => write::finish(tx, batch, now.ms))?);
        }
        if finished > 0 {
            self.notify(&[Signal::Changed, Signal::Ready]);
        }
        Ok(finished)
    }

    async fn cancel(&self, user: UserId, batch_no: &BatchNo, now: Millis) -> StoreResult<Option<bool>> {
        let outcome = unit!(self, at now, batch_no; tx => write::cancel(tx, user, &batch_no, now.ms))?;
        self.notify(&[Signal::Changed]);
        Ok(outcome)
    }

    async fn tasks_to_cancel(&self) -> StoreResult<Vec<(UserId, TaskNo)>> {
        snapshot!(self; tx => write::tasks_to_cancel(tx))
    }

    async fn pause(
        &self,
        user: UserId,
        batch_no: &BatchNo,
        paused: bool,
        now: Millis,
    ) -> StoreResult<Option<()>> {
        let outcome = unit!(self, at now, batch_no; tx => write::pause(tx, user, &batch_no, paused, now.ms))?;
        self.notify(&[Signal::Changed]);
        Ok(outcome)
    }
}
