//! The database of tasks, users and points.

use super::ConfigError;

section! {
    /// The database of tasks, users and points.
    Database = "database" {
        /// `sqlite:` is `clipmill.db` in the data folder, `sqlite:PATH` another file; SQLite serves a single process.
        /// Any number of processes can share `postgres://user:password@host/name`; run `clipmill migrate` first.
        url: String = "sqlite:".to_owned();
        /// Maximum connections of one process to PostgreSQL: one listens, half of the others write. `clipmill worker`
        /// uses at most 3, regardless of its slots.
        connections: u32 = 10;
        /// Maximum concurrent write transactions of all processes on PostgreSQL, not counting submissions and
        /// cancellations; further ones wait. More than about 16 per core of the database server slow each other down.
        /// Values above 64 mean no limit.
        writes_at_once: u32 = 32;
    }
}

impl Database {
    /// Whether other processes can use the same database.
    pub fn is_shared(&self) -> bool {
        self.url.starts_with("postgres")
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        if self.connections < 3 {
            let message = "at least 3: one listens for notifications, one writes, one reads".to_owned();
            return Err(ConfigError::Value { name: "database.connections".to_owned(), message });
        }
        if self.writes_at_once < 1 {
            let (name, message) = ("database.writes_at_once".to_owned(), "at least 1".to_owned());
            return Err(ConfigError::Value { name, message });
        }
        check_scheme("database.url", &self.url, &["sqlite:", "postgres:", "postgresql:"])
    }
}

/// The url is left out of the message, because it may contain a password.
pub(super) fn check_scheme(name: &str, url: &str, schemes: &[&str]) -> Result<(), ConfigError> {
    if schemes.iter().any(|scheme| url.starts_with(scheme)) {
        return Ok(());
    }
    let message = format!("begins with one of {}", schemes.join(", "));
    Err(ConfigError::Value { name: name.to_owned(), message })
}
