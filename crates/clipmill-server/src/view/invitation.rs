//! Invitations.

use clipmill_store::{InvitationRecord, RedeemedInvitation};
use serde::Serialize;
use utoipa::ToSchema;

use super::rfc3339;

/// An invitation, without its link. It can be used if `useTime` and `revokeTime` are null and `expireTime` has not
/// passed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvitationView {
    pub invitation_id: i64,
    pub user_id: i64,
    pub user_name: String,
    /// Scopes of the key: `read`, `submit`, `admin`.
    pub scopes: Vec<&'static str>,
    #[schema(format = DateTime)]
    pub create_time: String,
    #[schema(format = DateTime)]
    pub expire_time: String,
    #[schema(format = DateTime)]
    pub use_time: Option<String>,
    #[schema(format = DateTime)]
    pub revoke_time: Option<String>,
    /// The key that was issued for it.
    pub key_id: Option<i64>,
}

impl From<InvitationRecord> for InvitationView {
    fn from(record: InvitationRecord) -> Self {
        Self {
            invitation_id: record.id,
            user_id: record.user.0,
            user_name: record.user_name,
            scopes: record.scopes.names(),
            create_time: rfc3339(record.created_at),
            expire_time: rfc3339(record.expires_at),
            use_time: record.used_at.map(rfc3339),
            revoke_time: record.revoked_at.map(rfc3339),
            key_id: record.key_id,
        }
    }
}

/// A new invitation with its link, which is shown only here.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewInvitationView {
    #[serde(flatten)]
    pub invitation: InvitationView,
    /// Send it to the person. The code is after `#`, so servers and proxies do not see it.
    pub url: String,
}

/// The key of an invitation, which is shown only here.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RedeemedInvitationView {
    pub key_id: i64,
    pub user_id: i64,
    pub user_name: String,
    pub api_key: String,
    pub scopes: Vec<&'static str>,
}

impl RedeemedInvitationView {
    pub fn new(redeemed: RedeemedInvitation, api_key: String) -> Self {
        Self {
            key_id: redeemed.key_id,
            user_id: redeemed.user.0,
            user_name: redeemed.user_name,
            api_key,
            scopes: redeemed.scopes.names(),
        }
    }
}

/// User, scopes and validity of an invitation.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct InvitationRequestSchema {
    #[schema(minimum = 1)]
    user_id: i64,
    /// Scopes of the key: `read`, `submit`, `admin`; by default `read` and `submit`.
    #[schema(min_items = 1, max_items = 10)]
    scopes: Option<Vec<String>>,
    /// Hours until the link expires.
    #[schema(minimum = 1, maximum = 72, default = 24)]
    hours: Option<u32>,
}

/// Code of an invitation.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct InvitationCodeSchema {
    /// `cm_inv_` and 36 characters.
    #[schema(min_length = 1, max_length = 200)]
    code: String,
}
