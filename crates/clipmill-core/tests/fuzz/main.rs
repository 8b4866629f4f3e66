//! Hostile bytes for everything that reads bytes of clients: samples of what clients send, damaged at random. Nothing
//! may panic, and whatever is accepted must be valid.
//!
//! `PROPTEST_CASES=1000000 cargo test -p clipmill-core --test fuzz` runs for long.
//! `make fuzz` runs the same checks under a fuzzer that sees which code a change reaches.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "these are tests")]

mod captions;
mod check {
    pub mod captions;
    pub mod requests;
}
mod mutate;
mod requests;
