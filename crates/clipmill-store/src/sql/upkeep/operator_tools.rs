//! Units for operators and their tools, in addition to those of the service.

use std::collections::HashSet;

use async_trait::async_trait;
use clipmill_core::ids::{TaskNo, UserId, WorkId};

use super::super::dialect::{Handle, is_conflict};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use super::metrics;
use super::retention;
use super::traces;
use crate::error::StoreResult;
use crate::metrics::{Metrics, PointsTotal, Snapshot};
use crate::model::{Millis, Upload};
use crate::retention::{
    ClockReading, ClockTolerance, Cutoffs, ExpiredCounts, JobLease, RemovedResult, Retention,
};
use crate::traces::Traces;

#[async_trait]
impl Retention for Handle {
    async fn claim_job(
        &self,
        name: &str,
        holder: &str,
        now: Millis,
        lease_ms: i64,
    ) -> StoreResult<Option<JobLease>> {
        unit!(self, at now, name, holder; tx => retention::claim_job(tx, &name, &holder, now.ms, lease_ms))
    }

    async fn renew_job(&self, lease: &JobLease, now: Millis, lease_ms: i64) -> StoreResult<()> {
        unit!(self, at now, lease; tx => retention::renew_job(tx, &lease, now.ms, lease_ms))
    }

    async fn end_job(&self, lease: &JobLease, now: Millis) -> StoreResult<()> {
        unit!(self, at now, lease; tx => retention::end_job(tx, &lease, now.ms))
    }

    async fn read_clock(
        &self,
        name: &str,
        now: Millis,
        plausible: ClockTolerance,
    ) -> StoreResult<ClockReading> {
        unit!(self, at now, name; tx => retention::read_clock(tx, &name, now.ms, plausible))
    }

    async fn job_ended_at(&self, name: &str) -> StoreResult<Option<Millis>> {
        snapshot!(self, name; tx => retention::job_ended_at(tx, &name))
    }

    async fn expired(&self, cutoffs: &Cutoffs) -> StoreResult<ExpiredCounts> {
        let cutoffs = *cutoffs;
        snapshot!(self; tx => retention::expired(tx, cutoffs))
    }

    async fn shed_results(
        &self,
        lease: &JobLease,
        cutoffs: &Cutoffs,
        most: u32,
    ) -> StoreResult<Vec<RemovedResult>> {
        let cutoffs = *cutoffs;
        unit!(self, lease; tx => retention::shed_results(tx, &lease, cutoffs, most))
    }

    async fn shed_uploads(&self, lease: &JobLease, cutoffs: &Cutoffs, most: u32) -> StoreResult<u64> {
        let cutoffs = *cutoffs;
        unit!(self, lease; tx => retention::shed_uploads(tx, &lease, cutoffs, most))
    }

    async fn shed_tasks(&self, lease: &JobLease, cutoffs: &Cutoffs, most: u32) -> StoreResult<u64> {
        let cutoffs = *cutoffs;
        unit!(self, lease; tx => retention::shed_tasks(tx, &lease, cutoffs, most))
    }

    async fn shed_segments(&self, lease: &JobLease, most: u32) -> StoreResult<u64> {
        unit!(self, lease; tx => retention::shed_segments(tx, &lease, most))
    }

    async fn shed_requests(&self, lease: &JobLease, cutoffs: &Cutoffs, most: u32) -> StoreResult<u64> {
        let cutoffs = *cutoffs;
        unit!(self, lease; tx => retention::shed_requests(tx, &lease, cutoffs, most))
    }

    async fn shed_attempts(&self, lease: &JobLease, cutoffs: &Cutoffs, most: u32) -> StoreResult<u64> {
        let cutoffs = *cutoffs;
        unit!(self, lease; tx => retention::shed_attempts(tx, &lease, cutoffs, most))
    }

    async fn result_keys(&self, task_no: &str) -> StoreResult<HashSet<String>> {
        snapshot!(self, task_no; tx => retention::result_keys(tx, &task_no))
    }

    async fn sources_in_use(&self) -> StoreResult<HashSet<String>> {
        snapshot!(self; tx => retention::sources_in_use(tx))
    }

    async fn is_uploaded(&self, content_sha256: &str) -> StoreResult<bool> {
        snapshot!(self, content_sha256; tx => retention::is_uploaded(tx, &content_sha256))
    }

    async fn use_upload(&self, user: UserId, id: &str, now: Millis) -> StoreResult<Option<Upload>> {
        // The use rarely needs to be written.
        match snapshot!(self, at now, id; tx => retention::use_is_old(tx, user, &id, now.ms))? {
            Some(false) => crate::Store::upload(self, user, id).await,
            Some(true) => unit!(self, at now, id; tx => retention::use_upload(tx, user, &id, now.ms)),
            None => Ok(None),
        }
    }
}

#[async_trait]
impl Metrics for Handle {
    async fn snapshot(&self, now: Millis) -> StoreResult<Snapshot> {
        let counts: Snapshot =
            self.shared(now, async { snapshot!(self; tx => metrics::snapshot(tx)) }).await?;
        let paused = snapshot!(self; tx => metrics::is_paused(tx))?;
        Ok(Snapshot { paused, ..counts })
    }

    async fn moved_since(&self, movement: i64) -> StoreResult<PointsTotal> {
        snapshot!(self; tx => metrics::moved_since(tx, movement))
    }
}

#[async_trait]
impl Traces for Handle {
    async fn trace_of_work(&self, work: WorkId) -> StoreResult<Option<String>> {
        snapshot!(self; tx => traces::of_work(tx, work))
    }

    async fn trace_of_task(&self, task_no: &TaskNo) -> StoreResult<Option<String>> {
        snapshot!(self, task_no; tx => traces::of_task(tx, &task_no))
    }
}
