//! Quotas: what a user has stored and open, compared with the limits.

use clipmill_core::ids::UserId;

use super::super::rows::{Db, count};
use super::super::states::live;
use crate::error::StoreResult;
use crate::model::*;

/// Why the user may not submit another task; `None` if they may.
pub async fn refuse_task(
    db: &mut Db,
    user: UserId,
    quota: &Quota,
    now: Millis,
) -> StoreResult<Option<SubmitOutcome>> {
    if quota.open_tasks > 0 {
        let open = open_tasks(db, user).await?;
        if open >= u64::from(quota.open_tasks) {
            return Ok(Some(SubmitOutcome::TooManyOpenTasks { open, limit: quota.open_tasks }));
        }
    }
    // The size of the outputs is unknown, so a task is accepted while there is any room.
    let full = storage_full(db, user, 1, quota, now).await?;
    Ok(full.map(SubmitOutcome::StorageFull))
}

/// Whether `more` bytes would exceed the quota.
pub async fn storage_full(
    db: &mut Db,
    user: UserId,
    more: u64,
    quota: &Quota,
    now: Millis,
) -> StoreResult<Option<StorageFull>> {
    if quota.stored_bytes == 0 {
        return Ok(None);
    }
    let stored = stored_bytes(db, user, quota.uploads_since, now).await?;
    let full = stored.saturating_add(more) > quota.stored_bytes;
    Ok(full.then_some(StorageFull { stored, limit: quota.stored_bytes }))
}

/// The size of stored results and of recent uploads; content that was uploaded twice counts once.
pub async fn stored_bytes(db: &mut Db, user: UserId, uploads_since: Millis, now: Millis) -> StoreResult<u64> {
    let results: i64 = sqlx::query_scalar(
        "SELECT CAST(COALESCE(SUM(stored_bytes), 0) AS BIGINT) FROM items
          WHERE stored_user = $1 AND stored_until > $2",
    )
    .bind(user.0)
    .bind(now)
    .fetch_one(&mut *db)
    .await?;
    let uploads: i64 = sqlx::query_scalar(
        "SELECT CAST(COALESCE(SUM(kept.size), 0) AS BIGINT)
           FROM (SELECT MAX(size_bytes) AS size FROM uploads
                  WHERE user_id = $1 AND created_at > $2 GROUP BY content_sha256) AS kept",
    )
    .bind(user.0)
    .bind(uploads_since)
    .fetch_one(db)
    .await?;
    Ok(count(results)?.saturating_add(count(uploads)?))
}

async fn open_tasks(db: &mut Db, user: UserId) -> StoreResult<u64> {
    let open =
        sqlx::query_scalar(concat!("SELECT COUNT(*) FROM tasks WHERE user_id = $1 AND state IN ", live!()))
            .bind(user.0)
            .fetch_one(db)
            .await?;
    count(open)
}
