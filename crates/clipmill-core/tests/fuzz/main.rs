//! Hostile bytes for all code that reads bytes of clients: samples of client data, damaged at random. Nothing may
//! panic, and all accepted data must be valid.
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
