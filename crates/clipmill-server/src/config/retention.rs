//! How long things are kept.

use super::units::Span;

section! {
    /// How long things are kept.
    Retention = "retention" {
        /// How long a finished output can be downloaded, counted from its delivery. The file itself is not deleted
        /// yet. A change counts for outputs delivered from then on.
        results: Span = Span::days(7);
        /// Not used yet: nothing is deleted. Meant for uploads and fetched inputs, since they were last used.
        inputs: Span = Span::days(7);
        /// Not used yet: nothing is deleted. Meant for tasks, and with them their `clientTaskId`; the ledger is
        /// kept for ever.
        tasks: Span = Span::days(90);
    }
}
