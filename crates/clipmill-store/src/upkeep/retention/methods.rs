//! Implements [`RetentionStore`]: the unit of work behind each method, and the signals that it sends.

use std::collections::HashSet;

use async_trait::async_trait;

use super::super::dialect::{Handle, is_conflict};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use super::sql;
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::upkeep::retention::{
    ClockReading, ClockTolerance, Cutoffs, ExpiredCounts, JobLease, RemovedResult, RetentionStore,
};

#[async_trait]
impl RetentionStore for Handle {
    async fn claim_job(
        &self,
        name: &str,
        holder: &str,
        now: Millis,
        lease_ms: i64,
    ) -> StoreResult<Option<JobLease>> {
        unit!(self, at now, name, holder; tx => sql::claim_job(tx, &name, &holder, now.ms, lease_ms))
    }

    async fn renew_job(&self, lease: &JobLease, now: Millis, lease_ms: i64) -> StoreResult<()> {
        unit!(self, at now, lease; tx => sql::renew_job(tx, &lease, now.ms, lease_ms))
    }

    async fn end_job(&self, lease: &JobLease, now: Millis) -> StoreResult<()> {
        unit!(self, at now, lease; tx => sql::end_job(tx, &lease, now.ms))
    }

    async fn read_clock(
        &self,
        name: &str,
        now: Millis,
        plausible: ClockTolerance,
    ) -> StoreResult<ClockReading> {
        unit!(self, at now, name; tx => sql::read_clock(tx, &name, now.ms, plausible))
    }

    async fn job_ended_at(&self, name: &str) -> StoreResult<Option<Millis>> {
        snapshot!(self, name; tx => sql::job_ended_at(tx, &name))
    }

    async fn expired(&self, cutoffs: &Cutoffs) -> StoreResult<ExpiredCounts> {
        let cutoffs = *cutoffs;
        snapshot!(self; tx => sql::expired(tx, cutoffs))
    }

    async fn shed_results(
        &self,
        lease: &JobLease,
        cutoffs: &Cutoffs,
        most: u32,
    ) -> StoreResult<Vec<RemovedResult>> {
        let cutoffs = *cutoffs;
        unit!(self, lease; tx => sql::shed_results(tx, &lease, cutoffs, most))
    }

    async fn shed_uploads(&self, lease: &JobLease, cutoffs: &Cutoffs, most: u32) -> StoreResult<u64> {
        let cutoffs = *cutoffs;
        unit!(self, lease; tx => sql::shed_uploads(tx, &lease, cutoffs, most))
    }

    async fn shed_tasks(&self, lease: &JobLease, cutoffs: &Cutoffs, most: u32) -> StoreResult<u64> {
        let cutoffs = *cutoffs;
        unit!(self, lease; tx => sql::shed_tasks(tx, &lease, cutoffs, most))
    }

    async fn shed_segments(&self, lease: &JobLease, most: u32) -> StoreResult<u64> {
        unit!(self, lease; tx => sql::shed_segments(tx, &lease, most))
    }

    async fn shed_requests(&self, lease: &JobLease, cutoffs: &Cutoffs, most: u32) -> StoreResult<u64> {
        let cutoffs = *cutoffs;
        unit!(self, lease; tx => sql::shed_requests(tx, &lease, cutoffs, most))
    }

    async fn shed_attempts(&self, lease: &JobLease, cutoffs: &Cutoffs, most: u32) -> StoreResult<u64> {
        let cutoffs = *cutoffs;
        unit!(self, lease; tx => sql::shed_attempts(tx, &lease, cutoffs, most))
    }

    async fn result_keys(&self, task_no: &str) -> StoreResult<HashSet<String>> {
        snapshot!(self, task_no; tx => sql::result_keys(tx, &task_no))
    }

    async fn sources_in_use(&self) -> StoreResult<HashSet<String>> {
        snapshot!(self; tx => sql::sources_in_use(tx))
    }
}
