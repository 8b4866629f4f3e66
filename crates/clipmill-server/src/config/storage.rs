//! The storage of files.

use super::ConfigError;
use super::units::{BaseUrl, ByteSize};

section! {
    /// The storage of files.
    Storage = "storage" {
        /// `file:` keeps results in the data folder. `s3://bucket/prefix` keeps results, uploads, fetched inputs and
        /// finished segments in a bucket that all processes share; the data folder is then a local cache. Configure
        /// access to the bucket with the usual `AWS_*` variables (see `docs/operate/storage.md`).
        url: String = "file:".to_owned();
        /// Public address of the bucket, e.g. `https://files.example.com`, if it differs from `AWS_ENDPOINT_URL`.
        /// Links to results and for uploads begin with it.
        public_endpoint: Option<BaseUrl> = None;
        /// Disk space to keep free. Work that would need it waits until there is room; uploads are refused.
        keep_free: ByteSize = ByteSize(256 << 20);
        /// Maximum size of the cache of segments and assembled outputs; least recently used files are removed first.
        /// Files that open tasks need are kept, and delivered outputs never depend on the cache.
        cache_size: ByteSize = ByteSize(50 << 30);
    }
}

impl Storage {
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        super::database::check_scheme("storage.url", &self.url, &["file:", "s3://"])
    }
}
