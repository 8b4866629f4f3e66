//! Downloading inputs.

use std::num::NonZeroUsize;

use super::units::{ByteSize, Network, Ports, Span};

const SLOTS: NonZeroUsize = match NonZeroUsize::new(16) {
    Some(slots) => slots,
    None => NonZeroUsize::MIN,
};

section! {
    /// Downloading inputs.
    Fetch = "fetch" {
        /// Networks that inputs may be fetched from and callbacks sent to although they are private, loopback or
        /// otherwise refused, e.g. `["10.0.0.0/8"]`.
        allow_networks: Vec<Network> = Vec::new();
        /// Ports that inputs may be fetched from and callbacks sent to: a list, or `*` for all.
        allow_ports: Ports = Ports::Only(vec![80, 443]);
        /// Maximum size of an input, measured by the bytes received.
        max_size: ByteSize = ByteSize(2 << 30);
        /// Time limit for one input. A download that is too slow to meet it is aborted early.
        timeout: Span = Span::seconds(3600);
        /// Tasks whose inputs are fetched and probed at the same time, in addition to `worker.slots`, so that waiting
        /// for other servers never blocks rendering.
        slots: NonZeroUsize = SLOTS;
        /// Maximum of these per user; 0 means no limit.
        slots_per_user: u32 = 4;
    }
}
