//! Shares: pages that show outputs without a key.

use async_trait::async_trait;
use clipmill_core::ids::{TaskNo, UserId};

use crate::common::clock::Millis;
use crate::common::error::StoreResult;

#[async_trait]
pub trait ShareStore: Send + Sync + 'static {
    async fn add(&self, user: UserId, new: NewShare, now: Millis) -> StoreResult<ShareOutcome>;
    /// The share of any user: the caller has checked the link.
    async fn find(&self, id: i64) -> StoreResult<Option<ShareRecord>>;
    /// Those that show something of the task, the newest first.
    async fn list(&self, user: UserId, task_no: &TaskNo) -> StoreResult<Vec<ShareRecord>>;
    /// Returns whether the user has such a share.
    async fn revoke(&self, user: UserId, task_no: &TaskNo, id: i64, now: Millis) -> StoreResult<bool>;
}

/// A share to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewShare {
    /// What it shows, in the order of its page; at least one.
    pub tasks: Vec<(TaskNo, Option<Vec<u32>>)>,
    pub expires_at: Option<Millis>,
    /// Most that a task may have and that were not revoked.
    pub most: u32,
    /// Most outputs that a share of several tasks may show.
    pub most_items: u32,
}

/// Outputs of a task that a share shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedTask {
    /// Its place among the tasks of a share that has several; `None` in a share that has but one.
    pub place: Option<u32>,
    pub task_no: TaskNo,
    /// `None`: all items.
    pub items: Option<Vec<u32>>,
}

impl SharedTask {
    pub fn shows(&self, item_no: u32) -> bool {
        self.items.as_ref().is_none_or(|items| items.contains(&item_no))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareRecord {
    pub id: i64,
    /// Its own task; of several, the one that ended last: the share ends with it.
    pub task_no: TaskNo,
    /// Of its own task; `None`: all.
    pub items: Option<Vec<u32>>,
    /// All that it shows, in order. A task that was deleted is not there any more.
    pub tasks: Vec<SharedTask>,
    pub expires_at: Option<Millis>,
    pub created_at: Millis,
    pub revoked_at: Option<Millis>,
}

impl ShareRecord {
    /// Whether it may still be looked at.
    pub fn is_open(&self, now: Millis) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }

    /// The task at a place, if the share shows that item of it.
    pub fn shows(&self, place: Option<u32>, item_no: u32) -> Option<&SharedTask> {
        self.tasks.iter().find(|task| task.place == place && task.shows(item_no))
    }
}

/// Tasks of a share to be made are told by their index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShareOutcome {
    Made(ShareRecord),
    /// The user has no such task.
    NoTask {
        task: usize,
    },
    /// The task has no such item; `total` are all that it has.
    NoItem {
        task: usize,
        item: u32,
        total: u32,
    },
    TooManyItems {
        found: u64,
    },
    TooMany {
        limit: u32,
    },
}
