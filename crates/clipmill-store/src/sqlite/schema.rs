//! The version of the schema: migrates it forward, and handles schemas that are newer than the program.

use sqlx::migrate::Migrator;
use sqlx::{SqliteConnection, SqlitePool};

use crate::common::error::{StoreError, StoreResult};
use crate::common::migrations;

/// Applies missing migrations. A database that a newer program has migrated is used if that program recorded it as
/// compatible with this one; otherwise it is refused, as is one from before the baseline that cannot be adopted.
pub async fn bring_up_to_date(pool: &SqlitePool) -> StoreResult<()> {
    let mut connection = pool.acquire().await?;
    let (found, known) = (applied(&mut connection).await?, known());
    migrations::refuse_too_old(found)?;
    if found <= known {
        return migrate(&mut connection, found).await;
    }
    let oldest = oldest_reader(&mut connection).await?;
    if oldest > known {
        return Err(StoreError::SchemaTooNew { found, known, oldest });
    }
    tracing::warn!(
        found,
        known,
        "the database was migrated by a newer clipmill; this version is compatible and continues"
    );
    Ok(())
}

async fn migrate(db: &mut SqliteConnection, found: i64) -> StoreResult<()> {
    let migrator = migrations::sqlite();
    if found == migrations::ADOPTED {
        adopt(db, &migrator).await?;
    }
    let mut before = found;
    while let Err(error) = migrator.run_direct(None, db, false).await {
        // Two programs may migrate at the same time. The slower one fails, and continues after the migrations of the
        // other.
        let now = applied(db).await?;
        if now <= before {
            return Err(error.into());
        }
        before = now;
    }
    Ok(())
}

async fn adopt(db: &mut SqliteConnection, migrator: &Migrator) -> StoreResult<()> {
    let Some(baseline) = migrations::baseline(migrator) else { return Ok(()) };
    sqlx::query(migrations::ADOPT)
        .bind(baseline.version)
        .bind(baseline.description.as_ref())
        .bind(baseline.checksum.as_ref())
        .bind(migrations::ADOPTED)
        .execute(db)
        .await?;
    Ok(())
}

/// The newest migration of this program.
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
    let oldest: Option<i64> =
        sqlx::query_scalar("SELECT MAX(oldest) FROM schema_readers").fetch_one(db).await?;
    Ok(oldest.unwrap_or(0))
}

async fn has_table(db: &mut SqliteConnection, name: &str) -> StoreResult<bool> {
    let table_count: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = $1")
            .bind(name)
            .fetch_one(db)
            .await?;
    Ok(table_count > 0)
}
