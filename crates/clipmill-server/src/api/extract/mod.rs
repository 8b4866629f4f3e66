//! Shared by handlers: reading bodies and queries, headers, ranges.

pub(crate) mod body;
pub(crate) mod drain_body;
pub(crate) mod headers;
pub(crate) mod query;
pub(crate) mod range;
pub(crate) mod spool;
