//! The remote cache: segments in a bucket that all workers share.
//!
//! Rendering happens in the folder in front of it, and the bucket is authoritative. A segment counts as rendered once
//! its video or audio is in the bucket, so that file is uploaded last.

use std::path::Path;

use clipmill_blobs::{About, Bucket, key};
use clipmill_core::segment::SegmentKey;
use tokio::fs;

use crate::cache::{Cache, publish};
use crate::error::MediaError;

/// Extensions of the files beside a segment's video or audio: its findings and its cover.
const BESIDE: [&str; 2] = ["json", "jpg"];

impl Cache {
    /// Whether the segment is rendered: it is in the bucket, or in this folder if there is no bucket.
    pub async fn is_made(&self, segment_key: &SegmentKey, extension: &str) -> Result<bool, MediaError> {
        match &self.shared {
            Some(bucket) => Ok(bucket.head(&key::segment(&segment_key.0, extension)).await?.is_some()),
            None => Ok(self.is_local(segment_key, extension).await),
        }
    }

    /// Brings the segment into this folder and into the bucket, from wherever it is; `false` if it is in neither.
    pub async fn ensure_local(&self, segment_key: &SegmentKey, extension: &str) -> Result<bool, MediaError> {
        match &self.shared {
            None => Ok(self.is_local(segment_key, extension).await),
            Some(_) if self.is_local(segment_key, extension).await => {
                self.share(segment_key, extension).await?;
                Ok(true)
            }
            Some(bucket) => self.fetch(bucket, segment_key, extension).await,
        }
    }

    /// Uploads a segment of this folder to the bucket, unless it is there.
    pub async fn share(&self, segment_key: &SegmentKey, extension: &str) -> Result<(), MediaError> {
        let Some(bucket) = self.shared.as_ref() else { return Ok(()) };
        if self.is_made(segment_key, extension).await? {
            return Ok(());
        }
        for extension in BESIDE.into_iter().chain([extension]) {
            let file = self.file(segment_key, extension);
            // Audio has no cover.
            if fs::try_exists(&file).await.unwrap_or(true) {
                bucket.put(&key::segment(&segment_key.0, extension), &file, &About::default()).await?;
            }
        }
        Ok(())
    }

    /// Removes the segment. The next task that needs it renders it again.
    pub(crate) async fn forget(&self, segment_key: &SegmentKey, extension: &str) -> Result<(), MediaError> {
        let file = self.file(segment_key, extension);
        match fs::remove_file(&file).await {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(MediaError::file("remove", &file)(error));
            }
            _ => {}
        }
        if let Some(bucket) = &self.shared {
            bucket.delete(vec![key::segment(&segment_key.0, extension)]).await?;
        }
        Ok(())
    }

    async fn fetch(
        &self,
        bucket: &Bucket,
        segment_key: &SegmentKey,
        extension: &str,
    ) -> Result<bool, MediaError> {
        let Some(stored) = bucket.head(&key::segment(&segment_key.0, extension)).await? else {
            return Ok(false);
        };
        let _space = self.disk.reserve(stored.size_bytes).map_err(MediaError::Refused)?;
        let scratch = self.scratch(&self.unique("fetched")).await?;
        for part in BESIDE.into_iter().chain([extension]) {
            let downloaded = scratch.file(part);
            match bucket.get(&key::segment(&segment_key.0, part), &downloaded).await? {
                Some(_) => publish(&downloaded, &self.file(segment_key, part)).await?,
                None if part == "jpg" => {}
                // It was removed just now.
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    async fn is_local(&self, segment_key: &SegmentKey, extension: &str) -> bool {
        exists(&self.file(segment_key, extension)).await && exists(&self.file(segment_key, "json")).await
    }
}

async fn exists(path: &Path) -> bool {
    fs::try_exists(path).await.unwrap_or(false)
}
