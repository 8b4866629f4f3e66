//! `docs/openapi.json` is identical to the response of `/openapi.json`.
use serde_json::Value;

fn document() -> Value {
    clipmill_server::openapi()
}

#[test]
fn the_checked_in_document_is_the_one_that_is_served() {
    crate::checked_in::check("openapi.json", &(serde_json::to_string_pretty(&document()).unwrap() + "\n"));
}

/// Every `$ref` can be resolved.
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

/// A response, header or schema without references is probably missing somewhere.
#[test]
fn every_component_is_used() {
    let document = document();
    let mut references = Vec::new();
    collect(&document, &mut references);
    for kind in ["schemas", "responses", "headers"] {
        for name in document["components"][kind].as_object().unwrap().keys() {
            let reference = format!("#/components/{kind}/{name}");
            assert!(references.contains(&reference), "{reference} is not used");
        }
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

/// A reader must never have to guess: every property of every schema has a description, or is of a named kind.
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
