//! Locks the rows that a unit bases its decisions on, before it reads them. Always in this order: segments by hash,
//! tasks by number, items by number; then rows of work, and the user's balance last. A unit that adds links between
//! items and a segment holds that segment's row, so the links of a locked segment do not change. Rows of work are
//! written only by units that hold the rows of their task or segment, except for statements on one row that lock
//! nothing else: claims, renewals, returns.
//! Rows are selected by `= ANY(ARRAY(…))`: an `OR … IN (…)` scans the whole table.

use clipmill_core::ids::{ItemId, TaskId, UserId};
use clipmill_core::segment::SegmentKey;

use sqlx::PgConnection as Db;

use super::sql::states::live;
use crate::common::error::{StoreError, StoreResult};

/// Locks a task with everything that its items use.
pub async fn task(db: &mut Db, task: TaskId) -> StoreResult<()> {
    let locked = sqlx::query(
        "SELECT 1 FROM segments WHERE hash = ANY(ARRAY(
            SELECT DISTINCT x.hash FROM item_segments x JOIN items i ON i.id = x.item_id WHERE i.task_id = $1))
          ORDER BY hash FOR NO KEY UPDATE",
    )
    .bind(task.0)
    .fetch_all(&mut *db)
    .await?
    .len();
    tasks(db, &[task.0]).await?;
    let used: i64 = sqlx::query_scalar(
        "SELECT COUNT(DISTINCT x.hash) FROM item_segments x JOIN items i ON i.id = x.item_id
          WHERE i.task_id = $1",
    )
    .bind(task.0)
    .fetch_one(db)
    .await?;
    unchanged(locked, used)
}

/// Locks tasks by their public numbers.
pub async fn tasks_numbered(db: &mut Db, numbers: &[&str]) -> StoreResult<()> {
    sqlx::query("SELECT 1 FROM tasks WHERE task_no = ANY($1) ORDER BY id FOR NO KEY UPDATE")
        .bind(numbers)
        .execute(db)
        .await?;
    Ok(())
}

/// Locks an item with everything that it uses, and its task.
pub async fn item(db: &mut Db, item: ItemId) -> StoreResult<()> {
    sqlx::query(
        "SELECT 1 FROM segments WHERE hash IN (SELECT hash FROM item_segments WHERE item_id = $1)
          ORDER BY hash FOR NO KEY UPDATE",
    )
    .bind(item.0)
    .execute(&mut *db)
    .await?;
    tasks_of(db, &[], &[item]).await
}

/// Locks only segments: units that add links to them wait.
pub async fn segments(db: &mut Db, hashes: &[&str]) -> StoreResult<()> {
    sqlx::query("SELECT 1 FROM segments WHERE hash = ANY($1) ORDER BY hash FOR NO KEY UPDATE")
        .bind(hashes)
        .execute(db)
        .await?;
    Ok(())
}

/// Locks segments and the live items that use them, but nothing that all outputs of a task share: workers that finish
/// segments of one task wait for each other only if one item needs both segments.
pub async fn segments_in_use(db: &mut Db, hashes: &[&str]) -> StoreResult<()> {
    segments(db, hashes).await?;
    items_of(db, hashes).await
}

/// Locks tasks whose live items use one of these segments, and the tasks of these items.
pub async fn tasks_of(db: &mut Db, hashes: &[&str], items: &[ItemId]) -> StoreResult<()> {
    sqlx::query(concat!(
        "SELECT 1 FROM tasks WHERE id = ANY(ARRAY(
            SELECT i.task_id FROM item_segments x JOIN items i ON i.id = x.item_id
             WHERE x.hash = ANY($1) AND i.state IN ",
        live!(),
        " UNION SELECT task_id FROM items WHERE id = ANY($2)))
          ORDER BY id FOR NO KEY UPDATE"
    ))
    .bind(hashes)
    .bind(items.iter().map(|item| item.0).collect::<Vec<_>>())
    .execute(db)
    .await?;
    Ok(())
}

/// Locks those of these tasks that are not locked by others, and returns them.
pub async fn free_tasks(db: &mut Db, tasks: &[TaskId]) -> StoreResult<Vec<TaskId>> {
    let ids: Vec<i64> = tasks.iter().map(|task| task.0).collect();
    let free: Vec<i64> = sqlx::query_scalar(
        "SELECT id FROM tasks WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED",
    )
    .bind(ids)
    .fetch_all(db)
    .await?;
    Ok(free.into_iter().map(TaskId).collect())
}

/// Locks a segment, the items that use it with everything else they use, and their tasks.
pub async fn dependents(db: &mut Db, hash: &str) -> StoreResult<()> {
    let locked = sqlx::query(concat!(
        "SELECT 1 FROM segments WHERE hash = ANY(ARRAY(
            SELECT $1 UNION SELECT y.hash FROM item_segments x JOIN items i ON i.id = x.item_id
              JOIN item_segments y ON y.item_id = x.item_id
             WHERE x.hash = $1 AND i.state IN ",
        live!(),
        "))
          ORDER BY hash FOR NO KEY UPDATE"
    ))
    .bind(hash)
    .fetch_all(&mut *db)
    .await?
    .len();
    let used: i64 = sqlx::query_scalar(concat!(
        "SELECT COUNT(*) FROM segments WHERE hash = ANY(ARRAY(
            SELECT $1 UNION SELECT y.hash FROM item_segments x JOIN items i ON i.id = x.item_id
              JOIN item_segments y ON y.item_id = x.item_id
             WHERE x.hash = $1 AND i.state IN ",
        live!(),
        "))"
    ))
    .bind(hash)
    .fetch_one(&mut *db)
    .await?;
    // Fewer are fine, because items ended in the meantime.
    if used > i64::try_from(locked).unwrap_or(i64::MAX) {
        return Err(StoreError::Conflict);
    }
    tasks_of(db, &[hash], &[]).await
}

/// Locks a task that is about to be planned, and the items that use segments which are ready. The new segments of the
/// plan belong to this unit.
pub async fn planned(db: &mut Db, task: TaskId, present: &[&SegmentKey]) -> StoreResult<()> {
    tasks(db, &[task.0]).await?;
    items_of(db, &present.iter().map(|hash| &*hash.0).collect::<Vec<_>>()).await
}

/// Adds up the changes to the counts of a user's tasks. The caller has locked the user's balance, so no other unit
/// does it.
pub async fn fold_counts(db: &mut Db, user: UserId) -> StoreResult<()> {
    sqlx::query(
        "WITH gone AS (DELETE FROM task_counts WHERE user_id = $1 RETURNING task_type, state, tasks)
         INSERT INTO task_counts
         SELECT $1, task_type, state, SUM(tasks) FROM gone GROUP BY task_type, state HAVING SUM(tasks) <> 0",
    )
    .bind(user.0)
    .execute(db)
    .await?;
    Ok(())
}

/// Serializes claims of events, so that the events in progress per user can be counted.
pub async fn deliveries(db: &mut Db) -> StoreResult<()> {
    sqlx::query("SELECT pg_advisory_xact_lock(hashtext('clipmill: events'))").execute(db).await?;
    Ok(())
}

/// Locks live items that use one of these segments.
pub async fn items_of(db: &mut Db, hashes: &[&str]) -> StoreResult<()> {
    sqlx::query(concat!(
        "SELECT 1 FROM items WHERE id = ANY(ARRAY(SELECT item_id FROM item_segments WHERE hash = ANY($1)))
            AND state IN ",
        live!(),
        " ORDER BY id FOR NO KEY UPDATE"
    ))
    .bind(hashes)
    .execute(db)
    .await?;
    Ok(())
}

async fn tasks(db: &mut Db, ids: &[i64]) -> StoreResult<()> {
    sqlx::query("SELECT 1 FROM tasks WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE")
        .bind(ids)
        .execute(db)
        .await?;
    Ok(())
}

/// Fails if a plan was written while this unit waited, because its new rows are not locked.
fn unchanged(locked: usize, used: i64) -> StoreResult<()> {
    if i64::try_from(locked).is_ok_and(|locked| locked == used) { Ok(()) } else { Err(StoreError::Conflict) }
}
