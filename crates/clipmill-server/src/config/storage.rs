//! Where results are kept.

use super::ConfigError;
use super::units::ByteSize;

section! {
    /// Where results are kept.
    Storage = "storage" {
        /// Not used yet: results are always kept in `results/` in the data folder. Meant to be `file:` for that
        /// folder, or `s3://bucket/prefix`.
        url: String = "file:".to_owned();
        /// Space on the disk that work leaves free. Work that would need it waits, and fails when it waited in
        /// vain; uploads are refused.
        keep_free: ByteSize = ByteSize(256 << 20);
        /// Size that the cache of segments and finished outputs is kept below; what was used longest ago is
        /// removed first. What tasks under way need stays, and delivered outputs never depend on the cache.
        cache_size: ByteSize = ByteSize(50 << 30);
    }
}

impl Storage {
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        super::database::check_scheme("storage.url", &self.url, &["file:", "s3://"])
    }
}
