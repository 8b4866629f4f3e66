//! Quotas of a user: what is counted, and what is not.

use clipmill_core::ids::UserId;
use clipmill_store::*;

use super::world::{World, found, plan, result, segment, task_error};

const DAY: i64 = 86_400_000;

pub async fn open_tasks_are_counted_until_they_end(world: &World) {
    let (user, other) = (world.user(100).await, world.user(100).await);
    let quota = Quota { open_tasks: 2, ..Quota::default() };
    let submit = async |user: UserId, name: &str| {
        let mut task = world.new_task(user, &[1]);
        task.request.client_task_id = Some(name.into());
        task.quota = quota;
        world.store.submit(task, world.now()).await.unwrap()
    };
    let full = SubmitOutcome::TooManyOpenTasks { open: 2, limit: 2 };
    assert!(matches!(submit(user, "first").await, SubmitOutcome::Created(_)));
    world.preflight(found(vec![Ok(plan(1, &[&segment("a", 30)]))], &[segment("a", 30)])).await;
    assert!(matches!(submit(user, "second").await, SubmitOutcome::Created(_)));
    assert_eq!(submit(user, "third").await, full);
    assert_eq!(world.balance(user).await, (98, 2), "a refused task holds nothing");
    assert!(matches!(submit(user, "second").await, SubmitOutcome::Duplicate(_)), "a repeat is no more");
    assert!(matches!(submit(other, "third").await, SubmitOutcome::Created(_)), "others are not concerned");

    // The second is rejected, and makes room; so is the other user's.
    for _ in 0..2 {
        world.preflight(found(vec![Err(task_error("bad"))], &[])).await;
    }
    assert!(matches!(submit(user, "third").await, SubmitOutcome::Created(_)));
    assert_eq!(submit(user, "fourth").await, full);
    let tasks = (0..8).map(|_| NewTask { quota, ..world.new_task(user, &[1]) }).collect();
    let at_once = world.submit_at_once(tasks).await;
    assert!(at_once.iter().all(|outcome| *outcome == full), "{at_once:?}");
}

pub async fn results_and_uploads_are_counted_while_they_are_kept(world: &World) {
    let user = world.user(100).await;
    let start = world.now();
    let stored = async || {
        let now = world.now();
        world.store.stored_bytes(user, now - DAY, now).await.unwrap()
    };
    let quota = || Quota { stored_bytes: 1_000, uploads_since: world.now() - DAY, ..Quota::default() };
    let upload = async |id: &str, content: &str, size_bytes: u64| {
        let upload = NewUpload {
            id: id.into(),
            user,
            content_sha256: content.into(),
            size_bytes,
            file_name: None,
            created_at: world.now(),
            quota: quota(),
        };
        world.store.add_upload(upload).await.unwrap()
    };
    assert_eq!(upload("1", "aa", 300).await, UploadOutcome::Added);
    assert_eq!(upload("2", "aa", 300).await, UploadOutcome::Added);
    assert_eq!(stored().await, 300, "the same content lies there once");

    let task_no = world.queued(user, &[segment("a", 30)]).await;
    world.make_segment("a").await;
    let lease = world.claim_finish(&task_no, 1).await;
    let file = ItemResult { size_bytes: 600, expires_at: start + 2 * DAY, ..result() };
    world.store.complete_item(lease, file, 1, world.now()).await.unwrap();
    assert_eq!(stored().await, 900);

    let full = StorageFull { stored: 900, limit: 1_000 };
    assert_eq!(upload("3", "bb", 101).await, UploadOutcome::StorageFull(full));
    assert_eq!(world.store.upload(user, "3").await.unwrap(), None);
    let submit = async || {
        let task = NewTask { quota: quota(), ..world.new_task(user, &[1]) };
        world.store.submit(task, world.now()).await.unwrap()
    };
    assert!(matches!(submit().await, SubmitOutcome::Created(_)), "there is some room left");
    assert_eq!(upload("4", "bb", 100).await, UploadOutcome::Added);
    let full = StorageFull { stored: 1_000, limit: 1_000 };
    assert_eq!(submit().await, SubmitOutcome::StorageFull(full));

    world.pass(DAY);
    assert_eq!(stored().await, 600, "old uploads are gone");
    world.pass(DAY);
    assert_eq!(stored().await, 0, "so is the result");
    assert!(matches!(submit().await, SubmitOutcome::Created(_)));
}
