//! Operations of operators beside the queue: disabling users, deducting points, failure causes and usage.

use async_trait::async_trait;
use clipmill_core::error::ErrorCode;
use clipmill_core::ids::{BatchNo, TaskNo, UserId};

use crate::error::StoreResult;
use crate::key::SwitchedOff;
use crate::model::{Balance, Millis, Page, Paged};

/// The result of a deduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deduction {
    Taken(Balance),
    /// The balance is too low; nothing was deducted.
    TooFew {
        available: i64,
    },
}

/// The open tasks and batches of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenWork {
    pub tasks: Vec<TaskNo>,
    pub batches: Vec<BatchNo>,
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

#[async_trait]
pub trait OperationsStore: Send + Sync + 'static {
    /// Deducts spendable points, all or none. Held points are not touched.
    async fn deduct(&self, user: UserId, points: u64, remark: &str, now: Millis) -> StoreResult<Deduction>;
    /// Disables all keys of the user. A repeated call replaces the reason and keeps the time.
    async fn switch_off(&self, user: UserId, reason: &str, now: Millis) -> StoreResult<SwitchedOff>;
    /// `false` if the user was not disabled.
    async fn switch_on(&self, user: UserId) -> StoreResult<bool>;
    async fn open_work(&self, user: UserId) -> StoreResult<OpenWork>;
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
