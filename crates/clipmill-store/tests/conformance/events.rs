//! Events: one for each final state, sent at least once despite failing senders.

use std::collections::BTreeMap;

use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::message;
use clipmill_store::*;

use super::fixture::{Fixture, LEASE_MS, all_cases, found, plan, segment};
use super::leases::{assert_all_lost, by_event_lease};

const URL: &str = "https://client.example/hook";
/// More than any test sends concurrently for one user.
const MANY: u32 = 1_000;

impl Fixture {
    /// A task with a callback, cancelled: the quickest way to an event.
    async fn cancelled(&self, user: UserId) -> TaskNo {
        let task_no = self.submit_with_callback(user, &[0]).await;
        self.store.tasks().cancel(user, &task_no, self.now()).await.unwrap();
        task_no
    }

    async fn submit_with_callback(&self, user: UserId, points: &[u64]) -> TaskNo {
        let mut task = self.new_task(user, points);
        task.request.callback_url = Some(URL.to_owned());
        self.submit_task(task).await
    }

    async fn claim_event(&self) -> Option<DueEvent> {
        self.store.callbacks().claim(self.now(), LEASE_MS, MANY).await.unwrap()
    }

    async fn report(&self, lease: &EventLease, then: AttemptOutcome) -> StoreResult<()> {
        let error = (then != AttemptOutcome::Delivered).then(|| message::receiver_answered(500u16));
        let attempt =
            DeliveryAttempt { started_at: self.now(), duration_ms: Some(7), status: Some(500), error };
        self.store.callbacks().report_attempt(lease, attempt, then, self.now()).await
    }

    async fn event(&self, user: UserId, task_no: &TaskNo) -> EventRecord {
        self.store.callbacks().find(user, &about(task_no)).await.unwrap().unwrap().event.unwrap()
    }
}

fn about(task_no: &TaskNo) -> Subject {
    Subject::Task(task_no.clone())
}

pub async fn a_final_state_has_one_event_and_others_have_none(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let silent = fixture.submit(user, &[10]).await;
    fixture.store.tasks().cancel(user, &silent, fixture.now()).await.unwrap();
    let callback = fixture.store.callbacks().find(user, &about(&silent)).await.unwrap().unwrap();
    assert_eq!((callback.url, callback.event), (None, None));

    let task_no = fixture.submit_with_callback(user, &[10]).await;
    let before = fixture.store.callbacks().find(user, &about(&task_no)).await.unwrap().unwrap();
    assert_eq!((before.url.as_deref(), before.event), (Some(URL), None));
    assert!(fixture.claim_event().await.is_none());
    fixture.store.tasks().cancel(user, &task_no, fixture.now()).await.unwrap();

    let due = fixture.claim_event().await.unwrap();
    assert_eq!(due.lease.event_id, format!("evt_{task_no}"));
    assert_eq!((due.kind.as_str(), due.url.as_str(), due.step), ("task.cancelled", URL, 0));
    assert_eq!((due.user, &due.subject), (user, &Subject::Task(task_no.clone())));
    assert!(fixture.claim_event().await.is_none(), "one holder at a time");
    fixture.report(&due.lease, AttemptOutcome::Delivered).await.unwrap();
    assert!(fixture.claim_event().await.is_none(), "delivered is delivered");
    let stranger = fixture.user(0).await;
    assert_eq!(fixture.store.callbacks().find(stranger, &about(&task_no)).await.unwrap(), None);
    assert_eq!(
        fixture.store.callbacks().redeliver(stranger, &about(&task_no), fixture.now()).await.unwrap(),
        None
    );
}

pub async fn attempts_wait_for_their_time_and_are_logged(fixture: &Fixture) {
    let user = fixture.user(0).await;
    let task_no = fixture.cancelled(user).await;
    let due = fixture.claim_event().await.unwrap();
    let at = fixture.now() + 60_000;
    fixture.report(&due.lease, AttemptOutcome::RetryAt(at)).await.unwrap();
    assert!(fixture.claim_event().await.is_none());
    assert_eq!(fixture.event(user, &task_no).await.due_at, Some(at));
    fixture.pass(60_001);
    let again = fixture.claim_event().await.unwrap();
    assert_eq!((again.step, &again.lease.event_id), (1, &due.lease.event_id));
    fixture.report(&again.lease, AttemptOutcome::GiveUp).await.unwrap();
    let event = fixture.event(user, &task_no).await;
    assert_eq!((event.state, event.due_at, event.attempts.len()), (DeliveryState::Failed, None, 2));
    assert_eq!((event.attempts[0].status, event.attempts[0].duration_ms), (Some(500), Some(7)));
    assert_eq!(event.attempts[0].error, Some(message::receiver_answered(500u16)));

    let open = fixture.store.callbacks().open_deliveries(10).await.unwrap();
    assert_eq!((open.len(), open[0].attempts), (1, 2));
    assert_eq!(open[0].last_error, Some(message::receiver_answered(500u16)));

    let asked = fixture.store.callbacks().redeliver(user, &about(&task_no), fixture.now()).await.unwrap();
    assert_eq!(asked, Some(RedeliverOutcome::Due));
    let third = fixture.claim_event().await.unwrap();
    assert_eq!((third.step, &third.lease.event_id), (0, &due.lease.event_id), "the whole schedule again");
    let asked = fixture.store.callbacks().redeliver(user, &about(&task_no), fixture.now()).await.unwrap();
    assert_eq!(asked, Some(RedeliverOutcome::Sending));
    fixture.report(&third.lease, AttemptOutcome::Delivered).await.unwrap();
    assert_eq!(fixture.event(user, &task_no).await.attempts.len(), 3);
    assert_eq!(fixture.store.callbacks().open_deliveries(10).await.unwrap(), []);
}

pub async fn a_lost_sender_changes_nothing_and_the_event_is_sent_again(fixture: &Fixture) {
    let user = fixture.user(0).await;
    let task_no = fixture.cancelled(user).await;
    let lost = fixture.claim_event().await.unwrap();
    fixture.pass(LEASE_MS + 1);
    let again = fixture.claim_event().await.unwrap();
    assert!(again.lease.fence > lost.lease.fence && again.lease.event_id == lost.lease.event_id);
    let late = fixture.report(&lost.lease, AttemptOutcome::GiveUp).await;
    assert!(matches!(late, Err(StoreError::LeaseLost)));
    assert_all_lost(&by_event_lease(fixture, &lost.lease).await, "another sends the event");
    fixture.report(&again.lease, AttemptOutcome::Delivered).await.unwrap();
    let event = fixture.event(user, &task_no).await;
    assert_eq!((event.state, event.attempts.len()), (DeliveryState::Delivered, 2));
    assert_eq!(event.attempts[0].duration_ms, None, "the lost attempt is in the log");
    assert_eq!(event.attempts[0].error, Some(message::stopped_during()));

    let second = fixture.cancelled(user).await;
    fixture.claim_event().await.unwrap();
    fixture.store.leases().rescue_all(fixture.now()).await.unwrap();
    assert_eq!(
        fixture.claim_event().await.unwrap().subject,
        Subject::Task(second),
        "a new boot does not wait for leases"
    );
}

pub async fn events_survive_clocks_that_jump(fixture: &Fixture) {
    const YEAR: i64 = 365 * 86_400_000;
    let user = fixture.user(0).await;
    fixture.cancelled(user).await;
    let due = fixture.claim_event().await.unwrap();
    fixture.report(&due.lease, AttemptOutcome::RetryAt(fixture.now() + 5_000)).await.unwrap();
    // Back: the wait is recalculated and does not last a year.
    fixture.pass(-YEAR);
    assert!(fixture.claim_event().await.is_none());
    fixture.pass(5_001);
    let due = fixture.claim_event().await.expect("the event to be due after its wait");
    // Back again, while its sender is lost: the lease still expires.
    fixture.pass(-YEAR);
    let due_again = fixture.claim_event().await.expect("a lease from the future to have ended");
    assert!(due_again.lease.fence > due.lease.fence);
    fixture.report(&due_again.lease, AttemptOutcome::RetryAt(fixture.now() + 86_400_000)).await.unwrap();
    // The clock goes forward: events are sent early rather than never.
    fixture.pass(3 * YEAR);
    let due = fixture.claim_event().await.unwrap();
    // And back while it is being sent: the sender's report still counts.
    fixture.pass(-3 * YEAR);
    fixture.report(&due.lease, AttemptOutcome::Delivered).await.unwrap();
    assert_eq!(fixture.store.callbacks().open_deliveries(10).await.unwrap(), []);
}

pub async fn a_hanging_receiver_does_not_delay_other_users(fixture: &Fixture) {
    let (slow, other) = (fixture.user(0).await, fixture.user(0).await);
    for _ in 0..5 {
        fixture.cancelled(slow).await;
    }
    fixture.cancelled(other).await;
    let mut claimed = BTreeMap::<UserId, usize>::new();
    while let Some(due) = fixture.store.callbacks().claim(fixture.now(), LEASE_MS, 2).await.unwrap() {
        *claimed.entry(due.user).or_default() += 1;
    }
    assert_eq!(claimed, BTreeMap::from([(slow, 2), (other, 1)]));
}

pub async fn a_replaced_secret_remains_valid_for_its_overlap(fixture: &Fixture) {
    let user = fixture.user(0).await;
    let secrets = async |now| fixture.store.users().signing_secrets(user, now).await.unwrap();
    assert_eq!(secrets(10).await, ["whsec_x"]);
    fixture.store.users().rotate_secret(user, "whsec_y", 100).await.unwrap();
    assert_eq!(secrets(99).await, ["whsec_y", "whsec_x"]);
    assert_eq!(secrets(100).await, ["whsec_y"]);
    fixture.store.users().rotate_secret(user, "whsec_z", 200).await.unwrap();
    assert_eq!(secrets(99).await, ["whsec_z", "whsec_y"], "never three");
    assert_eq!(fixture.store.users().find(user).await.unwrap().unwrap().webhook_secret, "whsec_z");
    let nobody = fixture.store.users().rotate_secret(UserId(9_999), "whsec_q", 1).await;
    assert!(matches!(nobody, Err(StoreError::NotFound)));
}

pub async fn items_are_numbered_as_they_end(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let (a, b) = (segment("a", 30), segment("b", 30));
    let task_no = fixture.submit(user, &[10, 10, 10]).await;
    let bad = Err(super::fixture::task_error("bad"));
    fixture.preflight(found(vec![Ok(plan(10, &[&a])), bad, Ok(plan(10, &[&b]))], &[a, b])).await;
    let order = async || -> Vec<_> {
        fixture.task(user, &task_no).await.items.iter().map(|item| item.ended_order).collect()
    };
    assert_eq!(order().await, [None, Some(1), None]);
    let first = fixture.claim_segment("a").await;
    fixture.make_segment("b").await;
    fixture.deliver(&task_no, 3, 10).await;
    assert_eq!(order().await, [None, Some(1), Some(2)]);
    let id = fixture.task(user, &task_no).await.id;
    let task_progress =
        fixture.store.tasks().progress(&[id, clipmill_core::ids::TaskId(99_999)]).await.unwrap();
    let task = fixture.task(user, &task_no).await;
    let expected = TaskProgress {
        task: id,
        state: task.state,
        ended_items: 2,
        frames_done: task.frames_done,
        frames_planned: task.frames_planned,
    };
    assert_eq!(task_progress, [expected]);
    fixture.fail(first, "gone").await;
    assert_eq!(order().await, [Some(3), Some(1), Some(2)]);
    assert_eq!(fixture.store.tasks().progress(&[]).await.unwrap(), []);
}

/// Five hundred tasks with senders and workers, every third of which is lost.
pub async fn many_tasks_have_one_event_each_despite_lost_senders(fixture: &Fixture) {
    let count = if all_cases() { 500 } else { 100 };
    let user = fixture.user(100_000).await;
    let mut tasks = Vec::new();
    let mut chance = 12_345_u64;
    let mut lost = move || {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (chance >> 33).is_multiple_of(3)
    };
    for _ in 0..count {
        tasks.push(fixture.submit_with_callback(user, &[1]).await);
    }
    let mut received = BTreeMap::<String, Vec<String>>::new();
    let mut quiet = 0;
    while quiet < 2 {
        quiet += 1;
        fixture.store.leases().rescue(fixture.now()).await.unwrap();
        while let Some(claim) = fixture.try_claim().await {
            quiet = 0;
            if lost() {
                continue;
            }
            step(fixture, claim).await;
        }
        while let Some(due) = fixture.claim_event().await {
            quiet = 0;
            if lost() {
                continue;
            }
            received.entry(due.subject.number().to_owned()).or_default().push(due.lease.event_id.clone());
            // Lost after the receiver got the message, and before the report.
            if !lost() {
                let _ = fixture.report(&due.lease, AttemptOutcome::Delivered).await;
            }
        }
        fixture.pass(LEASE_MS + 1);
    }
    assert_eq!(received.len(), count);
    for task_no in &tasks {
        let ids = &received[task_no.as_str()];
        assert!(ids.iter().all(|id| *id == format!("evt_{task_no}")), "{ids:?}");
        let event = fixture.event(user, task_no).await;
        assert_eq!(event.state, DeliveryState::Delivered);
        let state = fixture.task(user, task_no).await.state;
        assert_eq!(event.kind, format!("task.{state}"), "{task_no}");
    }
    let repeated = received.values().filter(|ids| ids.len() > 1).count();
    assert!(repeated > 0, "nobody was lost between the receiver and the report");
}

async fn step(fixture: &Fixture, claim: Claim) {
    let now = fixture.now();
    let outcome = match claim.job {
        Job::Preflight { task_no, .. } => {
            let piece = segment(task_no.as_str(), 30);
            let result = found(vec![Ok(plan(1, &[&piece]))], &[piece]);
            fixture.store.jobs().complete_preflight(claim.lease, result, now).await
        }
        Job::Segment { .. } => fixture.store.jobs().complete_segment(claim.lease, now).await,
        Job::Assemble { .. } => {
            fixture.store.jobs().complete_item(claim.lease, super::fixture::result(), 1, now).await
        }
    };
    outcome.unwrap();
}
