//! Hostile bytes against everything that reads a client's: samples of what clients send, torn apart at
//! random. Nothing may panic, and what is accepted keeps its promises.
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
