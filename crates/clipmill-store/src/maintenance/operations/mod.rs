//! Reports for operators: failed items, causes of failures, usage.

use async_trait::async_trait;
use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::{TaskNo, UserId};

use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::page::{Page, Paged};

#[async_trait]
pub trait OperationsStore: Send + Sync + 'static {
    /// A page of the items that ended without an output, the latest first; only those with `code`, and those with
    /// `search` in the task number or the user's name.
    async fn failed_items(
        &self,
        code: Option<ErrorCode>,
        search: Option<&str>,
        page: Page,
    ) -> StoreResult<Paged<FailedItem>>;
    /// Causes of failures in tasks that ended in the given period, most frequent first.
    async fn failure_causes(&self, from: Millis, to: Millis) -> StoreResult<Vec<FailureCause>>;
    /// Usage of users on the days (UTC, counted from 1970) from the first up to but excluding the last, most
    /// expensive first; `search` is a part of their names. Includes the total of all of them.
    async fn usage(
        &self,
        days: (i64, i64),
        search: Option<&str>,
        uploads_since: Millis,
        page: Page,
        now: Millis,
    ) -> StoreResult<(Paged<Usage>, UsageSum)>;
}

/// An item that ended without an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedItem {
    pub task_no: TaskNo,
    pub item_no: u32,
    pub user_name: String,
    pub error: TaskError,
    /// End of the task; `None` while other items of it are still running.
    pub finished_at: Option<Millis>,
}

/// Number of failures with one cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureCause {
    pub code: ErrorCode,
    pub items: u64,
    pub tasks: u64,
    pub users: u64,
    /// When the last of these tasks ended.
    pub last_at: Millis,
}

/// Delivered outputs and the points charged for them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UsageSum {
    pub points: u64,
    pub outputs: u64,
    pub output_ms: u64,
}

/// The usage of a user in a period, and the bytes stored now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    pub user: UserId,
    pub name: String,
    pub used: UsageSum,
    pub stored_bytes: u64,
}
