//! Results in a bucket, for retention.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use async_trait::async_trait;
use clipmill_blobs::{Bucket, key};
use clipmill_store::Millis;
use futures_util::TryStreamExt;

use super::files::{LocalResults, ResultFile, ResultFiles};
use crate::data_dir::DataDir;

pub struct BucketResults(Bucket);

/// The result files of this installation, wherever they are.
pub fn results_of(data: &DataDir) -> Arc<dyn ResultFiles> {
    match data.bucket() {
        Some(bucket) => Arc::new(BucketResults(bucket.clone())),
        None => Arc::new(LocalResults::new(data.results())),
    }
}

#[async_trait]
impl ResultFiles for BucketResults {
    async fn remove(&self, key: &str) -> io::Result<()> {
        self.0.delete(vec![key::result(key)]).await.map_err(io::Error::other)
    }

    async fn folders(&self) -> io::Result<Vec<String>> {
        let mut objects = self.0.list(key::RESULTS);
        let mut folders = BTreeSet::new();
        while let Some(stored) = objects.try_next().await.map_err(io::Error::other)? {
            folders.extend(own(&stored.key).split_once('/').map(|(folder, _)| folder.to_owned()));
        }
        Ok(folders.into_iter().collect())
    }

    async fn list(&self, folder: &str) -> io::Result<Vec<ResultFile>> {
        let mut objects = self.0.list(&key::result(folder));
        let mut files = Vec::new();
        while let Some(stored) = objects.try_next().await.map_err(io::Error::other)? {
            let key = own(&stored.key).to_owned();
            files.push(ResultFile { key, size_bytes: stored.size_bytes, modified_at: stored.modified_at });
        }
        Ok(files)
    }

    /// A bucket has no folders, only names.
    async fn remove_folder(&self, _: &str, _: Millis) -> io::Result<()> {
        Ok(())
    }
}

/// The key as the database has it.
fn own(key: &str) -> &str {
    key.strip_prefix(key::RESULTS).unwrap_or(key).trim_start_matches('/')
}
