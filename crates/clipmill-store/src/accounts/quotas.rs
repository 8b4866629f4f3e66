//! Quotas: what a user has stored and open, compared with the limits.

use clipmill_core::ids::UserId;

use super::super::rows::{Db, count};
use super::super::states::{given_up, live};
use crate::accounts::library::{Quota, StorageFull};
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::tasks::SubmitOutcome;

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
    Ok(refuse_storing(db, user, quota, now).await?.map(|violation| match violation {
        LimitExceeded::StorageFull(full) => SubmitOutcome::StorageFull(full),
        LimitExceeded::TooManyCancelled { given_up, limit } => {
            SubmitOutcome::TooManyCancelled { given_up, limit }
        }
    }))
}

/// Why nothing more is accepted from a user.
pub enum LimitExceeded {
    StorageFull(StorageFull),
    TooManyCancelled { given_up: u64, limit: u32 },
}

/// Whether there is no storage left for a task or batch. The size of the outputs is unknown, so it is accepted while
/// there is any. Cancelled and rejected outputs cost no points, so they are limited per hour.
pub async fn refuse_storing(
    db: &mut Db,
    user: UserId,
    quota: &Quota,
    now: Millis,
) -> StoreResult<Option<LimitExceeded>> {
    if let Some(full) = storage_full(db, user, 1, quota, now).await? {
        return Ok(Some(LimitExceeded::StorageFull(full)));
    }
    if quota.given_up_hourly == 0 {
        return Ok(None);
    }
    let (given_up, limit) = (given_up(db, user, now).await?, quota.given_up_hourly);
    Ok((given_up >= u64::from(limit)).then_some(LimitExceeded::TooManyCancelled { given_up, limit }))
}

const HOUR_MS: i64 = 3_600_000;

async fn given_up(db: &mut Db, user: UserId, now: Millis) -> StoreResult<u64> {
    let given_up: i64 = sqlx::query_scalar(concat!(
        "SELECT CAST((SELECT COALESCE(SUM(total_items), 0) FROM tasks
                       WHERE user_id = $1 AND state IN ",
        given_up!(),
        " AND completed_items = 0 AND finished_at > $2)
                   + (SELECT COUNT(*) FROM batches b JOIN batch_rows r ON r.batch_id = b.id
                       WHERE b.user_id = $1 AND b.cancelled_at > $2 AND r.state = 'cancelled') AS BIGINT)"
    ))
    .bind(user.0)
    .bind(now.saturating_sub(HOUR_MS))
    .fetch_one(db)
    .await?;
    count(given_up)
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

/// Approximate bytes of a ledger record in the database, with its entries, its hold and their indexes.
const MOVEMENT_BYTES: i64 = 500;

/// The total storage of a user: results, recent uploads (content that was uploaded twice counts once), requests,
/// templates, drafts, batches, ledger records.
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
    .fetch_one(&mut *db)
    .await?;
    let rows: i64 = sqlx::query_scalar(
        "SELECT CAST((SELECT COALESCE(SUM(size_bytes), 0) FROM bodies WHERE user_id = $1)
                   + (SELECT COALESCE(SUM(size_bytes), 0) FROM batches WHERE user_id = $1)
                   + (SELECT COALESCE(SUM(v.size_bytes), 0)
                        FROM templates t JOIN template_versions v ON v.template_id = t.id WHERE t.user_id = $1)
                   + (SELECT COALESCE(SUM(size_bytes), 0) FROM drafts WHERE user_id = $1)
                   + (SELECT movements * $2 FROM balances WHERE user_id = $1) AS BIGINT)",
    )
    .bind(user.0)
    .bind(MOVEMENT_BYTES)
    .fetch_one(db)
    .await?;
    Ok(count(results)?.saturating_add(count(uploads)?).saturating_add(count(rows)?))
}

async fn open_tasks(db: &mut Db, user: UserId) -> StoreResult<u64> {
    let open =
        sqlx::query_scalar(concat!("SELECT COUNT(*) FROM tasks WHERE user_id = $1 AND state IN ", live!()))
            .bind(user.0)
            .fetch_one(db)
            .await?;
    count(open)
}
