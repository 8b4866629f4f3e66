//! Runs the tests of tasks, points and callbacks once more, over PostgreSQL.
//! The test program starts itself again with the other database; nothing is compiled a second time.

#![allow(clippy::disallowed_methods, reason = "the test starts itself")]

use std::process::Command;
use std::sync::Arc;

use clipmill_store::Store;
use clipmill_store::postgres::{Clock, PgOptions, PgStore};
use tokio::sync::OnceCell;

use crate::postgres_server::{Database, server};

const CHOSEN: &str = "CLIPMILL_TEST_POSTGRES";
const MODULES: [&str; 12] = [
    "access::",
    "batches::",
    "callbacks::",
    "cancel::",
    "events::",
    "quotas::",
    "share_feedback::",
    "shares::",
    "submit::",
    "tasks::",
    "templates::",
    "uploads::",
];

/// Whether this run is the one on PostgreSQL.
pub fn chosen() -> bool {
    std::env::var_os(CHOSEN).is_some()
}

pub async fn open() -> (Arc<dyn Store>, Database) {
    static TEMPLATE: OnceCell<()> = OnceCell::const_new();
    TEMPLATE
        .get_or_init(|| async {
            server().run("postgres", "CREATE DATABASE prepared");
            PgStore::migrate(&server().url("prepared")).await.unwrap();
        })
        .await;
    let database = server().database(Some("prepared"));
    let options = PgOptions { connections: 8, clock: Clock::Caller, ..PgOptions::default() };
    (Arc::new(PgStore::open(&database.url, options).await.unwrap()), database)
}

#[test]
fn all_database_tests_pass_on_postgresql() {
    if chosen() {
        return;
    }
    let run = Command::new(std::env::current_exe().unwrap()).args(MODULES).env(CHOSEN, "1").output().unwrap();
    let output = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{output}\n{}", String::from_utf8_lossy(&run.stderr));
    for module in MODULES {
        assert!(output.contains(&format!("test {module}")), "nothing of {module} was run: {output}");
    }
}
