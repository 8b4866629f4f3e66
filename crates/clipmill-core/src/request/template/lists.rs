//! Lists as values of variables: arrays, cells with bars, and columns with numbers.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::fill::is_absent;
use super::{Template, Values, VariableKind};
use crate::message::{self, Message};

/// Separates the entries of a list in a cell; a backslash before it makes it literal.
const BAR: char = '|';
const ESCAPED_BAR: &str = r"\|";
/// The highest limit of entries that a variable can declare.
pub const MAX_ENTRIES: u32 = 1_000;
/// The maximum number of entries if the variable sets no limit: the most clips of a list in a mix.
const DEFAULT_MAX: u32 = 100;
/// The digits of a column's number.
const MAX_DIGITS: usize = 6;

/// The limits of a list.
pub struct List {
    /// The kind of each entry.
    pub entry: VariableKind,
    pub least: usize,
    pub most: usize,
}

impl List {
    pub fn new(entry: VariableKind, least: Option<u32>, most: Option<u32>) -> Self {
        // A list that may have many entries by its minimum has no lower maximum.
        let most = most.unwrap_or(DEFAULT_MAX.max(least.unwrap_or(0)));
        Self { entry, least: least.unwrap_or(1) as usize, most: most as usize }
    }

    /// Checks the number of entries; an error has the message and the allowed values.
    pub fn check_count(&self, count: usize) -> Result<(), (Message, Option<Message>)> {
        let Self { least, most, .. } = *self;
        if count > most {
            return Err((message::too_many_entries(count, most), Some(message::allowed_entries(most))));
        }
        if count < least {
            return Err((message::too_few_entries(count, least), None));
        }
        Ok(())
    }
}

/// The entries of a cell, without surrounding spaces.
pub fn split(cell: &str) -> Vec<String> {
    let (mut entries, mut entry) = (Vec::new(), String::new());
    let mut rest = cell;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix(ESCAPED_BAR) {
            entry.push(BAR);
            rest = after;
            continue;
        }
        rest = rest.strip_prefix(c).unwrap_or_default();
        if c == BAR {
            entries.push(std::mem::take(&mut entry));
        } else {
            entry.push(c);
        }
    }
    entries.push(entry);
    entries.iter().map(|entry| entry.trim().to_owned()).collect()
}

/// The cell that [`split`] reads as these entries.
pub fn join<'v>(entries: impl IntoIterator<Item = &'v Value>) -> String {
    let escaped = |entry: &Value| super::fill::as_text(entry).replace(BAR, ESCAPED_BAR);
    entries.into_iter().map(escaped).collect::<Vec<_>>().join("|")
}

/// The number of entries of a cell.
pub fn count(cell: &str) -> usize {
    1 + cell.matches(BAR).count() - cell.matches(ESCAPED_BAR).count()
}

/// The approximate size of a JSON value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JsonSize {
    pub bytes: usize,
    /// The number of values in it; of a variable, the number of entries of its list.
    pub values: usize,
}

impl JsonSize {
    pub fn plus(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_add(other.bytes),
            values: self.values.saturating_add(other.values),
        }
    }

    pub fn times(self, count: usize) -> Self {
        Self { bytes: self.bytes.saturating_mul(count), values: self.values.saturating_mul(count) }
    }
}

/// The size of a variable's value, wherever it is written once. The value of a list may be a cell.
pub fn extent(value: &Value, is_list: bool) -> JsonSize {
    match value {
        Value::Array(entries) => JsonSize {
            bytes: entries.iter().map(|entry| length(entry) + 1).fold(0, usize::saturating_add),
            values: entries.len(),
        },
        Value::String(cell) if is_list => {
            let entries = count(cell);
            JsonSize { bytes: cell.len().saturating_add(entries.saturating_mul(3)), values: entries }
        }
        // The place of a single value is counted anyway.
        other => JsonSize { bytes: length(other), values: 0 },
    }
}

/// The approximate length in bytes of an inserted value.
pub fn length(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        _ => 8,
    }
}

/// A column with a number, and its value.
#[derive(Clone, Copy)]
pub struct NumberedColumn<'v> {
    pub name: &'v str,
    pub value: &'v Value,
}

/// The entries of lists in columns of their own: `photo1`, `photo2`, …
pub struct NumberedColumns<'v> {
    /// The columns that have a value, by list and number.
    columns: BTreeMap<&'v str, BTreeMap<usize, NumberedColumn<'v>>>,
    names: Names<'v>,
}

impl<'v> NumberedColumns<'v> {
    pub fn of(template: &'v Template, given: &'v Values) -> Self {
        let (names, mut columns) = (Names::of(template), BTreeMap::<_, BTreeMap<_, _>>::new());
        for (name, value) in given.iter().filter(|(_, value)| !is_absent(value)) {
            if let Some((list, number)) = names.numbered(name) {
                columns.entry(list).or_default().insert(number, NumberedColumn { name, value });
            }
        }
        Self { columns, names }
    }

    /// Whether it is the column of an entry, even without a value.
    pub fn includes(&self, name: &str) -> bool {
        self.names.numbered(name).is_some()
    }

    /// The columns of a list by number, from 1, if one has a value.
    pub fn list(&self, name: &str) -> Option<&BTreeMap<usize, NumberedColumn<'v>>> {
        self.columns.get(name)
    }

    /// The column of an entry, from 0.
    pub fn column(&self, list: &str, entry: usize) -> Option<&'v str> {
        self.columns.get(list)?.get(&entry.checked_add(1)?).map(|column| column.name)
    }

    pub fn extent(&self, list: &str) -> Option<JsonSize> {
        let columns = self.columns.get(list)?.values();
        let extents = columns.map(|column| JsonSize { bytes: length(column.value) + 1, values: 1 });
        Some(extents.fold(JsonSize::default(), JsonSize::plus))
    }
}

/// The names of a template's variables.
pub struct Names<'t> {
    all: HashSet<&'t str>,
    lists: HashSet<&'t str>,
}

impl<'t> Names<'t> {
    pub fn of(template: &'t Template) -> Self {
        let lists = template.variables.iter().filter(|variable| variable.kind.is_list());
        Self {
            all: template.variables.iter().map(|variable| variable.name.as_str()).collect(),
            lists: lists.map(|variable| variable.name.as_str()).collect(),
        }
    }

    /// The list and the number, from 1, of a column with a number. A variable of this name has its own column.
    pub fn numbered<'c>(&self, column: &'c str) -> Option<(&'c str, usize)> {
        if self.lists.is_empty() || self.all.contains(column) {
            return None;
        }
        let digits = column.bytes().rev().take(MAX_DIGITS).take_while(u8::is_ascii_digit).count();
        (1..=digits).find_map(|count| {
            let (list, number) = column.split_at_checked(column.len() - count)?;
            let is_entry = self.lists.contains(list) && !number.starts_with('0');
            if is_entry { Some((list, number.parse().ok()?)) } else { None }
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_cell_is_split_at_bars() {
        for (cell, entries) in [
            ("a", &["a"][..]),
            (r" a | b\c |d e", &["a", r"b\c", "d e"]),
            (r"a\|b|c\|", &["a|b", "c|"]),
            ("a||b", &["a", "", "b"]),
            ("a|", &["a", ""]),
            ("|", &["", ""]),
            (r"\\|x", &[r"\|x"]),
        ] {
            assert_eq!(split(cell), entries, "{cell}");
            assert_eq!(count(cell), entries.len(), "{cell}");
        }
        for entries in [json!(["a"]), json!(["a|b", "c", "|"]), json!(["https://a/1.jpg", "x y", "漢|字"])]
        {
            let entries = entries.as_array().unwrap();
            assert_eq!(&split(&join(entries)), entries);
        }
    }

    #[test]
    fn columns_with_numbers_belong_to_lists() {
        let variables = json!([
            { "name": "photo", "type": "urls" }, { "name": "photo1", "type": "url" }, { "name": "page", "type": "text" },
            { "name": "photo2", "type": "texts" },
        ]);
        let template = Template { request: json!({}), variables: serde_json::from_value(variables).unwrap() };
        for (column, expected) in [
            ("photo", None),
            ("photo1", None),
            ("photo3", Some(("photo", 3))),
            ("photo12", Some(("photo", 12))),
            ("photo21", Some(("photo2", 1))),
            ("photo03", None),
            ("photo0", None),
            ("photo1234567", None),
            ("page1", None),
            ("3", None),
            ("", None),
        ] {
            assert_eq!(Names::of(&template).numbered(column), expected, "{column}");
        }
    }
}
