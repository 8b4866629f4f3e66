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
    /// URL of the page; null once the share has expired.
    pub url: Option<String>,
    /// Numbers of the items shown; null for all.
    pub items: Option<Vec<u32>>,
    /// Items shown of each task, if it shows several tasks; `taskNo` and `items` then belong to the task that ended
    /// last.
    pub tasks: Option<Vec<SharedTaskView>>,
    /// When it expires; null if it expires with the files.
    #[schema(format = DateTime)]
    pub expires_at: Option<String>,
    #[schema(format = DateTime)]
    pub create_time: String,
    pub revoked: bool,
    /// Title of the page.
    pub title: Option<String>,
    /// Text above the videos.
    pub message: Option<String>,
    /// Whether viewers can pick videos and comment.
    pub feedback: bool,
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
            title: share.page.title,
            message: share.page.message,
            feedback: share.page.feedback,
        }
    }
}

/// Part of a share that belongs to one task.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedTaskView {
    pub task_no: String,
    /// Numbers of the items shown; null for all.
    pub items: Option<Vec<u32>>,
}

impl SharedTaskView {
    fn new(task: SharedTask) -> Self {
        Self { task_no: task.task_no.to_string(), items: task.items }
    }
}

/// Tasks and outputs to show, expiry and texts of the page.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct WideShareSchema {
    /// In the order of the page; at most 1,000 videos.
    #[schema(min_items = 1, max_items = 100)]
    tasks: Vec<TaskToShareSchema>,
    /// RFC 3339, or a date (its beginning in UTC); by default the share expires with the files.
    #[schema(max_length = 40)]
    expires_at: Option<String>,
    /// Title of the page.
    #[schema(max_length = 120)]
    title: Option<String>,
    /// Text above the videos; can have several lines.
    #[schema(max_length = 500)]
    message: Option<String>,
    /// Whether viewers can pick videos and comment.
    #[schema(default = false)]
    feedback: Option<bool>,
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

/// Outputs to show, expiry and texts of the page.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct NewShareSchema {
    /// Numbers of items; all when absent.
    #[schema(min_items = 1, max_items = 1000)]
    items: Option<Vec<u32>>,
    /// RFC 3339, or a date (its beginning in UTC); by default the share expires with the files.
    #[schema(max_length = 40)]
    expires_at: Option<String>,
    /// Title of the page.
    #[schema(max_length = 120)]
    title: Option<String>,
    /// Text above the videos; can have several lines.
    #[schema(max_length = 500)]
    message: Option<String>,
    /// Whether viewers can pick videos and comment.
    #[schema(default = false)]
    feedback: Option<bool>,
}
