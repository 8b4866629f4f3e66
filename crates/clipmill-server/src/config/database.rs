//! Where tasks, users and points are kept.

use super::ConfigError;

section! {
    /// Where tasks, users and points are kept.
    Database = "database" {
        /// Not used yet: the database is always `clipmill.db` in the data folder. Meant to be `sqlite:` for that
        /// file, `sqlite:PATH`, or `postgres://user@host/name`.
        url: String = "sqlite:".to_owned();
    }
}

impl Database {
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        check_scheme("database.url", &self.url, &["sqlite:", "postgres:", "postgresql:"])
    }
}

/// The url itself stays out of the message: it may hold a password.
pub(super) fn check_scheme(name: &str, url: &str, schemes: &[&str]) -> Result<(), ConfigError> {
    if schemes.iter().any(|scheme| url.starts_with(scheme)) {
        return Ok(());
    }
    let message = format!("begins with one of {}", schemes.join(", "));
    Err(ConfigError::Value { name: name.to_owned(), message })
}
