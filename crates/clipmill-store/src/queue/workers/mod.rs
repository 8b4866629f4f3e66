//! Workers that reported to the queue.

use async_trait::async_trait;

use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::queue::WorkKinds;

#[async_trait]
pub trait WorkerStore: Send + Sync + 'static {
    /// Records that a worker is alive, every few seconds; returns how many are.
    async fn record(&self, worker: &WorkerInfo, now: Millis) -> StoreResult<u64>;
    /// A worker has stopped in an orderly way.
    async fn remove(&self, name: &str) -> StoreResult<()>;
    /// Workers that have reported within the last day.
    async fn list(&self, now: Millis) -> StoreResult<Vec<WorkerRecord>>;
}

/// What a worker reports about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerInfo {
    /// The name it claims under; no two workers have the same.
    pub name: String,
    pub host: String,
    pub version: String,
    /// How many pieces of work it does at once.
    pub slots: u32,
    /// The kinds of work that it takes.
    pub kinds: WorkKinds,
    /// It takes no new work and ends when what it has is done.
    pub draining: bool,
    /// Work (in frames) that one of its slots did in 1,000 seconds lately; `None` before it did any.
    pub speed: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerRecord {
    pub info: WorkerInfo,
    pub started_at: Millis,
    pub seen_at: Millis,
    /// Whether it reported within the last half minute.
    pub alive: bool,
    /// Pieces of work it holds leases on.
    pub running: u32,
}
