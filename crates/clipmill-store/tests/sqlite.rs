//! The store on SQLite: the conformance suite, and checks with SQLite's own SQL.

// Clippy knows only functions marked as tests; here the helpers are test code too.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod conformance;
#[path = "sqlite/cost.rs"]
mod cost;
#[path = "sqlite/crashes.rs"]
mod crashes;
#[path = "sqlite/damage.rs"]
mod damage;
#[path = "sqlite/reopening.rs"]
mod reopening;
#[path = "sqlite/upgrades.rs"]
mod upgrades;

use std::path::Path;
use std::sync::Arc;

use clipmill_store::Store;
use clipmill_store::sqlite::SqliteStore;
use tempfile::TempDir;

/// Random walks.
const WALKS: usize = 16;

async fn open() -> (Arc<dyn Store>, TempDir) {
    let dir = tempfile::tempdir().unwrap();
    (Arc::new(open_in(dir.path()).await), dir)
}

async fn open_in(dir: &Path) -> SqliteStore {
    SqliteStore::open(&dir.join("clipmill.db")).await.unwrap()
}

conformance::suite!(crate::open);
