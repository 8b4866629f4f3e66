//! JSON bodies: bounded in size, in time, and in how many large ones are in memory at once.

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use tokio::sync::OwnedSemaphorePermit;

use crate::app::{App, SMALL_BODY};
use crate::config::units::ByteSize;
use crate::error::{ApiError, ApiResult};

/// A body and, where it is large, its turn; the turn is over when this is dropped.
pub struct JsonBody {
    pub bytes: Bytes,
    _turn: Option<OwnedSemaphorePermit>,
}

/// Reads the body of a request that must be JSON.
pub async fn read_json(app: &App, request: Request, limit: ByteSize) -> ApiResult<JsonBody> {
    if !is_json(request.headers()) {
        return Err(ApiError::content_type());
    }
    let declared = declared_length(request.headers());
    if declared.is_some_and(|length| length > limit.0) {
        return Err(ApiError::too_large(limit));
    }
    let patience = app.config.server.body_timeout.get();
    tokio::time::timeout(patience, read(app, request.into_body(), limit))
        .await
        .unwrap_or_else(|_| Err(late(patience)))
}

/// The length that the client announced.
pub fn declared_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// The next piece of a body; `None` at its end.
pub async fn next_piece(pieces: &mut BodyDataStream) -> ApiResult<Option<Bytes>> {
    let cut = |_| ApiError::unreadable("the connection broke before its end");
    pieces.next().await.transpose().map_err(cut)
}

async fn read(app: &App, body: Body, limit: ByteSize) -> ApiResult<JsonBody> {
    let mut pieces = body.into_data_stream();
    let mut bytes = BytesMut::new();
    let mut turn = None;
    while let Some(piece) = next_piece(&mut pieces).await? {
        let length = bytes.len() + piece.len();
        if length as u64 > limit.0 {
            return Err(ApiError::too_large(limit));
        }
        if length > SMALL_BODY && turn.is_none() {
            let acquired = app.large_bodies.clone().acquire_owned().await;
            turn = Some(acquired.map_err(ApiError::internal)?);
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(JsonBody { bytes: bytes.freeze(), _turn: turn })
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    let plain = headers.get(header::CONTENT_ENCODING).is_none_or(|encoding| encoding == "identity");
    plain && essence.eq_ignore_ascii_case("application/json")
}

fn late(patience: Duration) -> ApiError {
    ApiError::unreadable(format_args!("it did not arrive within {patience:?}"))
}
