//! SECURITY.md lists the tests that verify its promises.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn the_tests_of_the_promises_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("SECURITY.md")).unwrap();
    let section = text.split("\n## Tests\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| ")).skip(1);
    let named: BTreeSet<&str> = rows.flat_map(|row| row.split('`').skip(1).step_by(2)).collect();
    assert!(named.len() > 50, "{named:?}");

    let mut files = Vec::new();
    sources(&root.join("crates"), &mut files);
    let code: Vec<String> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let is_missing = |name: &&&str| !code.iter().any(|code| code.contains(&format!("fn {name}(")));
    assert_eq!(named.iter().filter(is_missing).collect::<Vec<_>>(), Vec::<&&str>::new());
}
