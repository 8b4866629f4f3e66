//! Tasks, work, ledger and outbox: the only crate that knows SQL.
//!
//! Callers see one trait, [`Store`], and plain records. Each method is one unit of work in one transaction: a state
//! never changes without its ledger entry and its event. Every write on behalf of a worker carries its [`Lease`] and
//! changes nothing once that lease is lost. Times are passed in as milliseconds since 1970; this crate never reads
//! this machine's clock. On PostgreSQL the database's clock counts instead, see [`Store::now`].

pub mod backup;
mod batch_records;
mod batch_store;
mod batcher;
mod body;
mod clock;
mod connection;
mod delivery;
mod error;
pub mod fair_semaphore;
mod from_row;
mod key;
mod latency;
mod library;
pub mod metrics;
mod migrations;
pub mod model;
mod operations;
#[cfg(feature = "postgres")]
pub mod postgres;
mod queue;
pub mod read_limits;
pub mod retention;
pub mod secrets;
mod shares;
mod signals;
pub mod sqlite;
mod store;
mod templates;
mod traces;
mod user_content;

// Unit tests share helpers with the integration tests.
#[cfg(test)]
extern crate self as clipmill_store;

pub use backup::{StoredFile, StoredFiles};
pub use batch_store::BatchStore;
pub use body::{Body, StoredRequest};
pub use error::{StoreError, StoreResult};
pub use latency::LATENCY;
pub use metrics::Metrics;
pub use model::*;
pub use operations::{Deduction, FailureCause, OpenWork, OperationsStore, Usage, UsageSum};
pub use retention::Retention;
pub use secrets::{Installation, LinkSecret};
pub use signals::Signal;
pub use store::Store;
pub use traces::Traces;
pub use user_content::UserContentStore;
