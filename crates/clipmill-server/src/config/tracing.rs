//! Traces of single tasks through the service.

use super::ConfigError;

section! {
    /// Traces (OpenTelemetry): one for each task, from its submission to its callback.
    Tracing = "tracing" {
        /// Where traces are sent by OTLP over HTTP, e.g. `http://127.0.0.1:4318`; without a path, `/v1/traces` is
        /// meant. When not set, no traces are taken.
        otlp_endpoint: Option<String> = None;
        /// Headers sent along, for collectors that ask for a key: `name=value`, several with commas.
        otlp_headers: Vec<String> = Vec::new();
        /// How many of 100 traces that begin here are taken. A caller's `traceparent` decides for its own.
        sample: u32 = 100;
        /// What the service is called in traces.
        service_name: String = "clipmill".to_owned();
    }
}

impl Tracing {
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let wrong = |name: &str, message: &str| {
            Err(ConfigError::Value { name: format!("tracing.{name}"), message: message.to_owned() })
        };
        if let Some(endpoint) = &self.otlp_endpoint
            && !url::Url::parse(endpoint).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
        {
            return wrong("otlp_endpoint", "an address that begins with http:// or https://");
        }
        if self.sample > 100 {
            return wrong("sample", "at most 100");
        }
        if self.otlp_headers.iter().any(|header| !header.contains('=')) {
            return wrong("otlp_headers", "each is name=value");
        }
        Ok(())
    }
}
