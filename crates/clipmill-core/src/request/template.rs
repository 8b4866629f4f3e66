//! Templates: a request with `{{variables}}` in its strings, and the type of each variable.
//!
//! Values are inserted into the strings of the parsed request, never into its JSON text, and the result is read like
//! any request.

mod check;
mod fill;
mod read;
mod values;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{FieldError, schema};
use crate::message::{self, Message};
use fill::Footprint;

pub use check::check_template;
pub(super) use read::read_variables;
pub use read::{NewTemplate, TemplateUse, parse_template, parse_use};
pub use values::{check_values, value_path};

/// Values of the variables, by name.
pub type Values = Map<String, Value>;

/// A request that still has variables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Template {
    pub request: Value,
    pub variables: Vec<Variable>,
}

/// A variable, whose places in a template's strings are written `{{name}}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Variable {
    pub name: String,
    #[serde(flatten)]
    pub kind: VariableKind,
    /// Used when no value is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The question that a form shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum VariableKind {
    #[serde(rename_all = "camelCase")]
    Text {
        #[serde(skip_serializing_if = "Option::is_none")]
        max_length: Option<u32>,
    },
    Number {
        #[serde(skip_serializing_if = "Option::is_none")]
        minimum: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        maximum: Option<f64>,
    },
    Url,
    Color,
    Choice {
        choices: Vec<Value>,
    },
}

impl VariableKind {
    pub const NAMES: [&'static str; 5] = ["text", "number", "url", "color", "choice"];
}

/// The maximum size in bytes of a request made from a template.
pub const MOST_BYTES: usize = 32 << 20;

impl Template {
    /// The request with these values, which were checked before; a variable without a value becomes empty.
    ///
    /// # Errors
    /// The request would be larger than [`MOST_BYTES`].
    pub fn fill(&self, values: &Values) -> Result<Value, Message> {
        match self.sizes([values]) <= MOST_BYTES {
            true => Ok(fill::filled(&self.request, values)),
            false => Err(message::filled_too_large(MOST_BYTES >> 20)),
        }
    }

    /// The approximate size in bytes of all requests that it makes with these values, or with its defaults.
    pub fn sizes<'v>(&self, rows: impl IntoIterator<Item = &'v Values>) -> usize {
        let footprint = Footprint::of(&self.request);
        let default =
            |name: &str| self.variables.iter().find(|variable| variable.name == name)?.default.as_ref();
        let size = |values: &Values| footprint.size(|name| values.get(name).or_else(|| default(name)));
        rows.into_iter().map(size).fold(0, usize::saturating_add)
    }

    /// The column of a table that an error belongs to, if its place contains exactly one variable.
    pub fn column(&self, error: &FieldError) -> Option<&str> {
        let mut names = fill::names(self.request.pointer(&error.path)?.as_str()?);
        names.next().filter(|_| names.next().is_none())
    }

    /// The ids of the uploads in it, with their places.
    pub fn uploads(&self) -> Vec<(String, &str)> {
        let mut uploads = Vec::new();
        fill::visit(&self.request, &mut |path, text| {
            uploads.extend(fill::upload(text).map(|id| (format!("/request{path}"), id)));
        });
        for (index, variable) in self.variables.iter().enumerate() {
            let default = variable.default.as_ref().and_then(Value::as_str).and_then(fill::upload);
            uploads.extend(default.map(|id| (format!("/variables/{index}/default"), id)));
        }
        uploads
    }

    /// The places of files, as JSON Pointers into the request, and the values there.
    pub fn files(&self) -> Vec<(String, &str)> {
        let mut files = Vec::new();
        fill::visit(&self.request, &mut |path, text| {
            if schema::names_file(path) {
                files.push((path.to_owned(), text));
            }
        });
        files
    }

    /// Sample values for variables without a default.
    pub fn samples(&self) -> Values {
        let sample = |variable: &Variable| (variable.name.clone(), values::sample(variable));
        self.variables.iter().map(sample).collect()
    }
}
