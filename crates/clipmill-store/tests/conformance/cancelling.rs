//! Cancelling in every state, and racing everything else.

use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::message;
use clipmill_store::*;

use super::fixture::{Fixture, LEASE_MS, found, is_lost, plan, result, segment};

async fn cancel(fixture: &Fixture, user: UserId, task_no: &TaskNo) -> CancelOutcome {
    fixture.store.tasks().cancel(user, task_no, fixture.now()).await.unwrap().expect("the task to be there")
}

pub async fn a_task_is_cancelled_during_preflight(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let (waiting, running) = (fixture.submit(user, &[10]).await, fixture.submit(user, &[10, 20]).await);
    let first = fixture.claim().await.lease;
    let lease = fixture.claim().await.lease;
    fixture.store.leases().release(first, fixture.now()).await.unwrap();
    for task_no in [&waiting, &running] {
        assert_eq!(cancel(fixture, user, task_no).await, CancelOutcome::Cancelled);
        let task = fixture.task(user, task_no).await;
        assert_eq!((task.state.code(), task.failed_items, task.started_at), (5, 0, None));
        assert!(task.finished_at.is_some());
        assert!(task.items.iter().all(|item| item.state.code() == 5 && item.charged == 0));
    }
    assert!(!fixture.store.leases().holds(lease).await.unwrap());
    assert!(fixture.try_claim().await.is_none());
    assert_eq!(fixture.balance(user).await, (100, 0));
    let a = segment("a", 30);
    let late = found(vec![Ok(plan(10, &[&a])), Ok(plan(20, &[&a]))], &[a]);
    assert!(is_lost(&fixture.store.jobs().complete_preflight(lease, late, fixture.now()).await));
}

pub async fn delivered_outputs_remain_and_are_charged(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30), segment("b", 30), segment("c", 30)]).await;
    fixture.make_segment("a").await;
    fixture.deliver(&task_no, 1, 7).await;
    let running = fixture.claim_segment("b").await;
    fixture.store.leases().heartbeat(running, 20, fixture.now(), LEASE_MS).await.unwrap();
    let before = fixture.task(user, &task_no).await;
    assert_eq!(cancel(fixture, user, &task_no).await, CancelOutcome::Cancelled);
    assert_eq!(fixture.states(user, &task_no).await, (5, vec![3, 5, 5]));
    let after = fixture.task(user, &task_no).await;
    assert_eq!((after.completed_items, after.failed_items, after.consumed_points), (1, 0, 7));
    // The cancelled task shows how far it got.
    assert_eq!((after.frames_done, after.frames_planned), (before.frames_done, before.frames_planned));
    assert_eq!(after.error_message, Some(message::cancelled_after(1u32, 3u32)));
    assert_eq!(after.error_message.as_deref(), Some("Cancelled. Delivered outputs: 1 of 3."));
    let [kept, stopped, _] = &after.items[..] else { panic!("{after:?}") };
    assert_eq!((&kept.result, &kept.error, kept.charged), (&Some(result()), &None, 7));
    let error = stopped.error.as_ref().unwrap();
    assert_eq!((error.code.as_str(), error.retryable), ("CANCELLED", false));
    assert_eq!(fixture.balance(user).await, (93, 0));
    assert!(is_lost(&fixture.store.leases().heartbeat(running, 30, fixture.now(), LEASE_MS).await));
    assert!(fixture.try_claim().await.is_none());
}

pub async fn an_item_in_its_last_step_is_cancelled(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30)]).await;
    fixture.make_segment("a").await;
    let lease = fixture.claim_finish(&task_no, 1).await;
    assert_eq!(cancel(fixture, user, &task_no).await, CancelOutcome::Cancelled);
    assert!(is_lost(&fixture.store.jobs().complete_item(lease, result(), 10, fixture.now()).await));
    assert_eq!(fixture.balance(user).await, (100, 0));
}

pub async fn work_that_another_live_task_needs_continues(fixture: &Fixture) {
    let (ann, bob) = (fixture.user(100).await, fixture.user(100).await);
    let [a, b] = ["a", "b"].map(|name| segment(name, 30));
    let anns = fixture.submit(ann, &[10]).await;
    fixture.preflight(found(vec![Ok(plan(10, &[&a, &b]))], &[a.clone(), b])).await;
    let bobs = fixture.queued(bob, &[a]).await;
    let (shared, own) = (fixture.claim_segment("a").await, fixture.claim_segment("b").await);
    assert_eq!(cancel(fixture, ann, &anns).await, CancelOutcome::Cancelled);
    assert!(fixture.store.leases().holds(shared).await.unwrap());
    assert!(!fixture.store.leases().holds(own).await.unwrap());
    fixture.store.jobs().complete_segment(shared, fixture.now()).await.unwrap();
    fixture.deliver(&bobs, 1, 10).await;
    assert_eq!(fixture.states(bob, &bobs).await, (3, vec![3]));
    assert_eq!(fixture.states(ann, &anns).await, (5, vec![5]));
    // A stopped segment is rendered for the next task that needs it.
    let next = fixture.queued(bob, &[segment("b", 30)]).await;
    fixture.make_segment("b").await;
    fixture.deliver(&next, 1, 10).await;
}

pub async fn final_states_stay(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let stranger = fixture.user(100).await;
    let cancelled = fixture.submit(user, &[10]).await;
    assert_eq!(fixture.store.tasks().cancel(stranger, &cancelled, fixture.now()).await.unwrap(), None);
    assert_eq!(cancel(fixture, user, &cancelled).await, CancelOutcome::Cancelled);
    let task = fixture.task(user, &cancelled).await;
    assert_eq!(cancel(fixture, user, &cancelled).await, CancelOutcome::Already);
    assert_eq!(fixture.task(user, &cancelled).await, task);

    let completed = fixture.queued(user, &[segment("a", 30)]).await;
    fixture.make_segment("a").await;
    fixture.deliver(&completed, 1, 10).await;
    let failed = fixture.queued(user, &[segment("b", 30)]).await;
    let lease = fixture.claim_segment("b").await;
    fixture.fail(lease, "broken").await;
    let rejected = fixture.submit(user, &[10]).await;
    fixture.preflight(found(vec![Err(super::fixture::task_error("bad"))], &[])).await;
    for (task_no, state) in [(completed, 3), (failed, 4), (rejected, 6)] {
        let before = fixture.task(user, &task_no).await;
        match cancel(fixture, user, &task_no).await {
            CancelOutcome::TooLate(found) => assert_eq!(found.code(), state),
            other => panic!("{other:?}"),
        }
        assert_eq!(fixture.task(user, &task_no).await, before);
    }
    let nobodys = TaskNo::new(1, [9; 10]);
    assert_eq!(fixture.store.tasks().cancel(user, &nobodys, fixture.now()).await.unwrap(), None);
}

/// Sixty-four at once on one hold: 32 deliver, 32 cancel.
pub async fn cancelling_races_delivery(fixture: &Fixture) {
    for round in 0..8_i64 {
        let user = fixture.user(100).await;
        let name = format!("s{round}");
        let task_no = fixture.queued(user, &[segment(&name, 30)]).await;
        fixture.make_segment(&name).await;
        let lease = fixture.claim_finish(&task_no, 1).await;
        let racers: Vec<_> = (0..64)
            .map(|racer| {
                let (store, task_no) = (fixture.store.clone(), task_no.clone());
                tokio::spawn(async move {
                    if (racer + round) % 2 == 0 {
                        let delivered = store.jobs().complete_item(lease, result(), 10, 5).await;
                        u8::from(delivered.is_ok())
                    } else {
                        let outcome = store.tasks().cancel(user, &task_no, 5).await.unwrap();
                        2 * u8::from(outcome == Some(CancelOutcome::Cancelled))
                    }
                })
            })
            .collect();
        let mut won = Vec::new();
        for racer in racers {
            won.push(racer.await.unwrap());
        }
        won.retain(|who| *who > 0);
        let state = fixture.states(user, &task_no).await.0;
        let expected = match won[..] {
            [1] => (3, (90, 0)),
            [2] => (5, (100, 0)),
            _ => panic!("{won:?}"),
        };
        assert_eq!((state, fixture.balance(user).await), expected);
    }
}

pub async fn leaseholders_are_notified(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.submit(user, &[10]).await;
    let mut interruptions = fixture.store.signal(Signal::Interrupted);
    interruptions.mark_unchanged();
    cancel(fixture, user, &task_no).await;
    assert!(interruptions.has_changed().unwrap());
}

/// Sixteen concurrent cancellations of one task end it once.
pub async fn cancelling_twice_at_once_is_once(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30)]).await;
    let racers: Vec<_> = (0..16)
        .map(|_| {
            let (store, task_no) = (fixture.store.clone(), task_no.clone());
            tokio::spawn(async move { store.tasks().cancel(user, &task_no, 5).await.unwrap().unwrap() })
        })
        .collect();
    let mut outcomes = Vec::new();
    for racer in racers {
        outcomes.push(racer.await.unwrap());
    }
    assert_eq!(outcomes.iter().filter(|o| **o == CancelOutcome::Cancelled).count(), 1, "{outcomes:?}");
    assert_eq!(outcomes.iter().filter(|o| **o == CancelOutcome::Already).count(), 15, "{outcomes:?}");
    assert_eq!(fixture.balance(user).await, (100, 0));
}
