//! Users: their keys, quotas and uploads.

pub mod keys;
pub mod quotas;
pub mod uploads;
pub mod users;
