//! Files that outlive the process that made them: a folder or a bucket behind one interface.
//!
//! Architecture invariant: this is the only crate that uses object storage, and it depends on none of the others; the
//! callers know the meaning of a file.
//!
//! A folder is the embedded default; files are stored and retrieved by hard links, never by copies. A bucket (S3 or a
//! service with the same protocol) is shared by processes on many machines.

mod bucket;
mod direct;
mod error;
mod folder;
pub mod key;
mod links;
mod transfer;

use std::path::Path;

use futures_util::stream::BoxStream;

pub use bucket::{Bucket, BucketSettings};
pub use direct::{Good, MAX_PARTS, MAX_SINGLE_PUT, MIN_PART, SignedPut};
pub use error::{BlobError, BlobResult};
pub use folder::Folder;

/// The storage of files. Cheap to clone.
#[derive(Debug, Clone)]
pub enum Blobs {
    Folder(Folder),
    Bucket(Bucket),
}

/// An existing file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    pub key: String,
    pub size_bytes: u64,
    /// When it was stored, in ms since 1970, by the storage's clock.
    pub modified_at: i64,
}

/// Properties of a file that are stored with it.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// Lower-case hexadecimal; computed from the file if the caller does not know it.
    pub sha256: Option<String>,
    /// The header `Content-Disposition` of links to the file: the name under which it is saved.
    pub disposition: Option<String>,
}

impl Blobs {
    /// The storage of `storage.url`: `file:` is `folder`, `s3://bucket/prefix` a bucket, located by the usual `AWS_*`
    /// among `variables`.
    pub fn open(
        url: &str,
        public_endpoint: Option<&str>,
        folder: &Path,
        variables: impl Iterator<Item = (String, String)>,
    ) -> BlobResult<Self> {
        match url.strip_prefix("s3://") {
            None => Ok(Self::Folder(Folder::new(folder))),
            Some(rest) => {
                let settings = BucketSettings::new(rest, public_endpoint, variables)?;
                Bucket::open(&settings).map(Self::Bucket)
            }
        }
    }

    /// Storage that other machines see as well; `None` for a folder.
    pub fn bucket(&self) -> Option<&Bucket> {
        match self {
            Self::Folder(_) => None,
            Self::Bucket(bucket) => Some(bucket),
        }
    }

    /// Stores a copy of the file under the key, or a link to it. An existing file is replaced at once and completely.
    pub async fn put(&self, key: &str, file: &Path, about: &About) -> BlobResult<()> {
        match self {
            Self::Folder(folder) => folder.put(key, file).await,
            Self::Bucket(bucket) => bucket.put(key, file, about).await,
        }
    }

    /// Writes the content of the key to the file `to`; `None` if there is none. The content is checked against the
    /// stored hash.
    pub async fn get(&self, key: &str, to: &Path) -> BlobResult<Option<Stored>> {
        match self {
            Self::Folder(folder) => folder.get(key, to).await,
            Self::Bucket(bucket) => bucket.get(key, to).await,
        }
    }

    pub async fn head(&self, key: &str) -> BlobResult<Option<Stored>> {
        match self {
            Self::Folder(folder) => folder.head(key).await,
            Self::Bucket(bucket) => bucket.head(key).await,
        }
    }

    /// Everything below a folder of keys (`results`), in no order.
    pub fn list(&self, below: &str) -> BoxStream<'static, BlobResult<Stored>> {
        match self {
            Self::Folder(folder) => folder.list(below),
            Self::Bucket(bucket) => bucket.list(below),
        }
    }

    /// Removes files and skips missing ones. Many keys are removed in one request if the storage can do it.
    pub async fn delete(&self, keys: Vec<String>) -> BlobResult<()> {
        match self {
            Self::Folder(folder) => folder.delete(keys).await,
            Self::Bucket(bucket) => bucket.delete(keys).await,
        }
    }

    /// The cheapest request that proves that the storage responds.
    pub async fn ping(&self) -> BlobResult<()> {
        self.head(key::PING).await.map(drop)
    }

    /// Writes, reads and removes a small file; `name` distinguishes this check from others.
    pub async fn check(&self, name: &str, scratch: &Path) -> BlobResult<()> {
        const TEXT: &[u8] = b"clipmill was here";
        let key = key::probe(name);
        let (out, back) = (scratch.join("out"), scratch.join("back"));
        tokio::fs::write(&out, TEXT).await.map_err(BlobError::file("write", &out))?;
        self.put(&key, &out, &About::default()).await?;
        let content = self.get(&key, &back).await?;
        let text = tokio::fs::read(&back).await.unwrap_or_default();
        self.delete(vec![key.clone()]).await?;
        if content.is_none() || text != TEXT {
            return Err(BlobError::Damaged {
                key,
                detail: "it was read back with a different content".to_owned(),
            });
        }
        match self.head(&key).await? {
            None => Ok(()),
            Some(_) => {
                Err(BlobError::Damaged { key, detail: "it is still there after its removal".to_owned() })
            }
        }
    }
}

impl std::fmt::Display for Blobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Folder(folder) => folder.fmt(f),
            Self::Bucket(bucket) => bucket.fmt(f),
        }
    }
}
