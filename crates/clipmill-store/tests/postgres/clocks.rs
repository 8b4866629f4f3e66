//! The database's clock is used: a wrong clock of a process has no effect.

use std::sync::Arc;

use clipmill_store::postgres::{Clock, PgOptions, PgStore};
use clipmill_store::*;

use crate::conformance::fixture::{Fixture, is_lost, result, segment, task_error};

const HOUR: i64 = 3_600_000;

async fn on_the_databases_clock() -> (Fixture, crate::Database) {
    let database = crate::database().await;
    (Fixture::new(Arc::new(crate::open_on(&database, Clock::Database).await)), database)
}

#[tokio::test]
async fn a_wrong_clock_neither_takes_work_early_nor_keeps_it_late() {
    let (fixture, _database) = on_the_databases_clock().await;
    let store = &fixture.store;
    let user = fixture.user(100).await;
    fixture.queued(user, &[segment("a", 30)]).await;
    let now = store.now(0).await.unwrap();
    for off in [-HOUR, HOUR] {
        let claim =
            store.queue().claim("worker", now + off, 60_000, ClaimLimits::default()).await.unwrap().unwrap();
        // For others, with any local time, the lease is valid.
        for others in [now, now + HOUR, now - HOUR] {
            assert_eq!(store.leases().rescue(others).await.unwrap(), 0);
        }
        store.leases().heartbeat(claim.lease, 1, now - off, 60_000).await.unwrap();
        let left = store.queue().overview(now, 9).await.unwrap().running[0].lease_left_ms;
        assert!((1..=60_000).contains(&left), "{left}");
        // A lease of one millisecond has expired for all.
        store.leases().heartbeat(claim.lease, 2, now + off, 1).await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        assert_eq!(store.leases().rescue(now - off).await.unwrap(), 1);
        assert!(is_lost(&store.jobs().complete_segment(claim.lease, now).await));
    }
}

#[tokio::test]
async fn moments_keep_their_distance_from_a_wrong_now() {
    let (fixture, _database) = on_the_databases_clock().await;
    let store = &fixture.store;
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30)]).await;
    let now = store.now(0).await.unwrap();
    let lease = fixture.claim_segment("a").await;
    // The caller's clock is an hour ahead, and the event is due at once.
    let failure = JobFailure { error: task_error("broken"), retry_at: Some(now + HOUR) };
    store.jobs().fail(lease, failure, now + HOUR).await.unwrap();
    let claim = fixture.claim().await;
    assert_eq!(claim.attempt, 2);
    // The caller's clock is an hour behind, and the event is due in half an hour.
    let failure = JobFailure { error: task_error("broken"), retry_at: Some(now - HOUR / 2) };
    store.jobs().fail(claim.lease, failure, now - HOUR).await.unwrap();
    assert!(fixture.try_claim().await.is_none());
    assert_eq!(store.queue().requeue(&Requeue::Delayed).await.unwrap(), 1);
    fixture.make_segment("a").await;
    let lease = fixture.claim_finish(&task_no, 1).await;
    let late = ItemResult { expires_at: now + HOUR + 5_000, ..result() };
    store.jobs().complete_item(lease, late, 1, now + HOUR).await.unwrap();
    let task = fixture.task(user, &task_no).await;
    let kept = task.items[0].result.as_ref().unwrap().expires_at - now;
    assert!((5_000..65_000).contains(&kept), "{kept}");
    assert!((0..60_000).contains(&(task.finished_at.unwrap() - now)));
}

#[tokio::test]
async fn the_time_is_read_after_waiting_for_a_write_permit() {
    let database = crate::database().await;
    let options = PgOptions { writes_at_once: 1, clock: Clock::Database, ..PgOptions::default() };
    let store = PgStore::open(&database.url, options).await.unwrap();
    let user = Fixture::new(Arc::new(store.clone())).user(0).await;
    let before = store.now(0).await.unwrap();
    let grants = (0..40).map(|_| {
        let store = store.clone();
        // The caller believes that it is 1970.
        tokio::spawn(async move { store.points().grant(user, 1, "", 0).await })
    });
    for grant in grants.collect::<Vec<_>>() {
        grant.await.unwrap().unwrap();
    }
    let after = store.now(0).await.unwrap();
    let page = Page { number: 1, size: 100 };
    let movements = store.points().movements(user, &MovementFilter::default(), page).await.unwrap();
    assert_eq!(movements.total, 40);
    assert!(
        movements.list.iter().all(|movement| (before..=after).contains(&movement.created_at)),
        "{movements:?}"
    );
}
