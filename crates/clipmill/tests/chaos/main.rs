//! The service on many machines, as real processes on a real database and a real bucket, and everything that may
//! break there. `make chaos` carries out the whole table of faults at random moments, `make test` a part of it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "these are tests")]

mod checks;
mod client_host;
mod clocks;
mod cluster;
mod distribution;
mod fault_proxy;
#[allow(dead_code, reason = "shared with the tests of one process")]
#[path = "../service/harness.rs"]
mod harness;
#[path = "../support/http.rs"]
mod http;
mod kills;
mod node;
mod notifications;
mod outages;
#[path = "../../../clipmill-store/tests/support/postgres_server.rs"]
mod postgres_server;
mod random_kills;
mod rng;
#[path = "../../../clipmill-blobs/tests/support/s3_server.rs"]
mod s3_server;
#[path = "../support/skipped.rs"]
mod skipped;
mod stops;
mod table;
mod workers;
