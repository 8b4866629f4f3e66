//! How long things are kept.

use super::units::Span;

section! {
    /// How long things are kept.
    Retention = "retention" {
        /// Finished output files.
        results: Span = Span::days(7);
        /// Uploads and fetched inputs, since they were last used.
        inputs: Span = Span::days(7);
        /// Tasks, and with them their `clientTaskId`. The ledger is kept for ever.
        tasks: Span = Span::days(90);
    }
}
