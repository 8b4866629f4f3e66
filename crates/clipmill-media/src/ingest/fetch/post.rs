//! One POST to a URL given by a client: guarded like a download, and without following redirects.

use clipmill_core::message::{self, Message};
use std::time::Duration;

use futures_util::StreamExt;
use reqwest::Response;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use url::Url;

use super::{Fetcher, cause, guard};

/// Bounds of one POST.
#[derive(Debug, Clone, Copy)]
pub struct PostLimits {
    /// The time for everything: look-up, connection, request and response.
    pub timeout: Duration,
    /// How many bytes of the response are read before the connection is closed.
    pub max_answer: u64,
}

/// A receiver's response. A redirect is a response like any other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostResponse {
    pub status: u16,
    /// The header as it was received.
    pub retry_after: Option<String>,
}

/// Why there was no response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PostError {
    /// The URL is not allowed; a retry would give the same result.
    Blocked,
    /// The host name currently resolves to an internal network.
    NotPublic,
    TimedOut(Duration),
    Broken(Message),
}

impl PostError {
    pub fn message(&self) -> Message {
        match self {
            Self::Blocked => message::address_blocked(),
            Self::NotPublic => message::host_private(),
            Self::TimedOut(after) => message::receiver_silent(after.as_secs_f64()),
            Self::Broken(message) => message.clone(),
        }
    }
}

impl Fetcher {
    /// Sends `body`. Only the status of the response matters; a part of its body is read and discarded, so that the
    /// connection is not closed in the middle of a short one.
    pub async fn post(
        &self,
        url: &Url,
        headers: HeaderMap,
        body: Vec<u8>,
        limits: PostLimits,
    ) -> Result<PostResponse, PostError> {
        guard::check_url(url, &self.policy).map_err(|_| PostError::Blocked)?;
        let deadline = tokio::time::Instant::now() + limits.timeout;
        let request = self.client.post(url.clone()).headers(headers).body(body).send();
        let response = match tokio::time::timeout_at(deadline, request).await {
            Err(_) => return Err(PostError::TimedOut(limits.timeout)),
            Ok(Err(error)) if guard::blocked_by_resolver(&error).is_some() => {
                return Err(PostError::NotPublic);
            }
            Ok(Err(error)) => return Err(PostError::Broken(cause(&error, url))),
            Ok(Ok(response)) => response,
        };
        let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let posted =
            PostResponse { status: response.status().as_u16(), retry_after: retry_after.map(str::to_owned) };
        // Even if the body is late or broken, the receiver has responded.
        let _ = tokio::time::timeout_at(deadline, read_some(response, limits.max_answer)).await;
        Ok(posted)
    }
}

async fn read_some(response: Response, max: u64) {
    let (mut body, mut read) = (response.bytes_stream(), 0);
    while let Some(Ok(chunk)) = body.next().await {
        read += chunk.len() as u64;
        if read >= max {
            break;
        }
    }
}
