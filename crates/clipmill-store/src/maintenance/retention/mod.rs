//! Deletes expired data.
//!
//! Rows are deleted first and files afterwards, so that a process that dies in between leaves files without rows,
//! never rows without files. Each method is a whole unit of work, as in [`crate::Store`].

use std::collections::HashSet;

use async_trait::async_trait;

use crate::common::clock::Millis;
use crate::common::error::StoreResult;

#[async_trait]
pub trait RetentionStore: Send + Sync + 'static {
    /// Leases a job; `None` while another process has it.
    async fn claim_maintenance(
        &self,
        name: &str,
        holder: &str,
        now: Millis,
        lease_ms: i64,
    ) -> StoreResult<Option<MaintenanceLease>>;
    /// [`crate::StoreError::LeaseLost`] when another process has the job now.
    async fn renew_maintenance(
        &self,
        lease: &MaintenanceLease,
        now: Millis,
        lease_ms: i64,
    ) -> StoreResult<()>;
    async fn end_maintenance(&self, lease: &MaintenanceLease, now: Millis) -> StoreResult<()>;
    /// Checks before the job runs whether the clock has moved plausibly since the last check by any process.
    async fn read_clock(
        &self,
        name: &str,
        now: Millis,
        plausible: ClockTolerance,
    ) -> StoreResult<ClockReading>;
    /// When the job was last completed.
    async fn maintenance_ended_at(&self, name: &str) -> StoreResult<Option<Millis>>;
    /// The data that the methods below would delete now, including tasks whose files or segments must be deleted first.
    async fn expired(&self, cutoffs: &Cutoffs) -> StoreResult<ExpiredCounts>;
    /// Deletes the records of files of at most `max` items: expired ones, and those of tasks that may be deleted.
    /// Never of a task that has not ended.
    async fn expire_results(
        &self,
        lease: &MaintenanceLease,
        cutoffs: &Cutoffs,
        max: u32,
    ) -> StoreResult<Vec<RemovedResult>>;
    /// Deletes uploads that no task has used for long and no open task uses.
    async fn expire_uploads(&self, lease: &MaintenanceLease, cutoffs: &Cutoffs, max: u32)
    -> StoreResult<u64>;
    /// Deletes tasks that ended long ago, with their items, events and work. Their ledger entries are kept, and so
    /// are tasks with files or with an event that is still to be sent.
    async fn expire_tasks(&self, lease: &MaintenanceLease, cutoffs: &Cutoffs, max: u32) -> StoreResult<u64>;
    /// Deletes segments that no task refers to any more, and the work that made them.
    async fn expire_segments(&self, lease: &MaintenanceLease, max: u32) -> StoreResult<u64>;
    /// Drops the requests of tasks that ended long ago and delivered nothing.
    async fn expire_requests(
        &self,
        lease: &MaintenanceLease,
        cutoffs: &Cutoffs,
        max: u32,
    ) -> StoreResult<u64>;
    /// Deletes old attempts of events that are not sent again, except the last attempt of each.
    async fn expire_attempts(
        &self,
        lease: &MaintenanceLease,
        cutoffs: &Cutoffs,
        max: u32,
    ) -> StoreResult<u64>;
    /// Keys of all files that a task still has; empty if the task does not exist.
    async fn result_keys(&self, task_no: &str) -> StoreResult<HashSet<String>>;
    /// Contents (SHA-256) of the inputs of open items.
    async fn sources_in_use(&self) -> StoreResult<HashSet<String>>;
}

/// The right to run a job that only one process runs at a time; every write of the job carries it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaintenanceLease {
    pub name: String,
    pub fence: i64,
}

/// How far the clock can move between two readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockTolerance {
    /// The maximum forward step.
    pub forward_ms: i64,
    /// The maximum backward step.
    pub back_ms: i64,
    /// How long the clock is distrusted after any larger step.
    pub pause_ms: i64,
}

/// A reading of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockReading {
    /// The current time of the store.
    pub now: Millis,
    /// How far it moved since the last reading; 0 at the first one.
    pub step_ms: i64,
    pub is_steady: bool,
}

/// Data older than these times (of the store, see [`crate::Store::now`]) may be deleted. They do not change during a
/// pass, even if a clock jumps meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cutoffs {
    /// Results contain their own expiry.
    pub now: Millis,
    pub uploads_used_before: Millis,
    pub tasks_ended_before: Millis,
    pub attempts_before: Millis,
    /// The end of tasks that delivered nothing.
    pub undelivered_before: Millis,
}

/// The files of an item that can no longer be downloaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedResult {
    /// Keys in result storage: the file, then its cover.
    pub keys: Vec<String>,
    /// Of the file alone.
    pub size_bytes: u64,
}

/// How much could be deleted, counted without deleting anything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExpiredCounts {
    pub results: u64,
    pub result_bytes: u64,
    pub uploads: u64,
    pub tasks: u64,
    pub segments: u64,
    pub attempts: u64,
    pub requests: u64,
}
