//! The service on many machines, as real processes on a real database and a real bucket, and everything that may
//! break there. `make chaos` carries out the whole table of faults at random moments, `make test` a part of it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "these are tests")]

mod checks;
mod clocks;
mod cluster;
mod dice;
mod gate;
#[allow(dead_code, reason = "shared with the tests of one process")]
#[path = "../service/harness.rs"]
mod harness;
#[path = "../support/http.rs"]
mod http;
mod kills;
mod member;
mod news;
mod outages;
#[path = "../../../clipmill-store/tests/support/postgres_server.rs"]
mod postgres_server;
#[path = "../../../clipmill-blobs/tests/support/s3_server.rs"]
mod s3_server;
#[path = "../support/skipped.rs"]
mod skipped;
mod spread;
mod stops;
mod storm;
mod table;
mod workers;
mod world;
