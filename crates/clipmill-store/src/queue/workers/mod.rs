//! Workers that reported to the queue.

use async_trait::async_trait;

use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::queue::JobKinds;

#[async_trait]
pub trait WorkerStore: Send + Sync + 'static {
    /// Records that a worker is alive, every few seconds; returns how many are.
    async fn record(&self, worker: &WorkerInfo, now: Millis) -> StoreResult<u64>;
    /// A worker has stopped in an orderly way.
    async fn remove(&self, name: &str) -> StoreResult<()>;
    /// Workers that have reported within the last day.
    async fn list(&self, now: Millis) -> StoreResult<Vec<WorkerRecord>>;
}

/// A worker's report about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerInfo {
    /// The unique name under which it claims.
    pub name: String,
    pub host: String,
    pub version: String,
    /// How many jobs it runs at the same time.
    pub slots: u32,
    /// The kinds of work that it accepts.
    pub kinds: JobKinds,
    /// It accepts no new work and exits when its current work is done.
    pub draining: bool,
    /// Recent throughput of one of its slots, in frames per 1,000 seconds; `None` before it has any.
    pub speed: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerRecord {
    pub info: WorkerInfo,
    pub started_at: Millis,
    pub seen_at: Millis,
    /// Whether it reported within the last half minute.
    pub alive: bool,
    /// Number of jobs it holds leases on.
    pub running: u32,
}
