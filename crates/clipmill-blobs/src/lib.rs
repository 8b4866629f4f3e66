//! Files that outlive the process that made them: a folder or a bucket behind one interface.
//!
//! Architecture invariant: this is the only crate that knows object storage, and it knows none of the others:
//! what a file means is its callers' business.
//!
//! A folder is the embedded default; files come and go by hard links, never by copies. A bucket (S3 and what
//! speaks its protocol) is shared by processes on many machines; what is put there is there for all of them.

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

/// Where files are kept. Cheap to clone.
#[derive(Debug, Clone)]
pub enum Blobs {
    Folder(Folder),
    Bucket(Bucket),
}

/// A file that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    pub key: String,
    pub size_bytes: u64,
    /// When it was put there, in ms since 1970, by the storage's clock.
    pub modified_at: i64,
}

/// What is said about a file when it is put in place.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// Lower-case hexadecimal; made from the file when the caller does not know it.
    pub sha256: Option<String>,
    /// A name for those who save the file from a link.
    pub file_name: Option<String>,
}

impl Blobs {
    /// What `storage.url` names: `file:` is `folder`, `s3://bucket/prefix` a bucket, found with the usual
    /// `AWS_*` among `variables`.
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

    /// Puts a copy of the file under the key, or a link to it. Whoever had been there is replaced, at once and
    /// whole.
    pub async fn put(&self, key: &str, file: &Path, about: &About) -> BlobResult<()> {
        match self {
            Self::Folder(folder) => folder.put(key, file).await,
            Self::Bucket(bucket) => bucket.put(key, file, about).await,
        }
    }

    /// Makes the file `to` from what lies under the key; `None` when nothing does. What came is checked against
    /// what was put.
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

    /// Removes files; those that are not there are passed over. Many keys at once are one request where the
    /// storage can do it.
    pub async fn delete(&self, keys: Vec<String>) -> BlobResult<()> {
        match self {
            Self::Folder(folder) => folder.delete(keys).await,
            Self::Bucket(bucket) => bucket.delete(keys).await,
        }
    }

    /// Cheapest question that proves the storage answers.
    pub async fn ping(&self) -> BlobResult<()> {
        self.head(key::PING).await.map(drop)
    }

    /// Writes, reads and removes a small file; `name` tells this try from others.
    pub async fn check(&self, name: &str, scratch: &Path) -> BlobResult<()> {
        const TEXT: &[u8] = b"clipmill was here";
        let key = key::probe(name);
        let (out, back) = (scratch.join("out"), scratch.join("back"));
        tokio::fs::write(&out, TEXT).await.map_err(BlobError::file("write", &out))?;
        self.put(&key, &out, &About::default()).await?;
        let came = self.get(&key, &back).await?;
        let text = tokio::fs::read(&back).await.unwrap_or_default();
        self.delete(vec![key.clone()]).await?;
        if came.is_none() || text != TEXT {
            return Err(BlobError::Damaged { key, detail: "it does not come back as it was put".to_owned() });
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
