//! Observation: metrics for Prometheus, traces for OpenTelemetry, logs for people and programs.
//!
//! Metrics are counted where things happen, under the names of [`metric`]; what the store knows is asked for
//! when somebody looks (`collect`). Nothing is labelled by task or user: the number of series does not grow
//! with use.

mod collect;
mod listener;
pub mod log;
pub mod metric;
pub mod traces;

pub use listener::{MetricsError, Recorder};
