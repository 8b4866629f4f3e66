//! Values of variables, from a table's cells or from JSON.

use serde_json::{Number, Value, json};

use super::fill::as_text;
use super::{Template, Values, Variable, VariableKind};
use crate::message::{self, Message};
use crate::request::color;
use crate::request::names::nearest;
use crate::request::report::shorten;
use crate::request::{FieldError, Policy, url};
use crate::warning::Warning;

/// The longest text if the variable sets no limit.
const LONGEST: usize = 5_000;
const SHOWN: usize = 100;

/// Every variable's value, with defaults for missing ones, or all errors. Paths begin with `at`.
pub fn check_values(
    template: &Template,
    given: &Values,
    at: &str,
    policy: &Policy,
) -> Result<(Values, Vec<Warning>), Vec<FieldError>> {
    let (mut values, mut errors, mut warnings) = (Values::new(), Vec::new(), Vec::new());
    let path = |name: &str| value_path(at, name);
    for variable in &template.variables {
        let given_value = given.get(&variable.name).filter(|value| !is_absent(value));
        match value(variable, given_value, policy) {
            Ok(value) => drop(values.insert(variable.name.clone(), value)),
            Err((message, allowed)) => {
                let shown_value = given_value.map(|value| json!(shorten(&as_text(value), SHOWN)));
                errors.push(FieldError { path: path(&variable.name), message, got: shown_value, allowed });
            }
        }
    }
    let names: Vec<&str> = template.variables.iter().map(|variable| variable.name.as_str()).collect();
    for name in given.keys().filter(|name| !names.contains(&name.as_str())) {
        match nearest(name, &names) {
            Some(near) => errors.push(FieldError {
                path: path(name),
                message: message::unknown_variable_near(near),
                got: None,
                allowed: Some(message::allowed_values(near)),
            }),
            None => warnings.push(Warning { path: path(name), message: message::unknown_variable_ignored() }),
        }
    }
    if errors.is_empty() { Ok((values, warnings)) } else { Err(errors) }
}

/// The path of a variable's value in errors and warnings; `at` is the path of all values.
pub fn value_path(at: &str, name: &str) -> String {
    format!("{at}/{}", shorten(name, SHOWN).replace('~', "~0").replace('/', "~1"))
}

fn is_absent(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        _ => false,
    }
}

type Refused = (Message, Option<Message>);

fn value(variable: &Variable, value: Option<&Value>, policy: &Policy) -> Result<Value, Refused> {
    match (value, &variable.default) {
        (Some(value), _) => variable.kind.read(value, policy),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => Err((message::is_required(), None)),
    }
}

impl VariableKind {
    /// Converts a value to this kind; a table's cell is always text.
    pub fn read(&self, found: &Value, policy: &Policy) -> Result<Value, Refused> {
        match self {
            Self::Text { max_length } => {
                let text = scalar(found).ok_or_else(|| (message::not_a_string(), None))?;
                let most = max_length.map_or(LONGEST, |most| most as usize);
                let count = text.chars().count();
                if count > most {
                    return Err((
                        message::too_many_characters(count, most),
                        Some(message::allowed_at_most(most)),
                    ));
                }
                Ok(Value::String(text))
            }
            Self::Number { minimum, maximum } => number(found, *minimum, *maximum),
            Self::Url => {
                let text = found.as_str().map(str::trim).ok_or_else(|| (message::not_a_url(), None))?;
                url::check_input(text, policy.allow_local_paths).map_err(|message| (message, None))?;
                Ok(Value::String(text.to_owned()))
            }
            Self::Color => {
                let text = found.as_str().map(str::trim).filter(|text| color::parse(text).is_some());
                let text = text.ok_or_else(|| {
                    (message::not_a_colour(), Some(message::allowed_values(color::ALLOWED)))
                })?;
                Ok(Value::String(text.to_owned()))
            }
            Self::Choice { choices } => {
                let text = as_text(found);
                let same = |choice: &&Value| as_text(choice) == text.trim();
                let names = || choices.iter().map(as_text).collect::<Vec<_>>().join(", ");
                let matching = choices.iter().find(same);
                matching
                    .cloned()
                    .ok_or_else(|| (message::none_of(names()), Some(message::allowed_values(names()))))
            }
        }
    }
}

/// The value as text, if it is text or converts to it without ambiguity.
fn scalar(value: &Value) -> Option<String> {
    matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_)).then(|| as_text(value))
}

fn number(found: &Value, minimum: Option<f64>, maximum: Option<f64>) -> Result<Value, Refused> {
    let read = match found {
        Value::Number(number) => Some(number.clone()),
        Value::String(text) => read_number(text.trim()),
        _ => None,
    };
    let read = read.ok_or_else(|| (message::not_a_number(), None))?;
    let value = read.as_f64().unwrap_or(f64::NAN);
    let (least, most) = (minimum.unwrap_or(f64::MIN), maximum.unwrap_or(f64::MAX));
    if (least..=most).contains(&value) {
        return Ok(Value::Number(read));
    }
    let message = match (minimum, maximum) {
        (Some(minimum), None) => message::at_least(minimum),
        (None, Some(maximum)) => message::at_most(maximum),
        _ => message::between(least, most),
    };
    Err((message, None))
}

/// Reads a number as JSON writes it: whole numbers stay whole.
fn read_number(text: &str) -> Option<Number> {
    let whole = text.parse::<i64>().ok().map(Number::from);
    whole.or_else(|| text.parse::<f64>().ok().and_then(Number::from_f64))
}

/// A sample value, used when there is no default.
pub fn sample(variable: &Variable) -> Value {
    if let Some(default) = &variable.default {
        return default.clone();
    }
    match &variable.kind {
        VariableKind::Text { .. } => json!("text"),
        VariableKind::Number { minimum, maximum } => {
            let value = minimum.or(*maximum).unwrap_or(1.0);
            read_number(&value.to_string()).map_or(json!(1), Value::Number)
        }
        VariableKind::Url => json!("https://media.example/file"),
        VariableKind::Color => json!("#FFFFFF"),
        VariableKind::Choice { choices } => choices.first().cloned().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_by_its_kind() {
        let check = |kind: Value, found: Value, expected: Option<Value>| {
            let kind: VariableKind = serde_json::from_value(kind).unwrap();
            assert_eq!(kind.read(&found, &Policy::default()).ok(), expected, "{kind:?} {found}");
        };
        let text = json!({ "type": "text", "maxLength": 5 });
        check(text.clone(), json!("=1+1"), Some(json!("=1+1")));
        check(text.clone(), json!(12), Some(json!("12")));
        check(text.clone(), json!("漢字漢字漢字"), None);
        check(text, json!(["a"]), None);
        let number = json!({ "type": "number", "minimum": 1.0, "maximum": 9.5 });
        check(number.clone(), json!(" 3 "), Some(json!(3)));
        check(number.clone(), json!("9.5"), Some(json!(9.5)));
        for wrong in
            [json!("9,5"), json!(0), json!("10"), json!("NaN"), json!("inf"), json!(true), json!("1e999")]
        {
            check(number.clone(), wrong, None);
        }
        check(json!({ "type": "color" }), json!("#fff"), Some(json!("#fff")));
        check(json!({ "type": "color" }), json!("white"), None);
        check(json!({ "type": "url" }), json!("upload://abc "), Some(json!("upload://abc")));
        check(json!({ "type": "url" }), json!("file:///etc/passwd"), None);
        let choice = json!({ "type": "choice", "choices": ["crop", 2, true] });
        check(choice.clone(), json!("crop"), Some(json!("crop")));
        check(choice.clone(), json!("2"), Some(json!(2)));
        check(choice.clone(), json!("true"), Some(json!(true)));
        check(choice, json!("fit"), None);
    }
}
