//! Users: their keys, quotas and uploads.

pub mod keys;
pub mod library;
pub mod operating;
pub mod quotas;
pub mod secrets;
pub mod shares;
mod shelf;
pub mod templates;
pub mod uploads;
pub mod usage;
pub mod users;
