//! Errors of the store, and how the caller should handle them.

/// Failure of a unit of work; nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The caller's lease is lost: another worker has the job, or it has ended. The result must be dropped.
    #[error("the lease on this job was lost")]
    LeaseLost,
    #[error("not found")]
    NotFound,
    /// A name or key that already exists.
    #[error("{0} exists already")]
    Exists(&'static str),
    /// A number that the database cannot hold, or a sum that would exceed it.
    #[error("{0} out of range")]
    OutOfRange(&'static str),
    /// Other units kept changing the same rows. Trying again may succeed.
    #[error("conflict with concurrent changes; try again")]
    Conflict,
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("database migration: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The database is older than the baseline; this program has no migrations that upgrade it.
    #[error(
        "this version of clipmill cannot upgrade a database with schema {found}: build clipmill from the last commit \
         before 0.1.0 (schema {oldest}), start it with this database once (with PostgreSQL, run its `clipmill migrate`), \
         then start this version"
    )]
    SchemaTooOld { found: i64, oldest: i64 },
    /// A newer program has changed the database in a way that this one would misread.
    #[error(
        "the database has schema {found} and wants a clipmill that knows schema {oldest} at least; this one knows \
         {known}: install the newer clipmill again, or restore a backup made before the upgrade"
    )]
    SchemaTooNew { found: i64, known: i64, oldest: i64 },
    /// The schema of the database is too old for this program. Only `clipmill migrate` changes a database that
    /// several processes share.
    #[error("the database has schema {found}, but this program needs {needed}: run `clipmill migrate` first")]
    Schema { found: i64, needed: i64 },
    /// A row that cannot be read: written by a newer version, or damaged.
    #[error("stored data cannot be read: {0}")]
    Corrupt(String),
}

impl StoreError {
    /// Whether the failure is temporary: the database is locked, full or unreachable. Retrying later may succeed.
    pub fn is_unavailable(&self) -> bool {
        match self {
            Self::Database(sqlx::Error::Database(error)) => {
                error.code().is_some_and(|code| match code.len() {
                    5 => postgres_is_unavailable(&code),
                    _ => sqlite_is_unavailable(&code),
                })
            }
            Self::Database(error) => {
                matches!(error, sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_))
            }
            Self::Conflict => true,
            _ => false,
        }
    }

    /// Whether the database's disk is full or does not accept writes; false if the database is only busy or
    /// unreachable.
    pub fn cannot_write(&self) -> bool {
        let Self::Database(sqlx::Error::Database(error)) = self else { return false };
        error.code().is_some_and(|code| match code.len() {
            5 => postgres_cannot_write(&code),
            _ => sqlite_cannot_write(&code),
        })
    }
}

/// PostgreSQL's classes of connections, rolled-back transactions, resources, interventions and I/O, as well as a lock
/// that was not available and a server that is being promoted.
fn postgres_is_unavailable(code: &str) -> bool {
    ["08", "40", "53", "57", "58"].iter().any(|class| code.starts_with(class))
        || matches!(code, "55P03" | "25006")
}

/// The disk is full, a file cannot be written, or the server accepts no changes.
fn postgres_cannot_write(code: &str) -> bool {
    matches!(code, "53100" | "58030" | "25006")
}

/// READONLY, IOERR, FULL, CANTOPEN.
fn sqlite_cannot_write(code: &str) -> bool {
    code.parse::<i64>().is_ok_and(|code| matches!(code & 0xff, 8 | 10 | 13 | 14))
}

/// From SQLite's result codes (the lowest byte of an extended one): BUSY, LOCKED, NOMEM, READONLY (a file
/// system that gave up), IOERR, FULL, CANTOPEN.
fn sqlite_is_unavailable(code: &str) -> bool {
    code.parse::<i64>().is_ok_and(|code| matches!(code & 0xff, 5 | 6 | 7 | 8 | 10 | 13 | 14))
}

pub type StoreResult<T> = Result<T, StoreError>;
