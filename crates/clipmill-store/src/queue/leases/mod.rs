//! Leases: the right to work on a job until it expires, renewed by heartbeats.

use async_trait::async_trait;
use clipmill_core::ids::JobId;

use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};

#[async_trait]
pub trait LeaseStore: Send + Sync + 'static {
    /// Renews leases and records the work done under them (progress never falls); returns for each whether it is still valid.
    async fn keep(&self, heartbeats: &[Heartbeat], now: Millis, lease_ms: i64) -> StoreResult<Vec<bool>>;
    /// [`LeaseStore::keep`] for one lease that is to be renewed.
    async fn heartbeat(&self, lease: Lease, frames_done: u64, now: Millis, lease_ms: i64) -> StoreResult<()> {
        let beat = Heartbeat { lease, renews: true, frames_done: (frames_done > 0).then_some(frames_done) };
        let held = self.keep(&[beat], now, lease_ms).await?.contains(&true);
        held.then_some(()).ok_or(StoreError::LeaseLost)
    }
    /// Whether the lease is still valid; reads only.
    async fn holds(&self, lease: Lease) -> StoreResult<bool> {
        let check = Heartbeat { lease, renews: false, frames_done: None };
        Ok(self.keep(&[check], 0, 0).await?.contains(&true))
    }
    /// Releases a lease, for example at shutdown. No attempt is counted.
    async fn release(&self, lease: Lease, now: Millis) -> StoreResult<()>;
    /// Releases a lease that a live worker could not renew in time. Each further lease of the job lasts twice as long, up to
    /// 32 times. If the lease has ended, it is lost, but is not counted as the lease of a dead machine.
    async fn extend_next_lease(&self, lease: Lease, now: Millis) -> StoreResult<()>;
    /// Releases a job that cannot be done before `until`. No attempt is counted.
    async fn snooze(&self, lease: Lease, until: Millis, now: Millis) -> StoreResult<()>;
    /// Frees leases that expired before `now`; returns their number. They are counted separately from failures; the tenth loss
    /// of the same work ends it.
    async fn rescue(&self, now: Millis) -> StoreResult<u64>;
    /// Frees all leases of work and of events. Called at the start of the only process on this store, when every lease belongs
    /// to an earlier run.
    async fn rescue_all(&self, now: Millis) -> StoreResult<u64>;
}

/// The right to work on one row until `expires`; every write carries it. `fence` increases with each claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lease {
    pub work: JobId,
    pub fence: i64,
}

/// The report of a lease holder.
#[derive(Debug, Clone, Copy)]
pub struct Heartbeat {
    pub lease: Lease,
    /// Whether to renew the lease.
    pub renews: bool,
    /// Frames done so far by this attempt, if that has changed.
    pub frames_done: Option<u64>,
}
