//! How tasks end.

use super::world::{World, segment};

pub async fn a_task_ends_with_its_last_item(world: &World) {
    let user = world.user(100).await;
    let task_no = world.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    world.make_segment("a").await;
    world.deliver(&task_no, 1, 10).await;
    assert_eq!(world.states(user, &task_no).await, (2, vec![3, 1]));
    let task = world.task(user, &task_no).await;
    assert_eq!((task.finished_at, task.completed_items, task.consumed_points), (None, 1, 10));
    assert!(task.started_at.is_some());
    world.make_segment("b").await;
    world.deliver(&task_no, 2, 7).await;
    let task = world.task(user, &task_no).await;
    assert_eq!((task.state.code(), task.completed_items, task.consumed_points), (3, 2, 17));
    assert!(task.finished_at >= task.started_at);
    assert_eq!((task.frames_done, task.error_message), (task.frames_planned, None));
    assert_eq!(world.balance(user).await, (83, 0));
}

pub async fn some_failed_items_make_a_completed_task(world: &World) {
    let user = world.user(100).await;
    let task_no = world.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    world.make_segment("a").await;
    let finish = world.claim_finish(&task_no, 1).await;
    world.fail(finish, "no sound").await;
    world.make_segment("b").await;
    world.deliver(&task_no, 2, 10).await;
    let task = world.task(user, &task_no).await;
    assert_eq!((task.state.code(), task.completed_items, task.failed_items), (3, 1, 1));
    assert_eq!(task.error_message.as_deref(), Some("1 of 2 items failed. item 1: no sound"));
    assert_eq!(world.balance(user).await, (90, 0));
}

pub async fn only_failed_items_make_a_failed_task(world: &World) {
    let user = world.user(100).await;
    let segments: Vec<_> = (0..5).map(|i| segment(&format!("s{i}"), 30)).collect();
    let task_no = world.queued(user, &segments).await;
    for i in 0..5 {
        let lease = world.claim_segment(&format!("s{i}")).await;
        world.fail(lease, &format!("broken {}", i / 2 * 2)).await;
    }
    let task = world.task(user, &task_no).await;
    assert_eq!((task.state.code(), task.completed_items, task.failed_items), (4, 0, 5));
    assert_eq!(
        task.error_message.as_deref(),
        Some("5 of 5 items failed. item 1: broken 0; item 3: broken 2; item 5: broken 4")
    );
    assert_eq!(world.balance(user).await, (100, 0));
}

pub async fn settling_never_exceeds_the_hold(world: &World) {
    let user = world.user(100).await;
    let task_no = world.queued(user, &[segment("a", 30)]).await;
    world.make_segment("a").await;
    world.deliver(&task_no, 1, u64::MAX).await;
    let task = world.task(user, &task_no).await;
    assert_eq!((task.consumed_points, task.items.first().unwrap().charged), (10, 10));
    assert_eq!(world.balance(user).await, (90, 0));
}
