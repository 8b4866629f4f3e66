//! The worker: leases pieces of work from the store, does them, reports.
//!
//! Workers meet the rest of the service only in the store. Each slot does one piece of work at a time;
//! memory is bounded by the number of slots.

mod evict;
mod finish;
mod lease;
mod looked;
mod preflight;
mod segment;

use std::sync::Arc;
use std::time::Duration;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::pricing::PriceList;
use clipmill_media::engine::Engine;
use clipmill_store::{Claim, Job, Lease, Store, StoreError, WorkFailure};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::clock;
use crate::data_dir::DataDir;
use lease::{Ended, Keeper, Progress};
pub use looked::Looked;
use preflight::Order;

/// How long an idle slot waits before it asks for work again.
const IDLE: Duration = Duration::from_millis(200);
/// How often unfinished files of dead processes are looked for.
const SWEEP: Duration = Duration::from_secs(600);
/// Delay before the second and third attempt.
const BACKOFF_MS: [i64; 2] = [2_000, 15_000];

/// Settings of a worker.
#[derive(Debug, Clone)]
pub struct WorkerSettings {
    /// Pieces of work side by side.
    pub slots: usize,
    pub lease: Duration,
    pub heartbeat: Duration,
    pub rescue: Duration,
    /// How long work under way may go on when the worker is told to stop.
    pub drain: Duration,
    /// How long finished results are kept.
    pub keep_results: Duration,
    /// The cache is kept below this.
    pub cache_bytes: u64,
    pub prices: PriceList,
}

pub struct Worker {
    pub store: Arc<dyn Store>,
    pub engine: Arc<Engine>,
    pub data: DataDir,
    pub settings: WorkerSettings,
    /// Tells workers apart in the store.
    pub name: String,
    /// Inputs of tasks whose preflight is tried again.
    pub looked: Looked,
}

/// What became of a piece of work, before the store hears of it.
type Outcome = Result<(), Failure>;

enum Failure {
    /// The work itself failed.
    Task(TaskError),
    /// The result could not be written: the lease is gone, or the database is.
    Store(StoreError),
}

impl From<TaskError> for Failure {
    fn from(error: TaskError) -> Self {
        Self::Task(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Worker {
    /// Works until `stop`. Pieces under way at that moment may be finished for a while; what then is left, or
    /// left when `hurry` comes, is handed back unharmed.
    pub async fn run(self: Arc<Self>, stop: CancellationToken, hurry: CancellationToken) {
        let cut = hurry.child_token();
        let mut slots = tokio::task::JoinSet::new();
        let more = Arc::new(Notify::new());
        for _ in 0..self.settings.slots.max(1) {
            slots.spawn(self.clone().slot(more.clone(), stop.clone(), cut.clone()));
        }
        slots.spawn(self.clone().rescue(stop.clone()));
        slots.spawn(self.clone().sweep(stop.clone()));
        slots.spawn(self.clone().evict(stop.clone()));
        let drain = self.settings.drain;
        let timer = tokio::spawn(async move {
            stop.cancelled().await;
            tokio::time::sleep(drain).await;
            cut.cancel();
        });
        while let Some(ended) = slots.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "a worker slot ended abnormally");
            }
        }
        timer.abort();
    }

    /// Work that ends makes other work ready, which `more` tells the slots that have none.
    async fn slot(self: Arc<Self>, more: Arc<Notify>, stop: CancellationToken, cut: CancellationToken) {
        while !stop.is_cancelled() {
            let lease_ms = self.settings.lease.as_millis() as i64;
            let told = more.notified();
            match self.store.claim(&self.name, clock::now_ms(), lease_ms).await {
                Ok(Some(claim)) => {
                    self.work(claim, &cut).await;
                    more.notify_waiters();
                }
                Ok(None) => {
                    tokio::select! {
                        () = wait(IDLE, &stop) => {}
                        () = told => {}
                    }
                }
                Err(error) => {
                    tracing::error!(%error, "work could not be claimed");
                    wait(Duration::from_secs(1), &stop).await;
                }
            }
        }
    }

    /// Gives leases of dead workers to others.
    async fn rescue(self: Arc<Self>, stop: CancellationToken) {
        while !stop.is_cancelled() {
            match self.store.rescue(clock::now_ms()).await {
                Ok(0) => {}
                Ok(rescued) => tracing::warn!(rescued, "work of lost workers is free again"),
                Err(error) => tracing::error!(%error, "leases could not be checked"),
            }
            wait(self.settings.rescue, &stop).await;
        }
    }

    /// Removes unfinished files of processes that died while this one runs.
    async fn sweep(self: Arc<Self>, stop: CancellationToken) {
        while !stop.is_cancelled() {
            wait(SWEEP, &stop).await;
            let engine = self.engine.clone();
            match tokio::task::spawn_blocking(move || engine.sweep()).await {
                Ok(Ok(0)) => {}
                Ok(Ok(removed)) => tracing::info!(removed, "folders of dead processes are removed"),
                Ok(Err(error)) => tracing::error!(%error, "unfinished files cannot be removed"),
                Err(error) => tracing::error!(%error, "unfinished files cannot be looked for"),
            }
        }
    }

    async fn work(&self, claim: Claim, cut: &CancellationToken) {
        let Claim { lease, attempt, ref job } = claim;
        let progress = Progress::default();
        let work = self.perform(lease, attempt, job, &progress);
        let WorkerSettings { lease: lease_time, heartbeat, .. } = self.settings;
        let keeper = Keeper { store: &*self.store, lease: lease_time, heartbeat };
        let ended = keeper.keep(lease, &progress, cut, work).await;
        let reported = match ended {
            Ended::Finished(Ok(())) => return,
            Ended::Finished(Err(Failure::Task(error))) => self.report(lease, attempt, error).await,
            Ended::Finished(Err(Failure::Store(error))) => Err(error),
            Ended::Stopping => self.store.hand_back(lease, clock::now_ms()).await,
            Ended::LeaseLost => Err(StoreError::LeaseLost),
        };
        match reported {
            Ok(()) => {}
            Err(StoreError::LeaseLost) => {
                tracing::info!(work = %lease.work, "the lease was lost; the result is dropped")
            }
            // The lease runs out by itself and the work is done again.
            Err(error) => tracing::error!(work = %lease.work, %error, "the outcome could not be written"),
        }
    }

    async fn perform(&self, lease: Lease, attempt: u32, job: &Job, progress: &Progress) -> Outcome {
        match job {
            Job::Preflight { task, user, request, seed, .. } => {
                let order = Order { lease, attempt, task: *task, user: *user };
                self.preflight(order, request, *seed).await
            }
            Job::Segment { hash, spec, sources, user } => {
                self.segment(lease, hash, spec, sources, *user, progress).await
            }
            Job::Finish { task_no, item_no, rendition, inputs, .. } => {
                self.finish(lease, task_no, *item_no, rendition, inputs).await
            }
        }
    }

    async fn report(&self, lease: Lease, attempt: u32, error: TaskError) -> Result<(), StoreError> {
        tracing::warn!(work = %lease.work, attempt, %error, "work failed");
        let now = clock::now_ms();
        let delay = backoff_ms(attempt).filter(|_| error.retryable);
        self.store.fail(lease, WorkFailure { error, retry_at: delay.map(|delay| now + delay) }, now).await
    }
}

/// How long to wait after the failure of this attempt; `None` after the last.
fn backoff_ms(attempt: u32) -> Option<i64> {
    BACKOFF_MS.get(attempt.saturating_sub(1) as usize).copied()
}

async fn wait(time: Duration, stop: &CancellationToken) {
    tokio::select! {
        () = tokio::time::sleep(time) => {}
        () = stop.cancelled() => {}
    }
}

/// A fault of ours, told without internals.
fn internal(message: &str) -> TaskError {
    TaskError::new(ErrorCode::Internal, message)
}
