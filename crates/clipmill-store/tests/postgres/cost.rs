//! A claim costs the same however much waits.

use crate::conformance::world::World;
use crate::postgres_server::server;

/// Copies of the first task, each with its preflight to be done, spread over all users.
const COPIES: &str = "
    INSERT INTO tasks (task_no, user_id, task_type, request, request_sha256, seed, total_items, submitted_points,
                       estimated_points, submit_warnings, created_at)
    SELECT 'VP' || lpad((g + OFFSET_BY)::text, 26, '0'), 1 + g % 20, t.task_type, t.request, t.request_sha256, 1, 0, 0, 0,
           '[]', 1 FROM generate_series(1, COUNT) g, (SELECT * FROM tasks ORDER BY id LIMIT 1) t;
    INSERT INTO work (kind, task_id, user_id, state, stage, task_order, created_at)
    SELECT 'preflight', id, user_id, 'ready', 1, id, 1 FROM tasks t
     WHERE NOT EXISTS (SELECT 1 FROM work w WHERE w.task_id = t.id);
    ANALYZE;";

#[tokio::test]
#[ignore = "a measurement: a million rows take minutes"]
async fn a_claim_from_a_million_costs_as_much_as_one_from_a_thousand() {
    let (store, database) = crate::open().await;
    let world = World::new(store);
    for _ in 0..20 {
        world.user(10).await;
    }
    let first = world.user(10).await;
    world.submit(first, &[1]).await;
    let grow = |offset: u32, count: u32| {
        let sql = COPIES.replace("OFFSET_BY", &offset.to_string()).replace("COUNT", &count.to_string());
        server().run(&database.name, &sql);
    };
    grow(0, 1_000);
    let few = world.median_claim().await;
    grow(1_000, 1_000_000);
    let many = world.median_claim().await;
    println!("median claim: {few:?} of a thousand, {many:?} of a million");
    assert!(many < few * 3 / 2, "{few:?}, {many:?}");
}
