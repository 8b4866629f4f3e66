//! Encoders of graphics devices: found by a trial when the service starts, used through a pipe.
//!
//! Nothing is believed about them. What a device made is checked like everything else; what it cannot do, or not
//! well, is [`FallBack`](crate::segment::failure::SegmentError::FallBack), and whoever asked has the whole output made by libx264. One that fails again
//! and again is not planned with any more.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use clipmill_core::encoding::Encoder;

mod find;
mod trial;

/// So many failures one after the other, and a device is left alone until the next start.
const PATIENCE: u32 = 3;

/// A device that passed the trial.
#[derive(Debug, Clone)]
pub struct Hardware {
    pub encoder: Encoder,
    /// Its render node, where the encoder wants one named.
    pub node: Option<PathBuf>,
    pub(crate) devices: Vec<PathBuf>,
    failures: Arc<AtomicU32>,
}

/// An encoder that did not pass, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub encoder: Encoder,
    pub reason: String,
}

impl Hardware {
    /// Whether it is worth planning with.
    pub fn is_well(&self) -> bool {
        self.failures.load(Ordering::Relaxed) < PATIENCE
    }

    pub(crate) fn note(&self, failed: bool) {
        if !failed {
            self.failures.store(0, Ordering::Relaxed);
        } else if self.failures.fetch_add(1, Ordering::Relaxed) + 1 == PATIENCE {
            let encoder = self.encoder.as_str();
            tracing::error!(
                encoder,
                "the encoder failed again and again; libx264 is used until the next start"
            );
        }
    }
}
