//! Checks values against schemas of the API's description. Stricter than JSON Schema: every member must be described.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Keywords that describe, and those that only the service itself and validators of other programs check.
const NOT_CHECKED: [&str; 10] = [
    "additionalProperties",
    "description",
    "title",
    "default",
    "examples",
    "example",
    "format",
    "pattern",
    "x-step",
    "discriminator",
];
const CHECKED: [&str; 16] = [
    "$ref",
    "type",
    "enum",
    "properties",
    "required",
    "items",
    "allOf",
    "anyOf",
    "oneOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
];

/// The differences between `value` and `schema`, a part of `document`; empty if there are none.
pub fn differences(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut differences = Vec::new();
    compare(document, schema, value, "", &mut differences);
    differences
}

fn resolve<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    match schema["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
        None => schema,
    }
}

fn compare(document: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let schema = resolve(document, schema);
    for keyword in schema.as_object().into_iter().flat_map(Map::keys) {
        let is_known = NOT_CHECKED.contains(&keyword.as_str()) || CHECKED.contains(&keyword.as_str());
        assert!(is_known, "{at}: the keyword `{keyword}` is not checked");
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(choices) = schema[choice].as_array() {
            let outcomes = choices.iter().map(|choice| differences(document, choice, value));
            let outcomes: Vec<Vec<String>> = outcomes.collect();
            if !outcomes.iter().any(Vec::is_empty) {
                found.push(format!("{at}: fits none of {choice}: {outcomes:?}"));
            }
        }
    }
    if let Some(error) = of_type(schema, value).or_else(|| out_of_bounds(schema, value)) {
        found.push(format!("{at}: {error}"));
    }
    match value {
        Value::Array(entries) if schema["items"].is_object() => {
            for (index, entry) in entries.iter().enumerate() {
                compare(document, &schema["items"], entry, &format!("{at}/{index}"), found);
            }
        }
        Value::Object(members) => compare_members(document, schema, members, at, found),
        _ => {}
    }
}

fn compare_members(
    document: &Value,
    schema: &Value,
    members: &Map<String, Value>,
    at: &str,
    found: &mut Vec<String>,
) {
    let (mut described, mut required) = (BTreeMap::new(), Vec::new());
    collect(document, schema, &mut described, &mut required);
    if described.is_empty() {
        return;
    }
    for name in required.into_iter().filter(|name| !members.contains_key(*name)) {
        found.push(format!("{at}/{name}: missing"));
    }
    for (name, value) in members {
        match described.get(name.as_str()) {
            Some(schema) => compare(document, schema, value, &format!("{at}/{name}"), found),
            None => found.push(format!("{at}/{name}: not described")),
        }
    }
}

/// Members of an object, also of the schemas that it consists of.
fn collect<'d>(
    document: &'d Value,
    schema: &'d Value,
    described: &mut BTreeMap<&'d str, &'d Value>,
    required: &mut Vec<&'d str>,
) {
    let schema = resolve(document, schema);
    let properties = schema["properties"].as_object().into_iter().flatten();
    described.extend(properties.map(|(name, schema)| (name.as_str(), schema)));
    required.extend(schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str));
    for part in schema["allOf"].as_array().into_iter().flatten() {
        collect(document, part, described, required);
    }
}

fn of_type(schema: &Value, value: &Value) -> Option<String> {
    let fits = |kind: &str| match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the type `{other}` is not known"),
    };
    let fits = match &schema["type"] {
        Value::String(kind) => fits(kind),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).any(fits),
        _ => true,
    };
    (!fits).then(|| format!("{value} is not of the type {}", schema["type"]))
}

fn out_of_bounds(schema: &Value, value: &Value) -> Option<String> {
    if schema["enum"].as_array().is_some_and(|allowed| !allowed.contains(value)) {
        return Some(format!("{value} is not among {}", schema["enum"]));
    }
    let (size, names) = match value {
        Value::Number(number) => (number.as_f64()?, ["minimum", "maximum"]),
        Value::String(text) => (text.chars().count() as f64, ["minLength", "maxLength"]),
        Value::Array(entries) => (entries.len() as f64, ["minItems", "maxItems"]),
        _ => return None,
    };
    let [min, max] = names.map(|name| schema[name].as_f64());
    let too_small = min.is_some_and(|min| size < min)
        || value.is_number() && schema["exclusiveMinimum"].as_f64().is_some_and(|min| size <= min);
    let too_large = max.is_some_and(|max| size > max);
    (too_small || too_large).then(|| format!("{value} is out of bounds"))
}

/// Every operation of the description: its method, its path, itself.
#[allow(dead_code, reason = "not every test program uses all of it")]
pub fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let operations = paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap().iter();
        methods.map(move |(method, operation)| (method.as_str(), path.as_str(), operation))
    });
    operations.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn differences_are_found() {
        let document = json!({ "schemas": { "Size": { "type": "integer", "minimum": 1 } } });
        let schema = json!({
            "allOf": [
                {
                    "type": "object",
                    "required": ["name"],
                    "properties": { "name": { "type": "string", "maxLength": 3 }, "size": { "$ref": "#/schemas/Size" } },
                },
                { "type": "object", "properties": { "kind": { "oneOf": [{ "type": "null" }, { "enum": ["a"] }] } } },
            ],
        });
        for (value, expected) in [
            (json!({ "name": "abc", "size": 1, "kind": null }), ""),
            (json!({ "name": "abc", "kind": "a" }), ""),
            (json!({ "size": 1 }), "/name: missing"),
            (json!({ "name": "abcd" }), "/name: \"abcd\" is out of bounds"),
            (json!({ "name": "a", "size": 0 }), "/size: 0 is out of bounds"),
            (json!({ "name": "a", "size": "1" }), "/size: \"1\" is not of the type \"integer\""),
            (json!({ "name": "a", "other": 1 }), "/other: not described"),
        ] {
            assert_eq!(differences(&document, &schema, &value).join(", "), expected, "{value}");
        }
        assert_eq!(differences(&document, &schema, &json!({ "name": "a", "kind": "b" })).len(), 1);
    }
}
