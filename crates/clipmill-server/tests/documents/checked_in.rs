//! Generated documents that are checked in.

use std::path::Path;
use std::sync::Mutex;

/// Several tests write parts of the same document.
static PARTS: Mutex<()> = Mutex::new(());

/// Fails if `docs/NAME` differs from `expected`; writes it instead if `UPDATE_DOCS` is set.
#[track_caller]
pub fn check(name: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        // Other tests read the document meanwhile.
        let new = path.with_extension("new");
        std::fs::write(&new, expected).unwrap();
        std::fs::rename(&new, &path).unwrap();
        return;
    }
    let checked_in = std::fs::read_to_string(&path).unwrap_or_default();
    let line =
        checked_in.lines().zip(expected.lines()).position(|(checked_in, expected)| checked_in != expected);
    let line = line.unwrap_or_else(|| checked_in.lines().count().min(expected.lines().count())) + 1;
    assert!(
        checked_in == expected,
        "docs/{name} is stale from line {line} on; make it again: \
         UPDATE_DOCS=1 cargo test -p clipmill-server --test documents"
    );
}

/// Fails if the lines between `begin` and `end` in `docs/NAME` differ from `expected`; writes them instead if `UPDATE_DOCS`
/// is set.
#[track_caller]
pub fn check_part(name: &str, begin: &str, end: &str, expected: &str) {
    let _one_at_a_time = PARTS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(begin).unwrap_or_else(|| panic!("docs/{name} has no {begin}"));
    let (_, after) = rest.split_once(end).unwrap_or_else(|| panic!("docs/{name} has no {end}"));
    check(name, &format!("{before}{begin}\n{expected}{end}{after}"));
}
