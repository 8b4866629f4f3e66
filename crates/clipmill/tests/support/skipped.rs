//! What a test could not look at on this machine: said at once, and again by `make test` at its end.

use std::io::Write;
use std::path::Path;

/// Says so past the test harness, which shows nothing of tests that pass.
pub fn skipped(what: &str, why: &str) {
    let line = format!("skipped: {what}: {why}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
    let list = Path::new(env!("CARGO_TARGET_TMPDIR")).join("skipped");
    let mut list = std::fs::OpenOptions::new().create(true).append(true).open(list).unwrap();
    list.write_all(line.as_bytes()).unwrap();
}
