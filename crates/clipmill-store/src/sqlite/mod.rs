//! The store on SQLite: one file, one writer.
//!
//! Writes go through a single connection, each unit in `BEGIN IMMEDIATE`, so that what a unit reads is still true
//! when it writes. Reads have their own connections and, in WAL mode, never wait.

pub mod backup;
mod dialect;
mod schema;
#[allow(clippy::duplicate_mod, reason = "the units are written once and compiled for each database")]
#[path = "../sql/mod.rs"]
mod sql;

use std::path::Path;
use std::time::Duration;

use sqlx::SqlitePool;
use sqlx::migrate::MigrateError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};

use sql::queue::jobs::reports::Reports;

use crate::common::error::{StoreError, StoreResult};
use crate::common::read_limits::ReadSemaphore;
use crate::common::signals::Signals;

/// How long another process may keep the file locked before a unit gives up.
const BUSY_TIMEOUT: Duration = Duration::from_secs(15);
/// How long a unit may queue behind others in this process.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(60);
const READERS: u32 = 4;
/// How often opening is tried while other programs have the file locked: for about seven seconds.
const START_TRIES: u32 = 60;

/// Cheap to clone: all clones are one store.
#[derive(Clone)]
pub struct SqliteStore {
    writer: SqlitePool,
    readers: SqlitePool,
    read_semaphore: ReadSemaphore,
    signals: Signals,
    reports: Reports,
}

impl SqliteStore {
    /// Opens the file, creating it if need be, and brings its schema up to date.
    pub async fn open(path: &Path) -> StoreResult<Self> {
        let options = connect_options(path);
        let writer = migrated_writer(&options).await?;
        // One reader opens immediately: it keeps the shared index of the write-ahead log, which could not be
        // re-created on a full disk when the writer's connection is replaced.
        let readers = pool(READERS).connect_with(options.pragma("query_only", "ON")).await?;
        Ok(Self::over(writer, readers))
    }

    /// Opens an existing file read-only, without changing its schema.
    pub async fn open_as_is(path: &Path) -> StoreResult<Self> {
        let options = connect_options(path).create_if_missing(false);
        let writer = pool(1).connect_lazy_with(options.clone());
        let readers = pool(READERS).connect_with(options.pragma("query_only", "ON")).await?;
        Ok(Self::over(writer, readers))
    }

    fn over(writer: SqlitePool, readers: SqlitePool) -> Self {
        let read_semaphore = ReadSemaphore::new(READERS);
        Self { writer, readers, read_semaphore, signals: Signals::default(), reports: Reports::default() }
    }
}

/// The writer's pool, with the schema up to date. Programs that start at the same time on a new file retry: SQLite
/// does not wait for the lock that switches a file to write-ahead logging, nor if waiting could be a deadlock.
async fn migrated_writer(options: &SqliteConnectOptions) -> StoreResult<SqlitePool> {
    let mut tries = 0;
    loop {
        let attempt = async {
            let writer = pool(1).connect_with(options.clone()).await?;
            schema::bring_up_to_date(&writer).await?;
            Ok(writer)
        };
        match attempt.await {
            Err(error) if tries < START_TRIES && is_locked(&error) => {
                tries += 1;
                sql::unit::pause(tries).await;
            }
            outcome => return outcome,
        }
    }
}

fn is_locked(error: &StoreError) -> bool {
    let cause = match error {
        StoreError::Database(cause) => cause,
        StoreError::Migration(MigrateError::Execute(cause) | MigrateError::ExecuteMigration(cause, _)) => {
            cause
        }
        _ => return false,
    };
    // SQLITE_BUSY is the lowest byte of all its extended codes.
    let code =
        cause.as_database_error().and_then(|error| error.code()).and_then(|code| code.parse::<u32>().ok());
    code.is_some_and(|code| code & 0xff == 5)
}

fn connect_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .statement_cache_capacity(128)
        // The unit is KiB: five connections stay within a few MiB.
        .pragma("cache_size", "-2048")
}

fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .max_lifetime(None)
        .idle_timeout(None)
}

#[cfg(test)]
mod tests;
