//! Balance and consumption records.

use clipmill_store::{Balance, Movement, MovementType, Scopes};
use serde::Serialize;
use utoipa::ToSchema;

use super::schema::MessageParams;
use super::{MessageView, Params, rfc3339};

/// `balance` can be spent; `total` also includes the points held for open tasks.
#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceView {
    /// Points that can be spent.
    pub balance: i64,
    /// Points held for open tasks and batches.
    pub held: i64,
    /// Sum of `balance` and `held`.
    pub total: i64,
    /// Only with `details=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountView>,
}

/// The user, and what the operator has set for the key and the service.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountView {
    /// Name of the user.
    pub user_name: String,
    /// Scopes of the key: `read`, `submit`, `admin`.
    pub scopes: Vec<&'static str>,
    /// Where to ask for points or help: an email address or a URL. Null if the operator has not set it.
    pub contact: Option<String>,
}

impl AccountView {
    pub fn new(user_name: String, scopes: &Scopes, contact: &str) -> Self {
        let contact = Some(contact.to_owned()).filter(|contact| !contact.is_empty());
        Self { user_name, scopes: scopes.names(), contact }
    }
}

impl BalanceView {
    pub fn new(points: Balance, account: Option<AccountView>) -> Self {
        let total = points.available.saturating_add(points.held);
        Self { balance: points.available, held: points.held, total, account }
    }
}

/// Kind of a record.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum RecordType {
    Grant,
    Hold,
    Settle,
    Release,
    Adjust,
}

/// One record of the ledger. `dotCount` is the signed change of the spendable balance, `amount` the number of points
/// concerned. A settlement has an amount but leaves the balance unchanged, because the hold already deducted the
/// points.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordView {
    /// Unique in the installation.
    pub record_no: i64,
    #[schema(value_type = RecordType)]
    pub r#type: MovementType,
    /// Signed change of the spendable balance.
    pub dot_count: i64,
    /// Points concerned.
    pub amount: i64,
    /// Spendable balance afterwards.
    pub balance_after: i64,
    /// Task of the record; null for a grant.
    pub task_no: Option<String>,
    /// Batch of the record, if its rows had not become tasks yet; null otherwise.
    pub batch_no: Option<String>,
    /// Item of the record; for a batch of an earlier version, the row.
    pub item_no: Option<u32>,
    /// Reason.
    pub remark: String,
    /// Stable code of `remark`, listed in docs/api/messages.md; null without a text, and for texts of early versions.
    pub remark_code: Option<&'static str>,
    /// Values in `remark` by name; null without a code.
    #[schema(value_type = Option<MessageParams>)]
    pub remark_params: Option<Params>,
    /// RFC 3339, UTC.
    #[schema(format = DateTime)]
    pub create_time: String,
}

impl From<Movement> for RecordView {
    fn from(movement: Movement) -> Self {
        let MessageView { message, code, params } = (&movement.remark).into();
        Self {
            record_no: movement.record_no,
            r#type: movement.kind,
            dot_count: movement.dot_count,
            amount: movement.amount,
            balance_after: movement.balance_after,
            task_no: movement.task_no.map(|task_no| task_no.to_string()),
            batch_no: movement.batch_no.map(|batch_no| batch_no.to_string()),
            item_no: movement.item_no,
            remark: message,
            remark_code: code,
            remark_params: params,
            create_time: rfc3339(movement.created_at),
        }
    }
}
