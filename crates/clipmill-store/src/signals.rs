//! Nudges to whoever waits for something to change. Nothing is lost by missing one: all look now and then.

use tokio::sync::watch;

/// What others may be waiting for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Leases may have been taken from their holders.
    Interrupted,
    /// Work or events may be ready to be claimed.
    Ready,
    /// Tasks may stand differently.
    Changed,
}

impl Signal {
    pub const ALL: [Self; 3] = [Self::Interrupted, Self::Ready, Self::Changed];
}

/// Cheap to clone: all clones nudge the same.
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
