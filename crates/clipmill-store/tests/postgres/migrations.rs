//! The schema is brought up to date by one of many, and nobody works on one that is too old.

use clipmill_store::postgres::{PgOptions, PgStore};
use clipmill_store::{Store, StoreError};

use crate::postgres_server::server;

#[tokio::test]
async fn several_at_once_migrate_once() {
    let database = server().database(None);
    let refused = PgStore::open(&database.url, PgOptions::default()).await.map(drop);
    assert!(matches!(refused, Err(StoreError::Schema { found: 0, .. })), "{refused:?}");
    let all: Vec<_> = (0..6)
        .map(|_| {
            let url = database.url.clone();
            tokio::spawn(async move { PgStore::migrate(&url).await.unwrap() })
        })
        .collect();
    let mut newest = Vec::new();
    for migrating in all {
        newest.push(migrating.await.unwrap().after);
    }
    assert!(newest.iter().all(|version| *version >= 10 && *version == newest[0]), "{newest:?}");
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
    server().run(&database.name, "DELETE FROM _sqlx_migrations WHERE version >= 10");
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
