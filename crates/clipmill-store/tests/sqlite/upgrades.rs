//! Data of earlier schemas goes on, and a schema that is newer than the program is handled by its own word.

use std::path::Path;
use std::sync::Arc;

use clipmill_core::ids::UserId;
use clipmill_store::sqlite::{SqliteStore, backup::known_schema};
use clipmill_store::*;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::conformance::batches::{new_batch, send, task_of};
use crate::conformance::world::{World, segment};

async fn raw(path: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
    SqliteConnection::connect_with(&options).await.unwrap()
}

async fn run(path: &Path, sql: &str) {
    let mut connection = raw(path).await;
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// A task with a delivered item and one that waits for its segment, as that schema kept it.
async fn check_upgrade(dump: &str) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("clipmill.db");
    run(&path, dump).await;
    let store = SqliteStore::open(&path).await.unwrap();
    assert_eq!(store.schema_version().await.unwrap(), known_schema());
    assert_eq!(store.integrity().await.unwrap(), Vec::<String>::new());
    let world = World::new(Arc::new(store));
    // This time is later than any in the dump.
    world.pass(86_400_000);
    world.check().await;
    let user = world.store.user_by_name("keeper").await.unwrap().unwrap().id;
    assert_eq!(world.balance(user).await, (85, 10));
    let tasks = world.store.tasks(user, &TaskFilter::default(), Page { number: 1, size: 9 }).await.unwrap();
    let task_no = tasks.list[0].task_no.clone();
    assert_eq!(world.states(user, &task_no).await, (2, vec![3, 2]));
    check_result_goes(&world, user, &tasks.list[0]).await;
    check_remarks(&world, user).await;

    world.store.rescue_all(world.now()).await.unwrap();
    world.make_segment("b").await;
    world.deliver(&task_no, 2, 10).await;
    assert_eq!(world.states(user, &task_no).await, (3, vec![3, 3]));
    world.queued(user, &[segment("c", 30)]).await;
    world.check().await;
}

/// Files of results that were delivered before retention was known are known to it.
async fn check_result_goes(world: &World, user: UserId, task: &TaskRecord) {
    let keys = world.store.result_keys(task.task_no.as_str()).await.unwrap();
    let result = world.task(user, &task.task_no).await.items.remove(0).result.unwrap();
    assert!(keys.contains(&result.key), "{keys:?}");
}

/// Remarks that were written before there were codes are read as they are.
async fn check_remarks(world: &World, user: UserId) {
    let page = Page { number: 1, size: 99 };
    let movements = world.store.movements(user, &MovementFilter::default(), page).await.unwrap().list;
    let held = movements.iter().find(|movement| movement.kind == MovementType::Hold).unwrap();
    assert_eq!((held.remark.english(), held.remark.chinese()), ("held at submission", None));
}

#[tokio::test]
async fn data_of_schema_5_goes_on() {
    check_upgrade(include_str!("data/schema-0005.sql")).await;
}

#[tokio::test]
async fn data_of_schema_9_goes_on() {
    check_upgrade(include_str!("data/schema-0009.sql")).await;
}

/// What a newer program's migration would leave behind.
fn newer(version: i64, oldest_reader: i64) -> String {
    format!(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES ({version}, 'from tomorrow', 1, x'00', 1);
         UPDATE schema_readers SET oldest = {oldest_reader};"
    )
}

#[tokio::test]
async fn an_old_program_goes_on_beside_a_new_one_that_only_added() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("clipmill.db");
    let world = World::new(Arc::new(SqliteStore::open(&path).await.unwrap()));
    let user = world.user(100).await;
    let task_no = world.queued(user, &[segment("a", 30)]).await;
    let additions = "ALTER TABLE tasks ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';
        ALTER TABLE work ADD COLUMN colour TEXT;
        PRAGMA ignore_check_constraints = ON;
        INSERT INTO work (kind, segment_hash, user_id, state, priority, stage, task_order, created_at)
        SELECT 'stitch', 'a2', user_id, 'ready', 99, 3, 0, 1 FROM work WHERE segment_hash = 'a';";
    let stitched = "INSERT INTO segments (hash, spec, frames) VALUES ('a2', '{}', 1);";
    run(&path, &format!("{}{stitched}{additions}", newer(9_999, known_schema()))).await;

    // The old program that runs already, and one that starts now.
    let again = World::new(Arc::new(SqliteStore::open(&path).await.unwrap()));
    again.pass(1_000);
    world.make_segment("a").await;
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

/// Batches that were submitted when each row had a hold of its own go on, are cancelled, and agree with the ledger.
#[tokio::test]
async fn a_batch_with_a_hold_for_each_row_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("clipmill.db");
    let world = World::new(Arc::new(SqliteStore::open(&path).await.unwrap()));
    let user = world.user(100).await;
    let batch = new_batch(&world, user, "old", &[5, 6, 7]);
    send(&world, &batch).await;
    // The hold of 18 is given back, and held again for each row.
    let number = &batch.batch_no;
    let mut rows = format!(
        "BEGIN; UPDATE holds SET state = 'released', resolved_at = 1 WHERE task_no = '{number}';
         INSERT INTO movements (user_id, kind, amount, dot_count, balance_after, task_no, item_no, remark, created_at)
         VALUES ({user}, 'release', 18, 18, 100, '{number}', 0, 'old', 1);
         INSERT INTO entries (movement_id, account, user_id, amount)
         SELECT MAX(id), 'held', {user}, -18 FROM movements;
         INSERT INTO entries (movement_id, account, user_id, amount)
         SELECT MAX(id), 'available', {user}, 18 FROM movements;
         UPDATE balances SET movements = movements + 4 WHERE user_id = {user};",
        user = user.0
    );
    let mut left = 100;
    for (row, points) in [(1, 5), (2, 6), (3, 7)] {
        left -= points;
        rows += &format!(
            "INSERT INTO movements (user_id, kind, amount, dot_count, balance_after, task_no, item_no, remark, created_at)
             VALUES ({user}, 'hold', {points}, -{points}, {left}, '{number}', {row}, 'old', 1);
             INSERT INTO entries (movement_id, account, user_id, amount)
             SELECT MAX(id), 'available', {user}, -{points} FROM movements;
             INSERT INTO entries (movement_id, account, user_id, amount)
             SELECT MAX(id), 'held', {user}, {points} FROM movements;
             INSERT INTO holds (user_id, task_no, item_no, amount, opened_at)
             VALUES ({user}, '{number}', {row}, {points}, 1);",
            user = user.0
        );
    }
    run(&path, &format!("{rows} COMMIT;")).await;
    world.check().await;
    assert_eq!(make_all_but(&world, 1).await, [1, 2]);
    world.check().await;
    assert_eq!(world.store.cancel_batch(user, number, world.now()).await.unwrap(), Some(true));
    assert_eq!(world.balance(user).await, (89, 11));
    world.check().await;
}

/// Makes rows until so many are left.
async fn make_all_but(world: &World, left: usize) -> Vec<u32> {
    let mut made = Vec::new();
    while made.len() + left < 3 {
        let due = world.store.due_rows(0).await.unwrap().remove(0);
        let task = task_of(world, &due);
        world.store.make_row(due.batch, due.row, task, world.now()).await.unwrap();
        made.push(due.row);
    }
    made
}
