//! Generated documents that are checked in.

use std::path::Path;

/// Fails if `docs/NAME` differs from `expected`; writes it instead if `UPDATE_DOCS` is set.
#[track_caller]
pub fn check(name: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, expected).unwrap();
        return;
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    let line = found.lines().zip(expected.lines()).position(|(found, expected)| found != expected);
    let line = line.unwrap_or_else(|| found.lines().count().min(expected.lines().count())) + 1;
    assert!(
        found == expected,
        "docs/{name} is stale from line {line} on; make it again: \
         UPDATE_DOCS=1 cargo test -p clipmill-server --test documents"
    );
}
