//! Reads JSON bodies: bounded in size, in time, and in how many large ones are in memory at once.

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use bytes::{Bytes, BytesMut};
use clipmill_core::ids::UserId;
use clipmill_core::message;
use futures_util::StreamExt;
use tokio::time::Instant;

use crate::app::{App, SMALL_BODY};
use crate::config::units::ByteSize;
use crate::error::{ApiError, ApiResult};
use crate::http::permits::Permit;

/// JSON bodies up to this size need no permit; most are smaller.
const TINY_BODY: usize = 16 << 10;

/// A body and, unless it is tiny, its permit, which is released when this is dropped.
pub struct JsonBody {
    pub bytes: Bytes,
    _permit: Option<Permit>,
}

/// Reads the body of a request that must be JSON.
pub async fn read_json(app: &App, user: UserId, request: Request, limit: ByteSize) -> ApiResult<JsonBody> {
    if !is_json(request.headers()) {
        return Err(ApiError::content_type());
    }
    let declared = declared_length(request.headers());
    if declared.is_some_and(|length| length > limit.0) {
        return Err(ApiError::too_large(limit));
    }
    let mut arriving = IncomingBody::new(request.into_body(), limit, app.config.server.body_timeout.get());
    let mut permit = None;
    for (room, semaphores) in
        [(TINY_BODY, &app.semaphores.bodies), (SMALL_BODY, &app.semaphores.large_bodies)]
    {
        if arriving.read(room).await? {
            return Ok(JsonBody { bytes: arriving.bytes.freeze(), _permit: permit });
        }
        // The previous permit is kept until the next one is granted, so that a waiting body is counted too.
        permit = Some(semaphores.acquire(user).await?);
    }
    arriving.read(usize::MAX).await?;
    Ok(JsonBody { bytes: arriving.bytes.freeze(), _permit: permit })
}

/// The length that the client announced in a header.
pub fn declared_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Whether the body is a form with files in it, not a file itself.
pub fn is_form(headers: &HeaderMap) -> bool {
    essence(headers).eq_ignore_ascii_case("multipart/form-data")
}

/// The next chunk of a body; `None` at its end.
pub async fn next_chunk(chunks: &mut BodyDataStream) -> ApiResult<Option<Bytes>> {
    let cut = |_| ApiError::unreadable(message::body_cut());
    chunks.next().await.transpose().map_err(cut)
}

/// A body that is being received.
struct IncomingBody {
    chunks: BodyDataStream,
    bytes: BytesMut,
    limit: ByteSize,
    /// The remaining time for receiving it; waiting for permits does not count.
    left: Duration,
    timeout: Duration,
}

impl IncomingBody {
    fn new(body: Body, limit: ByteSize, timeout: Duration) -> Self {
        let chunks = body.into_data_stream();
        Self { chunks, bytes: BytesMut::new(), limit, left: timeout, timeout }
    }

    /// Reads until there is more than `room`. Returns whether the body ended before that.
    async fn read(&mut self, room: usize) -> ApiResult<bool> {
        let (started, timeout, remaining) = (Instant::now(), self.timeout, self.left);
        let whole =
            tokio::time::timeout(remaining, self.fill(room)).await.unwrap_or_else(|_| Err(late(timeout)))?;
        self.left = remaining.saturating_sub(started.elapsed());
        Ok(whole)
    }

    async fn fill(&mut self, room: usize) -> ApiResult<bool> {
        while self.bytes.len() <= room {
            let Some(chunk) = next_chunk(&mut self.chunks).await? else { return Ok(true) };
            if (self.bytes.len() + chunk.len()) as u64 > self.limit.0 {
                return Err(ApiError::too_large(self.limit));
            }
            self.bytes.extend_from_slice(&chunk);
        }
        Ok(false)
    }
}

/// The content type without its parameters.
fn essence(headers: &HeaderMap) -> &str {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim()
}

fn is_json(headers: &HeaderMap) -> bool {
    let plain = headers.get(header::CONTENT_ENCODING).is_none_or(|encoding| encoding == "identity");
    plain && essence(headers).eq_ignore_ascii_case("application/json")
}

fn late(timeout: Duration) -> ApiError {
    ApiError::unreadable(message::body_late(format!("{timeout:?}")))
}
