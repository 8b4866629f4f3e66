//! The units of work, written once for both databases.
//!
//! The statements are the same text on SQLite and on PostgreSQL, so this folder is compiled twice: each database's
//! module includes it and adds its own `dialect`, which defines the kind of connection of a unit, the rows it locks,
//! and how work is claimed. Nothing else differs.

use super::dialect;

mod account;
mod methods;
mod money;
pub(super) mod reports;
pub mod rows;
pub(super) mod states;
mod task;
pub(super) mod unit;
pub mod upkeep;
mod work;

use account::{keys, quotas, secrets, uploads, users};
use money::{audit, ledger, records};
use task::{bodies, cancel, deliveries, list, naming, outputs, preflight, submit, tasks};
use work::{assemble, claim, completions, expired_leases, failures, fallback, lease, queue, segments};
