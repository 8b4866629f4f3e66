//! The version of the schema: migrates it forward, and decides about one that is newer than the program.

use sqlx::{SqliteConnection, SqlitePool};

use crate::error::{StoreError, StoreResult};
use crate::migrations;

/// Applies missing migrations. A database that a newer program has migrated is used if that program recorded that ours may
/// use it; otherwise it is refused.
pub async fn bring_up_to_date(pool: &SqlitePool) -> StoreResult<()> {
    let mut connection = pool.acquire().await?;
    let (found, known) = (applied(&mut connection).await?, known());
    if found <= known {
        // Reading what was applied is not in the way of another program that migrates at the same time: the
        // migrator looks again.
        drop(connection);
        return Ok(migrations::sqlite().run(pool).await?);
    }
    let oldest = oldest_reader(&mut connection).await?;
    if oldest > known {
        return Err(StoreError::SchemaTooNew { found, known, oldest });
    }
    tracing::warn!(found, known, "the database was upgraded by a newer clipmill; this one goes on beside it");
    Ok(())
}

/// The newest migration that this program has.
pub fn known() -> i64 {
    migrations::newest(&migrations::sqlite())
}

/// The newest migration that was applied; 0 for an empty database.
pub async fn applied(db: &mut SqliteConnection) -> StoreResult<i64> {
    if !has_table(db, "_sqlx_migrations").await? {
        return Ok(0);
    }
    let newest: Option<i64> =
        sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations WHERE success").fetch_one(db).await?;
    Ok(newest.unwrap_or(0))
}

async fn oldest_reader(db: &mut SqliteConnection) -> StoreResult<i64> {
    if !has_table(db, "schema_readers").await? {
        return Ok(0);
    }
    let oldest: Option<i64> =
        sqlx::query_scalar("SELECT MAX(oldest) FROM schema_readers").fetch_one(db).await?;
    Ok(oldest.unwrap_or(0))
}

async fn has_table(db: &mut SqliteConnection, name: &str) -> StoreResult<bool> {
    let found: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = $1")
            .bind(name)
            .fetch_one(db)
            .await?;
    Ok(found > 0)
}
