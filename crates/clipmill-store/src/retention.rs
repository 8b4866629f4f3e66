//! The part of the store's interface that deletes what was kept long enough.
//!
//! Rows are let go of first and files afterwards, so that a process that dies in between leaves files that no
//! row knows, never rows whose file is gone. Each method is a whole unit of work, as in [`crate::Store`].

use std::collections::HashSet;

use async_trait::async_trait;
use clipmill_core::ids::UserId;

use crate::clock::Now;
use crate::error::StoreResult;
use crate::model::{Millis, Upload};

/// Right to do a job that one process does at a time; every write of the job names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobLease {
    pub name: String,
    pub fence: i64,
}

/// What was before these moments may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cutoffs {
    /// Results carry the moment they end themselves.
    pub now: Millis,
    pub uploads_used_before: Millis,
    pub tasks_ended_before: Millis,
    pub attempts_before: Millis,
}

impl Cutoffs {
    /// The same times by the clock of `now`.
    pub(crate) fn by(self, now: Now) -> Self {
        Self {
            now: now.ms,
            uploads_used_before: now.of(self.uploads_used_before),
            tasks_ended_before: now.of(self.tasks_ended_before),
            attempts_before: now.of(self.attempts_before),
        }
    }
}

/// The files of an item that nobody can download any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShedResult {
    /// Keys in result storage: the file, then its cover.
    pub keys: Vec<String>,
    /// Of the file alone.
    pub size_bytes: u64,
}

/// How much may go, counted without letting anything go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Expired {
    pub results: u64,
    pub result_bytes: u64,
    pub uploads: u64,
    pub tasks: u64,
    pub segments: u64,
    pub attempts: u64,
}

#[async_trait]
pub trait Retention: Send + Sync + 'static {
    /// Leases a job; `None` while another process has it.
    async fn claim_job(
        &self,
        name: &str,
        holder: &str,
        now: Millis,
        lease_ms: i64,
    ) -> StoreResult<Option<JobLease>>;
    /// [`crate::StoreError::LeaseLost`] when another process has the job now.
    async fn renew_job(&self, lease: &JobLease, now: Millis, lease_ms: i64) -> StoreResult<()>;
    async fn end_job(&self, lease: &JobLease, now: Millis) -> StoreResult<()>;
    /// When the job was last done to its end.
    async fn job_ended_at(&self, name: &str) -> StoreResult<Option<Millis>>;

    /// What the methods below would let go of by now. Tasks whose files or segments would have to go first
    /// are counted with them.
    async fn expired(&self, cutoffs: &Cutoffs) -> StoreResult<Expired>;
    /// Lets go of the files of at most `most` items: those whose time is over, and those of tasks that may go.
    /// Never of a task that has not ended.
    async fn shed_results(
        &self,
        lease: &JobLease,
        cutoffs: &Cutoffs,
        most: u32,
    ) -> StoreResult<Vec<ShedResult>>;
    /// Lets go of uploads that no task has named for long and no open task names.
    async fn shed_uploads(&self, lease: &JobLease, cutoffs: &Cutoffs, most: u32) -> StoreResult<u64>;
    /// Lets go of tasks that ended long ago, with their items, events and work. Their part of the ledger
    /// stays. A task with files or with an event still to be sent stays as well.
    async fn shed_tasks(&self, lease: &JobLease, cutoffs: &Cutoffs, most: u32) -> StoreResult<u64>;
    /// Lets go of segments that no task knows any more, and of the work that made them.
    async fn shed_segments(&self, lease: &JobLease, most: u32) -> StoreResult<u64>;
    /// Lets go of old attempts at events that are not to be sent again; the last one of each stays.
    async fn shed_attempts(&self, lease: &JobLease, cutoffs: &Cutoffs, most: u32) -> StoreResult<u64>;

    /// Keys of all files that a task still has; empty for a task that is not there.
    async fn result_keys(&self, task_no: &str) -> StoreResult<HashSet<String>>;
    /// Contents (SHA-256) that items which have not ended are made from.
    async fn sources_in_use(&self) -> StoreResult<HashSet<String>>;
    /// Whether anybody's upload has this content.
    async fn is_uploaded(&self, content_sha256: &str) -> StoreResult<bool>;
    /// As [`crate::Store::upload`], and keeps the upload from going soon.
    async fn use_upload(&self, user: UserId, id: &str, now: Millis) -> StoreResult<Option<Upload>>;
}
