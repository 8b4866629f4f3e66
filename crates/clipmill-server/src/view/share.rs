//! Shares of tasks.

use clipmill_store::ShareRecord;
use serde::Serialize;
use utoipa::ToSchema;

use super::rfc3339;
use crate::links::Links;

/// A page that shows outputs of a task.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareView {
    pub share_id: i64,
    pub task_no: String,
    /// The page; null once it has ended.
    pub url: Option<String>,
    /// Numbers of the items that it shows; null for all.
    pub items: Option<Vec<u32>>,
    /// When it ends; null where it ends with the files.
    #[schema(format = DateTime)]
    pub expires_at: Option<String>,
    #[schema(format = DateTime)]
    pub create_time: String,
    pub revoked: bool,
}

impl ShareView {
    pub fn new(share: ShareRecord, links: &Links, now_ms: i64) -> Self {
        Self {
            url: share.is_open(now_ms).then(|| links.share(share.id)),
            share_id: share.id,
            task_no: share.task_no.to_string(),
            items: share.items,
            expires_at: share.expires_at.map(rfc3339),
            create_time: rfc3339(share.created_at),
            revoked: share.revoked_at.is_some(),
        }
    }
}

/// What to show, and until when.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct NewShareSchema {
    /// Numbers of items; all when absent.
    #[schema(min_items = 1, max_items = 1000)]
    items: Option<Vec<u32>>,
    /// RFC 3339, or a date (its beginning in UTC); with the files when absent.
    #[schema(max_length = 40)]
    expires_at: Option<String>,
}
