//! Observation: metrics for Prometheus, traces for OpenTelemetry, logs for people and programs. Metrics are counted
//! at their source, under the names of [`metric`]; values from the store are read when a scraper asks (`collect`). No
//! metric is labelled by task or user, so the number of series does not grow with use.

pub(crate) mod collect;
pub mod log;
pub mod metric;
pub mod traces;
