//! `/metrics`, on an address of its own.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use clipmill_media::cache::disk::Disk;
use clipmill_store::Store;
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector as Process;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::http::{self, HttpLimits};
use crate::observe::collect::Collector;
use crate::observe::metric;

/// How often the recorder compacts its data.
const UPKEEP: Duration = Duration::from_secs(5);
/// The most connections; few scrapers are needed.
const MAX_CONNECTIONS: usize = 64;

#[derive(Debug, thiserror::Error)]
pub enum MetricsError {
    #[error("metrics cannot be recorded: {0}")]
    Recorder(#[from] BuildError),
    #[error(
        "cannot listen for metrics on {address}: {cause}; choose another metrics.listen, or for a worker \
             beside `clipmill serve` another metrics.worker_listen"
    )]
    Listen { address: SocketAddr, cause: std::io::Error },
}

/// Holds all metrics of this process. It is created once, before anything is counted.
pub struct Recorder {
    handle: PrometheusHandle,
}

struct Page {
    handle: PrometheusHandle,
    collector: Collector,
    process: Process,
}

impl Recorder {
    /// Installs this as the recorder of the process.
    pub fn install() -> Result<Self, MetricsError> {
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), metric::SECONDS)?
            .set_buckets_for_metric(Matcher::Full(metric::RENDER_SPEED.into()), metric::SPEEDS)?
            .build_recorder();
        let handle = recorder.handle();
        // Another recorder exists only in tests that start several services in one process.
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("metrics are already recorded elsewhere; these remain empty");
        }
        metric::describe();
        Ok(Self { handle })
    }

    /// Serves the metrics until `stop`; returns the address that was bound.
    pub async fn serve(
        self,
        address: SocketAddr,
        store: Arc<dyn Store>,
        disk: Disk,
        stop: CancellationToken,
    ) -> Result<SocketAddr, MetricsError> {
        let listen = |cause| MetricsError::Listen { address, cause };
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        let bound = listener.local_addr().map_err(listen)?;
        let process = Process::default();
        process.describe();
        let page = Page { handle: self.handle, collector: Collector::new(store, disk), process };
        tokio::spawn(tidy(page.handle.clone(), stop.clone()));
        let router = Router::new().route("/metrics", get(metrics)).with_state(Arc::new(page));
        tokio::spawn(http::serve(listener, router, stop, limits()));
        Ok(bound)
    }
}

fn limits() -> HttpLimits {
    let short = Duration::from_secs(10);
    HttpLimits {
        header_timeout: short,
        stall_timeout: short,
        max_connections: MAX_CONNECTIONS,
        drain_timeout: Duration::from_secs(1),
    }
}

async fn metrics(State(page): State<Arc<Page>>) -> impl IntoResponse {
    page.collector.collect().await;
    page.process.collect();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], page.handle.render())
}

/// Without this, histograms would keep every observation until the next scrape.
async fn tidy(handle: PrometheusHandle, stop: CancellationToken) {
    while stop.run_until_cancelled(tokio::time::sleep(UPKEEP)).await.is_some() {
        handle.run_upkeep();
    }
}
