//! Upkeep: retention, metrics, traces, counts that one process makes for all.

pub mod metrics;
pub mod operator_tools;
pub mod retention;
pub mod shared_count;
pub mod traces;
