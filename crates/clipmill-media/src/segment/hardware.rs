//! Encoders of graphics devices: found by a trial when the service starts, used through a pipe.
//!
//! Devices are not trusted. Their output is checked like everything else; work that they cannot do, or not well, is
//! [`FallBack`](crate::failure::SegmentError::FallBack), and the whole output is encoded by libx264. A device
//! that fails repeatedly is no longer used for planning.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use clipmill_core::encoding::Encoder;

mod find;
mod trial;

/// After this many failures in a row a device is not used until the next start.
const MAX_FAILURES: u32 = 3;

/// A device that passed the trial.
#[derive(Debug, Clone)]
pub struct Hardware {
    pub encoder: Encoder,
    /// Its render node, if the encoder needs one.
    pub node: Option<PathBuf>,
    pub(crate) devices: Vec<PathBuf>,
    failures: Arc<AtomicU32>,
}

/// An encoder that did not pass the trial, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncoderRefusal {
    pub encoder: Encoder,
    pub reason: String,
}

impl Hardware {
    /// Whether outputs should be planned with it.
    pub fn is_well(&self) -> bool {
        self.failures.load(Ordering::Relaxed) < MAX_FAILURES
    }

    pub(crate) fn record(&self, failed: bool) {
        if !failed {
            self.failures.store(0, Ordering::Relaxed);
        } else if self.failures.fetch_add(1, Ordering::Relaxed) + 1 == MAX_FAILURES {
            let encoder = self.encoder.as_str();
            tracing::error!(
                encoder,
                "the encoder failed again and again; libx264 is used until the next start"
            );
        }
    }
}
