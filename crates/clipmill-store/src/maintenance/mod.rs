//! The operation of the service: retention, metrics, traces, reports for operators, the installation's identity.

pub(crate) mod backup;
pub mod installation;
pub mod metrics;
pub(crate) mod operations;
pub mod retention;
pub(crate) mod traces;
