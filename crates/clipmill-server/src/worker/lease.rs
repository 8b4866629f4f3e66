//! Renews a lease while a job runs, and aborts the job when the lease is lost.

use std::collections::HashMap;
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clipmill_core::poll_backoff::PollBackoff;
use clipmill_store::{Heartbeat, Lease, Signal, Store};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Outcome;
use crate::clock;

/// How often leases are checked and progress is reported, unless the fleet is large.
const POLL: Duration = Duration::from_secs(1);

/// The progress of the work.
#[derive(Debug, Default)]
pub(super) struct Progress {
    frames: AtomicU64,
    closing: AtomicBool,
}

impl Progress {
    pub fn set(&self, frames: u64) {
        self.frames.store(frames, Ordering::Relaxed);
    }

    /// Marks that only the outcome remains to be written, which ends the lease.
    pub fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.frames.load(Ordering::Relaxed)
    }
}

pub(super) enum LeaseEnd {
    Finished(Outcome),
    /// The service stops and its grace period is over: the job was aborted and its processes have ended.
    Stopping,
    LeaseLost,
}

/// The leases of this process, renewed in one call.
pub struct Leases {
    /// How long a lease lasts, and after how long it is renewed.
    lease: Duration,
    heartbeat: Duration,
    leases: Mutex<HashMap<Lease, HeldLease>>,
}

struct HeldLease {
    progress: Arc<Progress>,
    /// Cancelled when the lease is lost.
    lost: CancellationToken,
    /// If it is not renewed for this long, it counts as lost, because another worker may soon claim the job.
    give_up: Duration,
    renewed: Instant,
    reported: u64,
}

impl HeldLease {
    /// The heartbeat that is due now, if any.
    fn beat(&self, lease: Lease, heartbeat: Duration) -> Heartbeat {
        let frames = self.progress.get();
        let has_progress = frames != self.reported;
        let renews = self.renewed.elapsed() >= heartbeat;
        Heartbeat { lease, renews, frames_done: has_progress.then_some(frames) }
    }
}

/// Removes a lease from the list when its work has ended.
struct LeaseGuard<'a>(&'a Leases, Lease);

impl Drop for LeaseGuard<'_> {
    fn drop(&mut self) {
        self.0.with_leases(|held_lease| held_lease.remove(&self.1));
    }
}

impl Leases {
    pub fn new(lease: Duration, heartbeat: Duration) -> Self {
        Self { lease, heartbeat, leases: Mutex::default() }
    }

    fn with_leases<T>(&self, change: impl FnOnce(&mut HashMap<Lease, HeldLease>) -> T) -> T {
        change(&mut self.leases.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Runs `work` while its lease is renewed. `lease_times` multiplies the length of the lease.
    /// Dropping the work kills its processes.
    pub(super) async fn keep(
        &self,
        lease: Lease,
        lease_times: u32,
        progress: &Arc<Progress>,
        abort: &CancellationToken,
        work: impl Future<Output = Outcome>,
    ) -> LeaseEnd {
        let lasts = self.lease.saturating_mul(lease_times);
        let lost = CancellationToken::new();
        let held_lease = HeldLease {
            progress: progress.clone(),
            lost: lost.clone(),
            give_up: lasts * 2 / 3,
            renewed: Instant::now(),
            reported: 0,
        };
        self.with_leases(|all| all.insert(lease, held_lease));
        let _listed = LeaseGuard(self, lease);
        let mut work = pin!(work);
        tokio::select! {
            outcome = &mut work => return LeaseEnd::Finished(outcome),
            () = abort.cancelled() => return LeaseEnd::Stopping,
            () = lost.cancelled() => {}
        }
        if !progress.closing.load(Ordering::Relaxed) {
            return LeaseEnd::LeaseLost;
        }
        // The lease may be gone because the work is done: the result of the write counts, because it carries the fence.
        match tokio::time::timeout(lasts, work).await {
            Ok(outcome) => LeaseEnd::Finished(outcome),
            Err(_) => LeaseEnd::LeaseLost,
        }
    }

    /// Renews leases indefinitely. A lease is lost if the store reports so (another worker has the job, or it is no
    /// longer needed), or if it could not be renewed for two thirds of its duration.
    pub(super) async fn renew(&self, store: &dyn Store, backoff: &PollBackoff) {
        let mut interruptions = store.signal(Signal::Interrupted);
        loop {
            // A renewal that is not due yet at one check must not be much too late at the next.
            let pause = backoff.report(POLL.min(self.heartbeat), self.heartbeat / 2);
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                Ok(()) = interruptions.changed() => {}
            }
            self.renew_once(store).await;
        }
    }

    /// A process that was suspended for long tries once more before it gives up, because its job may still be
    /// unclaimed.
    async fn renew_once(&self, store: &dyn Store) {
        let sent_at = Instant::now();
        let (heartbeats, deadline) = self.with_leases(|all| {
            let heartbeats: Vec<Heartbeat> =
                all.iter().map(|(lease, held_lease)| held_lease.beat(*lease, self.heartbeat)).collect();
            (heartbeats, all.values().map(|held_lease| held_lease.renewed + held_lease.give_up).min())
        });
        let Some(deadline) = deadline else { return };
        let renewal = store.leases().keep(&heartbeats, clock::now_ms(), self.lease.as_millis() as i64);
        match tokio::time::timeout_at(deadline.max(sent_at + POLL), renewal).await {
            Ok(Ok(good)) => self.note(&heartbeats, &good, sent_at),
            Ok(Err(error)) => tracing::error!(%error, "leases could not be renewed"),
            Err(_) => tracing::error!("leases could not be renewed in time"),
        }
        self.with_leases(|all| {
            let late = all.values().filter(|held_lease| held_lease.renewed.elapsed() >= held_lease.give_up);
            late.for_each(|held_lease| held_lease.lost.cancel());
        });
    }

    fn note(&self, heartbeats: &[Heartbeat], good: &[bool], sent_at: Instant) {
        self.with_leases(|all| {
            for (beat, good) in heartbeats.iter().zip(good) {
                let Some(held_lease) = all.get_mut(&beat.lease) else { continue };
                if !good {
                    held_lease.lost.cancel();
                    continue;
                }
                held_lease.reported = beat.frames_done.unwrap_or(held_lease.reported);
                if beat.renews {
                    held_lease.renewed = sent_at;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clipmill_core::ids::{TaskNo, UserId};
    use clipmill_store::ClaimLimits;
    use clipmill_store::sqlite::SqliteStore;

    use super::*;
    use crate::example::submitted;

    const LONG: Duration = Duration::from_secs(3600);

    async fn open(dir: &Path) -> SqliteStore {
        SqliteStore::open(&dir.join("db")).await.unwrap()
    }

    /// A task whose preflight is leased.
    async fn leased(store: &SqliteStore) -> (UserId, TaskNo, Lease) {
        let (user, task_no) = submitted(store).await;
        let claim = store
            .queue()
            .claim("worker", clock::now_ms(), 3_600_000, ClaimLimits::default())
            .await
            .unwrap()
            .unwrap();
        (user, task_no, claim.lease)
    }

    /// Renews a lease while `work` runs.
    async fn keep(
        (store, leases): (&SqliteStore, &Leases),
        lease: Lease,
        progress: &Arc<Progress>,
        abort: &CancellationToken,
        work: impl Future<Output = Outcome>,
    ) -> LeaseEnd {
        let backoff = PollBackoff::default();
        tokio::select! {
            ended = leases.keep(lease, 1, progress, abort, work) => ended,
            () = leases.renew(store, &backoff) => panic!("renewing does not end"),
        }
    }

    async fn check_lost(store: &SqliteStore, leases: &Leases, lease: Lease) {
        let (progress, abort) = (Arc::default(), CancellationToken::new());
        let outcome = keep((store, leases), lease, &progress, &abort, std::future::pending());
        let ended = tokio::time::timeout(Duration::from_secs(120), outcome).await.unwrap();
        assert!(matches!(ended, LeaseEnd::LeaseLost));
    }

    #[tokio::test]
    async fn a_lease_taken_by_another_process_is_noticed_at_the_next_renewal() {
        let dir = tempfile::tempdir().unwrap();
        let (store, other) = (open(dir.path()).await, open(dir.path()).await);
        let (user, task_no, lease) = leased(&store).await;
        other.tasks().cancel(user, &task_no, 2).await.unwrap();
        check_lost(&store, &Leases::new(LONG, LONG / 2), lease).await;
    }

    #[tokio::test]
    async fn work_is_let_go_when_the_database_is_out_of_reach() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await;
        let (_, _, lease) = leased(&store).await;
        store.close().await;
        let short = Duration::from_millis(100);
        check_lost(&store, &Leases::new(short, short / 4), lease).await;
    }

    #[tokio::test]
    async fn completed_work_does_not_count_as_lost() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await;
        let (user, task_no, lease) = leased(&store).await;
        let leases = Leases::new(LONG, Duration::from_millis(10));
        let (progress, abort) = (Arc::<Progress>::default(), CancellationToken::new());
        let work = async {
            progress.close();
            // This ends the lease, as the last write does; its response takes long.
            store.tasks().cancel(user, &task_no, 2).await.unwrap();
            tokio::time::sleep(Duration::from_millis(200)).await;
            Ok(())
        };
        assert!(matches!(
            keep((&store, &leases), lease, &progress, &abort, work).await,
            LeaseEnd::Finished(Ok(()))
        ));
    }

    #[tokio::test]
    async fn a_process_that_did_not_come_to_run_asks_once_more() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await;
        let (_, _, lease) = leased(&store).await;
        let short = Duration::from_millis(200);
        let leases = Leases::new(short, short / 4);
        let (progress, abort) = (Arc::default(), CancellationToken::new());
        let work = async {
            tokio::task::yield_now().await;
            std::thread::sleep(short * 2);
            tokio::time::sleep(short / 2).await;
            Ok(())
        };
        assert!(matches!(
            keep((&store, &leases), lease, &progress, &abort, work).await,
            LeaseEnd::Finished(Ok(()))
        ));
    }

    #[tokio::test]
    async fn a_lease_is_kept_while_work_runs() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await;
        let (_, _, lease) = leased(&store).await;
        let leases = Leases::new(LONG, Duration::from_millis(10));
        let (progress, abort) = (Arc::<Progress>::default(), CancellationToken::new());
        let work = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            Ok(())
        };
        assert!(matches!(
            keep((&store, &leases), lease, &progress, &abort, work).await,
            LeaseEnd::Finished(Ok(()))
        ));
        assert!(store.leases().holds(lease).await.unwrap());
        abort.cancel();
        let ended = keep((&store, &leases), lease, &progress, &abort, std::future::pending()).await;
        assert!(matches!(ended, LeaseEnd::Stopping));
    }
}
