//! Work beside tasks: retention, metrics, traces, counts that one process makes for all.

pub mod chores;
pub mod metrics;
pub mod retention;
pub mod shared;
pub mod traces;
