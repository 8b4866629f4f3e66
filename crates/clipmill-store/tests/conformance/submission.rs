//! Submitting: a task is written completely or not at all, and once.

use clipmill_core::message;
use clipmill_core::plan::Warning;
use clipmill_store::*;

use super::fixture::{Fixture, found, plan, segment};

pub async fn a_submission_holds_points_for_each_item(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.submit(user, &[10, 20]).await;
    assert_eq!(fixture.balance(user).await, (70, 30));
    let task = fixture.task(user, &task_no).await;
    assert_eq!((task.state.code(), task.total_items, task.estimated_points), (0, 2, 30));
    assert_eq!(task.seed, u64::MAX);
    assert_eq!(
        task.items.iter().map(|item| (item.item_no, item.seed)).collect::<Vec<_>>(),
        [(1, u64::MAX - 1), (2, u64::MAX - 1)]
    );
    match fixture.claim().await.job {
        Job::Preflight { task_no: claimed, user: owner, seed, request, .. } => {
            assert_eq!((claimed, owner, seed), (task_no, user, u64::MAX));
            assert_eq!(*request, super::fixture::request(2));
        }
        other => panic!("not a preflight: {other:?}"),
    }

    let outcome = fixture.store.tasks().submit(fixture.new_task(user, &[71]), 1).await.unwrap();
    assert_eq!(outcome, SubmitOutcome::InsufficientPoints { needed: 71, available: 70 });
    let outcome = fixture.store.tasks().submit(fixture.new_task(user, &[u64::MAX, 1]), 1).await.unwrap();
    assert_eq!(outcome, SubmitOutcome::InsufficientPoints { needed: u64::MAX, available: 70 });
    assert!(fixture.try_claim().await.is_none());
}

pub async fn a_free_item_works_like_any_other(fixture: &Fixture) {
    let user = fixture.user(0).await;
    let task_no = fixture.submit(user, &[0]).await;
    let piece = segment("a", 30);
    fixture.preflight(found(vec![Ok(plan(0, &[&piece]))], &[piece])).await;
    fixture.make_segment("a").await;
    fixture.deliver(&task_no, 1, 0).await;
    assert_eq!(fixture.states(user, &task_no).await, (3, vec![3]));
    let page = Page { number: 1, size: 9 };
    let records = fixture.store.points().movements(user, &MovementFilter::default(), page).await.unwrap();
    assert_eq!(records.total, 0);
}

pub async fn two_hundred_at_once_spend_a_hundred_points(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let outcomes = fixture.submit_at_once((0..200).map(|_| fixture.new_task(user, &[1])).collect()).await;
    let created = outcomes.iter().filter(|o| matches!(o, SubmitOutcome::Created(_))).count();
    let refused = outcomes.iter().filter(|o| matches!(o, SubmitOutcome::InsufficientPoints { .. })).count();
    assert_eq!((created, refused), (100, 100));
    assert_eq!(fixture.balance(user).await, (0, 100));
}

pub async fn fifty_at_once_with_one_client_task_id_are_one_task(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let tasks = (0..50).map(|_| named(fixture.new_task(user, &[3, 4]), "mine")).collect();
    let outcomes = fixture.submit_at_once(tasks).await;
    let mut created = Vec::new();
    let mut repeated = Vec::new();
    for outcome in outcomes {
        match outcome {
            SubmitOutcome::Created(submitted) => created.push(submitted),
            SubmitOutcome::Duplicate(submitted) => repeated.push(submitted),
            other => panic!("neither: {other:?}"),
        }
    }
    assert_eq!((created.len(), repeated.len()), (1, 49));
    assert!(repeated.iter().all(|submitted| Some(submitted) == created.first()));
    assert_eq!(fixture.balance(user).await, (93, 7));
    let tasks =
        fixture.store.tasks().list(user, &TaskFilter::default(), Page { number: 1, size: 9 }).await.unwrap();
    assert_eq!(tasks.total, 1);
}

pub async fn another_body_under_the_same_client_task_id_is_a_conflict(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.submit_task(named(fixture.new_task(user, &[1]), "mine")).await;
    let mut other = named(fixture.new_task(user, &[1]), "mine");
    other.request_sha256 = [8; 32];
    let outcome = fixture.store.tasks().submit(other, 1).await.unwrap();
    assert_eq!(outcome, SubmitOutcome::Conflict { task_no });
    let stranger = fixture.user(100).await;
    fixture.submit_task(named(fixture.new_task(stranger, &[1]), "mine")).await;
    assert_eq!(fixture.balance(user).await, (99, 1));
}

pub async fn a_repeat_is_recognised_without_points(fixture: &Fixture) {
    let user = fixture.user(10).await;
    let warning = Warning { path: "/params/x".into(), message: message::unknown_field_ignored() };
    let mut task = named(fixture.new_task(user, &[10]), "mine");
    task.warnings = vec![warning.clone()];
    let task_no = fixture.submit_task(task).await;
    let piece = segment("a", 30);
    fixture.preflight(found(vec![Ok(plan(2, &[&piece]))], &[piece])).await;
    let outcome =
        fixture.store.tasks().submit(named(fixture.new_task(user, &[10]), "mine"), 1).await.unwrap();
    let SubmitOutcome::Duplicate(submitted) = outcome else { panic!("{outcome:?}") };
    assert_eq!((submitted.task_no, submitted.points, submitted.warnings), (task_no, 10, vec![warning]));
}

pub async fn a_repeat_is_recognised_in_every_state_for_as_long_as_the_task_is_there(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let repeat = async |name: &str| {
        let again = fixture
            .store
            .tasks()
            .submit(named(fixture.new_task(user, &[10]), name), fixture.now())
            .await
            .unwrap();
        let SubmitOutcome::Duplicate(submitted) = again else { panic!("{again:?}") };
        submitted.task_no
    };
    for (name, state) in [("delivered", 3), ("broken", 4), ("cancelled", 5), ("rejected", 6)] {
        let task_no = fixture.submit_task(named(fixture.new_task(user, &[10]), name)).await;
        assert_eq!(repeat(name).await, task_no, "pending");
        if state == 6 {
            fixture.preflight(found(vec![Err(super::fixture::task_error("bad"))], &[])).await;
        } else {
            let piece = segment(name, 30);
            fixture.preflight(found(vec![Ok(plan(10, &[&piece]))], &[piece])).await;
            assert_eq!(repeat(name).await, task_no, "queued");
            let lease = fixture.claim_segment(name).await;
            assert_eq!(repeat(name).await, task_no, "executing");
            match state {
                3 => {
                    fixture.store.jobs().complete_segment(lease, fixture.now()).await.unwrap();
                    fixture.deliver(&task_no, 1, 10).await;
                }
                4 => fixture.fail(lease, "broken").await,
                _ => {
                    fixture.store.tasks().cancel(user, &task_no, fixture.now()).await.unwrap();
                }
            }
        }
        assert_eq!(fixture.states(user, &task_no).await.0, state);
        let balance = fixture.balance(user).await;
        fixture.pass(89 * 86_400_000);
        assert_eq!(repeat(name).await, task_no, "{state}");
        assert_eq!(fixture.balance(user).await, balance);
        let mut other = named(fixture.new_task(user, &[10]), name);
        other.request_sha256 = [8; 32];
        let outcome = fixture.store.tasks().submit(other, fixture.now()).await.unwrap();
        assert_eq!(outcome, SubmitOutcome::Conflict { task_no });
    }
    assert_eq!(fixture.balance(user).await, (90, 0));
}

pub async fn a_repeat_races_the_end_of_its_task(fixture: &Fixture) {
    let user = fixture.user(10).await;
    for round in 0..10 {
        let name = format!("round {round}");
        let task_no = fixture.submit_task(named(fixture.new_task(user, &[10]), &name)).await;
        let store = fixture.store.clone();
        let (ended, now) = (task_no.clone(), fixture.now());
        let cancelling = tokio::spawn(async move { store.tasks().cancel(user, &ended, now).await.unwrap() });
        let repeats = (0..5).map(|_| named(fixture.new_task(user, &[10]), &name)).collect();
        for outcome in fixture.submit_at_once(repeats).await {
            match outcome {
                SubmitOutcome::Duplicate(submitted) => assert_eq!(submitted.task_no, task_no),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(cancelling.await.unwrap(), Some(CancelOutcome::Cancelled));
        assert_eq!(fixture.balance(user).await, (10, 0));
    }
}

fn named(mut task: NewTask, client_task_id: &str) -> NewTask {
    task.request.client_task_id = Some(client_task_id.into());
    task
}
