//! Implements [`TaskStore`]: the unit of work behind each method, and the signals that it sends.

use std::sync::Arc;

use async_trait::async_trait;
use clipmill_core::footage::Footage;
use clipmill_core::ids::{TaskId, TaskNo, UserId};
use clipmill_core::media::ContentHash;
use clipmill_core::plan::SourceRef;
use clipmill_core::request::TaskNaming;
use clipmill_core::results::ResultRef;
use clipmill_core::similarity::FrameHashes;

use super::super::dialect::{Handle, is_conflict};
use super::super::unit::{TRIES, apart, computed, in_time, pause, snapshot, unit};
use super::{bodies, cancel, list, naming, outputs, read, result_inputs, submit};
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::page::{Page, Paged};
use crate::common::signals::Signal;
use crate::tasks::{
    CancelOutcome, ItemResult, NewTask, OutputRecord, ResultSource, StoredRequest, SubmitOutcome, TaskFilter,
    TaskProgress, TaskRecord, TaskStore, TaskTitle,
};

#[async_trait]
impl TaskStore for Handle {
    async fn submit(&self, task: NewTask, now: Millis) -> StoreResult<SubmitOutcome> {
        let task = Arc::new(task);
        let body = bodies::of_task(task.clone()).await?;
        let outcome = unit!(self, prompt, at now, task, body;
                            tx => submit::submit_with_uploads(tx, &task, &body, now.ms))?;
        self.notify(&[Signal::Ready]);
        Ok(outcome)
    }

    async fn submitted_before(&self, task: &NewTask) -> StoreResult<Option<SubmitOutcome>> {
        snapshot!(self, task; tx => submit::earlier(tx, &task))
    }

    async fn find(&self, user: UserId, task_no: &TaskNo) -> StoreResult<Option<TaskRecord>> {
        snapshot!(self, task_no; tx => read::task(tx, user, &task_no))
    }

    async fn request(&self, user: UserId, task_no: &TaskNo) -> StoreResult<Option<StoredRequest>> {
        let row = snapshot!(self, task_no; tx => read::request(tx, user, &task_no))?;
        // Nothing of the database is held while it is read.
        computed(move || row.map(read::RequestRow::read).transpose()).await
    }

    async fn rename(&self, user: UserId, task_no: &TaskNo, to: &TaskNaming) -> StoreResult<bool> {
        unit!(self, task_no, to; tx => naming::rename(tx, user, &task_no, &to))
    }

    async fn footage(&self, task: TaskId) -> StoreResult<Vec<(u32, Footage<ContentHash>)>> {
        snapshot!(self; tx => read::footage(tx, task))
    }

    async fn sources(&self, user: UserId, task: TaskId) -> StoreResult<Vec<SourceRef>> {
        snapshot!(self; tx => read::sources(tx, user, task))
    }

    async fn frame_hashes(&self, task: TaskId) -> StoreResult<Vec<(u32, FrameHashes)>> {
        snapshot!(self; tx => read::frame_hashes(tx, task))
    }

    async fn cancel(
        &self,
        user: UserId,
        task_no: &TaskNo,
        now: Millis,
    ) -> StoreResult<Option<CancelOutcome>> {
        let outcome = unit!(self, prompt, at now, task_no; tx => cancel::cancel(tx, user, &task_no, now.ms))?;
        self.notify(&Signal::ALL);
        Ok(outcome)
    }

    async fn list(&self, user: UserId, filter: &TaskFilter, page: Page) -> StoreResult<Paged<TaskRecord>> {
        snapshot!(self, filter; tx => list::list(tx, user, &filter, page))
    }

    async fn outputs(
        &self,
        user: UserId,
        filter: &TaskFilter,
        page: Page,
    ) -> StoreResult<Paged<OutputRecord>> {
        snapshot!(self, filter; tx => outputs::page(tx, user, &filter, page))
    }

    async fn item_result(&self, task_no: &TaskNo, item_no: u32) -> StoreResult<Option<ItemResult>> {
        snapshot!(self, task_no; tx => read::item_result(tx, &task_no, item_no))
    }

    async fn result_source(&self, result: &ResultRef) -> StoreResult<Option<ResultSource>> {
        snapshot!(self, result; tx => result_inputs::source(tx, &result))
    }

    async fn owner(&self, task_no: &TaskNo) -> StoreResult<Option<UserId>> {
        snapshot!(self, task_no; tx => read::owner(tx, &task_no))
    }

    async fn results(&self, task_no: &TaskNo) -> StoreResult<Vec<(u32, ItemResult)>> {
        snapshot!(self, task_no; tx => read::results(tx, &task_no))
    }

    async fn title(&self, task_no: &TaskNo) -> StoreResult<Option<TaskTitle>> {
        snapshot!(self, task_no; tx => read::title(tx, &task_no))
    }

    async fn progress(&self, tasks: &[TaskId]) -> StoreResult<Vec<TaskProgress>> {
        snapshot!(self, tasks; tx => read::task_progress(tx, &tasks))
    }
}
