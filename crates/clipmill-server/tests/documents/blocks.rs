//! Fenced blocks of the documents match their language: shell parses, JSON is JSON, a configuration is valid.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::markdown::{Block, documents};

/// Every language that a block may have. `text` is for output and formats without a checker.
const LANGUAGES: [&str; 14] = [
    "sh", "json", "toml", "yaml", "python", "js", "ts", "go", "php", "java", "http", "csv", "mermaid", "text",
];

/// Calls `check` for each block of a language with the position of the block; collects the problems.
fn check_all(language: &str, at_least: usize, check: impl Fn(&Block) -> Result<(), String>) {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for document in documents() {
        for block in document.blocks().iter().filter(|block| block.language == language) {
            count += 1;
            if let Err(error) = check(block) {
                wrong.push(format!("{}:{}: {error}", document.path, block.line));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= at_least, "only {count} blocks of {language} were found");
}

/// Runs a checker with a block as its input; a checker that is not installed reports nothing.
fn judged_by(program: &str, arguments: &[&str], text: &str) -> Result<(), String> {
    #[allow(clippy::disallowed_methods, reason = "a judge independent of the program under test")]
    let child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

#[test]
fn every_block_names_its_language() {
    for document in documents() {
        for block in document.blocks() {
            let place = format!("{}:{}", document.path, block.line);
            assert!(LANGUAGES.contains(&block.language.as_str()), "{place}: `{}`", block.language);
            for attribute in &block.attributes {
                let is_known = (attribute == "run" && block.language == "sh") || attribute == "verify";
                assert!(is_known, "{place}: `{attribute}`");
            }
        }
    }
}

#[test]
fn shell_parses() {
    check_all("sh", 35, |block| {
        judged_by("bash", &["-n"], &block.text)?;
        // Placeholders that a shell would read as redirections.
        let bare = |line: &&str| {
            line.split(['\'', '"']).step_by(2).any(|part| part.contains('<') && part.contains('>'))
        };
        block
            .text
            .lines()
            .find(bare)
            .map_or(Ok(()), |line| Err(format!("a placeholder is not quoted: {line}")))
    });
}

/// Readers copy these blocks, so each is executed (`clipmill/tests/service/documents.rs`), or names the reason why not in a
/// comment before it.
#[test]
fn shell_blocks_of_start_and_guides_are_run() {
    let (mut unmarked, mut run) = (Vec::new(), 0);
    for document in documents() {
        if !["docs/start/", "docs/guides/"].iter().any(|folder| document.path.starts_with(folder)) {
            continue;
        }
        let lines: Vec<&str> = document.text.lines().collect();
        for block in document.blocks().iter().filter(|block| block.language == "sh") {
            let before = block.line.checked_sub(2).map_or("", |index| lines[index]);
            let reason = before.strip_prefix("<!-- not run: ");
            let has_reason = reason
                .is_some_and(|reason| ["installs ", "needs "].iter().any(|word| reason.starts_with(word)));
            if block.attributes.iter().any(|word| word == "run") {
                run += 1;
            } else if !has_reason {
                unmarked.push(format!("{}:{}", document.path, block.line));
            }
        }
    }
    assert!(
        unmarked.is_empty(),
        "mark these blocks `sh run`, or put `<!-- not run: needs … -->` (or `installs …`) before them: {unmarked:?}"
    );
    assert!(run >= 30, "only {run} blocks are run");
}

#[test]
fn json_is_json() {
    check_all("json", 25, |block| {
        let text = without_omissions(&block.text);
        let whole = serde_json::Deserializer::from_str(&text).into_iter::<Value>().find_map(Result::err);
        // Some show only members of an object.
        let members = serde_json::from_str::<Value>(&format!("{{{text}}}"));
        match (whole, members) {
            (Some(error), Err(_)) => Err(error.to_string()),
            _ => Ok(()),
        }
    });
}

/// JSON without the `…` that marks omitted entries; an omitted value is the string `…`.
pub fn without_omissions(text: &str) -> String {
    let (mut out, mut in_string, mut escaped) = (String::new(), false, false);
    for c in text.chars() {
        if in_string {
            in_string = c != '"' || escaped;
            escaped = c == '\\' && !escaped;
        } else if c == '…' {
            let kept = out.trim_end().trim_end_matches(',').len();
            out.truncate(kept);
            if out.ends_with(':') {
                out.push_str("\"…\"");
            }
            continue;
        } else {
            in_string = c == '"';
        }
        out.push(c);
    }
    out
}

#[test]
fn configurations_are_valid() {
    check_all("toml", 1, |block| {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &block.text).unwrap();
        let none = std::iter::empty::<(String, String)>();
        clipmill_server::Config::load(Some(file.path()), none).map(|_| ()).map_err(|error| error.to_string())
    });
}

#[test]
fn programs_parse() {
    check_all("python", 5, |block| {
        judged_by("python3", &["-c", "import ast, sys; ast.parse(sys.stdin.read())"], &block.text)
    });
    check_all("js", 2, |block| judged_by("node", &["--check", "--input-type=module", "-"], &block.text));
    check_all("php", 1, |block| judged_by("php", &["-l"], &block.text));
}
