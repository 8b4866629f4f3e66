//! The report on deleted data, or on data that would be deleted.

use std::fmt;

use clipmill_store::retention::ExpiredCounts;
use serde::Serialize;

use crate::observe::metric;

/// A number of rows or files, and the bytes of the files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Amount {
    pub count: u64,
    pub bytes: u64,
}

impl Amount {
    pub fn add(&mut self, count: u64, bytes: u64) {
        self.count += count;
        self.bytes += bytes;
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Whether this process handled the shared data.
    pub shared: bool,
    /// Outputs whose files were deleted, covers included.
    pub results: Amount,
    /// Uploads as users see them; their files are counted as inputs.
    pub uploads: Amount,
    pub tasks: Amount,
    /// Rows of segments that no task refers to.
    pub segments: Amount,
    /// Attempts at callbacks.
    pub attempts: Amount,
    /// Requests of tasks that delivered nothing.
    pub requests: Amount,
    /// Uploaded and fetched files.
    pub inputs: Amount,
    /// Files without a row.
    pub orphans: Amount,
}

impl Default for Report {
    fn default() -> Self {
        let none = Amount::default();
        Self {
            shared: true,
            results: none,
            uploads: none,
            tasks: none,
            segments: none,
            attempts: none,
            requests: none,
            inputs: none,
            orphans: none,
        }
    }
}

impl Report {
    /// The amounts with their names for people and metrics, in order.
    pub fn amounts(&self) -> [(&'static str, Amount); 8] {
        [
            ("results", self.results),
            ("uploads", self.uploads),
            ("tasks", self.tasks),
            ("segments", self.segments),
            ("attempts", self.attempts),
            ("requests", self.requests),
            ("inputs", self.inputs),
            ("orphans", self.orphans),
        ]
    }

    pub fn is_empty(&self) -> bool {
        self.amounts().iter().all(|(_, amount)| *amount == Amount::default())
    }

    pub(super) fn count(&mut self, expired: &ExpiredCounts) {
        self.results.add(expired.results, expired.result_bytes);
        self.uploads.add(expired.uploads, 0);
        self.tasks.add(expired.tasks, 0);
        self.segments.add(expired.segments, 0);
        self.attempts.add(expired.attempts, 0);
        self.requests.add(expired.requests, 0);
    }

    /// Adds the removed amounts to the metrics.
    pub(super) fn observe(&self) {
        for (what, amount) in self.amounts() {
            metric::count(metric::REMOVED, &[("what", what)], amount.count);
            metric::count(metric::REMOVED_BYTES, &[("what", what)], amount.bytes);
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let amounts = self.amounts().into_iter().filter(|(_, amount)| *amount != Amount::default());
        for (n, (what, amount)) in amounts.enumerate() {
            let comma = if n == 0 { "" } else { ", " };
            write!(f, "{comma}{} {what}", amount.count)?;
            if amount.bytes > 0 {
                write!(f, " ({} bytes)", amount.bytes)?;
            }
        }
        Ok(())
    }
}
