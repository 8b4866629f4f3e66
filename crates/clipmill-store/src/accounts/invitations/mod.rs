//! Invitations: single-use codes that are exchanged for an API key.

use async_trait::async_trait;
use clipmill_core::ids::UserId;

use crate::accounts::keys::Scopes;
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::page::{Page, Paged};

#[async_trait]
pub trait InvitationStore: Send + Sync + 'static {
    /// [`crate::StoreError::NotFound`] if there is no such user.
    async fn add(&self, new: NewInvitation, now: Millis) -> StoreResult<InvitationRecord>;
    /// The newest first, including those that cannot be used any more.
    async fn list(&self, page: Page) -> StoreResult<Paged<InvitationRecord>>;
    /// Revokes an invitation permanently; [`crate::StoreError::NotFound`] if there is no such invitation. A second call
    /// keeps the first time.
    async fn revoke(&self, id: i64, now: Millis) -> StoreResult<InvitationRecord>;
    /// Issues the key of an invitation. `None` if the code is unknown, used, revoked or expired, or the user is disabled.
    async fn redeem(
        &self,
        code_sha256: &[u8; 32],
        key: InvitedKey,
        now: Millis,
    ) -> StoreResult<Option<RedeemedInvitation>>;
}

/// An invitation as it is stored: the SHA-256 of its code, never the code.
#[derive(Debug, Clone)]
pub struct NewInvitation {
    pub user: UserId,
    pub code_sha256: [u8; 32],
    /// Scopes of the key.
    pub scopes: Scopes,
    pub expires_at: Millis,
}

/// The key to issue for an invitation.
#[derive(Debug, Clone)]
pub struct InvitedKey {
    pub key_sha256: [u8; 32],
    pub prefix: String,
}

/// An invitation as the operator sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvitationRecord {
    pub id: i64,
    pub user: UserId,
    pub user_name: String,
    pub scopes: Scopes,
    pub created_at: Millis,
    pub expires_at: Millis,
    pub revoked_at: Option<Millis>,
    pub used_at: Option<Millis>,
    /// The key that was issued for it.
    pub key_id: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedeemedInvitation {
    pub key_id: i64,
    pub user: UserId,
    pub user_name: String,
    pub scopes: Scopes,
}
