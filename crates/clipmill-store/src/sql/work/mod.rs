//! The queue: waiting work, its leases, and its end.

pub mod assemble;
pub mod claim;
pub mod completions;
pub mod expired_leases;
pub mod failures;
pub mod fallback;
pub mod lease;
pub mod progress;
pub mod queue;
pub mod segments;
pub mod stage;
