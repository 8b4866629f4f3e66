//! Keeping a lease while work is under way, and letting go of the work when the lease is lost.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use clipmill_store::{Lease, Signal, Store, StoreError};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Outcome;
use crate::clock;

/// The lease is looked at, and progress reported, this often.
const POLL: Duration = Duration::from_secs(1);

/// How far the work under way is.
#[derive(Debug, Default)]
pub(super) struct Progress {
    frames: AtomicU64,
    closing: AtomicBool,
}

impl Progress {
    pub fn set(&self, frames: u64) {
        self.frames.store(frames, Ordering::Relaxed);
    }

    /// Only writing down that it is done is left: that ends the lease.
    pub fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.frames.load(Ordering::Relaxed)
    }
}

pub(super) enum Ended {
    Finished(Outcome),
    /// The service stops and has waited long enough: the work was dropped, its processes are gone.
    Stopping,
    LeaseLost,
}

/// Keeps leases of one store alive.
pub(super) struct Keeper<'a> {
    pub store: &'a dyn Store,
    /// How long a lease is asked for.
    pub lease: Duration,
    /// So many times as long this one lasts, unless it is renewed.
    pub lease_times: u32,
    pub heartbeat: Duration,
}

impl Keeper<'_> {
    /// Runs `work` and renews its lease. Dropping the work kills its processes.
    pub async fn keep(
        &self,
        lease: Lease,
        progress: &Progress,
        cut: &CancellationToken,
        work: impl Future<Output = Outcome>,
    ) -> Ended {
        let mut work = pin!(work);
        tokio::select! {
            outcome = &mut work => return Ended::Finished(outcome),
            () = cut.cancelled() => return Ended::Stopping,
            () = self.renew_until_lost(lease, progress) => {}
        }
        if !progress.closing.load(Ordering::Relaxed) {
            return Ended::LeaseLost;
        }
        // The lease may be gone because the work is done: what the write itself says counts, and it carries the fence.
        match tokio::time::timeout(self.lasts(), work).await {
            Ok(outcome) => Ended::Finished(outcome),
            Err(_) => Ended::LeaseLost,
        }
    }

    fn lasts(&self) -> Duration {
        self.lease.saturating_mul(self.lease_times)
    }

    /// Returns when the lease is lost (somebody else has the work, or nobody needs it any more), or could not
    /// be renewed for two thirds of its time: somebody else may take the work soon. A process that did not come to
    /// run for so long asks once more: perhaps nobody has taken it.
    async fn renew_until_lost(&self, lease: Lease, progress: &Progress) {
        let give_up = self.lasts() * 2 / 3;
        let mut told = self.store.signal(Signal::Interrupted);
        let (mut renewed, mut reported) = (Instant::now(), 0);
        while renewed.elapsed() < give_up {
            tokio::select! {
                () = tokio::time::sleep(POLL.min(self.heartbeat)) => {}
                Ok(()) = told.changed() => {}
            }
            let (frames, asked) = (progress.get(), Instant::now());
            let due = frames != reported || renewed.elapsed() >= self.heartbeat;
            let look = async { if due { self.renew(lease, frames).await } else { self.poll(lease).await } };
            match tokio::time::timeout_at((renewed + give_up).max(asked + POLL), look).await {
                Ok(Ok(())) if due => (renewed, reported) = (asked, frames),
                Ok(Ok(())) => {}
                Ok(Err(StoreError::LeaseLost)) | Err(_) => return,
                Ok(Err(error)) => tracing::error!(%error, "a lease could not be renewed"),
            }
        }
    }

    async fn renew(&self, lease: Lease, frames: u64) -> Result<(), StoreError> {
        self.store.heartbeat(lease, frames, clock::now_ms(), self.lease.as_millis() as i64).await
    }

    async fn poll(&self, lease: Lease) -> Result<(), StoreError> {
        self.store.holds_lease(lease).await?.then_some(()).ok_or(StoreError::LeaseLost)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clipmill_core::ids::{TaskNo, UserId};
    use clipmill_core::request::{Policy, UnknownFields, parse};
    use clipmill_store::sqlite::SqliteStore;
    use clipmill_store::{ClaimLimits, NewTask, NewUser, Quota, SubmitOutcome};

    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    async fn open(dir: &Path) -> SqliteStore {
        SqliteStore::open(&dir.join("db")).await.unwrap()
    }

    /// A task whose preflight is leased.
    async fn leased(store: &SqliteStore) -> (UserId, TaskNo, Lease) {
        let user = NewUser { name: "ann".into(), webhook_secret: "whsec_x".into() };
        let user = store.add_user(user, 1).await.unwrap().id;
        let policy = Policy {
            unknown_fields: UnknownFields::Deny,
            allow_local_paths: false,
            max_item_seconds: 3600.0,
            max_videos: 1,
            max_outputs: 1,
        };
        let body = r#"{"taskType":"videoDeduplication",
            "params":{"videoList":[{"filename":"https://media.example/a.mp4","duration":1}]}}"#;
        let request = parse(body.as_bytes(), &policy).unwrap().request;
        let task_no = TaskNo::new(1, [1; 10]);
        let task = NewTask {
            user,
            task_no: task_no.clone(),
            request,
            request_sha256: [1; 32],
            seed: 1,
            items: vec![],
            warnings: vec![],
            traceparent: None,
            quota: Quota::default(),
        };
        let named = task_no;
        let submitted = store.submit(task, 1).await.unwrap();
        assert!(matches!(submitted, SubmitOutcome::Created(_)));
        let claim =
            store.claim("worker", clock::now_ms(), 3_600_000, ClaimLimits::default()).await.unwrap().unwrap();
        (user, named, claim.lease)
    }

    async fn check_lost(keeper: &Keeper<'_>, lease: Lease) {
        let (progress, cut) = (Progress::default(), CancellationToken::new());
        let kept = keeper.keep(lease, &progress, &cut, std::future::pending());
        let ended = tokio::time::timeout(Duration::from_secs(120), kept).await.unwrap();
        assert!(matches!(ended, Ended::LeaseLost));
    }

    #[tokio::test]
    async fn a_lease_taken_by_another_process_is_missed_without_being_told() {
        let dir = tempfile::tempdir().unwrap();
        let (store, other) = (open(dir.path()).await, open(dir.path()).await);
        let (user, task_no, lease) = leased(&store).await;
        other.cancel(user, &task_no, 2).await.unwrap();
        check_lost(&Keeper { store: &store, lease: LONG, lease_times: 1, heartbeat: LONG / 2 }, lease).await;
    }

    #[tokio::test]
    async fn work_is_let_go_when_the_database_is_out_of_reach() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await;
        let (_, _, lease) = leased(&store).await;
        store.close().await;
        let short = Duration::from_millis(100);
        check_lost(&Keeper { store: &store, lease: short, lease_times: 1, heartbeat: short / 4 }, lease)
            .await;
    }

    #[tokio::test]
    async fn work_that_is_done_is_not_taken_for_lost() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await;
        let (user, task_no, lease) = leased(&store).await;
        let keeper =
            Keeper { store: &store, lease: LONG, lease_times: 1, heartbeat: Duration::from_millis(10) };
        let (progress, cut) = (Progress::default(), CancellationToken::new());
        let work = async {
            progress.close();
            // Ends the lease, as the last write does; its answer is long in coming.
            store.cancel(user, &task_no, 2).await.unwrap();
            tokio::time::sleep(Duration::from_millis(200)).await;
            Ok(())
        };
        assert!(matches!(keeper.keep(lease, &progress, &cut, work).await, Ended::Finished(Ok(()))));
    }

    #[tokio::test]
    async fn a_process_that_did_not_come_to_run_asks_once_more() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await;
        let (_, _, lease) = leased(&store).await;
        let short = Duration::from_millis(200);
        let keeper = Keeper { store: &store, lease: short, lease_times: 1, heartbeat: short / 4 };
        let (progress, cut) = (Progress::default(), CancellationToken::new());
        let work = async {
            tokio::task::yield_now().await;
            std::thread::sleep(short * 2);
            tokio::time::sleep(short / 2).await;
            Ok(())
        };
        assert!(matches!(keeper.keep(lease, &progress, &cut, work).await, Ended::Finished(Ok(()))));
    }

    #[tokio::test]
    async fn a_lease_is_kept_while_work_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path()).await;
        let (_, _, lease) = leased(&store).await;
        let keeper =
            Keeper { store: &store, lease: LONG, lease_times: 1, heartbeat: Duration::from_millis(10) };
        let (progress, cut) = (Progress::default(), CancellationToken::new());
        let work = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            Ok(())
        };
        assert!(matches!(keeper.keep(lease, &progress, &cut, work).await, Ended::Finished(Ok(()))));
        assert!(store.holds_lease(lease).await.unwrap());
        cut.cancel();
        let ended = keeper.keep(lease, &progress, &cut, std::future::pending()).await;
        assert!(matches!(ended, Ended::Stopping));
    }
}
