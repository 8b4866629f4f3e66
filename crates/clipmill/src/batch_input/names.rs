//! File names of rows.

use std::collections::{BTreeMap, HashMap};

use clipmill_core::request::template::{Template, Values, check_values, value_path};
use serde_json::Value;

use super::{BatchInput, policy};
use crate::cli::NamingArgs;
use crate::report::wrong;

/// Characters of a file's name before what is added to it; systems allow 255 bytes.
const MAX_LENGTH: usize = 50;

/// Names of files by the number of their row, without the part that distinguishes several videos of a row.
pub struct Names {
    names: BTreeMap<u32, String>,
    /// Whether the caller chose a column for them.
    pub are_chosen: bool,
}

impl Names {
    /// The rows' values were checked.
    pub fn of(sheet: &BatchInput, naming: &NamingArgs) -> anyhow::Result<Self> {
        let mut names = BTreeMap::new();
        let mut first: HashMap<String, u32> = HashMap::new();
        for (row, given) in &sheet.rows {
            let values = check_values(&sheet.template, given, "", &policy()).map(|(values, _)| values);
            let values = values.unwrap_or_else(|_| given.clone());
            let name = match &naming.name_by {
                None => numbered(*row, task_name(&sheet.template, &values).as_deref()),
                Some(column) => by_column(*row, column, given.get(column).or(values.get(column)))?,
            };
            // Some systems do not distinguish upper and lower case.
            if let Some(other_row) = first.insert(name.to_lowercase(), *row) {
                return Err(wrong(format!(
                    "rows {other_row} and {row} would both be called {name}; use a column with unique values for --name-by"
                )));
            }
            names.insert(*row, name);
        }
        Ok(Self { names, are_chosen: naming.name_by.is_some() })
    }

    /// The name of a row's video; `item` where the row has several.
    pub fn file(&self, row: u32, item: Option<u32>) -> String {
        let name = self.names.get(&row).cloned().unwrap_or_else(|| numbered(row, None));
        item.map_or_else(|| format!("{name}.mp4"), |item| format!("{name}-{item}.mp4"))
    }
}

/// Whether a warning is about the column that names the files. It is used even if the template has no such variable.
pub fn is_about_naming(path: &str, template: &Template, naming: &NamingArgs) -> bool {
    let Some(column) = &naming.name_by else { return false };
    let is_variable = template.variables.iter().any(|variable| variable.name == *column);
    !is_variable && path.ends_with(&value_path("/values", column))
}

fn numbered(row: u32, name: Option<&str>) -> String {
    match name.map(plain).filter(|name| !name.is_empty()) {
        Some(name) => format!("{row:04}-{name}"),
        None => format!("{row:04}"),
    }
}

fn by_column(row: u32, column: &str, value: Option<&Value>) -> anyhow::Result<String> {
    let text = match value {
        Some(Value::String(text)) => plain(text),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    if text.is_empty() {
        return Err(wrong(format!(
            "row {row}, column {column}: the value for --name-by contains no usable characters"
        )));
    }
    Ok(text)
}

/// The `name` of the row's request.
fn task_name(template: &Template, values: &Values) -> Option<String> {
    let name = template.request.get("name")?.clone();
    let filled = Template { request: name, variables: Vec::new() }.fill(values).ok()?;
    filled.as_str().map(str::to_owned)
}

/// The text as every system accepts it in a file's name.
fn plain(text: &str) -> String {
    let harmless = |c: char| {
        let special = c.is_control() || c.is_whitespace() || r#"/\:*?"<>|"#.contains(c);
        if special { '-' } else { c }
    };
    let text: String = text.trim().chars().map(harmless).take(MAX_LENGTH).collect();
    let parts = text.split('-').map(|part| part.trim_matches('.'));
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use clipmill_core::request::batch::read_row;
    use serde_json::json;

    use super::*;

    #[test]
    fn any_text_makes_a_name_for_a_file() {
        for (text, expected) in [
            ("Blue mug", "0007-Blue-mug"),
            ("../../etc/passwd", "0007-etc-passwd"),
            ("蓝色 马克杯", "0007-蓝色-马克杯"),
            ("a\nb:c*?", "0007-a-b-c"),
            ("  ", "0007"),
            ("..", "0007"),
        ] {
            assert_eq!(numbered(7, Some(text)), expected);
        }
        assert!(numbered(7, Some(&"漢".repeat(500))).len() < 200);
    }

    #[test]
    fn only_the_column_that_names_files_has_no_warning() {
        let request = json!({ "taskType": "baseVideoMix", "params": {
            "videoList": [{ "videos": [{ "url": "{{clip}}", "duration": 1 }] }] } });
        let variables = serde_json::from_value(json!([{ "name": "clip", "type": "url" }])).unwrap();
        let template = Template { request, variables };
        let values = json!({ "clip": "https://a.example/a.mp4", "sku/old": "a", "weight": "2" });
        let row = (3, values.as_object().unwrap().clone());
        let warnings = read_row(&template, "june", &row, &policy()).unwrap().warnings;
        let about_naming = |column: Option<&str>| {
            let naming = NamingArgs { name_by: column.map(str::to_owned) };
            let paths = warnings.iter().map(|warning| warning.path.as_str());
            paths.filter(|path| is_about_naming(path, &template, &naming)).collect::<Vec<_>>()
        };
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        assert_eq!(about_naming(Some("sku/old")), ["/rows/2/values/sku~1old"]);
        assert_eq!(about_naming(Some("clip")), [""; 0]);
        assert_eq!(about_naming(None), [""; 0]);
    }
}
