//! Points of the caller.

pub(crate) mod balance;
pub(crate) mod records;
