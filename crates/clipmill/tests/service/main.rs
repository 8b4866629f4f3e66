//! The service as a client meets it: the real program, real clips, the HTTP API, and what happens when it is
//! killed.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "these are tests")]

mod accounts;
mod callbacks;
mod cancelling;
mod crash;
mod disk;
mod failures;
mod harness;
mod hostile;
mod retries;
mod sharing;
mod tasks;
