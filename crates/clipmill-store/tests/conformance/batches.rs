//! Batches: stored completely or not at all, one task per row, ended once.

use clipmill_core::ids::{BatchNo, TaskNo, UserId};
use clipmill_core::message;
use clipmill_core::request::TaskNaming;
use clipmill_core::request::batch::client_task_id;
use clipmill_core::request::template::Template;
use clipmill_core::task::TaskState;
use clipmill_store::*;
use serde_json::json;

use super::fixture::{Fixture, found, new_upload, plan, segment, task_error};

/// A batch of rows with one item each, at these prices.
pub fn new_batch(fixture: &Fixture, user: UserId, id: &str, points: &[u64]) -> NewBatch {
    let now = fixture.now();
    let row = |(row, points): (u32, &u64)| NewRow {
        row,
        values: json!({ "n": row }).as_object().unwrap().clone(),
        seed: u64::MAX,
        items: vec![RowItem { seed: u64::MAX - 1, points: *points, expected: None }],
    };
    NewBatch {
        user,
        batch_no: BatchNo::new(now, [id.len() as u8; 10]),
        client_batch_id: id.to_owned(),
        request_sha256: [3; 32],
        name: None,
        callback_url: None,
        partial: false,
        max_points: None,
        template: Template { request: json!({}), variables: Vec::new() },
        kept_as: None,
        rows: (1..).zip(points).map(row).collect(),
        warnings: Vec::new(),
        uploads: Vec::new(),
        results: Vec::new(),
        max_open: 2,
        quota: Quota::default(),
    }
}

pub async fn send(fixture: &Fixture, batch: &NewBatch) -> BatchOutcome {
    fixture.store.batches().submit(batch.clone(), fixture.now()).await.unwrap()
}

/// The task of a row, as the service creates it.
pub fn task_of(fixture: &Fixture, due: &DueRow) -> NewTask {
    let mut task = fixture.new_task(due.user, &due.items.iter().map(|item| item.points).collect::<Vec<_>>());
    task.request.client_task_id = Some(client_task_id(&due.client_batch_id, due.row, due.retries));
    task
}

/// Turns all due rows into tasks; returns them.
pub async fn make_all(fixture: &Fixture) -> Vec<u32> {
    let mut made = Vec::new();
    loop {
        let mut settled = 0;
        for due in fixture.store.batches().due_rows(0).await.unwrap() {
            let task = task_of(fixture, &due);
            let outcome =
                fixture.store.batches().make_row(due.batch, due.row, task, fixture.now()).await.unwrap();
            if outcome == RowOutcome::Settled {
                made.push(due.row);
                settled += 1;
            }
        }
        if settled == 0 {
            return made;
        }
    }
}

async fn batch(fixture: &Fixture, new: &NewBatch) -> BatchRecord {
    fixture.store.batches().find(new.user, &new.batch_no).await.unwrap().unwrap()
}

async fn reject(fixture: &Fixture) {
    fixture.preflight(found(vec![Err(task_error("bad"))], &[])).await;
}

pub async fn the_whole_price_is_held_and_moves_to_tasks(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let new = NewBatch {
        callback_url: Some("https://called.example/".to_owned()),
        ..new_batch(fixture, user, "june", &[5, 7, 0])
    };
    assert_eq!(send(fixture, &new).await, BatchOutcome::Created(new.batch_no.clone()));
    assert_eq!(fixture.balance(user).await, (88, 12));
    fixture.check().await;
    // Sent again it is the same; other content is refused; another user's id is their own.
    assert_eq!(send(fixture, &new).await, BatchOutcome::Duplicate(new.batch_no.clone()));
    let other = NewBatch { request_sha256: [4; 32], ..new.clone() };
    assert_eq!(send(fixture, &other).await, BatchOutcome::Conflict { batch_no: new.batch_no.clone() });

    assert_eq!(make_all(fixture).await, [1, 2, 3]);
    assert_eq!(fixture.balance(user).await, (88, 12));
    fixture.check().await;
    let about = batch(fixture, &new).await;
    assert_eq!((about.made_rows, about.waiting_rows, about.total_items), (3, 0, 3));
    assert_eq!(fixture.store.batches().finish(fixture.now()).await.unwrap(), 0);
    let failed = async || {
        let page = Page { number: 1, size: 9 };
        fixture.store.batches().rows(about.id, RowFilter::Failed, page).await.unwrap()
    };
    for count in 0..3 {
        assert_eq!(failed().await.total, count);
        reject(fixture).await;
    }
    let first = failed().await.list.remove(0).task.unwrap();
    assert_eq!((first.completed_items, first.failed_items, first.error.is_some()), (0, 1, true));
    assert_eq!(fixture.store.batches().owner(&new.batch_no).await.unwrap(), Some(user));
    assert_eq!(fixture.store.batches().finish(fixture.now()).await.unwrap(), 1);
    assert_eq!(fixture.store.batches().finish(fixture.now()).await.unwrap(), 0);
    // The batch has one event, at its end.
    let event = fixture.store.callbacks().claim(fixture.now(), 30_000, 9).await.unwrap().unwrap();
    assert_eq!(
        (event.kind.as_str(), &event.subject),
        ("batch.failed", &Subject::Batch(new.batch_no.clone()))
    );
    assert_eq!((event.user, event.url.as_str()), (user, "https://called.example/"));
    assert_eq!(
        fixture.store.callbacks().open_deliveries(9).await.unwrap()[0].subject.number(),
        new.batch_no.as_str()
    );
    // Its owner sees its delivery status, and requests redelivery.
    let stranger = fixture.user(0).await;
    assert_eq!(fixture.store.callbacks().find(stranger, &event.subject).await.unwrap(), None);
    assert_eq!(
        fixture.store.callbacks().redeliver(stranger, &event.subject, fixture.now()).await.unwrap(),
        None
    );
    let sending = fixture.store.callbacks().redeliver(user, &event.subject, fixture.now()).await.unwrap();
    assert_eq!(sending, Some(RedeliverOutcome::Sending));
    let attempt = DeliveryAttempt { started_at: 1, duration_ms: Some(7), status: Some(204), error: None };
    let delivered = AttemptOutcome::Delivered;
    fixture.store.callbacks().report_attempt(&event.lease, attempt, delivered, fixture.now()).await.unwrap();
    let seen = fixture.store.callbacks().find(user, &event.subject).await.unwrap().unwrap().event.unwrap();
    assert_eq!((seen.state, seen.attempts.len()), (DeliveryState::Delivered, 1));
    let due = fixture.store.callbacks().redeliver(user, &event.subject, fixture.now()).await.unwrap();
    assert_eq!(due, Some(RedeliverOutcome::Due));
    let again = fixture.store.callbacks().claim(fixture.now(), 30_000, 9).await.unwrap().unwrap();
    assert_eq!((again.step, &again.lease.event_id), (0, &event.lease.event_id));
    let about = batch(fixture, &new).await;
    assert_eq!((about.state, about.failed_items, about.done_thousandths), (TaskState::Failed, 3, 3_000));
    assert_eq!(fixture.balance(user).await, (100, 0));
    let rows =
        fixture.store.batches().rows(about.id, RowFilter::All, Page { number: 1, size: 2 }).await.unwrap();
    assert_eq!((rows.total, rows.list[1].row, rows.list[1].state), (3, 2, RowState::Made));
    assert_eq!(rows.list[1].task.as_ref().unwrap().state, Some(TaskState::Rejected));
    let items = fixture.store.batches().items(about.id, (1, 1), 9).await.unwrap();
    assert_eq!(items.iter().map(|item| (item.row, item.item_no)).collect::<Vec<_>>(), [(2, 1), (3, 1)]);
    let page = Page { number: 1, size: 9 };
    let moved = fixture.store.points().movements(user, &MovementFilter::default(), page).await.unwrap();
    assert!(moved.list.iter().any(|movement| movement.batch_no.as_ref() == Some(&new.batch_no)));
    fixture.check().await;
}

pub async fn a_batch_without_the_points_is_refused_unless_it_may_be_partial(fixture: &Fixture) {
    let user = fixture.user(10).await;
    let new = new_batch(fixture, user, "poor", &[4, 5, 6]);
    assert_eq!(
        send(fixture, &new).await,
        BatchOutcome::Refused(BatchRefusal::InsufficientPoints { needed: 15, available: 10 })
    );
    assert_eq!(fixture.balance(user).await, (10, 0));
    let partial = NewBatch { partial: true, ..new };
    assert_eq!(send(fixture, &partial).await, BatchOutcome::Created(partial.batch_no.clone()));
    assert_eq!(fixture.balance(user).await, (1, 9));
    assert_eq!(make_all(fixture).await, [1, 2]);
    let about = batch(fixture, &partial).await;
    assert_eq!((about.made_rows, about.refused_rows, about.submitted_points), (2, 1, 9));
    let refused = fixture
        .store
        .batches()
        .rows(about.id, RowFilter::In(RowState::Refused), Page { number: 1, size: 9 })
        .await;
    assert_eq!(refused.unwrap().list[0].error, Some(message::row_without_points()));
    let nothing = NewBatch { partial: true, ..new_batch(fixture, user, "nothing", &[5]) };
    assert!(matches!(
        send(fixture, &nothing).await,
        BatchOutcome::Refused(BatchRefusal::InsufficientPoints { .. })
    ));
    fixture.check().await;
}

pub async fn a_row_becomes_one_task_despite_concurrent_attempts(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let new = new_batch(fixture, user, "twice", &[5, 5]);
    send(fixture, &new).await;
    let due = fixture.store.batches().due_rows(0).await.unwrap().remove(0);
    let (a, b) = (task_of(fixture, &due), task_of(fixture, &due));
    let tries = tokio::join!(
        fixture.store.batches().make_row(due.batch, due.row, a, fixture.now()),
        fixture.store.batches().make_row(due.batch, due.row, b, fixture.now()),
    );
    let outcomes = [tries.0.unwrap(), tries.1.unwrap()];
    assert!(
        outcomes.contains(&RowOutcome::Settled) && outcomes.contains(&RowOutcome::NotDue),
        "{outcomes:?}"
    );
    // Another task that already has the row's ID keeps it.
    let mut taken = fixture.new_task(user, &[1]);
    taken.request.client_task_id = Some("twice#2".to_owned());
    taken.request_sha256 = [9; 32];
    fixture.submit_task(taken).await;
    assert_eq!(make_all(fixture).await, [2]);
    let about = batch(fixture, &new).await;
    assert_eq!((about.made_rows, about.refused_rows), (1, 1));
    assert_eq!(fixture.balance(user).await, (94, 6));
    fixture.check().await;
}

async fn retry_row(fixture: &Fixture, user: UserId, of: &NewBatch, row: u32) -> Option<RetryOutcome> {
    let NewBatch { batch_no, max_open, quota, .. } = of.clone();
    let retry = RowRetry { user, batch_no, row, max_open, quota };
    fixture.store.batches().retry_row(retry, fixture.now()).await.unwrap()
}

pub async fn a_failed_row_is_retried_in_its_batch(fixture: &Fixture) {
    let user = fixture.user(20).await;
    let url = Some("https://called.example/".to_owned());
    let new = NewBatch { callback_url: url, ..new_batch(fixture, user, "june", &[5, 7]) };
    send(fixture, &new).await;
    let retry = async |user, row| retry_row(fixture, user, &new, row).await;
    let rows = async |id| {
        let page = Page { number: 1, size: 9 };
        fixture.store.batches().rows(id, RowFilter::All, page).await.unwrap().list
    };
    // A row without a task, and one whose task has not ended.
    assert_eq!(retry(user, 1).await, Some(RetryOutcome::NotFailed));
    make_all(fixture).await;
    assert_eq!(retry(user, 1).await, Some(RetryOutcome::NotFailed));
    for _ in 0..2 {
        reject(fixture).await;
    }
    assert_eq!(fixture.store.batches().finish(fixture.now()).await.unwrap(), 1);
    let event = fixture.store.callbacks().claim(fixture.now(), 30_000, 9).await.unwrap().unwrap();
    let (before, first) = (batch(fixture, &new).await, rows(1).await.remove(0).task.unwrap());
    assert_eq!((before.state, before.failed_items), (TaskState::Failed, 2));

    let stranger = fixture.user(20).await;
    assert_eq!(retry(stranger, 1).await, None);
    assert_eq!(retry(user, 3).await, None);
    assert_eq!(retry(user, 1).await, Some(RetryOutcome::Waiting));
    assert_eq!(fixture.balance(user).await, (15, 5));
    assert_eq!(retry(user, 1).await, Some(RetryOutcome::NotFailed));
    assert_eq!(fixture.balance(user).await, (15, 5));
    fixture.check().await;
    let reopened = batch(fixture, &new).await;
    assert_eq!((reopened.state, reopened.waiting_rows, reopened.made_rows), (TaskState::Executing, 1, 1));
    assert_eq!((reopened.failed_items, reopened.finished_at), (1, None));
    // The callback for the first end is not continued.
    let attempt = DeliveryAttempt { started_at: 1, duration_ms: Some(7), status: Some(500), error: None };
    let outcome = AttemptOutcome::Delivered;
    assert!(
        fixture
            .store
            .callbacks()
            .report_attempt(&event.lease, attempt, outcome, fixture.now())
            .await
            .is_err()
    );
    assert_eq!(fixture.store.batches().finish(fixture.now()).await.unwrap(), 0);

    assert_eq!(make_all(fixture).await, [1]);
    assert_eq!(fixture.balance(user).await, (15, 5));
    fixture.check().await;
    let second = rows(reopened.id).await.remove(0).task.unwrap();
    assert_ne!(second.task_no, first.task_no);
    let earlier = fixture.store.tasks().find(user, &first.task_no).await.unwrap().unwrap();
    assert_eq!(earlier.state, TaskState::Rejected);
    reject(fixture).await;
    assert_eq!(fixture.store.batches().finish(fixture.now()).await.unwrap(), 1);
    let again = fixture.store.callbacks().claim(fixture.now(), 30_000, 9).await.unwrap().unwrap();
    assert_ne!(again.lease.event_id, event.lease.event_id);
    assert_eq!(again.subject, Subject::Batch(new.batch_no.clone()));
    fixture.check().await;

    // Without the points it stays as it was.
    fixture.store.points().deduct(user, 18, "spent", fixture.now()).await.unwrap();
    let missing = RetryOutcome::Refused(BatchRefusal::InsufficientPoints { needed: 7, available: 2 });
    assert_eq!(retry(user, 2).await, Some(missing));
    assert_eq!(batch(fixture, &new).await.state, TaskState::Failed);
    // While it waits, its batch can be cancelled, which releases its points.
    fixture.store.points().grant(user, 8, "more", fixture.now()).await.unwrap();
    assert_eq!(retry(user, 2).await, Some(RetryOutcome::Waiting));
    assert_eq!(fixture.store.batches().cancel(user, &new.batch_no, fixture.now()).await.unwrap(), Some(true));
    assert_eq!(fixture.balance(user).await, (10, 0));
    assert_eq!(fixture.store.batches().finish(fixture.now()).await.unwrap(), 1);
    assert_eq!(retry(user, 1).await, Some(RetryOutcome::Cancelled));
    fixture.check().await;
}

pub async fn a_row_is_retried_while_others_wait(fixture: &Fixture) {
    let user = fixture.user(20).await;
    let new = new_batch(fixture, user, "june", &[5, 7]);
    send(fixture, &new).await;
    let due = fixture.store.batches().due_rows(0).await.unwrap().remove(0);
    let task = task_of(fixture, &due);
    fixture.store.batches().make_row(due.batch, due.row, task, fixture.now()).await.unwrap();
    reject(fixture).await;
    assert_eq!(fixture.balance(user).await, (13, 7));
    let retry = retry_row(fixture, user, &new, 1).await;
    assert_eq!(retry, Some(RetryOutcome::Waiting));
    assert_eq!(fixture.balance(user).await, (8, 12));
    fixture.check().await;
    assert_eq!(make_all(fixture).await, [1, 2]);
    assert_eq!(fixture.balance(user).await, (8, 12));
    fixture.check().await;
    for _ in 0..2 {
        reject(fixture).await;
    }
    assert_eq!(fixture.store.batches().finish(fixture.now()).await.unwrap(), 1);
    assert_eq!(fixture.balance(user).await, (20, 0));
    fixture.check().await;

    // A refused row is held for the first time.
    let poor = fixture.user(5).await;
    let few = NewBatch { partial: true, ..new_batch(fixture, poor, "july", &[5, 7]) };
    send(fixture, &few).await;
    assert_eq!((batch(fixture, &few).await.submitted_points, fixture.balance(poor).await), (5, (0, 5)));
    fixture.store.points().grant(poor, 7, "more", fixture.now()).await.unwrap();
    let retry = retry_row(fixture, poor, &few, 2).await;
    assert_eq!(retry, Some(RetryOutcome::Waiting));
    assert_eq!((batch(fixture, &few).await.submitted_points, fixture.balance(poor).await), (12, (0, 12)));
    assert_eq!(make_all(fixture).await, [1, 2]);
    fixture.check().await;
}

pub async fn a_retried_row_keeps_to_the_limits_of_batches(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let new = NewBatch { max_points: Some(6), ..new_batch(fixture, user, "june", &[6]) };
    send(fixture, &new).await;
    make_all(fixture).await;
    // It ends while it is paused.
    fixture.store.batches().pause(user, &new.batch_no, true, fixture.now()).await.unwrap().unwrap();
    reject(fixture).await;
    assert_eq!(fixture.store.batches().finish(fixture.now()).await.unwrap(), 1);
    // As many batches are open as allowed.
    let mut others = vec![new_batch(fixture, user, "july", &[1]), new_batch(fixture, user, "august", &[1])];
    for other in &others {
        assert_eq!(send(fixture, other).await, BatchOutcome::Created(other.batch_no.clone()));
    }
    let refused = RetryOutcome::Refused(BatchRefusal::TooManyOpen { open: 2, limit: 2 });
    assert_eq!(retry_row(fixture, user, &new, 1).await, Some(refused));
    assert_eq!(fixture.balance(user).await, (98, 2));
    let last = others.pop().unwrap();
    fixture.store.batches().cancel(user, &last.batch_no, fixture.now()).await.unwrap();
    assert_eq!(fixture.store.batches().finish(fixture.now()).await.unwrap(), 1);
    // The user has given up as much as allowed.
    let strict = NewBatch { quota: Quota { given_up_hourly: 1, ..Quota::default() }, ..new.clone() };
    let refused = retry_row(fixture, user, &strict, 1).await.unwrap();
    assert!(matches!(refused, RetryOutcome::Refused(BatchRefusal::TooManyCancelled { .. })), "{refused:?}");
    // The pause has ended with the batch.
    assert_eq!(retry_row(fixture, user, &new, 1).await, Some(RetryOutcome::Waiting));
    assert!(!batch(fixture, &new).await.paused);
    assert_eq!(make_all(fixture).await.len(), 2);
    fixture.check().await;
}

pub async fn replaced_tasks_count_for_the_limit_of_their_batch(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let of_two = |id: &str, max_points| {
        let mut batch = NewBatch { max_points: Some(max_points), ..new_batch(fixture, user, id, &[5]) };
        let item = batch.rows[0].items[0];
        batch.rows[0].items.push(item);
        batch
    };
    for (id, max_points) in [("june", 14), ("july", 15)] {
        let new = of_two(id, max_points);
        send(fixture, &new).await;
        make_all(fixture).await;
        let page = Page { number: 1, size: 9 };
        let rows = fixture.store.batches().rows(batch(fixture, &new).await.id, RowFilter::All, page);
        let task = rows.await.unwrap().list.remove(0).task.unwrap().task_no;
        // One of two outputs is delivered.
        let clip = segment(id, 60);
        fixture.preflight(found(vec![Ok(plan(5, &[&clip])), Err(task_error("bad"))], &[clip])).await;
        fixture.make_segment(id).await;
        fixture.deliver(&task, 1, 5).await;
        assert_eq!(fixture.store.batches().finish(fixture.now()).await.unwrap(), 1);
        let outcome = retry_row(fixture, user, &new, 1).await.unwrap();
        if max_points == 14 {
            let refusal = BatchRefusal::AboveLimit { price: 15, max_points };
            assert_eq!(outcome, RetryOutcome::Refused(refusal));
            continue;
        }
        assert_eq!(outcome, RetryOutcome::Waiting);
        let reopened = batch(fixture, &new).await;
        assert_eq!((reopened.consumed_points, reopened.completed_items), (5, 0));
        assert_eq!(make_all(fixture).await, [1]);
    }
    fixture.check().await;
}

pub async fn a_paused_batch_waits_and_a_cancelled_one_gives_back(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let stranger = fixture.user(100).await;
    let new = new_batch(fixture, user, "stop", &[5, 5, 5]);
    send(fixture, &new).await;
    let pause = async |user, paused| {
        fixture.store.batches().pause(user, &new.batch_no, paused, fixture.now()).await.unwrap()
    };
    assert_eq!(pause(stranger, true).await, None);
    assert_eq!(pause(user, true).await, Some(()));
    assert_eq!(make_all(fixture).await, Vec::<u32>::new());
    assert!(batch(fixture, &new).await.paused);
    pause(user, false).await;
    let due = fixture.store.batches().due_rows(0).await.unwrap().remove(0);
    fixture
        .store
        .batches()
        .make_row(due.batch, due.row, task_of(fixture, &due), fixture.now())
        .await
        .unwrap();

    let cancel =
        async |user| fixture.store.batches().cancel(user, &new.batch_no, fixture.now()).await.unwrap();
    assert_eq!(cancel(stranger).await, None);
    assert_eq!(cancel(user).await, Some(true));
    assert_eq!(fixture.balance(user).await, (95, 5));
    // One hold for all rows, and one release for those that did not become tasks.
    let page = Page { number: 1, size: 99 };
    let moved = fixture.store.points().movements(user, &MovementFilter::default(), page).await.unwrap().list;
    let of_batch = moved.iter().filter(|movement| movement.batch_no.is_some());
    let of_batch: Vec<_> =
        of_batch.map(|movement| (movement.kind, movement.amount, movement.item_no)).rev().collect();
    let expected = [(MovementType::Hold, 15), (MovementType::Release, 5), (MovementType::Release, 10)];
    assert_eq!(of_batch, expected.map(|(kind, amount)| (kind, amount, None)));
    assert_eq!(make_all(fixture).await, Vec::<u32>::new());
    // Cancelled halfway: the remaining tasks are listed again.
    let left = fixture.store.batches().tasks_to_cancel().await.unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!(fixture.store.batches().finish(fixture.now()).await.unwrap(), 0);
    fixture.store.tasks().cancel(left[0].0, &left[0].1, fixture.now()).await.unwrap();
    assert_eq!(fixture.store.batches().finish(fixture.now()).await.unwrap(), 1);
    let about = batch(fixture, &new).await;
    assert_eq!((about.state, about.refused_rows, about.made_rows), (TaskState::Cancelled, 2, 1));
    assert_eq!(fixture.balance(user).await, (100, 0));
    assert_eq!(cancel(user).await, Some(false));
    fixture.check().await;
}

pub async fn a_batch_keeps_to_limits_and_its_uploads_are_kept(fixture: &Fixture) {
    let user = fixture.user(1_000).await;
    let upload = new_upload(user, "batch-clip", "dd", fixture.now());
    fixture.store.library().add(upload).await.unwrap();
    let first =
        NewBatch { uploads: vec!["batch-clip".to_owned()], ..new_batch(fixture, user, "one", &[1; 120]) };
    send(fixture, &first).await;
    send(fixture, &new_batch(fixture, user, "second", &[1])).await;
    let third = new_batch(fixture, user, "number three", &[1]);
    assert_eq!(
        send(fixture, &third).await,
        BatchOutcome::Refused(BatchRefusal::TooManyOpen { open: 2, limit: 2 })
    );
    assert_eq!(
        fixture.store.library().delete(user, "batch-clip").await.unwrap(),
        Some(DeleteOutcome::InUse(first.batch_no.to_string()))
    );
    // Both continue in turn; not all tasks of a large batch exist at the same time.
    let made = make_all(fixture).await;
    assert_eq!((&made[..3], made.len()), (&[1, 1, 2][..], 101));
    // A user at the limit of open tasks waits.
    let due = fixture.store.batches().due_rows(0).await.unwrap();
    assert!(due.is_empty());
    fixture
        .store
        .tasks()
        .cancel(
            user,
            &fixture
                .store
                .tasks()
                .list(user, &TaskFilter::default(), Page { number: 1, size: 1 })
                .await
                .unwrap()
                .list[0]
                .task_no,
            fixture.now(),
        )
        .await
        .unwrap();
    let due = fixture.store.batches().due_rows(0).await.unwrap().remove(0);
    let full = NewTask { quota: Quota { open_tasks: 1, ..Quota::default() }, ..task_of(fixture, &due) };
    let outcome = fixture.store.batches().make_row(due.batch, due.row, full, fixture.now()).await.unwrap();
    assert_eq!(outcome, RowOutcome::Later);
    fixture
        .store
        .batches()
        .refuse_row(user, due.batch, due.row, message::row_not_made(), fixture.now())
        .await
        .unwrap();
    fixture.check().await;
}

/// A row becomes a task or waits, at any limit: its ledger record counts against the same quota.
pub async fn a_row_near_the_storage_quota_becomes_a_task_or_waits(fixture: &Fixture) {
    let user = fixture.user(1_000).await;
    send(fixture, &new_batch(fixture, user, "june", &[1; 40])).await;
    let mut outcomes = Vec::new();
    let limits = |stored_bytes| Quota { stored_bytes, ..Quota::default() };
    for stored_bytes in (20_000..60_000).step_by(250) {
        let Some(due) = fixture.store.batches().due_rows(0).await.unwrap().into_iter().next() else { break };
        let task = NewTask { quota: limits(stored_bytes), ..task_of(fixture, &due) };
        outcomes
            .push(fixture.store.batches().make_row(due.batch, due.row, task, fixture.now()).await.unwrap());
    }
    assert!(outcomes.contains(&RowOutcome::Later) && outcomes.contains(&RowOutcome::Settled), "{outcomes:?}");
    fixture.check().await;
}

pub async fn files_are_named_by_task_batch_and_row(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let title = async |task_no: &TaskNo| fixture.store.tasks().title(task_no).await.unwrap();
    let single = fixture.submit(user, &[1]).await;
    assert_eq!(title(&single).await, Some(TaskTitle::default()));
    let named = TaskNaming { name: Some("Mug".to_owned()), labels: None };
    assert!(fixture.store.tasks().rename(user, &single, &named).await.unwrap());
    assert_eq!(title(&single).await, Some(TaskTitle { name: Some("Mug".to_owned()), batch: None }));
    assert_eq!(title(&TaskNo::new(fixture.now(), [9; 10])).await, None);

    let new = NewBatch { name: Some("Sale".to_owned()), ..new_batch(fixture, user, "named", &[1, 1]) };
    send(fixture, &new).await;
    make_all(fixture).await;
    let about = batch(fixture, &new).await;
    let rows =
        fixture.store.batches().rows(about.id, RowFilter::All, Page { number: 1, size: 9 }).await.unwrap();
    let second = rows.list[1].task.as_ref().unwrap().task_no.clone();
    let row = RowTitle { name: Some("Sale".to_owned()), row: 2, values: new.rows[1].values.clone() };
    assert_eq!(title(&second).await, Some(TaskTitle { name: None, batch: Some(row) }));
}

pub async fn a_batch_is_one_entry_among_tasks(fixture: &Fixture) {
    let (user, stranger) = (fixture.user(1_000).await, fixture.user(1_000).await);
    fixture.submit(stranger, &[1]).await;
    let before = fixture.submit(user, &[1]).await;
    fixture.pass(10);
    // It creates one task at a time, so its tasks are on both sides of the next one.
    let large = new_batch(fixture, user, "large", &[1; 150]);
    send(fixture, &large).await;
    fixture.pass(10);
    let between = fixture.submit(user, &[1]).await;
    fixture.pass(10);
    assert_eq!(make_all(fixture).await.len(), 100, "the tasks of a batch that are open at once");
    let waiting = new_batch(fixture, user, "waits", &[1]);
    fixture.pass(10);
    send(fixture, &waiting).await;
    fixture.pass(10);
    let after = fixture.submit(user, &[1]).await;

    let numbers = [
        after.to_string(),
        waiting.batch_no.to_string(),
        between.to_string(),
        large.batch_no.to_string(),
        before.to_string(),
    ];
    for size in [1, 2, 3, 5, 9] {
        let mut seen = Vec::new();
        for number in 1..=5_u32.div_ceil(size) + 1 {
            let page = Page { number, size };
            let page_of_tasks =
                fixture.store.batches().grouped_tasks(user, &TaskFilter::default(), page).await.unwrap();
            assert_eq!(page_of_tasks.total, 5);
            let tasks = page_of_tasks.tasks.iter().map(|task| (task.created_at, task.task_no.to_string()));
            let batches =
                page_of_tasks.batches.iter().map(|batch| (batch.created_at, batch.batch_no.to_string()));
            let mut entries: Vec<_> = tasks.chain(batches).collect();
            assert!(entries.len() <= size as usize);
            entries.sort_by_key(|(created, _)| std::cmp::Reverse(*created));
            seen.extend(entries.into_iter().map(|(_, number)| number));
        }
        assert_eq!(seen, numbers, "pages of {size}");
    }
    let all =
        fixture.store.tasks().list(user, &TaskFilter::default(), Page { number: 1, size: 9 }).await.unwrap();
    assert_eq!(all.total, 103, "unless they are folded, tasks are listed one by one");
    let large = batch(fixture, &large).await;
    let from =
        TaskFilter { from: Some(large.created_at), to: Some(large.created_at + 1), ..TaskFilter::default() };
    let page_of_tasks =
        fixture.store.batches().grouped_tasks(user, &from, Page { number: 1, size: 9 }).await.unwrap();
    assert_eq!((page_of_tasks.total, page_of_tasks.tasks.len(), page_of_tasks.batches), (1, 0, vec![large]));
}
