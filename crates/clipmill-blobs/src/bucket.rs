//! A bucket in S3 or a service with the same protocol.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey, AwsCredential};
use object_store::path::Path as Name;
use object_store::{
    Attribute, BackoffConfig, ClientOptions, Error, ObjectMeta, ObjectStore, ObjectStoreExt, RetryConfig,
};
use url::{Host, Url};

use crate::error::{BlobError, BlobResult};
use crate::key::{checked, content_type};
use crate::links::Signer;
use crate::{About, Stored, transfer};

/// A service that accepts no connection within this time counts as unreachable.
const CONNECT: Duration = Duration::from_secs(5);
/// A request is retried after this long without a byte. A part of an upload must be sent within it.
const STALL_TIMEOUT: Duration = Duration::from_secs(60);
/// Refused and broken requests are retried for at most this long, with growing pauses.
const RETRY: Duration = Duration::from_secs(30);
const RETRIES: usize = 5;
/// The region unless AWS_REGION is set.
const DEFAULT_REGION: &str = "us-east-1";

/// The name of a bucket, and how to reach it.
#[derive(Debug, Clone)]
pub struct BucketSettings {
    bucket: String,
    prefix: String,
    public_endpoint: Option<String>,
    variables: Vec<(AmazonS3ConfigKey, String)>,
}

impl BucketSettings {
    /// `place` is `bucket/prefix`. Of the variables, the usual `AWS_*` are read.
    pub fn new(
        place: &str,
        public_endpoint: Option<&str>,
        variables: impl Iterator<Item = (String, String)>,
    ) -> BlobResult<Self> {
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        let prefix = prefix.trim_matches('/');
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
        if bucket.is_empty()
            || !bucket.bytes().all(is_allowed)
            || !(prefix.is_empty() || checked(prefix).is_ok())
        {
            let message = format!("s3://{place} has no bucket; write s3://bucket or s3://bucket/prefix");
            return Err(BlobError::Settings(message));
        }
        let public_endpoint = public_endpoint.map(|url| url.trim_end_matches('/').to_owned());
        let variables = variables.filter(|(name, value)| name.starts_with("AWS_") && !value.is_empty());
        let options = variables.filter_map(|(name, value)| Some((name.to_lowercase().parse().ok()?, value)));
        let (bucket, prefix) = (bucket.to_owned(), prefix.to_owned());
        Ok(Self { bucket, prefix, public_endpoint, variables: options.collect() })
    }

    fn builder(&self) -> AmazonS3Builder {
        let client = ClientOptions::new().with_timeout_disabled();
        let client = client.with_connect_timeout(CONNECT).with_read_timeout(STALL_TIMEOUT);
        let backoff = BackoffConfig {
            init_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(5),
            base: 2.0,
        };
        let retry = RetryConfig { backoff, max_retries: RETRIES, retry_timeout: RETRY };
        let mut builder = AmazonS3Builder::new().with_client_options(client).with_retry(retry);
        for (key, value) in &self.variables {
            builder = builder.with_config(*key, value.clone());
        }
        // Plain http is allowed if the endpoint is explicitly configured with it.
        let plain = self.endpoint().is_some_and(|endpoint| endpoint.starts_with("http://"));
        let builder = if plain { builder.with_allow_http(true) } else { builder };
        builder.with_bucket_name(&self.bucket)
    }

    /// The signer of links, which uses the address that clients reach.
    fn signer(&self) -> Signer {
        let region =
            self.variable(AmazonS3ConfigKey::Region).or(self.variable(AmazonS3ConfigKey::DefaultRegion));
        let region = region.unwrap_or(DEFAULT_REGION);
        let virtual_hosted = self.variable(AmazonS3ConfigKey::VirtualHostedStyleRequest) == Some("true");
        let endpoint =
            self.public_endpoint.as_deref().or(self.endpoint()).map(|url| url.trim_end_matches('/'));
        let bucket = &self.bucket;
        let base = match endpoint {
            // With virtual hosting, a configured endpoint already contains the bucket's name.
            Some(endpoint) if virtual_hosted => endpoint.to_owned(),
            Some(endpoint) => format!("{endpoint}/{bucket}"),
            None if virtual_hosted => format!("https://{bucket}.s3.{region}.amazonaws.com"),
            None => format!("https://s3.{region}.amazonaws.com/{bucket}"),
        };
        let permanent = match self.variable(AmazonS3ConfigKey::Token) {
            None => self
                .variable(AmazonS3ConfigKey::AccessKeyId)
                .zip(self.variable(AmazonS3ConfigKey::SecretAccessKey)),
            Some(_) => None,
        };
        let permanent = permanent.map(|(id, secret)| AwsCredential {
            key_id: id.to_owned(),
            secret_key: secret.to_owned(),
            token: None,
        });
        Signer { base, region: region.to_owned(), permanent }
    }

    fn endpoint(&self) -> Option<&str> {
        self.variable(AmazonS3ConfigKey::S3Endpoint).or(self.variable(AmazonS3ConfigKey::Endpoint))
    }

    fn variable(&self, wanted: AmazonS3ConfigKey) -> Option<&str> {
        self.variables.iter().find(|(key, _)| *key == wanted).map(|(_, value)| value.as_str())
    }

    fn warn_of_plain_http(&self) {
        for endpoint in self.endpoint().into_iter().chain(self.public_endpoint.as_deref()) {
            let Ok(url) = Url::parse(endpoint) else { continue };
            let near = match url.host() {
                Some(Host::Ipv4(address)) => address.is_loopback(),
                Some(Host::Ipv6(address)) => address.is_loopback(),
                Some(Host::Domain(name)) => name == "localhost",
                None => false,
            };
            if url.scheme() == "http" && !near {
                tracing::warn!(
                    endpoint,
                    "the connection to the storage does not use TLS, so others on the network can read the files"
                );
            }
        }
    }
}

/// An open bucket. Cheap to clone.
#[derive(Clone)]
pub struct Bucket {
    pub(crate) store: Arc<AmazonS3>,
    pub(crate) signer: Arc<Signer>,
    prefix: String,
    name: String,
}

impl Bucket {
    /// Opens the bucket without using the network.
    pub fn open(settings: &BucketSettings) -> BlobResult<Self> {
        settings.warn_of_plain_http();
        let wrong = |error: Error| BlobError::Settings(format!("the storage cannot be set up: {error}"));
        let store = Arc::new(settings.builder().build().map_err(wrong)?);
        let signer = Arc::new(settings.signer());
        let BucketSettings { bucket, prefix, .. } = settings;
        let name = format!("s3://{bucket}/{prefix}").trim_end_matches('/').to_owned();
        Ok(Self { store, signer, prefix: prefix.clone(), name })
    }

    pub async fn put(&self, key: &str, file: &Path, about: &About) -> BlobResult<()> {
        let sha256 = match &about.sha256 {
            Some(sha256) => sha256.clone(),
            None => transfer::sha256(file).await?,
        };
        let name = self.name(key)?;
        let mut attributes =
            vec![(Attribute::ContentType, content_type(key).to_owned()), (transfer::SHA256, sha256)];
        if let Some(disposition) = &about.disposition {
            attributes.push((Attribute::ContentDisposition, disposition.clone()));
        }
        transfer::put(&*self.store, &name, file, attributes.into_iter().collect()).await
    }

    pub async fn get(&self, key: &str, to: &Path) -> BlobResult<Option<Stored>> {
        let response = match self.store.get(&self.name(key)?).await {
            Ok(response) => response,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let stored = Stored { key: key.to_owned(), ..self.stored(response.meta.clone()) };
        let outcome = transfer::write(key, response, to).await;
        if outcome.is_err() {
            let _ = tokio::fs::remove_file(to).await;
        }
        outcome.map(|()| Some(stored))
    }

    /// The content under the key in chunks as they arrive; `None` if there is none.
    pub async fn read(&self, key: &str) -> BlobResult<Option<BoxStream<'static, BlobResult<Bytes>>>> {
        match self.store.get(&self.name(key)?).await {
            Ok(response) => Ok(Some(response.into_stream().err_into().boxed())),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub async fn head(&self, key: &str) -> BlobResult<Option<Stored>> {
        match self.store.head(&self.name(key)?).await {
            Ok(meta) => Ok(Some(Stored { key: key.to_owned(), ..self.stored(meta) })),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub fn list(&self, below: &str) -> BoxStream<'static, BlobResult<Stored>> {
        let this = self.clone();
        match self.name(below) {
            Err(error) => stream::iter([Err(error)]).boxed(),
            Ok(name) => self.store.list(Some(&name)).map_ok(move |meta| this.stored(meta)).err_into().boxed(),
        }
    }

    pub async fn delete(&self, keys: Vec<String>) -> BlobResult<()> {
        let names: Vec<_> = keys.iter().map(|key| self.name(key)).collect::<BlobResult<_>>()?;
        let mut deleted = self.store.delete_stream(stream::iter(names.into_iter().map(Ok)).boxed());
        while let Some(outcome) = deleted.next().await {
            match outcome {
                Ok(_) | Err(Error::NotFound { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    pub(crate) fn name(&self, key: &str) -> BlobResult<Name> {
        let key = checked(key)?;
        let whole = if self.prefix.is_empty() { key.to_owned() } else { format!("{}/{key}", self.prefix) };
        Name::parse(whole).map_err(|_| BlobError::Key(key.to_owned()))
    }

    fn stored(&self, found: ObjectMeta) -> Stored {
        let name = found.location.as_ref();
        let key = name.strip_prefix(self.prefix.as_str()).unwrap_or(name).trim_start_matches('/');
        let modified_at = found.last_modified.timestamp_millis();
        Stored { key: key.to_owned(), size_bytes: found.size, modified_at }
    }
}

impl std::fmt::Display for Bucket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// Omits the settings, because they contain keys.
impl std::fmt::Debug for Bucket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Bucket").field(&self.name).finish()
    }
}
