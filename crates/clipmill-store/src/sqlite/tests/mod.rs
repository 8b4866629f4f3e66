//! Temporary failures are distinguished from permanent ones.

mod faults;

use clipmill_core::ids::UserId;

use super::*;
use crate::Store;
use crate::accounts::users::NewUser;
use crate::common::error::StoreError;

async fn store() -> (SqliteStore, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    (SqliteStore::open(&dir.path().join("db")).await.unwrap(), dir)
}

fn new_user(name: impl Into<String>) -> NewUser {
    NewUser { name: name.into(), webhook_secret: "whsec_x".into() }
}

fn check<T: std::fmt::Debug>(outcome: StoreResult<T>, unavailable: bool) {
    let error = outcome.expect_err("it must fail");
    assert_eq!(error.is_unavailable(), unavailable, "{error:?}");
}

#[tokio::test]
async fn a_database_that_others_lock_is_unavailable() {
    let (store, dir) = store().await;
    sqlx::query("PRAGMA busy_timeout = 1").execute(&store.writer).await.unwrap();
    let other = SqliteStore::open(&dir.path().join("db")).await.unwrap();
    let held = other.write().await.unwrap();
    check(store.users().add(new_user("ann"), 1).await, true);
    store.ping().await.unwrap();
    held.rollback().await;
    store.users().add(new_user("ann"), 1).await.unwrap();
}

#[tokio::test]
async fn a_full_disk_is_unavailable_and_changes_nothing() {
    let (store, _dir) = store().await;
    let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&store.writer).await.unwrap();
    let limit = sqlx::AssertSqlSafe(format!("PRAGMA max_page_count = {}", pages + 2));
    sqlx::query(limit).execute(&store.writer).await.unwrap();
    let mut added = 0;
    let full = loop {
        match store.users().add(new_user(format!("{added} {}", "x".repeat(500))), 1).await {
            Ok(_) => added += 1,
            Err(error) => break error,
        }
    };
    check::<()>(Err(full), true);
    assert_eq!(store.users().count().await.unwrap(), added);
    assert_eq!(store.points().audit().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_closed_database_is_unavailable() {
    let (store, dir) = store().await;
    store.close().await;
    check(store.ping().await, true);
    check(store.users().add(new_user("ann"), 1).await, true);
    assert!(!dir.path().join("db-wal").exists());
}

#[tokio::test]
async fn faults_are_not() {
    let (store, _dir) = store().await;
    store.users().add(new_user("ann"), 1).await.unwrap();
    check(store.users().add(new_user("ann"), 1).await, false);
    check(store.points().balance(UserId(9)).await, false);
    let broken = sqlx::query("SELECT nothing FROM nowhere").execute(&store.readers).await;
    check(broken.map_err(StoreError::from), false);
}

#[tokio::test]
async fn reads_of_one_user_do_not_delay_others() {
    let (store, _dir) = store().await;
    let ann = store.users().add(new_user("ann"), 1).await.unwrap().id;
    let bob = store.users().add(new_user("bob"), 1).await.unwrap().id;
    let read = |user: UserId| {
        let store = store.clone();
        tokio::spawn(crate::common::read_limits::scope(async move {
            crate::common::read_limits::set_user(user);
            store.points().balance(user).await.unwrap()
        }))
    };
    // As many slow reads as Ann may have at the same time; one connection is left.
    let mut slow = Vec::new();
    for _ in 1..READERS {
        slow.push(store.read_semaphore.acquire(ann).await.unwrap());
    }
    let waiting: Vec<_> = (0..100).map(|_| read(ann)).collect();
    for _ in 0..20 {
        read(bob).await.unwrap();
    }
    assert!(waiting.iter().all(|waiting| !waiting.is_finished()));
    slow.clear();
    for waiting in waiting {
        waiting.await.unwrap();
    }
}
