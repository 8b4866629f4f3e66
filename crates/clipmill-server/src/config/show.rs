//! The configuration as it is in effect, for people: each key with where its value came from, secrets masked.

use std::fmt::Write;

use super::source::Origin;
use super::{Config, Loaded};

/// Keys whose values are secrets, or may contain one.
const SECRETS: [&str; 3] = ["database.url", "tracing.otlp_headers", ENDPOINT];
/// Collectors accept a key as user name, as password or in the query.
const ENDPOINT: &str = "tracing.otlp_endpoint";
const MASK: &str = "***";

impl Loaded {
    /// TOML that could be a configuration file, with secrets masked.
    pub fn show(&self) -> String {
        let values = toml::Table::try_from(&self.config).unwrap_or_default();
        let mut text = String::new();
        for section in Config::keys().chunk_by(|a, b| a.section == b.section) {
            let Some(name) = section.first().map(|key| key.section) else { continue };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}[{name}]", if text.is_empty() { "" } else { "\n" });
            for key in section {
                let value = values.get(name).and_then(|section| section.get(key.name));
                let origin = self.origins.get(&key.path()).unwrap_or(&Origin::Default);
                let line = match value {
                    Some(value) => format!("{} = {}", key.name, masked(&key.path(), value)),
                    None => format!("# {} is not set", key.name),
                };
                let _ = writeln!(text, "{line:<48} # {}", describe_origin(origin));
            }
        }
        text
    }
}

fn describe_origin(origin: &Origin) -> String {
    match origin {
        Origin::Default => "default".to_owned(),
        Origin::File => "configuration file".to_owned(),
        Origin::Variable(name) => name.clone(),
        Origin::SecretFile(path) => format!("from {}", path.display()),
    }
}

fn masked(path: &str, value: &toml::Value) -> String {
    if !SECRETS.contains(&path) {
        return value.to_string();
    }
    match value {
        toml::Value::String(url) if path == ENDPOINT => {
            toml::Value::String(without_credentials(url)).to_string()
        }
        toml::Value::String(url) => toml::Value::String(without_password(url)).to_string(),
        toml::Value::Array(list) if list.is_empty() => value.to_string(),
        _ => toml::Value::String(MASK.to_owned()).to_string(),
    }
}

/// The URL with its password masked, both before the host and in the query.
pub fn without_password(url: &str) -> String {
    let Ok(mut parsed) = url::Url::parse(url) else { return MASK.to_owned() };
    if !url.contains("//") {
        // The url has only a scheme and a path, so there is nothing to mask or to normalise.
        return url.to_owned();
    }
    if parsed.password().is_some() && parsed.set_password(Some(MASK)).is_err() {
        return MASK.to_owned();
    }
    if parsed.query().is_some_and(|query| query.contains("password")) {
        parsed.set_query(Some(MASK));
    }
    parsed.to_string()
}

/// The URL with its user name, password, query and fragment masked.
fn without_credentials(url: &str) -> String {
    let Ok(mut parsed) = url::Url::parse(url) else { return MASK.to_owned() };
    let has_user = !parsed.username().is_empty() || parsed.password().is_some();
    if !has_user && parsed.query().is_none() && parsed.fragment().is_none() {
        // Unchanged, because the normal form differs from the setting.
        return url.to_owned();
    }
    if has_user && (parsed.set_username(MASK).is_err() || parsed.set_password(None).is_err()) {
        return MASK.to_owned();
    }
    if parsed.query().is_some() {
        parsed.set_query(Some(MASK));
    }
    if parsed.fragment().is_some() {
        parsed.set_fragment(Some(MASK));
    }
    parsed.to_string()
}
