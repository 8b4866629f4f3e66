//! Progress sums of items and tasks, in output frames. The planned sum is the required work: ready segments do not
//! count, and a segment shared by several items of a task counts once in the task. Sums are written when something
//! happens, so reading them costs nothing. The done sum never falls, and work that is dropped is removed from the
//! planned sum.
//!
//! What segments add to a task is first recorded in `task_progress`, because all workers of a task would otherwise
//! wait for its row. [`fold`] adds it up.

use clipmill_core::ids::{ItemId, TaskId};

use super::super::dialect::locks;
use super::super::rows::Db;
use super::super::states::planned;
use crate::common::error::StoreResult;

/// Records that a segment has reached `frames_done` for everyone who still counts it; returns their tasks.
pub async fn reach(db: &mut Db, key: &str, frames_done: i64) -> StoreResult<Vec<TaskId>> {
    let row: Option<(i64, i64)> = sqlx::query_as("SELECT frames, frames_done FROM segments WHERE hash = $1")
        .bind(key)
        .fetch_optional(&mut *db)
        .await?;
    let Some((frames, before)) = row else { return Ok(Vec::new()) };
    let reached = frames_done.min(frames);
    if reached <= before {
        return Ok(Vec::new());
    }
    sqlx::query("UPDATE segments SET frames_done = $2 WHERE hash = $1")
        .bind(key)
        .bind(reached)
        .execute(&mut *db)
        .await?;
    advance(db, key, reached - before).await
}

async fn advance(db: &mut Db, key: &str, frames: i64) -> StoreResult<Vec<TaskId>> {
    let tasks: Vec<i64> = sqlx::query_scalar(
        "INSERT INTO task_progress (task_id, frames)
         SELECT DISTINCT i.task_id, $2 FROM item_segments x JOIN items i ON i.id = x.item_id
          WHERE x.hash = $1 AND x.counted = 1
      RETURNING task_id",
    )
    .bind(key)
    .bind(frames)
    .fetch_all(&mut *db)
    .await?;
    sqlx::query(
        "UPDATE items SET frames_done = frames_done + $2
          WHERE id IN (SELECT item_id FROM item_segments WHERE hash = $1 AND counted = 1)",
    )
    .bind(key)
    .bind(frames)
    .execute(db)
    .await?;
    Ok(tasks.into_iter().map(TaskId).collect())
}

/// Adds the recorded progress of a task to its sum. The caller has locked the task's row.
pub async fn fold(db: &mut Db, task: TaskId) -> StoreResult<()> {
    let noted: Vec<i64> = sqlx::query_scalar("DELETE FROM task_progress WHERE task_id = $1 RETURNING frames")
        .bind(task.0)
        .fetch_all(&mut *db)
        .await?;
    if noted.is_empty() {
        return Ok(());
    }
    sqlx::query("UPDATE tasks SET frames_done = frames_done + $2 WHERE id = $1")
        .bind(task.0)
        .bind(noted.iter().sum::<i64>())
        .execute(db)
        .await?;
    Ok(())
}

/// [`fold`] for several tasks, without those whose row is locked: they are added up the next time.
pub async fn fold_free(db: &mut Db, tasks: &[TaskId]) -> StoreResult<()> {
    for task in locks::free_tasks(db, tasks).await? {
        fold(db, task).await?;
    }
    Ok(())
}

/// Stops counting segments that are ready, and sums up the rest for the items of a task and for the task.
pub async fn plan(db: &mut Db, task: TaskId) -> StoreResult<()> {
    for statement in PLAN {
        sqlx::query(statement).bind(task.0).execute(&mut *db).await?;
    }
    Ok(())
}

const PLAN: [&str; 3] = [
    "UPDATE item_segments SET counted = 0
      WHERE item_id IN (SELECT id FROM items WHERE task_id = $1)
        AND EXISTS (SELECT 1 FROM segments s WHERE s.hash = item_segments.hash AND s.state = 'done')",
    concat!(
        "UPDATE items SET
        frames_planned = finish_weight + (SELECT COALESCE(SUM(s.frames), 0) FROM item_segments x
            JOIN segments s ON s.hash = x.hash WHERE x.item_id = items.id AND x.counted = 1),
        frames_done = (SELECT COALESCE(SUM(s.frames_done), 0) FROM item_segments x
            JOIN segments s ON s.hash = x.hash WHERE x.item_id = items.id AND x.counted = 1)
      WHERE task_id = $1 AND state IN ",
        planned!()
    ),
    concat!(
        "UPDATE tasks SET
        frames_planned = (SELECT COALESCE(SUM(finish_weight), 0) FROM items
                           WHERE task_id = $1 AND state IN ",
        planned!(),
        ")
            + (SELECT COALESCE(SUM(s.frames), 0) FROM segments s WHERE s.hash IN
                (SELECT x.hash FROM item_segments x JOIN items i ON i.id = x.item_id
                  WHERE i.task_id = $1 AND x.counted = 1)),
        frames_done = (SELECT COALESCE(SUM(s.frames_done), 0) FROM segments s WHERE s.hash IN
                (SELECT x.hash FROM item_segments x JOIN items i ON i.id = x.item_id
                  WHERE i.task_id = $1 AND x.counted = 1))
      WHERE id = $1"
    ),
];

/// A cancelled item keeps its progress: its task shows how far it got.
pub async fn item_stopped(db: &mut Db, item: ItemId) -> StoreResult<()> {
    sqlx::query("UPDATE item_segments SET counted = 0 WHERE item_id = $1").bind(item.0).execute(db).await?;
    Ok(())
}

/// An item that ends otherwise removes what only it still needed from its task's planned sum.
pub async fn item_gone(db: &mut Db, item: ItemId, task: TaskId) -> StoreResult<()> {
    sqlx::query(
        "UPDATE tasks SET frames_planned = frames_planned
            - (SELECT finish_weight FROM items WHERE id = $1)
            - (SELECT COALESCE(SUM(s.frames - s.frames_done), 0)
                 FROM item_segments x JOIN segments s ON s.hash = x.hash
                WHERE x.item_id = $1 AND x.counted = 1 AND NOT EXISTS
                    (SELECT 1 FROM item_segments y JOIN items j ON j.id = y.item_id
                      WHERE y.hash = x.hash AND y.counted = 1 AND j.task_id = $2 AND j.id <> $1))
          WHERE id = $2",
    )
    .bind(item.0)
    .bind(task.0)
    .execute(&mut *db)
    .await?;
    item_stopped(db, item).await
}
