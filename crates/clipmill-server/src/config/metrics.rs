//! Figures for monitoring.

use std::net::SocketAddr;

section! {
    /// Figures for monitoring.
    Metrics = "metrics" {
        /// Not used yet: nothing serves `/metrics`. Meant to be the address and port that do.
        listen: Option<SocketAddr> = None;
    }
}
