//! Where tasks, users and points are kept.

use super::ConfigError;

section! {
    /// Where tasks, users and points are kept.
    Database = "database" {
        /// `sqlite:` is `clipmill.db` in the data folder, `sqlite:PATH` another file; one process works on it.
        /// `postgres://user:password@host/name` is shared by any number of processes, after `clipmill migrate`.
        url: String = "sqlite:".to_owned();
        /// Most connections of one process to PostgreSQL: one listens, half of the others write. `clipmill worker` takes no
        /// more than 3, however many slots it has.
        connections: u32 = 10;
        /// Most transactions of all processes that write to PostgreSQL at the same time, submissions and cancellations apart;
        /// others wait for their turn. More than some sixteen for each core of the database's machine slow each other down.
        /// More than 64 is without bound.
        writes_at_once: u32 = 32;
    }
}

impl Database {
    /// Whether other processes work on the same database.
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
