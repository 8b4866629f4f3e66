//! Work continues in a database from before the baseline: that of `data/schema-0052.sql`, which each database has.

use clipmill_core::ids::BatchNo;
use clipmill_store::*;

use super::batches::make_all;
use super::fixture::{Fixture, result};
use super::task_series::work_off;

const PAGE: Page = Page { number: 1, size: 99 };

pub async fn work_continues(fixture: &Fixture) {
    // This time is later than any in the dump.
    fixture.pass(86_400_000);
    fixture.check().await;
    let user = fixture.store.users().find_by_name("keeper").await.unwrap().unwrap().id;
    assert_eq!(fixture.balance(user).await, (119, 54));
    let tasks = async || fixture.store.tasks().list(user, &TaskFilter::default(), PAGE).await.unwrap().list;
    let mut states: Vec<u8> = tasks().await.iter().map(|task| task.state.code()).collect();
    states.sort_unstable();
    assert_eq!(states, [0, 0, 1, 2, 3, 4, 5, 6]);

    let named = TaskFilter { words: Some("red".to_owned()), ..TaskFilter::default() };
    let completed = fixture.store.tasks().list(user, &named, PAGE).await.unwrap().list.remove(0);
    let task_no = &completed.task_no;
    assert_eq!(fixture.store.tasks().item_result(task_no, 1).await.unwrap(), Some(result()));
    let request = fixture.store.tasks().request(user, task_no).await.unwrap();
    assert!(
        matches!(request, Some(StoredRequest::Kept(request)) if request.name.as_deref() == Some("Red shoes"))
    );
    assert_eq!(fixture.store.shares().list(user, task_no).await.unwrap().len(), 2);
    let event = fixture.store.callbacks().claim(fixture.now(), 30_000, 9).await.unwrap().unwrap();
    assert_eq!((event.subject.number(), event.step), (task_no.as_str(), 1));
    assert!(fixture.store.library().upload(user, "clip-1").await.unwrap().is_some());
    let template = fixture.store.templates().list(user, None, PAGE).await.unwrap().list.remove(0);
    assert_eq!((template.name.as_str(), template.version), ("Summer sale", 2));

    // A batch from before schema 48 has a hold for each row, and warnings without codes.
    let old = batch(fixture, "may").await;
    let movements =
        fixture.store.points().movements(user, &MovementFilter::default(), PAGE).await.unwrap().list;
    let held = movements.iter().find(|movement| movement.batch_no.as_ref() == Some(&old)).unwrap();
    assert_eq!((held.remark.english(), held.remark.chinese()), ("held at submission", None));
    assert_eq!(fixture.store.batches().pause(user, &old, false, fixture.now()).await.unwrap(), Some(()));
    let due = fixture.store.batches().due_rows(0).await.unwrap();
    assert_eq!(due.iter().map(|due| due.row).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(fixture.store.batches().cancel(user, &old, fixture.now()).await.unwrap(), Some(true));
    assert_eq!(fixture.balance(user).await, (137, 36));
    fixture.check().await;

    assert_eq!(make_all(fixture).await, [2, 3]);
    fixture.store.leases().rescue_all(fixture.now()).await.unwrap();
    work_off(fixture).await;
    assert_eq!(fixture.store.batches().finish(fixture.now()).await.unwrap(), 2);
    assert!(tasks().await.iter().all(|task| task.state.is_final()));
    let spent: u64 = tasks().await.iter().map(|task| task.consumed_points).sum();
    assert_eq!(fixture.balance(user).await, (200 - spent as i64, 0));
    fixture.check().await;
}

/// The number of the keeper's batch that has this id.
async fn batch(fixture: &Fixture, id: &str) -> BatchNo {
    let user = fixture.store.users().find_by_name("keeper").await.unwrap().unwrap().id;
    let batches = fixture.store.batches().list(user, PAGE).await.unwrap().list;
    batches.into_iter().find(|batch| batch.client_batch_id == id).unwrap().batch_no
}
