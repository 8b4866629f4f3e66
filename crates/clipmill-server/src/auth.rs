//! Who is calling: the owner of the key in `X-API-Key`.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use clipmill_core::ids::UserId;

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::rate_limits::Class;
use crate::{clock, context, keys};

const HEADER: &str = "x-api-key";

/// A caller whose key was found and still counts.
#[derive(Debug, Clone, Copy)]
pub struct Caller {
    pub user: UserId,
    key_id: i64,
}

impl Caller {
    /// Counts a call against the key's limit; where it stands goes onto the answer, refused or not.
    pub fn count(&self, app: &App, class: Class) -> ApiResult<()> {
        let standing = app.rates.count(self.key_id, class);
        context::tell_rate(standing);
        standing.retry_after.map_or(Ok(()), |wait| Err(ApiError::too_many_requests(wait)))
    }
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
        let caller = Self { user: owner.user, key_id: owner.key_id };
        caller.count(app, Class::of(&parts.method, &parts.uri))?;
        Ok(caller)
    }
}
