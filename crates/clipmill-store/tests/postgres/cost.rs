//! The cost of store operations does not depend on the amount of stored or waiting work.

use std::collections::BTreeMap;
use std::sync::Arc;

use clipmill_store::postgres::Clock;

use crate::conformance::fixture::{Fixture, LEASE_MS, segment};
use crate::postgres_server::server;

/// Copies of the first task, each with its preflight to be done, spread over all users.
const COPIES: &str = "
    INSERT INTO tasks (task_no, user_id, task_type, body_id, request_sha256, seed, total_items, submitted_points,
                       estimated_points, submit_warnings, created_at)
    SELECT 'VP' || lpad((g + OFFSET_BY)::text, 26, '0'), 1 + g % 20, t.task_type, t.body_id, t.request_sha256, 1, 0, 0, 0,
           '[]', 1 FROM generate_series(1, COUNT) g, (SELECT * FROM tasks ORDER BY id LIMIT 1) t;
    INSERT INTO work (kind, task_id, user_id, state, stage, task_order, created_at)
    SELECT 'preflight', id, user_id, 'ready', 1, id, 1 FROM tasks t
     WHERE NOT EXISTS (SELECT 1 FROM work w WHERE w.task_id = t.id);
    ANALYZE;";

#[tokio::test]
#[ignore = "a measurement: a million rows take minutes"]
async fn a_claim_from_a_million_costs_as_much_as_one_from_a_thousand() {
    let (store, database) = crate::open().await;
    let fixture = Fixture::new(store);
    for _ in 0..20 {
        fixture.user(10).await;
    }
    let first = fixture.user(10).await;
    fixture.submit(first, &[1]).await;
    let grow = |offset: u32, count: u32| {
        let sql = COPIES.replace("OFFSET_BY", &offset.to_string()).replace("COUNT", &count.to_string());
        server().run(&database.name, &sql);
    };
    grow(0, 1_000);
    let few = fixture.median_claim().await;
    grow(1_000, 1_000_000);
    let many = fixture.median_claim().await;
    println!("median claim: {few:?} of a thousand, {many:?} of a million");
    assert!(many < few * 3 / 2, "{few:?}, {many:?}");
}

const LYING_THERE: u64 = 3_000;

/// Copies of a finished task with an item and its segment.
const HISTORY: &str = "
    DO $$ DECLARE t tasks; i items; s segments; x item_segments; BEGIN
        FOR k IN 1..COUNT LOOP
            SELECT * INTO t FROM tasks ORDER BY id LIMIT 1;
            SELECT * INTO i FROM items WHERE task_id = t.id;
            SELECT * INTO x FROM item_segments WHERE item_id = i.id;
            SELECT * INTO s FROM segments WHERE hash = x.hash;
            t.id := 1000000 + k; t.task_no := 'VP' || lpad(k::TEXT, 26, '0'); i.id := t.id; i.task_id := t.id;
            s.hash := 'copy' || k; x.item_id := i.id; x.hash := s.hash;
            INSERT INTO tasks VALUES (t.*);
            INSERT INTO items VALUES (i.*);
            INSERT INTO segments VALUES (s.*);
            INSERT INTO item_segments VALUES (x.*);
        END LOOP;
    END $$;
    ANALYZE;";

/// Rows read so far by scanning whole tables.
fn read_through(database: &str) -> BTreeMap<String, u64> {
    let sql = "SELECT relname || ' ' || seq_tup_read FROM pg_stat_user_tables
                WHERE relname IN ('tasks', 'items', 'segments', 'item_segments')";
    let said = server().run(database, sql);
    let read = said.lines().filter_map(|line| line.split_once(' '));
    read.map(|(table, rows)| (table.to_owned(), rows.trim().parse().unwrap())).collect()
}

/// All steps of a task, of one that is cancelled and of one that fails.
async fn live(fixture: &Fixture) {
    let user = fixture.user(1_000).await;
    let made = fixture.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    for (item_no, name) in [(1, "a"), (2, "b")] {
        let lease = fixture.claim_segment(name).await;
        fixture.store.leases().heartbeat(lease, 10, fixture.now(), LEASE_MS).await.unwrap();
        assert!(fixture.store.leases().holds(lease).await.unwrap());
        fixture.store.jobs().complete_segment(lease, fixture.now()).await.unwrap();
        fixture.deliver(&made, item_no, 10).await;
    }
    let failed = fixture.queued(user, &[segment("c", 30)]).await;
    let lease = fixture.claim_segment("c").await;
    fixture.fail(lease, "broken").await;
    let cancelled = fixture.queued(user, &[segment("d", 30)]).await;
    fixture.store.tasks().cancel(user, &cancelled, fixture.now()).await.unwrap();
    assert_eq!(fixture.states(user, &made).await.1, [3, 3]);
    assert_eq!(fixture.states(user, &failed).await.1, [4]);
    fixture.store.leases().rescue(fixture.now()).await.unwrap();
}

#[tokio::test]
async fn no_step_of_a_task_scans_whole_tables() {
    let (store, database) = crate::open().await;
    let fixture = Fixture::new(store);
    let user = fixture.user(1_000).await;
    let first = fixture.queued(user, &[segment("first", 30)]).await;
    fixture.make_segment("first").await;
    fixture.deliver(&first, 1, 10).await;
    fixture.store.close().await;
    server().run(&database.name, &HISTORY.replace("COUNT", &LYING_THERE.to_string()));
    let before = read_through(&database.name);
    let fixture = Fixture::new(Arc::new(crate::open_on(&database, Clock::Caller).await));
    fixture.pass(1_000);
    live(&fixture).await;
    // What sessions have read is counted when they end at the latest.
    fixture.store.close().await;
    let after = read_through(&database.name);
    for (table, rows) in after {
        let read = rows - before[&table];
        assert!(read < LYING_THERE, "{read} rows of {table} were looked through");
    }
}

/// Twenty thousand copies of a finished task with fifty outputs each; one in a hundred has a rare word.
const OUTPUTS: &str = "
    INSERT INTO tasks (task_no, user_id, task_type, body_id, request_sha256, seed, state, total_items, completed_items,
                       submitted_points, estimated_points, submit_warnings, created_at, started_at, finished_at)
    SELECT 'VP' || lpad(g::text, 26, '0'), t.user_id, t.task_type, t.body_id, t.request_sha256, 1, 3, 50, 50,
           0, 0, '[]', t.created_at + g, t.created_at + g, t.created_at + g
      FROM generate_series(1, 20000) g, (SELECT * FROM tasks ORDER BY id LIMIT 1) t;
    INSERT INTO items (task_id, item_no, seed, state, result, stored_user, stored_bytes, stored_until)
    SELECT t.id, g, 1, 3, i.result, i.stored_user, i.stored_bytes, i.stored_until
      FROM tasks t, generate_series(1, 50) g, (SELECT * FROM items ORDER BY id LIMIT 1) i
     WHERE t.total_items = 50;
    INSERT INTO task_words SELECT user_id, 'common', id FROM tasks;
    INSERT INTO task_words SELECT user_id, 'rare', id FROM tasks WHERE id % 100 = 7;
    ANALYZE;";

#[tokio::test]
#[ignore = "a measurement: a million rows take minutes"]
async fn a_page_of_a_million_outputs_is_fast() {
    let (store, database) = crate::open().await;
    let fixture = Fixture::new(store);
    let user = fixture.with_an_output().await;
    server().run(&database.name, OUTPUTS);
    let medians = fixture.median_pages(user, 1_700_000_010_000).await;
    println!("medians: {medians:?}");
    assert!(medians.iter().all(|(_, median)| median.as_millis() < 50), "{medians:?}");
}

/// A million copies of the first task, each with words for a season, a week and an article; old ones have additional
/// words.
const FOUND: &str = "
    SET session_replication_role = replica;
    INSERT INTO tasks (task_no, user_id, task_type, body_id, request_sha256, seed, state, total_items, completed_items,
                       submitted_points, estimated_points, submit_warnings, created_at, started_at, finished_at)
    SELECT 'VP' || lpad(g::text, 26, '0'), t.user_id, t.task_type, t.body_id, t.request_sha256, 1, 3, 0, 0, 0, 0, '[]',
           t.created_at + g, t.created_at + g, t.created_at + g
      FROM generate_series(1, 1000000) g, (SELECT * FROM tasks ORDER BY id LIMIT 1) t;
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
    let (store, database) = crate::open().await;
    let fixture = Fixture::new(store);
    let user = fixture.user(10).await;
    fixture.submit(user, &[1]).await;
    server().run(&database.name, FOUND);
    server().run(&database.name, "VACUUM");
    let medians = fixture.median_searches(user).await;
    println!("medians: {medians:#?}");
    assert!(medians.iter().all(|(_, median)| median.as_millis() < 50), "{medians:?}");
}
