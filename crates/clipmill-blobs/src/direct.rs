//! Uploads that go from a client straight to the bucket, by links that say exactly what may be sent.

use std::time::Duration;

use http::Method;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use object_store::multipart::{MultipartStore, PartId};
use object_store::signer::Signer;

use crate::Bucket;
use crate::error::{BlobError, BlobResult};

/// S3 takes no more in one request.
pub const MAX_SINGLE_PUT: u64 = 5 << 30;
/// S3's least size of every part but the last, and the most parts of a file.
pub const MIN_PART: u64 = 5 << 20;
pub const MAX_PARTS: u64 = 10_000;

/// A request that a client may send: `PUT` to the url, with exactly so many bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedPut {
    pub url: String,
    pub size_bytes: u64,
}

impl Bucket {
    /// One PUT of exactly so many bytes.
    pub async fn sign_put(&self, key: &str, size_bytes: u64, lifetime: Duration) -> BlobResult<SignedPut> {
        self.sign(key, size_bytes, lifetime, &[]).await
    }

    /// Begins an upload in parts; answers its id.
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
        lifetime: Duration,
    ) -> BlobResult<SignedPut> {
        let query = [("partNumber", &*number.to_string()), ("uploadId", upload)];
        self.sign(key, size_bytes, lifetime, &query).await
    }

    /// Puts the parts together; `etags` are the answers to their PUTs, in order.
    pub async fn complete_parts(&self, key: &str, upload: &str, etags: Vec<String>) -> BlobResult<()> {
        let parts = etags.into_iter().map(|content_id| PartId { content_id }).collect();
        self.store.complete_multipart(&self.name(key)?, &upload.to_owned(), parts).await?;
        Ok(())
    }

    /// Drops an upload in parts with all that came of it.
    pub async fn abort_parts(&self, key: &str, upload: &str) -> BlobResult<()> {
        Ok(self.store.abort_multipart(&self.name(key)?, &upload.to_owned()).await?)
    }

    /// The length is signed, so that the storage itself refuses any other.
    async fn sign(
        &self,
        key: &str,
        size_bytes: u64,
        lifetime: Duration,
        query: &[(&str, &str)],
    ) -> BlobResult<SignedPut> {
        let failed = |error: &dyn std::fmt::Display| BlobError::Failed(error.to_string());
        // Signed once for its address and moment alone: object_store signs no lengths.
        let plain = self.public.signed_url(Method::PUT, &self.name(key)?, lifetime).await?;
        let date = plain.query_pairs().find(|(name, _)| name == "X-Amz-Date").map(|(_, date)| date);
        let moment = DateTime::strptime("%Y%m%dT%H%M%SZ", date.as_deref().unwrap_or_default());
        let moment =
            moment.and_then(|moment| moment.to_zoned(TimeZone::UTC)).map_err(|error| failed(&error))?;
        let credential = self.public.credentials().get_credential().await?;
        let length = size_bytes.to_string();
        let url = rusty_s3::signing::sign(
            &moment.timestamp(),
            rusty_s3::Method::Put,
            plain,
            &credential.key_id,
            &credential.secret_key,
            credential.token.as_deref(),
            &self.region,
            lifetime.as_secs(),
            query.iter().copied(),
            [("content-length", length.as_str())].into_iter(),
        );
        Ok(SignedPut { url: url.into(), size_bytes })
    }
}
