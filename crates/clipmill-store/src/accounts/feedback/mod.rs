//! Feedback of the viewers of a share: videos that they pick, and comments. It ends with the share.

use async_trait::async_trait;
use clipmill_core::ids::UserId;

use crate::common::clock::Millis;
use crate::common::error::StoreResult;

#[async_trait]
pub trait FeedbackStore: Send + Sync + 'static {
    /// The feedback on the share of any user: the caller has checked access.
    async fn read(&self, share: i64) -> StoreResult<Feedback>;
    /// Picks a video, or no longer picks it. Returns whether the share accepts feedback.
    async fn pick(&self, share: i64, item: SharedItem, picked: bool, now: Millis) -> StoreResult<bool>;
    async fn comment(&self, new: NewComment, now: Millis) -> StoreResult<CommentOutcome>;
    /// Returns whether the share is one of this user and had the comment.
    async fn delete_comment(&self, user: UserId, share: i64, comment: i64) -> StoreResult<bool>;
}

/// A video of a share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SharedItem {
    /// The place of its task; `None` in a share of a single task.
    pub place: Option<u32>,
    pub item_no: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Feedback {
    /// In the order of the page.
    pub picks: Vec<SharedItem>,
    /// The oldest first.
    pub comments: Vec<CommentRecord>,
}

/// A comment to add.
#[derive(Debug, Clone)]
pub struct NewComment {
    pub share: i64,
    /// `None`: it is about all videos.
    pub item: Option<SharedItem>,
    pub name: Option<String>,
    pub text: String,
    /// The limit of comments per share.
    pub max: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentRecord {
    pub id: i64,
    pub item: Option<SharedItem>,
    pub name: Option<String>,
    pub text: String,
    pub created_at: Millis,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommentOutcome {
    Added(CommentRecord),
    /// The share has ended, or accepts no feedback.
    Closed,
    TooMany {
        limit: u32,
    },
}
