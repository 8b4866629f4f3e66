//! The end of preflight, and the order of claims afterwards.

use clipmill_core::message;
use clipmill_core::plan::{Diversity, Pair, Warning};
use clipmill_store::*;

use super::fixture::{Fixture, found, plan, segment, task_error};

pub async fn holds_are_replaced_at_the_confirmed_price(fixture: &Fixture) {
    let user = fixture.user(30).await;
    let task_no = fixture.submit(user, &[10, 10, 10]).await;
    let piece = segment("a", 30);
    // Item 2 can only be paid by the points that item 1 releases.
    let items = vec![Ok(plan(1, &[&piece])), Ok(plan(19, &[&piece])), Ok(plan(10, &[&piece]))];
    let mut result = found(items, std::slice::from_ref(&piece));
    result.warnings = vec![Warning { path: "/params".into(), message: message::declared_wrong(1.0, 2.0) }];
    let pair = Pair { items: [1, 2], shared_seconds: 2.5, similarity: None };
    result.diversity =
        Some(Diversity { pairs: vec![pair], total_pairs: Some(1), most_similar: pair, most_alike: None });
    fixture.preflight(result.clone()).await;
    assert_eq!(fixture.balance(user).await, (0, 30));
    let task = fixture.task(user, &task_no).await;
    assert_eq!((task.state.code(), task.estimated_points), (1, 30));
    assert_eq!(task.warnings, result.warnings);
    assert_eq!(task.diversity, result.diversity);
    let tasks = fixture.store.tasks();
    assert_eq!(tasks.sources(user, task.id).await.unwrap(), piece.sources);
    assert_eq!(tasks.sources(fixture.user(0).await, task.id).await.unwrap(), []);
    let footage = tasks.footage(task.id).await.unwrap();
    assert_eq!(
        footage,
        result.items.iter().map(|item| (item.item_no, item.footage.clone())).collect::<Vec<_>>()
    );
    assert_eq!(task.items.last().unwrap().recipe, serde_json::json!({ "item": 3 }));

    let page = Page { number: 1, size: 50 };
    let records = fixture.store.points().movements(user, &MovementFilter::default(), page).await.unwrap();
    let amounts: Vec<_> = records.list.iter().rev().skip(4).map(|m| (m.kind, m.amount, m.item_no)).collect();
    use MovementType::{Hold, Release};
    assert_eq!(
        amounts,
        [(Release, 10, Some(1)), (Release, 10, Some(2)), (Hold, 1, Some(1)), (Hold, 19, Some(2))]
    );
}

pub async fn a_price_beyond_the_balance_rejects(fixture: &Fixture) {
    let user = fixture.user(30).await;
    let task_no = fixture.submit(user, &[10, 10, 5]).await;
    let piece = segment("a", 30);
    let items = vec![Ok(plan(15, &[&piece])), Ok(plan(16, &[&piece])), Err(task_error("no video"))];
    fixture.preflight(found(items, &[piece])).await;
    assert_eq!(fixture.states(user, &task_no).await, (6, vec![6, 6, 6]));
    assert_eq!(fixture.balance(user).await, (30, 0));
    let task = fixture.task(user, &task_no).await;
    let message = task.error_message.unwrap();
    assert!(message.contains("31 points") && message.contains("30 are available"), "{message}");
    assert_eq!((task.estimated_points, task.failed_items, task.queue_position), (31, 1, None));
    assert!(fixture.try_claim().await.is_none());
}

pub async fn a_task_without_renderable_items_is_rejected_with_every_bad_input(fixture: &Fixture) {
    let user = fixture.user(30).await;
    let task_no = fixture.submit(user, &[10, 10]).await;
    let bad = |url: &str| Err(task_error("This is not a video.").input(url));
    fixture.preflight(found(vec![bad("https://a/1"), bad("https://a/2")], &[])).await;
    assert_eq!(fixture.states(user, &task_no).await, (6, vec![6, 6]));
    let task = fixture.task(user, &task_no).await;
    assert_eq!(
        task.error_message.as_deref(),
        Some("https://a/1: This is not a video.; https://a/2: This is not a video.")
    );
    assert_eq!(
        task.items.first().unwrap().error,
        Some(task_error("This is not a video.").input("https://a/1"))
    );
    assert!(task.finished_at.is_some());
    assert_eq!(fixture.balance(user).await, (30, 0));
}

pub async fn a_bad_item_fails_alone(fixture: &Fixture) {
    let user = fixture.user(30).await;
    let task_no = fixture.submit(user, &[10, 10, 10]).await;
    let piece = segment("a", 30);
    // The plan does not mention item 3.
    let items = vec![Err(task_error("bad")), Ok(plan(5, &[&piece]))];
    fixture.preflight(found(items, &[piece])).await;
    assert_eq!(fixture.states(user, &task_no).await, (1, vec![4, 1, 4]));
    assert_eq!(fixture.balance(user).await, (25, 5));
    let task = fixture.task(user, &task_no).await;
    assert_eq!((task.failed_items, task.estimated_points), (2, 5));
    fixture.make_segment("a").await;
    fixture.deliver(&task_no, 2, 5).await;
    assert_eq!(fixture.states(user, &task_no).await, (3, vec![4, 3, 4]));
}

pub async fn a_failed_preflight_rejects(fixture: &Fixture) {
    let user = fixture.user(30).await;
    let task_no = fixture.submit(user, &[10, 10]).await;
    let lease = fixture.claim().await.lease;
    fixture.fail(lease, "The disk is full.").await;
    assert_eq!(fixture.states(user, &task_no).await, (6, vec![6, 6]));
    assert_eq!(fixture.task(user, &task_no).await.error_message.as_deref(), Some("The disk is full."));
    assert_eq!(fixture.balance(user).await, (30, 0));
}

pub async fn a_plan_that_lacks_a_segment_changes_nothing(fixture: &Fixture) {
    let user = fixture.user(30).await;
    let task_no = fixture.submit(user, &[10]).await;
    let claim = fixture.claim().await;
    let incomplete = found(vec![Ok(plan(5, &[&segment("a", 30)]))], &[]);
    let refused = fixture.store.jobs().complete_preflight(claim.lease, incomplete, fixture.now()).await;
    assert!(matches!(refused, Err(StoreError::Corrupt(_))), "{refused:?}");
    assert_eq!(fixture.balance(user).await, (20, 10));
    assert_eq!(fixture.states(user, &task_no).await, (0, vec![0]));
    fixture.store.leases().heartbeat(claim.lease, 0, fixture.now(), 1).await.unwrap();
}

pub async fn finishes_come_before_preflights_before_segments(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let (a, b) = (segment("a", 30), segment("b", 30));
    let first = fixture.queued(user, &[a, b]).await;
    let lease = fixture.claim_segment("a").await;
    fixture.submit(user, &[1]).await;
    fixture.store.jobs().complete_segment(lease, fixture.now()).await.unwrap();
    fixture.claim_finish(&first, 1).await;
    assert!(matches!(fixture.claim().await.job, Job::Preflight { .. }));
    fixture.claim_segment("b").await;
    assert!(fixture.try_claim().await.is_none());
}

pub async fn segments_come_in_the_order_of_tasks_items_and_places(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| segment(name, 30));
    fixture.submit(user, &[1]).await;
    fixture.submit(user, &[1, 1]).await;
    let first = fixture.claim().await.lease;
    let second = fixture.claim().await.lease;
    let now = fixture.now();
    // The younger task is planned first; the older one then needs its last segment as well.
    let younger = found(vec![Ok(plan(1, &[&b, &a])), Ok(plan(1, &[&a, &c]))], &[a, b.clone(), c.clone()]);
    fixture.store.jobs().complete_preflight(second, younger, now).await.unwrap();
    let older = found(vec![Ok(plan(1, &[&d, &c]))], &[c, d]);
    fixture.store.jobs().complete_preflight(first, older, now).await.unwrap();
    for name in ["d", "c", "b", "a"] {
        fixture.claim_segment(name).await;
    }
}
