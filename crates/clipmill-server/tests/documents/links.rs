//! Links between documents are valid: the file exists, and so does the heading of an anchor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use crate::markdown::{Document, documents, root};

/// The anchor that GitHub creates for a heading.
pub fn slug(heading: &str) -> String {
    let mut text = String::new();
    let mut rest = heading;
    // Of links, only the text counts.
    while let Some((before, link)) = rest.split_once("](") {
        text.push_str(before);
        rest = link.split_once(')').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let kept = text.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

pub fn anchors(document: &Document) -> BTreeSet<String> {
    let mut count: BTreeMap<String, u32> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for (_, line) in document.prose() {
        let Some((marks, heading)) = line.split_once(' ') else { continue };
        if marks.is_empty() || !marks.bytes().all(|byte| byte == b'#') {
            continue;
        }
        let slug = slug(heading);
        let earlier = count.entry(slug.clone()).or_default();
        anchors.insert(if *earlier == 0 { slug } else { format!("{slug}-{earlier}") });
        *earlier += 1;
    }
    anchors
}

/// Targets of links and images in a line, without those in code.
fn targets(line: &str) -> Vec<String> {
    let prose: String = line.split('`').step_by(2).collect();
    let inline = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let mut targets: Vec<String> = inline.map(|(target, _)| target.to_owned()).collect();
    if let Some((_, target)) = line.split_once("]: ").filter(|_| line.starts_with('[')) {
        targets.push(target.trim().to_owned());
    }
    targets
}

/// `a/../b` → `b`
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// Why a target is dead, as seen from a file.
fn fault(from: &Path, target: &str, known: &BTreeMap<PathBuf, BTreeSet<String>>) -> Option<String> {
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let file = if path.is_empty() { from.to_owned() } else { plain(&from.parent()?.join(path)) };
    if !root().join(&file).exists() {
        return Some(format!("{} does not exist", file.display()));
    }
    let (anchor, anchors) = (anchor?, known.get(&file)?);
    (!anchors.contains(anchor)).then(|| format!("{} has no heading #{anchor}", file.display()))
}

fn known() -> BTreeMap<PathBuf, BTreeSet<String>> {
    documents().iter().map(|document| (PathBuf::from(&document.path), anchors(document))).collect()
}

#[test]
fn links_of_documents_are_valid() {
    let (known, mut dead, mut count) = (known(), Vec::new(), 0);
    for document in documents() {
        for (number, line) in document.prose() {
            for target in targets(line)
                .into_iter()
                .filter(|target| !target.contains("://") && !target.starts_with("mailto:"))
            {
                count += 1;
                if let Some(fault) = fault(Path::new(&document.path), &target, &known) {
                    dead.push(format!("{}:{number}: {fault}", document.path));
                }
            }
        }
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
    assert!(count > 200, "only {count} links were found");
}

/// Messages, comments and files of deploy/ refer to documents as well.
#[test]
fn documents_that_other_files_refer_to_exist() {
    let (known, mut dead, mut count) = (known(), Vec::new(), 0);
    let mut folders: Vec<PathBuf> =
        ["crates", "deploy", "scripts", "clients", "console/src"].map(|path| root().join(path)).into();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if entry.file_type().unwrap().is_dir() {
                if !["node_modules", "dist", "target"].contains(&name.as_str()) {
                    folders.push(path);
                }
                continue;
            }
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            for rest in text.split("docs/").skip(1) {
                let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '#' | '/');
                let target: String = rest.chars().take_while(|c| allowed(*c)).collect();
                let target = target.trim_end_matches('.');
                if !target.ends_with(".md") && !target.contains(".md#") {
                    continue;
                }
                count += 1;
                if let Some(fault) = fault(Path::new("README.md"), &format!("docs/{target}"), &known) {
                    dead.push(format!("{}: {fault}", path.display()));
                }
            }
        }
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
    assert!(count > 20, "only {count} names of documents were found");
}

#[test]
fn anchors_are_those_of_github() {
    for (heading, anchor) in [
        ("Live events", "live-events"),
        ("`upload://` and files", "upload-and-files"),
        ("Tell [them](x.md) apart: a, b & c", "tell-them-apart-a-b--c"),
    ] {
        assert_eq!(slug(heading), anchor);
    }
    assert_eq!(targets("see [a](b.md#c), `[d](e)` and ![f](g.webp)"), ["b.md#c", "g.webp"]);
}
