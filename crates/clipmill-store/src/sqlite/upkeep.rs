//! What operators and their tools ask of the store, beside the service's own interface.

use std::collections::HashSet;

use async_trait::async_trait;
use clipmill_core::ids::{TaskNo, UserId, WorkId};

use super::{SqliteStore, figures, retention, traces};
use crate::error::StoreResult;
use crate::figures::{Figures, Moved, Snapshot};
use crate::model::{Millis, Upload};
use crate::retention::{Cutoffs, Expired, JobLease, Retention, ShedResult};
use crate::traces::Traces;

#[async_trait]
impl Retention for SqliteStore {
    async fn claim_job(
        &self,
        name: &str,
        holder: &str,
        now: Millis,
        lease_ms: i64,
    ) -> StoreResult<Option<JobLease>> {
        unit!(self, tx => retention::claim_job(&mut tx, name, holder, now, lease_ms))
    }

    async fn renew_job(&self, lease: &JobLease, now: Millis, lease_ms: i64) -> StoreResult<()> {
        unit!(self, tx => retention::renew_job(&mut tx, lease, now, lease_ms))
    }

    async fn end_job(&self, lease: &JobLease, now: Millis) -> StoreResult<()> {
        unit!(self, tx => retention::end_job(&mut tx, lease, now))
    }

    async fn job_ended_at(&self, name: &str) -> StoreResult<Option<Millis>> {
        snapshot!(self, tx => retention::job_ended_at(&mut tx, name))
    }

    async fn expired(&self, cutoffs: &Cutoffs) -> StoreResult<Expired> {
        snapshot!(self, tx => retention::expired(&mut tx, cutoffs))
    }

    async fn shed_results(
        &self,
        lease: &JobLease,
        cutoffs: &Cutoffs,
        most: u32,
    ) -> StoreResult<Vec<ShedResult>> {
        unit!(self, tx => retention::shed_results(&mut tx, lease, cutoffs, most))
    }

    async fn shed_uploads(&self, lease: &JobLease, cutoffs: &Cutoffs, most: u32) -> StoreResult<u64> {
        unit!(self, tx => retention::shed_uploads(&mut tx, lease, cutoffs, most))
    }

    async fn shed_tasks(&self, lease: &JobLease, cutoffs: &Cutoffs, most: u32) -> StoreResult<u64> {
        unit!(self, tx => retention::shed_tasks(&mut tx, lease, cutoffs, most))
    }

    async fn shed_segments(&self, lease: &JobLease, most: u32) -> StoreResult<u64> {
        unit!(self, tx => retention::shed_segments(&mut tx, lease, most))
    }

    async fn shed_attempts(&self, lease: &JobLease, cutoffs: &Cutoffs, most: u32) -> StoreResult<u64> {
        unit!(self, tx => retention::shed_attempts(&mut tx, lease, cutoffs, most))
    }

    async fn result_keys(&self, task_no: &str) -> StoreResult<HashSet<String>> {
        snapshot!(self, tx => retention::result_keys(&mut tx, task_no))
    }

    async fn sources_in_use(&self) -> StoreResult<HashSet<String>> {
        snapshot!(self, tx => retention::sources_in_use(&mut tx))
    }

    async fn is_uploaded(&self, content_sha256: &str) -> StoreResult<bool> {
        snapshot!(self, tx => retention::is_uploaded(&mut tx, content_sha256))
    }

    async fn use_upload(&self, user: UserId, id: &str, now: Millis) -> StoreResult<Option<Upload>> {
        // Seldom anything is to be written.
        match snapshot!(self, tx => retention::use_is_old(&mut tx, user, id, now))? {
            Some(false) => crate::Store::upload(self, user, id).await,
            Some(true) => unit!(self, tx => retention::use_upload(&mut tx, user, id, now)),
            None => Ok(None),
        }
    }
}

#[async_trait]
impl Figures for SqliteStore {
    async fn snapshot(&self) -> StoreResult<Snapshot> {
        snapshot!(self, tx => figures::snapshot(&mut tx))
    }

    async fn moved_since(&self, movement: i64) -> StoreResult<Moved> {
        snapshot!(self, tx => figures::moved_since(&mut tx, movement))
    }
}

#[async_trait]
impl Traces for SqliteStore {
    async fn trace_of_work(&self, work: WorkId) -> StoreResult<Option<String>> {
        snapshot!(self, tx => traces::of_work(&mut tx, work))
    }

    async fn trace_of_task(&self, task_no: &TaskNo) -> StoreResult<Option<String>> {
        snapshot!(self, tx => traces::of_task(&mut tx, task_no))
    }
}
