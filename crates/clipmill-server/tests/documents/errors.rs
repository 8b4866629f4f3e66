//! Makes `docs/errors.md` from the catalogues in the code, and fails when the checked-in file is another.
use std::fmt::Write;

use clipmill_core::error::ErrorCode;
use clipmill_server::error::catalogue::CATALOGUE;

const INTRODUCTION: &str = "\
# Errors

Every error that the interface can answer. [api.md](api.md#errors) explains how to read them.

## Errors of a call

`{\"code\", \"msg\", \"data\"}` with the HTTP status that the first three digits of `code` are. `msg` is English,
or Chinese with `Accept-Language: zh`. Words in braces are filled in.

| HTTP | `code` | `msg` | in Chinese |
|---|---|---|---|
";

const INSIDE: &str = "
## Errors inside a task

`items[].error` of an item that failed: `{code, message, input, retryable, charged}`. An item that failed costs
nothing.

| `code` | meaning | what to do | tried again by itself |
|---|---|---|---|
";

fn document() -> String {
    let mut text = INTRODUCTION.to_owned();
    for entry in CATALOGUE {
        let status = entry.code / 100;
        writeln!(text, "| {status} | {} | {} | {} |", entry.code, entry.english, entry.chinese).unwrap();
    }
    text.push_str(INSIDE);
    for code in ErrorCode::ALL {
        let (meaning, advice) = code.explanation();
        let again = if code.retryable() { "if it may help" } else { "no" };
        writeln!(text, "| `{code}` | {meaning} | {advice} | {again} |").unwrap();
    }
    text
}

#[test]
fn the_checked_in_document_is_made_from_the_code() {
    crate::checked_in::check("errors.md", &document());
}

/// The interface's description names the same codes.
#[test]
fn the_interface_names_every_code() {
    let document = clipmill_server::openapi();
    let named = document["components"]["schemas"]["ErrorCodeName"]["enum"].as_array().unwrap();
    let named: Vec<_> = named.iter().map(|code| code.as_str().unwrap()).collect();
    assert_eq!(named, ErrorCode::ALL.map(ErrorCode::as_str));
}

/// What users read first explains each of them, beside the list that is made from the code.
#[test]
fn the_guide_explains_every_code() {
    let guide = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    for entry in CATALOGUE {
        let row = format!("| {} | {} | ", entry.code / 100, entry.code);
        assert!(guide.contains(&row), "docs/api.md does not explain {}", entry.code);
    }
    for code in ErrorCode::ALL {
        assert!(guide.contains(&format!("| `{code}` | ")), "docs/api.md does not explain {code}");
    }
}
