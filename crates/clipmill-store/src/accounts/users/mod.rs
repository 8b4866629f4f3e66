//! Users, the secrets that sign their callbacks, and disabling them.

use async_trait::async_trait;
use clipmill_core::ids::{BatchNo, TaskNo, UserId};

use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::page::{Page, Paged};

#[async_trait]
pub trait UserStore: Send + Sync + 'static {
    async fn add(&self, user: NewUser, now: Millis) -> StoreResult<User>;
    async fn find(&self, id: UserId) -> StoreResult<Option<User>>;
    async fn find_by_name(&self, name: &str) -> StoreResult<Option<User>>;
    async fn count(&self) -> StoreResult<u64>;
    /// Users, the newest first; `search` is a part of their names.
    async fn list(&self, search: Option<&str>, page: Page) -> StoreResult<Paged<UserOverview>>;
    /// A new secret signs the user's callbacks. The previous secret also signs until `earlier_until`.
    async fn rotate_secret(&self, user: UserId, secret: &str, earlier_until: Millis) -> StoreResult<()>;
    /// The secrets that sign the user's callbacks now, the newest first.
    async fn signing_secrets(&self, user: UserId, now: Millis) -> StoreResult<Vec<String>>;
    /// Disables all keys of the user. A repeated call replaces the reason and keeps the time.
    async fn switch_off(&self, user: UserId, reason: &str, now: Millis) -> StoreResult<SwitchedOff>;
    /// `false` if the user was not disabled.
    async fn switch_on(&self, user: UserId) -> StoreResult<bool>;
    async fn open_jobs(&self, user: UserId) -> StoreResult<OpenJobs>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    pub name: String,
    /// `whsec_…`
    pub webhook_secret: String,
}

#[derive(Debug, Clone)]
pub struct NewUser {
    pub name: String,
    pub webhook_secret: String,
}

/// A user as the operator sees them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserOverview {
    pub id: UserId,
    pub name: String,
    pub available: u64,
    pub held: u64,
    /// Number of their stored tasks.
    pub tasks: u64,
    pub created_at: Millis,
    pub off: Option<SwitchedOff>,
}

/// A disabled user: all keys are rejected. Submitted tasks continue; batches create no further tasks, and shares are
/// closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchedOff {
    pub since: Millis,
    /// The reason shown to the user.
    pub reason: String,
}

/// The open tasks and batches of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenJobs {
    pub tasks: Vec<TaskNo>,
    pub batches: Vec<BatchNo>,
}
