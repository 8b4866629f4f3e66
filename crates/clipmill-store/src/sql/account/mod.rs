//! Users: their keys, quotas and uploads.

pub mod keys;
pub mod library;
pub mod operations;
pub mod quotas;
pub mod secrets;
pub mod shares;
pub mod templates;
pub mod uploads;
pub mod usage;
mod user_content;
pub mod users;
