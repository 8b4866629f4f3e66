//! The cost of a claim does not depend on the amount of waiting work.

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::conformance::fixture::{Fixture, drawn_text, with_url};

/// Copies of the first task, each with its preflight to be done, spread over all users.
const COPIES: &str = "
    INSERT INTO tasks (task_no, user_id, task_type, body_id, request_sha256, seed, total_items, submitted_points,
                       estimated_points, submit_warnings, created_at)
    WITH RECURSIVE numbers(g) AS (SELECT 1 UNION ALL SELECT g + 1 FROM numbers WHERE g < COUNT)
    SELECT 'VP' || printf('%026d', g + OFFSET_BY), 1 + g % 20, t.task_type, t.body_id, t.request_sha256, 1, 0, 0, 0,
           '[]', 1 FROM numbers, (SELECT * FROM tasks ORDER BY id LIMIT 1) t;
    INSERT INTO work (kind, task_id, user_id, state, stage, task_order, created_at)
    SELECT 'preflight', id, user_id, 'ready', 1, id, 1 FROM tasks t
     WHERE NOT EXISTS (SELECT 1 FROM work w WHERE w.task_id = t.id);
    ANALYZE;";

#[tokio::test]
#[ignore = "a measurement: a million rows take minutes"]
async fn a_claim_from_a_million_costs_as_much_as_one_from_a_thousand() {
    let (store, dir) = crate::open().await;
    let fixture = Fixture::new(store);
    for _ in 0..20 {
        fixture.user(10).await;
    }
    let first = fixture.user(10).await;
    fixture.submit(first, &[1]).await;
    let options = SqliteConnectOptions::new().filename(dir.path().join("clipmill.db"));
    let mut raw = SqliteConnection::connect_with(&options).await.unwrap();
    let mut grow = async |offset: u32, count: u32| {
        let sql = COPIES.replace("OFFSET_BY", &offset.to_string()).replace("COUNT", &count.to_string());
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut raw).await.unwrap();
    };
    grow(0, 1_000).await;
    let few = fixture.median_claim().await;
    grow(1_000, 1_000_000).await;
    let many = fixture.median_claim().await;
    println!("median claim: {few:?} of a thousand, {many:?} of a million");
    assert!(many < few * 3 / 2, "{few:?}, {many:?}");
}

/// Twenty thousand copies of a finished task with fifty outputs each; one in a hundred has a rare word.
const OUTPUTS: &str = "
    INSERT INTO tasks (task_no, user_id, task_type, body_id, request_sha256, seed, state, total_items, completed_items,
                       submitted_points, estimated_points, submit_warnings, created_at, started_at, finished_at)
    WITH RECURSIVE numbers(g) AS (SELECT 1 UNION ALL SELECT g + 1 FROM numbers WHERE g < 20000)
    SELECT 'VP' || printf('%026d', g), t.user_id, t.task_type, t.body_id, t.request_sha256, 1, 3, 50, 50,
           0, 0, '[]', t.created_at + g, t.created_at + g, t.created_at + g
      FROM numbers, (SELECT * FROM tasks ORDER BY id LIMIT 1) t;
    INSERT INTO items (task_id, item_no, seed, state, result, stored_user, stored_bytes, stored_until)
    WITH RECURSIVE numbers(g) AS (SELECT 1 UNION ALL SELECT g + 1 FROM numbers WHERE g < 50)
    SELECT t.id, g, 1, 3, i.result, i.stored_user, i.stored_bytes, i.stored_until
      FROM tasks t, numbers, (SELECT * FROM items ORDER BY id LIMIT 1) i
     WHERE t.total_items = 50;
    INSERT INTO task_words SELECT user_id, 'common', id FROM tasks;
    INSERT INTO task_words SELECT user_id, 'rare', id FROM tasks WHERE id % 100 = 7;
    ANALYZE;";

#[tokio::test]
#[ignore = "a measurement: a million rows take minutes"]
async fn a_page_of_a_million_outputs_is_fast() {
    let (store, dir) = crate::open().await;
    let fixture = Fixture::new(store);
    let user = fixture.with_an_output().await;
    let options = SqliteConnectOptions::new().filename(dir.path().join("clipmill.db"));
    let mut raw = SqliteConnection::connect_with(&options).await.unwrap();
    sqlx::raw_sql(OUTPUTS).execute(&mut raw).await.unwrap();
    let medians = fixture.median_pages(user, 1_700_000_010_000).await;
    println!("medians: {medians:?}");
    assert!(medians.iter().all(|(_, median)| median.as_millis() < 50), "{medians:?}");
}

/// A million copies of the first task, each with words for a season, a week and an article; old ones have additional
/// words.
const FOUND: &str = "
    INSERT INTO tasks (task_no, user_id, task_type, body_id, request_sha256, seed, state, total_items, completed_items,
                       submitted_points, estimated_points, submit_warnings, created_at, started_at, finished_at)
    WITH RECURSIVE numbers(g) AS (SELECT 1 UNION ALL SELECT g + 1 FROM numbers WHERE g < 1000000)
    SELECT 'VP' || printf('%026d', g), t.user_id, t.task_type, t.body_id, t.request_sha256, 1, 3, 0, 0, 0, 0, '[]',
           t.created_at + g, t.created_at + g, t.created_at + g
      FROM numbers, (SELECT * FROM tasks ORDER BY id LIMIT 1) t;
    INSERT INTO task_words SELECT user_id, 'autumn', id FROM tasks;
    INSERT INTO task_words SELECT user_id, CASE WHEN id % 2 = 0 THEN 'sale' ELSE 'spring' END, id FROM tasks;
    INSERT INTO task_words SELECT user_id, 'week' || (id * 7919 % 52), id FROM tasks;
    INSERT INTO task_words SELECT user_id, 'sku' || (id * 48271 % 100000), id FROM tasks;
    INSERT INTO task_words SELECT user_id, 'first', id FROM tasks WHERE id <= 500000;
    INSERT INTO task_words SELECT user_id, 'old', id FROM tasks WHERE id <= 30000;
    INSERT INTO task_words SELECT user_id, 'aged' || (id % 100), id FROM tasks WHERE id <= 30000;
    INSERT INTO task_words SELECT user_id, '#old', id FROM tasks WHERE id <= 50000;
    INSERT INTO task_words SELECT user_id, '#shop' || (id * 31 % 10), id FROM tasks;
    INSERT INTO task_words SELECT user_id, '#even', id FROM tasks WHERE id / 7 % 2 = 0;
    ANALYZE;";

#[tokio::test]
#[ignore = "a measurement: a million rows take minutes"]
async fn a_search_among_a_million_tasks_is_fast() {
    let (store, dir) = crate::open().await;
    let fixture = Fixture::new(store);
    let user = fixture.user(10).await;
    fixture.submit(user, &[1]).await;
    let options = SqliteConnectOptions::new().filename(dir.path().join("clipmill.db"));
    let mut raw = SqliteConnection::connect_with(&options).await.unwrap();
    sqlx::raw_sql(FOUND).execute(&mut raw).await.unwrap();
    let medians = fixture.median_searches(user).await;
    println!("medians: {medians:#?}");
    assert!(medians.iter().all(|(_, median)| median.as_millis() < 50), "{medians:?}");
}

/// A request is written once: later changes of its task do not write it again.
#[tokio::test]
async fn the_end_of_a_task_with_a_large_request_writes_little() {
    let (store, dir) = crate::open().await;
    let fixture = Fixture::new(store);
    let user = fixture.user(1_000).await;
    let task =
        with_url(fixture.new_task(user, &[1; 200]), format!("https://example.com/{}", drawn_text(8_000_000)));
    let task_no = fixture.submit_task(task).await;
    let options = SqliteConnectOptions::new().filename(dir.path().join("clipmill.db"));
    let mut raw = SqliteConnection::connect_with(&options).await.unwrap();
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut raw).await.unwrap();
    let log = || std::fs::metadata(dir.path().join("clipmill.db-wal")).unwrap().len();
    let before = log();
    fixture.store.tasks().cancel(user, &task_no, fixture.now()).await.unwrap();
    let written = log() - before;
    println!("{written} bytes");
    assert!(written < 1 << 20, "{written} bytes were written for the end of 200 items");
}
