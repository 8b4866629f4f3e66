//! Finds variables in strings and replaces them by values.

use serde_json::{Map, Value};

use super::Values;

pub const OPEN: &str = "{{";
const CLOSE: &str = "}}";
/// The member of an object with the variable that decides whether the object is dropped.
pub const CONDITION: &str = "$if";
/// The names of a clip's URL.
const CLIP_URLS: [&str; 2] = ["url", "filename"];

/// A token of a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplateToken<'a> {
    Text(&'a str),
    Variable(&'a str),
    /// Opening braces without closing braces, and the rest.
    Open(&'a str),
}

/// Splits a string into its tokens.
pub fn tokens(text: &str) -> Vec<TemplateToken<'_>> {
    let (mut tokens, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find(OPEN) {
        let (before, from) = rest.split_at(at);
        if let Some(text) = before.strip_suffix('\\') {
            tokens.push(TemplateToken::Text(text));
            tokens.push(TemplateToken::Text(OPEN));
            rest = from.strip_prefix(OPEN).unwrap_or_default();
            continue;
        }
        tokens.push(TemplateToken::Text(before));
        let inside = from.strip_prefix(OPEN).unwrap_or_default();
        let Some((name, after)) = inside.split_once(CLOSE) else {
            tokens.push(TemplateToken::Open(from));
            return tokens;
        };
        tokens.push(TemplateToken::Variable(name.trim()));
        rest = after;
    }
    tokens.push(TemplateToken::Text(rest));
    tokens.retain(|token| *token != TemplateToken::Text(""));
    tokens
}

/// Visits all strings below `value` that contain braces, with their JSON Pointers.
pub fn strings<'a>(value: &'a Value, found: &mut impl FnMut(&str, &'a str)) {
    visit(value, &mut |path, text| {
        if text.contains(OPEN) {
            found(path, text);
        }
    });
}

/// [`visit`] for a value that may be absent.
pub fn visit_all<'a>(value: Option<&'a Value>, visitor: &mut impl FnMut(&str, &'a str)) {
    if let Some(value) = value {
        visit(value, visitor);
    }
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
                path.push_str(&step(name));
                walk(member, path, visit);
                path.truncate(end);
            }
        }
        _ => {}
    }
}

/// The variables in a string, in their order.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    tokens(text).into_iter().filter_map(|token| match token {
        TemplateToken::Variable(name) => Some(name),
        _ => None,
    })
}

/// The name of a member as a step of a JSON Pointer.
pub fn step(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The variable that makes up the whole text.
pub fn single(text: &str) -> Option<&str> {
    match tokens(text).as_slice() {
        [TemplateToken::Variable(name)] => Some(name),
        _ => None,
    }
}

/// The variable that decides whether an object is dropped.
pub fn condition(members: &Map<String, Value>) -> Option<&str> {
    single(members.get(CONDITION)?.as_str()?)
}

/// The member of a clip that is its URL, and the variable that makes up the URL.
pub fn clip_url(members: &Map<String, Value>) -> Option<(&'static str, &str)> {
    CLIP_URLS.into_iter().find_map(|key| Some((key, single(members.get(key)?.as_str()?)?)))
}

/// What an entry of an array in a template becomes.
pub enum Expansion<'v> {
    Dropped,
    One,
    /// A clip for each entry of a list, which replaces this member.
    Clips(&'static str, &'v [Value]),
}

impl<'v> Expansion<'v> {
    pub fn of(entry: &Value, values: &'v Values) -> Self {
        let Value::Object(members) = entry else { return Self::One };
        if is_dropped(entry, values) {
            return Self::Dropped;
        }
        match clip_url(members).map(|(key, name)| (key, values.get(name))) {
            Some((key, Some(Value::Array(list)))) => Self::Clips(key, list),
            _ => Self::One,
        }
    }
}

/// Whether it is an object whose condition is not met.
pub fn is_dropped(value: &Value, values: &Values) -> bool {
    let name = value.as_object().and_then(condition);
    name.is_some_and(|name| values.get(name).is_none_or(is_empty))
}

/// Whether a variable has no value.
pub fn is_absent(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(entries) => entries.is_empty(),
        _ => false,
    }
}

/// Whether a condition with this value is not met. The text "0" is not empty.
pub fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(entries) => entries.is_empty(),
        Value::Object(_) => false,
    }
}

/// The value with `values` in place of variables.
pub fn filled(value: &Value, values: &Values) -> Value {
    match value {
        Value::String(text) if text.contains(OPEN) => string(text, values),
        Value::Array(entries) => {
            let mut all = Vec::with_capacity(entries.len());
            for entry in entries {
                match (Expansion::of(entry, values), entry) {
                    (Expansion::Dropped, _) => {}
                    (Expansion::Clips(key, list), Value::Object(clip)) => {
                        all.extend(list.iter().map(|url| object(clip, values, Some((key, url)))));
                    }
                    _ => all.push(filled(entry, values)),
                }
            }
            Value::Array(all)
        }
        Value::Object(members) => object(members, values, None),
        other => other.clone(),
    }
}

/// The object without its condition and dropped members; `replaced` is a member with its value.
fn object(members: &Map<String, Value>, values: &Values, replaced: Option<(&str, &Value)>) -> Value {
    let has_condition = condition(members).is_some();
    let is_removed =
        |name: &str, member: &Value| (has_condition && name == CONDITION) || is_dropped(member, values);
    let kept = members.iter().filter(|(name, member)| !is_removed(name, member));
    let kept = kept.map(|(name, member)| match replaced {
        Some((key, value)) if key == name => (name.clone(), value.clone()),
        _ => (name.clone(), filled(member, values)),
    });
    Value::Object(kept.collect())
}

/// A string that consists of one variable takes the type of its value.
fn string(text: &str, values: &Values) -> Value {
    let tokens = tokens(text);
    if let [TemplateToken::Variable(name)] = tokens.as_slice() {
        return values.get(*name).cloned().unwrap_or(Value::Null);
    }
    let text = |token| match token {
        TemplateToken::Text(text) | TemplateToken::Open(text) => text.to_owned(),
        TemplateToken::Variable(name) => values.get(name).map(as_text).unwrap_or_default(),
    };
    Value::String(tokens.into_iter().map(text).collect())
}

/// A value as it is inserted into a longer string.
pub fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
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
    fn lists_repeat_clips_and_conditions_drop_objects() {
        let values = json!({ "photos": ["a", "b"], "none": [], "logo": "", "zero": 0, "text": "0", "off": false, "s": 3 });
        let Value::Object(values) = values else { unreachable!() };
        let check = |template: Value, expected: Value| assert_eq!(filled(&template, &values), expected);
        check(
            json!([{ "url": "x" }, { "duration": "{{s}}", "url": "{{ photos }}" }, { "filename": "{{none}}" }]),
            json!([{ "url": "x" }, { "duration": 3, "url": "a" }, { "duration": 3, "url": "b" }]),
        );
        check(
            json!({ "texts": "{{photos}}", "own": { "url": "{{photos}}" } }),
            json!({ "texts": ["a", "b"], "own": { "url": ["a", "b"] } }),
        );
        check(
            json!([[{ "$if": "{{photos}}", "url": "{{photos}}" }]]),
            json!([[{ "url": "a" }, { "url": "b" }]]),
        );
        for empty in ["logo", "none", "zero", "off", "unknown"] {
            let condition = format!("{{{{ {empty} }}}}");
            check(json!([1, { "$if": condition, "a": 1 }]), json!([1]));
            check(json!({ "a": { "$if": condition, "b": 1 }, "c": 1 }), json!({ "c": 1 }));
            check(
                json!({ "a": [{ "$if": "{{s}}", "b": { "$if": condition, "c": 1 } }] }),
                json!({ "a": [{}] }),
            );
        }
        check(json!({ "a": { "$if": "{{text}}", "b": 1 } }), json!({ "a": { "b": 1 } }));
        // Nothing but a single variable is a condition.
        for other in [json!("x{{logo}}"), json!("logo"), json!(false), json!({ "$if": true }), json!(null)] {
            let object = json!({ "a": { "$if": other, "b": 1 } });
            assert!(filled(&object, &values)["a"]["b"] == 1, "{object}");
        }
    }
}
