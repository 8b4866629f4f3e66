//! Sources of values: the environment takes precedence over the file, the file over the default.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::de::DeserializeOwned;

use super::{ConfigError, Key};

/// The suffix of a key's name for a value that is read from a file.
const IN_FILE: &str = "_file";

/// The origin of a key's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    Default,
    /// The configuration file.
    File,
    /// An environment variable.
    Variable(String),
    /// A file that contains only the value.
    SecretFile(PathBuf),
}

/// All configured values, before their types are checked.
pub(super) struct Source {
    file: toml::Table,
    environment: BTreeMap<String, String>,
    origins: BTreeMap<String, Origin>,
    errors: Vec<ConfigError>,
    /// Sections with values that could not be read.
    broken: Vec<String>,
}

impl Source {
    /// Reports names that no section has. In the environment only near misses are reported, because others set
    /// variables there too (Kubernetes makes `CLIPMILL_SERVER_PORT` for a service of that name).
    pub fn new(file: toml::Table, environment: impl Iterator<Item = (String, String)>, keys: &[Key]) -> Self {
        let mut errors = check_file(&file, keys);
        let environment: BTreeMap<_, _> =
            environment.filter(|(name, _)| name.starts_with("CLIPMILL_")).collect();
        errors.extend(environment.keys().filter_map(|name| check_variable(name, keys)));
        Self { file, environment, origins: BTreeMap::new(), errors, broken: Vec::new() }
    }

    /// The value of a key. If it is not set or cannot be read, which [`Source::finish`] reports, the default is used.
    /// An empty variable counts as not set.
    pub fn take<T: DeserializeOwned>(&mut self, section: &str, name: &str, default: T) -> T {
        match self.find(section, name) {
            Ok(Some((value, origin))) => {
                self.origins.insert(format!("{section}.{name}"), origin);
                value
            }
            Ok(None) => default,
            Err(error) => {
                self.broken.push(section.to_owned());
                self.errors.push(error);
                default
            }
        }
    }

    /// Reports errors in combinations of a section's values, unless one of them could not be read.
    pub fn check(&mut self, section: &str, checked: Result<(), ConfigError>) {
        if let Err(error) = checked
            && !self.broken.iter().any(|broken| broken == section)
        {
            self.errors.push(error);
        }
    }

    /// The origins of values, or all errors.
    pub fn finish(mut self) -> Result<BTreeMap<String, Origin>, ConfigError> {
        match self.errors.len() {
            0 => Ok(self.origins),
            1 => Err(self.errors.remove(0)),
            _ => Err(ConfigError::Several(self.errors)),
        }
    }

    fn find<T: DeserializeOwned>(
        &mut self,
        section: &str,
        name: &str,
    ) -> Result<Option<(T, Origin)>, ConfigError> {
        let plain = variable(section, name);
        let in_file = variable(section, &format!("{name}{IN_FILE}"));
        match (self.variable(&plain), self.variable(&in_file)) {
            (Some(_), Some(_)) => return Err(both(&plain, &in_file)),
            (Some(text), None) => {
                let typed = from_text(&text).map_err(|message| wrong(&plain, message))?;
                return Ok(Some((typed, Origin::Variable(plain))));
            }
            (None, Some(path)) => return from_secret(&in_file, path.into()).map(Some),
            (None, None) => {}
        }
        let Some(table) = self.file.get_mut(section).and_then(toml::Value::as_table_mut) else {
            return Ok(None);
        };
        let path = format!("{section}.{name}");
        let secret = table.remove(&format!("{name}{IN_FILE}"));
        match (table.remove(name), secret) {
            (Some(_), Some(_)) => Err(both(&path, &format!("{path}{IN_FILE}"))),
            (Some(value), None) => {
                let typed = T::deserialize(value).map_err(|e| wrong(&path, e.message().to_owned()))?;
                Ok(Some((typed, Origin::File)))
            }
            (None, Some(toml::Value::String(file))) => {
                from_secret(&format!("{path}{IN_FILE}"), file.into()).map(Some)
            }
            (None, Some(_)) => Err(wrong(&format!("{path}{IN_FILE}"), "the path of a file".to_owned())),
            (None, None) => Ok(None),
        }
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.environment.get(name).filter(|text| !text.is_empty()).cloned()
    }
}

/// The environment variable of a key.
pub(super) fn variable(section: &str, name: &str) -> String {
    format!("CLIPMILL_{section}_{name}").to_uppercase()
}

fn wrong(name: &str, message: String) -> ConfigError {
    ConfigError::Value { name: name.to_owned(), message }
}

fn both(plain: &str, in_file: &str) -> ConfigError {
    wrong(plain, format!("set here and by {in_file}; keep one of the two"))
}

fn from_secret<T: DeserializeOwned>(name: &str, path: PathBuf) -> Result<(T, Origin), ConfigError> {
    let text = std::fs::read_to_string(&path)
        .map_err(|error| wrong(name, format!("cannot read {}: {error}", path.display())))?;
    // The text may be a secret, so it is left out of the message.
    let typed = from_text(text.trim_end_matches(['\r', '\n'])).map_err(|_| {
        wrong(name, format!("the content of {} is not a valid value for this key", path.display()))
    })?;
    Ok((typed, Origin::SecretFile(path)))
}

/// Reads a variable as the type of its key: a number, a switch, text, or a list with commas.
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

/// Of the errors from reading as text and as a list, the one about the value; the other is about types.
fn longest(as_word: &toml::de::Error, as_list: &toml::de::Error) -> String {
    let of_types = |e: &toml::de::Error| e.message().starts_with("invalid type");
    if of_types(as_word) && !of_types(as_list) { as_list.message() } else { as_word.message() }.to_owned()
}

fn check_file(file: &toml::Table, keys: &[Key]) -> Vec<ConfigError> {
    let mut errors = Vec::new();
    for (section, value) in file {
        if !keys.iter().any(|key| key.section == section) {
            let sections = keys.iter().map(|key| key.section.to_owned());
            errors.push(unknown(section, sections));
            continue;
        }
        let Some(table) = value.as_table() else {
            errors.push(wrong(section, format!("this is a section: write [{section}] and its keys below")));
            continue;
        };
        let names = || keys.iter().filter(|key| key.section == section).map(Key::path);
        for name in table.keys().map(|name| format!("{section}.{name}")) {
            let key = name.strip_suffix(IN_FILE).unwrap_or(&name);
            if !names().any(|name_of_key| name_of_key == name || name_of_key == key) {
                errors.push(unknown(&name, names()));
            }
        }
    }
    errors
}

fn check_variable(name: &str, keys: &[Key]) -> Option<ConfigError> {
    let names_of_keys = || keys.iter().map(Key::variable);
    let key = name.strip_suffix("_FILE").unwrap_or(name);
    if names_of_keys().any(|names_of_keys| names_of_keys == name || names_of_keys == key) {
        return None;
    }
    let meant = near(name, names_of_keys())?;
    Some(ConfigError::Unknown { name: name.to_owned(), meant: Some(meant) })
}

fn unknown(name: &str, known_names: impl Iterator<Item = String>) -> ConfigError {
    ConfigError::Unknown { name: name.to_owned(), meant: near(name, known_names) }
}

fn near(name: &str, known_names: impl Iterator<Item = String>) -> Option<String> {
    known_names
        .map(|candidate| (strsim::damerau_levenshtein(name, &candidate), candidate))
        .filter(|(distance, _)| *distance <= 2)
        .min()
        .map(|(_, candidate)| candidate)
}
