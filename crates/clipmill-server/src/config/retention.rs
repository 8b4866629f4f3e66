//! How long things are kept.

use super::ConfigError;
use super::units::Span;

section! {
    /// How long things are kept, and how often what has had its time is deleted. `clipmill gc --dry-run` says what
    /// would go now.
    Retention = "retention" {
        /// How long a finished output is kept and can be downloaded, counted from its delivery. A change counts for
        /// outputs delivered from then on.
        results: Span = Span::days(7);
        /// How long uploads and fetched files are kept since a task used them last; at least `1h`. Files of open
        /// tasks stay.
        inputs: Span = Span::days(7);
        /// How long a task is kept after its end, and with it its `clientTaskId`, items and callback; its files go
        /// with it at the latest. The ledger is kept for ever.
        tasks: Span = Span::days(90);
        /// How long attempts at callbacks stay in the log of a task; the last one of each stays as long as the task.
        deliveries: Span = Span::days(30);
        /// How old a file that the database does not know must be before it is deleted; at least `1h`.
        orphans: Span = Span::days(1);
        /// How often retention runs; one process does it at a time.
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
        for (name, span, least) in floors {
            if span < least {
                let message = format!("at least {least}");
                return Err(ConfigError::Value { name: format!("retention.{name}"), message });
            }
        }
        Ok(())
    }
}
