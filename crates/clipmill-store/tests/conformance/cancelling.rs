//! Cancelling in every state, and racing everything else.

use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::message;
use clipmill_store::*;

use super::world::{LEASE_MS, World, found, is_lost, plan, result, segment};

async fn cancel(world: &World, user: UserId, task_no: &TaskNo) -> CancelOutcome {
    world.store.tasks().cancel(user, task_no, world.now()).await.unwrap().expect("the task to be there")
}

pub async fn a_task_is_cancelled_during_preflight(world: &World) {
    let user = world.user(100).await;
    let (waiting, running) = (world.submit(user, &[10]).await, world.submit(user, &[10, 20]).await);
    let first = world.claim().await.lease;
    let lease = world.claim().await.lease;
    world.store.leases().hand_back(first, world.now()).await.unwrap();
    for task_no in [&waiting, &running] {
        assert_eq!(cancel(world, user, task_no).await, CancelOutcome::Cancelled);
        let task = world.task(user, task_no).await;
        assert_eq!((task.state.code(), task.failed_items, task.started_at), (5, 0, None));
        assert!(task.finished_at.is_some());
        assert!(task.items.iter().all(|item| item.state.code() == 5 && item.charged == 0));
    }
    assert!(!world.store.leases().holds(lease).await.unwrap());
    assert!(world.try_claim().await.is_none());
    assert_eq!(world.balance(user).await, (100, 0));
    let a = segment("a", 30);
    let late = found(vec![Ok(plan(10, &[&a])), Ok(plan(20, &[&a]))], &[a]);
    assert!(is_lost(&world.store.jobs().complete_preflight(lease, late, world.now()).await));
}

pub async fn delivered_outputs_remain_and_are_charged(world: &World) {
    let user = world.user(100).await;
    let task_no = world.queued(user, &[segment("a", 30), segment("b", 30), segment("c", 30)]).await;
    world.make_segment("a").await;
    world.deliver(&task_no, 1, 7).await;
    let running = world.claim_segment("b").await;
    world.store.leases().heartbeat(running, 20, world.now(), LEASE_MS).await.unwrap();
    let before = world.task(user, &task_no).await;
    assert_eq!(cancel(world, user, &task_no).await, CancelOutcome::Cancelled);
    assert_eq!(world.states(user, &task_no).await, (5, vec![3, 5, 5]));
    let after = world.task(user, &task_no).await;
    assert_eq!((after.completed_items, after.failed_items, after.consumed_points), (1, 0, 7));
    // The cancelled task shows how far it got.
    assert_eq!((after.frames_done, after.frames_planned), (before.frames_done, before.frames_planned));
    assert_eq!(after.error_message, Some(message::cancelled_after(1u32, 3u32)));
    assert_eq!(after.error_message.as_deref(), Some("Cancelled. Delivered outputs: 1 of 3."));
    let [kept, stopped, _] = &after.items[..] else { panic!("{after:?}") };
    assert_eq!((&kept.result, &kept.error, kept.charged), (&Some(result()), &None, 7));
    let error = stopped.error.as_ref().unwrap();
    assert_eq!((error.code.as_str(), error.retryable), ("CANCELLED", false));
    assert_eq!(world.balance(user).await, (93, 0));
    assert!(is_lost(&world.store.leases().heartbeat(running, 30, world.now(), LEASE_MS).await));
    assert!(world.try_claim().await.is_none());
}

pub async fn an_item_in_its_last_step_is_cancelled(world: &World) {
    let user = world.user(100).await;
    let task_no = world.queued(user, &[segment("a", 30)]).await;
    world.make_segment("a").await;
    let lease = world.claim_finish(&task_no, 1).await;
    assert_eq!(cancel(world, user, &task_no).await, CancelOutcome::Cancelled);
    assert!(is_lost(&world.store.jobs().complete_item(lease, result(), 10, world.now()).await));
    assert_eq!(world.balance(user).await, (100, 0));
}

pub async fn work_that_another_live_task_needs_continues(world: &World) {
    let (ann, bob) = (world.user(100).await, world.user(100).await);
    let [a, b] = ["a", "b"].map(|name| segment(name, 30));
    let anns = world.submit(ann, &[10]).await;
    world.preflight(found(vec![Ok(plan(10, &[&a, &b]))], &[a.clone(), b])).await;
    let bobs = world.queued(bob, &[a]).await;
    let (shared, own) = (world.claim_segment("a").await, world.claim_segment("b").await);
    assert_eq!(cancel(world, ann, &anns).await, CancelOutcome::Cancelled);
    assert!(world.store.leases().holds(shared).await.unwrap());
    assert!(!world.store.leases().holds(own).await.unwrap());
    world.store.jobs().complete_segment(shared, world.now()).await.unwrap();
    world.deliver(&bobs, 1, 10).await;
    assert_eq!(world.states(bob, &bobs).await, (3, vec![3]));
    assert_eq!(world.states(ann, &anns).await, (5, vec![5]));
    // A stopped segment is rendered for the next task that needs it.
    let next = world.queued(bob, &[segment("b", 30)]).await;
    world.make_segment("b").await;
    world.deliver(&next, 1, 10).await;
}

pub async fn final_states_stay(world: &World) {
    let user = world.user(100).await;
    let stranger = world.user(100).await;
    let cancelled = world.submit(user, &[10]).await;
    assert_eq!(world.store.tasks().cancel(stranger, &cancelled, world.now()).await.unwrap(), None);
    assert_eq!(cancel(world, user, &cancelled).await, CancelOutcome::Cancelled);
    let task = world.task(user, &cancelled).await;
    assert_eq!(cancel(world, user, &cancelled).await, CancelOutcome::Already);
    assert_eq!(world.task(user, &cancelled).await, task);

    let completed = world.queued(user, &[segment("a", 30)]).await;
    world.make_segment("a").await;
    world.deliver(&completed, 1, 10).await;
    let failed = world.queued(user, &[segment("b", 30)]).await;
    let lease = world.claim_segment("b").await;
    world.fail(lease, "broken").await;
    let rejected = world.submit(user, &[10]).await;
    world.preflight(found(vec![Err(super::world::task_error("bad"))], &[])).await;
    for (task_no, state) in [(completed, 3), (failed, 4), (rejected, 6)] {
        let before = world.task(user, &task_no).await;
        match cancel(world, user, &task_no).await {
            CancelOutcome::TooLate(found) => assert_eq!(found.code(), state),
            other => panic!("{other:?}"),
        }
        assert_eq!(world.task(user, &task_no).await, before);
    }
    let nobodys = TaskNo::new(1, [9; 10]);
    assert_eq!(world.store.tasks().cancel(user, &nobodys, world.now()).await.unwrap(), None);
}

/// Sixty-four at once on one hold: 32 deliver, 32 cancel.
pub async fn cancelling_races_delivery(world: &World) {
    for round in 0..8_i64 {
        let user = world.user(100).await;
        let name = format!("s{round}");
        let task_no = world.queued(user, &[segment(&name, 30)]).await;
        world.make_segment(&name).await;
        let lease = world.claim_finish(&task_no, 1).await;
        let racers: Vec<_> = (0..64)
            .map(|racer| {
                let (store, task_no) = (world.store.clone(), task_no.clone());
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
        let state = world.states(user, &task_no).await.0;
        let expected = match won[..] {
            [1] => (3, (90, 0)),
            [2] => (5, (100, 0)),
            _ => panic!("{won:?}"),
        };
        assert_eq!((state, world.balance(user).await), expected);
    }
}

pub async fn leaseholders_are_notified(world: &World) {
    let user = world.user(100).await;
    let task_no = world.submit(user, &[10]).await;
    let mut interruptions = world.store.signal(Signal::Interrupted);
    interruptions.mark_unchanged();
    cancel(world, user, &task_no).await;
    assert!(interruptions.has_changed().unwrap());
}

/// Sixteen concurrent cancellations of one task end it once.
pub async fn cancelling_twice_at_once_is_once(world: &World) {
    let user = world.user(100).await;
    let task_no = world.queued(user, &[segment("a", 30)]).await;
    let racers: Vec<_> = (0..16)
        .map(|_| {
            let (store, task_no) = (world.store.clone(), task_no.clone());
            tokio::spawn(async move { store.tasks().cancel(user, &task_no, 5).await.unwrap().unwrap() })
        })
        .collect();
    let mut outcomes = Vec::new();
    for racer in racers {
        outcomes.push(racer.await.unwrap());
    }
    assert_eq!(outcomes.iter().filter(|o| **o == CancelOutcome::Cancelled).count(), 1, "{outcomes:?}");
    assert_eq!(outcomes.iter().filter(|o| **o == CancelOutcome::Already).count(), 15, "{outcomes:?}");
    assert_eq!(world.balance(user).await, (100, 0));
}
