//! Where files are kept.

use super::ConfigError;
use super::units::{BaseUrl, ByteSize};

section! {
    /// Where files are kept.
    Storage = "storage" {
        /// `file:` keeps results in the data folder. `s3://bucket/prefix` keeps results, uploads, fetched inputs and
        /// finished segments in a bucket that all processes share, the data folder being a cache before it; the
        /// bucket is reached with the usual `AWS_*` variables (see `docs/storage.md`).
        url: String = "file:".to_owned();
        /// Where clients reach the bucket, e.g. `https://files.example.com`, where that differs from
        /// `AWS_ENDPOINT_URL`: links to results and for uploads begin with it.
        public_endpoint: Option<BaseUrl> = None;
        /// Space on the disk that work leaves free. Work that would need it waits until there is room; uploads are
        /// refused.
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
