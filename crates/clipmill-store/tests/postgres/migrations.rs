//! The schema is brought up to date by one of many, a database from before the baseline is adopted, and no process
//! uses a schema that is too old.

use std::sync::Arc;

use clipmill_store::postgres::{Clock, PgOptions, PgStore};
use clipmill_store::{Store, StoreError};
use sqlx::{Connection, PgConnection};

use crate::conformance::adoption::work_continues;
use crate::conformance::fixture::Fixture;
use crate::postgres_server::{Database, server};

/// The number of rows of every table of the baseline but that of migrations, and a hash of them, without the columns that
/// later migrations add.
const ROWS: &str = "SELECT table_name, query_to_xml(format(
            'SELECT COUNT(*), md5(string_agg(row, '','' ORDER BY row)) FROM (
                SELECT (to_jsonb(t) - ARRAY[''chain_length'', ''expected'', ''page_title'', ''page_message'',
                            ''feedback'', ''retries'', ''replaced_points''])::text AS row FROM %I t) rows',
            table_name), false, true, '')
       FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT IN ('_sqlx_migrations', 'width')
      ORDER BY table_name";

/// The elements of the schema, in no particular order.
const SCHEMA: &str = "SELECT concat_ws(' | ', 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
                         a.attnotnull, a.attidentity, a.attgenerated, a.attstorage, a.attcollation::regcollation,
                         pg_get_expr(d.adbin, d.adrelid))
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
 WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v') AND a.attnum > 0 AND NOT a.attisdropped
UNION ALL SELECT concat_ws(' | ', 'relation', relname, relkind, reloptions) FROM pg_class
 WHERE relnamespace = 'public'::regnamespace
UNION ALL SELECT concat_ws(' | ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION ALL SELECT concat_ws(' | ', viewname, definition) FROM pg_views WHERE schemaname = 'public'
 ORDER BY 1";

/// A database with the data of schema 52.
async fn old_database() -> Database {
    let database = server().database(None);
    let mut connection = PgConnection::connect(&database.url).await.unwrap();
    sqlx::raw_sql(include_str!("data/schema-0052.sql")).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    database
}

async fn open(database: &Database) -> Result<PgStore, StoreError> {
    PgStore::open(&database.url, PgOptions { clock: Clock::Caller, ..PgOptions::default() }).await
}

/// Migrates a database by several programs at once; returns the versions afterwards.
async fn migrate_at_once(database: &Database, programs: usize) -> Vec<i64> {
    let migrate = |url: String| tokio::spawn(async move { PgStore::migrate(&url).await.unwrap().after });
    let programs: Vec<_> = (0..programs).map(|_| migrate(database.url.clone())).collect();
    let mut versions = Vec::new();
    for program in programs {
        versions.push(program.await.unwrap());
    }
    versions
}

#[tokio::test]
async fn a_database_from_before_the_baseline_is_adopted_and_work_continues() {
    let database = old_database().await;
    let refused = open(&database).await.map(drop);
    assert!(matches!(refused, Err(StoreError::Schema { found: 52, needed: 53.. })), "{refused:?}");
    let run = |sql| server().run(&database.name, sql);
    let before = run(ROWS);
    let newest = migrate_at_once(&database, 4).await;
    assert!(newest.iter().all(|version| *version >= 53), "{newest:?}");
    // Later migrations add tables.
    let after = run(ROWS);
    for table in before.split("</row>") {
        assert!(after.contains(table), "{table}");
    }
    assert_eq!(run("SELECT COUNT(*) FROM _sqlx_migrations WHERE version <= 53"), "36");
    assert_eq!(run(SCHEMA), server().run(crate::template().await, SCHEMA));
    work_continues(&Fixture::new(Arc::new(open(&database).await.unwrap()))).await;
}

#[tokio::test]
async fn a_new_database_has_the_rows_that_the_program_needs() {
    let database = crate::database().await;
    let run = |sql| server().run(&database.name, sql);
    assert_eq!(run("SELECT * FROM schema_readers"), "48");
    assert_eq!(run("SELECT name, fence, holder, ended_at FROM jobs"), "count running work|0||0");
}

#[tokio::test]
async fn a_schema_that_cannot_be_upgraded_is_refused() {
    let database = old_database().await;
    server().run(&database.name, "DELETE FROM _sqlx_migrations WHERE version = 52");
    let opened = open(&database).await.map(drop);
    let migrated = PgStore::migrate(&database.url).await.map(drop);
    for refused in [opened.unwrap_err(), migrated.unwrap_err()] {
        assert!(matches!(refused, StoreError::SchemaTooOld { found: 51, oldest: 52 }), "{refused}");
        let text = refused.to_string();
        assert!(text.contains("cannot upgrade a database with schema 51"), "{text}");
    }
    assert_eq!(server().run(&database.name, "SELECT MAX(version) FROM _sqlx_migrations"), "51");
}

#[tokio::test]
async fn several_at_once_migrate_once() {
    let database = server().database(None);
    let refused = PgStore::open(&database.url, PgOptions::default()).await.map(drop);
    assert!(matches!(refused, Err(StoreError::Schema { found: 0, .. })), "{refused:?}");
    let newest = migrate_at_once(&database, 6).await;
    assert!(newest.iter().all(|version| *version >= 53 && *version == newest[0]), "{newest:?}");
    let again = PgStore::migrate(&database.url).await.unwrap();
    assert_eq!(again.before, again.after);
    PgStore::open(&database.url, PgOptions::default()).await.unwrap().ping().await.unwrap();
}

#[tokio::test]
async fn a_newer_schema_serves_an_older_program() {
    let database = crate::database().await;
    server().run(
        &database.name,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (9000, 'of the next version', true, '\\x00', 1)",
    );
    PgStore::open(&database.url, PgOptions::default()).await.unwrap().ping().await.unwrap();
    assert_eq!(PgStore::migrate(&database.url).await.unwrap().after, 9000);
    server().run(&database.name, "DELETE FROM _sqlx_migrations");
    let refused = PgStore::open(&database.url, PgOptions::default()).await.map(drop).unwrap_err();
    assert!(refused.to_string().contains("clipmill migrate"), "{refused}");
}

#[tokio::test]
async fn both_databases_have_the_same_steps() {
    let steps = |dialect: &str| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(dialect);
        let mut names: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(steps("postgres"), steps("sqlite"));
}
