//! Generates `docs/errors.md` from the catalogues in the code, and fails if the checked-in file differs.
use std::fmt::Write;

use clipmill_core::error::ErrorCode;
use clipmill_server::error::catalogue::CATALOGUE;

const INTRODUCTION: &str = "\
# Errors

All error codes of the API. [api.md](api.md#errors) explains how to read them.

## Errors of a call

The body is `{\"code\", \"msg\", \"data\"}`. The first three digits of `code` are the HTTP status. `msg` is in English, or in
Chinese with `Accept-Language: zh`. Words in braces are placeholders.

| HTTP | `code` | `msg` | in Chinese |
|---|---|---|---|
";

const INSIDE: &str = "
## Errors inside a task

`items[].error` of a failed item: `{code, message, messageCode, messageParams, input, retryable, charged}`. Failed items are not charged.

| `code` | meaning | what to do | retried automatically |
|---|---|---|---|
";

fn document() -> String {
    let mut text = INTRODUCTION.to_owned();
    let mut entries = CATALOGUE;
    entries.sort_by_key(|entry| entry.code);
    for entry in entries {
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
fn the_checked_in_document_is_up_to_date() {
    crate::checked_in::check("errors.md", &document());
}

/// The API description contains the same codes.
#[test]
fn the_api_description_contains_every_code() {
    let document = clipmill_server::openapi();
    let named = document["components"]["schemas"]["ErrorCodeName"]["enum"].as_array().unwrap();
    let named: Vec<_> = named.iter().map(|code| code.as_str().unwrap()).collect();
    assert_eq!(named, ErrorCode::ALL.map(ErrorCode::as_str));
}

/// The guide explains each of them in the same words, beside the generated list.
#[test]
fn the_guide_explains_every_code_as_the_list_does() {
    let guide = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let first_two = |line: &str| -> Option<(u16, u16)> {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        Some((cells.next()?.parse().ok()?, cells.next()?.parse().ok()?))
    };
    let (_, errors) = guide.split_once("### Errors of a call").unwrap();
    let explained: Vec<(u16, u16)> = errors.lines().filter_map(first_two).collect();
    assert!(explained.is_sorted_by_key(|(_, code)| *code), "docs/api.md does not sort the codes");
    let mut catalogue_codes: Vec<(u16, u16)> =
        CATALOGUE.iter().map(|entry| (entry.code / 100, entry.code)).collect();
    catalogue_codes.sort_unstable();
    catalogue_codes.dedup();
    let mut unique = explained;
    unique.dedup();
    assert_eq!(unique, catalogue_codes, "docs/api.md explains other codes than docs/errors.md");
    for code in ErrorCode::ALL {
        let (meaning, advice) = code.explanation();
        let row = format!("| `{code}` | {meaning} | {advice} |");
        assert!(guide.contains(&row), "docs/api.md explains {code} otherwise than docs/errors.md: {row}");
    }
}

/// Each member of `data` in the guide is described, and no other.
#[test]
fn the_api_description_covers_the_data_of_every_error() {
    let guide = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let (_, errors) = guide.split_once("### Errors of a call").unwrap();
    let (errors, _) = errors.split_once("### Errors inside a task").unwrap();
    let rows = errors.lines().map(|line| line.split(" | ").collect::<Vec<_>>());
    let rows = rows.filter(|cells| cells.len() == 5 && cells[1].parse::<u16>().is_ok());
    let mut named = std::collections::BTreeSet::new();
    for code in rows.flat_map(|cells| cells[3].split('`').skip(1).step_by(2)) {
        let members = code.trim_matches(['{', '}']).split(", ").map(|name| name.trim_end_matches("[]"));
        // Members of entries of `errors`.
        let of_entry = ["path", "message", "code", "params", "got", "allowed"];
        named.extend(members.filter(|name| !of_entry.contains(name)).map(str::to_owned));
    }
    // Of a batch, described in its own section.
    named.insert("total".to_owned());
    let document = clipmill_server::openapi();
    let described = document["components"]["schemas"]["ErrorData"]["properties"].as_object();
    let described = described.unwrap().keys().cloned().collect();
    assert_eq!(named, described);
}
