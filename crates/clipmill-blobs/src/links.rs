//! Links that work without keys (Signature Version 4 in the query).
//!
//! object_store signs links as well, but without lengths and only asynchronously; here both are needed.

use std::time::Duration;

use jiff::Timestamp;
use object_store::aws::AwsCredential;
use rusty_s3::Method;
use url::Url;

use crate::Bucket;
use crate::error::{BlobError, BlobResult};

/// The longest validity of a link that S3 accepts.
const MAX_LIFETIME: Duration = Duration::from_secs(7 * 86_400);

/// The credentials that sign links.
pub(crate) struct Signer {
    /// Address of the bucket as clients reach it.
    pub base: String,
    pub region: String,
    /// Keys that do not expire; those of a role expire within hours, and with them every link that they signed.
    pub permanent: Option<AwsCredential>,
}

/// The request that a link allows.
pub(crate) struct Request<'a> {
    pub method: Method,
    pub name: &'a str,
    pub lifetime: Duration,
    /// Ordered by name.
    pub query: &'a [(&'a str, &'a str)],
    pub headers: &'a [(&'a str, &'a str)],
}

impl Signer {
    pub fn sign(&self, credential: &AwsCredential, request: &Request, now_ms: i64) -> BlobResult<String> {
        let failed =
            |error: &dyn std::fmt::Display| BlobError::Settings(format!("cannot create a link: {error}"));
        let url = Url::parse(&format!("{}/{}", self.base, request.name)).map_err(|error| failed(&error))?;
        let moment = Timestamp::from_millisecond(now_ms).map_err(|error| failed(&error))?;
        let url = rusty_s3::signing::sign(
            &moment,
            request.method,
            url,
            &credential.key_id,
            &credential.secret_key,
            credential.token.as_deref(),
            &self.region,
            request.lifetime.min(MAX_LIFETIME).as_secs(),
            request.query.iter().copied(),
            request.headers.iter().copied(),
        );
        Ok(url.into())
    }
}

impl Bucket {
    /// The origin of links, as `scheme://host:port`.
    pub fn origin(&self) -> Option<String> {
        Url::parse(&self.signer.base).ok().map(|url| url.origin().ascii_serialization())
    }

    /// A link to the file that is valid for the whole lifetime, ranges included; `None` if the credentials or S3 would
    /// end it before.
    pub fn lasting_link(&self, key: &str, lifetime: Duration, now_ms: i64) -> BlobResult<Option<String>> {
        let Some(credential) = self.signer.permanent.as_ref().filter(|_| lifetime <= MAX_LIFETIME) else {
            return Ok(None);
        };
        self.signer.sign(credential, &reading(self.name(key)?.as_ref(), lifetime, &[]), now_ms).map(Some)
    }

    /// A link that is valid for a short time. The response has this `Content-Disposition` instead of the file's own.
    pub async fn short_link(
        &self,
        key: &str,
        disposition: &str,
        lifetime: Duration,
        now_ms: i64,
    ) -> BlobResult<String> {
        let credential = self.store.credentials().get_credential().await?;
        let query = [("response-content-disposition", disposition)];
        self.signer.sign(&credential, &reading(self.name(key)?.as_ref(), lifetime, &query), now_ms)
    }
}

fn reading<'a>(name: &'a str, lifetime: Duration, query: &'a [(&'a str, &'a str)]) -> Request<'a> {
    Request { method: Method::Get, name, lifetime, query, headers: &[] }
}
