//! Metrics for monitoring.

use std::net::SocketAddr;

section! {
    /// Metrics for monitoring.
    Metrics = "metrics" {
        /// Address and port that serve `/metrics` for Prometheus, e.g. `127.0.0.1:9090`, apart from the API. Keep it
        /// out of clients' reach: it asks for no key. When not set, nothing serves them.
        listen: Option<SocketAddr> = None;
    }
}
