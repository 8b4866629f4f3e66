//! The store on PostgreSQL: the conformance suite, and concurrency of many processes.

// Clippy knows only functions marked as tests; here the helpers are test code too.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "postgres/clocks.rs"]
mod clocks;
mod conformance;
#[path = "postgres/cost.rs"]
mod cost;
#[path = "postgres/damage.rs"]
mod damage;
#[path = "postgres/faults.rs"]
mod faults;
#[path = "postgres/migrations.rs"]
mod migrations;
#[path = "support/postgres_server.rs"]
mod postgres_server;
#[path = "postgres/races.rs"]
mod races;
#[path = "postgres/scaling.rs"]
mod scaling;
#[path = "postgres/simulated.rs"]
mod simulated;
#[allow(dead_code, reason = "what `make sim` measures and prints")]
#[path = "../benches/sim/simulation/mod.rs"]
mod simulation;
#[path = "postgres/write_limits.rs"]
mod write_limits;

use std::sync::Arc;

use clipmill_store::Store;
use clipmill_store::postgres::{Clock, PgOptions, PgStore};
use postgres_server::{Database, server};
use tokio::sync::OnceCell;

/// Random walks: the same ones as on SQLite, but no more than tasks need to end in every way.
const WALKS: usize = 10;

/// A database with the schema, used as a template.
async fn template() -> &'static str {
    static TEMPLATE: OnceCell<()> = OnceCell::const_new();
    TEMPLATE
        .get_or_init(|| async {
            server().run("postgres", "CREATE DATABASE prepared");
            PgStore::migrate(&server().url("prepared")).await.unwrap();
        })
        .await;
    "prepared"
}

async fn database() -> Database {
    server().database(Some(template().await))
}

async fn open_on(database: &Database, clock: Clock) -> PgStore {
    PgStore::open(&database.url, PgOptions { connections: 8, clock, ..PgOptions::default() }).await.unwrap()
}

async fn open() -> (Arc<dyn Store>, Database) {
    let database = database().await;
    (Arc::new(open_on(&database, Clock::Caller).await), database)
}

conformance::suite!(crate::open);
