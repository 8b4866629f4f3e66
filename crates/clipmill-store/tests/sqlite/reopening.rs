//! The file can be opened again after the process that wrote it has ended.

use std::sync::Arc;

use clipmill_store::Store;

use crate::conformance::fixture::{Fixture, LEASE_MS, is_lost, segment};

#[tokio::test]
async fn a_restart_continues_where_the_last_run_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let first = crate::open_in(dir.path()).await;
    let fixture = Fixture::new(Arc::new(first));
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    fixture.make_segment("a").await;
    let lease = fixture.claim_finish(&task_no, 1).await;
    let before = fixture.task(user, &task_no).await;

    // The first store is left open, as a killed process leaves its file.
    let again = Fixture::new(Arc::new(crate::open_in(dir.path()).await));
    assert_eq!(again.task(user, &task_no).await, before);
    assert!(matches!(again.claim().await.job, clipmill_store::Job::Segment { .. }));
    assert_eq!(again.store.leases().rescue_all(again.now()).await.unwrap(), 2);
    assert!(is_lost(&fixture.store.leases().heartbeat(lease, 0, fixture.now(), LEASE_MS).await));
    again.deliver(&task_no, 1, 10).await;
    again.make_segment("b").await;
    again.deliver(&task_no, 2, 10).await;
    assert_eq!(again.states(user, &task_no).await, (3, vec![3, 3]));
    again.check().await;
}

#[tokio::test]
async fn a_closed_store_can_be_opened_again() {
    let dir = tempfile::tempdir().unwrap();
    let store = crate::open_in(dir.path()).await;
    assert_eq!(store.installation().secret("links", [5; 32]).await.unwrap(), [5; 32]);
    store.close().await;
    assert!(store.ping().await.is_err());
    let again = crate::open_in(dir.path()).await;
    assert_eq!(again.installation().secret("links", [6; 32]).await.unwrap(), [5; 32]);
}
