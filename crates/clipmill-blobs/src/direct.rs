//! Direct uploads from a client to the bucket, with links that fix the size of the file.

use std::time::Duration;

use object_store::multipart::{MultipartStore, PartId};

use crate::Bucket;
use crate::error::BlobResult;
use crate::links::Request;

/// The largest file that S3 accepts in one request.
pub const MAX_SINGLE_PUT: u64 = 5 << 30;
/// S3's smallest size of every part except the last, and the most parts of a file.
pub const MIN_PART: u64 = 5 << 20;
pub const MAX_PARTS: u64 = 10_000;

/// A request that a client may send: `PUT` to the URL, with exactly this many bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedPut {
    pub url: String,
    pub size_bytes: u64,
}

/// When a link starts to be valid, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct Good {
    pub now_ms: i64,
    pub lifetime: Duration,
}

impl Bucket {
    /// One PUT of exactly this many bytes.
    pub async fn sign_put(&self, key: &str, size_bytes: u64, good: Good) -> BlobResult<SignedPut> {
        self.sign(key, size_bytes, &[], good).await
    }

    /// Begins an upload in parts; returns its id.
    pub async fn begin_parts(&self, key: &str) -> BlobResult<String> {
        Ok(self.store.create_multipart(&self.name(key)?).await?)
    }

    /// The PUT of one part, from 1.
    pub async fn sign_part(
        &self,
        key: &str,
        upload: &str,
        number: u64,
        size_bytes: u64,
        good: Good,
    ) -> BlobResult<SignedPut> {
        let query = [("partNumber", &*number.to_string()), ("uploadId", upload)];
        self.sign(key, size_bytes, &query, good).await
    }

    /// Joins the parts; `etags` are the responses to their PUTs, in order.
    pub async fn complete_parts(&self, key: &str, upload: &str, etags: Vec<String>) -> BlobResult<()> {
        let parts = etags.into_iter().map(|content_id| PartId { content_id }).collect();
        self.store.complete_multipart(&self.name(key)?, &upload.to_owned(), parts).await?;
        Ok(())
    }

    async fn sign(
        &self,
        key: &str,
        size_bytes: u64,
        query: &[(&str, &str)],
        good: Good,
    ) -> BlobResult<SignedPut> {
        let credential = self.store.credentials().get_credential().await?;
        let (name, length) = (self.name(key)?, size_bytes.to_string());
        let request = Request {
            method: rusty_s3::Method::Put,
            name: name.as_ref(),
            lifetime: good.lifetime,
            query,
            // The length is signed, so that the storage itself rejects any other.
            headers: &[("content-length", &length)],
        };
        let url = self.signer.sign(&credential, &request, good.now_ms)?;
        Ok(SignedPut { url, size_bytes })
    }
}
