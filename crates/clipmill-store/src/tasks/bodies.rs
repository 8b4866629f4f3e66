//! Bodies of tasks and batches: stored once for each user, deleted with the last row that refers to them.

use std::sync::Arc;

use clipmill_core::ids::UserId;

use super::super::dialect;
use super::super::rows::{Db, column};
use super::super::unit::computed;
use crate::common::body::Body;
use crate::common::error::StoreResult;
use crate::tasks::NewTask;

/// The body of a task to submit.
pub async fn of_task(task: Arc<NewTask>) -> StoreResult<Arc<Body>> {
    computed(move || Body::of_request(&task.request).map(Arc::new)).await
}

/// Stores a body unless the user already has it, and returns its ID; the caller has locked the user's balance. Until
/// the unit ends, the body is not deleted.
pub async fn store(db: &mut Db, user: UserId, body: &Body) -> StoreResult<i64> {
    let stored: Option<i64> = sqlx::query_scalar(dialect::BODY_TO_USE)
        .bind(user.0)
        .bind(body.sha256.as_slice())
        .fetch_optional(&mut *db)
        .await?;
    if let Some(id) = stored {
        return Ok(id);
    }
    let size = column(body.content.len() as u64, "the size of a body")?;
    let id = sqlx::query_scalar(
        "INSERT INTO bodies (user_id, sha256, content, size_bytes) VALUES ($1, $2, $3, $4) RETURNING id",
    )
    .bind(user.0)
    .bind(body.sha256.as_slice())
    .bind(body.content.as_slice())
    .bind(size)
    .fetch_one(db)
    .await?;
    Ok(id)
}

/// Deletes those of these bodies that no row refers to. Each is locked before references are checked, so a unit that
/// adds a reference has ended by then, and its reference is visible.
pub async fn delete_unused(db: &mut Db, bodies: &[i64]) -> StoreResult<()> {
    for body in bodies {
        sqlx::query(dialect::BODY_TO_DELETE).bind(body).fetch_optional(&mut *db).await?;
        sqlx::query(
            "DELETE FROM bodies WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM tasks WHERE body_id = $1)
                AND NOT EXISTS (SELECT 1 FROM batches WHERE body_id = $1)",
        )
        .bind(body)
        .execute(&mut *db)
        .await?;
    }
    Ok(())
}
