//! Balance and consumption records.

use clipmill_store::{Balance, Movement, MovementType, Scopes};
use serde::Serialize;
use utoipa::ToSchema;

use super::rfc3339;
use crate::localized;

/// `balance` can be spent; `total` also includes the points held for open tasks.
#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceView {
    /// Points that can be spent.
    pub balance: i64,
    /// Points set aside for tasks under way.
    pub held: i64,
    /// Both together.
    pub total: i64,
    /// Only with `details=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountView>,
}

/// What the operator has set for the key and the service.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountView {
    /// Scopes of the key: `read`, `submit`, `admin`.
    pub scopes: Vec<&'static str>,
    /// Where to ask for points or help: an email address or a URL. Null if the operator has not set it.
    pub contact: Option<String>,
}

impl AccountView {
    pub fn new(scopes: &Scopes, contact: &str) -> Self {
        let contact = Some(contact.to_owned()).filter(|contact| !contact.is_empty());
        Self { scopes: scopes.names(), contact }
    }
}

impl BalanceView {
    pub fn new(points: Balance, account: Option<AccountView>) -> Self {
        let total = points.available.saturating_add(points.held);
        Self { balance: points.available, held: points.held, total, account }
    }
}

/// Kind of a movement.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum RecordType {
    Grant,
    Hold,
    Settle,
    Release,
    Adjust,
}

/// One movement of points. `dotCount` is the signed change of the spendable balance, `amount` the points
/// concerned: a settlement has an amount and changes nothing, because the hold took the points before.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordView {
    /// Unique in the installation.
    pub record_no: i64,
    #[schema(value_type = RecordType)]
    pub r#type: MovementType,
    /// Signed change of the points that can be spent.
    pub dot_count: i64,
    /// Points concerned.
    pub amount: i64,
    /// Points that can be spent afterwards.
    pub balance_after: i64,
    /// Task it was for; null for a grant.
    pub task_no: Option<String>,
    /// Batch it was for, while its rows were no tasks yet; null otherwise.
    pub batch_no: Option<String>,
    /// Item it was for; of a batch of an earlier version, the row.
    pub item_no: Option<u32>,
    /// Why.
    pub remark: String,
    /// RFC 3339, UTC.
    #[schema(format = DateTime)]
    pub create_time: String,
}

impl From<Movement> for RecordView {
    fn from(movement: Movement) -> Self {
        Self {
            record_no: movement.record_no,
            r#type: movement.kind,
            dot_count: movement.dot_count,
            amount: movement.amount,
            balance_after: movement.balance_after,
            task_no: movement.task_no.map(|task_no| task_no.to_string()),
            batch_no: movement.batch_no.map(|batch_no| batch_no.to_string()),
            item_no: movement.item_no,
            remark: localized::message_text(&movement.remark),
            create_time: rfc3339(movement.created_at),
        }
    }
}
