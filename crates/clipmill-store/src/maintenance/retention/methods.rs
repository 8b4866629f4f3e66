//! Implements [`RetentionStore`]: the unit of work behind each method, and the signals that it sends.

use std::collections::HashSet;

use async_trait::async_trait;

use super::super::dialect::{Handle, is_conflict};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use super::sql;
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::maintenance::retention::{
    ClockReading, ClockTolerance, Cutoffs, ExpiredCounts, MaintenanceLease, RemovedResult, RetentionStore,
};

#[async_trait]
impl RetentionStore for Handle {
    async fn claim_maintenance(
        &self,
        name: &str,
        holder: &str,
        now: Millis,
        lease_ms: i64,
    ) -> StoreResult<Option<MaintenanceLease>> {
        unit!(self, at now, name, holder; tx => sql::claim_maintenance(tx, &name, &holder, now.ms, lease_ms))
    }

    async fn renew_maintenance(
        &self,
        lease: &MaintenanceLease,
        now: Millis,
        lease_ms: i64,
    ) -> StoreResult<()> {
        unit!(self, at now, lease; tx => sql::renew_maintenance(tx, &lease, now.ms, lease_ms))
    }

    async fn end_maintenance(&self, lease: &MaintenanceLease, now: Millis) -> StoreResult<()> {
        unit!(self, at now, lease; tx => sql::end_maintenance(tx, &lease, now.ms))
    }

    async fn read_clock(
        &self,
        name: &str,
        now: Millis,
        plausible: ClockTolerance,
    ) -> StoreResult<ClockReading> {
        unit!(self, at now, name; tx => sql::read_clock(tx, &name, now.ms, plausible))
    }

    async fn maintenance_ended_at(&self, name: &str) -> StoreResult<Option<Millis>> {
        snapshot!(self, name; tx => sql::maintenance_ended_at(tx, &name))
    }

    async fn expired(&self, cutoffs: &Cutoffs) -> StoreResult<ExpiredCounts> {
        let cutoffs = *cutoffs;
        snapshot!(self; tx => sql::expired(tx, cutoffs))
    }

    async fn expire_results(
        &self,
        lease: &MaintenanceLease,
        cutoffs: &Cutoffs,
        max: u32,
    ) -> StoreResult<Vec<RemovedResult>> {
        let cutoffs = *cutoffs;
        unit!(self, lease; tx => sql::expire_results(tx, &lease, cutoffs, max))
    }

    async fn expire_uploads(
        &self,
        lease: &MaintenanceLease,
        cutoffs: &Cutoffs,
        max: u32,
    ) -> StoreResult<u64> {
        let cutoffs = *cutoffs;
        unit!(self, lease; tx => sql::expire_uploads(tx, &lease, cutoffs, max))
    }

    async fn expire_tasks(&self, lease: &MaintenanceLease, cutoffs: &Cutoffs, max: u32) -> StoreResult<u64> {
        let cutoffs = *cutoffs;
        unit!(self, lease; tx => sql::expire_tasks(tx, &lease, cutoffs, max))
    }

    async fn expire_segments(&self, lease: &MaintenanceLease, max: u32) -> StoreResult<u64> {
        unit!(self, lease; tx => sql::expire_segments(tx, &lease, max))
    }

    async fn expire_requests(
        &self,
        lease: &MaintenanceLease,
        cutoffs: &Cutoffs,
        max: u32,
    ) -> StoreResult<u64> {
        let cutoffs = *cutoffs;
        unit!(self, lease; tx => sql::expire_requests(tx, &lease, cutoffs, max))
    }

    async fn expire_attempts(
        &self,
        lease: &MaintenanceLease,
        cutoffs: &Cutoffs,
        max: u32,
    ) -> StoreResult<u64> {
        let cutoffs = *cutoffs;
        unit!(self, lease; tx => sql::expire_attempts(tx, &lease, cutoffs, max))
    }

    async fn result_keys(&self, task_no: &str) -> StoreResult<HashSet<String>> {
        snapshot!(self, task_no; tx => sql::result_keys(tx, &task_no))
    }

    async fn sources_in_use(&self) -> StoreResult<HashSet<String>> {
        snapshot!(self; tx => sql::sources_in_use(tx))
    }
}
