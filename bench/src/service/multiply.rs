//! Copies one planned task of a queue to many others.

use std::path::Path;

use clipmill_core::ids::TaskId;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{Connection, SqliteConnection};

/// A submitted task whose preflight was claimed.
pub struct Copy {
    pub task: TaskId,
    /// The distance of the numbers of its segments from those of the template.
    pub distance: usize,
}

/// Ends the preflights of all copies as that of the template ended.
pub async fn multiply(path: &Path, template: TaskId, copies: &[Copy]) -> anyhow::Result<()> {
    // No other process has the file open, and it is discarded after a failure, so it needs no journal. The store sets
    // the mode back.
    let options = SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Off)
        .synchronous(SqliteSynchronous::Normal)
        .foreign_keys(false)
        // In KiB: keys have no order, so the indexes are written everywhere at once.
        .pragma("cache_size", "-1500000");
    let mut db = SqliteConnection::connect_with(&options).await?;
    let mut unit = db.begin().await?;
    sqlx::query(NAMES).execute(&mut *unit).await?;
    for copy in copies {
        for statement in COPY {
            sqlx::query(statement)
                .bind(template.0)
                .bind(copy.task.0)
                .bind(i64::try_from(copy.distance)?)
                .execute(&mut *unit)
                .await?;
        }
    }
    unit.commit().await?;
    Ok(db.close().await?)
}

/// The key of a segment of the template, and the number in its texts; and the same for the copy.
const NAMES: &str = "
    CREATE TEMP TABLE names (
        original TEXT PRIMARY KEY, copy TEXT NOT NULL, original_number TEXT NOT NULL, copy_number TEXT NOT NULL)";

/// `$1` template, `$2` task, `$3` distance; rows in the order in which the store writes them. Keys are those of
/// [`super::queue`].
const COPY: [&str; 9] = [
    "DELETE FROM temp.names",
    "INSERT INTO temp.names
     SELECT hash, printf('%08x%056d', (number + $3) * 2654435761 % 4294967296, number + $3),
            printf('%064d', number), printf('%064d', number + $3)
       FROM (SELECT x.hash, CAST(substr(x.hash, 9) AS INTEGER) AS number
               FROM item_segments x JOIN items i ON i.id = x.item_id WHERE i.task_id = $1)",
    "UPDATE work SET (state, worker, lease_until) =
        (SELECT t.state, t.worker, t.lease_until FROM work t WHERE t.task_id = $1)
      WHERE task_id = $2",
    "INSERT INTO segments (hash, spec, frames, frames_done, state, done_at)
     SELECT n.copy, replace(t.spec, n.original_number, n.copy_number), t.frames, t.frames_done, t.state, t.done_at
       FROM temp.names n CROSS JOIN segments t ON t.hash = n.original ORDER BY n.copy",
    "INSERT INTO segment_sources (hash, user_id, source)
     SELECT n.copy, k.user_id, replace(t.source, n.original_number, n.copy_number)
       FROM tasks k CROSS JOIN temp.names n CROSS JOIN segment_sources t ON t.hash = n.original
      WHERE k.id = $2",
    "INSERT INTO item_segments (item_id, hash, counted)
     SELECT i.id, n.copy, t.counted
       FROM items i CROSS JOIN temp.names n CROSS JOIN item_segments t ON t.hash = n.original
      WHERE i.task_id = $2",
    "INSERT INTO work (kind, segment_hash, item_id, user_id, state, stage, task_order, ord, created_at)
     SELECT t.kind, n.copy, CASE WHEN t.item_id IS NOT NULL THEN i.id END, k.user_id, t.state, t.stage, k.id,
            t.ord, t.created_at
       FROM tasks k JOIN items i ON i.task_id = k.id
      CROSS JOIN (SELECT w.* FROM work w WHERE w.segment_hash IN (SELECT original FROM temp.names)
                   UNION ALL
                  SELECT w.* FROM work w WHERE w.item_id = (SELECT id FROM items WHERE task_id = $1)) t
       LEFT JOIN temp.names n ON n.original = t.segment_hash
      WHERE k.id = $2 ORDER BY t.id",
    "UPDATE items SET (state, recipe, warnings, footage, expected, finish_weight, frames_done, frames_planned, rendition) =
        (SELECT t.state, t.recipe, t.warnings, t.footage, t.expected, t.finish_weight, t.frames_done, t.frames_planned,
                json_set(t.rendition, '$.pictures', (SELECT json(json_group_array(n.copy))
                    FROM json_each(t.rendition, '$.pictures') p CROSS JOIN temp.names n ON n.original = p.value))
           FROM items t WHERE t.task_id = $1)
      WHERE task_id = $2",
    "UPDATE tasks SET (state, estimated_points, price, frames_done, frames_planned, preflight_warnings, diversity) =
        (SELECT t.state, t.estimated_points, t.price, t.frames_done, t.frames_planned, t.preflight_warnings, t.diversity
           FROM tasks t WHERE t.id = $1)
      WHERE id = $2",
];

#[cfg(test)]
pub mod tests {
    use sqlx::sqlite::SqlitePool;

    use super::*;

    /// All rows of all tables, except for the times at which migrations ran.
    pub async fn dump(path: &Path) -> Vec<String> {
        let db = SqlitePool::connect_with(SqliteConnectOptions::new().filename(path)).await.unwrap();
        let tables: Vec<String> = sqlx::query_scalar(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> '_sqlx_migrations' ORDER BY name",
        )
        .fetch_all(&db)
        .await
        .unwrap();
        let mut rows = Vec::new();
        for table in tables {
            let columns: String = sqlx::query_scalar(
                "SELECT group_concat('quote(' || name || ')', '||'',''||') FROM pragma_table_info($1)",
            )
            .bind(&table)
            .fetch_one(&db)
            .await
            .unwrap();
            let all = sqlx::AssertSqlSafe(format!("SELECT {columns} FROM {table} ORDER BY 1"));
            let rows_of_table: Vec<String> = sqlx::query_scalar(all).fetch_all(&db).await.unwrap();
            rows.extend(rows_of_table.into_iter().map(|row| format!("{table}: {row}")));
        }
        let broken = sqlx::query("PRAGMA foreign_key_check").fetch_all(&db).await.unwrap();
        assert!(broken.is_empty(), "{} rows name others that are not there", broken.len());
        db.close().await;
        rows
    }
}
