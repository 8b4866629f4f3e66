//! Who is calling: the owner of the key in `X-API-Key`.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use clipmill_core::ids::UserId;

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::{clock, keys};

const HEADER: &str = "x-api-key";

/// A caller whose key was found and still counts.
#[derive(Debug, Clone, Copy)]
pub struct Caller {
    pub user: UserId,
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> ApiResult<Self> {
        let text = parts.headers.get(HEADER).and_then(|value| value.to_str().ok());
        let sha256 = text.and_then(|text| keys::check_key(text.trim())).ok_or_else(ApiError::key_missing)?;
        let owner = app.store.key_owner(&sha256).await?.ok_or_else(ApiError::key_missing)?;
        let expired = owner.expires_at.is_some_and(|moment| moment <= clock::now_ms());
        if expired || owner.revoked_at.is_some() {
            return Err(ApiError::key_ended());
        }
        tracing::Span::current().record("key", owner.key_id);
        Ok(Self { user: owner.user })
    }
}
