//! Finds variables in strings and replaces them by values.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Values;

const OPEN: &str = "{{";
const CLOSE: &str = "}}";

/// A piece of a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece<'a> {
    Text(&'a str),
    Variable(&'a str),
    /// Opening braces without closing braces, and the rest.
    Open(&'a str),
}

/// Splits a string into its pieces.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find(OPEN) {
        let (before, from) = rest.split_at(at);
        if let Some(text) = before.strip_suffix('\\') {
            pieces.push(Piece::Text(text));
            pieces.push(Piece::Text(OPEN));
            rest = from.strip_prefix(OPEN).unwrap_or_default();
            continue;
        }
        pieces.push(Piece::Text(before));
        let inside = from.strip_prefix(OPEN).unwrap_or_default();
        let Some((name, after)) = inside.split_once(CLOSE) else {
            pieces.push(Piece::Open(from));
            return pieces;
        };
        pieces.push(Piece::Variable(name.trim()));
        rest = after;
    }
    pieces.push(Piece::Text(rest));
    pieces.retain(|piece| *piece != Piece::Text(""));
    pieces
}

/// Visits all strings below `value` that contain braces, with their JSON Pointers.
pub fn strings<'a>(value: &'a Value, found: &mut impl FnMut(&str, &'a str)) {
    visit(value, &mut |path, text| {
        if text.contains(OPEN) {
            found(path, text);
        }
    });
}

/// Visits all strings below `value`, with their JSON Pointers.
pub fn visit<'a>(value: &'a Value, visit: &mut impl FnMut(&str, &'a str)) {
    walk(value, &mut String::new(), visit);
}

/// The id of an upload, if the text contains one without variables.
pub fn upload(text: &str) -> Option<&str> {
    text.strip_prefix("upload://").filter(|id| !id.contains(OPEN))
}

fn walk<'a>(value: &'a Value, path: &mut String, visit: &mut impl FnMut(&str, &'a str)) {
    let end = path.len();
    match value {
        Value::String(text) => visit(path, text),
        Value::Array(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                path.push_str(&format!("/{index}"));
                walk(entry, path, visit);
                path.truncate(end);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                path.push('/');
                path.push_str(&name.replace('~', "~0").replace('/', "~1"));
                walk(member, path, visit);
                path.truncate(end);
            }
        }
        _ => {}
    }
}

/// The variables in a string, in their order.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Variable(name) => Some(name),
        _ => None,
    })
}

/// The value with `values` in place of variables.
pub fn filled(value: &Value, values: &Values) -> Value {
    match value {
        Value::String(text) if text.contains(OPEN) => string(text, values),
        Value::Array(entries) => entries.iter().map(|entry| filled(entry, values)).collect(),
        Value::Object(members) => Value::Object(
            members.iter().map(|(name, member)| (name.clone(), filled(member, values))).collect(),
        ),
        other => other.clone(),
    }
}

/// A string that consists of one variable takes the type of its value.
fn string(text: &str, values: &Values) -> Value {
    let pieces = pieces(text);
    if let [Piece::Variable(name)] = pieces.as_slice() {
        return values.get(*name).cloned().unwrap_or(Value::Null);
    }
    let text = |piece| match piece {
        Piece::Text(text) | Piece::Open(text) => text.to_owned(),
        Piece::Variable(name) => values.get(name).map(as_text).unwrap_or_default(),
    };
    Value::String(pieces.into_iter().map(text).collect())
}

/// A value as it is inserted into a longer string.
pub fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// The components of the size of a filled request, so that the size is known before filling.
pub struct Footprint<'a> {
    /// Bytes of everything but variables.
    fixed: usize,
    /// How often each variable is written.
    uses: BTreeMap<&'a str, usize>,
}

impl<'a> Footprint<'a> {
    pub fn of(value: &'a Value) -> Self {
        let mut footprint = Self { fixed: 0, uses: BTreeMap::new() };
        footprint.add(value);
        footprint
    }

    /// The approximate size in bytes with the values of variables.
    pub fn size<'v>(&self, value: impl Fn(&str) -> Option<&'v Value>) -> usize {
        let sizes = self.uses.iter().map(|(name, uses)| uses.saturating_mul(value(name).map_or(0, length)));
        sizes.fold(self.fixed, usize::saturating_add)
    }

    fn add(&mut self, value: &'a Value) {
        match value {
            Value::String(text) if text.contains(OPEN) => {
                self.fixed += text.len() + 2;
                names(text).for_each(|name| *self.uses.entry(name).or_default() += 1);
            }
            Value::Array(entries) => {
                self.fixed += entries.len() + 2;
                entries.iter().for_each(|entry| self.add(entry));
            }
            Value::Object(members) => {
                self.fixed += members.keys().map(|name| name.len() + 4).sum::<usize>() + 2;
                members.values().for_each(|member| self.add(member));
            }
            other => self.fixed += length(other),
        }
    }
}

/// The approximate length in bytes of an inserted value.
fn length(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        _ => 8,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_replace_only_variables() {
        let values = json!({ "n": 3, "half": 0.5, "on": true, "t": "a {{n}} \" \\{{", "u": "https://x.example/a.mp4" });
        let Value::Object(values) = values else { unreachable!() };
        let check = |text: &str, expected: Value| assert_eq!(string(text, &values), expected, "{text}");
        check("{{n}}", json!(3));
        check("{{ half }}", json!(0.5));
        check("{{on}}", json!(true));
        check("{{u}}", json!("https://x.example/a.mp4"));
        check("{{n}} of {{half}}: {{on}}", json!("3 of 0.5: true"));
        // Braces in an inserted value are not replaced again.
        check("<{{t}}>", json!("<a {{n}} \" \\{{>"));
        check("\\{{n}}", json!("{{n}}"));
        check("\\{{n}} {{n}}", json!("{{n}} 3"));
        check("{{missing}}", Value::Null);
        check("x{{missing}}", json!("x"));
        check("{{n", json!("{{n"));
        check("{ {n}}", json!("{ {n}}"));
        check("{{{n}}}", json!("}"));
    }

    #[test]
    fn sizes_are_computed_before_filling() {
        let request = json!({ "a": ["{{x}}", "<{{x}} {{ y }}>"], "b": { "{{x}}": "\\{{x}}" }, "c": 1 });
        let footprint = Footprint::of(&request);
        let size = |values: Value| footprint.size(|name| values.get(name));
        let empty = size(json!({}));
        assert_eq!(size(json!({ "x": "x".repeat(1_000) })), empty + 2 * 1_002);
        assert_eq!(size(json!({ "x": 1, "y": "yy" })), empty + 2 * 8 + 4);
        assert!((60..100).contains(&empty), "{empty}");
    }
}
