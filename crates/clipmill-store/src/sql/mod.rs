//! The units of work, written once for both databases.
//!
//! The statements are the same text on SQLite and on PostgreSQL, so this folder is compiled twice: each
//! database's module includes it and puts its own `dialect` beside it, which says what kind of connection a
//! unit gets, which rows it locks, and how work is claimed. Nothing else differs.

use super::dialect;

mod audit;
mod cancel;
mod claim;
mod deliveries;
mod ending;
mod failing;
mod figures;
mod finish;
mod holds;
mod keys;
mod lease;
mod ledger;
mod methods;
mod preflight;
mod progress;
mod queue;
mod quotas;
mod records;
mod remake;
mod rescue;
pub mod retention;
pub mod rows;
mod segments;
mod stage;
mod submit;
mod tasks;
mod traces;
mod unit;
mod upkeep;
mod uploads;
mod users;
