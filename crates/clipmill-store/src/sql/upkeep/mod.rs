//! Work beside tasks: retention, metrics, traces.

pub mod chores;
pub mod metrics;
pub mod retention;
pub mod traces;
