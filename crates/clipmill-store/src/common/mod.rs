//! What all parts of the store use, compiled once: errors, the clock, signals, pages, limits.

pub(crate) mod batcher;
pub(crate) mod body;
pub(crate) mod clock;
pub(crate) mod connection;
pub(crate) mod error;
pub mod fair_semaphore;
pub(crate) mod from_row;
pub(crate) mod latency;
pub(crate) mod migrations;
pub(crate) mod page;
pub mod read_limits;
pub(crate) mod signals;
