//! Observation: metrics for Prometheus, traces for OpenTelemetry, logs for people and programs.
//!
//! Metrics are counted where things happen, under the names of [`metric`]; what the store knows is read when somebody scrapes
//! (`collect`). No metric is labelled by task or user, so the number of series does not grow with use.

pub(crate) mod collect;
pub mod log;
pub mod metric;
pub mod traces;
