//! Authentication: the owner of the key in `X-API-Key`, and the scopes of the key.

use std::marker::PhantomData;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use clipmill_core::ids::UserId;
use clipmill_store::{KeyOwner, Millis, Scope, Scopes, read_limits};

use crate::account::keys;
use crate::app::App;
use crate::clock;
use crate::context;
use crate::error::{ApiError, ApiResult};
use crate::rate_limits::Class;

const HEADER: &str = "x-api-key";

/// The scope that an endpoint requires.
pub trait Needs {
    /// `None` means that any key will do.
    const SCOPE: Option<Scope>;
}

/// Reading one's own tasks and points.
#[derive(Debug, Clone, Copy)]
pub struct Read;

/// Submitting and cancelling work.
#[derive(Debug, Clone, Copy)]
pub struct Submit;

/// Operators' calls.
#[derive(Debug, Clone, Copy)]
pub struct Admin;

/// Endpoints that check scopes themselves later.
#[derive(Debug, Clone, Copy)]
pub struct AnyScope;

impl Needs for AnyScope {
    const SCOPE: Option<Scope> = None;
}

impl Needs for Admin {
    const SCOPE: Option<Scope> = Some(Scope::Admin);
}

impl Needs for Read {
    const SCOPE: Option<Scope> = Some(Scope::Read);
}

impl Needs for Submit {
    const SCOPE: Option<Scope> = Some(Scope::Submit);
}

/// A caller with a valid key that has the scope `N`.
#[derive(Debug, Clone)]
pub struct Caller<N> {
    pub user: UserId,
    pub(crate) key_id: i64,
    /// The scopes of the key.
    pub(crate) scopes: Scopes,
    needed: PhantomData<N>,
}

impl<N> Caller<N> {
    /// Counts a call against the key's limit; the response reports the limit, whether it is refused or not.
    pub fn count(&self, app: &App, class: Class) -> ApiResult<()> {
        let standing = app.rates.count(self.key_id, class);
        context::note_rate(standing);
        standing.retry_after.map_or(Ok(()), |wait| Err(ApiError::too_many_requests(wait)))
    }
}

impl<N: Needs> FromRequestParts<Arc<App>> for Caller<N> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> ApiResult<Self> {
        let text = parts.headers.get(HEADER).and_then(|value| value.to_str().ok());
        // A malformed key never reaches the database; a well-formed one is looked up by its hash, so the time taken
        // reveals nothing about other keys.
        let sha256 =
            text.and_then(|text| keys::check_key(text.trim())).ok_or_else(|| no_key(&parts.headers, text))?;
        let owner = app.store.keys().owner(&sha256).await?.ok_or_else(ApiError::key_missing)?;
        let now = clock::now_ms();
        let expired = owner.expires_at.is_some_and(|moment| moment <= now);
        if expired || owner.revoked_at.is_some() {
            return Err(ApiError::key_ended());
        }
        tracing::Span::current().record("key", owner.key_id);
        if let Some(off) = &owner.off {
            return Err(ApiError::user_off(&off.reason));
        }
        note_use(app, &owner, now);
        if let Some(required_scope) = N::SCOPE.filter(|scope| !owner.scopes.has(*scope)) {
            return Err(ApiError::scope(required_scope));
        }
        read_limits::set_user(owner.user);
        let caller =
            Self { user: owner.user, key_id: owner.key_id, scopes: owner.scopes, needed: PhantomData };
        caller.count(app, Class::of(&parts.method, &parts.uri))?;
        Ok(caller)
    }
}

/// The error for a call without a well-formed key; it names the usual mistakes.
fn no_key(headers: &HeaderMap, text: Option<&str>) -> ApiError {
    let is_quoted = |text: &str| text.trim().starts_with(['"', '\'', '“', '‘']);
    match text {
        None if headers.contains_key(header::AUTHORIZATION) => ApiError::key_in_authorization(),
        Some(text) if is_quoted(text) => ApiError::key_in_quotes(),
        _ => ApiError::key_missing(),
    }
}

/// Runs in the background; a failure only leaves an older time in place.
fn note_use(app: &Arc<App>, owner: &KeyOwner, now: Millis) {
    if !app.key_uses.is_due(owner.key_id, owner.last_used_at, now) {
        return;
    }
    let (app, key) = (app.clone(), owner.key_id);
    tokio::spawn(async move {
        if let Err(error) = app.store.keys().record_use(key, now).await {
            tracing::debug!(%error, key, "the use of a key could not be recorded");
        }
    });
}
