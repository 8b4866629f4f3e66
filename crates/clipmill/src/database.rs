//! Locates and opens the database of an installation.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clipmill_server::Config;
use clipmill_server::data_dir::{make_private, private_file};
use clipmill_store::Store;
use clipmill_store::sqlite::SqliteStore;

use crate::cli::ConfigLocation;

/// Opens the configured database. A file is created if it is missing, and migrated; a database that several processes
/// share is not migrated.
pub async fn open(location: &ConfigLocation, config: &Config) -> anyhow::Result<Arc<dyn Store>> {
    if config.database.is_shared() {
        return shared::open(config).await;
    }
    let path = file(location, config);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    // SQLite gives the files beside the database the same permissions.
    for suffix in ["", "-wal", "-shm"] {
        make_private(&PathBuf::from(format!("{}{suffix}", path.display())));
    }
    if !path.exists() {
        private_file(&path).with_context(|| format!("cannot create {}", path.display()))?;
    }
    let store = SqliteStore::open(&path).await.with_context(|| format!("cannot open {}", path.display()))?;
    Ok(Arc::new(store))
}

/// Migrates a shared database; returns the version of its schema before and after.
pub async fn migrate_shared(config: &Config) -> anyhow::Result<(i64, i64)> {
    shared::migrate(config).await
}

#[cfg(feature = "postgres")]
mod shared {
    use std::sync::Arc;

    use clipmill_server::Config;
    use clipmill_store::postgres::{Clock, MigrationResult, PgOptions, PgStore};
    use clipmill_store::{Store, StoreError};

    use crate::report::wrong;

    pub async fn open(config: &Config) -> anyhow::Result<Arc<dyn Store>> {
        let database = &config.database;
        let options = PgOptions {
            connections: database.connections,
            writes_at_once: database.writes_at_once,
            clock: Clock::Database,
        };
        match PgStore::open(&config.database.url, options).await {
            Ok(store) => Ok(Arc::new(store)),
            Err(error) => Err(explain(error)),
        }
    }

    pub async fn migrate(config: &Config) -> anyhow::Result<(i64, i64)> {
        let MigrationResult { before, after } =
            PgStore::migrate(&config.database.url).await.map_err(explain)?;
        Ok((before, after))
    }

    /// The url is left out of the error, because it may contain a password.
    fn explain(error: StoreError) -> anyhow::Error {
        if matches!(error, StoreError::Schema { .. } | StoreError::SchemaTooOld { .. }) {
            return wrong(error.to_string());
        }
        anyhow::Error::new(error)
            .context("Cannot connect to the database at database.url. Check that it is running and that the URL is correct.")
    }
}

#[cfg(not(feature = "postgres"))]
mod shared {
    use std::sync::Arc;

    use clipmill_server::Config;
    use clipmill_store::Store;

    use crate::report::wrong;

    const WITHOUT: &str = "database.url is a PostgreSQL URL, but this build does not support PostgreSQL (cargo feature `postgres`); build it with `cargo build --release`, or use sqlite:";

    pub async fn open(_: &Config) -> anyhow::Result<Arc<dyn Store>> {
        Err(wrong(WITHOUT.to_owned()))
    }

    pub async fn migrate(_: &Config) -> anyhow::Result<(i64, i64)> {
        Err(wrong(WITHOUT.to_owned()))
    }
}

/// Whether the configured database exists, as far as a file is concerned; a shared one is only known when it is opened.
pub fn exists(location: &ConfigLocation, config: &Config) -> bool {
    config.database.is_shared() || file(location, config).exists()
}

/// The path of the file of an installation on SQLite.
pub fn file(location: &ConfigLocation, config: &Config) -> PathBuf {
    match config.database.url.strip_prefix("sqlite:").filter(|path| !path.is_empty()) {
        Some(path) => PathBuf::from(path.strip_prefix("//").unwrap_or(path)),
        None => location.data.join("clipmill.db"),
    }
}

/// Ensures that only one process uses a data folder, because leases and caches belong to a single process.
pub fn lock(root: &Path) -> anyhow::Result<File> {
    let path = root.join("lock");
    let file = File::create(&path).with_context(|| format!("cannot create {}", path.display()))?;
    if file.try_lock().is_err() {
        bail!(
            "another clipmill already serves {}; stop it, or use another folder with --data",
            root.display()
        );
    }
    Ok(file)
}
