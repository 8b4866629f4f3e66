//! What owners, and nobody else, can read.

use clipmill_core::ids::TaskNo;
use clipmill_core::request::model::TaskType;
use clipmill_core::task::TaskState;
use clipmill_store::*;

use super::world::{World, found, result, segment, task_error};

pub async fn tasks_are_paged_filtered_and_private(world: &World) {
    let user = world.user(100).await;
    let stranger = world.user(100).await;
    let first = world.submit(user, &[1]).await;
    world.preflight(found(vec![Err(task_error("bad"))], &[])).await;
    let second = world.submit(user, &[1]).await;
    let third = world.submit(user, &[1]).await;
    world.submit(stranger, &[1]).await;

    let list = async |filter: TaskFilter, number, size| {
        let paged = world.store.tasks(user, &filter, Page { number, size }).await.unwrap();
        assert!(paged.list.iter().all(|task| task.items.is_empty()));
        (paged.list.into_iter().map(|task| task.task_no).collect::<Vec<TaskNo>>(), paged.total)
    };
    let all = TaskFilter::default;
    assert_eq!(list(all(), 1, 2).await, (vec![third.clone(), second], 3));
    assert_eq!(list(all(), 2, 2).await, (vec![first.clone()], 3));
    assert_eq!(list(all(), u32::MAX, u32::MAX).await, (vec![], 3));
    let rejected = TaskFilter { state: Some(TaskState::Rejected), ..all() };
    assert_eq!(list(rejected, 1, 9).await, (vec![first.clone()], 1));
    let mixes = TaskFilter { task_type: Some(TaskType::BaseVideoMix), ..all() };
    assert_eq!(list(mixes, 1, 1).await, (vec![third], 3));
    let pro = TaskFilter { task_type: Some(TaskType::ProVideoMix), ..all() };
    assert_eq!(list(pro, 1, 9).await, (vec![], 0));
    assert!(world.store.task(stranger, &first).await.unwrap().is_none());
    assert_eq!(world.store.owner(&first).await.unwrap(), Some(user));
    assert_eq!(world.store.owner(&TaskNo::new(1, [9; 10])).await.unwrap(), None);
}

pub async fn the_queue_is_counted_from_one(world: &World) {
    let user = world.user(100).await;
    let first = world.queued(user, &[segment("a", 30)]).await;
    let second = world.submit(world.user(10).await, &[1]).await;
    let third = world.submit(user, &[1]).await;
    let position = async |task_no| world.store.task(user, task_no).await.unwrap().unwrap().queue_position;
    assert_eq!((position(&first).await, position(&third).await), (Some(1), Some(3)));
    world.claim().await;
    world.claim().await;
    world.claim_segment("a").await;
    assert_eq!((position(&first).await, position(&third).await), (None, Some(2)));
    assert!(world.store.task(user, &second).await.unwrap().is_none());
}

pub async fn results_and_uploads_are_found(world: &World) {
    let user = world.user(100).await;
    let stranger = world.user(100).await;
    let task_no = world.queued(user, &[segment("a", 30)]).await;
    assert_eq!(world.store.item_result(&task_no, 1).await.unwrap(), None);
    world.make_segment("a").await;
    world.deliver(&task_no, 1, 1).await;
    assert_eq!(world.store.item_result(&task_no, 1).await.unwrap(), Some(result()));
    assert_eq!(world.store.item_result(&task_no, 2).await.unwrap(), None);
    assert_eq!(world.task(user, &task_no).await.items.remove(0).result, Some(result()));

    let new = NewUpload {
        id: "up1".into(),
        user,
        content_sha256: "ab".into(),
        size_bytes: 5,
        file_name: None,
        created_at: 1,
        quota: Quota::default(),
    };
    world.store.add_upload(new.clone()).await.unwrap();
    assert!(matches!(world.store.add_upload(new).await, Err(StoreError::Exists(_))));
    let upload = Upload { id: "up1".into(), user, content_sha256: "ab".into(), size_bytes: 5 };
    assert_eq!(world.store.upload(user, "up1").await.unwrap(), Some(upload));
    assert_eq!(world.store.upload(stranger, "up1").await.unwrap(), None);
}
