//! Starts the log: text for people, JSON for programs, and traces if they are configured.

use std::io::IsTerminal;

use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use super::traces::Traces;
use crate::config::LogFormat;

/// Settings of the log.
pub struct LogSettings<'a> {
    pub format: LogFormat,
    /// Used unless the variable `CLIPMILL_LOG` is set.
    pub filter: &'a str,
}

/// Logs go to stderr, because stdout is for results. An invalid filter is reported and replaced.
pub fn start(settings: &LogSettings<'_>, traces: Option<&Traces>) {
    let (filter, complaint) = filter(settings.filter);
    let output = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let lines = match settings.format {
        // The IDs of request, task and item are fields of spans, and each log line contains them.
        LogFormat::Json => {
            output.json().flatten_event(true).with_current_span(false).with_span_list(true).boxed()
        }
        LogFormat::Text => output.with_ansi(std::io::stderr().is_terminal() && !no_color()).boxed(),
    };
    let registry = tracing_subscriber::registry().with(lines.with_filter(filter));
    // If several services run in one process (tests), only the first one's settings apply.
    let _ = registry.with(traces.map(Traces::layer)).try_init();
    if let Some(complaint) = complaint {
        tracing::warn!("{complaint}");
    }
}

fn no_color() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// The library would log several lines for each message of an agent. The configured filter is applied after this one.
const FILTER: &str = "rmcp=error";

fn filter(configured: &str) -> (EnvFilter, Option<String>) {
    let directives = std::env::var("CLIPMILL_LOG").ok().filter(|text| !text.is_empty());
    let directives = directives.as_deref().unwrap_or(configured);
    match EnvFilter::try_new(format!("{FILTER},{directives}")) {
        Ok(filter) => (filter, None),
        Err(error) => {
            (EnvFilter::new("info"), Some(format!("`{directives}` is not a valid log filter: {error}")))
        }
    }
}
