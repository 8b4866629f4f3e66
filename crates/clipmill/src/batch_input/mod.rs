//! A template and a table on this machine, checked as far as possible before anything is rendered or sent.

mod names;
mod read;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clipmill_core::message;
use clipmill_core::request::batch::{RowError, read_row};
use clipmill_core::request::model::TaskRequest;
use clipmill_core::request::table::Row;
use clipmill_core::request::template::{Column, FileColumn, Template, Values, check_values, split};
use clipmill_core::request::{Accepted, FieldError, Policy};
use serde_json::{Value, json};
use url::Url;

use crate::report::wrong;

pub use names::{Names, is_about_naming};
pub use read::{is_template, read_file, read_rows, read_template, template_of};

/// The limits for requests in files of this machine. A service checks its own limits itself.
pub fn policy() -> Policy {
    Policy { allow_local_paths: true, ..Policy::default() }
}

/// A template with rows of values.
#[derive(Clone)]
pub struct BatchInput {
    pub template: Template,
    /// The folder that its paths are relative to.
    pub template_folder: PathBuf,
    pub rows: Vec<Row>,
    pub rows_folder: PathBuf,
}

impl BatchInput {
    /// Calls `f` with each local file in the request, and replaces the file by the result.
    pub fn each_file(&mut self, mut f: impl FnMut(&Path) -> Option<String>) {
        let mut put = |text: &mut String, folder: &Path| {
            if let Some(new) = local_file(text, folder).and_then(|file| f(&file)) {
                *text = new;
            }
        };
        let fixed_files = self.template.files().into_iter().filter(|(_, text)| !text.contains("{{"));
        let fixed_files: Vec<String> = fixed_files.map(|(pointer, _)| pointer).collect();
        for pointer in fixed_files {
            if let Some(Value::String(text)) = self.template.request.pointer_mut(&pointer) {
                put(text, &self.template_folder);
            }
        }
        for variable in self.template.variables.iter_mut().filter(|v| v.kind.is_file()) {
            each_text(variable.default.as_mut(), |text| put(text, &self.template_folder));
        }
        for (_, values) in &mut self.rows {
            for (name, value) in values.iter_mut() {
                match self.template.file_column(name) {
                    Some(FileColumn::List) => {
                        // A path may contain a bar, so the entries of a cell are kept apart.
                        if let Value::String(cell) = value
                            && !cell.trim().is_empty()
                        {
                            *value = json!(split(cell));
                        }
                    }
                    Some(FileColumn::Single) => {}
                    None => continue,
                }
                each_text(Some(value), |text| put(text, &self.rows_folder));
            }
        }
    }

    /// All local files in the request.
    pub fn files(&self) -> BTreeSet<PathBuf> {
        let mut files = BTreeSet::new();
        self.clone().each_file(|file| {
            files.insert(file.to_owned());
            None
        });
        files
    }

    /// Makes all paths absolute.
    pub fn make_absolute(&mut self) {
        self.each_file(|file| std::path::absolute(file).ok()?.to_str().map(str::to_owned));
    }

    /// Errors in values: wrong types, missing or unknown values, files that do not exist.
    pub fn wrong_values(&self) -> Vec<RowError> {
        let mut errors = Vec::new();
        for (row, values) in &self.rows {
            let wrong = check_values(&self.template, values, "/values", &policy()).err();
            errors.extend(wrong.into_iter().flatten().map(|error| RowError::of_values(*row, error)));
            errors.extend(self.missing_files(*row, values));
        }
        errors
    }

    fn missing_files(&self, row: u32, given: &Values) -> Vec<RowError> {
        let mut missing = Vec::new();
        for (name, value) in given {
            let texts: Vec<(Option<usize>, String)> = match (self.template.file_column(name), value) {
                (Some(FileColumn::List), Value::String(cell)) => numbered(split(cell)).collect(),
                (Some(FileColumn::List), Value::Array(entries)) => {
                    numbered(entries.iter().map(|entry| entry.as_str().unwrap_or_default().to_owned()))
                        .collect()
                }
                (Some(FileColumn::Single), Value::String(text)) => vec![(None, text.clone())],
                _ => continue,
            };
            for (entry, text) in texts {
                let file = local_file(&text, &self.rows_folder).filter(|file| !file.is_file());
                let column = || Column { name: name.clone(), entry };
                missing.extend(file.map(|_| no_file(row, Some(column()), "/values", &text)));
            }
        }
        missing
    }

    /// Checks that every file in the template itself exists and contains no variable in its path; `source` is the
    /// template's file, for messages.
    pub fn can_be_sent(&self, source: &str) -> anyhow::Result<()> {
        for (pointer, text) in self.template.files() {
            let place = format!("{source}: /request{pointer}");
            match local_file(text, &self.template_folder) {
                Some(_) if self.is_variable(text) => {}
                Some(_) if text.contains("{{") => {
                    return Err(wrong(format!(
                        "{place}: a path that contains variables cannot be uploaded; use a single variable of type url as the whole path"
                    )));
                }
                Some(file) if !file.is_file() => {
                    return Err(wrong(format!("{place}: no such file: {}", file.display())));
                }
                _ => {}
            }
        }
        for variable in self.template.variables.iter().filter(|variable| variable.kind.is_file()) {
            let defaults = match &variable.default {
                Some(Value::Array(entries)) => entries.as_slice(),
                Some(single) => std::slice::from_ref(single),
                None => &[],
            };
            let mut files =
                defaults.iter().filter_map(|text| local_file(text.as_str()?, &self.template_folder));
            if let Some(file) = files.find(|file| !file.is_file()) {
                let (name, file) = (&variable.name, file.display());
                return Err(wrong(format!(
                    "{source}: the default of the variable {name}: no such file: {file}"
                )));
            }
        }
        Ok(())
    }

    fn is_variable(&self, text: &str) -> bool {
        let name = text.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}")).map(str::trim);
        name.is_some_and(|name| self.template.variables.iter().any(|variable| variable.name == name))
    }

    /// The request of each row, or all errors of all rows, including missing files. Paths are absolute.
    pub fn accepted(&self) -> Result<Vec<(u32, Accepted)>, Vec<RowError>> {
        let (mut all, mut errors) = (Vec::new(), Vec::new());
        for row in &self.rows {
            match read_row(&self.template, "rows", row, &policy()) {
                Ok(accepted) => {
                    errors.extend(self.missing_inputs(row, &accepted.request));
                    all.push((row.0, accepted));
                }
                Err(wrong) => {
                    errors.extend(wrong);
                    errors.extend(self.missing_files(row.0, &row.1));
                }
            }
        }
        if errors.is_empty() { Ok(all) } else { Err(errors) }
    }

    fn missing_inputs(&self, (row, given): &Row, request: &TaskRequest) -> Vec<RowError> {
        let mut checked = BTreeSet::new();
        let inputs = request.inputs().into_iter().filter(|input| checked.insert(input.url));
        let missing = inputs.filter_map(|input| {
            let file = local_file(input.url, &self.template_folder)?;
            let column = self.template.column_with(given, input.url);
            (!file.is_file()).then(|| no_file(*row, column, &input.place.to_string(), input.url))
        });
        missing.collect()
    }
}

fn no_file(row: u32, column: Option<Column>, path: &str, text: &str) -> RowError {
    let path = column.as_ref().map_or_else(
        || path.to_owned(),
        |column| {
            let entry = column.entry.map(|entry| format!("/{entry}")).unwrap_or_default();
            format!("/values/{}{entry}", column.name)
        },
    );
    let error = FieldError { path, message: message::no_such_file(), got: Some(json!(text)), allowed: None };
    RowError::of(row, column, error)
}

/// Calls `f` with a text, or with each text of a list.
fn each_text(value: Option<&mut Value>, mut f: impl FnMut(&mut String)) {
    match value {
        Some(Value::String(text)) => f(text),
        Some(Value::Array(entries)) => {
            for entry in entries {
                if let Value::String(text) = entry {
                    f(text);
                }
            }
        }
        _ => {}
    }
}

fn numbered(texts: impl IntoIterator<Item = String>) -> impl Iterator<Item = (Option<usize>, String)> {
    texts.into_iter().enumerate().map(|(entry, text)| (Some(entry), text))
}

/// The local file of a URL: a path relative to `folder`, or `file://`.
pub fn local_file(url: &str, folder: &Path) -> Option<PathBuf> {
    match Url::parse(url.trim()) {
        Ok(parsed) if parsed.scheme() == "file" => parsed.to_file_path().ok(),
        Ok(_) => None,
        Err(_) if url.trim().is_empty() => None,
        Err(_) => Some(folder.join(url.trim())),
    }
}
