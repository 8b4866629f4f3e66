//! Writes that the schema refuses, and the handling of damaged rows by audit and claim.

use clipmill_store::Store;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
use std::sync::Arc;
use tempfile::TempDir;

use crate::conformance::fixture::{Fixture, found, plan, segment};

async fn fixture() -> (Fixture, SqliteConnection, TempDir) {
    let (store, dir) = crate::open().await;
    let options = SqliteConnectOptions::new().filename(dir.path().join("clipmill.db"));
    let raw = SqliteConnection::connect_with(&options).await.unwrap();
    (Fixture::new(store), raw, dir)
}

/// A user with a delivered and a waiting item.
async fn some_life(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let mut task = fixture.new_task(user, &[10, 10]);
    task.request.callback_url = Some("https://example.com/done".into());
    let task_no = fixture.submit_task(task).await;
    let (a, b) = (segment("a", 30), segment("b", 30));
    let plans = vec![Ok(plan(10, &[&a])), Ok(plan(10, &[&b]))];
    fixture.preflight(found(plans, &[a, b])).await;
    fixture.make_segment("a").await;
    fixture.deliver(&task_no, 1, 5).await;
}

async fn run(raw: &mut SqliteConnection, sql: &str) -> Result<u64, sqlx::Error> {
    Ok(sqlx::query(AssertSqlSafe(sql)).execute(raw).await?.rows_affected())
}

#[tokio::test]
async fn the_schema_refuses_what_must_not_happen() {
    let (fixture, mut raw, _dir) = fixture().await;
    some_life(&fixture).await;
    for (sql, why) in [
        ("UPDATE movements SET remark = 'x' WHERE id = 1", "never changed"),
        ("DELETE FROM movements", "never deleted"),
        ("UPDATE entries SET amount = 1 WHERE id = 1", "never changed"),
        ("DELETE FROM entries", "never deleted"),
        ("DELETE FROM holds", "never deleted"),
        ("UPDATE holds SET amount = 1 WHERE state = 'open'", "resolves once"),
        ("UPDATE holds SET state = 'released', settled = 0 WHERE state = 'settled'", "resolves once"),
        ("UPDATE holds SET state = 'settled', settled = 11, resolved_at = 1 WHERE state = 'open'", "CHECK"),
        (
            "INSERT INTO holds (user_id, task_no, item_no, amount, opened_at)
          SELECT user_id, task_no, item_no, 1, 1 FROM holds WHERE state = 'open'",
            "UNIQUE",
        ),
        ("UPDATE holds SET item_no = 9 WHERE state = 'open'", "belongs to one item"),
        (
            "INSERT OR REPLACE INTO entries (id, movement_id, account, user_id, amount)
             VALUES (1, 1, 'issued', NULL, -1)",
            "never replaced",
        ),
        (
            "INSERT OR REPLACE INTO movements
                (id, user_id, kind, amount, dot_count, balance_after, remark, created_at)
             VALUES (1, 1, 'grant', 1, 1, 1, 'x', 1)",
            "never replaced",
        ),
        (
            "INSERT INTO entries (movement_id, account, user_id, amount) VALUES (1, 'issued', NULL, 5)",
            "takes no further entries",
        ),
        (
            "INSERT INTO movements (user_id, kind, amount, dot_count, balance_after, remark, created_at)
             VALUES (1, 'grant', 5, 5, 90, 'forged', 1)",
            "FOREIGN KEY",
        ),
        ("UPDATE balances SET available = -1", "CHECK"),
        ("UPDATE balances SET held = -1", "CHECK"),
        ("UPDATE balances SET available = 9223372036854775807 + 1", "cannot store REAL"),
        ("UPDATE tasks SET state = 0", "cannot move"),
        ("UPDATE tasks SET state = 6, finished_at = 1", "cannot move"),
        ("UPDATE items SET state = 1 WHERE state = 3", "cannot move"),
    ] {
        let error = run(&mut raw, sql).await.expect_err(sql).to_string();
        assert!(error.contains(why), "{sql}: {error}");
    }
    fixture.check().await;
}

/// Removes constraints, as a user of a database tool could.
const DISARM: &str = "
    PRAGMA foreign_keys = OFF;
    DROP TRIGGER movements_refuse_update; DROP TRIGGER movements_refuse_delete;
    DROP TRIGGER entries_refuse_update; DROP TRIGGER entries_refuse_delete;
    DROP TRIGGER entries_join_unbalanced_movements; DROP TRIGGER holds_resolve_once;";

#[tokio::test]
async fn the_audit_names_each_difference() {
    for (damage, named) in [
        ("UPDATE balances SET available = available + 1", "user 1 has 86 available, replayed it is 85"),
        (
            "UPDATE balances SET available = available - 1, held = held + 1",
            "user 1 has 11 held, replayed it is 10",
        ),
        ("DELETE FROM balances", "user 1 has no balance"),
        (
            "INSERT INTO entries (movement_id, account, user_id, amount) VALUES (1, 'issued', NULL, 5)",
            "movement 1 has 3 entries that sum to 5",
        ),
        ("DELETE FROM entries WHERE id = 1", "movement 1 has 1 entries that sum to 100"),
        (
            "UPDATE entries SET amount = amount * 2 WHERE movement_id = 2",
            "says a change of -10, its entries say -20",
        ),
        (
            "INSERT INTO movements (user_id, kind, amount, dot_count, balance_after, remark, created_at)
             VALUES (1, 'grant', 5, 5, 90, 'forged', 1)",
            "has 0 entries that sum to 0",
        ),
        (
            "UPDATE movements SET balance_after = 3 WHERE id = 2",
            "movement 2 says a balance of 3, replayed it is 90",
        ),
        (
            "UPDATE holds SET state = 'released', resolved_at = 1 WHERE state = 'open'",
            "user 1 has 10 held, the open holds are 0",
        ),
        ("UPDATE holds SET settled = 4 WHERE state = 'settled'", "holds are 10, settled 4, given back 6"),
        ("UPDATE items SET charged = charged + 1 WHERE state = 3", "was charged 6, its holds settled 5"),
        ("UPDATE items SET state = 4 WHERE state = 1", "is in state 4 with 1 open holds"),
        ("UPDATE tasks SET consumed_points = 0", "consumed 0, its items were charged 5"),
    ] {
        let (fixture, mut raw, _dir) = fixture().await;
        some_life(&fixture).await;
        fixture.check().await;
        sqlx::raw_sql(DISARM).execute(&mut raw).await.unwrap();
        assert!(run(&mut raw, damage).await.unwrap() > 0, "{damage}");
        let differences = fixture.store.points().audit().await.unwrap();
        assert!(
            differences.iter().any(|line| line.contains(named)),
            "{damage}: {named:?} is not in {differences:#?}"
        );
    }
}

#[tokio::test]
async fn a_movement_is_committed_with_both_entries_or_not_at_all() {
    let (fixture, mut raw, _dir) = fixture().await;
    some_life(&fixture).await;
    let movement = "INSERT INTO movements
            (id, user_id, kind, amount, dot_count, balance_after, remark, created_at)
        VALUES (99, 1, 'grant', 5, 5, 90, 'forged', 1);";
    let entry = |account: &str, user: &str, amount: i64| {
        format!(
            "INSERT INTO entries (movement_id, account, user_id, amount) VALUES (99, '{account}', {user}, {amount});"
        )
    };
    let (from, to) = (entry("issued", "NULL", -5), entry("available", "1", 5));
    let mut check = async |statements: String, balanced: bool| {
        let sql = format!("BEGIN IMMEDIATE; {movement} {statements}");
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut raw).await.unwrap();
        let end = if balanced {
            "UPDATE balances SET available = available + 5, movements = movements + 1; COMMIT"
        } else {
            "COMMIT"
        };
        let committed = sqlx::raw_sql(end).execute(&mut raw).await;
        assert_eq!(committed.is_ok(), balanced, "{statements}: {committed:?}");
        if !balanced {
            sqlx::raw_sql("ROLLBACK").execute(&mut raw).await.unwrap();
        }
    };
    check(String::new(), false).await;
    check(from.clone(), false).await;
    check(format!("{from}{}", entry("available", "1", 4)), false).await;
    check(format!("{from}{to}"), true).await;
    fixture.check().await;
}

#[tokio::test]
async fn an_event_is_written_with_the_final_state() {
    let (fixture, mut raw, _dir) = fixture().await;
    some_life(&fixture).await;
    let events = "SELECT kind FROM outbox ORDER BY task_id";
    let before: Vec<String> = sqlx::query_scalar(events).fetch_all(&mut raw).await.unwrap();
    assert_eq!(before, Vec::<String>::new());
    let lease = fixture.claim_segment("b").await;
    fixture.fail(lease, "broken").await;
    let (task_no, event): (String, String) =
        sqlx::query_as("SELECT t.task_no, o.event_id FROM tasks t JOIN outbox o ON o.task_id = t.id")
            .fetch_one(&mut raw)
            .await
            .unwrap();
    assert_eq!(event, format!("evt_{task_no}"));

    let user = fixture.user(100).await;
    for cancelled in [true, false] {
        let mut task = fixture.new_task(user, &[10]);
        task.request.callback_url = Some("https://example.com/done".into());
        let task_no = fixture.submit_task(task).await;
        if cancelled {
            for _ in 0..2 {
                fixture.store.tasks().cancel(user, &task_no, fixture.now()).await.unwrap();
            }
        } else {
            fixture.preflight(found(vec![Err(crate::conformance::fixture::task_error("bad"))], &[])).await;
        }
    }
    let kinds: Vec<String> = sqlx::query_scalar(events).fetch_all(&mut raw).await.unwrap();
    assert_eq!(kinds, ["task.completed", "task.cancelled", "task.rejected"]);
}

#[tokio::test]
async fn work_that_cannot_be_read_fails_instead_of_blocking_the_rest() {
    for (damage, state) in [
        ("UPDATE bodies SET content = CAST('{' AS BLOB) WHERE id = 1", 6),
        ("UPDATE segments SET spec = '{'", 4),
        ("UPDATE items SET rendition = '{' WHERE rendition IS NOT NULL", 4),
    ] {
        let (fixture, mut raw, _dir) = fixture().await;
        let user = fixture.user(100).await;
        let task_no = match state {
            6 => fixture.submit(user, &[10]).await,
            _ => fixture.queued(user, &[segment("a", 30)]).await,
        };
        if damage.contains("rendition") {
            fixture.make_segment("a").await;
        }
        run(&mut raw, damage).await.unwrap();
        // Another request: the same one would be the same body.
        let mut healthy = fixture.new_task(user, &[10]);
        healthy.request.callback_url = Some("https://example.com/done".into());
        let healthy = fixture.submit_task(healthy).await;
        match fixture.claim().await.job {
            clipmill_store::Job::Preflight { task_no, .. } => assert_eq!(task_no, healthy),
            other => panic!("{other:?}"),
        }
        assert!(fixture.try_claim().await.is_none(), "{damage}");
        assert_eq!(fixture.states(user, &task_no).await, (state, vec![state]), "{damage}");
        fixture.check().await;
    }
}

/// The next partition, and the first row of a partition, are each found by one step in an index, not by a walk
/// through the queue.
#[tokio::test]
async fn a_claim_skips_through_an_index() {
    let (_world, mut raw, _dir) = fixture().await;
    for sql in [
        "SELECT MIN(w.lane) FROM work w WHERE w.state = 'ready' AND w.lane > 5",
        "SELECT w.id FROM work w WHERE w.state = 'ready' AND w.lane = 5 AND w.stage = 2
          ORDER BY w.task_order, w.ord, w.id LIMIT 1",
    ] {
        let plan: Vec<(i64, i64, i64, String)> =
            sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")))
                .fetch_all(&mut raw)
                .await
                .unwrap();
        let steps: Vec<&str> = plan.iter().map(|(.., step)| step.as_str()).collect();
        let [step] = steps[..] else { panic!("{sql}: {steps:?}") };
        assert!(step.starts_with("SEARCH w USING INDEX work_ready (lane"), "{sql}: {step}");
    }
}

/// A list with folded batches reads none of their tasks.
#[tokio::test]
async fn tasks_of_batches_are_not_read_where_batches_are_listed() {
    let (_world, mut raw, _dir) = fixture().await;
    let sql =
        "EXPLAIN QUERY PLAN SELECT e.id, e.created_at FROM tasks e WHERE e.batch_id IS NULL AND e.user_id = 1
                ORDER BY e.created_at DESC, e.id DESC LIMIT 20";
    let plan: Vec<(i64, i64, i64, String)> = sqlx::query_as(sql).fetch_all(&mut raw).await.unwrap();
    let steps: Vec<&str> = plan.iter().map(|(.., step)| step.as_str()).collect();
    assert_eq!(steps, ["SEARCH e USING INDEX tasks_single (user_id=?)"]);
}

#[tokio::test]
async fn a_unit_dropped_halfway_leaves_nothing_behind() {
    let (fixture, _raw, _dir) = fixture().await;
    let user = fixture.user(1_000_000).await;
    let store: Arc<dyn Store> = fixture.store.clone();
    for polls in 1..60 {
        let mut unit = Box::pin(store.tasks().submit(fixture.new_task(user, &[1; 20]), 1));
        for _ in 0..polls {
            let once = std::future::poll_fn(|context| {
                std::task::Poll::Ready(unit.as_mut().poll(context).is_ready())
            });
            if once.await {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_micros(200)).await;
        }
        drop(unit);
        // The next writer waits until the dropped unit is undone, or done if it was committing already.
        store.installation().secret("barrier", [0; 32]).await.unwrap();
        let (available, held) = fixture.balance(user).await;
        let page = clipmill_store::Page { number: 1, size: 1 };
        let tasks = store.tasks().list(user, &Default::default(), page).await.unwrap().total;
        assert_eq!((held, available + held), (20 * tasks as i64, 1_000_000));
        fixture.check().await;
    }
    fixture.submit(user, &[1]).await;
}
