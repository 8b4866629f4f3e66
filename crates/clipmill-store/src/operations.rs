//! What operators do beside the queue: users switched off and on, points taken away, what fails and what users cost.

use async_trait::async_trait;
use clipmill_core::error::ErrorCode;
use clipmill_core::ids::{BatchNo, TaskNo, UserId};

use crate::error::StoreResult;
use crate::key::SwitchedOff;
use crate::model::{Balance, Millis, Page, Paged};

/// What became of the wish to take points away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deduction {
    Taken(Balance),
    /// There are not so many to spend; nothing was taken.
    TooFew {
        available: i64,
    },
}

/// What a user has that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenWork {
    pub tasks: Vec<TaskNo>,
    pub batches: Vec<BatchNo>,
}

/// How often outputs failed by one cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureCause {
    pub code: ErrorCode,
    pub items: u64,
    pub tasks: u64,
    pub users: u64,
    /// When the last of these tasks ended.
    pub last_at: Millis,
}

/// What was delivered, and what was paid for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UsageSum {
    pub points: u64,
    pub outputs: u64,
    pub output_ms: u64,
}

/// What a user cost in a period, and has stored now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    pub user: UserId,
    pub name: String,
    pub used: UsageSum,
    pub stored_bytes: u64,
}

#[async_trait]
pub trait OperationsStore: Send + Sync + 'static {
    /// Takes points away that can be spent, all of them or none; held ones are not touched.
    async fn deduct(&self, user: UserId, points: u64, remark: &str, now: Millis) -> StoreResult<Deduction>;
    /// From now on the user's keys open nothing. Once more, the reason is replaced and the time stays.
    async fn switch_off(&self, user: UserId, reason: &str, now: Millis) -> StoreResult<SwitchedOff>;
    /// `false` when the user was not switched off.
    async fn switch_on(&self, user: UserId) -> StoreResult<bool>;
    async fn open_work(&self, user: UserId) -> StoreResult<OpenWork>;
    /// Causes by which outputs of tasks failed that ended from then on and before then, the most frequent first.
    async fn failure_causes(&self, from: Millis, to: Millis) -> StoreResult<Vec<FailureCause>>;
    /// What users cost on days (UTC, counted from 1970) from the first one on and before the last, who cost most first;
    /// `search` is a part of their names. With the sum of all of them.
    async fn usage(
        &self,
        days: (i64, i64),
        search: Option<&str>,
        uploads_since: Millis,
        page: Page,
        now: Millis,
    ) -> StoreResult<(Paged<Usage>, UsageSum)>;
}
