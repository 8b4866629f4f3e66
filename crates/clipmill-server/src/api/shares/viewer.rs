//! `…/s/{shareId}/{signature}/feedback`, `/picks` and `/comments`: what the viewers of a share do. They have its link and no
//! key; pages of other hosts cannot write, because browsers ask before they send JSON to another host.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use clipmill_core::ids::UserId;
use clipmill_core::message;
use clipmill_core::request::{FieldError, parse_comment, parse_pick};
use clipmill_store::{CommentOutcome, NewComment, ShareRecord, SharedItem};
use serde_json::json;

use super::link::{name, open, parse_name, videos};
use crate::api::extract::body::{JsonBody, read_json};
use crate::app::App;
use crate::clock;
use crate::config::units::ByteSize;
use crate::error::{ApiError, ApiResult};
use crate::http::client::client;
use crate::settings::request_policy;
use crate::view::{
    Answer, CommentRequestSchema, Envelope, PickRequestSchema, ViewerCommentView, ViewerFeedbackView,
};

/// The most comments of one share.
const MAX_COMMENTS: u32 = 200;
/// The longest comment takes 6 KiB if all of it is escaped. Bodies of this size need no permit.
const LIMIT: ByteSize = ByteSize(8 << 10);
/// Viewers are not signed in; small bodies are not counted for a user.
const NOBODY: UserId = UserId(0);

type Link = Result<Path<(String, String)>, PathRejection>;

/// The share, if it accepts feedback; the error is the same for every other link.
async fn with_feedback(app: &App, link: Link) -> ApiResult<(String, ShareRecord)> {
    let Path((id, signature)) = link.map_err(|_| ApiError::not_found())?;
    let share = open(app, &id, &signature).await?;
    if !share.page.feedback {
        return Err(ApiError::not_found());
    }
    Ok((format!("/s/{id}/{signature}"), share))
}

/// [`with_feedback`] and the body of a call that changes something, which is limited per address.
async fn change(app: &App, link: Link, request: Request) -> ApiResult<(ShareRecord, JsonBody)> {
    if let Some(wait) = app.rates.count_feedback(client(&request, &app.config.server)) {
        return Err(ApiError::too_many_from_address(wait));
    }
    let (_, share) = with_feedback(app, link).await?;
    Ok((share, read_json(app, NOBODY, request, LIMIT).await?))
}

/// A finished video of the share.
async fn video(app: &App, share: &ShareRecord, text: &str) -> ApiResult<SharedItem> {
    let shown = parse_name(text).and_then(|item| Some((item, share.shows(item.place, item.item_no)?)));
    if let Some((item, task)) = shown {
        let result = app.store.tasks().item_result(&task.task_no, item.item_no).await?;
        if result.is_some_and(|result| clock::now_ms() < result.expires_at) {
            return Ok(item);
        }
    }
    let (path, message) = ("/item".to_owned(), message::no_such_output());
    Err(ApiError::invalid(vec![FieldError { path, message, got: Some(json!(text)), allowed: None }]))
}

/// Videos of a share with the picks and comments of its viewers. Everyone who has the link sees them.
/// The address is that of the page, followed by `/feedback`. A share that has ended, or does not accept feedback, is not
/// found.
#[utoipa::path(get, path = "/s/{shareId}/{signature}/feedback", operation_id = "viewFeedback", tag = "shares",
    security(()),
    params(
        ("shareId" = i64, Path, description = "Number of the share."),
        ("signature" = String, Path, description = "Signature of its link."),
    ),
    responses((status = 200, description = "Videos, picks and comments.", body = Answer<ViewerFeedbackView>)))]
pub async fn read(
    State(app): State<Arc<App>>,
    link: Link,
    request: Request,
) -> ApiResult<Envelope<ViewerFeedbackView>> {
    if let Some(wait) = app.rates.count_viewing(client(&request, &app.config.server)) {
        return Err(ApiError::too_many_from_address(wait));
    }
    let (at, share) = with_feedback(&app, link).await?;
    let videos = videos(&app, &share).await?;
    let feedback = app.store.feedback().read(share.id).await?;
    let videos = videos.into_iter().map(|video| {
        let name = name(video.item);
        let url = app.links.open(&format!("{at}/{name}.mp4"));
        (name, url, feedback.picks.contains(&video.item), video.result)
    });
    let videos = videos.collect();
    let comments = feedback.comments.into_iter().map(|comment| {
        let item = comment.item.map(name);
        ViewerCommentView::new(comment, item)
    });
    Ok(Envelope(ViewerFeedbackView::new(share.page, videos, comments.collect())))
}

/// Pick a video of a share, or no longer pick it. All viewers of a share have the same picks. Calls are limited per address.
#[utoipa::path(post, path = "/s/{shareId}/{signature}/picks", operation_id = "pickVideo", tag = "shares",
    security(()),
    params(
        ("shareId" = i64, Path, description = "Number of the share."),
        ("signature" = String, Path, description = "Signature of its link."),
    ),
    request_body(content = PickRequestSchema, description = "The video, and whether it is picked."),
    responses((status = 200, description = "Saved.", body = Answer<Option<String>>)))]
pub async fn pick(
    State(app): State<Arc<App>>,
    link: Link,
    request: Request,
) -> ApiResult<Envelope<Option<String>>> {
    let (share, body) = change(&app, link, request).await?;
    let pick = parse_pick(&body.bytes, &request_policy(&app.config))?;
    let item = video(&app, &share, &pick.item).await?;
    let saved = app.store.feedback().pick(share.id, item, pick.picked, clock::now_ms()).await?;
    if saved { Ok(Envelope(None)) } else { Err(ApiError::not_found()) }
}

/// Comment on a video of a share, or on all of them. Comments are plain text, and only the owner of the share can delete
/// them. A share has up to 200 comments. Calls are limited per address.
#[utoipa::path(post, path = "/s/{shareId}/{signature}/comments", operation_id = "addComment", tag = "shares",
    security(()),
    params(
        ("shareId" = i64, Path, description = "Number of the share."),
        ("signature" = String, Path, description = "Signature of its link."),
    ),
    request_body(content = CommentRequestSchema, description = "The text, and optionally a name and a video."),
    responses((status = 200, description = "The comment.", body = Answer<ViewerCommentView>)))]
pub async fn comment(
    State(app): State<Arc<App>>,
    link: Link,
    request: Request,
) -> ApiResult<Envelope<ViewerCommentView>> {
    let (share, body) = change(&app, link, request).await?;
    let comment = parse_comment(&body.bytes, &request_policy(&app.config))?;
    let item = match &comment.item {
        Some(text) => Some(video(&app, &share, text).await?),
        None => None,
    };
    let new = NewComment { share: share.id, item, name: comment.name, text: comment.text, max: MAX_COMMENTS };
    match app.store.feedback().comment(new, clock::now_ms()).await? {
        CommentOutcome::Added(comment) => Ok(Envelope(ViewerCommentView::new(comment, item.map(name)))),
        CommentOutcome::Closed => Err(ApiError::not_found()),
        CommentOutcome::TooMany { limit } => Err(ApiError::too_many_comments(limit)),
    }
}
