//! Figures for monitoring.

use std::net::SocketAddr;

section! {
    /// Figures for monitoring.
    Metrics = "metrics" {
        /// Address and port that serve `/metrics`; when not set, none does.
        listen: Option<SocketAddr> = None;
    }
}
