//! Keys, causes of failures and usage for operators, and the bodies that operators send.

use clipmill_store::{FailureCause, KeyRecord, Usage, UsageSum};
use serde::Serialize;
use utoipa::ToSchema;

use super::rfc3339;
use super::schema::ErrorCodeName;

/// A stored key, without the key itself.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyView {
    pub key_id: i64,
    /// First characters of the key.
    pub prefix: String,
    /// `read`, `submit`, `admin`.
    pub scopes: Vec<&'static str>,
    #[schema(format = DateTime)]
    pub create_time: String,
    /// When it expires; null: never.
    #[schema(format = DateTime)]
    pub expire_time: Option<String>,
    #[schema(format = DateTime)]
    pub revoke_time: Option<String>,
    /// Last use, to the minute.
    #[schema(format = DateTime)]
    pub last_use_time: Option<String>,
    /// Whether this call was made with this key.
    pub current: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct KeysView {
    pub list: Vec<KeyView>,
    pub total: usize,
}

/// A new key, which is shown only here.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewKeyView {
    pub key_id: i64,
    pub user_id: i64,
    pub api_key: String,
    pub scopes: Vec<&'static str>,
    #[schema(format = DateTime)]
    pub expire_time: Option<String>,
}

/// Whether a user is disabled.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SwitchedView {
    pub user_id: i64,
    #[schema(format = DateTime)]
    pub off_since: Option<String>,
    /// The reason shown to the user.
    pub off_reason: Option<String>,
    /// Tasks and batches that were cancelled.
    pub cancelled: u64,
}

/// Number of failures with one cause.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FailureCauseView {
    #[schema(value_type = ErrorCodeName)]
    pub code: &'static str,
    /// Outputs that failed with this cause.
    pub items: u64,
    /// Tasks that these outputs belong to.
    pub tasks: u64,
    /// Users who own these tasks.
    pub users: u64,
    /// When the last of these tasks ended.
    #[schema(format = DateTime)]
    pub last_time: String,
}

/// Causes in a period, the most frequent first.
#[derive(Debug, Serialize, ToSchema)]
pub struct FailureCausesView {
    #[schema(format = DateTime)]
    pub from: String,
    #[schema(format = DateTime)]
    pub to: String,
    pub list: Vec<FailureCauseView>,
    /// Outputs that failed, with any cause.
    pub total: u64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageSumView {
    /// Points spent.
    pub points: u64,
    /// Outputs delivered.
    pub outputs: u64,
    /// Total length of these outputs in seconds.
    pub output_seconds: f64,
}

/// Usage of a user in the period, and bytes stored now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserUsageView {
    pub user_id: i64,
    pub user_name: String,
    #[serde(flatten)]
    pub used: UsageSumView,
    /// Bytes of results and uploads stored now.
    pub stored_bytes: u64,
}

/// Usage of users in a period, the most expensive first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageView {
    /// Beginning of the first day.
    #[schema(format = DateTime)]
    pub from: String,
    /// End of the last day.
    #[schema(format = DateTime)]
    pub to: String,
    pub list: Vec<UserUsageView>,
    /// Totals of all matching users, not only of this page.
    pub sum: UsageSumView,
    pub total: u64,
    pub page_no: u32,
    pub page_size: u32,
}

/// Scopes and expiry of a key.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct KeyRequestSchema {
    /// `read`, `submit`, `admin`; by default `read` and `submit`.
    #[schema(min_items = 1, max_items = 10)]
    scopes: Option<Vec<String>>,
    /// RFC 3339, or a date (its beginning in UTC); the key does not expire when absent.
    #[schema(max_length = 40)]
    expire_time: Option<String>,
}

/// Why a user is disabled.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct SwitchOffSchema {
    /// The user sees it.
    #[schema(min_length = 1, max_length = 200)]
    reason: String,
    /// Cancel the user's open tasks and batches; otherwise they are finished.
    #[schema(default = false)]
    cancel: Option<bool>,
}

/// Points to deduct.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct DeductionSchema {
    #[schema(minimum = 1)]
    user_id: i64,
    #[schema(minimum = 1)]
    points: u64,
    /// Reason, shown in the user's records.
    #[schema(min_length = 1, max_length = 200)]
    remark: String,
}

/// Reason for the pause.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct PauseRequestSchema {
    /// Shown to users whose tasks are waiting.
    #[schema(max_length = 200)]
    reason: Option<String>,
}

impl KeyView {
    /// `current` is the number of the caller's own key.
    pub fn new(key: KeyRecord, current: i64) -> Self {
        Self {
            key_id: key.id,
            prefix: key.prefix,
            scopes: key.scopes.names(),
            create_time: rfc3339(key.created_at),
            expire_time: key.expires_at.map(rfc3339),
            revoke_time: key.revoked_at.map(rfc3339),
            last_use_time: key.last_used_at.map(rfc3339),
            current: key.id == current,
        }
    }
}

impl From<FailureCause> for FailureCauseView {
    fn from(cause: FailureCause) -> Self {
        Self {
            code: cause.code.as_str(),
            items: cause.items,
            tasks: cause.tasks,
            users: cause.users,
            last_time: rfc3339(cause.last_at),
        }
    }
}

impl From<UsageSum> for UsageSumView {
    fn from(sum: UsageSum) -> Self {
        Self { points: sum.points, outputs: sum.outputs, output_seconds: sum.output_ms as f64 / 1000.0 }
    }
}

impl From<Usage> for UserUsageView {
    fn from(usage: Usage) -> Self {
        Self {
            user_id: usage.user.0,
            user_name: usage.name,
            used: usage.used.into(),
            stored_bytes: usage.stored_bytes,
        }
    }
}
