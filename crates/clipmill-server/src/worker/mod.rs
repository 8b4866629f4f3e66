//! The worker: leases jobs from the store, executes them, and writes the outcome. Workers communicate with the rest
//! of the service only through the store. Each slot executes one job at a time, or the assemblies of several outputs
//! of one task; memory is bounded by the number of slots.

mod assemble;
mod batch;
mod eviction;
mod fallback;
mod inputs;
mod lease;
mod preflight;
mod probe_memory;
mod segment;
mod self_test;
mod slots;
mod threads;
mod throughput;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::message::Message;
use clipmill_core::poll_backoff::PollBackoff;
use clipmill_core::pricing::PriceList;
use clipmill_media::engine::Engine;
use clipmill_store::{Claim, ClaimLimits, Job, JobFailure, Lease, Signal, Store, StoreError, WorkerInfo};
use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::clock;
use crate::data_dir::DataDir;
use crate::observe::{metric, traces};
use crate::render_time::RenderTime;
use assemble::Assembly;
use batch::Batch;
pub use inputs::InputFetches;
pub use lease::Leases;
use lease::{LeaseEnd, Progress};
use preflight::PreflightJob;
pub use probe_memory::ProbeMemory;
pub use slots::BusySlots;
use slots::Slots;
pub use threads::Threads;
pub use throughput::Throughput;

/// How often a worker reports its presence.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);
/// How often unfinished files of dead processes are searched for.
const SWEEP: Duration = Duration::from_secs(30);
/// How long a job waits if there was no disk space for it, or its user fetches as much as allowed.
const SNOOZE_MS: i64 = 15_000;
/// How often a write is retried while the database cannot be written.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// Delay before the second and third attempt.
const BACKOFF_MS: [u64; 2] = [2_000, 15_000];

/// The settings of a worker.
#[derive(Debug, Clone)]
pub struct WorkerSettings {
    /// How many jobs run at the same time, in addition to preflights.
    pub slots: usize,
    /// Whether an additional slot serves only users who hold none of the others.
    pub reserved_slot: bool,
    /// How many preflights run at the same time, in total and per user: they wait for other servers, which must not
    /// block rendering.
    pub fetch_slots: usize,
    pub fetch_slots_per_user: u32,
    /// How long an idle slot waits before it polls for work without a notification.
    pub idle: Duration,
    /// Limits per user, and the kinds of work that this worker accepts.
    pub claim: ClaimLimits,
    pub lease: Duration,
    pub heartbeat: Duration,
    pub rescue: Duration,
    /// Grace period for running work when the worker stops.
    pub drain: Duration,
    /// How long finished results are kept.
    pub keep_results: Duration,
    /// The size limit of the cache.
    pub cache_bytes: u64,
    pub prices: PriceList,
}

pub struct Worker {
    pub store: Arc<dyn Store>,
    pub engine: Arc<Engine>,
    pub data: DataDir,
    pub settings: WorkerSettings,
    /// Distinguishes workers in the store.
    pub name: String,
    /// The machine it runs on.
    pub host: String,
    /// The measured throughput of its slots, for estimates.
    pub speed: Throughput,
    /// Probed inputs of tasks whose preflight will be tried again.
    pub probed: ProbeMemory,
    /// The workers on the same database.
    pub poll_backoff: PollBackoff,
    /// The leases of work in progress.
    pub leases: Leases,
    /// The recent rendering time of each user, including the previews of this process.
    pub render_time: Arc<RenderTime>,
    /// The number of slots that are rendering.
    pub busy: BusySlots,
    /// Threads of encodes in all slots.
    pub threads: Threads,
    /// Mixes that may run outside the slots.
    pub mixing: Arc<Semaphore>,
    /// Fetches of inputs in progress.
    pub beside: InputFetches,
}

/// The outcome of a job, before it is written to the store.
type Outcome = Result<(), Failure>;

enum Failure {
    /// The work itself failed.
    Task(TaskError),
    /// The inputs of the job are available now; any worker may execute it.
    Ready,
    /// The result could not be written: the lease is lost, or the database failed.
    Store(StoreError),
}

/// How a job is executed.
#[derive(Clone, Copy)]
enum ExecutionMode<'a, 'b> {
    Alone,
    Together(&'a Batch<'b>),
    /// Only the inputs of a segment are fetched.
    InputsOnly,
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
    /// Works until `stop`. Running work may then finish for a while; the rest is returned to the queue after that, or
    /// at `force_stop`, without counting as an attempt.
    pub async fn run(self: Arc<Self>, stop: CancellationToken, force_stop: CancellationToken) {
        let abort = force_stop.child_token();
        metrics::gauge!(metric::ENCODER, "encoder" => self.engine.encoder().as_str()).set(1.0);
        let rendering = self.settings.slots.max(1) + usize::from(self.settings.reserved_slot);
        metrics::gauge!(metric::SLOTS).set(rendering as f64);
        let mut slots = tokio::task::JoinSet::new();
        for kind in self.settings.slots().map(Arc::new) {
            for _ in 0..kind.count {
                slots.spawn(self.clone().slot(kind.clone(), stop.clone(), abort.clone()));
            }
        }
        slots.spawn(self.clone().rescue(stop.clone()));
        let test = self.engine.self_test.clone();
        let testing = tokio::spawn(async move { test.watch().await });
        let reporting = tokio::spawn(self.clone().report_condition());
        let presence = tokio::spawn(self.clone().report_presence(stop.clone()));
        let worker = self.clone();
        let leases =
            tokio::spawn(async move { worker.leases.renew(&*worker.store, &worker.poll_backoff).await });
        slots.spawn(self.clone().sweep(stop.clone()));
        slots.spawn(self.clone().evict(stop.clone()));
        let drain = self.settings.drain;
        let timer = tokio::spawn(async move {
            stop.cancelled().await;
            tokio::time::sleep(drain).await;
            abort.cancel();
        });
        while let Some(ended) = slots.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "a worker slot ended abnormally");
            }
        }
        self.beside.end().await;
        testing.abort();
        reporting.abort();
        timer.abort();
        presence.abort();
        leases.abort();
        if let Err(error) = self.store.workers().remove(&self.name).await {
            tracing::debug!(%error, "the worker could not deregister");
        }
    }

    /// Reports the worker's presence and load until it has ended.
    async fn report_presence(self: Arc<Self>, stop: CancellationToken) {
        loop {
            let info = WorkerInfo {
                name: self.name.clone(),
                host: self.host.clone(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                slots: u32::try_from(self.settings.slots).unwrap_or(u32::MAX),
                kinds: self.settings.claim.kinds,
                draining: stop.is_cancelled(),
                speed: self.speed.in_1000_s(),
            };
            match self.store.workers().record(&info, clock::now_ms()).await {
                Ok(workers) => self.poll_backoff.set(workers),
                Err(error) => tracing::warn!(%error, "the worker could not report its presence"),
            }
            if info.draining {
                tokio::time::sleep(REPORT_INTERVAL).await;
            } else {
                wait(REPORT_INTERVAL, &stop).await;
            }
        }
    }

    /// Only one of the idle slots asks for work, and the others queue behind it: otherwise every slot of a large idle
    /// fleet would query the database at every notification.
    async fn slot(self: Arc<Self>, slots: Arc<Slots>, stop: CancellationToken, abort: CancellationToken) {
        let mut notifications = self.store.signal(Signal::Ready);
        let mut rested = false;
        let _open = slots.needs_threads().then(|| self.busy.open());
        while !stop.is_cancelled() {
            self.wait_for_self_test(&stop).await;
            slots.idle.fetch_add(1, Ordering::Relaxed);
            let mut claims = slots.asking.lock().await;
            if stop.is_cancelled() {
                return self.release_all(&mut claims).await;
            }
            if !self.has_passed_self_test() {
                // The worker stopped being able while this slot waited for the lock.
                self.release_all(&mut claims).await;
                slots.idle.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            notifications.mark_unchanged();
            let threads = if slots.needs_threads() { self.threads.free_count() } else { usize::MAX };
            let leaves_work = slots.reserved && self.busy.has_idle().await && self.threads.free_count() > 0;
            let claimed = if leaves_work { Ok(None) } else { self.next(&slots, threads, &mut claims).await };
            slots.idle.fetch_sub(1, Ordering::Relaxed);
            if std::mem::take(&mut rested) && matches!(claimed, Ok(Some(_))) && self.poll_backoff.is_large() {
                // If there is work, there may be more, and other workers are idle.
                self.store.resend_signal(Signal::Ready);
            }
            match claimed {
                Ok(Some(claim)) if !slots.render => {
                    drop(claims);
                    self.work(claim, ExecutionMode::Alone, &abort).await;
                }
                Ok(Some(claim)) if self.lacks_inputs(&claim).await => {
                    drop(claims);
                    self.fetch_inputs(claim, &abort).await;
                }
                Ok(Some(claim)) if slots.reserved => {
                    drop(claims);
                    let _busy = self.busy.add();
                    self.work(claim, ExecutionMode::Alone, &abort).await;
                }
                Ok(Some(claim)) => {
                    let more = self.more(&claim).await;
                    // No other slot takes threads before the lock is released, so the claimed encode never waits for one.
                    let _threads = self.threads.take_for(&claim.job);
                    drop(claims);
                    let _busy = self.busy.add();
                    self.work_together(claim, more, &abort).await;
                }
                Ok(None) => {
                    let waiting =
                        if slots.render && !slots.reserved { self.mixes_waiting().await } else { Vec::new() };
                    if !waiting.is_empty() {
                        drop(claims);
                        let _busy = self.busy.add();
                        if self.mix_ahead(&waiting, &abort).await {
                            continue;
                        }
                    }
                    tokio::select! {
                        () = self.rest(&mut notifications, &stop) => rested = true,
                        () = self.threads.free(), if threads == 0 => {}
                        () = self.busy.changed(), if leaves_work => {}
                    }
                }
                Err(error) => {
                    tracing::error!(%error, "work could not be claimed");
                    wait(Duration::from_secs(1), &stop).await;
                }
            }
        }
    }

    /// The next work for this slot: what was claimed for it, otherwise a new claim; in a large fleet one claim also
    /// serves the other queueing slots, as far as there are free threads for them.
    async fn next(
        &self,
        slots: &Slots,
        threads: usize,
        claimed: &mut VecDeque<Claim>,
    ) -> Result<Option<Claim>, StoreError> {
        if claimed.is_empty() {
            let idle =
                slots.idle.load(Ordering::Relaxed).min(u32::try_from(threads.max(1)).unwrap_or(u32::MAX));
            let max = self.poll_backoff.claim_size(idle);
            let (now, lease_ms) = (clock::now_ms(), self.settings.lease.as_millis() as i64);
            let claim = if threads > 0 { slots.claim } else { slots.without_segments() };
            claimed.extend(self.store.queue().claim_several(&self.name, max, now, lease_ms, claim).await?);
        }
        Ok(claimed.pop_front())
    }

    // The slots for which these were claimed have stopped.
    async fn release_all(&self, claimed: &mut VecDeque<Claim>) {
        for claim in claimed.drain(..) {
            if let Err(error) = self.store.leases().release(claim.lease, clock::now_ms()).await {
                tracing::info!(work = claim.lease.work.0, %error, "a claimed job could not be returned to the queue");
            }
        }
    }

    /// Waits until the next poll is due, or for a notification that this worker should act on.
    async fn rest(&self, notifications: &mut watch::Receiver<u64>, stop: &CancellationToken) {
        let jitter = || clock::fraction().unwrap_or_default();
        let until = tokio::time::Instant::now() + self.poll_backoff.wait(self.settings.idle, jitter());
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(until) => return,
                () = stop.cancelled() => return,
                Ok(()) = notifications.changed() => if self.poll_backoff.wakes(jitter()) { return },
            }
        }
    }

    /// Revokes expired leases of dead workers.
    async fn rescue(self: Arc<Self>, stop: CancellationToken) {
        let mut jumps = ClockJumps::new();
        while !stop.is_cancelled() {
            if jumps.was_set() {
                // With the changed clock, all leases may seem expired. Live workers renew theirs meanwhile.
                tracing::warn!(
                    "the clock was changed; no leases are revoked until the current ones have expired"
                );
                wait(self.settings.lease, &stop).await;
                continue;
            }
            match self.store.leases().rescue(clock::now_ms()).await {
                Err(error) if error.cannot_write() => {
                    tracing::error!(%error, "expired leases cannot be revoked");
                    self.await_writing(&stop).await;
                    // No worker could renew its leases. Live ones do so now, or give the work back.
                    wait(self.settings.lease, &stop).await;
                }
                Ok(0) => {}
                Ok(rescued) => {
                    metric::count(metric::RESCUED, &[], rescued);
                    tracing::warn!(rescued, "jobs of lost workers returned to the queue");
                }
                Err(error) => tracing::error!(%error, "expired leases could not be checked"),
            }
            let jitter = clock::fraction().unwrap_or_default();
            wait(self.poll_backoff.wait(self.settings.rescue, jitter), &stop).await;
        }
    }

    /// Returns when the database can be written again.
    async fn await_writing(&self, stop: &CancellationToken) {
        while !stop.is_cancelled() && self.store.try_writing(clock::now_ms()).await.is_err() {
            wait(RETRY_INTERVAL, stop).await;
        }
    }

    /// Removes unfinished files of processes that died while this one runs.
    async fn sweep(self: Arc<Self>, stop: CancellationToken) {
        while !stop.is_cancelled() {
            wait(SWEEP, &stop).await;
            let engine = self.engine.clone();
            match tokio::task::spawn_blocking(move || engine.sweep()).await {
                Ok(Ok(0)) => {}
                Ok(Ok(removed)) => tracing::info!(removed, "removed scratch folders of dead processes"),
                Ok(Err(error)) => tracing::error!(%error, "unfinished files cannot be removed"),
                Err(error) => tracing::error!(%error, "unfinished files cannot be searched for"),
            }
        }
    }

    async fn work(&self, claim: Claim, how: ExecutionMode<'_, '_>, abort: &CancellationToken) {
        let span = span(&claim);
        if traces::is_enabled() {
            let trace = self.store.traces().of_job(claim.lease.work).await.ok().flatten();
            traces::continue_trace(&span, trace.as_deref());
        }
        let (kind, began) = (kind(&claim.job), tokio::time::Instant::now());
        let outcome = self.work_in_span(claim, how, abort).instrument(span).await;
        metric::seconds(metric::WORK_SECONDS, &[("kind", kind), ("outcome", outcome)], began.elapsed());
    }

    /// Returns the outcome for metrics.
    async fn work_in_span(
        &self,
        claim: Claim,
        how: ExecutionMode<'_, '_>,
        abort: &CancellationToken,
    ) -> &'static str {
        let Claim { lease, lease_times, attempt, ref job } = claim;
        let progress = Arc::default();
        let work = self.render_time.charge(job.user(), self.perform(lease, attempt, job, how, &progress));
        let ended = self.leases.keep(lease, lease_times, &progress, abort, work).await;
        let (outcome, reported) = match ended {
            LeaseEnd::Finished(Ok(())) => return "done",
            LeaseEnd::Finished(Err(Failure::Ready)) => {
                ("handed_back", self.give_up(lease, ReturnReason::Released, abort).await)
            }
            LeaseEnd::Finished(Err(Failure::Task(error))) if error.lacks_disk_space => {
                tracing::warn!(work = lease.work.0, %error, "job waits for disk space");
                ("waits", self.give_up(lease, ReturnReason::NoDiskSpace, abort).await)
            }
            LeaseEnd::Finished(Err(Failure::Task(error))) => {
                let code = error.code.as_str();
                metric::count(metric::FAILURES, &[("kind", kind(job)), ("code", code)], 1);
                ("failed", self.report(lease, attempt, error, abort).await)
            }
            LeaseEnd::Finished(Err(Failure::Store(error))) if error.cannot_write() => {
                tracing::error!(work = lease.work.0, %error, "the outcome cannot be written; the job will be repeated");
                ("handed_back", self.give_up(lease, ReturnReason::Released, abort).await)
            }
            LeaseEnd::Finished(Err(Failure::Store(StoreError::LeaseLost))) | LeaseEnd::LeaseLost => {
                ("lost", self.give_up(lease, ReturnReason::LateRenewal, abort).await)
            }
            LeaseEnd::Finished(Err(Failure::Store(error))) => ("lost", Err(error)),
            LeaseEnd::Stopping => ("handed_back", self.store.leases().release(lease, clock::now_ms()).await),
        };
        match reported {
            Ok(()) => return outcome,
            Err(StoreError::LeaseLost) => {
                tracing::info!(work = lease.work.0, "the lease was lost; the result is discarded")
            }
            // The lease expires, and the job is repeated.
            Err(error) => tracing::error!(work = lease.work.0, %error, "the outcome could not be written"),
        }
        "lost"
    }

    async fn perform(
        &self,
        lease: Lease,
        attempt: u32,
        job: &Job,
        how: ExecutionMode<'_, '_>,
        progress: &Progress,
    ) -> Outcome {
        match job {
            Job::Preflight { task, user, request, seed, .. } => {
                let job = PreflightJob { lease, attempt, task: *task, user: *user };
                self.preflight(job, request, *seed, progress).await
            }
            Job::Segment { sources, user, .. } if matches!(how, ExecutionMode::InputsOnly) => {
                self.inputs(sources, *user).await
            }
            Job::Segment { key, spec, sources, user } => {
                self.segment(lease, key, spec, sources, *user, progress).await
            }
            Job::Assemble { task_no, item_no, user, rendition, inputs, .. } => {
                let (item_no, user) = (*item_no, *user);
                let assembly = Assembly { lease, task_no, item_no, user, rendition, inputs };
                let batch = match how {
                    ExecutionMode::Together(batch) => Some(batch),
                    _ => None,
                };
                self.assemble(assembly, batch, progress).await
            }
        }
    }

    async fn report(
        &self,
        lease: Lease,
        attempt: u32,
        error: TaskError,
        abort: &CancellationToken,
    ) -> Result<(), StoreError> {
        tracing::warn!(work = lease.work.0, attempt, %error, "work failed");
        let delay = backoff_ms(attempt).filter(|_| error.retryable);
        self.give_up(lease, ReturnReason::Failed(error, delay), abort).await
    }

    /// Writes the outcome as soon as the database can be written: a lease that is not returned counts as that of a
    /// dead machine.
    async fn give_up(
        &self,
        lease: Lease,
        how: ReturnReason,
        abort: &CancellationToken,
    ) -> Result<(), StoreError> {
        loop {
            let now = clock::now_ms();
            let outcome = match &how {
                ReturnReason::Failed(error, delay) => {
                    let failure = JobFailure {
                        error: error.clone(),
                        retry_at: delay.map(|delay| now.saturating_add_unsigned(delay)),
                    };
                    self.store.jobs().fail(lease, failure, now).await
                }
                ReturnReason::NoDiskSpace => self.store.leases().snooze(lease, now + SNOOZE_MS, now).await,
                ReturnReason::Released => self.store.leases().release(lease, now).await,
                ReturnReason::LateRenewal => self.store.leases().extend_next_lease(lease, now).await,
            };
            match outcome {
                Err(error) if error.cannot_write() && !abort.is_cancelled() => {
                    wait(RETRY_INTERVAL, abort).await
                }
                outcome => return outcome,
            }
        }
    }
}

/// Why a lease is returned.
enum ReturnReason {
    /// The work failed; with the delay before the next attempt, if there is one.
    Failed(TaskError, Option<u64>),
    /// There was no disk space; it is tried again later.
    NoDiskSpace,
    /// The work is unfinished; any worker may do it.
    Released,
    /// The lease was not renewed in time although its holder lives; the next lease lasts longer.
    LateRenewal,
}

fn kind(job: &Job) -> &'static str {
    match job {
        Job::Preflight { .. } => "preflight",
        Job::Segment { .. } => "segment",
        Job::Assemble { .. } => "finish",
    }
}

/// The fields of every log line about this job. A segment may belong to several tasks.
fn span(claim: &Claim) -> tracing::Span {
    let Claim { lease, attempt, job, .. } = claim;
    let (work, kind) = (lease.work, kind(job));
    match job {
        Job::Preflight { task_no, .. } => {
            tracing::info_span!("work", kind, work = work.0, attempt, task = %task_no)
        }
        Job::Segment { key, .. } => {
            tracing::info_span!("work", kind, work = work.0, attempt, segment = %key.0)
        }
        Job::Assemble { task_no, item_no, .. } => {
            tracing::info_span!("work", kind, work = work.0, attempt, task = %task_no, item = item_no)
        }
    }
}

/// How long to wait after the failure of this attempt; `None` after the last.
pub fn backoff_ms(attempt: u32) -> Option<u64> {
    BACKOFF_MS.get(attempt.saturating_sub(1) as usize).copied()
}

/// Detects that the clock was set, by comparing it with the monotonic clock.
struct ClockJumps {
    began: tokio::time::Instant,
    began_ms: i64,
}

impl ClockJumps {
    /// Smaller differences come from clocks that run a little fast or slow.
    const MAX_MS: i64 = 1_000;

    fn new() -> Self {
        Self { began: tokio::time::Instant::now(), began_ms: clock::now_ms() }
    }

    /// Whether the clock was set since the last call.
    fn was_set(&mut self) -> bool {
        let since = std::mem::replace(self, Self::new());
        let elapsed_ms = self.began.duration_since(since.began).as_millis() as i64;
        (self.began_ms - since.began_ms - elapsed_ms).abs() > Self::MAX_MS
    }
}

async fn wait(time: Duration, stop: &CancellationToken) {
    tokio::select! {
        () = tokio::time::sleep(time) => {}
        () = stop.cancelled() => {}
    }
}

/// An internal error, reported without details.
fn internal(message: Message) -> TaskError {
    TaskError::new(ErrorCode::Internal, message)
}
