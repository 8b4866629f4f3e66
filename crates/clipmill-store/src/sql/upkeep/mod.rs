//! What runs beside tasks: retention, figures for monitoring, traces.

pub mod chores;
pub mod metrics;
pub mod retention;
pub mod traces;
