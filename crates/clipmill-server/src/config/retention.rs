//! Retention periods.

use super::ConfigError;
use super::units::Span;

section! {
    /// Retention periods, and how often expired data is deleted. `clipmill gc --dry-run` lists what would be deleted
    /// now.
    Retention = "retention" {
        /// How long an output can be downloaded after its delivery. A change applies to outputs delivered from then on.
        results: Span = Span::days(7);
        /// How long uploads and fetched files are kept after their last use by a task; at least `1h`. Files of open
        /// tasks are kept.
        inputs: Span = Span::days(7);
        /// How long a task is kept after its end, with its `clientTaskId`, items and callback; its files are deleted
        /// with it at the latest. The ledger is kept indefinitely.
        tasks: Span = Span::days(90);
        /// How long callback attempts stay in the log of a task; the last attempt is kept as long as the task.
        deliveries: Span = Span::days(30);
        /// Minimum age of files without a database record before they are deleted; at least `1h`.
        orphans: Span = Span::days(1);
        /// How often retention runs; one process at a time.
        every: Span = Span::seconds(600);
    }
}

impl Retention {
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let hour = Span::seconds(3_600);
        let floors = [
            ("inputs", self.inputs, hour),
            ("orphans", self.orphans, hour),
            ("every", self.every, Span::seconds(1)),
        ];
        for (name, span, min) in floors {
            if span < min {
                let message = format!("at least {min}");
                return Err(ConfigError::Value { name: format!("retention.{name}"), message });
            }
        }
        Ok(())
    }
}
