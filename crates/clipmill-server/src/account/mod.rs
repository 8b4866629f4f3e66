//! Users and their keys.

pub(crate) mod key_uses;
pub mod keys;
pub mod users;
