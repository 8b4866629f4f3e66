//! Retention: deletes what has expired, in small steps, and never what is in use. Data that all processes share
//! (rows, results) is handled by one process at a time, under a lease; every write carries its fence. Rows are
//! deleted first and files afterwards: if a process dies in between, the files without rows are found and deleted
//! later. Each process handles its own folder (inputs, uploads in progress).

mod bucket;
mod clock_check;
mod files;
mod inputs;
mod report;

use std::sync::Arc;

use clipmill_core::ids::TaskNo;
use clipmill_store::retention::{Cutoffs, MaintenanceLease};
use clipmill_store::{Millis, Store, StoreError};
use tokio_util::sync::CancellationToken;

use crate::clock;
use crate::config;
use crate::data_dir::DataDir;
use crate::installation::{self, InstallationError};
pub use crate::observe::collect::RETENTION;
use crate::observe::metric;

pub use bucket::{BucketResults, results_of};
use clock_check::ClockCheck;
pub use files::{LocalResults, ResultFile, ResultFiles};
pub use report::{Amount, Report};

/// The time for one step; when a process dies, another one takes over after this time.
pub const LEASE_MS: i64 = 120_000;
/// How long the request of a task without delivered outputs is kept.
const UNDELIVERED_MS: i64 = 7 * 86_400_000;
/// How many rows are deleted in one transaction.
const BATCH: u32 = 200;

#[derive(Debug, thiserror::Error)]
pub enum RetentionError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Installation(#[from] InstallationError),
    #[error("files cannot be deleted: {0}")]
    Files(#[from] std::io::Error),
}

type Outcome<T> = Result<T, RetentionError>;

/// Whether expired data is deleted, or only counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Delete,
    DryRun,
}

pub struct Retention {
    pub store: Arc<dyn Store>,
    pub results: Arc<dyn ResultFiles>,
    pub data: DataDir,
    pub ages: config::Retention,
    /// Distinguishes processes in the store.
    pub holder: String,
}

impl Retention {
    /// Runs passes until `stop`.
    pub async fn run(self, stop: CancellationToken) {
        let mut clock_check = ClockCheck::default();
        while !stop.is_cancelled() {
            match stop.run_until_cancelled(self.checked_pass(&mut clock_check, &stop)).await {
                Some(Ok(report)) if report.is_empty() => {}
                Some(Ok(report)) => tracing::info!(%report, "deleted expired data"),
                Some(Err(RetentionError::Store(StoreError::LeaseLost))) => {
                    tracing::info!("another process runs retention now");
                }
                Some(Err(error)) => tracing::error!(%error, "retention failed"),
                None => return,
            }
            stop.run_until_cancelled(tokio::time::sleep(self.ages.every.get())).await;
        }
    }

    /// A pass, if the clock is trusted.
    async fn checked_pass(&self, clock_check: &mut ClockCheck, stop: &CancellationToken) -> Outcome<Report> {
        installation::check(&*self.store, &self.data).await?;
        match clock_check.look(&*self.store, self.ages.every.get()).await? {
            Some(now) => self.pass(now, Mode::Delete, stop).await,
            None => Ok(Report::default()),
        }
    }

    /// One pass over everything that has expired by `now`, the store's time. Shared data is skipped if another
    /// process is handling it; see [`Report::shared`].
    pub async fn pass(&self, now: Millis, mode: Mode, stop: &CancellationToken) -> Outcome<Report> {
        let mut report = Report::default();
        match mode {
            Mode::DryRun => {
                report.count(&self.store.retention().expired(&self.cutoffs(now)).await?);
                self.orphans(now, None, &mut report).await?;
            }
            Mode::Delete => {
                if let Some(lease) =
                    self.store.retention().claim_maintenance(RETENTION, &self.holder, now, LEASE_MS).await?
                {
                    let outcome = self.shared(&lease, now, stop, &mut report).await;
                    let ended = self.store.retention().end_maintenance(&lease, now).await;
                    outcome?;
                    ended?;
                } else {
                    report.shared = false;
                }
            }
        }
        inputs::sweep(self, now, mode, &mut report).await?;
        if mode == Mode::Delete {
            report.observe();
        }
        Ok(report)
    }

    fn cutoffs(&self, now: Millis) -> Cutoffs {
        Cutoffs {
            now,
            uploads_used_before: now.saturating_sub(self.ages.inputs.as_millis()),
            tasks_ended_before: now.saturating_sub(self.ages.tasks.as_millis()),
            attempts_before: now.saturating_sub(self.ages.deliveries.as_millis()),
            undelivered_before: now.saturating_sub(UNDELIVERED_MS),
        }
    }

    async fn shared(
        &self,
        lease: &MaintenanceLease,
        now: Millis,
        stop: &CancellationToken,
        report: &mut Report,
    ) -> Outcome<()> {
        let (store, cutoffs) = (&self.store, self.cutoffs(now));
        while !stop.is_cancelled() {
            let expire = store.retention().expire_results(lease, &cutoffs, BATCH).await?;
            let more = expire.len() == BATCH as usize;
            for result in expire {
                for key in &result.keys {
                    self.remove(key).await?;
                }
                // Nothing writes to the folder of a task that has ended.
                if let Some((folder, _)) = result.keys.first().and_then(|key| key.split_once('/')) {
                    self.results.remove_folder(folder, Millis::MAX).await?;
                }
                report.results.add(1, result.size_bytes);
            }
            if !self.renew_if_more(lease, more).await? {
                break;
            }
        }
        macro_rules! expire {
            ($amount:ident, $expire:expr) => {
                while !stop.is_cancelled() {
                    let removed = $expire.await?;
                    report.$amount.add(removed, 0);
                    if !self.renew_if_more(lease, removed >= u64::from(BATCH)).await? {
                        break;
                    }
                }
            };
        }
        expire!(uploads, store.retention().expire_uploads(lease, &cutoffs, BATCH));
        expire!(tasks, store.retention().expire_tasks(lease, &cutoffs, BATCH));
        expire!(segments, store.retention().expire_segments(lease, BATCH));
        expire!(requests, store.retention().expire_requests(lease, &cutoffs, BATCH));
        expire!(attempts, store.retention().expire_attempts(lease, &cutoffs, BATCH));
        self.orphans(now, Some(lease), report).await
    }

    /// Between two steps: renews the job's lease, or finds that it is lost.
    async fn renew_if_more(&self, lease: &MaintenanceLease, more: bool) -> Outcome<bool> {
        self.store.retention().renew_maintenance(lease, clock::now_ms(), LEASE_MS).await?;
        Ok(more)
    }

    /// Deletes result files without a row: left by a process that died between rows and files, or while assembling.
    async fn orphans(
        &self,
        now: Millis,
        lease: Option<&MaintenanceLease>,
        report: &mut Report,
    ) -> Outcome<()> {
        let cutoff = now.saturating_sub(self.ages.orphans.as_millis());
        for folder in self.results.folders().await? {
            if TaskNo::parse(&folder).is_none() {
                // This folder was not created by clipmill.
                continue;
            }
            let files = self.results.list(&folder).await?;
            let old: Vec<_> = files.iter().filter(|file| file.modified_at <= cutoff).collect();
            let referenced = match old.is_empty() {
                true => Default::default(),
                false => self.store.retention().result_keys(&folder).await?,
            };
            let orphans: Vec<_> = old.into_iter().filter(|file| !referenced.contains(&file.key)).collect();
            for file in &orphans {
                if let Some(lease) = lease {
                    self.renew_if_more(lease, true).await?;
                    tracing::info!(key = %file.key, "deleting a result without a task");
                    self.remove(&file.key).await?;
                }
                report.orphans.add(1, file.size_bytes);
            }
            if lease.is_some() && orphans.len() == files.len() {
                self.results.remove_folder(&folder, cutoff).await?;
            }
        }
        Ok(())
    }

    async fn remove(&self, key: &str) -> Outcome<()> {
        let began = tokio::time::Instant::now();
        self.results.remove(key).await?;
        metric::seconds(metric::STORAGE_SECONDS, &[("op", "remove")], began.elapsed());
        Ok(())
    }
}
