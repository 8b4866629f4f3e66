//! Shares of tasks.

use clipmill_core::ids::{TaskNo, UserId};
use sqlx::QueryBuilder;

use super::super::rows::{Database, Db, from_json, task_no, to_json};
use crate::error::{StoreError, StoreResult};
use crate::from_row::from_row;
use crate::model::*;

const SELECT: &str = "SELECT s.id, t.task_no, s.items, s.expires_at, s.created_at, s.revoked_at
       FROM shares s JOIN tasks t ON t.id = s.task_id";

/// `None` when the user has no such task.
pub async fn add(
    db: &mut Db,
    user: UserId,
    new: &NewShare,
    now: Millis,
) -> StoreResult<Option<ShareOutcome>> {
    let task: Option<i64> = sqlx::query_scalar("SELECT id FROM tasks WHERE task_no = $1 AND user_id = $2")
        .bind(new.task_no.as_str())
        .bind(user.0)
        .fetch_optional(&mut *db)
        .await?;
    let Some(task) = task else { return Ok(None) };
    let open: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM shares WHERE task_id = $1 AND revoked_at IS NULL")
            .bind(task)
            .fetch_one(&mut *db)
            .await?;
    if open >= i64::from(new.most) {
        return Ok(Some(ShareOutcome::TooMany { limit: new.most }));
    }
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO shares (task_id, items, expires_at, created_at) VALUES ($1, $2, $3, $4) RETURNING id",
    )
    .bind(task)
    .bind(new.items.as_ref().map(to_json).transpose()?)
    .bind(new.expires_at)
    .bind(now)
    .fetch_one(&mut *db)
    .await?;
    let made = get(db, id).await?.ok_or(StoreError::NotFound)?;
    Ok(Some(ShareOutcome::Made(made)))
}

/// Shares of a user who is switched off are shut.
pub async fn get(db: &mut Db, id: i64) -> StoreResult<Option<ShareRecord>> {
    let mut query = QueryBuilder::<Database>::new(SELECT);
    query
        .push(" WHERE s.id = ")
        .push_bind(id)
        .push(" AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = t.user_id AND u.off_since IS NOT NULL)");
    let row: Option<ShareRow> = query.build_query_as().fetch_optional(db).await?;
    row.map(record).transpose()
}

/// The newest first.
pub async fn of_task(db: &mut Db, user: UserId, number: &TaskNo) -> StoreResult<Vec<ShareRecord>> {
    let mut query = QueryBuilder::<Database>::new(SELECT);
    query.push(" WHERE t.user_id = ").push_bind(user.0);
    query
        .push(" AND t.task_no = ")
        .push_bind(number.as_str().to_owned())
        .push(" ORDER BY s.id DESC LIMIT 1000");
    let rows: Vec<ShareRow> = query.build_query_as().fetch_all(db).await?;
    rows.into_iter().map(record).collect()
}

/// Answers whether the user has such a share; once revoked it stays so.
pub async fn revoke(db: &mut Db, user: UserId, number: &TaskNo, id: i64, now: Millis) -> StoreResult<bool> {
    let revoked = sqlx::query(
        "UPDATE shares SET revoked_at = COALESCE(revoked_at, $4)
          WHERE id = $1 AND task_id = (SELECT t.id FROM tasks t WHERE t.task_no = $2 AND t.user_id = $3)",
    )
    .bind(id)
    .bind(number.as_str())
    .bind(user.0)
    .bind(now)
    .execute(db)
    .await?;
    Ok(revoked.rows_affected() == 1)
}

from_row! {
    struct ShareRow {
        id: i64,
        task_no: String,
        items: Option<String>,
        expires_at: Option<Millis>,
        created_at: Millis,
        revoked_at: Option<Millis>,
    }
}

fn record(row: ShareRow) -> StoreResult<ShareRecord> {
    Ok(ShareRecord {
        id: row.id,
        task_no: task_no(&row.task_no)?,
        items: row.items.as_deref().map(from_json).transpose()?,
        expires_at: row.expires_at,
        created_at: row.created_at,
        revoked_at: row.revoked_at,
    })
}
