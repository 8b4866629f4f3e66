//! The process dies between any two statements: what was committed stands, the rest never was.
//!
//! The database driver reports each statement when it is done. A child process lives a short life of tasks
//! and dies, without a goodbye, after its n-th statement; that is done for every n.

#![allow(clippy::disallowed_methods, reason = "the test starts itself as a process that may die")]

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use clipmill_core::ids::UserId;
use clipmill_store::*;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::conformance::world::{World, found, plan, result, segment, task_error};

const FOLDER: &str = "CLIPMILL_TEST_CRASH_FOLDER";
const AFTER: &str = "CLIPMILL_TEST_CRASH_AFTER";
const POINTS: u64 = 100;
/// Lives that are lived side by side.
const AT_ONCE: usize = 4;

/// Ends the process after so many statements.
struct Death {
    statements_left: AtomicI64,
}

impl Subscriber for Death {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query"
    }

    fn event(&self, _: &Event<'_>) {
        if self.statements_left.fetch_sub(1, Ordering::SeqCst) == 1 {
            std::process::abort();
        }
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// Everything that moves points: holds, new prices, settlements, a failure, a cancellation, a rejection.
async fn life(world: &World, user: UserId) {
    let mut task = world.new_task(user, &[10, 10, 10]);
    task.request.callback_url = Some("https://example.com/done".into());
    let first = world.submit_task(task).await;
    let [a, b] = ["a", "b"].map(|name| segment(name, 30));
    let plans = vec![Ok(plan(4, &[&a])), Ok(plan(15, &[&b])), Err(task_error("bad"))];
    world.preflight(found(plans, &[a, b])).await;
    world.make_segment("a").await;
    world.deliver(&first, 1, 3).await;
    let lease = world.claim_segment("b").await;
    world.fail(lease, "broken").await;

    let second = world.queued(user, &[segment("c", 30), segment("d", 30)]).await;
    world.make_segment("c").await;
    world.deliver(&second, 1, 10).await;
    world.store.cancel(user, &second, world.now()).await.unwrap();

    world.submit(user, &[5]).await;
    world.preflight(found(vec![Err(task_error("bad"))], &[])).await;
}

#[tokio::test]
#[ignore = "a process of its own, started by the test below"]
async fn child() {
    let (Ok(folder), Ok(after)) = (std::env::var(FOLDER), std::env::var(AFTER)) else { return };
    let world = World::new(Arc::new(crate::open_in(Path::new(&folder)).await));
    let user = world.store.user_by_name("ann").await.unwrap().unwrap().id;
    let death = Death { statements_left: AtomicI64::new(after.parse().unwrap()) };
    tracing::subscriber::set_global_default(death).unwrap();
    life(&world, user).await;
}

/// Runs a life that ends early; `true` when it did not.
fn live(folder: &Path, after: u32) -> bool {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "crashes::child"])
        .env(FOLDER, folder)
        .env(AFTER, after.to_string())
        .output()
        .unwrap();
    if child.status.signal().is_none() {
        assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
    }
    child.status.success()
}

/// Whatever was begun comes to an end, and every point is where it belongs.
async fn check_after(folder: &Path, user: UserId, after: u32) {
    let world = World::new(Arc::new(crate::open_in(folder).await));
    world.pass(1_000_000);
    world.check().await;
    world.store.rescue_all(world.now()).await.unwrap();
    world.check().await;
    while let Some(claim) = world.try_claim().await {
        let now = world.now();
        match claim.job {
            Job::Preflight { request, .. } => {
                let piece = segment("a", 30);
                let plans = (0..request.params.total_items()).map(|_| Ok(plan(6, &[&piece]))).collect();
                world.store.finish_preflight(claim.lease, found(plans, &[piece]), now).await
            }
            Job::Segment { .. } => world.store.finish_segment(claim.lease, now).await,
            Job::Finish { .. } => world.store.deliver(claim.lease, result(), 6, now).await,
        }
        .unwrap();
        world.check().await;
    }
    let page = Page { number: 1, size: 100 };
    let tasks = world.store.tasks(user, &TaskFilter::default(), page).await.unwrap().list;
    assert!(tasks.iter().all(|task| task.state.is_final()), "after {after}: {tasks:?}");
    let spent: u64 = tasks.iter().map(|task| task.consumed_points).sum();
    assert_eq!(world.balance(user).await, ((POINTS - spent) as i64, 0), "after {after}");
    world.store.close().await;
}

#[tokio::test]
async fn killed_between_any_two_statements() {
    let before = tempfile::tempdir().unwrap();
    let world = World::new(Arc::new(crate::open_in(before.path()).await));
    let new = NewUser { name: "ann".into(), webhook_secret: "whsec_x".into() };
    let user = world.store.add_user(new, 1).await.unwrap().id;
    world.store.grant(user, POINTS, "to begin with", 1).await.unwrap();
    world.store.close().await;

    let database = Arc::new(std::fs::read(before.path().join("clipmill.db")).unwrap());
    let mut crashes = 0;
    for first in (1..).step_by(AT_ONCE) {
        let lives: Vec<_> = (first..)
            .take(AT_ONCE)
            .map(|after| {
                let database = database.clone();
                tokio::spawn(async move {
                    let folder = tempfile::tempdir().unwrap();
                    std::fs::write(folder.path().join("clipmill.db"), &*database).unwrap();
                    let path = folder.path().to_owned();
                    let lived = tokio::task::spawn_blocking(move || live(&path, after)).await.unwrap();
                    check_after(folder.path(), user, after).await;
                    lived
                })
            })
            .collect();
        let mut lived = false;
        for life in lives {
            lived |= life.await.unwrap();
        }
        if lived {
            break;
        }
        crashes += AT_ONCE;
    }
    // A life of fewer statements than this has not done what it should.
    assert!(crashes > 100, "{crashes}");
}
