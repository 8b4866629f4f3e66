//! Picks and comments of shares.

use async_trait::async_trait;
use clipmill_core::ids::UserId;

use super::super::dialect::{Handle, is_conflict};
use super::super::rows::{Db, count32};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use crate::accounts::feedback::{
    CommentOutcome, CommentRecord, Feedback, FeedbackStore, NewComment, SharedItem,
};
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::from_row::from_row;

#[async_trait]
impl FeedbackStore for Handle {
    async fn read(&self, share: i64) -> StoreResult<Feedback> {
        snapshot!(self; tx => read(tx, share))
    }

    async fn pick(&self, share: i64, item: SharedItem, picked: bool, now: Millis) -> StoreResult<bool> {
        unit!(self, at now; tx => pick(tx, share, item, picked, now.ms))
    }

    async fn comment(&self, new: NewComment, now: Millis) -> StoreResult<CommentOutcome> {
        unit!(self, at now, new; tx => comment(tx, &new, now.ms))
    }

    async fn delete_comment(&self, user: UserId, share: i64, comment: i64) -> StoreResult<bool> {
        unit!(self; tx => delete_comment(tx, user, share, comment))
    }
}

/// The place of the only task of a share. The places of several tasks begin at 1.
const ONLY: i64 = 0;

fn place(item: SharedItem) -> i64 {
    item.place.map_or(ONLY, i64::from)
}

fn item(place: i64, item_no: i64) -> StoreResult<SharedItem> {
    let place = if place == ONLY { None } else { Some(count32(place)?) };
    Ok(SharedItem { place, item_no: count32(item_no)? })
}

pub async fn read(db: &mut Db, share: i64) -> StoreResult<Feedback> {
    let picks: Vec<(i64, i64)> =
        sqlx::query_as("SELECT place, item_no FROM share_picks WHERE share_id = $1 ORDER BY place, item_no")
            .bind(share)
            .fetch_all(&mut *db)
            .await?;
    let comments: Vec<CommentRow> = sqlx::query_as(
        "SELECT id, place, item_no, name, text, created_at FROM share_comments WHERE share_id = $1 ORDER BY id",
    )
    .bind(share)
    .fetch_all(db)
    .await?;
    Ok(Feedback {
        picks: picks.into_iter().map(|(place, number)| item(place, number)).collect::<StoreResult<_>>()?,
        comments: comments.into_iter().map(record).collect::<StoreResult<_>>()?,
    })
}

/// Locks the share, so that comments are counted correctly and none is added after it was revoked. Returns whether it
/// accepts feedback.
async fn lock_open(db: &mut Db, share: i64, now: Millis) -> StoreResult<bool> {
    let open = sqlx::query(
        "UPDATE shares SET feedback = feedback
          WHERE id = $1 AND feedback = 1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)",
    )
    .bind(share)
    .bind(now)
    .execute(db)
    .await?;
    Ok(open.rows_affected() == 1)
}

pub async fn pick(db: &mut Db, share: i64, item: SharedItem, picked: bool, now: Millis) -> StoreResult<bool> {
    if !lock_open(db, share, now).await? {
        return Ok(false);
    }
    let statement = if picked {
        "INSERT INTO share_picks (share_id, place, item_no) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
    } else {
        "DELETE FROM share_picks WHERE share_id = $1 AND place = $2 AND item_no = $3"
    };
    sqlx::query(statement).bind(share).bind(place(item)).bind(i64::from(item.item_no)).execute(db).await?;
    Ok(true)
}

pub async fn comment(db: &mut Db, new: &NewComment, now: Millis) -> StoreResult<CommentOutcome> {
    if !lock_open(db, new.share, now).await? {
        return Ok(CommentOutcome::Closed);
    }
    let comments: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM share_comments WHERE share_id = $1")
        .bind(new.share)
        .fetch_one(&mut *db)
        .await?;
    if comments >= i64::from(new.max) {
        return Ok(CommentOutcome::TooMany { limit: new.max });
    }
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO share_comments (share_id, place, item_no, name, text, created_at)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
    )
    .bind(new.share)
    .bind(new.item.map(place))
    .bind(new.item.map(|item| i64::from(item.item_no)))
    .bind(&new.name)
    .bind(&new.text)
    .bind(now)
    .fetch_one(db)
    .await?;
    let (name, text) = (new.name.clone(), new.text.clone());
    Ok(CommentOutcome::Added(CommentRecord { id, item: new.item, name, text, created_at: now }))
}

pub async fn delete_comment(db: &mut Db, user: UserId, share: i64, comment: i64) -> StoreResult<bool> {
    let deletion = sqlx::query(
        "DELETE FROM share_comments WHERE id = $1 AND share_id = $2 AND EXISTS (
            SELECT 1 FROM shares s JOIN tasks t ON t.id = s.task_id WHERE s.id = $2 AND t.user_id = $3)",
    )
    .bind(comment)
    .bind(share)
    .bind(user.0)
    .execute(db)
    .await?;
    Ok(deletion.rows_affected() == 1)
}

/// Deletes all feedback on a share that has ended.
pub async fn delete_all(db: &mut Db, share: i64) -> StoreResult<()> {
    sqlx::query("DELETE FROM share_picks WHERE share_id = $1").bind(share).execute(&mut *db).await?;
    sqlx::query("DELETE FROM share_comments WHERE share_id = $1").bind(share).execute(db).await?;
    Ok(())
}

from_row! {
    struct CommentRow {
        id: i64,
        place: Option<i64>,
        item_no: Option<i64>,
        name: Option<String>,
        text: String,
        created_at: Millis,
    }
}

fn record(row: CommentRow) -> StoreResult<CommentRecord> {
    let item = row.place.zip(row.item_no).map(|(place, number)| item(place, number)).transpose()?;
    Ok(CommentRecord { id: row.id, item, name: row.name, text: row.text, created_at: row.created_at })
}
