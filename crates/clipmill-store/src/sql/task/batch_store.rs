//! Implements the part of the store for batches: the unit of work behind each method, and the signals that it sends.

use std::sync::Arc;

use async_trait::async_trait;
use clipmill_core::ids::{BatchNo, TaskNo, UserId};
use clipmill_core::message::Message;
use clipmill_core::request::template::Template;

use super::super::dialect::{Handle, is_conflict};
use super::super::unit::{TRIES, apart, computed, in_time, pause, snapshot, unit};
use super::{batch_queries, batch_writes, bodies, grouped_list, tasks};
use crate::batch_store::BatchStore;
use crate::body::Body;
use crate::error::StoreResult;
use crate::model::*;
use crate::signals::Signal;

#[async_trait]
impl BatchStore for Handle {
    async fn submit_batch(&self, new: NewBatch, now: Millis) -> StoreResult<BatchOutcome> {
        let new = Arc::new(new);
        let template = new.clone();
        let body = computed(move || Body::of(&template.template).map(Arc::new)).await?;
        let outcome = unit!(self, at now, new, body; tx => batch_writes::submit(tx, &new, &body, now.ms))?;
        self.notify(&[Signal::Changed]);
        Ok(outcome)
    }

    async fn batch_before(
        &self,
        user: UserId,
        client_batch_id: &str,
        request_sha256: &[u8; 32],
    ) -> StoreResult<Option<BatchOutcome>> {
        snapshot!(self, client_batch_id, request_sha256;
                  tx => batch_writes::earlier(tx, user, &client_batch_id, &request_sha256))
    }

    async fn batch_owner(&self, batch_no: &BatchNo) -> StoreResult<Option<UserId>> {
        snapshot!(self, batch_no; tx => batch_queries::owner(tx, &batch_no))
    }

    async fn batch(&self, user: UserId, batch_no: &BatchNo) -> StoreResult<Option<BatchRecord>> {
        snapshot!(self, batch_no; tx => batch_queries::get(tx, user, &batch_no))
    }

    async fn batches(&self, user: UserId, page: Page) -> StoreResult<Paged<BatchRecord>> {
        snapshot!(self; tx => batch_queries::page(tx, user, page))
    }

    async fn grouped_tasks(&self, user: UserId, filter: &TaskFilter, page: Page) -> StoreResult<GroupedPage> {
        snapshot!(self, filter; tx => grouped_list::page(tx, user, &filter, page))
    }

    async fn task_title(&self, task_no: &TaskNo) -> StoreResult<Option<TaskTitle>> {
        snapshot!(self, task_no; tx => tasks::title(tx, &task_no))
    }

    async fn batch_rows(&self, batch: i64, which: RowFilter, page: Page) -> StoreResult<Paged<BatchRow>> {
        snapshot!(self; tx => batch_queries::rows(tx, batch, which, page))
    }

    async fn batch_items(&self, batch: i64, after: (u32, u32), most: u32) -> StoreResult<Vec<BatchItem>> {
        snapshot!(self; tx => batch_queries::items(tx, batch, after, most))
    }

    async fn due_rows(&self, after: i64) -> StoreResult<Vec<DueRow>> {
        snapshot!(self; tx => batch_writes::due(tx, after))
    }

    async fn batch_template(&self, batch: i64) -> StoreResult<Template> {
        let content = snapshot!(self; tx => batch_writes::template(tx, batch))?;
        computed(move || Body::read(&content)).await
    }

    async fn make_row(&self, batch: i64, row: u32, task: NewTask, now: Millis) -> StoreResult<RowOutcome> {
        let task = Arc::new(task);
        let body = bodies::of_task(task.clone()).await?;
        let outcome = unit!(self, at now, task, body; tx => batch_writes::make_row(tx, batch, row, &task, &body, now.ms))?;
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
        unit!(self, at now, why; tx => batch_writes::refuse_row(tx, user, batch, row, &why, now.ms))
    }

    async fn finish_batches(&self, now: Millis) -> StoreResult<u64> {
        let mut finished = 0;
        for batch in snapshot!(self; tx => batch_writes::over(tx))? {
            finished += u64::from(unit!(self, at now; tx => batch_writes::finish(tx, batch, now.ms))?);
        }
        if finished > 0 {
            self.notify(&[Signal::Changed, Signal::Ready]);
        }
        Ok(finished)
    }

    async fn cancel_batch(&self, user: UserId, batch_no: &BatchNo, now: Millis) -> StoreResult<Option<bool>> {
        let outcome = unit!(self, at now, batch_no; tx => batch_writes::cancel(tx, user, &batch_no, now.ms))?;
        self.notify(&[Signal::Changed]);
        Ok(outcome)
    }

    async fn tasks_to_cancel(&self) -> StoreResult<Vec<(UserId, TaskNo)>> {
        snapshot!(self; tx => batch_writes::tasks_to_cancel(tx))
    }

    async fn pause_batch(
        &self,
        user: UserId,
        batch_no: &BatchNo,
        paused: bool,
        now: Millis,
    ) -> StoreResult<Option<()>> {
        let outcome =
            unit!(self, at now, batch_no; tx => batch_writes::pause(tx, user, &batch_no, paused, now.ms))?;
        self.notify(&[Signal::Changed]);
        Ok(outcome)
    }
}
