//! Where results are kept.

use super::ConfigError;

section! {
    /// Where results are kept.
    Storage = "storage" {
        /// Not used yet: results are always kept in `results/` in the data folder. Meant to be `file:` for that
        /// folder, or `s3://bucket/prefix`.
        url: String = "file:".to_owned();
    }
}

impl Storage {
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        super::database::check_scheme("storage.url", &self.url, &["file:", "s3://"])
    }
}
