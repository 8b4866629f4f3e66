//! Metrics of the store, cheap enough to be read every few seconds.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::accounts::points::MovementType;
use crate::common::clock::Millis;
use crate::common::error::StoreResult;

#[async_trait]
pub trait MetricsStore: Send + Sync + 'static {
    /// The current counts, and whether the queue is paused. Counts of many rows are shared by all processes and up to
    /// 30 s old (one millisecond per ten rows).
    async fn snapshot(&self, now: Millis) -> StoreResult<Snapshot>;
    /// The points moved after this record; 0 means all.
    async fn moved_since(&self, movement: i64) -> StoreResult<PointsTotal>;
}

/// A count, and the time from which the oldest has been waiting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    pub count: u64,
    pub since: Option<Millis>,
}

/// Counts of tasks, work, workers, events and points at one time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Open tasks by the integer of their state, since their submission.
    pub tasks: BTreeMap<u8, Waiting>,
    /// Work by its state (`ready`, `delayed`, `running`) and kind, since it was created.
    pub work: BTreeMap<String, BTreeMap<String, Waiting>>,
    /// Workers that hold leases.
    pub workers: u64,
    /// Events by state (`due`, `sending`, `failed`), since they were due.
    pub events: BTreeMap<String, Waiting>,
    /// Whether the queue is paused now.
    #[serde(skip)]
    pub paused: bool,
    pub points_available: i64,
    pub points_held: i64,
}

/// The points moved up to a ledger record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PointsTotal {
    pub up_to: i64,
    pub points: Vec<(MovementType, u64)>,
}
