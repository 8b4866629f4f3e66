//! A database from before the baseline is adopted or refused; a newer schema records whether this program may use it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use clipmill_store::sqlite::{SqliteStore, backup::known_schema};
use clipmill_store::*;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::conformance::adoption::work_continues;
use crate::conformance::fixture::{Fixture, segment};

async fn raw(path: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
    SqliteConnection::connect_with(&options).await.unwrap()
}

async fn run(path: &Path, sql: &str) {
    let mut connection = raw(path).await;
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// Opens a file with the data of schema 52.
async fn old_database(path: &Path) {
    run(path, include_str!("data/schema-0052.sql")).await;
}

/// The rows of every table but that of migrations, as SQL literals, without the columns that later migrations add.
async fn rows(path: &Path) -> BTreeMap<String, Vec<String>> {
    let mut db = raw(path).await;
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_sqlx%' ESCAPE '\\'",
    )
    .fetch_all(&mut db)
    .await
    .unwrap();
    let mut rows = BTreeMap::new();
    for table in tables {
        let columns: Vec<String> = sqlx::query_scalar(
            "SELECT 'quote(' || name || ')' FROM pragma_table_info($1)
                  WHERE name NOT IN ('chain_length', 'expected', 'page_title', 'page_message', 'feedback', 'retries',
                                     'replaced_points') ORDER BY name",
        )
        .bind(&table)
        .fetch_all(&mut db)
        .await
        .unwrap();
        let select =
            format!("SELECT {} AS literals FROM {table} ORDER BY literals", columns.join(" || ',' || "));
        rows.insert(table, sqlx::query_scalar(AssertSqlSafe(select)).fetch_all(&mut db).await.unwrap());
    }
    db.close().await.unwrap();
    rows
}

/// The elements of the schema: columns, constraints and options of each table; indexes, triggers and views. The order
/// counts only among indexes of one table, and among its triggers of one event: SQLite fires the newest first.
async fn schema(path: &Path) -> BTreeSet<(String, String)> {
    let mut db = raw(path).await;
    let parts: Vec<(String, String, String, String)> = sqlx::query_as(
        "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid",
    )
    .fetch_all(&mut db)
    .await
    .unwrap();
    db.close().await.unwrap();
    let (mut schema, mut orders) = (BTreeSet::new(), BTreeMap::<_, String>::new());
    for (kind, name, table, sql) in parts {
        let lines = sql.lines().map(|line| line.split("--").next().unwrap_or_default());
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        if kind == "table" {
            let parts = definitions(&words.join(" ")).into_iter();
            schema.extend(parts.map(|part| (table.clone(), part)));
            continue;
        }
        let event = if kind == "trigger" { words[3..5].join(" ") } else { kind };
        *orders.entry(format!("{table} {event}")).or_default() += &format!("{name} ");
        schema.insert((name, words.join(" ")));
    }
    schema.extend(orders);
    schema
}

/// The definitions in a `CREATE TABLE`, and the options after them.
fn definitions(sql: &str) -> Vec<String> {
    let (_, body) = sql.split_once('(').unwrap();
    let (body, options) = body.rsplit_once(')').unwrap();
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for letter in body.chars() {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        if letter == ',' && depth == 0 {
            parts.push(String::new());
        } else {
            parts.last_mut().unwrap().push(letter);
        }
    }
    parts.push(options.to_owned());
    parts.iter().map(|part| part.trim().to_owned()).collect()
}

/// The versions of the migrations that were applied.
async fn versions(path: &Path) -> Vec<i64> {
    let mut db = raw(path).await;
    let versions = sqlx::query_scalar("SELECT version FROM _sqlx_migrations WHERE success ORDER BY version");
    versions.fetch_all(&mut db).await.unwrap()
}

#[tokio::test]
async fn a_database_from_before_the_baseline_is_adopted_and_work_continues() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("clipmill.db");
    old_database(&path).await;
    let (rows_before, mut migrations) = (rows(&path).await, versions(&path).await);
    let store = SqliteStore::open(&path).await.unwrap();
    let mut rows_after = rows(&path).await;
    // Later migrations add tables, which are empty.
    rows_after.retain(|table, rows| !rows.is_empty() || rows_before.contains_key(table));
    assert_eq!(rows_after, rows_before);
    migrations.push(53);
    assert_eq!(versions(&path).await[..36], migrations);
    assert_eq!(store.schema_version().await.unwrap(), known_schema());
    assert_eq!(store.integrity().await.unwrap(), Vec::<String>::new());
    work_continues(&Fixture::new(Arc::new(store))).await;
    SqliteStore::open(&path).await.unwrap();
}

#[tokio::test]
async fn an_adopted_database_has_the_schema_of_a_new_one() {
    let dir = tempfile::tempdir().unwrap();
    let [new, adopted] = ["new.db", "adopted.db"].map(|name| dir.path().join(name));
    old_database(&adopted).await;
    for path in [&new, &adopted] {
        SqliteStore::open(path).await.unwrap().close().await;
    }
    let (old, fresh) = (schema(&adopted).await, schema(&new).await);
    assert!(fresh.len() > 400, "{}", fresh.len());
    assert_eq!(old.symmetric_difference(&fresh).collect::<Vec<_>>(), Vec::<&(String, String)>::new());
    let initial: Vec<_> = rows(&new).await.into_iter().filter(|(_, rows)| !rows.is_empty()).collect();
    let readers = rows(&adopted).await.remove_entry("schema_readers").unwrap();
    assert_eq!(initial, [readers]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn programs_that_start_at_the_same_time_migrate_once() {
    for old in [false, true] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("clipmill.db");
        if old {
            old_database(&path).await;
        }
        let starts = (0..4).map(|_| {
            let path = path.clone();
            tokio::spawn(async move { SqliteStore::open(&path).await.map(drop) })
        });
        for start in starts.collect::<Vec<_>>() {
            start.await.unwrap().unwrap();
        }
        let migrations = versions(&path).await;
        assert_eq!(migrations.iter().filter(|version| **version == 53).count(), 1, "{migrations:?}");
    }
}

#[tokio::test]
async fn a_schema_that_cannot_be_upgraded_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("clipmill.db");
    old_database(&path).await;
    run(&path, "DELETE FROM _sqlx_migrations WHERE version = 52").await;
    let refused = SqliteStore::open(&path).await.err().unwrap();
    assert!(matches!(refused, StoreError::SchemaTooOld { found: 51, oldest: 52 }), "{refused}");
    let text = refused.to_string();
    assert!(text.contains("cannot upgrade a database with schema 51"), "{text}");
    assert!(text.contains("the last commit before 0.1.0 (schema 52)"), "{text}");
    assert_eq!(versions(&path).await.last(), Some(&51));
}

/// The effect of a newer program's migration.
fn newer(version: i64, oldest_reader: i64) -> String {
    format!(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES ({version}, 'from tomorrow', 1, x'00', 1);
         UPDATE schema_readers SET oldest = {oldest_reader};"
    )
}

#[tokio::test]
async fn an_old_program_continues_beside_a_compatible_new_one() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("clipmill.db");
    let fixture = Fixture::new(Arc::new(SqliteStore::open(&path).await.unwrap()));
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30)]).await;
    let additions = "ALTER TABLE tasks ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';
        ALTER TABLE work ADD COLUMN colour TEXT;
        PRAGMA ignore_check_constraints = ON;
        INSERT INTO work (kind, segment_hash, user_id, state, priority, stage, task_order, created_at)
        SELECT 'stitch', 'a2', user_id, 'ready', 99, 3, 0, 1 FROM work WHERE segment_hash = 'a';";
    let stitched = "INSERT INTO segments (hash, spec, frames) VALUES ('a2', '{}', 1);";
    run(&path, &format!("{}{stitched}{additions}", newer(9_999, known_schema()))).await;

    // A running old program, and one that starts now.
    let again = Fixture::new(Arc::new(SqliteStore::open(&path).await.unwrap()));
    again.pass(1_000);
    fixture.make_segment("a").await;
    again.deliver(&task_no, 1, 10).await;
    assert_eq!(again.states(user, &task_no).await, (3, vec![3]));
    assert!(again.try_claim().await.is_none(), "work of a kind it does not know is left alone");
    again.check().await;
}

#[tokio::test]
async fn a_schema_that_would_be_misread_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("clipmill.db");
    SqliteStore::open(&path).await.unwrap().close().await;
    run(&path, &newer(9_999, 9_999)).await;
    let refused = SqliteStore::open(&path).await.err().unwrap();
    assert!(matches!(refused, StoreError::SchemaTooNew { found: 9_999, oldest: 9_999, .. }), "{refused}");
    assert!(refused.to_string().contains("install the newer clipmill"), "{refused}");
}
