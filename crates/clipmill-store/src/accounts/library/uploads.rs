//! Uploaded files.

use std::collections::BTreeSet;

use clipmill_core::ids::UserId;
use sqlx::QueryBuilder;

use super::super::points::ledger;
use super::super::quotas;
use super::super::rows::{Database, Db, column, constraint, count};
use crate::accounts::library::{NewUpload, Upload, UploadOutcome};
use crate::common::clock::Millis;
use crate::common::error::StoreResult;

/// Uploads looked up in one statement.
const LOOKED_UP: usize = 500;

pub async fn add(db: &mut Db, upload: &NewUpload) -> StoreResult<UploadOutcome> {
    let now = upload.created_at;
    if upload.quota.stored_bytes > 0 {
        // The lock serializes uploads of one user, so that they are counted correctly.
        ledger::balance_to_change(db, upload.user).await?;
    }
    let full = quotas::storage_full(db, upload.user, upload.size_bytes, &upload.quota, now).await?;
    if let Some(full) = full {
        return Ok(UploadOutcome::StorageFull(full));
    }
    sqlx::query(
        "INSERT INTO uploads (id, user_id, content_sha256, size_bytes, file_name, created_at, folded_name)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(&upload.id)
    .bind(upload.user.0)
    .bind(&upload.content_sha256)
    .bind(column(upload.size_bytes, "upload size")?)
    .bind(&upload.file_name)
    .bind(upload.created_at)
    .bind(upload.file_name.as_deref().map(str::to_lowercase))
    .execute(db)
    .await
    .map_err(constraint("an upload of this id"))?;
    Ok(UploadOutcome::Added)
}

/// One of these uploads that the user does not have. While the caller holds the lock on the user's balance, the
/// others are not deleted.
pub async fn gone(db: &mut Db, user: UserId, ids: &BTreeSet<String>) -> StoreResult<Option<String>> {
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    for some in ids.chunks(LOOKED_UP) {
        let mut query = QueryBuilder::<Database>::new("SELECT id FROM uploads WHERE user_id = ");
        query.push_bind(user.0).push(" AND id IN (");
        let mut list = query.separated(", ");
        for id in some {
            list.push_bind((*id).to_owned());
        }
        query.push(")");
        let existing_ids: Vec<String> = query.build_query_scalar().fetch_all(&mut *db).await?;
        let missing = some.iter().find(|id| !existing_ids.iter().any(|existing_id| existing_id == *id));
        if let Some(missing) = missing {
            return Ok(Some((*missing).to_owned()));
        }
    }
    Ok(None)
}

pub async fn get(db: &mut Db, user: UserId, id: &str) -> StoreResult<Option<Upload>> {
    let row: Option<(String, i64, Option<String>)> =
        sqlx::query_as("SELECT content_sha256, size_bytes, kind FROM uploads WHERE id = $1 AND user_id = $2")
            .bind(id)
            .bind(user.0)
            .fetch_optional(db)
            .await?;
    row.map(|(content_sha256, size, kind)| {
        let is_media = kind.is_some();
        Ok(Upload { id: id.to_owned(), user, content_sha256, size_bytes: count(size)?, is_media })
    })
    .transpose()
}

/// The use of an upload is recorded at most once in this time.
const USE_MS: i64 = 600_000;

pub async fn is_uploaded(db: &mut Db, content_sha256: &str) -> StoreResult<bool> {
    let upload_count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM uploads WHERE content_sha256 = $1")
        .bind(content_sha256)
        .fetch_one(db)
        .await?;
    Ok(upload_count > 0)
}

/// Whether the upload's last use was recorded a while ago; `None` if there is no such upload.
pub async fn use_is_old(db: &mut Db, user: UserId, id: &str, now: Millis) -> StoreResult<Option<bool>> {
    let used_at: Option<Millis> = sqlx::query_scalar(
        "SELECT COALESCE(used_at, created_at) FROM uploads WHERE id = $1 AND user_id = $2",
    )
    .bind(id)
    .bind(user.0)
    .fetch_optional(db)
    .await?;
    Ok(used_at.map(|used_at| used_at < now.saturating_sub(USE_MS)))
}

pub async fn use_upload(db: &mut Db, user: UserId, id: &str, now: Millis) -> StoreResult<Option<Upload>> {
    sqlx::query("UPDATE uploads SET used_at = $3 WHERE id = $1 AND user_id = $2")
        .bind(id)
        .bind(user.0)
        .bind(now)
        .execute(&mut *db)
        .await?;
    get(db, user, id).await
}
