//! Outputs re-encoded as a whole, from other segments than planned.

use clipmill_core::segment::SegmentKey;
use clipmill_store::{Job, StoreError};

use super::fixture::*;

async fn percent(
    fixture: &Fixture,
    user: clipmill_core::ids::UserId,
    task: &clipmill_core::ids::TaskNo,
) -> u64 {
    let task = fixture.task(user, task).await;
    assert!(task.frames_done <= task.frames_planned, "{task:?}");
    task.frames_done * 100 / task.frames_planned
}

pub async fn a_failed_encoder_re_encodes_whole_items_and_no_others(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let [a, b, c] = ["a", "b", "c"].map(|name| segment(name, 50));
    let task_no = fixture.submit(user, &[10, 10, 10]).await;
    let items = vec![Ok(plan(10, &[&a, &b])), Ok(plan(10, &[&b])), Ok(plan(10, &[&c]))];
    fixture.preflight(found(items, &[a, b, c])).await;
    fixture.make_segment("a").await;
    let before = percent(fixture, user, &task_no).await;

    // Both items that need b change over, with all their pieces; the third does not.
    let lease = fixture.claim_segment("b").await;
    let fallbacks = second(fixture, lease).await;
    assert_eq!(fallbacks.len(), 2);
    fixture.store.jobs().use_fallback(lease, fallbacks, fixture.now()).await.unwrap();
    assert!(percent(fixture, user, &task_no).await >= before);
    fixture.check().await;
    assert!(is_lost(&fixture.store.jobs().complete_segment(lease, fixture.now()).await), "it was given up");

    for name in ["a2", "b2", "c"] {
        let claim = fixture.claim().await;
        let Job::Segment { key, sources, .. } = &claim.job else { panic!("{:?}", claim.job) };
        assert_eq!(*key.0, *name);
        assert!(!sources.is_empty(), "{name} knows where its files are");
        fixture.store.jobs().complete_segment(claim.lease, fixture.now()).await.unwrap();
        let now = percent(fixture, user, &task_no).await;
        assert!(now >= before, "{name}: progress fell from {before} to {now}");
        if name == "b2" {
            let claim = fixture.claim().await;
            let Job::Assemble { rendition, item_no: 1, .. } = &claim.job else { panic!("{:?}", claim.job) };
            assert_eq!(rendition.video, ["a2", "b2"].map(|name| SegmentKey(name.into())));
            fixture.store.jobs().complete_item(claim.lease, result(), 10, fixture.now()).await.unwrap();
            fixture.deliver(&task_no, 2, 10).await;
        }
    }
    fixture.deliver(&task_no, 3, 10).await;
    assert_eq!(fixture.states(user, &task_no).await, (3, vec![3, 3, 3]));
    assert!(fixture.try_claim().await.is_none(), "nobody makes b any more");
}

pub async fn a_segment_knows_the_only_output_that_waits_for_it(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let [a, b] = ["a", "b"].map(|name| segment(name, 50));
    let task_no = fixture.submit(user, &[10, 10]).await;
    fixture.preflight(found(vec![Ok(plan(10, &[&a, &b])), Ok(plan(10, &[&b]))], &[a, b])).await;
    let lease = fixture.claim_segment("a").await;
    let output = fixture.store.jobs().only_output(lease).await.unwrap().expect("one waits");
    assert_eq!(output.video, ["a", "b"].map(|name| SegmentKey(name.into())));
    fixture.store.jobs().complete_segment(lease, fixture.now()).await.unwrap();
    let gone = fixture.store.jobs().only_output(lease).await;
    assert!(matches!(gone, Err(StoreError::LeaseLost)), "it is not leased any more: {gone:?}");
    let lease = fixture.claim_segment("b").await;
    assert_eq!(fixture.store.jobs().only_output(lease).await.unwrap(), None, "two wait");
    fixture.store.jobs().complete_segment(lease, fixture.now()).await.unwrap();
    let lease = fixture.claim_finish(&task_no, 1).await;
    assert_eq!(fixture.store.jobs().only_output(lease).await.unwrap(), None, "an assembly is not a segment");
}

pub async fn an_item_that_cannot_be_joined_is_re_encoded(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 50)]).await;
    fixture.make_segment("a").await;
    let lease = fixture.claim_finish(&task_no, 1).await;
    let fallbacks = second(fixture, lease).await;
    fixture.store.jobs().use_fallback(lease, fallbacks, fixture.now()).await.unwrap();
    fixture.make_segment("a2").await;
    fixture.deliver(&task_no, 1, 10).await;
    assert_eq!(fixture.states(user, &task_no).await, (3, vec![3]));
}

pub async fn items_that_began_to_wait_meanwhile_are_served(fixture: &Fixture) {
    let (ann, bob) = (fixture.user(100).await, fixture.user(100).await);
    let first = fixture.queued(ann, &[segment("a", 50)]).await;
    let lease = fixture.claim_segment("a").await;
    let fallbacks = second(fixture, lease).await;
    let later = fixture.queued(bob, &[segment("a", 50)]).await;
    fixture.store.jobs().use_fallback(lease, fallbacks.clone(), fixture.now()).await.unwrap();
    let again = fixture.store.jobs().use_fallback(lease, fallbacks, fixture.now()).await;
    assert!(matches!(again, Err(StoreError::LeaseLost)));
    // The later item has the segment tried again for itself.
    let mut made = Vec::new();
    while let Some(claim) = fixture.try_claim().await {
        match claim.job {
            Job::Segment { key, .. } => {
                made.push(key.0);
                fixture.store.jobs().complete_segment(claim.lease, fixture.now()).await.unwrap();
            }
            Job::Assemble { .. } => {
                fixture.store.jobs().complete_item(claim.lease, result(), 10, fixture.now()).await.unwrap()
            }
            Job::Preflight { .. } => panic!("all is planned"),
        }
    }
    made.sort();
    assert_eq!(made, ["a".into(), "a2".into()]);
    for (user, task_no) in [(ann, first), (bob, later)] {
        assert_eq!(fixture.states(user, &task_no).await, (3, vec![3]));
    }
}
