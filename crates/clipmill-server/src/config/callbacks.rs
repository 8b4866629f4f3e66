//! Delivery of callbacks.

use super::ConfigError;
use super::units::{ByteSize, Span};

section! {
    /// Delivery of callbacks. Addresses and ports are checked as for inputs, by `fetch.allow_networks` and
    /// `fetch.allow_ports`.
    Callbacks = "callbacks" {
        /// Wait before each attempt, counted from the end of the previous attempt. The number of entries is the
        /// number of attempts.
        schedule: Vec<Span> = vec![
            Span::seconds(0),
            Span::seconds(5),
            Span::seconds(300),
            Span::seconds(1_800),
            Span::seconds(7_200),
            Span::seconds(18_000),
            Span::seconds(36_000),
            Span::seconds(50_400),
            Span::seconds(72_000),
            Span::seconds(86_400),
        ];
        /// Random extension of every wait, at most this many percent, so that retries do not arrive all at once.
        jitter: u32 = 10;
        /// Time limit for the receiver's response.
        timeout: Span = Span::seconds(15);
        /// How much of the response is read before the connection is closed.
        max_answer: ByteSize = ByteSize(64 << 10);
        /// Maximum concurrent callbacks; at most half of them for one user.
        slots: u32 = 16;
        /// How long a replaced secret remains valid beside the new one.
        secret_overlap: Span = Span::seconds(86_400);
    }
}

impl Callbacks {
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let wrong = |name: &str, message: &str| {
            Err(ConfigError::Value { name: format!("callbacks.{name}"), message: message.to_owned() })
        };
        if self.schedule.is_empty() {
            return wrong("schedule", "at least one entry, or nothing would ever be sent");
        }
        if self.jitter > 100 {
            return wrong("jitter", "at most 100");
        }
        if self.timeout.get().is_zero() {
            return wrong("timeout", "above 0");
        }
        if self.slots == 0 {
            return wrong("slots", "at least 1");
        }
        Ok(())
    }
}
