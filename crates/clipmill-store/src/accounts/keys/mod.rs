//! API keys: stored as a hash, with scopes and an expiry.

use std::collections::BTreeSet;

use async_trait::async_trait;
use clipmill_core::ids::UserId;
use clipmill_core::named_enum;

use crate::accounts::users::SwitchedOff;
use crate::common::clock::Millis;
use crate::common::error::StoreResult;

#[async_trait]
pub trait KeyStore: Send + Sync + 'static {
    async fn add(&self, key: NewKey, now: Millis) -> StoreResult<i64>;
    async fn owner(&self, key_sha256: &[u8; 32]) -> StoreResult<Option<KeyOwner>>;
    /// Records the last use of a key. An earlier time changes nothing.
    async fn record_use(&self, key_id: i64, at: Millis) -> StoreResult<()>;
    /// All keys of a user, including expired ones, the newest first.
    async fn list(&self, user: UserId) -> StoreResult<Vec<KeyRecord>>;
    /// Revokes a key permanently; [`crate::StoreError::NotFound`] if there is no such key. A second call keeps the first time.
    async fn revoke(&self, key_id: i64, now: Millis) -> StoreResult<KeyRecord>;
}

named_enum! {
    /// A scope of a key.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Scope {
        /// Read the owner's tasks, points and records.
        Read = "read",
        /// Submit and cancel tasks, upload files.
        Submit = "submit",
        /// Operate the installation.
        Admin = "admin",
    }
}

/// The scopes of a key; at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scopes(BTreeSet<Scope>);

impl Default for Scopes {
    /// The scopes that a client needs.
    fn default() -> Self {
        Self([Scope::Read, Scope::Submit].into())
    }
}

impl Scopes {
    /// `None` for no scope at all.
    pub fn of(scopes: impl IntoIterator<Item = Scope>) -> Option<Self> {
        let scopes: BTreeSet<Scope> = scopes.into_iter().collect();
        (!scopes.is_empty()).then_some(Self(scopes))
    }

    pub fn has(&self, scope: Scope) -> bool {
        self.0.contains(&scope)
    }

    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|scope| scope.as_str()).collect()
    }

    /// The stored and shown form: names separated by commas.
    pub fn to_text(&self) -> String {
        self.names().join(",")
    }

    /// Reads what [`Scopes::to_text`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        text.split(',').map(Scope::parse).collect::<Option<Vec<_>>>().and_then(Self::of)
    }
}

/// A key as it is stored: its SHA-256, never the key.
#[derive(Debug, Clone)]
pub struct NewKey {
    pub user: UserId,
    pub key_sha256: [u8; 32],
    /// The first characters, to distinguish keys in lists.
    pub prefix: String,
    pub scopes: Scopes,
    pub expires_at: Option<Millis>,
}

/// The owner of a key. The caller checks with its own clock whether the key is still valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyOwner {
    pub key_id: i64,
    pub user: UserId,
    pub scopes: Scopes,
    pub expires_at: Option<Millis>,
    pub revoked_at: Option<Millis>,
    /// As far as it was written down, see [`crate::KeyStore::record_use`].
    pub last_used_at: Option<Millis>,
    /// The user's keys are refused.
    pub off: Option<SwitchedOff>,
}

/// A key as the operator sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRecord {
    pub id: i64,
    pub prefix: String,
    pub scopes: Scopes,
    pub created_at: Millis,
    pub expires_at: Option<Millis>,
    pub revoked_at: Option<Millis>,
    pub last_used_at: Option<Millis>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_read_back_and_nothing_else_is() {
        for scopes in [vec![Scope::Admin], vec![Scope::Submit, Scope::Read], Scope::ALL.to_vec()] {
            let scopes = Scopes::of(scopes).unwrap();
            assert_eq!(Scopes::parse(&scopes.to_text()), Some(scopes));
        }
        assert_eq!(Scopes::default().to_text(), "read,submit");
        assert_eq!(Scopes::of([]), None);
        for text in ["", "all", "read,", "read submit", "READ"] {
            assert_eq!(Scopes::parse(text), None, "{text:?}");
        }
    }
}
