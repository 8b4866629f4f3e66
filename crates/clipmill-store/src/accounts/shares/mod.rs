//! Shares: pages that show outputs without a key.

use async_trait::async_trait;
use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::request::SharePage;

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

/// A share to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewShare {
    /// The tasks and outputs to show, in the order of the page; at least one.
    pub tasks: Vec<(TaskNo, Option<Vec<u32>>)>,
    pub expires_at: Option<Millis>,
    pub page: SharePage,
    /// The limit of active shares per task.
    pub max: u32,
    /// The limit of outputs in a share of several tasks.
    pub max_items: u32,
}

/// Outputs of a task that a share shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedTask {
    /// Its position among the tasks of the share; `None` in a share of a single task.
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
    /// Its task; with several tasks, the one that ended last: the share ends with it.
    pub task_no: TaskNo,
    /// Items of its task; `None`: all.
    pub items: Option<Vec<u32>>,
    /// All tasks that it shows, in order, without deleted ones.
    pub tasks: Vec<SharedTask>,
    pub expires_at: Option<Millis>,
    pub created_at: Millis,
    pub revoked_at: Option<Millis>,
    pub page: SharePage,
}

impl ShareRecord {
    /// Whether the page is still accessible.
    pub fn is_open(&self, now: Millis) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }

    /// The task at a position, if the share shows that item of it.
    pub fn shows(&self, place: Option<u32>, item_no: u32) -> Option<&SharedTask> {
        self.tasks.iter().find(|task| task.place == place && task.shows(item_no))
    }
}

/// Tasks are identified by their index in the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShareOutcome {
    Made(ShareRecord),
    /// The user has no such task.
    NoTask {
        task: usize,
    },
    /// The task has no such item; `total` is its number of items.
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
