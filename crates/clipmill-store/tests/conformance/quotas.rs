//! Quotas of a user.

use clipmill_core::ids::UserId;
use clipmill_store::retention::Cutoffs;
use clipmill_store::*;

use super::batches::{new_batch, send};
use super::fixture::{
    Fixture, cutoffs, drawn_text, found, new_upload, plan, result, segment, task_error, with_url,
};

const DAY: i64 = 86_400_000;
const MB: u64 = 1_000_000;

pub async fn open_tasks_are_counted_until_they_end(fixture: &Fixture) {
    let (user, other) = (fixture.user(100).await, fixture.user(100).await);
    let quota = Quota { open_tasks: 2, ..Quota::default() };
    let submit = async |user: UserId, name: &str| {
        let mut task = fixture.new_task(user, &[1]);
        task.request.client_task_id = Some(name.into());
        task.quota = quota;
        fixture.store.tasks().submit(task, fixture.now()).await.unwrap()
    };
    let full = SubmitOutcome::TooManyOpenTasks { open: 2, limit: 2 };
    assert!(matches!(submit(user, "first").await, SubmitOutcome::Created(_)));
    fixture.preflight(found(vec![Ok(plan(1, &[&segment("a", 30)]))], &[segment("a", 30)])).await;
    assert!(matches!(submit(user, "second").await, SubmitOutcome::Created(_)));
    assert_eq!(submit(user, "third").await, full);
    assert_eq!(fixture.balance(user).await, (98, 2), "a refused task holds nothing");
    assert!(
        matches!(submit(user, "second").await, SubmitOutcome::Duplicate(_)),
        "a repeat is not another submission"
    );
    assert!(matches!(submit(other, "third").await, SubmitOutcome::Created(_)), "others are not concerned");

    // The second is rejected and no longer counts; so is the other user's.
    for _ in 0..2 {
        fixture.preflight(found(vec![Err(task_error("bad"))], &[])).await;
    }
    assert!(matches!(submit(user, "third").await, SubmitOutcome::Created(_)));
    assert_eq!(submit(user, "fourth").await, full);
    let tasks = (0..8).map(|_| NewTask { quota, ..fixture.new_task(user, &[1]) }).collect();
    let at_once = fixture.submit_at_once(tasks).await;
    assert!(at_once.iter().all(|outcome| *outcome == full), "{at_once:?}");
}

pub async fn results_and_uploads_are_counted_while_they_are_kept(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let start = fixture.now();
    let stored = async || {
        let now = fixture.now();
        fixture.store.library().stored_bytes(user, now - DAY, now).await.unwrap()
    };
    // Only of the files: requests and ledger records use some kilobytes.
    let files = async || stored().await / MB;
    let limit = 1_000 * MB + MB / 2;
    let quota = || Quota { stored_bytes: limit, uploads_since: fixture.now() - DAY, ..Quota::default() };
    let upload = async |id: &str, content: &str, size_bytes: u64| {
        let upload = NewUpload {
            size_bytes: size_bytes * MB,
            quota: quota(),
            ..new_upload(user, id, content, fixture.now())
        };
        fixture.store.library().add(upload).await.unwrap()
    };
    assert_eq!(upload("1", "aa", 300).await, UploadOutcome::Added);
    assert_eq!(upload("2", "aa", 300).await, UploadOutcome::Added);
    assert_eq!(files().await, 300, "the same content lies there once");

    let task_no = fixture.queued(user, &[segment("a", 30)]).await;
    fixture.make_segment("a").await;
    let lease = fixture.claim_finish(&task_no, 1).await;
    let file = ItemResult { size_bytes: 600 * MB, expires_at: start + 2 * DAY, ..result() };
    fixture.store.jobs().complete_item(lease, file, 1, fixture.now()).await.unwrap();
    assert_eq!(files().await, 900);

    let full = StorageFull { stored: stored().await, limit };
    assert_eq!(upload("3", "bb", 101).await, UploadOutcome::StorageFull(full));
    assert_eq!(fixture.store.library().upload(user, "3").await.unwrap(), None);
    let submit = async |stored_bytes: u64| {
        let task = NewTask { quota: Quota { stored_bytes, ..quota() }, ..fixture.new_task(user, &[1]) };
        fixture.store.tasks().submit(task, fixture.now()).await.unwrap()
    };
    assert!(matches!(submit(limit).await, SubmitOutcome::Created(_)), "there is some room left");
    assert_eq!(upload("4", "bb", 100).await, UploadOutcome::Added);
    let full = StorageFull { stored: stored().await, limit: stored().await };
    assert_eq!(submit(full.limit).await, SubmitOutcome::StorageFull(full));

    fixture.pass(DAY);
    assert_eq!(files().await, 600, "old uploads are gone");
    fixture.pass(DAY);
    assert_eq!(files().await, 0, "so is the result");
    assert!(matches!(submit(full.limit).await, SubmitOutcome::Created(_)));
}

pub async fn data_in_the_database_counts(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let stored = async || fixture.store.library().stored_bytes(user, 0, fixture.now()).await.unwrap();
    let mut last = stored().await;
    let mut grew = async |by: std::ops::Range<u64>, what: &str| {
        let now = stored().await;
        assert!(by.contains(&(now - last)), "{what}: {last} -> {now}");
        last = now;
    };
    let long = drawn_text(20_000);
    let named = |name: &str| {
        let mut task = fixture.new_task(user, &[1]);
        task.request.client_task_id = Some(name.into());
        with_url(task, format!("https://example.com/{long}"))
    };
    let first = fixture.submit_task(named("first")).await;
    grew(5_000..40_000, "a request").await;
    fixture.submit_task(named("second")).await;
    grew(1..2_000, "the same request under another name").await;
    let mut batch = new_batch(fixture, user, "batch", &[1, 1]);
    batch.rows[0].values.insert("long".to_owned(), long.clone().into());
    send(fixture, &batch).await;
    grew(20_000..30_000, "a batch").await;
    fixture.store.batches().cancel(user, &batch.batch_no, fixture.now()).await.unwrap();
    grew(1..1_000, "giving back the points of a batch").await;

    // Requests without a delivery are deleted after a while; shared bodies are kept.
    fixture.store.tasks().cancel(user, &first, fixture.now()).await.unwrap();
    grew(1..1_000, "giving back points").await;
    let lease = fixture
        .store
        .retention()
        .claim_maintenance("retention", "me", fixture.now(), 60_000)
        .await
        .unwrap()
        .unwrap();
    let now = fixture.now();
    let cutoffs = Cutoffs { undelivered_before: now, ..cutoffs(now, 0) };
    assert_eq!(fixture.store.retention().expired(&cutoffs).await.unwrap().requests, 1);
    assert_eq!(fixture.store.retention().expire_requests(&lease, &cutoffs, 10).await.unwrap(), 1);
    grew(0..1, "another task has the same request").await;
    assert_eq!(fixture.store.tasks().request(user, &first).await.unwrap(), Some(StoredRequest::Dropped));
    let repeat = fixture.store.tasks().submit(named("first"), fixture.now()).await.unwrap();
    assert!(matches!(repeat, SubmitOutcome::Duplicate(_)), "a repeat is still known: {repeat:?}");
    fixture.check().await;
}

pub async fn cancelled_and_rejected_outputs_are_limited_per_hour(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let quota = Quota { given_up_hourly: 5, ..Quota::default() };
    let submit = async || {
        let task = NewTask { quota, ..fixture.new_task(user, &[1, 1]) };
        fixture.store.tasks().submit(task, fixture.now()).await.unwrap()
    };
    for _ in 0..2 {
        let SubmitOutcome::Created(task) = submit().await else { panic!("there is room") };
        fixture.store.tasks().cancel(user, &task.task_no, fixture.now()).await.unwrap();
    }
    let batch = NewBatch { quota, ..new_batch(fixture, user, "batch", &[1, 1, 1]) };
    assert!(matches!(send(fixture, &batch).await, BatchOutcome::Created(_)), "four were given up");
    fixture.store.batches().cancel(user, &batch.batch_no, fixture.now()).await.unwrap();
    assert_eq!(submit().await, SubmitOutcome::TooManyCancelled { given_up: 7, limit: 5 });
    let another = NewBatch { quota, ..new_batch(fixture, user, "another", &[1]) };
    assert_eq!(
        send(fixture, &another).await,
        BatchOutcome::Refused(BatchRefusal::TooManyCancelled { given_up: 7, limit: 5 })
    );
    fixture.pass(3_600_001);
    assert!(matches!(submit().await, SubmitOutcome::Created(_)));
    fixture.check().await;
}
