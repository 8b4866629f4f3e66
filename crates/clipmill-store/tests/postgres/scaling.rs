//! The query by which the Helm chart's autoscaler counts work.

use std::sync::Arc;

use clipmill_store::WorkFailure;
use clipmill_store::postgres::Clock;
use sqlx::Connection as _;

use crate::conformance::world::{World, segment, task_error};

fn query() -> String {
    let chart = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/helm/clipmill/templates/scaling.yaml");
    let chart = std::fs::read_to_string(chart).unwrap();
    let query = chart.lines().find_map(|line| line.trim().strip_prefix("query: \"")).unwrap();
    query.trim_end_matches('"').to_owned()
}

#[tokio::test]
async fn the_autoscaler_counts_the_work_that_needs_workers() {
    let database = crate::database().await;
    let world = World::new(Arc::new(crate::open_on(&database, Clock::Caller).await));
    let mut connection = sqlx::PgConnection::connect(&database.url).await.unwrap();
    let query = query();
    let mut counted = async || -> i64 {
        sqlx::query_scalar(sqlx::AssertSqlSafe(query.clone())).fetch_one(&mut connection).await.unwrap()
    };
    assert_eq!(counted().await, 0);
    let user = world.user(100).await;
    world.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    assert_eq!(counted().await, 2, "ready work");
    let first = world.claim_segment("a").await;
    assert_eq!(counted().await, 2, "ready and running work");
    world.store.queue().pause(None, world.now()).await.unwrap();
    assert_eq!(counted().await, 1, "a worker would be added for work that does not start");
    world.store.queue().resume().await.unwrap();
    let now = world.now();
    let failure = WorkFailure { error: task_error("RENDER_FAILED"), retry_at: Some(now + 60_000) };
    world.store.jobs().fail(first, failure, now).await.unwrap();
    let second = world.claim_segment("b").await;
    world.store.jobs().complete_segment(second, world.now()).await.unwrap();
    // One assembly is ready by now, and one segment is delayed.
    let finish = world.claim().await;
    assert_eq!(counted().await, 2, "running and delayed work");
    let failure = WorkFailure { error: task_error("RENDER_FAILED"), retry_at: Some(now + 60_000) };
    world.store.jobs().fail(finish.lease, failure, world.now()).await.unwrap();
    assert_eq!(counted().await, 2, "without a worker, delayed work would never become ready");
}
