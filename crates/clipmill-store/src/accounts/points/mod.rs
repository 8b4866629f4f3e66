//! Points: balances, the ledger of movements, and its audit.

use async_trait::async_trait;
use clipmill_core::ids::{BatchNo, TaskNo, UserId};
use clipmill_core::message::Message;
use serde::{Deserialize, Serialize};

use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::page::{Page, Paged};

#[async_trait]
pub trait PointStore: Send + Sync + 'static {
    async fn grant(&self, user: UserId, points: u64, remark: &str, now: Millis) -> StoreResult<Balance>;
    /// Deducts spendable points, all or none. Held points are not touched.
    async fn deduct(&self, user: UserId, points: u64, remark: &str, now: Millis) -> StoreResult<Deduction>;
    async fn balance(&self, user: UserId) -> StoreResult<Balance>;
    /// Whether a text may be spoken for a user to listen to.
    async fn check_listening(
        &self,
        user: UserId,
        price: ListeningPrice,
        now: Millis,
    ) -> StoreResult<ListeningOutcome>;
    /// Charges such a text, and counts its characters against the quota of the day.
    async fn charge_listening(
        &self,
        user: UserId,
        price: ListeningPrice,
        now: Millis,
    ) -> StoreResult<ListeningOutcome>;
    async fn movements(
        &self,
        user: UserId,
        filter: &MovementFilter,
        page: Page,
    ) -> StoreResult<Paged<Movement>>;
    /// Replays the ledger and lists every difference from the balances and holds; empty if there is none.
    async fn audit(&self) -> StoreResult<Vec<String>>;
}

/// Points of a user. `available` is spendable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    pub available: i64,
    pub held: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MovementType {
    Grant,
    Hold,
    Settle,
    Release,
    Adjust,
}

/// One ledger record as shown by the records endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movement {
    pub record_no: i64,
    pub kind: MovementType,
    /// The signed change of the spendable balance.
    pub dot_count: i64,
    pub amount: i64,
    pub balance_after: i64,
    pub task_no: Option<TaskNo>,
    /// Set for a batch whose rows have not become tasks yet; `item_no` is then a row only in batches from before
    /// schema 48.
    pub batch_no: Option<BatchNo>,
    pub item_no: Option<u32>,
    pub remark: Message,
    pub created_at: Millis,
}

#[derive(Debug, Clone, Default)]
pub struct MovementFilter {
    pub kind: Option<MovementType>,
    pub task_no: Option<TaskNo>,
}

/// A text that is spoken for a user to listen to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListeningPrice {
    pub characters: u64,
    pub points: u64,
    /// The characters that a user may listen to in a day; 0 means no limit.
    pub daily_characters: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListeningOutcome {
    Allowed,
    /// `characters` were spoken today.
    QuotaUsedUp {
        characters: u64,
        limit: u64,
    },
    TooFew {
        needed: u64,
        available: i64,
    },
}

/// The result of a deduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deduction {
    Taken(Balance),
    /// The balance is too low; nothing was deducted.
    TooFew {
        available: i64,
    },
}
