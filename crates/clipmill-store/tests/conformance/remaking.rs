//! Outputs re-encoded as a whole, from other segments than planned.

use clipmill_core::segment::SegmentKey;
use clipmill_store::{Job, StoreError};

use super::world::*;

async fn percent(world: &World, user: clipmill_core::ids::UserId, task: &clipmill_core::ids::TaskNo) -> u64 {
    let task = world.task(user, task).await;
    assert!(task.frames_done <= task.frames_planned, "{task:?}");
    task.frames_done * 100 / task.frames_planned
}

pub async fn a_failed_encoder_re_encodes_whole_items_and_no_others(world: &World) {
    let user = world.user(100).await;
    let [a, b, c] = ["a", "b", "c"].map(|name| segment(name, 50));
    let task_no = world.submit(user, &[10, 10, 10]).await;
    let items = vec![Ok(plan(10, &[&a, &b])), Ok(plan(10, &[&b])), Ok(plan(10, &[&c]))];
    world.preflight(found(items, &[a, b, c])).await;
    world.make_segment("a").await;
    let before = percent(world, user, &task_no).await;

    // Both items that need b change over, with all their pieces; the third does not.
    let lease = world.claim_segment("b").await;
    let fallbacks = second(world, lease).await;
    assert_eq!(fallbacks.len(), 2);
    world.store.jobs().use_fallback(lease, fallbacks, world.now()).await.unwrap();
    assert!(percent(world, user, &task_no).await >= before);
    world.check().await;
    assert!(is_lost(&world.store.jobs().complete_segment(lease, world.now()).await), "it was given up");

    for name in ["a2", "b2", "c"] {
        let claim = world.claim().await;
        let Job::Segment { key, sources, .. } = &claim.job else { panic!("{:?}", claim.job) };
        assert_eq!(*key.0, *name);
        assert!(!sources.is_empty(), "{name} knows where its files are");
        world.store.jobs().complete_segment(claim.lease, world.now()).await.unwrap();
        let now = percent(world, user, &task_no).await;
        assert!(now >= before, "{name}: progress fell from {before} to {now}");
        if name == "b2" {
            let claim = world.claim().await;
            let Job::Assemble { rendition, item_no: 1, .. } = &claim.job else { panic!("{:?}", claim.job) };
            assert_eq!(rendition.video, ["a2", "b2"].map(|name| SegmentKey(name.into())));
            world.store.jobs().complete_item(claim.lease, result(), 10, world.now()).await.unwrap();
            world.deliver(&task_no, 2, 10).await;
        }
    }
    world.deliver(&task_no, 3, 10).await;
    assert_eq!(world.states(user, &task_no).await, (3, vec![3, 3, 3]));
    assert!(world.try_claim().await.is_none(), "nobody makes b any more");
}

pub async fn a_segment_knows_the_only_output_that_waits_for_it(world: &World) {
    let user = world.user(100).await;
    let [a, b] = ["a", "b"].map(|name| segment(name, 50));
    let task_no = world.submit(user, &[10, 10]).await;
    world.preflight(found(vec![Ok(plan(10, &[&a, &b])), Ok(plan(10, &[&b]))], &[a, b])).await;
    let lease = world.claim_segment("a").await;
    let output = world.store.jobs().only_output(lease).await.unwrap().expect("one waits");
    assert_eq!(output.video, ["a", "b"].map(|name| SegmentKey(name.into())));
    world.store.jobs().complete_segment(lease, world.now()).await.unwrap();
    let gone = world.store.jobs().only_output(lease).await;
    assert!(matches!(gone, Err(StoreError::LeaseLost)), "it is not leased any more: {gone:?}");
    let lease = world.claim_segment("b").await;
    assert_eq!(world.store.jobs().only_output(lease).await.unwrap(), None, "two wait");
    world.store.jobs().complete_segment(lease, world.now()).await.unwrap();
    let lease = world.claim_finish(&task_no, 1).await;
    assert_eq!(world.store.jobs().only_output(lease).await.unwrap(), None, "a finish is no segment");
}

pub async fn an_item_that_cannot_be_joined_is_re_encoded(world: &World) {
    let user = world.user(100).await;
    let task_no = world.queued(user, &[segment("a", 50)]).await;
    world.make_segment("a").await;
    let lease = world.claim_finish(&task_no, 1).await;
    let fallbacks = second(world, lease).await;
    world.store.jobs().use_fallback(lease, fallbacks, world.now()).await.unwrap();
    world.make_segment("a2").await;
    world.deliver(&task_no, 1, 10).await;
    assert_eq!(world.states(user, &task_no).await, (3, vec![3]));
}

pub async fn items_that_began_to_wait_meanwhile_are_served(world: &World) {
    let (ann, bob) = (world.user(100).await, world.user(100).await);
    let first = world.queued(ann, &[segment("a", 50)]).await;
    let lease = world.claim_segment("a").await;
    let fallbacks = second(world, lease).await;
    let later = world.queued(bob, &[segment("a", 50)]).await;
    world.store.jobs().use_fallback(lease, fallbacks.clone(), world.now()).await.unwrap();
    let again = world.store.jobs().use_fallback(lease, fallbacks, world.now()).await;
    assert!(matches!(again, Err(StoreError::LeaseLost)));
    // The later item has the segment tried again for itself.
    let mut made = Vec::new();
    while let Some(claim) = world.try_claim().await {
        match claim.job {
            Job::Segment { key, .. } => {
                made.push(key.0);
                world.store.jobs().complete_segment(claim.lease, world.now()).await.unwrap();
            }
            Job::Assemble { .. } => {
                world.store.jobs().complete_item(claim.lease, result(), 10, world.now()).await.unwrap()
            }
            Job::Preflight { .. } => panic!("all is planned"),
        }
    }
    made.sort();
    assert_eq!(made, ["a".into(), "a2".into()]);
    for (user, task_no) in [(ann, first), (bob, later)] {
        assert_eq!(world.states(user, &task_no).await, (3, vec![3]));
    }
}
