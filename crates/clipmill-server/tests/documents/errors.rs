//! Generates the tables of `docs/api/errors.md` from the catalogues in the code, and fails if the checked-in ones differ.
use std::fmt::Write;

use clipmill_core::error::ErrorCode;
use clipmill_server::error::catalogue::CATALOGUE;

const END: &str = "<!-- end of errors -->";

/// The texts of the errors of calls.
fn texts() -> String {
    let mut text = "| HTTP | `code` | `msg` | in Chinese |\n|---|---|---|---|\n".to_owned();
    let mut entries = CATALOGUE;
    entries.sort_by_key(|entry| entry.code);
    for entry in entries {
        let status = entry.code / 100;
        writeln!(text, "| {status} | {} | {} | {} |", entry.code, entry.english, entry.chinese).unwrap();
    }
    text
}

/// The errors of items.
fn of_items() -> String {
    let mut text =
        "| `code` | meaning | what to do | retried automatically |\n|---|---|---|---|\n".to_owned();
    for code in ErrorCode::ALL {
        let (meaning, advice) = code.explanation();
        let again = if code.retryable() { "if it may help" } else { "no" };
        writeln!(text, "| `{code}` | {meaning} | {advice} | {again} |").unwrap();
    }
    text
}

#[test]
fn the_checked_in_tables_are_up_to_date() {
    crate::checked_in::check_part("api/errors.md", "<!-- errors: items -->", END, &of_items());
    crate::checked_in::check_part("api/errors.md", "<!-- errors: texts -->", END, &texts());
}

/// The part of the page with the errors of calls, written by hand.
fn errors_of_a_call() -> String {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api/errors.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, errors) = page.split_once("## Errors of a call").unwrap();
    errors.split_once("## Errors inside a task").unwrap().0.to_owned()
}

/// The API description contains the same codes.
#[test]
fn the_api_description_contains_every_code() {
    let document = clipmill_server::openapi();
    let named = document["components"]["schemas"]["ErrorCodeName"]["enum"].as_array().unwrap();
    let named: Vec<_> = named.iter().map(|code| code.as_str().unwrap()).collect();
    assert_eq!(named, ErrorCode::ALL.map(ErrorCode::as_str));
}

/// The table that explains the errors of calls has each of them, and no other.
#[test]
fn every_error_of_a_call_is_explained() {
    let errors = errors_of_a_call();
    let first_two = |line: &str| -> Option<(u16, u16)> {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        Some((cells.next()?.parse().ok()?, cells.next()?.parse().ok()?))
    };
    let explained: Vec<(u16, u16)> = errors.lines().filter_map(first_two).collect();
    assert!(explained.is_sorted_by_key(|(_, code)| *code), "docs/api/errors.md does not sort the codes");
    let mut catalogue_codes: Vec<(u16, u16)> =
        CATALOGUE.iter().map(|entry| (entry.code / 100, entry.code)).collect();
    catalogue_codes.sort_unstable();
    catalogue_codes.dedup();
    let mut unique = explained;
    unique.dedup();
    assert_eq!(unique, catalogue_codes, "docs/api/errors.md explains other codes");
}

/// Each member of `data` on the page is described, and no other.
#[test]
fn the_api_description_covers_the_data_of_every_error() {
    let errors = errors_of_a_call();
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
