//! Traces (OpenTelemetry): one for each task, from its submission to its callback.
//!
//! The trace context of a submission is stored with the task; work on it and callbacks continue the same trace. If
//! tracing is off, all of this costs nothing.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Duration;

use async_trait::async_trait;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::{TraceContextExt, TracerProvider};
use opentelemetry::{Context, KeyValue};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{ExporterBuildError, Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use tracing::{Level, Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

use crate::config::{ConfigError, Tracing};

const TRACEPARENT: &str = "traceparent";
/// Spans are lost if a collector takes longer.
const TIMEOUT: Duration = Duration::from_secs(10);

static TAKEN: OnceLock<()> = OnceLock::new();

#[derive(Debug, thiserror::Error)]
pub enum TracesError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("traces cannot be sent: {0}")]
    Exporter(#[from] ExporterBuildError),
    #[error("traces cannot be sent: {0}")]
    Client(#[from] reqwest::Error),
    #[error("traces cannot be sent: {0}")]
    Runtime(#[from] std::io::Error),
}

/// Collects and sends traces while it exists.
pub struct Traces {
    provider: SdkTracerProvider,
}

impl Traces {
    /// `None` if no collector is configured.
    pub fn start(config: &Tracing) -> Result<Option<Self>, TracesError> {
        let Some(endpoint) = &config.otlp_endpoint else { return Ok(None) };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Sender::start()?)
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(address(endpoint))
            .with_timeout(TIMEOUT)
            .with_headers(config.headers()?)
            .build()?;
        let share = f64::from(config.sample) / 100.0;
        let sampler = Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(share)));
        let about = Resource::builder()
            .with_service_name(config.service_name.clone())
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_sampler(sampler)
            .with_resource(about)
            .build();
        let _ = TAKEN.set(());
        Ok(Some(Self { provider }))
    }

    /// Only clipmill's own spans become part of the trace, not those of libraries.
    pub(crate) fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
    {
        let own_targets = Targets::new()
            .with_target("clipmill", Level::INFO)
            .with_target("clipmill_server", Level::INFO)
            .with_target("clipmill_media", Level::INFO);
        tracing_opentelemetry::layer().with_tracer(self.provider.tracer("clipmill")).with_filter(own_targets)
    }

    /// Sends the remaining spans. It waits for the collector, so it must not run on a thread that serves requests.
    pub fn finish(self) {
        if let Err(error) = self.provider.shutdown_with_timeout(TIMEOUT) {
            tracing::warn!(%error, "the last traces could not be sent");
        }
    }
}

/// The current W3C trace context, to be stored with a task; `None` if it is not traced.
pub fn current() -> Option<String> {
    TAKEN.get()?;
    let context = Span::current().context();
    let span = context.span();
    if !span.span_context().is_valid() {
        return None;
    }
    let mut carrier = HashMap::new();
    TraceContextPropagator::new().inject_context(&context, &mut carrier);
    carrier.remove(TRACEPARENT)
}

/// Whether tracing is on.
pub fn is_enabled() -> bool {
    TAKEN.get().is_some()
}

/// Makes the span continue the trace of this context.
pub fn continue_trace(span: &Span, traceparent: Option<&str>) {
    let Some(traceparent) = traceparent.filter(|_| is_enabled()) else { return };
    let carrier = HashMap::from([(TRACEPARENT.to_owned(), traceparent.to_owned())]);
    let context: Context = TraceContextPropagator::new().extract(&carrier);
    // This fails only if tracing is off.
    let _ = span.set_parent(context);
}

/// The URL that spans are sent to; without a path, the standard one of OTLP.
fn address(endpoint: &str) -> String {
    match url::Url::parse(endpoint) {
        Ok(mut url) if matches!(url.path(), "" | "/") => {
            url.set_path("/v1/traces");
            url.to_string()
        }
        _ => endpoint.to_owned(),
    }
}

/// Sends spans over HTTP. The exporter has its own thread without a runtime; its requests run on the service's runtime.
#[derive(Debug)]
struct Sender {
    client: reqwest::Client,
    runtime: tokio::runtime::Handle,
}

impl Sender {
    fn start() -> Result<Self, TracesError> {
        let client = reqwest::Client::builder().timeout(TIMEOUT).redirect(reqwest::redirect::Policy::none());
        let runtime = tokio::runtime::Handle::try_current().map_err(std::io::Error::other)?;
        Ok(Self { client: client.build()?, runtime })
    }
}

#[async_trait]
impl HttpClient for Sender {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (parts, body) = request.into_parts();
        let request = self
            .client
            .request(parts.method, parts.uri.to_string())
            .headers(parts.headers)
            .body(reqwest::Body::from(body));
        let response = self.runtime.spawn(async move {
            let response = request.send().await?;
            let status = response.status();
            Ok::<_, reqwest::Error>((status, response.bytes().await?))
        });
        let (status, body) = response.await??;
        Ok(Response::builder().status(status).body(body)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_sent_to_the_path_of_otlp_unless_the_endpoint_has_one() {
        let check = |endpoint: &str, expected: &str| assert_eq!(address(endpoint), expected);
        check("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces");
        check("http://127.0.0.1:4318/", "http://127.0.0.1:4318/v1/traces");
        check("https://c.example.com?key=a/b", "https://c.example.com/v1/traces?key=a/b");
        check("https://c.example.com/?key=a", "https://c.example.com/v1/traces?key=a");
        check("https://k:p@c.example.com", "https://k:p@c.example.com/v1/traces");
        check("https://c.example.com/own?key=a", "https://c.example.com/own?key=a");
    }
}
