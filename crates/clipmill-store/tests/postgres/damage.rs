//! Writes that the schema itself refuses.

use crate::conformance::fixture::{Fixture, found, plan, segment};
use crate::postgres_server::server;

async fn some_life() -> (Fixture, crate::Database) {
    let (store, database) = crate::open().await;
    let fixture = Fixture::new(store);
    let user = fixture.user(100).await;
    let task_no = fixture.submit(user, &[10, 10]).await;
    let (a, b) = (segment("a", 30), segment("b", 30));
    let plans = vec![Ok(plan(10, &[&a])), Ok(plan(10, &[&b]))];
    fixture.preflight(found(plans, &[a, b])).await;
    fixture.make_segment("a").await;
    fixture.deliver(&task_no, 1, 5).await;
    (fixture, database)
}

#[tokio::test]
async fn the_schema_refuses_what_must_not_happen() {
    let (fixture, database) = some_life().await;
    for (sql, why) in [
        ("UPDATE movements SET remark = 'x' WHERE id = 1", "never changed"),
        ("DELETE FROM movements", "never deleted"),
        ("TRUNCATE movements CASCADE", "never deleted"),
        ("UPDATE entries SET amount = 1 WHERE id = 1", "never changed"),
        ("DELETE FROM entries", "never deleted"),
        ("DELETE FROM holds", "never deleted"),
        ("UPDATE holds SET amount = 1 WHERE state = 'open'", "resolves once"),
        ("UPDATE holds SET state = 'released', settled = 0 WHERE state = 'settled'", "resolves once"),
        (
            "UPDATE holds SET state = 'settled', settled = 11, resolved_at = 1 WHERE state = 'open'",
            "check constraint",
        ),
        (
            "INSERT INTO holds (user_id, task_no, item_no, amount, opened_at)
             SELECT user_id, task_no, item_no, 1, 1 FROM holds WHERE state = 'open'",
            "unique constraint",
        ),
        ("UPDATE holds SET item_no = 9 WHERE state = 'open'", "belongs to one item"),
        (
            "INSERT INTO entries (movement_id, account, user_id, amount) VALUES (1, 'issued', NULL, 5)",
            "takes no further entries",
        ),
        (
            "INSERT INTO movements (user_id, kind, amount, dot_count, balance_after, remark, created_at)
             VALUES (1, 'grant', 5, 5, 90, 'forged', 1)",
            "do not sum to zero",
        ),
        (
            "WITH m AS (INSERT INTO movements
                (user_id, kind, amount, dot_count, balance_after, remark, created_at)
             VALUES (1, 'grant', 5, 5, 90, 'forged', 1) RETURNING id)
             INSERT INTO entries (movement_id, account, user_id, amount) SELECT id, 'available', 1, 5 FROM m",
            "do not sum to zero",
        ),
        ("UPDATE balances SET available = -1", "check constraint"),
        ("UPDATE balances SET held = -1", "check constraint"),
        ("UPDATE tasks SET state = 0", "cannot move"),
        ("UPDATE tasks SET state = 6, finished_at = 1", "cannot move"),
        ("UPDATE items SET state = 1 WHERE state = 3", "cannot move"),
    ] {
        let error = server().try_run(&database.name, sql).expect_err(sql);
        assert!(error.contains(why), "{sql}: {error}");
    }
    fixture.check().await;
}
