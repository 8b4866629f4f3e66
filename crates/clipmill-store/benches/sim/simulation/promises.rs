//! Guarantees that must hold afterwards under any load.

use clipmill_store::Store;

use super::Fixture;

/// Descriptions of all violated guarantees.
pub async fn check(fixture: &Fixture) -> Vec<String> {
    let store = fixture.store(4).await;
    let mut wrong: Vec<String> = Vec::new();
    let twice = fixture.books.delivered_twice();
    if !twice.is_empty() {
        wrong.push(format!("items delivered more than once: {twice:?}"));
    }
    let noted = fixture.books.delivered() as i64;
    let done = fixture.watch.number("SELECT COUNT(*) FROM items WHERE state = 3").await;
    if noted != done {
        wrong.push(format!("{noted} deliveries were confirmed, {done} items are done"));
    }
    for (what, sql) in PROMISES {
        let number = fixture.watch.number(sql).await;
        if number != 0 {
            wrong.push(format!("{number} {what}"));
        }
    }
    match store.points().audit().await {
        Ok(lines) => wrong.extend(lines.into_iter().take(10)),
        Err(error) => wrong.push(format!("the audit failed: {error}")),
    }
    store.close().await;
    wrong
}

const PROMISES: [(&str, &str); 4] = [
    ("jobs are leased by workers that ended properly", "SELECT COUNT(*) FROM work WHERE state = 'running'"),
    (
        "items were settled more than once",
        "SELECT COUNT(*) FROM (SELECT 1 FROM movements WHERE kind = 'settle' GROUP BY task_no, item_no
          HAVING COUNT(*) > 1) s",
    ),
    (
        "tasks that ended have no event, or one too many",
        "SELECT COUNT(*) FROM tasks t WHERE t.state IN (3, 4, 5, 6)
            AND (SELECT COUNT(*) FROM outbox o WHERE o.task_id = t.id) <> 1",
    ),
    (
        "tasks count other items than they have",
        "SELECT COUNT(*) FROM tasks t WHERE t.finished_at IS NOT NULL
            AND t.completed_items <> (SELECT COUNT(*) FROM items i WHERE i.task_id = t.id AND i.state = 3)",
    ),
];
