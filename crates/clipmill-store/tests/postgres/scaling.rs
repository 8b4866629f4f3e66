//! The query by which the Helm chart's autoscaler counts work.

use std::sync::Arc;

use clipmill_store::JobFailure;
use clipmill_store::postgres::Clock;
use sqlx::Connection as _;

use crate::conformance::fixture::{Fixture, segment, task_error};

fn query() -> String {
    let chart = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/helm/clipmill/templates/scaling.yaml");
    let chart = std::fs::read_to_string(chart).unwrap();
    let query = chart.lines().find_map(|line| line.trim().strip_prefix("query: \"")).unwrap();
    query.trim_end_matches('"').to_owned()
}

#[tokio::test]
async fn the_autoscaler_counts_the_work_that_needs_workers() {
    let database = crate::database().await;
    let fixture = Fixture::new(Arc::new(crate::open_on(&database, Clock::Caller).await));
    let mut connection = sqlx::PgConnection::connect(&database.url).await.unwrap();
    let query = query();
    let mut counted = async || -> i64 {
        sqlx::query_scalar(sqlx::AssertSqlSafe(query.clone())).fetch_one(&mut connection).await.unwrap()
    };
    assert_eq!(counted().await, 0);
    let user = fixture.user(100).await;
    fixture.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    assert_eq!(counted().await, 2, "ready work");
    let first = fixture.claim_segment("a").await;
    assert_eq!(counted().await, 2, "ready and running work");
    fixture.store.queue().pause(None, fixture.now()).await.unwrap();
    assert_eq!(counted().await, 1, "a worker would be added for work that does not start");
    fixture.store.queue().resume().await.unwrap();
    let now = fixture.now();
    let failure = JobFailure { error: task_error("RENDER_FAILED"), retry_at: Some(now + 60_000) };
    fixture.store.jobs().fail(first, failure, now).await.unwrap();
    let second = fixture.claim_segment("b").await;
    fixture.store.jobs().complete_segment(second, fixture.now()).await.unwrap();
    // One assembly is ready by now, and one segment is delayed.
    let finish = fixture.claim().await;
    assert_eq!(counted().await, 2, "running and delayed work");
    let failure = JobFailure { error: task_error("RENDER_FAILED"), retry_at: Some(now + 60_000) };
    fixture.store.jobs().fail(finish.lease, failure, fixture.now()).await.unwrap();
    assert_eq!(counted().await, 2, "without a worker, delayed work would never become ready");
}
