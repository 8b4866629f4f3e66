//! Metrics for monitoring.

use std::net::SocketAddr;

section! {
    /// Metrics for monitoring.
    Metrics = "metrics" {
        /// Address and port that serve `/metrics` for Prometheus, e.g. `127.0.0.1:9090`, apart from the API. Keep it
        /// out of clients' reach: it asks for no key. When not set, nothing serves them.
        listen: Option<SocketAddr> = None;
        /// The same for `clipmill worker`, so that it can run beside `clipmill serve` with the same configuration, e.g.
        /// `127.0.0.1:9465`. When not set, workers use `metrics.listen`.
        worker_listen: Option<SocketAddr> = None;
    }
}

impl Metrics {
    /// Where `clipmill worker` serves its metrics.
    pub fn of_worker(&self) -> Option<SocketAddr> {
        self.worker_listen.or(self.listen)
    }
}
