//! Drafts: requests that users have not finished.

use std::collections::BTreeSet;

use async_trait::async_trait;
use clipmill_core::ids::{DraftNo, UserId};
use serde_json::Value;

use crate::accounts::library::{Quota, StorageFull};
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::page::{Page, Paged};

#[async_trait]
pub trait DraftStore: Send + Sync + 'static {
    async fn add(&self, new: NewDraft, now: Millis) -> StoreResult<DraftOutcome>;
    /// Replaces the version that was saved at `expected`. `None` if the user has no such draft.
    async fn replace(
        &self,
        new: NewDraft,
        expected: Millis,
        now: Millis,
    ) -> StoreResult<Option<DraftOutcome>>;
    async fn find(&self, user: UserId, draft_no: &DraftNo) -> StoreResult<Option<DraftRecord>>;
    /// Most recently changed first.
    async fn list(&self, user: UserId, page: Page) -> StoreResult<Paged<DraftOverview>>;
    /// Returns whether there was such a draft.
    async fn delete(&self, user: UserId, draft_no: &DraftNo) -> StoreResult<bool>;
}

/// A draft to save.
#[derive(Debug, Clone)]
pub struct NewDraft {
    pub user: UserId,
    pub draft_no: DraftNo,
    pub name: String,
    pub task_type: Option<&'static str>,
    /// JSON.
    pub body: String,
    /// Uploads that the body names. Those of the user are kept as long as the draft; others are ignored.
    pub uploads: BTreeSet<String>,
    pub quota: Quota,
    /// The limit of drafts per user.
    pub max: u32,
}

/// A draft as it appears in lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftOverview {
    pub draft_no: DraftNo,
    pub name: String,
    pub task_type: Option<String>,
    /// Increases with every change.
    pub updated_at: Millis,
}

#[derive(Debug, Clone, PartialEq)]
pub struct DraftRecord {
    pub about: DraftOverview,
    pub body: Value,
}

/// The result of saving a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftOutcome {
    Saved(DraftOverview),
    /// It was changed meanwhile, at this time.
    Conflict {
        updated_at: Millis,
    },
    StorageFull(StorageFull),
    TooMany {
        limit: u32,
    },
}
