//! Templates: a request with `{{variables}}` in its strings, and the type of each variable.
//!
//! Values are inserted into the strings of the parsed request, never into its JSON text, and the result is read like
//! any request. A clip whose URL is a list becomes one clip for each entry; an object with a condition can be dropped.

mod check;
mod conditions;
mod fill;
mod footprint;
mod lists;
mod places;
mod read;
mod values;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{FieldError, json, schema};
use crate::message::{self, Message};
use footprint::Footprint;
use lists::{JsonSize, List, Names, NumberedColumns};
use places::Places;

pub use check::check_template;
pub(super) use fill::visit;
pub use lists::{join, split};
pub(super) use read::read_variables;
pub use read::{NewTemplate, TemplateUse, parse_template, parse_use};
pub use values::{at_entry, check_values, column_of, value_path};

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
    /// A list of URLs.
    #[serde(rename_all = "camelCase")]
    Urls {
        #[serde(skip_serializing_if = "Option::is_none")]
        min_items: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        max_items: Option<u32>,
    },
    /// A list of texts; `max_length` applies to each.
    #[serde(rename_all = "camelCase")]
    Texts {
        #[serde(skip_serializing_if = "Option::is_none")]
        max_length: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        min_items: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        max_items: Option<u32>,
    },
}

impl VariableKind {
    pub const NAMES: [&'static str; 7] = ["text", "number", "url", "color", "choice", "urls", "texts"];

    pub fn is_file(&self) -> bool {
        matches!(self, Self::Url | Self::Urls { .. })
    }

    pub fn is_list(&self) -> bool {
        self.list().is_some()
    }

    fn list(&self) -> Option<List> {
        match self {
            Self::Urls { min_items, max_items } => Some(List::new(Self::Url, *min_items, *max_items)),
            Self::Texts { max_length, min_items, max_items } => {
                Some(List::new(Self::Text { max_length: *max_length }, *min_items, *max_items))
            }
            _ => None,
        }
    }

    /// The value of a variable that may be omitted and was.
    fn empty(&self) -> Value {
        if self.is_list() { Value::Array(Vec::new()) } else { Value::String(String::new()) }
    }
}

/// A column of a table, and the entry of the list in its cell, from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub entry: Option<usize>,
}

/// The maximum size in bytes of a request made from a template.
pub const MAX_BYTES: usize = 32 << 20;

impl Template {
    /// The request with these values, which were checked before; a variable without a value becomes empty.
    ///
    /// # Errors
    /// The request would be larger than [`MAX_BYTES`], or have more values than a body may have.
    pub fn fill(&self, values: &Values) -> Result<Value, Message> {
        let extent = self.extent([values]);
        if extent.bytes > MAX_BYTES {
            return Err(message::filled_too_large(MAX_BYTES >> 20));
        }
        // Without lists, the request has as many values as the template.
        if extent.values > json::MAX_VALUES && self.variables.iter().any(|variable| variable.kind.is_list()) {
            return Err(message::filled_too_many_values(json::MAX_VALUES));
        }
        Ok(fill::filled(&self.request, values))
    }

    /// The approximate size in bytes of all requests that it makes with these values, or with its defaults.
    pub fn sizes<'v>(&self, rows: impl IntoIterator<Item = &'v Values>) -> usize {
        self.extent(rows).bytes
    }

    fn extent<'v>(&self, rows: impl IntoIterator<Item = &'v Values>) -> JsonSize {
        let footprint = Footprint::of(&self.request, &|name| self.is_list(name));
        let default = |name: &str| self.variable(name)?.default.as_ref();
        let size = |values: &Values| {
            let columns = NumberedColumns::of(self, values);
            footprint.size(|name| {
                let value = || values.get(name).or_else(|| default(name));
                columns.extent(name).or_else(|| Some(lists::extent(value()?, self.is_list(name))))
            })
        };
        rows.into_iter().map(size).fold(JsonSize::default(), JsonSize::plus)
    }

    fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().find(|variable| variable.name == name)
    }

    fn is_list(&self, name: &str) -> bool {
        self.variable(name).is_some_and(|variable| variable.kind.is_list())
    }

    /// The columns that errors of the request belong to, which was filled with these values.
    pub fn columns<'t>(&'t self, given: &'t Values, values: &Values) -> Columns<'t> {
        let places = Places::of(&self.request, values);
        Columns { template: self, numbered: NumberedColumns::of(self, given), places }
    }

    /// The column that has this text, and its entry, among the values as the client sent them.
    pub fn column_with(&self, given: &Values, text: &str) -> Option<Column> {
        let is_text = |value: &Value| value.as_str().is_some_and(|value| value.trim() == text);
        given.iter().find_map(|(name, value)| {
            let entry = match value {
                Value::Array(entries) => Some(entries.iter().position(is_text)?),
                Value::String(cell) if self.is_list(name) => {
                    Some(split(cell).iter().position(|entry| entry == text)?)
                }
                value => return is_text(value).then(|| Column { name: name.clone(), entry: None }),
            };
            Some(Column { name: name.clone(), entry })
        })
    }

    /// Whether a column of a table has files.
    pub fn file_column(&self, name: &str) -> Option<FileColumn> {
        match self.variable(name) {
            Some(variable) if !variable.kind.is_file() => None,
            Some(variable) if variable.kind.is_list() => Some(FileColumn::List),
            Some(_) => Some(FileColumn::Single),
            None => {
                let (list, _) = Names::of(self).numbered(name)?;
                self.variable(list)?.kind.is_file().then_some(FileColumn::Single)
            }
        }
    }

    /// The text of the template at this place, and the entry of the list that it is replaced by.
    fn text_at(&self, path: &str) -> Option<(&str, Option<usize>)> {
        if let Some(text) = self.request.pointer(path).and_then(Value::as_str) {
            return Some((text, None));
        }
        let (list, entry) = path.rsplit_once('/')?;
        Some((self.request.pointer(list)?.as_str()?, entry.parse().ok()))
    }

    /// The ids of the uploads in it, with their places.
    pub fn uploads(&self) -> Vec<(String, &str)> {
        let mut uploads = Vec::new();
        fill::visit(&self.request, &mut |path, text| {
            uploads.extend(fill::upload(text).map(|id| (format!("/request{path}"), id)));
        });
        for (index, variable) in self.variables.iter().enumerate() {
            fill::visit_all(variable.default.as_ref(), &mut |path, text| {
                uploads
                    .extend(fill::upload(text).map(|id| (format!("/variables/{index}/default{path}"), id)));
            });
        }
        uploads
    }

    /// The places of files, as JSON Pointers into the request, and the values there.
    pub fn files(&self) -> Vec<(String, &str)> {
        let mut files = Vec::new();
        fill::visit(&self.request, &mut |path, text| {
            if schema::names_file(path, text) {
                files.push((path.to_owned(), text));
            }
        });
        files
    }
}

/// The content of a column with files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileColumn {
    /// A file, or an entry of a list.
    Single,
    List,
}

/// Finds the columns of errors in a filled request.
pub struct Columns<'t> {
    template: &'t Template,
    numbered: NumberedColumns<'t>,
    places: Places,
}

impl Columns<'_> {
    /// The column that an error belongs to, if its place contains exactly one variable.
    pub fn of(&self, error: &FieldError) -> Option<Column> {
        let origin = self.places.origin(&error.path);
        let (text, entry) = self.template.text_at(&origin.path)?;
        let mut names = fill::names(text);
        let name = names.next().filter(|_| names.next().is_none())?;
        let entry = entry.or(origin.entry).filter(|_| self.template.is_list(name));
        match entry.and_then(|entry| self.numbered.column(name, entry)) {
            Some(column) => Some(Column { name: column.to_owned(), entry: None }),
            None => Some(Column { name: name.to_owned(), entry }),
        }
    }
}
