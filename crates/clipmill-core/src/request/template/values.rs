//! Values of variables, from a table's cells or from JSON.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Number, Value, json};

use super::fill::{as_text, is_absent, is_empty};
use super::lists::{List, NumberedColumn, NumberedColumns, count, split};
use super::places::empty_clips;
use super::{Template, Values, Variable, VariableKind};
use crate::message::{self, Message};
use crate::request::color;
use crate::request::names::nearest;
use crate::request::report::shorten;
use crate::request::{FieldError, Policy, url};
use crate::warning::Warning;

/// The longest text if the variable sets no limit.
const MAX_TEXT_LENGTH: usize = 5_000;
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
    let columns = NumberedColumns::of(template, given);
    for variable in &template.variables {
        match value(variable, given, &columns, at, policy) {
            Ok(value) => drop(values.insert(variable.name.clone(), value)),
            Err(wrong) => errors.extend(wrong),
        }
    }
    let names: Vec<&str> = template.variables.iter().map(|variable| variable.name.as_str()).collect();
    let is_unknown = |name: &&String| !names.contains(&name.as_str()) && !columns.includes(name);
    for name in given.keys().filter(is_unknown) {
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
    if values.values().any(|value| matches!(value, Value::Array(entries) if entries.is_empty())) {
        let names: BTreeSet<&str> =
            empty_clips(&template.request, &values).into_iter().map(|(_, name)| name).collect();
        errors.extend(
            names.into_iter().map(|name| error(path(name), (message::empty_clip_list(), None), None)),
        );
    }
    if errors.is_empty() { Ok((values, warnings)) } else { Err(errors) }
}

/// The path of a variable's value in errors and warnings; `at` is the path of all values.
pub fn value_path(at: &str, name: &str) -> String {
    format!("{at}/{}", shorten(name, SHOWN).replace('~', "~0").replace('/', "~1"))
}

/// The column of an error in values, whose paths begin with `at`. The name of a variable has no `/`.
pub fn column_of<'p>(at: &str, path: &'p str) -> Option<&'p str> {
    path.strip_prefix(at)?.strip_prefix('/')?.split('/').next()
}

/// The message with the entry of a list, from 0, that it is about.
pub fn at_entry(entry: Option<usize>, message: Message) -> Message {
    match entry {
        Some(entry) => message::at_entry(entry.saturating_add(1), message),
        None => message,
    }
}

fn error(path: String, (message, allowed): Refused, got: Option<&Value>) -> FieldError {
    let shown_value = got.map(|value| json!(shorten(&as_text(value), SHOWN)));
    FieldError { path, message, got: shown_value, allowed }
}

type Refused = (Message, Option<Message>);

fn value(
    variable: &Variable,
    given: &Values,
    columns: &NumberedColumns,
    at: &str,
    policy: &Policy,
) -> Result<Value, Vec<FieldError>> {
    let path = value_path(at, &variable.name);
    let whole = given.get(&variable.name).filter(|value| !is_absent(value));
    let numbered = variable.kind.list().zip(columns.list(&variable.name));
    match (whole, numbered, &variable.default) {
        (Some(_), Some((_, columns)), _) => {
            let wrong = |column: &NumberedColumn| {
                let refused = (message::one_of_both(&variable.name), None);
                error(value_path(at, column.name), refused, Some(column.value))
            };
            Err(columns.values().take(1).map(wrong).collect())
        }
        (Some(found), None, _) => variable.kind.read(found, policy).map_err(|mut errors| {
            errors.iter_mut().for_each(|error| error.path.insert_str(0, &path));
            errors
        }),
        (None, Some((list, columns)), _) => from_columns(&list, columns, &variable.name, at, policy),
        (None, None, Some(default)) => Ok(default.clone()),
        (None, None, None) => Err(vec![error(path, (message::is_required(), None), None)]),
    }
}

/// The list of values in columns with numbers, which must be without gaps.
fn from_columns(
    list: &List,
    columns: &BTreeMap<usize, NumberedColumn>,
    name: &str,
    at: &str,
    policy: &Policy,
) -> Result<Value, Vec<FieldError>> {
    let highest = columns.last_key_value().map_or(0, |(number, _)| *number);
    list.check_count(highest).map_err(|refused| vec![error(value_path(at, name), refused, None)])?;
    let (mut entries, mut errors) = (Vec::new(), Vec::new());
    for (expected, (number, column)) in (1..).zip(columns) {
        if *number != expected {
            let gap = value_path(at, &format!("{name}{expected}"));
            errors.push(error(gap, (message::column_gap(column.name), None), None));
            break;
        }
        match list.entry.read_scalar(column.value, policy) {
            Ok(entry) => entries.push(entry),
            Err(refused) => errors.push(error(value_path(at, column.name), refused, Some(column.value))),
        }
    }
    if errors.is_empty() { Ok(Value::Array(entries)) } else { Err(errors) }
}

impl VariableKind {
    /// Converts a value to this kind; a table's cell is always text. Paths of errors begin at the value.
    pub fn read(&self, found: &Value, policy: &Policy) -> Result<Value, Vec<FieldError>> {
        match self.list() {
            Some(list) => read_list(&list, found, policy),
            None => self
                .read_scalar(found, policy)
                .map_err(|refused| vec![error(String::new(), refused, Some(found))]),
        }
    }

    /// [`VariableKind::read`] of a kind that is not a list.
    fn read_scalar(&self, found: &Value, policy: &Policy) -> Result<Value, Refused> {
        match self {
            Self::Text { max_length } | Self::Texts { max_length, .. } => {
                let text = scalar(found).ok_or_else(|| (message::not_a_string(), None))?;
                let most = max_length.map_or(MAX_TEXT_LENGTH, |most| most as usize);
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
            Self::Url | Self::Urls { .. } => {
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

/// Reads an array or a cell.
fn read_list(list: &List, found: &Value, policy: &Policy) -> Result<Value, Vec<FieldError>> {
    let refuse = |refused| vec![error(String::new(), refused, Some(found))];
    let entries = match found {
        Value::Array(entries) => {
            list.check_count(entries.len()).map_err(refuse)?;
            entries.clone()
        }
        Value::String(cell) => {
            list.check_count(count(cell)).map_err(refuse)?;
            split(cell).into_iter().map(Value::String).collect()
        }
        _ => return Err(refuse((message::not_an_array(), Some(message::allowed_array(list.most))))),
    };
    let (mut read, mut errors) = (Vec::with_capacity(entries.len()), Vec::new());
    for (index, entry) in entries.iter().enumerate() {
        let checked = match is_absent(entry) {
            true => Err((message::is_empty(), None)),
            false => list.entry.read_scalar(entry, policy),
        };
        match checked {
            Ok(entry) => read.push(entry),
            Err((message, allowed)) => {
                let refused = (at_entry(Some(index), message), allowed);
                errors.push(error(format!("/{index}"), refused, Some(entry)));
            }
        }
    }
    if errors.is_empty() { Ok(Value::Array(read)) } else { Err(errors) }
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

/// A sample value that no condition treats as empty; a list has at least `entries` entries if it can.
pub fn sample(kind: &VariableKind, entries: usize) -> Value {
    match kind {
        VariableKind::Text { .. } => json!("text"),
        VariableKind::Number { minimum, maximum } => {
            let candidates = [*minimum, *maximum, Some(1.0)].into_iter().flatten();
            let value = candidates.clone().find(|value| *value != 0.0).unwrap_or(1.0);
            read_number(&value.to_string()).map_or(json!(1), Value::Number)
        }
        VariableKind::Url => json!("https://media.example/file"),
        VariableKind::Color => json!("#FFFFFF"),
        VariableKind::Choice { choices } => {
            let choice = choices.iter().find(|choice| !is_empty(choice)).or(choices.first());
            choice.cloned().unwrap_or_default()
        }
        VariableKind::Urls { .. } | VariableKind::Texts { .. } => {
            let list = kind.list();
            let entry = list.as_ref().map(|list| sample(&list.entry, entries)).unwrap_or_default();
            let count = list.map_or(1, |list| entries.max(list.least).min(list.most));
            Value::Array(vec![entry; count])
        }
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
