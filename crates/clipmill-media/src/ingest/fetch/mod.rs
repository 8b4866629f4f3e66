//! Guarded requests to URLs given by clients: downloads, from a URL to a file on disk and its hash, and POSTs.
//!
//! Sharing one download between callers and caching are left to the callers, because both depend on tasks.

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::media::ContentHash;
use clipmill_core::message::{self, Message};
use reqwest::header::{ACCEPT_ENCODING, COOKIE, HeaderMap, HeaderValue, LOCATION};
use reqwest::{Client, Response, StatusCode};
use std::path::Path;
use std::sync::Arc;
use url::Url;

use crate::cache::disk::Disk;
use crate::descriptors;
use crate::error::MediaError;
use cookies::Cookies;

mod cookies;
mod download;
mod encoding;
mod guard;
mod network;
mod policy;
mod post;
#[cfg(any(test, fuzzing))]
mod promises;
mod sink;

pub use encoding::unpacked;
pub use guard::check_url;
pub use network::{IpNet, outside};
pub use policy::{AllowPorts, FetchPolicy};
pub use post::{PostError, PostLimits, PostResponse};
#[cfg(any(test, fuzzing))]
pub use promises::check_link;

/// Downloads files within a [`FetchPolicy`]. It keeps connections open, so create it once and reuse it.
#[derive(Debug, Clone)]
pub struct Fetcher {
    client: Client,
    policy: Arc<FetchPolicy>,
}

/// The purpose of a download: text may arrive compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Media,
    Text,
}

/// A completely downloaded file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedFile {
    pub sha256: ContentHash,
    pub size_bytes: u64,
}

impl Fetcher {
    pub fn new(policy: FetchPolicy) -> Result<Self, MediaError> {
        let client = Client::builder()
            .user_agent(concat!("clipmill/", env!("CARGO_PKG_VERSION")))
            // Proxies from the environment would bypass the address check.
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .connect_timeout(policy.connect_timeout)
            .dns_resolver(guard::GuardedResolver::new(&policy))
            .build()?;
        Ok(Self { client, policy: Arc::new(policy) })
    }

    /// Downloads `url` into the file `into` on this disk. The file is created or overwritten, and removed if the
    /// download fails. Errors do not contain the URL, because only the caller knows how the client wrote it.
    pub async fn fetch(
        &self,
        url: &Url,
        kind: FileKind,
        into: &Path,
        disk: &Disk,
    ) -> Result<FetchedFile, TaskError> {
        let download = download::run(self, url, kind, into, disk);
        let outcome = match tokio::time::timeout(self.policy.max_time, download).await {
            Ok(outcome) => outcome,
            Err(_) => Err(failed(message::download_too_long(self.policy.max_time.as_secs()))),
        };
        if outcome.is_err()
            && let Err(error) = tokio::fs::remove_file(into).await
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(%error, path = %into.display(), "cannot remove the remains of a failed download");
        }
        outcome
    }

    /// Requests `url`, following redirects, each checked like the first URL; the response may have any status.
    async fn get(
        &self,
        url: &Url,
        headers: &HeaderMap,
        cookies: &mut Cookies,
    ) -> Result<Response, DownloadFailure> {
        let mut url = url.clone();
        for _ in 0..=self.policy.max_redirects {
            guard::check_url(&url, &self.policy).map_err(DownloadFailure::Final)?;
            let mut headers = headers.clone();
            headers.extend(cookies.header(&url).map(|cookies| (COOKIE, cookies)));
            let response = self.request(&url, headers).await?;
            cookies.store(response.headers(), &url);
            match redirect_target(&url, &response) {
                Some(target) => url = target,
                None => return Ok(response),
            }
        }
        let message = message::too_many_redirects(self.policy.max_redirects);
        Err(DownloadFailure::Final(failed(message).retryable(false)))
    }

    async fn request(&self, url: &Url, mut headers: HeaderMap) -> Result<Response, DownloadFailure> {
        // Media is compressed already, and the rest of a compressed file cannot be requested after an interruption.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let request = self.client.get(url.clone()).headers(headers).send();
        match tokio::time::timeout(self.policy.slow_window, request).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(match guard::blocked_by_resolver(&error) {
                Some(blocked) => DownloadFailure::Final(blocked),
                None if descriptors::caused(&error) => {
                    tracing::error!(%error, "a download failed because no file descriptor is left");
                    DownloadFailure::Final(TaskError::new(ErrorCode::Internal, message::our_fault()))
                }
                None => DownloadFailure::Cut(failed(cause(&error, url))),
            }),
            Err(_) => Err(DownloadFailure::Final(failed(message::server_silent()))),
        }
    }
}

/// Why a download stopped, and whether resuming it may help.
#[derive(Debug)]
enum DownloadFailure {
    /// The connection failed or broke.
    Cut(TaskError),
    /// An immediate retry would give the same result.
    Final(TaskError),
}

impl DownloadFailure {
    fn into_error(self) -> TaskError {
        match self {
            Self::Cut(error) | Self::Final(error) => error,
        }
    }
}

/// The target of a redirect; `None` for other responses and for a redirect without a valid target.
fn redirect_target(from: &Url, response: &Response) -> Option<Url> {
    let redirects = [
        StatusCode::MOVED_PERMANENTLY,
        StatusCode::FOUND,
        StatusCode::SEE_OTHER,
        StatusCode::TEMPORARY_REDIRECT,
        StatusCode::PERMANENT_REDIRECT,
    ];
    let location = response.headers().get(LOCATION).filter(|_| redirects.contains(&response.status()))?;
    // Some servers send non-ASCII characters unescaped.
    from.join(std::str::from_utf8(location.as_bytes()).ok()?).ok()
}

fn failed(why: Message) -> TaskError {
    TaskError::new(ErrorCode::DownloadFailed, message::download_failed(why))
}

/// Only the kind of failure: messages of the libraries may contain addresses.
fn cause(error: &reqwest::Error, url: &Url) -> Message {
    let host = url.host_str().unwrap_or("the host");
    tracing::debug!(%error, host, "a download failed");
    match error {
        error if error.is_dns() => message::host_unknown(host),
        error if error.is_timeout() => message::host_silent(host),
        error if error.is_connect() => message::host_unreachable(host),
        _ => message::host_broke(host),
    }
}

#[cfg(test)]
mod tests;
