//! Shares of tasks.

use clipmill_store::{ShareRecord, SharedTask};
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
    /// What it shows of each task, where it shows several; `taskNo` and `items` are then those of the task that ended last.
    pub tasks: Option<Vec<SharedTaskView>>,
    /// When it ends; null where it ends with the files.
    #[schema(format = DateTime)]
    pub expires_at: Option<String>,
    #[schema(format = DateTime)]
    pub create_time: String,
    pub revoked: bool,
}

impl ShareView {
    pub fn new(share: ShareRecord, links: &Links, now_ms: i64) -> Self {
        let several = share.tasks.iter().any(|task| task.place.is_some());
        Self {
            url: share.is_open(now_ms).then(|| links.share(share.id, now_ms)),
            share_id: share.id,
            task_no: share.task_no.to_string(),
            items: share.items,
            tasks: several.then(|| share.tasks.into_iter().map(SharedTaskView::new).collect()),
            expires_at: share.expires_at.map(rfc3339),
            create_time: rfc3339(share.created_at),
            revoked: share.revoked_at.is_some(),
        }
    }
}

/// Part of a share that belongs to one task.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedTaskView {
    pub task_no: String,
    /// Numbers of the items that it shows; null for all.
    pub items: Option<Vec<u32>>,
}

impl SharedTaskView {
    fn new(task: SharedTask) -> Self {
        Self { task_no: task.task_no.to_string(), items: task.items }
    }
}

/// Tasks and outputs to show, and expiry.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct WideShareSchema {
    /// In the order of the page; 1,000 videos at most.
    #[schema(min_items = 1, max_items = 100)]
    tasks: Vec<TaskToShareSchema>,
    /// RFC 3339, or a date (its beginning in UTC); with the files when absent.
    #[schema(max_length = 40)]
    expires_at: Option<String>,
}

/// Outputs of a task to show.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct TaskToShareSchema {
    #[schema(max_length = 40)]
    task_no: String,
    /// Numbers of items; all when absent.
    #[schema(min_items = 1, max_items = 1000)]
    items: Option<Vec<u32>>,
}

/// Outputs to show, and expiry.
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
