//! Metrics from the store, read only when scraped and cached briefly.

use std::sync::Arc;
use std::time::Duration;

use clipmill_core::task::TaskState;
use clipmill_media::cache::disk::Disk;
use clipmill_store::metrics::{Snapshot, Waiting};
use clipmill_store::{Millis, Store, StoreResult};
use metrics::{counter, gauge};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::metric::*;
use crate::clock;

/// The name of the retention job in the store. A backup claims the same job, so that nothing is deleted meanwhile.
pub const RETENTION: &str = "retention";

/// Values that are younger than this are reused.
const CACHE_TTL: Duration = Duration::from_secs(5);
/// A store that takes longer does not delay the other metrics.
const TIMEOUT: Duration = Duration::from_secs(5);
const OPEN: [(TaskState, &str); 3] = [
    (TaskState::PendingSubmission, "pending_submission"),
    (TaskState::Queued, "queued"),
    (TaskState::Executing, "executing"),
];
const KINDS: [&str; 3] = ["preflight", "segment", "finish"];
const STATES: [&str; 3] = ["ready", "delayed", "running"];

pub struct Collector {
    store: Arc<dyn Store>,
    disk: Disk,
    counters: Mutex<CounterValues>,
}

#[derive(Default)]
struct CounterValues {
    read_at: Option<Instant>,
    /// The last ledger record that was counted.
    movement: i64,
}

impl Collector {
    pub fn new(store: Arc<dyn Store>, disk: Disk) -> Self {
        Self { store, disk, counters: Mutex::default() }
    }

    pub async fn collect(&self) {
        let mut values = self.counters.lock().await;
        if values.read_at.is_some_and(|read_at| read_at.elapsed() < CACHE_TTL) {
            return;
        }
        if let Ok(free) = self.disk.free_bytes() {
            gauge!(DISK_FREE).set(free as f64);
        }
        match tokio::time::timeout(TIMEOUT, self.ask(&mut values.movement)).await {
            Ok(Ok(())) => values.read_at = Some(Instant::now()),
            Ok(Err(error)) => {
                tracing::warn!(%error, "metrics could not be read from the store");
                counter!(COLLECT_ERRORS).increment(1);
            }
            Err(_) => counter!(COLLECT_ERRORS).increment(1),
        }
    }

    async fn ask(&self, movement: &mut i64) -> StoreResult<()> {
        let snapshot = self.store.metrics().snapshot(clock::now_ms()).await?;
        set(&snapshot, clock::now_ms());
        if let Some(ended) = self.store.retention().maintenance_ended_at(RETENTION).await? {
            gauge!(RETENTION_AGE).set(age(Some(ended), clock::now_ms()));
        }
        let totals = self.store.metrics().moved_since(*movement).await?;
        *movement = totals.up_to;
        for (kind, points) in totals.points {
            counter!(POINTS_MOVED, "type" => format!("{kind:?}").to_lowercase()).increment(points);
        }
        Ok(())
    }
}

fn set(snapshot: &Snapshot, now: Millis) {
    let none = Waiting::default();
    for (state, name) in OPEN {
        let waiting = snapshot.tasks.get(&state.code()).unwrap_or(&none);
        gauge!(TASKS, "state" => name).set(waiting.count as f64);
        gauge!(TASK_AGE, "state" => name).set(age(waiting.since, now));
    }
    for (kind, state) in KINDS.into_iter().flat_map(|kind| STATES.map(|state| (kind, state))) {
        let waiting = snapshot.work.get(state).and_then(|kinds| kinds.get(kind)).unwrap_or(&none);
        gauge!(WORK, "kind" => kind, "state" => state).set(waiting.count as f64);
        gauge!(WORK_AGE, "kind" => kind, "state" => state).set(age(waiting.since, now));
    }
    for state in ["due", "sending", "failed"] {
        let waiting = snapshot.events.get(state).unwrap_or(&none);
        gauge!(EVENTS, "state" => state).set(waiting.count as f64);
        gauge!(EVENT_AGE, "state" => state).set(age(waiting.since, now));
    }
    gauge!(PAUSED).set(if snapshot.paused { 1.0 } else { 0.0 });
    gauge!(WORKERS).set(snapshot.workers as f64);
    gauge!(POINTS, "account" => "available").set(snapshot.points_available as f64);
    gauge!(POINTS, "account" => "held").set(snapshot.points_held as f64);
}

/// The age in seconds; a time in the future has none.
fn age(since: Option<Millis>, now: Millis) -> f64 {
    since.map_or(0.0, |since| now.saturating_sub(since).max(0) as f64 / 1000.0)
}
