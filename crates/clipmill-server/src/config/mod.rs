//! Configuration: one TOML file, every key also an environment variable `CLIPMILL_<SECTION>_<KEY>`.
//!
//! A section is a file. Each key is declared once, with its default and its description, so that the typed
//! value, the error messages and the documentation cannot drift apart.

#[macro_use]
mod section;
mod callbacks;
mod database;
mod fetch;
mod limits;
mod metrics;
mod pricing;
mod rate;
mod retention;
mod server;
mod source;
mod storage;
pub mod units;
mod worker;

use std::path::{Path, PathBuf};

use serde::Serialize;

pub use callbacks::Callbacks;
pub use database::Database;
pub use fetch::Fetch;
pub use limits::Limits;
pub use metrics::Metrics;
pub use pricing::Pricing;
pub use rate::Rate;
pub use retention::Retention;
pub use server::{OnUnknownField, Server};
pub use storage::Storage;
pub use worker::{SandboxMode, Worker};

use source::Source;

/// Everything that can be configured.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Config {
    pub server: Server,
    pub fetch: Fetch,
    pub worker: Worker,
    pub callbacks: Callbacks,
    pub storage: Storage,
    pub database: Database,
    pub pricing: Pricing,
    pub limits: Limits,
    pub retention: Retention,
    pub metrics: Metrics,
}

/// One key, for documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    pub section: &'static str,
    pub name: &'static str,
    /// As it would stand in the file; empty when there is none.
    pub default: String,
    pub description: String,
}

/// Why a configuration cannot be used; the text says where and what to write instead.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("cannot read {}: {cause}", path.display())]
    Read { path: PathBuf, cause: std::io::Error },
    #[error("{} is not valid TOML: {message}", path.display())]
    Syntax { path: PathBuf, message: String },
    #[error("unknown key {name}{}", meant.as_ref().map(|m| format!("; did you mean {m}?")).unwrap_or_default())]
    Unknown { name: String, meant: Option<String> },
    #[error("{name}: {message}")]
    Value { name: String, message: String },
}

impl Config {
    /// Reads the file, if one is named, and the environment, which wins.
    pub fn load(
        file: Option<&Path>,
        env: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let table = file.map(read).transpose()?.unwrap_or_default();
        let mut source = Source::new(table, env, &Self::keys())?;
        let config = Self {
            server: Server::load(&mut source)?,
            fetch: Fetch::load(&mut source)?,
            worker: Worker::load(&mut source)?,
            callbacks: Callbacks::load(&mut source)?,
            storage: Storage::load(&mut source)?,
            database: Database::load(&mut source)?,
            pricing: Pricing::load(&mut source)?,
            limits: Limits::load(&mut source)?,
            retention: Retention::load(&mut source)?,
            metrics: Metrics::load(&mut source)?,
        };
        config.check()?;
        Ok(config)
    }

    /// Every key there is, in the order of the sections.
    pub fn keys() -> Vec<Key> {
        let sections = [
            Server::keys(),
            Fetch::keys(),
            Worker::keys(),
            Callbacks::keys(),
            Storage::keys(),
            Database::keys(),
            Pricing::keys(),
            Limits::keys(),
            Retention::keys(),
            Metrics::keys(),
        ];
        sections.into_iter().flatten().collect()
    }

    fn check(&self) -> Result<(), ConfigError> {
        self.server.check()?;
        self.storage.check()?;
        self.database.check()?;
        self.callbacks.check()?;
        self.worker.check()
    }
}

impl Key {
    /// `section.name`, as error messages call it.
    pub fn path(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }

    /// The environment variable that sets it.
    pub fn variable(&self) -> String {
        source::variable(self.section, self.name)
    }
}

fn read(path: &Path) -> Result<toml::Table, ConfigError> {
    let text =
        std::fs::read_to_string(path).map_err(|cause| ConfigError::Read { path: path.to_owned(), cause })?;
    text.parse::<toml::Table>()
        .map_err(|e| ConfigError::Syntax { path: path.to_owned(), message: e.to_string() })
}

#[cfg(test)]
mod tests;
