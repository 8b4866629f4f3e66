//! `make sim`: how far one PostgreSQL server scales. A thousand workers and a million items, without the rendering.
//!
//! Everything that touches the database is the store's own code, called in the same way as by a worker, the API and
//! the sender of callbacks; fetching, rendering and receivers are replaced by sleeping. The database is a private
//! server, removed when the program ends. It is a bench, so that building and testing the service do not include it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a tool of its own")]
#![allow(clippy::disallowed_methods, reason = "it starts a database server")]

#[path = "../../tests/support/postgres_server.rs"]
mod postgres_server;
mod simulation;

use std::path::Path;

use clipmill_store::postgres::PgStore;
use postgres_server::Server;
use simulation::{Settings, report};

/// The settings of a dedicated server, except for its size: every commit reaches the disk.
const SERVER: &str = "-c fsync=on -c synchronous_commit=on -c full_page_writes=on -c shared_buffers=2GB \
    -c max_wal_size=8GB -c checkpoint_timeout=15min -c wal_compression=on -c effective_cache_size=8GB \
    -c random_page_cost=1.1 -c maintenance_work_mem=256MB -c shared_preload_libraries=pg_stat_statements \
    -c track_io_timing=on";

#[tokio::main]
async fn main() {
    let settings = Settings::from_environment();
    let max = settings.most_connections();
    let server: &'static Server =
        Box::leak(Box::new(Server::start(&format!("{SERVER} -c max_connections={max}"))));
    server.run("postgres", "CREATE DATABASE sim");
    let url = server.url("sim");
    PgStore::migrate(&url).await.expect("the schema");
    let findings = simulation::run(&url, settings).await;
    let text = report::text(&findings);
    println!("\n{text}");
    if let Some(file) = std::env::var_os("WRITE") {
        // The program runs in its crate's folder; callers expect the repository's.
        report::write(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file), &text);
    }
    let wrong = &findings.wrong;
    assert!(wrong.is_empty(), "promises broken:\n{}", wrong.join("\n"));
}
