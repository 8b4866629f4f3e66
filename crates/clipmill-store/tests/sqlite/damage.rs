//! What the schema itself refuses, and what the audit and the claim make of damaged rows.

use clipmill_store::Store;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
use std::sync::Arc;
use tempfile::TempDir;

use crate::conformance::world::{World, found, plan, segment};

async fn world() -> (World, SqliteConnection, TempDir) {
    let (store, dir) = crate::open().await;
    let options = SqliteConnectOptions::new().filename(dir.path().join("clipmill.db"));
    let raw = SqliteConnection::connect_with(&options).await.unwrap();
    (World::new(store), raw, dir)
}

/// A user with a delivered and a waiting item.
async fn some_life(world: &World) {
    let user = world.user(100).await;
    let mut task = world.new_task(user, &[10, 10]);
    task.request.callback_url = Some("https://example.com/done".into());
    let task_no = world.submit_task(task).await;
    let (a, b) = (segment("a", 30), segment("b", 30));
    let plans = vec![Ok(plan(10, &[&a])), Ok(plan(10, &[&b]))];
    world.preflight(found(plans, &[a, b])).await;
    world.make_segment("a").await;
    world.deliver(&task_no, 1, 5).await;
}

async fn run(raw: &mut SqliteConnection, sql: &str) -> Result<u64, sqlx::Error> {
    Ok(sqlx::query(AssertSqlSafe(sql)).execute(raw).await?.rows_affected())
}

#[tokio::test]
async fn the_schema_refuses_what_must_not_happen() {
    let (world, mut raw, _dir) = world().await;
    some_life(&world).await;
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
    world.check().await;
}

#[tokio::test]
async fn the_audit_finds_damage() {
    for damage in [
        "UPDATE balances SET available = available + 1",
        "UPDATE balances SET available = available - 1, held = held + 1",
        "DELETE FROM balances",
        "INSERT INTO entries (movement_id, account, user_id, amount) VALUES (1, 'issued', NULL, 5)",
        "INSERT INTO movements (user_id, kind, amount, dot_count, balance_after, remark, created_at)
         VALUES (1, 'grant', 5, 5, 90, 'forged', 1)",
        "UPDATE holds SET state = 'released', resolved_at = 1 WHERE state = 'open'",
        "UPDATE items SET charged = charged + 1 WHERE state = 3",
        "UPDATE tasks SET consumed_points = 0",
    ] {
        let (world, mut raw, _dir) = world().await;
        some_life(&world).await;
        world.check().await;
        assert!(run(&mut raw, damage).await.unwrap() > 0, "{damage}");
        assert!(!world.store.audit().await.unwrap().is_empty(), "not found: {damage}");
    }
}

#[tokio::test]
async fn an_event_is_written_with_the_final_state() {
    let (world, mut raw, _dir) = world().await;
    some_life(&world).await;
    let events = "SELECT event_id, kind FROM outbox";
    let before: Vec<(String, String)> = sqlx::query_as(events).fetch_all(&mut raw).await.unwrap();
    assert_eq!(before, []);
    let lease = world.claim_segment("b").await;
    world.fail(lease, "broken").await;
    let task_no: String = sqlx::query_scalar("SELECT task_no FROM tasks").fetch_one(&mut raw).await.unwrap();
    let after: Vec<(String, String)> = sqlx::query_as(events).fetch_all(&mut raw).await.unwrap();
    assert_eq!(after, [(format!("evt_{task_no}"), "task.completed".to_owned())]);
}

#[tokio::test]
async fn work_that_cannot_be_read_fails_instead_of_blocking_the_rest() {
    for (damage, state) in [
        ("UPDATE tasks SET request = '{' WHERE id = 1", 6),
        ("UPDATE segments SET spec = '{'", 4),
        ("UPDATE items SET rendition = '{' WHERE rendition IS NOT NULL", 4),
    ] {
        let (world, mut raw, _dir) = world().await;
        let user = world.user(100).await;
        let task_no = match state {
            6 => world.submit(user, &[10]).await,
            _ => world.queued(user, &[segment("a", 30)]).await,
        };
        if damage.contains("rendition") {
            world.make_segment("a").await;
        }
        run(&mut raw, damage).await.unwrap();
        let healthy = world.submit(user, &[10]).await;
        match world.claim().await.job {
            clipmill_store::Job::Preflight { task_no, .. } => assert_eq!(task_no, healthy),
            other => panic!("{other:?}"),
        }
        assert!(world.try_claim().await.is_none(), "{damage}");
        assert_eq!(world.states(user, &task_no).await, (state, vec![state]), "{damage}");
        world.check().await;
    }
}

#[tokio::test]
async fn a_claim_reads_the_first_row_of_an_index() {
    let (_world, mut raw, _dir) = world().await;
    let plan: Vec<(i64, i64, i64, String)> = sqlx::query_as(
        "EXPLAIN QUERY PLAN SELECT id FROM work WHERE state = 'ready'
          ORDER BY priority DESC, stage, task_order, item_order, position, id LIMIT 1",
    )
    .fetch_all(&mut raw)
    .await
    .unwrap();
    let steps: Vec<&str> = plan.iter().map(|(.., step)| step.as_str()).collect();
    assert_eq!(steps, ["SCAN work USING COVERING INDEX work_ready"]);
}

#[tokio::test]
async fn a_unit_dropped_halfway_leaves_nothing_behind() {
    let (world, _raw, _dir) = world().await;
    let user = world.user(1_000_000).await;
    let store: Arc<dyn Store> = world.store.clone();
    for polls in 1..60 {
        let mut unit = Box::pin(store.submit(world.new_task(user, &[1; 20]), 1));
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
        store.secret("barrier", [0; 32]).await.unwrap();
        let (available, held) = world.balance(user).await;
        let page = clipmill_store::Page { number: 1, size: 1 };
        let tasks = store.tasks(user, &Default::default(), page).await.unwrap().total;
        assert_eq!((held, available + held), (20 * tasks as i64, 1_000_000));
        world.check().await;
    }
    world.submit(user, &[1]).await;
}
