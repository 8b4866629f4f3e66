//! Reads the bodies that define a template, or use one.

use serde_json::{Map, Value};

use super::lists::MAX_ENTRIES;
use super::{Template, Values, Variable, VariableKind};
use crate::ids::TemplateNo;
use crate::message;
use crate::request::reader::{Fields, Node};
use crate::request::report::Report;
use crate::request::scalar::Range;
use crate::request::{Policy, RequestError, json};

pub const MAX_VARIABLES: usize = 200;
const MAX_CHOICES: usize = 200;
const MAX_NAME_LENGTH: usize = 60;
const MAX_TEXT_LENGTH: u64 = 50_000;
const ANY: Range = Range::new(-1e15, 1e15);

/// A template as a client sends it.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTemplate {
    pub name: String,
    pub template: Template,
    /// The version that is replaced; the request fails if a newer one exists.
    pub replaces: Option<u32>,
}

/// A request that uses a template: its number, values, and other top-level fields of the request.
#[derive(Debug, Clone, PartialEq)]
pub struct TemplateUse {
    pub template: TemplateNo,
    /// The version, or `None` for the newest.
    pub version: Option<u32>,
    pub values: Values,
    /// Fields that override the template's.
    pub overrides: Map<String, Value>,
}

/// Reads a new template; [`super::check_template`] checks whether it makes sense.
pub fn parse_template(body: &[u8], policy: &Policy) -> Result<NewTemplate, RequestError> {
    let value: Value = json::parse(body)?;
    let mut report = Report::new(policy);
    let template = Node::root(&value, &mut report).object(|fields| read_body(fields, &value)).flatten();
    report.close(template).map(|(template, _)| template)
}

pub fn read_body(fields: &mut Fields, body: &Value) -> Option<NewTemplate> {
    let name = fields.need("name").text(120);
    let replaces = fields.get("version").integer(1..=u32::MAX.into());
    let template = read_template(fields, body);
    Some(NewTemplate { name: name?, template: template?, replaces })
}

fn read_template(fields: &mut Fields, body: &Value) -> Option<Template> {
    fields.need("request").unread_object::<()>();
    let variables = read_variables(fields)?;
    let request = body.get("request").filter(|request| request.is_object())?;
    Some(Template { request: request.clone(), variables })
}

/// Reads the variables; `None` if one is invalid.
pub fn read_variables(fields: &mut Fields) -> Option<Vec<Variable>> {
    let declared = fields.entries("variables").unwrap_or(0);
    let variables =
        fields.get("variables").array_or_empty(MAX_VARIABLES, |entry| entry.object(read_variable).flatten());
    let variables = variables.unwrap_or_default();
    for (index, variable) in variables.iter().enumerate() {
        if variables.iter().take(index).any(|earlier| earlier.name == variable.name) {
            fields.refuse("variables", message::variable_again(&variable.name), None);
            return None;
        }
    }
    (variables.len() == declared).then_some(variables)
}

fn read_variable(fields: &mut Fields) -> Option<Variable> {
    let name = fields.need("name").text(MAX_NAME_LENGTH);
    if name.as_deref().is_some_and(|name| !is_name(name)) {
        fields.refuse("name", message::variable_name(), None);
        return None;
    }
    let label = fields.get("label").text(120);
    let kind = read_kind(fields)?;
    let default = read_default(fields, &kind);
    Some(Variable { name: name?, kind, default: default?, label })
}

fn read_kind(fields: &mut Fields) -> Option<VariableKind> {
    let names = VariableKind::NAMES.map(|name| (name, name));
    match fields.need("type").choice(&names)? {
        "text" => {
            Some(VariableKind::Text { max_length: fields.get("maxLength").integer(1..=MAX_TEXT_LENGTH) })
        }
        "number" => {
            let (minimum, maximum) = (fields.get("minimum").number(ANY), fields.get("maximum").number(ANY));
            if let (Some(low), Some(high)) = (minimum, maximum)
                && low > high
            {
                fields.refuse("minimum", message::not_above("maximum", high), None);
                return None;
            }
            Some(VariableKind::Number { minimum, maximum })
        }
        "url" => Some(VariableKind::Url),
        "urls" => {
            let (min_items, max_items) = read_items(fields)?;
            Some(VariableKind::Urls { min_items, max_items })
        }
        "texts" => {
            let max_length = fields.get("maxLength").integer(1..=MAX_TEXT_LENGTH);
            let (min_items, max_items) = read_items(fields)?;
            Some(VariableKind::Texts { max_length, min_items, max_items })
        }
        "color" => Some(VariableKind::Color),
        _ => {
            let choices = fields.need("choices").array(MAX_CHOICES, |entry| {
                let scalar = entry.value.filter(|value| !value.is_object() && !value.is_array()).cloned();
                if scalar.is_some() { scalar } else { entry.refuse(message::not_a_string(), None) }
            });
            Some(VariableKind::Choice { choices: choices? })
        }
    }
}

/// Reads the limits of a list; `None` if they contradict each other.
fn read_items(fields: &mut Fields) -> Option<(Option<u32>, Option<u32>)> {
    let most = u64::from(MAX_ENTRIES);
    let (least, most) = (fields.get("minItems").integer(1..=most), fields.get("maxItems").integer(1..=most));
    if let (Some(least), Some(most)) = (least, most)
        && least > most
    {
        fields.refuse("minItems", message::not_above("maxItems", most), None);
        return None;
    }
    Some((least, most))
}

/// Reads a default; the outer `None` means that it is invalid. Every default may be empty.
fn read_default(fields: &mut Fields, kind: &VariableKind) -> Option<Option<Value>> {
    let policy = fields.policy();
    let Some(default_value) = fields.raw("default") else { return Some(None) };
    if default_value == "" || (kind.is_list() && default_value == Value::Array(Vec::new())) {
        return Some(Some(kind.empty()));
    }
    match kind.read(&default_value, policy) {
        Ok(value) => Some(Some(value)),
        Err(errors) => {
            for error in errors {
                fields.refuse(&format!("default{}", error.path), error.message, error.allowed);
            }
            None
        }
    }
}

/// Whether it consists of letters, digits, `_`, `-`, `.`, and spaces within.
fn is_name(name: &str) -> bool {
    let sane = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    !name.is_empty() && name.trim() == name && name.chars().all(sane)
}

/// Reads a request that uses a template; `None` if it is a plain request.
pub fn parse_use(body: &Value, policy: &Policy) -> Result<Option<TemplateUse>, RequestError> {
    let is_use = body.as_object().is_some_and(|body| body.contains_key("template"));
    if !is_use {
        return Ok(None);
    }
    let mut report = Report::new(policy);
    let template_use = Node::root(body, &mut report).object(|fields| {
        let number = fields.need("template").text(MAX_NAME_LENGTH);
        let template = number.as_deref().and_then(TemplateNo::parse);
        if number.is_some() && template.is_none() {
            fields.refuse("template", message::no_such_template(), None);
        }
        let version = fields.get("version").integer(1..=u32::MAX.into());
        fields.get("values").unread_object::<()>();
        let mut overrides = Map::new();
        for name in ["callbackUrl", "clientTaskId", "name", "labels", "maxPoints"] {
            overrides.extend(fields.raw(name).map(|value| (name.to_owned(), value)));
        }
        let values = body.get("values").and_then(Value::as_object).cloned().unwrap_or_default();
        Some(TemplateUse { template: template?, version, values, overrides })
    });
    report.close(template_use.flatten()).map(|(template_use, _)| Some(template_use))
}
