//! A bucket: S3 and what speaks its protocol.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{self, BoxStream, StreamExt, TryStreamExt};
use http::Method;
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path as Name;
use object_store::signer::Signer;
use object_store::{
    Attribute, BackoffConfig, ClientOptions, Error, ObjectMeta, ObjectStore, ObjectStoreExt, RetryConfig,
};
use url::{Host, Url};

use crate::error::{BlobError, BlobResult};
use crate::key::{checked, content_type};
use crate::{About, Stored, transfer};

/// A service that does not take a connection for so long is not there.
const CONNECT: Duration = Duration::from_secs(5);
/// Without a byte for so long a request is tried again. A part of an upload must be through within it.
const SILENCE: Duration = Duration::from_secs(60);
/// Refused and broken requests are tried again for so long at the most, with growing pauses.
const RETRY: Duration = Duration::from_secs(30);
const RETRIES: usize = 5;
/// Where buckets are unless AWS_REGION says otherwise.
const DEFAULT_REGION: &str = "us-east-1";

/// Which bucket, and how it is reached.
#[derive(Debug, Clone)]
pub struct BucketSettings {
    bucket: String,
    prefix: String,
    public_endpoint: Option<String>,
    variables: Vec<(AmazonS3ConfigKey, String)>,
}

impl BucketSettings {
    /// `place` is `bucket/prefix`. Of the variables, the `AWS_*` count that the field knows.
    pub fn new(
        place: &str,
        public_endpoint: Option<&str>,
        variables: impl Iterator<Item = (String, String)>,
    ) -> BlobResult<Self> {
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        let prefix = prefix.trim_matches('/');
        let named = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
        if bucket.is_empty() || !bucket.bytes().all(named) || !(prefix.is_empty() || checked(prefix).is_ok())
        {
            let message = format!("s3://{place} names no bucket; write s3://bucket or s3://bucket/prefix");
            return Err(BlobError::Settings(message));
        }
        let public_endpoint = public_endpoint.map(|url| url.trim_end_matches('/').to_owned());
        let variables = variables.filter(|(name, value)| name.starts_with("AWS_") && !value.is_empty());
        let known = variables.filter_map(|(name, value)| Some((name.to_lowercase().parse().ok()?, value)));
        let (bucket, prefix) = (bucket.to_owned(), prefix.to_owned());
        Ok(Self { bucket, prefix, public_endpoint, variables: known.collect() })
    }

    fn builder(&self, endpoint: Option<&str>) -> AmazonS3Builder {
        let client = ClientOptions::new().with_timeout_disabled();
        let client = client.with_connect_timeout(CONNECT).with_read_timeout(SILENCE);
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
        if let Some(endpoint) = endpoint {
            builder = builder.with_endpoint(endpoint);
        }
        // An endpoint that is written down as http is meant so.
        let endpoint = endpoint.map(str::to_owned).or_else(|| self.endpoint());
        let plain = endpoint.is_some_and(|endpoint| endpoint.starts_with("http://"));
        let builder = if plain { builder.with_allow_http(true) } else { builder };
        builder.with_bucket_name(&self.bucket)
    }

    fn endpoint(&self) -> Option<String> {
        let named = |key: &AmazonS3ConfigKey| matches!(key, AmazonS3ConfigKey::Endpoint);
        self.variables.iter().find(|(key, _)| named(key)).map(|(_, value)| value.clone())
    }

    fn warn_of_plain_http(&self) {
        for endpoint in self.endpoint().iter().chain(&self.public_endpoint) {
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
                    "the storage is reached without TLS: whoever listens reads the files"
                );
            }
        }
    }
}

/// An open bucket. Cheap to clone.
#[derive(Clone)]
pub struct Bucket {
    pub(crate) store: Arc<AmazonS3>,
    /// Signs links with the address that clients reach.
    pub(crate) public: Arc<AmazonS3>,
    pub(crate) region: String,
    prefix: String,
    name: String,
}

impl Bucket {
    /// Asks nothing of the network yet.
    pub fn open(settings: &BucketSettings) -> BlobResult<Self> {
        settings.warn_of_plain_http();
        let wrong = |error: Error| BlobError::Settings(format!("the storage cannot be set up: {error}"));
        let builder = settings.builder(None);
        let region = builder.get_config_value(&AmazonS3ConfigKey::Region);
        let region = region.unwrap_or_else(|| DEFAULT_REGION.to_owned());
        let store = Arc::new(builder.build().map_err(wrong)?);
        let public = match &settings.public_endpoint {
            None => store.clone(),
            Some(endpoint) => {
                let builder = settings.builder(Some(endpoint)).with_credentials(store.credentials().clone());
                Arc::new(builder.build().map_err(wrong)?)
            }
        };
        let BucketSettings { bucket, prefix, .. } = settings;
        let name = format!("s3://{bucket}/{prefix}").trim_end_matches('/').to_owned();
        Ok(Self { store, public, region, prefix: prefix.clone(), name })
    }

    pub async fn put(&self, key: &str, file: &Path, about: &About) -> BlobResult<()> {
        let sha256 = match &about.sha256 {
            Some(sha256) => sha256.clone(),
            None => transfer::sha256(file).await?,
        };
        let name = self.name(key)?;
        let mut attributes =
            vec![(Attribute::ContentType, content_type(key).to_owned()), (transfer::SHA256, sha256)];
        if let Some(file_name) = &about.file_name {
            let disposition = format!("inline; filename=\"{file_name}\"");
            attributes.push((Attribute::ContentDisposition, disposition));
        }
        transfer::put(&*self.store, &name, file, attributes.into_iter().collect()).await
    }

    pub async fn get(&self, key: &str, to: &Path) -> BlobResult<Option<Stored>> {
        let found = match self.store.get(&self.name(key)?).await {
            Ok(found) => found,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let stored = Stored { key: key.to_owned(), ..self.stored(found.meta.clone()) };
        let written = transfer::write(key, found, to).await;
        if written.is_err() {
            let _ = tokio::fs::remove_file(to).await;
        }
        written.map(|()| Some(stored))
    }

    pub async fn head(&self, key: &str) -> BlobResult<Option<Stored>> {
        match self.store.head(&self.name(key)?).await {
            Ok(found) => Ok(Some(Stored { key: key.to_owned(), ..self.stored(found) })),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub fn list(&self, below: &str) -> BoxStream<'static, BlobResult<Stored>> {
        let this = self.clone();
        match self.name(below) {
            Err(error) => stream::iter([Err(error)]).boxed(),
            Ok(name) => {
                self.store.list(Some(&name)).map_ok(move |found| this.stored(found)).err_into().boxed()
            }
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

    /// A link that works without keys for a while; ranges work as well.
    pub async fn sign_get(&self, key: &str, lifetime: Duration) -> BlobResult<String> {
        let url = self.public.signed_url(Method::GET, &self.name(key)?, lifetime).await?;
        Ok(url.into())
    }

    /// As [`Bucket::sign_get`], unless what signs is itself good for a short while only: keys of a role end
    /// within hours, and with them every link that they signed.
    pub(crate) async fn lasting_link(&self, key: &str, lifetime: Duration) -> BlobResult<Option<String>> {
        let credential = self.public.credentials().get_credential().await?;
        match credential.token {
            Some(_) => Ok(None),
            None => self.sign_get(key, lifetime).await.map(Some),
        }
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

/// Without the settings: they hold keys.
impl std::fmt::Debug for Bucket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Bucket").field(&self.name).finish()
    }
}
