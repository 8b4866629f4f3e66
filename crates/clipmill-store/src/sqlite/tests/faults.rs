//! The disk is full, or fails, at every statement: the unit is rolled back, and the next one works as soon as the
//! disk does.
//!
//! Pages run out by SQLite's own limit, which is SQLITE_FULL as on a full disk. For SQLITE_IOERR no file may grow: a
//! process of its own sets that limit after its n-th statement, for every n. The cache of pages is so small that
//! statements write, not the commit alone.

#![allow(clippy::disallowed_methods, reason = "the test starts itself as a process whose files may not grow")]

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use clipmill_core::ids::UserId;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use sqlx::AssertSqlSafe;
use tempfile::TempDir;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::super::*;
use crate::Store;
use crate::common::error::StoreError;
use fixture::Fixture;
use task_series::{MAINTENANCE_UNITS, maintenance_units, run_to_its_end, task_series};

#[allow(dead_code, reason = "not every test program uses all of it")]
#[path = "../../../tests/conformance/fixture.rs"]
mod fixture;
#[path = "../../../tests/conformance/task_series.rs"]
mod task_series;

const CHILD: &str = "CLIPMILL_TEST_FAULTS";

/// The interrupted work: the task series, and the maintenance units after it.
#[derive(Debug, Clone, Copy)]
struct Chapter {
    maintenance_units: Option<usize>,
}

/// A database of small pages, so that many statements need a new one, as it is when a chapter begins.
struct Beginning {
    folder: TempDir,
    user: UserId,
    chapter: Chapter,
}

impl Chapter {
    fn all() -> impl Iterator<Item = Self> {
        std::iter::once(None)
            .chain((0..MAINTENANCE_UNITS).map(Some))
            .map(|maintenance_units| Self { maintenance_units })
    }

    async fn begin(self) -> Beginning {
        let folder = folder();
        let options = connect_options(&folder.path().join("db")).page_size(512);
        let writer = pool(1).connect_with(options).await.unwrap();
        schema::bring_up_to_date(&writer).await.unwrap();
        writer.close().await;
        let store = SqliteStore::open(&folder.path().join("db")).await.unwrap();
        let user = task_series::user(&store).await;
        if self.maintenance_units.is_some() {
            task_series(&Fixture::new(Arc::new(store.clone())), user).await;
        }
        store.close().await;
        Beginning { folder, user, chapter: self }
    }
}

impl Beginning {
    async fn open_copy(&self, folder: &Path) -> SqliteStore {
        std::fs::copy(self.folder.path().join("db"), folder.join("db")).unwrap();
        let store = SqliteStore::open(&folder.join("db")).await.unwrap();
        pragma(&store, "cache_size = 1").await;
        pragma(&store, "synchronous = OFF").await;
        store
    }

    /// Lives until something fails; `false` if nothing did. Each failure must report that the database cannot be
    /// written.
    async fn lived(&self, store: &SqliteStore) -> bool {
        let (fixture, user, chapter) = (Fixture::new(Arc::new(store.clone())), self.user, self.chapter);
        let living = tokio::spawn(async move {
            match chapter.maintenance_units {
                None => task_series(&fixture, user).await,
                Some(which) => maintenance_units(&fixture, user, which).await,
            }
        });
        let Err(error) = living.await else { return true };
        let panic = error.into_panic();
        let panic_message = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        let code = panic_message
            .split("code: ")
            .nth(1)
            .and_then(|rest| rest.split(',').next())
            .unwrap_or(&panic_message);
        assert!(code.parse::<i64>().is_ok_and(|code| matches!(code & 0xff, 10 | 13 | 14)), "{panic_message}");
        false
    }

    /// Frees the space again.
    async fn ends(&self, store: SqliteStore, after: &str) {
        let fixture = Fixture::new(Arc::new(store.clone()));
        fixture.pass(200_000_000);
        run_to_its_end(&fixture, self.user, &format!("{:?} {after}", self.chapter)).await;
        store.close().await;
    }
}

/// In memory if possible: many databases are created.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

async fn pragma(store: &SqliteStore, pragma: &str) -> i64 {
    let pragma = AssertSqlSafe(format!("PRAGMA {pragma}"));
    let value: Option<i64> = sqlx::query_scalar(pragma).fetch_optional(&store.writer).await.unwrap();
    value.unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_run_out_at_every_place() {
    let mut replaced = BTreeSet::new();
    for chapter in Chapter::all() {
        let beginning = chapter.begin().await;
        for more in 0.. {
            let folder = folder();
            let store = beginning.open_copy(folder.path()).await;
            let pages = pragma(&store, "page_count").await + more;
            pragma(&store, &format!("max_page_count = {pages}")).await;
            let lived = beginning.lived(&store).await;
            // A connection that rolled back by itself is closed; another was rolled back and remains in use.
            replaced.insert(pragma(&store, "max_page_count").await != pages);
            pragma(&store, "max_page_count = 1000000").await;
            beginning.ends(store, &format!("with {more} pages more")).await;
            if lived {
                break;
            }
        }
    }
    assert_eq!(replaced.len(), 2, "connections were thrown away and kept");
}

#[test]
fn files_cannot_grow_at_any_statement() {
    let script = r#"trap "" XFSZ; exec "$0" --ignored --exact --nocapture sqlite::tests::faults::child"#;
    let child = Command::new("sh")
        .args(["-c", script])
        .arg(std::env::current_exe().unwrap())
        .env(CHILD, "1")
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&child.stdout);
    let errors = String::from_utf8_lossy(&child.stderr);
    assert!(child.status.success(), "{:?}\n{output}\n{errors}", child.status.signal());
    assert!(output.contains("1 passed"), "{output}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a process of its own, started by the test above"]
async fn child() {
    if std::env::var(CHILD).is_err() {
        return;
    }
    tracing::subscriber::set_global_default(Fault).unwrap();
    let mut faults = 0;
    for chapter in Chapter::all() {
        let beginning = chapter.begin().await;
        for after in 1.. {
            let folder = folder();
            let store = beginning.open_copy(folder.path()).await;
            LEFT.store(after, Ordering::SeqCst);
            let lived = beginning.lived(&store).await;
            LEFT.store(0, Ordering::SeqCst);
            if !lived {
                faults += 1;
                still_full(&store).await;
            }
            files_may_grow(true);
            beginning.ends(store, &format!("after {after} statements")).await;
            if lived {
                break;
            }
        }
    }
    assert!(faults > 100, "{faults}");
}

/// While the disk is full, every unit reports that, and nothing else.
async fn still_full(store: &SqliteStore) {
    for now in 1..=2 {
        let error: StoreError = store.try_writing(now).await.unwrap_err();
        assert!(error.cannot_write() && error.is_unavailable(), "{error:?}");
    }
    store.ping().await.unwrap();
}

/// Statements until files cannot grow any more.
static LEFT: AtomicI64 = AtomicI64::new(0);

struct Fault;

impl Subscriber for Fault {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query"
    }

    fn event(&self, event: &Event<'_>) {
        // Statements after a read hit the fault just like those before it.
        if asks(event) {
            return;
        }
        if LEFT.fetch_sub(1, Ordering::SeqCst) == 1 {
            files_may_grow(false);
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

/// Whether the statement that is done only reads.
fn asks(event: &Event<'_>) -> bool {
    struct Reads(bool);
    impl Visit for Reads {
        fn record_str(&mut self, field: &Field, value: &str) {
            self.0 |= field.name() == "summary" && value.starts_with("SELECT");
        }
        fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
    }
    let mut reads = Reads(false);
    event.record(&mut reads);
    reads.0
}

fn files_may_grow(may: bool) {
    let maximum = getrlimit(Resource::Fsize).maximum;
    let current = if may { maximum } else { Some(0) };
    setrlimit(Resource::Fsize, Rlimit { current, maximum }).unwrap();
}
