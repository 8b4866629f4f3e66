//! Moves the objects nested in requests into `components`, so that generators of clients have names for them.

use serde_json::{Map, Value, json};

/// `schema` with a reference in place of each object below it. The objects are added to `components` under `name` followed
/// by their members' names; a list's entries are named without a final `List` or `s`, and `params` adds nothing.
pub fn name_nested(schema: &mut Value, name: &str, components: &mut Map<String, Value>) {
    let Some(members) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (key, member) in members {
        let of_member =
            if key == "params" { format!("{name}Params") } else { format!("{name}{}", capital(key)) };
        let below = if key == "params" { name } else { &of_member };
        move_out(member, &of_member, below, components);
        if let Some(items) = member.get_mut("items") {
            let singular = key.strip_suffix("List").or_else(|| key.strip_suffix('s')).unwrap_or(key);
            let entry = format!("{name}{}", capital(singular));
            move_out(items, &entry, &entry, components);
        }
        for way in member.get_mut("anyOf").and_then(Value::as_array_mut).into_iter().flatten() {
            if way["enum"].is_array() {
                replace(way, &format!("{of_member}Name"), components);
            } else {
                move_out(way, &of_member, below, components);
            }
        }
    }
}

/// Replaces an object that has members by a reference to it.
fn move_out(schema: &mut Value, name: &str, below: &str, components: &mut Map<String, Value>) {
    if !schema["properties"].is_object() {
        return;
    }
    name_nested(schema, below, components);
    replace(schema, name, components);
}

fn replace(schema: &mut Value, name: &str, components: &mut Map<String, Value>) {
    let reference = json!({ "$ref": format!("#/components/schemas/{name}") });
    components.insert(name.to_owned(), std::mem::replace(schema, reference));
}

fn capital(name: &str) -> String {
    let mut characters = name.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}
