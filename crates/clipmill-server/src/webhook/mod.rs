//! Webhook messages in the Standard Webhooks format: writing, signing and sending.
//! Used by both the delivery of events and the test of a callback, which are independent of each other.

mod sign;

use clipmill_core::message;
use std::time::Duration;

use axum::http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use clipmill_media::error::MediaError;
use clipmill_media::ingest::fetch::{FetchPolicy, Fetcher, PostError, PostLimits};
use clipmill_store::Millis;
use serde::Serialize;
use tokio::time::Instant;
use url::Url;

use crate::config::Callbacks;
use crate::view::{TaskView, rfc3339};

pub use sign::sign;

/// The message body, with the same fields for every event.
#[derive(Debug, Serialize)]
pub struct Message<T = TaskView> {
    pub r#type: String,
    /// When the task or batch ended.
    pub timestamp: String,
    /// Present, and true, only in a test.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub test: bool,
    pub data: T,
}

/// The destination and the id of a message, and the secrets that sign it.
pub struct Envelope<'a> {
    pub id: &'a str,
    pub url: &'a str,
    /// The newest first.
    pub secrets: &'a [String],
}

/// The response of a receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookResponse {
    pub duration: Duration,
    pub status: Option<u16>,
    /// The wait that the receiver requested.
    pub retry_after: Option<Duration>,
    /// `None` if the receiver accepted the message.
    pub refused: Option<WebhookRefusal>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookRefusal {
    pub message: message::Message,
    /// Whether the receiver wants no later attempt, or a later one could not succeed.
    pub for_good: bool,
}

/// Sends messages, each once.
pub struct Sender {
    client: Fetcher,
    limits: PostLimits,
}

impl<T> Message<T> {
    pub fn new(kind: &str, occurred: Millis, data: T) -> Self {
        Self { r#type: kind.to_owned(), timestamp: rfc3339(occurred), test: false, data }
    }
}

impl Sender {
    pub fn new(policy: FetchPolicy, config: &Callbacks) -> Result<Self, MediaError> {
        let limits = PostLimits { timeout: config.timeout.get(), max_answer: config.max_answer.0 };
        Ok(Self { client: Fetcher::new(policy)?, limits })
    }

    /// Makes one attempt, signed as of `now`.
    pub async fn send<T: Serialize>(
        &self,
        envelope: &Envelope<'_>,
        message: &Message<T>,
        now: Millis,
    ) -> WebhookResponse {
        let started = Instant::now();
        let mut received = match self.post(envelope, message, now).await {
            Ok(posted) => judge(posted.status, posted.retry_after.as_deref(), now),
            Err(refusal) => WebhookResponse {
                duration: Duration::ZERO,
                status: None,
                retry_after: None,
                refused: Some(refusal),
            },
        };
        received.duration = started.elapsed();
        received
    }

    async fn post<T: Serialize>(
        &self,
        envelope: &Envelope<'_>,
        message: &Message<T>,
        now: Millis,
    ) -> Result<clipmill_media::ingest::fetch::PostResponse, WebhookRefusal> {
        let for_good = |message| WebhookRefusal { message, for_good: true };
        let url = Url::parse(envelope.url).map_err(|_| for_good(message::address_invalid()))?;
        let body =
            serde_json::to_vec(message).map_err(|error| for_good(message::not_written(error.to_string())))?;
        let headers = headers(envelope, &body, now).ok_or_else(|| for_good(message::not_signed()))?;
        let posted = self.client.post(&url, headers, body, self.limits).await;
        posted.map_err(|error| WebhookRefusal {
            message: error.message(),
            for_good: matches!(error, PostError::Blocked),
        })
    }
}

/// `None` if no secret can sign.
fn headers(envelope: &Envelope<'_>, body: &[u8], now: Millis) -> Option<HeaderMap> {
    let seconds = now.div_euclid(1000);
    let signatures: Option<Vec<String>> =
        envelope.secrets.iter().map(|secret| sign(secret, envelope.id, seconds, body)).collect();
    let signatures = signatures.filter(|signatures| !signatures.is_empty())?.join(" ");
    let pairs = [
        ("webhook-id", envelope.id.to_owned()),
        ("webhook-timestamp", seconds.to_string()),
        ("webhook-signature", signatures),
    ];
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in pairs {
        headers.insert(HeaderName::from_static(name), HeaderValue::try_from(value).ok()?);
    }
    Some(headers)
}

fn judge(status: u16, retry_after: Option<&str>, now: Millis) -> WebhookResponse {
    let refusal = match status {
        200..=299 => None,
        410 => Some(message::receiver_gone()),
        300..=399 => Some(message::receiver_redirects(status)),
        _ => Some(message::receiver_answered(status)),
    };
    WebhookResponse {
        duration: Duration::ZERO,
        status: Some(status),
        retry_after: retry_after.and_then(|text| wait_asked_for(text, now)),
        refused: refusal.map(|message| WebhookRefusal { message, for_good: status == 410 }),
    }
}

/// Reads seconds, or a date in HTTP's format.
fn wait_asked_for(text: &str, now: Millis) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let moment = httpdate::parse_http_date(text).ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    let now = Duration::from_millis(u64::try_from(now).ok()?);
    Some(moment.saturating_sub(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_2xx_is_accepted_and_only_410_is_permanent() {
        let check = |status, accepted: bool, permanent: bool| {
            let received = judge(status, None, 0);
            assert_eq!(received.refused.is_none(), accepted, "{status}");
            assert_eq!(received.refused.is_some_and(|refused| refused.for_good), permanent, "{status}");
        };
        for (status, accepted, permanent) in [
            (200, true, false),
            (204, true, false),
            (299, true, false),
            (301, false, false),
            (304, false, false),
            (404, false, false),
            (410, false, true),
            (500, false, false),
        ] {
            check(status, accepted, permanent);
        }
    }

    #[test]
    fn retry_after_is_read_in_both_forms() {
        let check = |text, seconds: Option<u64>| {
            assert_eq!(wait_asked_for(text, 784_111_777_000), seconds.map(Duration::from_secs), "{text}");
        };
        check("120", Some(120));
        check(" 0 ", Some(0));
        check("Sun, 06 Nov 1994 08:49:47 GMT", Some(10));
        check("Sun, 06 Nov 1994 08:00:00 GMT", Some(0));
        check("soon", None);
        check("-1", None);
        check("", None);
    }
}
