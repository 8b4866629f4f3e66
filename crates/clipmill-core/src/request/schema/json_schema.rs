//! The table of fields as JSON Schema (2020-12, as in OpenAPI 3.1).

use serde_json::{Value, json};

use super::field::{Field, Kind};
use super::fields;
use crate::request::model::TaskType;
use crate::time::Fps;

const URL_LENGTH: u32 = 2048;

/// The schema of a whole request of this type. `effects` are the allowed values of `effect.value` and
/// `effects[].value`.
pub fn json_schema(kind: TaskType, effects: &[&str]) -> Value {
    let mut root = object("");
    for field in fields(kind) {
        let mut schema = described(&field);
        match field.pointer {
            "/taskType" => set(&mut schema, "enum", json!([kind.as_str()])),
            "/params/options/effect/value" | "/params/options/effects/0/value" if !effects.is_empty() => {
                set(&mut schema, "enum", json!(effects));
            }
            _ => {}
        }
        insert(&mut root, &field, schema);
    }
    root
}

fn described(field: &Field) -> Value {
    let mut schema = of_kind(field.kind);
    set(&mut schema, "description", json!(field.meaning));
    if let Some(default) = field.default.and_then(|text| serde_json::from_str(text).ok()) {
        set(&mut schema, "default", default);
    }
    schema
}

fn of_kind(kind: Kind) -> Value {
    match kind {
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Number(min, max) => json!({ "type": "number", "minimum": min, "maximum": max }),
        Kind::Tenths(min, max) => {
            // `multipleOf: 0.1` would refuse 1.2, which is not a multiple of 0.1 in binary fractions.
            json!({ "type": "number", "minimum": min, "maximum": max, "x-step": 0.1 })
        }
        Kind::Positive(max) => json!({ "type": "number", "exclusiveMinimum": 0, "maximum": max }),
        Kind::Integer(min, max) => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Kind::Fps => json!({ "type": "integer", "enum": Fps::ALLOWED }),
        Kind::Choice(names) => json!({ "type": "string", "enum": names }),
        Kind::Text(max) | Kind::Lines(max) => json!({ "type": "string", "maxLength": max }),
        Kind::Place(names) => json!({ "anyOf": [{ "type": "string", "enum": names }, object("")] }),
        Kind::Font(names) => json!({ "type": "string", "anyOf": [
            { "enum": names },
            { "maxLength": URL_LENGTH, "pattern": "^upload://" },
        ] }),
        Kind::ChoiceOrColor(names) => json!({ "type": "string", "anyOf": [
            { "enum": names },
            { "pattern": "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$" },
        ] }),
        Kind::Url(_) => json!({
            "type": "string", "maxLength": URL_LENGTH, "pattern": "^(https?|upload|result)://",
            "examples": ["https://media.example.com/clip.mp4"],
        }),
        Kind::WebUrl => json!({
            "type": "string", "maxLength": URL_LENGTH, "pattern": "^https?://",
            "examples": ["https://example.com/hooks/clipmill"],
        }),
        Kind::Color => json!({
            "type": "string", "pattern": "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$",
            "examples": ["#FFFFFF"],
        }),
        Kind::Array(min, max) => json!({ "type": "array", "minItems": min, "maxItems": max, "items": {} }),
        Kind::Object => object(""),
    }
}

fn object(description: &str) -> Value {
    let mut schema = json!({ "type": "object", "properties": {}, "required": [] });
    if !description.is_empty() {
        set(&mut schema, "description", json!(description));
    }
    schema
}

fn set(schema: &mut Value, key: &str, value: Value) {
    if let Some(members) = schema.as_object_mut() {
        members.insert(key.to_owned(), value);
    }
}

/// Inserts a field's schema at its pointer. Parents precede their members in the table.
fn insert(root: &mut Value, field: &Field, schema: Value) {
    let mut place = root;
    let mut steps: Vec<&str> = field.pointer.split('/').skip(1).collect();
    let Some(last) = steps.pop() else { return };
    for step in steps {
        let below = match step {
            "0" => place.get_mut("items"),
            name => place.get_mut("properties").and_then(|properties| properties.get_mut(name)),
        };
        let Some(below) = below else { return };
        // When a value may be an object or something else, members belong to the object.
        let steps = if below.get("anyOf").is_some() { "/anyOf/1" } else { "" };
        let Some(below) = below.pointer_mut(steps) else { return };
        place = below;
    }
    if last == "0" {
        return set(place, "items", schema);
    }
    if let Some(properties) = place.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert(last.to_owned(), schema);
    }
    if field.required
        && let Some(required) = place.get_mut("required").and_then(Value::as_array_mut)
    {
        required.push(json!(last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pointer of the table is in the schema, whose objects have no further members.
    #[test]
    fn the_schema_has_exactly_the_fields_of_the_table() {
        for kind in TaskType::ALL {
            let schema = json_schema(kind, &[]);
            let mut pointers = Vec::new();
            collect(&schema, String::new(), &mut pointers);
            let mut expected: Vec<String> = fields(kind).iter().map(|f| f.pointer.to_owned()).collect();
            pointers.sort();
            expected.sort();
            assert_eq!(pointers, expected);
        }
    }

    fn collect(schema: &Value, at: String, pointers: &mut Vec<String>) {
        let schema = schema.pointer("/anyOf/1").unwrap_or(schema);
        for (name, below) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            pointers.push(format!("{at}/{name}"));
            collect(below, format!("{at}/{name}"), pointers);
        }
        if let Some(items) = schema.get("items") {
            pointers.push(format!("{at}/0"));
            collect(items, format!("{at}/0"), pointers);
        }
    }

    #[test]
    fn the_schema_has_ranges_steps_and_defaults() {
        let schema = json_schema(TaskType::VideoDeduplication, &["snow"]);
        let at = |pointer: &str| schema.pointer(pointer).cloned().unwrap_or_default();
        let speed = at("/properties/params/properties/options/properties/speed/properties/start");
        assert_eq!(
            speed,
            json!({
                "type": "number", "minimum": 0.5, "maximum": 2.0, "x-step": 0.1,
                "description": "Lowest speed multiplier.", "default": 1,
            })
        );
        assert_eq!(at("/properties/params/required"), json!(["videoList"]));
        assert_eq!(at("/properties/taskType/enum"), json!(["videoDeduplication"]));
        let effect = at("/properties/params/properties/options/properties/effect/properties/value/enum");
        assert_eq!(effect, json!(["snow"]));
    }
}
