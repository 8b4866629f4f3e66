//! Signals that wake tasks waiting for a change. A missed signal loses nothing, because every process also polls.

use tokio::sync::watch;

/// The changes to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Leases may have been revoked.
    Interrupted,
    /// Work or events may be ready to be claimed.
    Ready,
    /// States of tasks may have changed.
    Changed,
}

impl Signal {
    pub const ALL: [Self; 3] = [Self::Interrupted, Self::Ready, Self::Changed];
}

/// Cheap to clone: all clones send to the same receivers.
#[derive(Clone, Default)]
pub struct Signals {
    senders: [watch::Sender<u64>; 3],
}

impl Signals {
    pub fn send(&self, signal: Signal) {
        self.sender(signal).send_modify(|count| *count = count.wrapping_add(1));
    }

    pub fn subscribe(&self, signal: Signal) -> watch::Receiver<u64> {
        self.sender(signal).subscribe()
    }

    fn sender(&self, signal: Signal) -> &watch::Sender<u64> {
        let [interrupted, ready, changed] = &self.senders;
        match signal {
            Signal::Interrupted => interrupted,
            Signal::Ready => ready,
            Signal::Changed => changed,
        }
    }
}
