//! Downloading of inputs.

use std::num::NonZeroUsize;

use super::units::{ByteSize, Network, Ports, Span};

const SLOTS: NonZeroUsize = match NonZeroUsize::new(16) {
    Some(slots) => slots,
    None => NonZeroUsize::MIN,
};

section! {
    /// Downloading of inputs.
    Fetch = "fetch" {
        /// Networks that inputs may be fetched from and callbacks sent to, although they are private, loopback or
        /// otherwise refused, e.g. `["10.0.0.0/8"]`.
        allow_networks: Vec<Network> = Vec::new();
        /// Ports that inputs may be fetched from and callbacks sent to: a list, or `*` for all.
        allow_ports: Ports = Ports::Only(vec![80, 443]);
        /// Largest input, counted on the bytes that really came.
        max_size: ByteSize = ByteSize(2 << 30);
        /// Longest time for one input. One that is too slow to be there by then is given up as soon as that shows.
        timeout: Span = Span::seconds(3600);
        /// Tasks whose inputs are fetched and probed at the same time, beside `worker.slots`: waiting for other
        /// servers keeps nobody from rendering.
        slots: NonZeroUsize = SLOTS;
        /// How many of these one user may have; 0 means no limit.
        slots_per_user: u32 = 4;
    }
}
