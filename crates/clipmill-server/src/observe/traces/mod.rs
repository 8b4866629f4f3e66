//! Traces: one for each task, from its submission to its callback. They need the feature `opentelemetry`.

#[cfg(not(feature = "opentelemetry"))]
mod disabled;
#[cfg(feature = "opentelemetry")]
mod exporter;

#[cfg(not(feature = "opentelemetry"))]
pub use disabled::{Traces, TracesError, continue_trace, current, is_enabled};
#[cfg(feature = "opentelemetry")]
pub use exporter::{Traces, TracesError, continue_trace, current, is_enabled};
