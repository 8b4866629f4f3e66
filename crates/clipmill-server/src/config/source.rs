//! Where values come from: the environment over the file over the default.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::{ConfigError, Key};

/// Everything that was written down, not yet typed.
pub(super) struct Source {
    file: toml::Table,
    environment: BTreeMap<String, String>,
}

impl Source {
    /// Refuses names that no section has. In the environment only near misses are refused: others put
    /// variables there too (Kubernetes makes `CLIPMILL_SERVER_PORT` for a service of that name).
    pub fn new(
        file: toml::Table,
        environment: impl Iterator<Item = (String, String)>,
        keys: &[Key],
    ) -> Result<Self, ConfigError> {
        check_file(&file, keys)?;
        let environment: BTreeMap<_, _> =
            environment.filter(|(name, _)| name.starts_with("CLIPMILL_")).collect();
        for name in environment.keys() {
            check_variable(name, keys)?;
        }
        Ok(Self { file, environment })
    }

    /// The value of a key. An empty variable counts as not set.
    pub fn take<T: DeserializeOwned>(
        &mut self,
        section: &str,
        name: &str,
        default: T,
    ) -> Result<T, ConfigError> {
        let variable = variable(section, name);
        if let Some(text) = self.environment.get(&variable).filter(|text| !text.is_empty()) {
            return from_text(text).map_err(|message| ConfigError::Value { name: variable, message });
        }
        let section_table = self.file.get_mut(section).and_then(toml::Value::as_table_mut);
        match section_table.and_then(|table| table.remove(name)) {
            None => Ok(default),
            Some(value) => T::deserialize(value).map_err(|e| ConfigError::Value {
                name: format!("{section}.{name}"),
                message: e.message().to_owned(),
            }),
        }
    }
}

/// The environment variable of a key.
pub(super) fn variable(section: &str, name: &str) -> String {
    format!("CLIPMILL_{section}_{name}").to_uppercase()
}

/// Reads a variable as whatever the key wants: a number, a switch, text, or a list with commas.
fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let number = text.trim().parse::<i64>().ok().map(toml::Value::Integer);
    let switch = text.trim().parse::<bool>().ok().map(toml::Value::Boolean);
    let word = toml::Value::String(text.to_owned());
    let parts = text.split(',').map(|part| toml::Value::String(part.trim().to_owned()));
    let list = toml::Value::Array(parts.collect());

    let typed = number.into_iter().chain(switch).find_map(|value| T::deserialize(value).ok());
    let typed = typed.map_or_else(|| T::deserialize(word), Ok);
    typed.or_else(|e| T::deserialize(list).map_err(|in_list| longest(&e, &in_list)))
}

/// Of the errors as text and as a list, the one that speaks of the value; the other speaks of types.
fn longest(as_word: &toml::de::Error, as_list: &toml::de::Error) -> String {
    let of_types = |e: &toml::de::Error| e.message().starts_with("invalid type");
    if of_types(as_word) && !of_types(as_list) { as_list.message() } else { as_word.message() }.to_owned()
}

fn check_file(file: &toml::Table, keys: &[Key]) -> Result<(), ConfigError> {
    for (section, value) in file {
        if !keys.iter().any(|key| key.section == section) {
            let sections = keys.iter().map(|key| key.section.to_owned());
            return Err(unknown(section, sections));
        }
        let Some(table) = value.as_table() else {
            let message = format!("this is a section: write [{section}] and its keys below");
            return Err(ConfigError::Value { name: section.clone(), message });
        };
        let names = || keys.iter().filter(|key| key.section == section).map(Key::path);
        for name in table.keys().map(|name| format!("{section}.{name}")) {
            if !names().any(|known| known == name) {
                return Err(unknown(&name, names()));
            }
        }
    }
    Ok(())
}

fn check_variable(name: &str, keys: &[Key]) -> Result<(), ConfigError> {
    let known = || keys.iter().map(Key::variable);
    if known().any(|known| known == name) {
        return Ok(());
    }
    match near(name, known()) {
        None => Ok(()),
        Some(meant) => Err(ConfigError::Unknown { name: name.to_owned(), meant: Some(meant) }),
    }
}

fn unknown(name: &str, known: impl Iterator<Item = String>) -> ConfigError {
    ConfigError::Unknown { name: name.to_owned(), meant: near(name, known) }
}

fn near(name: &str, known: impl Iterator<Item = String>) -> Option<String> {
    known
        .map(|known| (strsim::damerau_levenshtein(name, &known), known))
        .filter(|(distance, _)| *distance <= 2)
        .min()
        .map(|(_, known)| known)
}
