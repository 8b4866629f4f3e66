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
mod log;
mod metrics;
mod pricing;
mod rate;
mod retention;
mod server;
mod show;
mod source;
mod speech;
mod storage;
mod tracing;
pub mod units;
mod worker;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clipmill_core::pricing::PriceList;
use serde::Serialize;

pub use callbacks::Callbacks;
pub use database::Database;
pub use fetch::Fetch;
pub use limits::Limits;
pub use log::{Log, LogFormat};
pub use metrics::Metrics;
pub use pricing::Pricing;
pub use rate::Rate;
pub use retention::Retention;
pub use server::{OnUnknownField, Server, TlsFiles};
pub use show::without_password;
pub use source::Origin;
pub use speech::{Speech, SynthesisKind, TranscriptionKind};
pub use storage::Storage;
pub use tracing::Tracing;
pub use worker::{SandboxMode, Worker};

use source::Source;

/// The complete configuration.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Config {
    pub server: Server,
    pub fetch: Fetch,
    pub worker: Worker,
    pub callbacks: Callbacks,
    pub storage: Storage,
    pub database: Database,
    pub pricing: Pricing,
    pub speech: Speech,
    pub limits: Limits,
    pub retention: Retention,
    pub metrics: Metrics,
    pub log: Log,
    pub tracing: Tracing,
}

/// A configuration, and the origins of its values.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    pub config: Config,
    /// The origin of each `section.key`; a key that is missing here has its default.
    pub origins: BTreeMap<String, Origin>,
}

/// One key, for documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    pub section: &'static str,
    pub name: &'static str,
    /// The default as written in the file; empty if there is none.
    pub default: String,
    pub description: String,
}

/// An invalid configuration; the text names the key and the accepted values.
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
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Several(Vec<ConfigError>),
}

impl Config {
    /// Reads the file, if one is named, and the environment, which takes precedence. All errors are reported at once.
    pub fn load(
        file: Option<&Path>,
        env: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        Self::load_with_origins(file, env).map(|loaded| loaded.config)
    }

    pub fn load_with_origins(
        file: Option<&Path>,
        env: impl Iterator<Item = (String, String)>,
    ) -> Result<Loaded, ConfigError> {
        let table = file.map(read).transpose()?.unwrap_or_default();
        let mut source = Source::new(table, env, &Self::keys());
        let config = Self {
            server: Server::load(&mut source)?,
            fetch: Fetch::load(&mut source)?,
            worker: Worker::load(&mut source)?,
            callbacks: Callbacks::load(&mut source)?,
            storage: Storage::load(&mut source)?,
            database: Database::load(&mut source)?,
            pricing: Pricing::load(&mut source)?,
            speech: Speech::load(&mut source)?,
            limits: Limits::load(&mut source)?,
            retention: Retention::load(&mut source)?,
            metrics: Metrics::load(&mut source)?,
            log: Log::load(&mut source)?,
            tracing: Tracing::load(&mut source)?,
        };
        config.check(&mut source);
        Ok(Loaded { origins: source.finish()?, config })
    }

    /// All keys in the order of the sections.
    pub fn keys() -> Vec<Key> {
        let sections = [
            Server::keys(),
            Fetch::keys(),
            Worker::keys(),
            Callbacks::keys(),
            Storage::keys(),
            Database::keys(),
            Pricing::keys(),
            Speech::keys(),
            Limits::keys(),
            Retention::keys(),
            Metrics::keys(),
            Log::keys(),
            Tracing::keys(),
        ];
        sections.into_iter().flatten().collect()
    }

    /// The prices of outputs and of texts.
    pub fn prices(&self) -> PriceList {
        self.speech.prices(self.pricing.prices())
    }

    fn check(&self, source: &mut Source) {
        source.check("server", self.server.check());
        source.check("limits", self.limits.check());
        source.check("storage", self.storage.check());
        source.check("database", self.database.check());
        source.check("callbacks", self.callbacks.check());
        source.check("worker", self.worker.check());
        source.check("speech", self.speech.check());
        source.check("retention", self.retention.check());
        source.check("tracing", self.tracing.check());
    }
}

impl Key {
    /// `section.name`, as in error messages.
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
