//! The process dies between any two statements: committed changes remain, all others are undone.
//!
//! The database driver reports each statement when it is done. A child process runs a short series of tasks and is
//! killed after its n-th statement; that is done for every n (every third in the short form).

#![allow(clippy::disallowed_methods, reason = "the test starts itself as a process that may die")]

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::conformance::fixture::{Fixture, all_cases};
use crate::conformance::task_series::{self, run_to_its_end, task_series};

const FOLDER: &str = "CLIPMILL_TEST_CRASH_FOLDER";
const AFTER: &str = "CLIPMILL_TEST_CRASH_AFTER";
/// How many task series run at the same time.
const AT_ONCE: usize = 4;

/// Ends the process after this many statements.
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

#[tokio::test]
#[ignore = "a process of its own, started by the test below"]
async fn child() {
    let (Ok(folder), Ok(after)) = (std::env::var(FOLDER), std::env::var(AFTER)) else { return };
    let fixture = Fixture::new(Arc::new(crate::open_in(Path::new(&folder)).await));
    let user = fixture.store.users().find_by_name("ann").await.unwrap().unwrap().id;
    let death = Death { statements_left: AtomicI64::new(after.parse().unwrap()) };
    tracing::subscriber::set_global_default(death).unwrap();
    task_series(&fixture, user).await;
}

/// Runs a task series that ends early; returns `true` if it did not.
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

#[tokio::test]
async fn killed_between_any_two_statements() {
    let before = tempfile::tempdir().unwrap();
    let fixture = Fixture::new(Arc::new(crate::open_in(before.path()).await));
    let user = task_series::user(&*fixture.store).await;
    fixture.store.close().await;

    let database = Arc::new(std::fs::read(before.path().join("clipmill.db")).unwrap());
    let step = if all_cases() { 1 } else { 3 };
    let mut crashes = 0;
    for first in (1..).step_by(AT_ONCE * step) {
        let lives: Vec<_> = (first..)
            .step_by(step)
            .take(AT_ONCE)
            .map(|after| {
                let database = database.clone();
                tokio::spawn(async move {
                    let folder = tempfile::tempdir().unwrap();
                    std::fs::write(folder.path().join("clipmill.db"), &*database).unwrap();
                    let path = folder.path().to_owned();
                    let lived = tokio::task::spawn_blocking(move || live(&path, after)).await.unwrap();
                    let fixture = Fixture::new(Arc::new(crate::open_in(folder.path()).await));
                    run_to_its_end(&fixture, user, &format!("after {after}")).await;
                    fixture.store.close().await;
                    lived
                })
            })
            .collect();
        let mut lived = false;
        for task_series in lives {
            lived |= task_series.await.unwrap();
        }
        if lived {
            break;
        }
        crashes += AT_ONCE * step;
    }
    // A life with fewer statements than this is incomplete.
    assert!(crashes > 100, "{crashes}");
}
