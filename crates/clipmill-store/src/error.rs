//! What can go wrong in the store, and what the caller should do about it.

/// Failure of a unit of work; nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The caller's lease was lost: somebody else has the work now, or it is over. Drop the result.
    #[error("the lease on this piece of work was lost")]
    LeaseLost,
    #[error("not found")]
    NotFound,
    /// A name or key that exists already.
    #[error("{0} exists already")]
    Exists(&'static str),
    /// A number that the database cannot hold, or a sum that would exceed it.
    #[error("{0} out of range")]
    OutOfRange(&'static str),
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("database migration: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// A row that cannot be understood: written by a newer version, or damaged.
    #[error("stored data is not understood: {0}")]
    Corrupt(String),
}

pub type StoreResult<T> = Result<T, StoreError>;
