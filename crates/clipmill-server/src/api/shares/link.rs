//! The share behind a link, and the names of its videos.

use clipmill_store::{ItemResult, ShareRecord, SharedItem};

use crate::app::App;
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::links::canonical;

/// The share; the error is the same for one that never existed, has ended or was revoked.
pub(super) async fn open(app: &App, id: &str, signature: &str) -> ApiResult<ShareRecord> {
    let id = canonical::<i64>(id).filter(|id| app.links.check_share(*id, signature, clock::now_ms()));
    let share = app.store.shares().find(id.ok_or_else(ApiError::not_found)?).await?;
    share.filter(|share| share.is_open(clock::now_ms())).ok_or_else(ApiError::not_found)
}

/// A video of a share.
pub(super) struct Video {
    pub item: SharedItem,
    pub result: ItemResult,
}

/// The outputs of a share that still exist.
pub(super) async fn videos(app: &App, share: &ShareRecord) -> ApiResult<Vec<Video>> {
    let (mut videos, now) = (Vec::new(), clock::now_ms());
    for task in &share.tasks {
        for (item_no, result) in app.store.tasks().results(&task.task_no).await? {
            if task.shows(item_no) && now < result.expires_at {
                videos.push(Video { item: SharedItem { place: task.place, item_no }, result });
            }
        }
    }
    Ok(videos)
}

/// The name of a video: `7` in a share of one task, `3-7` in the third of several tasks. Numbers of tasks are private to
/// the owner.
pub(super) fn name(item: SharedItem) -> String {
    item.place.map_or_else(|| item.item_no.to_string(), |place| format!("{place}-{}", item.item_no))
}

/// The video with this [`name`].
pub(super) fn parse_name(name: &str) -> Option<SharedItem> {
    match name.split_once('-') {
        Some((place, item_no)) => {
            Some(SharedItem { place: Some(canonical(place)?), item_no: canonical(item_no)? })
        }
        None => Some(SharedItem { place: None, item_no: canonical(name)? }),
    }
}
