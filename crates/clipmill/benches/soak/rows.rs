//! Rows of the service's tables, counted by an independent reader.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{AssertSqlSafe, SqlitePool};

/// Tables that keep their rows when a task is deleted: the ledger, uploads, installation, users and workers.
const KEPT: [&str; 16] = [
    "users",
    "api_keys",
    "balances",
    "movements",
    "entries",
    "holds",
    "uploads",
    "secrets",
    "turns",
    "workers",
    "jobs",
    "pauses",
    "schema_readers",
    "_sqlx_migrations",
    "sqlite_sequence",
    "sqlite_stat1",
];

pub struct Rows {
    pool: SqlitePool,
    tables: Vec<String>,
}

pub type Counts = BTreeMap<String, i64>;

impl Rows {
    pub async fn open(database: &Path) -> Self {
        let options = SqliteConnectOptions::new()
            .filename(database)
            .read_only(true)
            .busy_timeout(Duration::from_secs(30));
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.unwrap();
        let tables = sqlx::query_scalar("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
        let tables = tables.fetch_all(&pool).await.unwrap();
        Self { pool, tables }
    }

    pub async fn count(&self) -> Counts {
        let mut counts = Counts::new();
        for table in &self.tables {
            let sql = AssertSqlSafe(format!("SELECT COUNT(*) FROM \"{table}\""));
            if let Ok(count) = sqlx::query_scalar(sql).fetch_one(&self.pool).await {
                counts.insert(table.clone(), count);
            }
        }
        counts
    }
}

pub fn is_kept(table: &str) -> bool {
    KEPT.contains(&table)
}
