//! Tasks, work, ledger and outbox: the only crate that knows SQL.
//!
//! Callers see one trait, [`Store`], and plain records. Each method is one unit of work in one
//! transaction: a state never changes without its ledger entry and its event. Every write made on behalf
//! of a worker carries the [`Lease`] it was given and changes nothing once that lease is lost.
//! Moments come in as milliseconds since 1970; nothing here asks this machine's clock. On PostgreSQL the
//! database's clock counts instead, see [`Store::now`].

pub mod backup;
mod batches;
mod batching;
mod body;
mod clock;
mod connection;
mod delivery;
mod error;
mod from_row;
mod key;
mod latency;
mod library;
pub mod metrics;
mod migrations;
pub mod model;
mod operating;
#[cfg(feature = "postgres")]
pub mod postgres;
mod queue;
pub mod reading;
pub mod retention;
pub mod secrets;
mod shares;
mod shelf;
mod signals;
pub mod sqlite;
mod store;
mod templates;
mod together;
mod traces;
pub mod turns;

// Tests in here share helpers with those outside.
#[cfg(test)]
extern crate self as clipmill_store;

pub use backup::{StoredFile, StoredFiles};
pub use batching::Batching;
pub use body::{Body, KeptRequest};
pub use error::{StoreError, StoreResult};
pub use latency::LATENCY;
pub use metrics::Metrics;
pub use model::*;
pub use operating::{Deduction, FailureCause, OpenWork, Operating, Usage, UsageSum};
pub use retention::Retention;
pub use secrets::{Installation, LinkSecret};
pub use shelf::Shelf;
pub use signals::Signal;
pub use store::Store;
pub use traces::Traces;
