//! Results as inputs: a task waits for outputs of other tasks, which are kept as long as an open task or batch uses them.

use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::request::model::Params;
use clipmill_core::results::{ExpectedOutput, ResultRef};
use clipmill_store::retention::Cutoffs;
use clipmill_store::*;

use super::batches::{new_batch, send};
use super::fixture::{Fixture, LEASE_MS, cutoffs, found, plan, result, segment, task_error, with_url};

const DAY: i64 = 86_400_000;

fn of(task_no: &TaskNo, item_no: u32) -> ResultRef {
    ResultRef { task_no: task_no.clone(), item_no }
}

impl Fixture {
    /// A task of one item of 5 points for each of these results.
    fn using(&self, user: UserId, results: &[ResultRef]) -> NewTask {
        let mut task = self.new_task(user, &vec![5; results.len()]);
        if let Params::BaseVideoMix(params) = &mut task.request.params {
            for (group, result) in params.groups.iter_mut().zip(results) {
                group.videos[0].url = result.url();
            }
        }
        task
    }

    async fn submit_using(&self, user: UserId, results: &[ResultRef]) -> TaskNo {
        self.submit_task(self.using(user, results)).await
    }

    /// Claims the preflight of this task, and asks whether it may continue.
    async fn claim_preflight(&self, task_no: &TaskNo) -> (Lease, ResultWait) {
        let claim = self.claim().await;
        match &claim.job {
            Job::Preflight { task_no: claimed, .. } if claimed == task_no => {}
            other => panic!("not the preflight of {task_no}: {other:?}"),
        }
        (claim.lease, self.store.jobs().await_results(claim.lease, self.now()).await.unwrap())
    }

    async fn cancel_task(&self, user: UserId, task_no: &TaskNo) {
        self.store.tasks().cancel(user, task_no, self.now()).await.unwrap().unwrap();
    }

    async fn source(&self, result: &ResultRef) -> ResultSource {
        self.store.tasks().result_source(result).await.unwrap().unwrap()
    }
}

pub async fn a_task_waits_for_the_items_that_it_uses(fixture: &Fixture) {
    let user = fixture.user(1000).await;
    let source = fixture.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    let one = fixture.submit_using(user, &[of(&source, 1)]).await;
    let both = fixture.submit_using(user, &[of(&source, 1), of(&source, 2)]).await;
    fixture.make_segment("a").await;
    let claims = fixture.claim_finish(&source, 1).await;
    let b = fixture.claim_segment("b").await;
    assert!(fixture.try_claim().await.is_none(), "both wait");
    assert_eq!(fixture.states(user, &both).await, (0, vec![0, 0]));
    fixture.store.jobs().complete_item(claims, result(), 1, fixture.now()).await.unwrap();
    let (lease, wait) = fixture.claim_preflight(&one).await;
    assert_eq!(wait, ResultWait::Over);
    let c = segment("c", 30);
    let planned = found(vec![Ok(plan(5, &[&c]))], &[c]);
    fixture.store.jobs().complete_preflight(lease, planned, fixture.now()).await.unwrap();
    assert!(matches!(fixture.claim().await.job, Job::Segment { .. }));
    assert!(fixture.try_claim().await.is_none(), "item 2 has not ended");
    // A failed item ends the wait as well.
    fixture.fail(b, "no").await;
    let (_, wait) = fixture.claim_preflight(&both).await;
    assert_eq!(wait, ResultWait::Over);
    assert_eq!(fixture.source(&of(&source, 2)).await.state.code(), 4);
    assert!(fixture.try_claim().await.is_none());
}

pub async fn a_waiting_task_is_not_before_others_in_the_queue(fixture: &Fixture) {
    let user = fixture.user(1000).await;
    let source = fixture.queued(user, &[segment("a", 30)]).await;
    let using = fixture.submit_using(user, &[of(&source, 1)]).await;
    let later = fixture.submit(user, &[1]).await;
    let position = async |task_no| fixture.task(user, task_no).await.queue_position;
    assert_eq!((position(&source).await, position(&using).await), (Some(1), Some(2)));
    assert_eq!(position(&later).await, Some(2));
    let _preflight_of_later = fixture.claim().await;
    fixture.make_segment("a").await;
    assert_eq!((position(&using).await, position(&later).await), (Some(1), Some(1)));
    fixture.deliver(&source, 1, 1).await;
    assert_eq!((position(&using).await, position(&later).await), (Some(1), Some(2)), "it waits no more");
}

pub async fn the_last_of_several_tasks_ends_the_wait(fixture: &Fixture) {
    let user = fixture.user(1000).await;
    let (first, second) = (fixture.submit(user, &[1]).await, fixture.submit(user, &[1]).await);
    let (of_first, _of_second) = (fixture.claim().await.lease, fixture.claim().await.lease);
    let using = fixture.submit_using(user, &[of(&first, 1), of(&second, 1)]).await;
    assert!(fixture.try_claim().await.is_none());
    // Rejected.
    let bad = found(vec![Err(task_error("no"))], &[]);
    fixture.store.jobs().complete_preflight(of_first, bad, fixture.now()).await.unwrap();
    let (lease, wait) = fixture.claim_preflight(&using).await;
    assert_eq!(wait, ResultWait::Waiting);
    assert!(!fixture.store.leases().holds(lease).await.unwrap(), "the work was returned");
    assert!(fixture.try_claim().await.is_none());
    fixture.cancel_task(user, &second).await;
    assert_eq!(fixture.claim_preflight(&using).await.1, ResultWait::Over);
    // A task that uses ended items does not wait.
    let late = fixture.submit_using(user, &[of(&first, 1)]).await;
    assert_eq!(fixture.claim_preflight(&late).await.1, ResultWait::Over);
    // A cancelled task no longer waits.
    let open = fixture.submit(user, &[1]).await;
    let _lease = fixture.claim().await.lease;
    let cancelled = fixture.submit_using(user, &[of(&open, 1)]).await;
    fixture.cancel_task(user, &cancelled).await;
    fixture.cancel_task(user, &open).await;
    assert!(fixture.try_claim().await.is_none());
}

pub async fn a_task_does_not_wait_indefinitely(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let source = fixture.submit(user, &[10]).await;
    let _held = fixture.claim().await.lease;
    let using = fixture.submit_using(user, &[of(&source, 1)]).await;
    fixture.pass(6 * DAY);
    fixture.store.leases().rescue(fixture.now()).await.unwrap();
    let _held = fixture.claim().await.lease;
    assert!(fixture.try_claim().await.is_none());
    fixture.pass(DAY);
    let claim =
        fixture.store.queue().claim("worker", fixture.now(), LEASE_MS, ClaimLimits::default()).await.unwrap();
    let lease = claim.unwrap().lease;
    let wait = fixture.store.jobs().await_results(lease, fixture.now()).await.unwrap();
    assert_eq!(wait, ResultWait::TooLong { days: 7 });
    fixture.fail(lease, "waited too long").await;
    assert_eq!(fixture.states(user, &using).await, (6, vec![6]));
    assert_eq!(fixture.balance(user).await, (90, 10));
}

/// Neither a submission nor the end of another source hides the end of a source.
pub async fn no_end_of_a_source_is_missed(fixture: &Fixture) {
    let user = fixture.user(10_000).await;
    for _ in 0..25 {
        let (first, second) = (fixture.submit(user, &[1]).await, fixture.submit(user, &[1]).await);
        let task = fixture.using(user, &[of(&first, 1), of(&second, 1)]);
        let using = task.task_no.clone();
        let end = |task_no: TaskNo| {
            let (store, now) = (fixture.store.clone(), fixture.now());
            tokio::spawn(async move { store.tasks().cancel(user, &task_no, now).await.unwrap() })
        };
        let ends = [end(first), end(second)];
        let submitted = fixture.store.tasks().submit(task, fixture.now()).await.unwrap();
        assert!(matches!(submitted, SubmitOutcome::Created(_)));
        for end in ends {
            end.await.unwrap();
        }
        assert_eq!(fixture.claim_preflight(&using).await.1, ResultWait::Over);
        fixture.cancel_task(user, &using).await;
        // Both end while the task waits, or while it is found to wait.
        let (first, second) = (fixture.submit(user, &[1]).await, fixture.submit(user, &[1]).await);
        let using = fixture.submit_using(user, &[of(&first, 1), of(&second, 1)]).await;
        let ends = [end(first), end(second)];
        while fixture.store.tasks().find(user, &using).await.unwrap().unwrap().state.code() == 0 {
            let now = fixture.now();
            let claim =
                fixture.store.queue().claim("worker", now, LEASE_MS, ClaimLimits::default()).await.unwrap();
            let Some(claim) = claim else {
                if ends.iter().all(tokio::task::JoinHandle::is_finished) {
                    // The last end may have been written after the claim.
                    let (_, wait) = fixture.claim_preflight(&using).await;
                    assert_eq!(wait, ResultWait::Over);
                    break;
                }
                tokio::task::yield_now().await;
                continue;
            };
            let Job::Preflight { task_no, .. } = &claim.job else { panic!() };
            if *task_no == using
                && fixture.store.jobs().await_results(claim.lease, now).await.unwrap() == ResultWait::Over
            {
                break;
            }
        }
        for end in ends {
            end.await.unwrap();
        }
        fixture.cancel_task(user, &using).await;
    }
}

pub async fn chains_and_sizes_are_known_before_outputs_exist(fixture: &Fixture) {
    let user = fixture.user(1000).await;
    let estimated = ExpectedOutput { frames: 75, fps: 25, width: 1280, height: 720 };
    let mut task = fixture.new_task(user, &[10]);
    task.items[0].expected = Some(estimated);
    let source = fixture.submit_task(task).await;
    let submitted = fixture.source(&of(&source, 1)).await;
    assert_eq!((submitted.user, submitted.expected, submitted.chain_length), (user, Some(estimated), 1));
    assert_eq!((submitted.state.code(), submitted.result, submitted.stored_until), (0, None, None));
    fixture.preflight(found(vec![Ok(plan(10, &[&segment("a", 30)]))], &[segment("a", 30)])).await;
    let planned = ExpectedOutput { frames: 30, fps: 30, width: 720, height: 1280 };
    assert_eq!(fixture.source(&of(&source, 1)).await.expected, Some(planned));
    fixture.make_segment("a").await;
    let lease = fixture.claim_finish(&source, 1).await;
    let expires_at = fixture.now() + DAY;
    let delivered = ItemResult { expires_at, ..result() };
    fixture.store.jobs().complete_item(lease, delivered.clone(), 1, fixture.now()).await.unwrap();
    let source_now = fixture.source(&of(&source, 1)).await;
    assert_eq!(source_now.result.map(|result| result.sha256), Some(delivered.sha256));
    assert!(source_now.stored_until.is_some());
    assert_eq!(fixture.store.tasks().result_source(&of(&source, 2)).await.unwrap(), None);
    let second = fixture.submit_using(user, &[of(&source, 1)]).await;
    let third = fixture.submit_using(user, &[of(&source, 1), of(&second, 1)]).await;
    assert_eq!(fixture.source(&of(&second, 1)).await.chain_length, 2);
    assert_eq!(fixture.source(&of(&third, 1)).await.chain_length, 3);
}

pub async fn results_are_kept_while_an_open_task_or_batch_uses_them(fixture: &Fixture) {
    let user = fixture.user(1000).await;
    let source = fixture.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    fixture.make_segment("a").await;
    for (item_no, name) in [(1, "a"), (2, "b")] {
        if item_no == 2 {
            fixture.make_segment(name).await;
        }
        let lease = fixture.claim_finish(&source, item_no).await;
        let key = format!("{source}/{item_no}.mp4");
        let delivered = ItemResult { key, expires_at: fixture.now() + DAY, ..result() };
        fixture.store.jobs().complete_item(lease, delivered, 1, fixture.now()).await.unwrap();
    }
    let using = fixture.submit_using(user, &[of(&source, 1)]).await;
    let batch = NewBatch { results: vec![of(&source, 2)], ..new_batch(fixture, user, "b", &[1]) };
    let BatchOutcome::Created(batch_no) = send(fixture, &batch).await else { panic!() };
    fixture.pass(100 * DAY);
    let removed = async || {
        let now = fixture.now();
        let before = now - 50 * DAY;
        let cutoffs = cutoffs(now, before);
        let claimed = fixture
            .store
            .retention()
            .claim_maintenance("retention", "me", now, 60_000)
            .await
            .unwrap()
            .unwrap();
        let expired = fixture.store.retention().expired(&cutoffs).await.unwrap().results;
        let removed = fixture.store.retention().expire_results(&claimed, &cutoffs, 100).await.unwrap();
        assert_eq!(fixture.store.retention().expire_tasks(&claimed, &cutoffs, 100).await.unwrap(), 0);
        fixture.store.retention().end_maintenance(&claimed, fixture.now()).await.unwrap();
        assert_eq!(removed.len() as u64, expired);
        removed.into_iter().flat_map(|removed| removed.keys).collect::<Vec<_>>()
    };
    assert_eq!(removed().await, Vec::<String>::new());
    fixture.cancel_task(user, &using).await;
    assert_eq!(removed().await, [format!("{source}/1.mp4")]);
    fixture.store.batches().cancel(user, &batch_no, fixture.now()).await.unwrap();
    fixture.store.batches().finish(fixture.now()).await.unwrap();
    let rest = fixture.source(&of(&source, 2)).await;
    assert!(rest.stored_until.is_some());
    // The second file was the task's last; with it, the task may go too.
    let now = fixture.now();
    let claimed =
        fixture.store.retention().claim_maintenance("retention", "me", now, 60_000).await.unwrap().unwrap();
    let cutoffs = Cutoffs { tasks_ended_before: now - 50 * DAY, ..cutoffs(now, now) };
    let removed = fixture.store.retention().expire_results(&claimed, &cutoffs, 100).await.unwrap();
    assert_eq!(removed.len(), 1);
    assert_eq!(fixture.source(&of(&source, 2)).await.stored_until, None);
}

/// Another user's URL keeps nothing that the server did not accept, and a lost source does not block.
pub async fn a_source_that_is_gone_does_not_block(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let unknown = TaskNo::new(1, [9; 10]);
    let using = fixture.submit_task(with_url(fixture.new_task(user, &[1]), of(&unknown, 1).url())).await;
    assert_eq!(fixture.claim_preflight(&using).await.1, ResultWait::Over);
    assert_eq!(fixture.store.tasks().result_source(&of(&unknown, 1)).await.unwrap(), None);
}
