//! Files with templates and tables.

use std::io::Read;
use std::path::Path;

use clipmill_core::request::table::{MAX_ROWS, Row, parse_table};
use clipmill_core::request::template::{Template, check_template, parse_template};
use clipmill_core::request::{Policy, RequestError, parse_json};
use serde_json::{Value, json};

use crate::report::{refused, wrong};

/// The maximum size of a file; the API has the same limit for the resulting body.
const MAX_BYTES: u64 = 32 * 1024 * 1024;

/// A file, or standard input for `-`.
pub fn read_file(file: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut read = |source: &mut dyn Read| source.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    let outcome = if file == Path::new("-") {
        read(&mut std::io::stdin())
    } else {
        std::fs::File::open(file).and_then(|mut source| read(&mut source))
    };
    outcome.map_err(|error| wrong(format!("{}: {error}", file.display())))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(wrong(format!("{}: larger than {MAX_BYTES} bytes", file.display())));
    }
    Ok(bytes)
}

/// A template from a file, and its name if it has one. Errors are reported in the API's format if the output is `json`.
pub fn read_template(file: &Path, policy: &Policy, json: bool) -> anyhow::Result<(Option<String>, Template)> {
    let value = parse_json(&read_file(file)?).map_err(|error| refused(file, error, json))?;
    template_of(value, policy).map_err(|error| refused(file, error, json))
}

/// Whether a file's content is a template rather than a request.
pub fn is_template(value: &Value) -> bool {
    value.get("request").is_some()
}

pub fn template_of(mut value: Value, policy: &Policy) -> Result<(Option<String>, Template), RequestError> {
    if !is_template(&value) {
        value = json!({ "request": value });
    }
    let name = value.get("name").and_then(Value::as_str).map(str::to_owned);
    if let (None, Some(members)) = (&name, value.as_object_mut()) {
        members.insert("name".to_owned(), json!("template"));
    }
    let template = parse_template(value.to_string().as_bytes(), policy)?.template;
    let invalid = |errors: Vec<_>| RequestError::Invalid { total: errors.len(), errors };
    check_template(&template, policy).map_err(invalid)?;
    Ok((name, template))
}

/// The rows of a table: CSV, or a JSON array of objects.
pub fn read_rows(file: &Path) -> anyhow::Result<Vec<Row>> {
    let bytes = read_file(file)?;
    let table_error = |why: String| wrong(format!("{}: {why}", file.display()));
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'[') {
        return parse_table(&bytes).map_err(|message| table_error(message.to_string()));
    }
    let value = parse_json(&bytes).map_err(|error| refused(file, error, false))?;
    let rows = value.as_array().map(Vec::as_slice).unwrap_or_default();
    if rows.is_empty() || rows.len() > MAX_ROWS {
        return Err(table_error(format!("has {} rows; a table has 1 to {MAX_ROWS}", rows.len())));
    }
    let row = |(number, row): (u32, &Value)| match row {
        Value::Object(values) => Ok((number, values.clone())),
        _ => Err(table_error(format!("row {number} is not an object with the variables' values"))),
    };
    (1..).zip(rows).map(row).collect()
}
