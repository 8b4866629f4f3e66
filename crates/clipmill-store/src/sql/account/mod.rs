//! Users: their keys, quotas and uploads.

pub mod keys;
pub mod library;
pub mod quotas;
pub mod shares;
mod shelf;
pub mod templates;
pub mod uploads;
pub mod users;
