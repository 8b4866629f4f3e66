//! Downloading of inputs.

use super::units::{ByteSize, Network, Ports};

section! {
    /// Downloading of inputs.
    Fetch = "fetch" {
        /// Networks that inputs may be fetched from although they are private, loopback or otherwise
        /// refused, e.g. `["10.0.0.0/8"]`.
        allow_networks: Vec<Network> = Vec::new();
        /// Ports that inputs may be fetched from: a list, or `*` for all.
        allow_ports: Ports = Ports::Only(vec![80, 443]);
        /// Largest input, counted on the bytes that really came.
        max_size: ByteSize = ByteSize(2 << 30);
    }
}
