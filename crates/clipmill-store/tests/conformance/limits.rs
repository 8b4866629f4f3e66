//! Price limits: neither a task nor a batch costs more than its `maxPoints`.

use clipmill_core::ids::TaskNo;
use clipmill_store::*;

use super::batches::{make_all, new_batch, send, task_of};
use super::fixture::{Fixture, found, plan, segment};

fn limited(mut task: NewTask, max_points: u64) -> NewTask {
    task.request.client_task_id = Some("mine".to_owned());
    task.request.max_points = Some(max_points);
    task
}

pub async fn an_estimate_above_the_limit_stores_nothing(fixture: &Fixture) {
    let user = fixture.user(30).await;
    let submit = async |points: &[u64], limit| {
        fixture
            .store
            .tasks()
            .submit(limited(fixture.new_task(user, points), limit), fixture.now())
            .await
            .unwrap()
    };
    assert_eq!(submit(&[10, 5], 14).await, SubmitOutcome::AboveLimit { price: 15, max_points: 14 });
    // The limit is reported even if the points are too few as well.
    assert_eq!(submit(&[40], 39).await, SubmitOutcome::AboveLimit { price: 40, max_points: 39 });
    assert_eq!(fixture.balance(user).await, (30, 0));
    assert!(fixture.try_claim().await.is_none());

    let SubmitOutcome::Created(created) = submit(&[10, 5], 15).await else { panic!() };
    // Sent again, the first limit counts.
    for limit in [0, 14, 100] {
        assert_eq!(submit(&[10, 5], limit).await, SubmitOutcome::Duplicate(created.clone()));
    }
    let piece = segment("a", 30);
    let price = vec![Ok(plan(10, &[&piece])), Ok(plan(6, &[&piece]))];
    fixture.preflight(found(price, &[piece])).await;
    assert_eq!(fixture.states(user, &created.task_no).await, (6, vec![6, 6]));
    let Some(StoredRequest::Kept(kept)) =
        fixture.store.tasks().request(user, &created.task_no).await.unwrap()
    else {
        panic!("it is kept")
    };
    assert_eq!(kept.max_points, Some(15));
}

pub async fn a_confirmed_price_above_the_limit_rejects(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let piece = segment("a", 30);
    let task_no = fixture.submit_task(limited(fixture.new_task(user, &[10, 10]), 30)).await;
    assert_eq!(fixture.task(user, &task_no).await.price, None);
    let price = vec![Ok(plan(15, &[&piece])), Ok(plan(16, &[&piece]))];
    fixture.preflight(found(price, std::slice::from_ref(&piece))).await;
    let task = fixture.task(user, &task_no).await;
    assert_eq!((task.state.code(), task.price, task.failed_items), (6, Some(31), 0));
    let message = task.error_message.unwrap();
    assert!(message.contains("31 points") && message.contains("maxPoints (30)"), "{message}");
    assert_eq!(fixture.balance(user).await, (100, 0));
    assert!(fixture.try_claim().await.is_none());

    // At the limit it is accepted, and delivered outputs cannot cost more.
    let mut task = limited(fixture.new_task(user, &[10]), 30);
    task.request.client_task_id = None;
    let task_no = fixture.submit_task(task).await;
    fixture.preflight(found(vec![Ok(plan(30, &[&piece]))], &[piece])).await;
    assert_eq!(fixture.balance(user).await, (70, 30));
    fixture.make_segment("a").await;
    fixture.deliver(&task_no, 1, 31).await;
    let task = fixture.task(user, &task_no).await;
    assert_eq!((task.state.code(), task.price, task.consumed_points), (3, Some(30), 30));
    assert_eq!(fixture.balance(user).await, (70, 0));
}

/// The tasks of a batch's rows, in their order.
async fn tasks_of(fixture: &Fixture, batch: &NewBatch) -> Vec<TaskNo> {
    let page = Page { number: 1, size: 100 };
    let record = fixture.store.batches().find(batch.user, &batch.batch_no).await.unwrap().unwrap();
    let rows = fixture.store.batches().rows(record.id, RowFilter::All, page).await.unwrap();
    rows.list.into_iter().map(|row| row.task.unwrap().task_no).collect()
}

pub async fn a_batch_never_costs_more_than_its_limit(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let above = NewBatch { max_points: Some(14), ..new_batch(fixture, user, "june", &[5, 5, 5]) };
    assert_eq!(
        send(fixture, &above).await,
        BatchOutcome::Refused(BatchRefusal::AboveLimit { price: 15, max_points: 14 })
    );
    assert_eq!(fixture.balance(user).await, (100, 0));

    let batch = NewBatch { max_points: Some(20), ..above };
    assert!(matches!(send(fixture, &batch).await, BatchOutcome::Created(_)));
    let lower = NewBatch { max_points: Some(1), ..batch.clone() };
    assert!(matches!(send(fixture, &lower).await, BatchOutcome::Duplicate(_)), "the first limit counts");
    assert_eq!(make_all(fixture).await, [1, 2, 3]);
    let tasks = tasks_of(fixture, &batch).await;
    let [a, b, c] = ["a", "b", "c"].map(|name| segment(name, 30));
    let price = async |points, piece: &NewSegment| {
        fixture.preflight(found(vec![Ok(plan(points, &[piece]))], std::slice::from_ref(piece))).await;
    };
    // 9 and the estimates of the others are 19.
    price(9, &a).await;
    assert_eq!(fixture.states(user, &tasks[0]).await.0, 1);
    // 2 more would be 21.
    price(7, &b).await;
    let rejected = fixture.task(user, &tasks[1]).await;
    assert_eq!((rejected.state.code(), rejected.price), (6, Some(7)));
    let message = rejected.error_message.unwrap();
    assert!(message.contains("7 points") && message.contains("leaves 6"), "{message}");
    assert_eq!(fixture.balance(user).await, (86, 14));
    let third = fixture.claim().await.lease;
    fixture.make_segment("a").await;
    fixture.deliver(&tasks[0], 1, 8).await;
    // The charged amount counts, not the held one: 8 and 12 are 20.
    let priced = found(vec![Ok(plan(12, &[&c]))], &[c]);
    fixture.store.jobs().complete_preflight(third, priced, fixture.now()).await.unwrap();
    assert_eq!(fixture.states(user, &tasks[2]).await.0, 1);
    assert_eq!(fixture.balance(user).await, (80, 12));
}

pub async fn a_row_is_priced_while_others_of_its_batch_wait(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let batch = NewBatch { max_points: Some(25), ..new_batch(fixture, user, "june", &[5, 5, 5, 5]) };
    assert!(matches!(send(fixture, &batch).await, BatchOutcome::Created(_)));
    let due = fixture.store.batches().due_rows(0).await.unwrap().remove(0);
    let task = task_of(fixture, &due);
    fixture.store.batches().make_row(due.batch, due.row, task.clone(), fixture.now()).await.unwrap();
    // 10 and the estimates of the three others, which the batch still holds, are 25.
    let piece = segment("a", 30);
    fixture.preflight(found(vec![Ok(plan(10, &[&piece]))], std::slice::from_ref(&piece))).await;
    assert_eq!(fixture.states(user, &task.task_no).await.0, 1);
    assert_eq!(fixture.balance(user).await, (75, 25));
}

pub async fn rows_planned_at_once_stay_below_the_batch_limit(fixture: &Fixture) {
    let user = fixture.user(1_000).await;
    let batch = NewBatch { max_points: Some(15), ..new_batch(fixture, user, "june", &[1; 10]) };
    assert!(matches!(send(fixture, &batch).await, BatchOutcome::Created(_)));
    assert_eq!(make_all(fixture).await.len(), 10);
    let mut planning = Vec::new();
    for row in 0..10 {
        let (store, now, lease) = (fixture.store.clone(), fixture.now(), fixture.claim().await.lease);
        let piece = segment(&format!("piece {row}"), 30);
        let result = found(vec![Ok(plan(2, &[&piece]))], &[piece]);
        planning.push(tokio::spawn(async move {
            store.jobs().complete_preflight(lease, result, now).await.unwrap()
        }));
    }
    for row in planning {
        row.await.unwrap();
    }
    // Five rows at 2 points and five estimates are 15; from then on each rejected row allows another one.
    let mut states = Vec::new();
    for task in tasks_of(fixture, &batch).await {
        states.push(fixture.states(user, &task).await.0);
    }
    assert_eq!(states.iter().filter(|state| **state == 1).count(), 7, "{states:?}");
    assert_eq!(fixture.balance(user).await, (986, 14));
}

pub async fn a_row_above_the_limit_of_its_own_request_is_refused(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let batch = new_batch(fixture, user, "june", &[5]);
    send(fixture, &batch).await;
    let due = fixture.store.batches().due_rows(0).await.unwrap().remove(0);
    let task = limited(fixture.new_task(user, &[5]), 4);
    let made = fixture.store.batches().make_row(due.batch, due.row, task, fixture.now()).await.unwrap();
    assert_eq!(made, RowOutcome::Settled);
    let record = fixture.store.batches().find(user, &batch.batch_no).await.unwrap().unwrap();
    assert_eq!((record.refused_rows, record.made_rows), (1, 0));
    assert_eq!(fixture.balance(user).await, (100, 0));
}
