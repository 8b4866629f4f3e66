//! Traces of single tasks through the service.

use std::collections::HashMap;

use axum::http::{HeaderName, HeaderValue};

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
        if self.service_name.trim().is_empty() {
            return wrong("service_name", "must not be empty");
        }
        self.headers().map(|_| ())
    }

    /// Names and values of `otlp_headers`.
    pub fn headers(&self) -> Result<HashMap<String, String>, ConfigError> {
        let mut headers = HashMap::new();
        for (index, entry) in self.otlp_headers.iter().enumerate() {
            // The message has the position of the entry, because any part of its text may be a secret.
            let wrong = |message: &str| ConfigError::Value {
                name: "tracing.otlp_headers".to_owned(),
                message: format!("entry {}: {message}", index + 1),
            };
            let (name, value) = entry.split_once('=').ok_or_else(|| wrong("must be name=value"))?;
            let name = name.trim().parse::<HeaderName>();
            let name = name.map_err(|_| wrong("the name is not valid in an HTTP header"))?;
            let value = value.trim();
            HeaderValue::from_str(value).map_err(|_| wrong("the value is not valid in an HTTP header"))?;
            if headers.insert(name.to_string(), value.to_owned()).is_some() {
                return Err(wrong("a header of this name is already set"));
            }
        }
        Ok(headers)
    }
}
