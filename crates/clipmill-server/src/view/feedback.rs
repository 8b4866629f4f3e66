//! Feedback on shares, as viewers and owners see it.

use clipmill_core::request::SharePage;
use clipmill_store::{CommentRecord, Feedback, ItemResult, ShareRecord, SharedItem};
use serde::Serialize;
use utoipa::ToSchema;

use super::rfc3339;

/// A share as its viewers see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewerFeedbackView {
    pub title: Option<String>,
    pub message: Option<String>,
    /// Finished videos, in the order of the page.
    pub videos: Vec<SharedVideoView>,
    /// The oldest first.
    pub comments: Vec<ViewerCommentView>,
}

impl ViewerFeedbackView {
    /// Each video has a name, a URL, and whether it is picked.
    pub fn new(
        page: SharePage,
        videos: Vec<(String, String, bool, ItemResult)>,
        comments: Vec<ViewerCommentView>,
    ) -> Self {
        let videos = videos.into_iter().map(|(item, url, picked, result)| SharedVideoView {
            item,
            url,
            picked,
            duration: result.duration_ms as f64 / 1000.0,
            width: result.width,
            height: result.height,
        });
        Self { title: page.title, message: page.message, videos: videos.collect(), comments }
    }
}

/// A video of a share.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedVideoView {
    /// Name of the video in this share; use it in `picks` and `comments`.
    pub item: String,
    /// The file.
    pub url: String,
    pub picked: bool,
    /// In seconds.
    pub duration: f64,
    pub width: u32,
    pub height: u32,
}

/// A comment as viewers see it. All texts are plain text.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewerCommentView {
    pub comment_id: i64,
    /// The video; null if the comment is about all of them.
    pub item: Option<String>,
    /// The name that the viewer gave; it is not verified.
    pub name: Option<String>,
    pub text: String,
    #[schema(format = DateTime)]
    pub create_time: String,
}

impl ViewerCommentView {
    /// `item` is the name of the comment's video.
    pub fn new(comment: CommentRecord, item: Option<String>) -> Self {
        Self {
            comment_id: comment.id,
            item,
            name: comment.name,
            text: comment.text,
            create_time: rfc3339(comment.created_at),
        }
    }
}

/// The feedback on a share, for its owner.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareFeedbackView {
    /// Picked videos, in the order of the page.
    pub picks: Vec<PickView>,
    /// The oldest first.
    pub comments: Vec<ShareCommentView>,
}

/// A picked video.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PickView {
    pub task_no: String,
    pub item_no: u32,
}

/// A comment of a viewer. All texts are plain text.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareCommentView {
    pub comment_id: i64,
    /// The task of the video; null if the comment is about all videos, or the task was deleted.
    pub task_no: Option<String>,
    /// The number of the video; null as `taskNo`.
    pub item_no: Option<u32>,
    /// The name that the viewer gave; it is not verified.
    pub name: Option<String>,
    pub text: String,
    #[schema(format = DateTime)]
    pub create_time: String,
}

impl ShareFeedbackView {
    pub fn new(feedback: Feedback, share: &ShareRecord) -> Self {
        let video = |item: SharedItem| {
            let task = share.shows(item.place, item.item_no)?;
            Some(PickView { task_no: task.task_no.to_string(), item_no: item.item_no })
        };
        let comment = |comment: CommentRecord| {
            let (task_no, item_no) =
                comment.item.and_then(video).map(|video| (video.task_no, video.item_no)).unzip();
            ShareCommentView {
                comment_id: comment.id,
                task_no,
                item_no,
                name: comment.name,
                text: comment.text,
                create_time: rfc3339(comment.created_at),
            }
        };
        Self {
            picks: feedback.picks.into_iter().filter_map(video).collect(),
            comments: feedback.comments.into_iter().map(comment).collect(),
        }
    }
}

/// A video, and whether it is picked.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct PickRequestSchema {
    /// Name of the video in this share.
    #[schema(min_length = 1, max_length = 24)]
    item: String,
    picked: bool,
}

/// A comment.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct CommentRequestSchema {
    /// Plain text; can have several lines.
    #[schema(min_length = 1, max_length = 500)]
    text: String,
    /// Your name.
    #[schema(max_length = 60)]
    name: Option<String>,
    /// Name of the video in this share; by default, the comment is about all of them.
    #[schema(max_length = 24)]
    item: Option<String>,
}
