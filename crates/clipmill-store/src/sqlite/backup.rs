//! Copies the database while it is in use, and lists the files that the copy refers to.

use std::collections::BTreeSet;
use std::path::Path;

use super::dialect::Db;
use super::sql::maintenance::retention::sql::sources_in_use;
use super::sql::rows::from_json;
use super::{SqliteStore, schema};
use crate::common::error::{StoreError, StoreResult};
use crate::common::migrations;
use crate::maintenance::backup::{StoredFile, StoredFiles};
use crate::tasks::ItemResult;

impl SqliteStore {
    /// Writes a consistent copy of the whole database to a file that does not exist yet. Others continue to read
    /// and write meanwhile.
    pub async fn copy_to(&self, path: &Path) -> StoreResult<()> {
        let path = path.to_str().ok_or_else(|| StoreError::Corrupt("the path is not UTF-8".to_owned()))?;
        // A reader's connection refuses to write, even to another file, so the writer's is used.
        sqlx::query("VACUUM INTO $1").bind(path).execute(&self.writer).await?;
        Ok(())
    }

    /// The files that this database refers to.
    pub async fn stored_files(&self) -> StoreResult<StoredFiles> {
        let mut tx = self.read().await?;
        let files = StoredFiles { results: results(&mut tx).await?, inputs: inputs(&mut tx).await? };
        tx.rollback().await;
        Ok(files)
    }

    /// The newest migration that was applied.
    pub async fn schema_version(&self) -> StoreResult<i64> {
        let mut connection = self.readers.acquire().await?;
        schema::applied(&mut connection).await
    }

    /// Checks the file; returns SQLite's own description of any problems.
    pub async fn integrity(&self) -> StoreResult<Vec<String>> {
        let problems: Vec<String> = sqlx::query_scalar("PRAGMA quick_check").fetch_all(&self.readers).await?;
        Ok(problems.into_iter().filter(|line| line != "ok").collect())
    }
}

/// The newest migration of this program.
pub fn known_schema() -> i64 {
    schema::known()
}

/// [`StoreError::SchemaTooOld`] for a schema that this program cannot upgrade.
pub fn refuse_too_old(schema: i64) -> StoreResult<()> {
    migrations::refuse_too_old(schema)
}

async fn results(db: &mut Db) -> StoreResult<Vec<StoredFile>> {
    let rows: Vec<(String,)> =
        sqlx::query_as("SELECT result FROM items WHERE stored_until IS NOT NULL ORDER BY id")
            .fetch_all(db)
            .await?;
    let mut files = Vec::with_capacity(rows.len());
    for (result,) in &rows {
        let ItemResult { key, sha256, cover, .. } = from_json(result)?;
        files.push(StoredFile { key, sha256 });
        files.extend(cover.map(|cover| StoredFile { key: cover.key, sha256: cover.sha256 }));
    }
    Ok(files)
}

async fn inputs(db: &mut Db) -> StoreResult<Vec<String>> {
    let uploads: Vec<String> =
        sqlx::query_scalar("SELECT DISTINCT content_sha256 FROM uploads").fetch_all(&mut *db).await?;
    let mut contents: BTreeSet<String> = uploads.into_iter().collect();
    contents.extend(sources_in_use(db).await?);
    Ok(contents.into_iter().collect())
}
