//! Metrics that only the store knows, read when somebody scrapes them and not more often than needed.

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
use crate::retention::JOB;

/// Values that are younger than this are reused.
const FRESH: Duration = Duration::from_secs(5);
/// A store that takes longer does not delay the other metrics.
const PATIENCE: Duration = Duration::from_secs(5);
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
    seen: Mutex<CounterValues>,
}

#[derive(Default)]
struct CounterValues {
    asked: Option<Instant>,
    /// The last movement of points that was counted.
    movement: i64,
}

impl Collector {
    pub fn new(store: Arc<dyn Store>, disk: Disk) -> Self {
        Self { store, disk, seen: Mutex::default() }
    }

    pub async fn collect(&self) {
        let mut values = self.seen.lock().await;
        if values.asked.is_some_and(|asked| asked.elapsed() < FRESH) {
            return;
        }
        if let Ok(free) = self.disk.free_bytes() {
            gauge!(DISK_FREE).set(free as f64);
        }
        match tokio::time::timeout(PATIENCE, self.ask(&mut values.movement)).await {
            Ok(Ok(())) => values.asked = Some(Instant::now()),
            Ok(Err(error)) => {
                tracing::warn!(%error, "the store does not answer for the metrics");
                counter!(COLLECT_ERRORS).increment(1);
            }
            Err(_) => counter!(COLLECT_ERRORS).increment(1),
        }
    }

    async fn ask(&self, movement: &mut i64) -> StoreResult<()> {
        let snapshot = self.store.metrics().snapshot(clock::now_ms()).await?;
        set(&snapshot, clock::now_ms());
        if let Some(ended) = self.store.retention().job_ended_at(JOB).await? {
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
