//! Terms that are not used in code, comments and documents, each with its replacement.
//!
//! The list contains only terms without a legitimate use, so that the test never rejects good English.

use std::path::Path;
use std::process::Command;

use super::root;

/// Phrases, and what to write instead. `_` in identifiers counts as a space, and so does a line break.
const PHRASES: &[(&str, &str)] = &[
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("mending", "fixing"),
    ("anew", "again, or a verb with re- (re-created, recomputed)"),
    ("made again", "re-created, regenerated, re-rendered"),
    ("as ever", "as before"),
    ("of late", "recently"),
    ("for ever", "indefinitely"),
    ("in the mean", "on average"),
    ("whoever", "the client, the worker, the caller"),
    ("the one before", "the previous one"),
    ("go on", "continue"),
    ("goes on", "continues"),
    ("went on", "continued"),
    ("take up", "resume, occupy"),
    ("taken up", "resumed, claimed"),
    ("laid over", "overlaid"),
    ("laid on", "placed on, applied to"),
    ("lie in", "are in, are stored in"),
    ("lies in", "is in, is stored in"),
    ("stands in", "is in"),
    ("stood in", "was in"),
    ("our fault", "internal error"),
    ("(ours)", "nothing, or: extension"),
    ("of ours", "of clipmill, own"),
    ("shall", "must, can"),
    ("piece of work", "job"),
    ("pieces of work", "jobs"),
    ("hand in", "submit"),
    ("hands in", "submits"),
    ("handed in", "submitted"),
    ("hand out", "issue, return"),
    ("hands out", "issues, returns"),
    ("handed out", "issued, returned"),
    ("under way", "in progress, running"),
    ("it tells", "it returns, it reports"),
    ("tells of", "reports"),
    ("told of", "notified of, listed"),
    ("looks into", "probes"),
    ("http interface", "HTTP API"),
    ("public interface", "public API"),
    ("the interface's description", "the API description"),
    ("unless said", "by default"),
    ("of which nothing was begun", "that have not started"),
    ("may stand", "can be, is allowed"),
    ("stands below", "is below"),
    ("what stands", "the settings, the fields"),
    ("what lies", "the files, the directory"),
    ("what runs", "running work"),
    ("lies behind", "is after, causes"),
    ("comes to its", "ends, waits"),
    ("by and by", "gradually"),
    ("tells that", "reports that"),
    ("tells whether", "reports whether"),
    ("tells how", "describes how"),
    ("says why", "gives the reason"),
    ("original specification", "nothing, or the name of the specification"),
    ("keeps nobody", "does not block others"),
    ("holds up nobody", "does not delay others"),
];

/// Names in Rust, and what to name instead. A name that ends with `_` is the beginning of names.
const RUST: &[(&str, &str)] = &[
    ("MOST_", "MAX_"),
    ("LEAST_", "MIN_"),
    ("LONGEST_", "MAX_"),
    ("PATIENCE", "TIMEOUT"),
    ("let answer", "let response"),
    ("let mut answer", "let mut response"),
    ("let found", "the thing that was found"),
    ("let mut found", "the things that were found"),
    ("let told", "the message, the report"),
    ("let mut told", "the message, the report"),
    ("let known", "the known things, such as `names`"),
    ("let mut known", "the known things, such as `names`"),
    ("let begun", "the start, such as `started_at`"),
    ("fn told", "a verb, such as `describe`"),
];

/// Phrases of documents for users, where a reader needs the plain word.
const DOCUMENTS: &[(&str, &str)] = &[
    ("anybody", "anyone"),
    ("says so", "a warning is returned, a notice is shown"),
    ("says which", "names the file"),
    ("lies beyond", "is after"),
    ("looks at the", "probes, depends on"),
    ("stands for", "means, represents"),
    ("tells", "returns, reports"),
    ("told", "notified"),
    ("answers with", "returns"),
    ("answers by", "returns"),
    ("laid", "placed, applied"),
    ("stands", "is"),
    ("the picture", "the video, the frame"),
    ("of the pictures", "of the video, of the frames"),
];

const EXTENSIONS: [&str; 18] = [
    "rs", "ts", "tsx", "js", "mjs", "css", "html", "py", "sh", "pl", "php", "java", "md", "txt", "toml",
    "yml", "yaml", "service",
];

/// Generated files, texts of others, data of tests, history, and this list.
const EXCEPT: [&str; 9] = [
    "CHANGELOG.md",
    "LICENSE",
    "clients/python/src/clipmill/models.py",
    "clients/typescript/src/models.ts",
    "crates/clipmill-server/console/dist/",
    "crates/clipmill/tests/architecture/words.rs",
    "/tests/data/",
    "/fixtures/",
    "/node_modules/",
];

/// The files of the repository: those in git, or in a source tree without git all below the root.
fn files() -> Vec<String> {
    #[expect(clippy::disallowed_methods, reason = "a test that reads the repository")]
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    let listed = listed.ok().filter(|output| output.status.success() && root().join(".git").exists());
    let paths = match listed {
        Some(output) => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect()
        }
        None => walk(&root()),
    };
    paths.into_iter().filter(|path| is_checked(path)).collect()
}

fn is_checked(path: &str) -> bool {
    let in_root = format!("/{path}");
    let is_text = path.rsplit_once('.').is_some_and(|(_, extension)| EXTENSIONS.contains(&extension))
        || path.ends_with("Makefile");
    is_text
        && !EXCEPT
            .iter()
            .any(|part| path.starts_with(part) || (part.starts_with('/') && in_root.contains(part)))
}

/// The list of messages has their codes, which are fixed.
fn is_for_users(path: &str) -> bool {
    path.ends_with(".md")
        && path != "docs/api/messages.md"
        && (path == "README.md" || path == "SECURITY.md" || path.starts_with("docs/"))
}

fn walk(root: &Path) -> Vec<String> {
    let (mut paths, mut open) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && !name.starts_with('.') && !["target", "node_modules"].contains(&name.as_str())
            {
                open.push(path);
            } else if path.is_file() {
                paths.push(path.strip_prefix(root).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    paths
}

/// A text in one line, and the places at which its lines begin.
struct OneLine {
    text: String,
    begins: Vec<usize>,
}

impl OneLine {
    /// Without marks of comments, each line converted by `convert`.
    fn new(text: &str, convert: impl Fn(&str) -> String) -> Self {
        let (mut joined, mut begins) = (String::from(" "), Vec::new());
        for line in text.lines() {
            begins.push(joined.len());
            let content = line.trim().trim_start_matches(['/', '!', '#', '*', '-', '>', '|']).trim();
            joined.push_str(&convert(content));
            joined.push(' ');
        }
        Self { text: joined, begins }
    }

    /// In lower case, with identifiers as words. `our_fault` is the code of stored messages.
    fn prose(text: &str) -> Self {
        Self::new(text, |line| line.to_lowercase().replace("our_fault", "").replace('_', " "))
    }

    fn code(text: &str) -> Self {
        Self::new(text, str::to_owned)
    }
}

/// The lines in which a phrase begins, as whole words.
fn lines_with(phrase: &str, OneLine { text, begins }: &OneLine) -> Vec<usize> {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let is_whole = |at: &usize| {
        let (before, after) = (&text[..*at], &text[at + phrase.len()..]);
        !is_part(before.chars().next_back()) && (phrase.ends_with('_') || !is_part(after.chars().next()))
    };
    let places = text.match_indices(phrase).map(|(at, _)| at).filter(is_whole);
    places.map(|at| begins.partition_point(|begin| *begin <= at)).collect()
}

#[test]
fn words_to_stop_using() {
    let mut findings = Vec::new();
    for path in files() {
        let Ok(text) = std::fs::read_to_string(root().join(&path)) else { continue };
        let rust: &[_] = if path.ends_with(".rs") { RUST } else { &[] };
        let documents: &[_] = if is_for_users(&path) { DOCUMENTS } else { &[] };
        let prose = || OneLine::prose(&text);
        for (phrases, text) in [(PHRASES, prose()), (documents, prose()), (rust, OneLine::code(&text))] {
            for (phrase, replacement) in phrases {
                let lines = lines_with(phrase, &text);
                findings
                    .extend(lines.iter().map(|line| format!("{path}:{line}: `{phrase}`: use {replacement}")));
            }
        }
    }
    findings.sort();
    assert!(findings.is_empty(), "{} terms to replace:\n{}", findings.len(), findings.join("\n"));
}

#[test]
fn phrases_are_found_across_lines_and_in_identifiers() {
    let text =
        "/// It goes\n    /// on here.\nfn goes_on() {}\nrecommend\nlet found_names = 1;\nlet found = 2;";
    assert_eq!(lines_with("goes on", &OneLine::prose(text)), [1, 3]);
    assert_eq!(lines_with("mend", &OneLine::prose(text)), [] as [usize; 0]);
    assert_eq!(lines_with("let found", &OneLine::code(text)), [6]);
    assert_eq!(lines_with("found_", &OneLine::code(text)), [5]);
}
