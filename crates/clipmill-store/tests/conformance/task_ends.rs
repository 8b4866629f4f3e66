//! How tasks end.

use super::fixture::{Fixture, segment};

pub async fn a_task_ends_with_its_last_item(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    fixture.make_segment("a").await;
    fixture.deliver(&task_no, 1, 10).await;
    assert_eq!(fixture.states(user, &task_no).await, (2, vec![3, 1]));
    let task = fixture.task(user, &task_no).await;
    assert_eq!((task.finished_at, task.completed_items, task.consumed_points), (None, 1, 10));
    assert!(task.started_at.is_some());
    fixture.make_segment("b").await;
    fixture.deliver(&task_no, 2, 7).await;
    let task = fixture.task(user, &task_no).await;
    assert_eq!((task.state.code(), task.completed_items, task.consumed_points), (3, 2, 17));
    assert!(task.finished_at >= task.started_at);
    assert_eq!((task.frames_done, task.error_message), (task.frames_planned, None));
    assert_eq!(fixture.balance(user).await, (83, 0));
}

pub async fn some_failed_items_make_a_completed_task(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    fixture.make_segment("a").await;
    let finish = fixture.claim_finish(&task_no, 1).await;
    fixture.fail(finish, "no sound").await;
    fixture.make_segment("b").await;
    fixture.deliver(&task_no, 2, 10).await;
    let task = fixture.task(user, &task_no).await;
    assert_eq!((task.state.code(), task.completed_items, task.failed_items), (3, 1, 1));
    assert_eq!(task.error_message.as_deref(), Some("1 of 2 items failed. item 1: no sound"));
    assert_eq!(fixture.balance(user).await, (90, 0));
}

pub async fn only_failed_items_make_a_failed_task(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let segments: Vec<_> = (0..5).map(|i| segment(&format!("s{i}"), 30)).collect();
    let task_no = fixture.queued(user, &segments).await;
    for i in 0..5 {
        let lease = fixture.claim_segment(&format!("s{i}")).await;
        fixture.fail(lease, &format!("broken {}", i / 2 * 2)).await;
    }
    let task = fixture.task(user, &task_no).await;
    assert_eq!((task.state.code(), task.completed_items, task.failed_items), (4, 0, 5));
    assert_eq!(
        task.error_message.as_deref(),
        Some("5 of 5 items failed. item 1: broken 0; item 3: broken 2; item 5: broken 4")
    );
    assert_eq!(fixture.balance(user).await, (100, 0));
}

pub async fn settling_never_exceeds_the_hold(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30)]).await;
    fixture.make_segment("a").await;
    fixture.deliver(&task_no, 1, u64::MAX).await;
    let task = fixture.task(user, &task_no).await;
    assert_eq!((task.consumed_points, task.items.first().unwrap().charged), (10, 10));
    assert_eq!(fixture.balance(user).await, (90, 0));
}
