//! `docs/openapi.json` is what the service answers at `/openapi.json`.
#![allow(clippy::unwrap_used, reason = "a test's helpers may fail the test")]

use std::path::Path;

use serde_json::Value;

fn document() -> Value {
    clipmill_server::openapi()
}

#[test]
fn the_checked_in_document_is_the_one_that_is_served() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let expected = serde_json::to_string_pretty(&document()).unwrap() + "\n";
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "docs/openapi.json is out of date: run the tests once with UPDATE_DOCS=1");
}

/// Every `$ref` leads somewhere.
#[test]
fn every_reference_can_be_followed() {
    let document = document();
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 50, "{}", references.len());
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get("$ref") {
                references.push(reference.clone());
            }
            members.values().for_each(|below| collect(below, references));
        }
        Value::Array(entries) => entries.iter().for_each(|below| collect(below, references)),
        _ => {}
    }
}

/// A reader must never have to guess: every property of every schema says what it is, or is of a named kind.
#[test]
fn every_endpoint_and_every_field_is_described() {
    let document = document();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            for key in ["summary", "operationId", "tags", "responses"] {
                assert!(operation.get(key).is_some(), "{method} {path} has no {key}");
            }
            for parameter in operation.get("parameters").and_then(Value::as_array).into_iter().flatten() {
                assert!(parameter.get("description").is_some(), "{method} {path}: {parameter}");
            }
        }
    }
    for kind in [
        "VideoDeduplicationRequest",
        "BaseVideoMixRequest",
        "ProVideoMixRequest",
        "Task",
        "Item",
        "Record",
        "Balance",
    ] {
        described(kind, &document["components"]["schemas"][kind]);
    }
}

fn described(at: &str, schema: &Value) {
    for (name, below) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let says = below.get("description").is_some() || below.get("$ref").is_some();
        assert!(says || below.get("oneOf").is_some() || below.get("items").is_some(), "{at}/{name}: {below}");
        described(&format!("{at}/{name}"), below);
    }
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        described(at, part);
    }
}
