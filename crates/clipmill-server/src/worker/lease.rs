//! Keeps a lease while work is in progress, and drops the work when the lease is lost.

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

    /// Marks that only writing the outcome is left, which ends the lease.
    pub fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.frames.load(Ordering::Relaxed)
    }
}

pub(super) enum LeaseEnd {
    Finished(Outcome),
    /// The service stops and has waited long enough: the work was dropped and its processes have ended.
    Stopping,
    LeaseLost,
}

/// The leases of this process, renewed together in one call.
pub struct Leases {
    /// How long a lease lasts, and after how long it is renewed.
    lease: Duration,
    heartbeat: Duration,
    held: Mutex<HashMap<Lease, HeldLease>>,
}

struct HeldLease {
    progress: Arc<Progress>,
    /// Cancelled when the lease is lost.
    lost: CancellationToken,
    /// If it is not renewed for this long, it counts as lost, because another worker may take the work soon.
    give_up: Duration,
    renewed: Instant,
    reported: u64,
}

impl HeldLease {
    /// What to report about it now, if more than a check is due.
    fn beat(&self, lease: Lease, heartbeat: Duration) -> Heartbeat {
        let frames = self.progress.get();
        let news = frames != self.reported;
        let renews = self.renewed.elapsed() >= heartbeat;
        Heartbeat { lease, renews, frames_done: news.then_some(frames) }
    }
}

/// Removes a lease from the list when its work has ended.
struct LeaseGuard<'a>(&'a Leases, Lease);

impl Drop for LeaseGuard<'_> {
    fn drop(&mut self) {
        self.0.with_held(|held| held.remove(&self.1));
    }
}

impl Leases {
    pub fn new(lease: Duration, heartbeat: Duration) -> Self {
        Self { lease, heartbeat, held: Mutex::default() }
    }

    fn with_held<T>(&self, change: impl FnOnce(&mut HashMap<Lease, HeldLease>) -> T) -> T {
        change(&mut self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Runs `work` while its lease is renewed. `lasts` says how many times longer than requested the lease lasts. Dropping the
    /// work kills its processes.
    pub(super) async fn keep(
        &self,
        lease: Lease,
        lease_times: u32,
        progress: &Arc<Progress>,
        cut: &CancellationToken,
        work: impl Future<Output = Outcome>,
    ) -> LeaseEnd {
        let lasts = self.lease.saturating_mul(lease_times);
        let lost = CancellationToken::new();
        let held = HeldLease {
            progress: progress.clone(),
            lost: lost.clone(),
            give_up: lasts * 2 / 3,
            renewed: Instant::now(),
            reported: 0,
        };
        self.with_held(|all| all.insert(lease, held));
        let _listed = LeaseGuard(self, lease);
        let mut work = pin!(work);
        tokio::select! {
            outcome = &mut work => return LeaseEnd::Finished(outcome),
            () = cut.cancelled() => return LeaseEnd::Stopping,
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

    /// Renews leases for ever. A lease is lost if the store says so (another worker has the work, or nobody needs it any more),
    /// or if it could not be renewed for two thirds of its time.
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

    /// A process that was suspended for long asks once more before it gives up, because its work may not have been taken.
    async fn renew_once(&self, store: &dyn Store) {
        let sent_at = Instant::now();
        let (beats, patience) = self.with_held(|all| {
            let beats: Vec<Heartbeat> =
                all.iter().map(|(lease, held)| held.beat(*lease, self.heartbeat)).collect();
            (beats, all.values().map(|held| held.renewed + held.give_up).min())
        });
        let Some(patience) = patience else { return };
        let renewal = store.leases().keep(&beats, clock::now_ms(), self.lease.as_millis() as i64);
        match tokio::time::timeout_at(patience.max(sent_at + POLL), renewal).await {
            Ok(Ok(good)) => self.note(&beats, &good, sent_at),
            Ok(Err(error)) => tracing::error!(%error, "leases could not be renewed"),
            Err(_) => tracing::error!("leases could not be renewed in time"),
        }
        self.with_held(|all| {
            let late = all.values().filter(|held| held.renewed.elapsed() >= held.give_up);
            late.for_each(|held| held.lost.cancel());
        });
    }

    fn note(&self, beats: &[Heartbeat], good: &[bool], asked: Instant) {
        self.with_held(|all| {
            for (beat, good) in beats.iter().zip(good) {
                let Some(held) = all.get_mut(&beat.lease) else { continue };
                if !good {
                    held.lost.cancel();
                    continue;
                }
                held.reported = beat.frames_done.unwrap_or(held.reported);
                if beat.renews {
                    held.renewed = asked;
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

    /// Keeps a lease while `work` goes on.
    async fn keep(
        (store, leases): (&SqliteStore, &Leases),
        lease: Lease,
        progress: &Arc<Progress>,
        cut: &CancellationToken,
        work: impl Future<Output = Outcome>,
    ) -> LeaseEnd {
        let backoff = PollBackoff::default();
        tokio::select! {
            ended = leases.keep(lease, 1, progress, cut, work) => ended,
            () = leases.renew(store, &backoff) => panic!("renewing does not end"),
        }
    }

    async fn check_lost(store: &SqliteStore, leases: &Leases, lease: Lease) {
        let (progress, cut) = (Arc::default(), CancellationToken::new());
        let kept = keep((store, leases), lease, &progress, &cut, std::future::pending());
        let ended = tokio::time::timeout(Duration::from_secs(120), kept).await.unwrap();
        assert!(matches!(ended, LeaseEnd::LeaseLost));
    }

    #[tokio::test]
    async fn a_lease_taken_by_another_process_is_missed_without_being_told() {
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
    async fn work_that_is_done_is_not_taken_for_lost() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await;
        let (user, task_no, lease) = leased(&store).await;
        let leases = Leases::new(LONG, Duration::from_millis(10));
        let (progress, cut) = (Arc::<Progress>::default(), CancellationToken::new());
        let work = async {
            progress.close();
            // This ends the lease, as the last write does; its answer takes long.
            store.tasks().cancel(user, &task_no, 2).await.unwrap();
            tokio::time::sleep(Duration::from_millis(200)).await;
            Ok(())
        };
        assert!(matches!(
            keep((&store, &leases), lease, &progress, &cut, work).await,
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
        let (progress, cut) = (Arc::default(), CancellationToken::new());
        let work = async {
            tokio::task::yield_now().await;
            std::thread::sleep(short * 2);
            tokio::time::sleep(short / 2).await;
            Ok(())
        };
        assert!(matches!(
            keep((&store, &leases), lease, &progress, &cut, work).await,
            LeaseEnd::Finished(Ok(()))
        ));
    }

    #[tokio::test]
    async fn a_lease_is_kept_while_work_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await;
        let (_, _, lease) = leased(&store).await;
        let leases = Leases::new(LONG, Duration::from_millis(10));
        let (progress, cut) = (Arc::<Progress>::default(), CancellationToken::new());
        let work = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            Ok(())
        };
        assert!(matches!(
            keep((&store, &leases), lease, &progress, &cut, work).await,
            LeaseEnd::Finished(Ok(()))
        ));
        assert!(store.leases().holds(lease).await.unwrap());
        cut.cancel();
        let ended = keep((&store, &leases), lease, &progress, &cut, std::future::pending()).await;
        assert!(matches!(ended, LeaseEnd::Stopping));
    }
}
