//! Duration of a unit of work in the database, including waiting time.

use tokio::time::Instant;

/// The histogram of seconds by `op`: `read` or `write`.
pub const LATENCY: &str = "clipmill_database_seconds";

/// A unit in progress; records its duration when it ends for any reason.
pub struct UnitTimer {
    op: &'static str,
    began: Instant,
}

impl UnitTimer {
    pub fn read() -> Self {
        Self::new("read")
    }

    pub fn write() -> Self {
        Self::new("write")
    }

    fn new(op: &'static str) -> Self {
        Self { op, began: Instant::now() }
    }
}

impl Drop for UnitTimer {
    fn drop(&mut self) {
        metrics::histogram!(LATENCY, "op" => self.op).record(self.began.elapsed().as_secs_f64());
    }
}
