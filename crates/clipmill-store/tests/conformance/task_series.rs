//! A short series of tasks with all possible events. Tests interrupt it at any place, and it must still complete.

#![allow(dead_code, reason = "not every test program uses all of it")]

use clipmill_core::ids::UserId;
use clipmill_core::message::Message;
use clipmill_store::retention::Cutoffs;
use clipmill_store::*;

use super::fixture::{
    Fixture, LEASE_MS, cutoffs, found, is_lost, new_upload, plan, result, second, segment, task_error,
};

/// The initial points of the user of a task series.
pub const POINTS: u64 = 100;

/// The user whose task series it is.
pub async fn user(store: &dyn Store) -> UserId {
    let new = NewUser { name: "ann".into(), webhook_secret: "whsec_x".into() };
    let user = store.users().add(new, 1).await.unwrap().id;
    store.points().grant(user, POINTS, "to begin with", 1).await.unwrap();
    user
}

/// Everything that moves points: holds, new prices, settlements, a failure, a cancellation, a rejection.
pub async fn task_series(fixture: &Fixture, user: UserId) {
    let mut task = fixture.new_task(user, &[10, 10, 10]);
    task.request.callback_url = Some("https://example.com/done".into());
    let first = fixture.submit_task(task).await;
    let [a, b] = ["a", "b"].map(|name| segment(name, 30));
    let plans = vec![Ok(plan(4, &[&a])), Ok(plan(15, &[&b])), Err(task_error("bad"))];
    fixture.preflight(found(plans, &[a, b])).await;
    fixture.make_segment("a").await;
    fixture.deliver(&first, 1, 3).await;
    let lease = fixture.claim_segment("b").await;
    fixture.fail(lease, "broken").await;

    let second = fixture.queued(user, &[segment("c", 30), segment("d", 30)]).await;
    fixture.make_segment("c").await;
    fixture.deliver(&second, 1, 10).await;
    fixture.store.tasks().cancel(user, &second, fixture.now()).await.unwrap();

    fixture.submit(user, &[5]).await;
    fixture.preflight(found(vec![Err(task_error("bad"))], &[])).await;
}

/// How many [`maintenance_units`] there are.
pub const MAINTENANCE_UNITS: usize = 5;

/// Further units of work, done after a task series; none of them moves points.
pub async fn maintenance_units(fixture: &Fixture, user: UserId, which: usize) {
    fixture.pass(100_000_000);
    match which {
        0 => accounts(fixture, user).await,
        1 => work(fixture, user).await,
        2 => events(fixture).await,
        3 => outputs_together(fixture, user).await,
        _ => letting_go(fixture).await,
    }
}

async fn accounts(fixture: &Fixture, user: UserId) {
    let store = &fixture.store;
    store.users().add(NewUser { name: "bob".into(), webhook_secret: "whsec_y".into() }, 1).await.unwrap();
    store.installation().secret("links", [1; 32]).await.unwrap();
    store.users().rotate_secret(user, "whsec_z", fixture.now()).await.unwrap();
    let key = NewKey {
        user,
        key_sha256: [1; 32],
        prefix: "cm_live_x".into(),
        scopes: Scopes::of([Scope::Read]).unwrap(),
        expires_at: None,
    };
    let key = store.keys().add(key, fixture.now()).await.unwrap();
    store.keys().record_use(key, fixture.now()).await.unwrap();
    store.keys().revoke(key, fixture.now()).await.unwrap();
    let upload = new_upload(user, "1", "aa", 1);
    store.library().add(upload).await.unwrap();
    store.library().use_upload(user, "1", fixture.now()).await.unwrap();
    store.try_writing(fixture.now()).await.unwrap();
}

async fn work(fixture: &Fixture, user: UserId) {
    let store = &fixture.store;
    let task_no = fixture.queued(user, &[segment("e", 30), segment("f", 30)]).await;
    let info = WorkerInfo {
        name: "worker".into(),
        host: "here".into(),
        version: "1".into(),
        slots: 1,
        kinds: JobKinds::default(),
        draining: false,
        speed: None,
    };
    store.workers().record(&info, fixture.now()).await.unwrap();
    let lease = fixture.claim_segment("e").await;
    store.leases().heartbeat(lease, 10, fixture.now(), LEASE_MS).await.unwrap();
    store.leases().release(lease, fixture.now()).await.unwrap();
    store.leases().extend_next_lease(fixture.claim_segment("e").await, fixture.now()).await.unwrap();
    store.leases().snooze(fixture.claim_segment("e").await, fixture.now(), fixture.now()).await.unwrap();
    fixture.claim_segment("e").await;
    store.queue().requeue(&Requeue::Worker("worker".into())).await.unwrap();
    let lost = fixture.claim_segment("e").await;
    fixture.pass(2 * LEASE_MS + 1);
    assert_eq!(store.leases().rescue(fixture.now()).await.unwrap(), 1);
    let late = store.leases().extend_next_lease(lost, fixture.now()).await;
    if !is_lost(&late) {
        late.unwrap();
        panic!("it was taken back");
    }
    store.queue().pause(None, fixture.now()).await.unwrap();
    store.queue().resume().await.unwrap();
    fixture.make_segment("e").await;
    let lease = fixture.claim_finish(&task_no, 1).await;
    let missing = [clipmill_core::segment::SegmentKey("e".into())];
    store.jobs().segments_missing(lease, &missing, fixture.now()).await.unwrap();
    store.tasks().cancel(user, &task_no, fixture.now()).await.unwrap();
    store.workers().remove("worker").await.unwrap();
}

/// Assemblies leased in groups, and outputs that another encoder re-encodes.
async fn outputs_together(fixture: &Fixture, user: UserId) {
    let store = &fixture.store;
    let piece = segment("g", 30);
    fixture.submit(user, &[1; 3]).await;
    let plans = (0..3).map(|_| Ok(plan(1, &[&piece]))).collect();
    fixture.preflight(found(plans, std::slice::from_ref(&piece))).await;
    let lease = fixture.claim_segment("g").await;
    let fallbacks = second(fixture, lease).await;
    store.jobs().use_fallback(lease, fallbacks, fixture.now()).await.unwrap();
    fixture.make_segment("g2").await;
    let first = fixture.claim().await;
    let more = More { lease: first.lease, claimers: 1, max: 8 };
    let more = store
        .queue()
        .claim_more("worker", more, fixture.now(), LEASE_MS, ClaimLimits::default())
        .await
        .unwrap();
    assert_eq!(more.len(), 2);
    for claim in more {
        store.leases().release(claim.lease, fixture.now()).await.unwrap();
    }
    store.leases().release(first.lease, fixture.now()).await.unwrap();
}

async fn events(fixture: &Fixture) {
    let store = &fixture.store;
    let attempt = |error: Option<&str>| DeliveryAttempt {
        started_at: 1,
        duration_ms: Some(7),
        status: None,
        error: error.map(Message::without_code),
    };
    let due = store
        .callbacks()
        .claim(fixture.now(), LEASE_MS, 9)
        .await
        .unwrap()
        .expect("an event of the task series");
    store
        .callbacks()
        .report_attempt(&due.lease, attempt(Some("no")), AttemptOutcome::GiveUp, fixture.now())
        .await
        .unwrap();
    store.callbacks().redeliver(due.user, &due.subject, fixture.now()).await.unwrap();
    let due = store.callbacks().claim(fixture.now(), LEASE_MS, 9).await.unwrap().expect("the same again");
    store
        .callbacks()
        .report_attempt(&due.lease, attempt(None), AttemptOutcome::Delivered, fixture.now())
        .await
        .unwrap();
}

async fn letting_go(fixture: &Fixture) {
    let store = &fixture.store;
    let lease = store
        .retention()
        .claim_maintenance("retention", "me", fixture.now(), 60_000)
        .await
        .unwrap()
        .expect("a free job");
    store.retention().renew_maintenance(&lease, fixture.now(), 60_000).await.unwrap();
    let now = fixture.now();
    let cutoffs = Cutoffs { tasks_ended_before: 0, ..cutoffs(now, now) };
    store.retention().expire_results(&lease, &cutoffs, 9).await.unwrap();
    store.retention().expire_uploads(&lease, &cutoffs, 9).await.unwrap();
    store.retention().expire_tasks(&lease, &cutoffs, 9).await.unwrap();
    store.retention().expire_segments(&lease, 9).await.unwrap();
    store.retention().expire_attempts(&lease, &cutoffs, 9).await.unwrap();
    store.retention().end_maintenance(&lease, fixture.now()).await.unwrap();
}

/// All started work ends, and all points are accounted for.
pub async fn run_to_its_end(fixture: &Fixture, user: UserId, after: &str) {
    fixture.pass(1_000_000);
    fixture.check().await;
    fixture.store.leases().rescue_all(fixture.now()).await.unwrap();
    fixture.check().await;
    fixture.store.queue().resume().await.unwrap();
    work_off(fixture).await;
    let page = Page { number: 1, size: 100 };
    let tasks = fixture.store.tasks().list(user, &TaskFilter::default(), page).await.unwrap().list;
    assert!(tasks.iter().all(|task| task.state.is_final()), "{after}: {tasks:?}");
    let spent: u64 = tasks.iter().map(|task| task.consumed_points).sum();
    assert_eq!(fixture.balance(user).await, ((POINTS - spent) as i64, 0), "{after}");
}

/// Executes all ready work, and work that becomes ready meanwhile.
pub async fn work_off(fixture: &Fixture) {
    while let Some(claim) = fixture.try_claim().await {
        let now = fixture.now();
        match claim.job {
            Job::Preflight { request, .. } => {
                let piece = segment("a", 30);
                let plans = (0..request.params.total_items()).map(|_| Ok(plan(6, &[&piece]))).collect();
                fixture.store.jobs().complete_preflight(claim.lease, found(plans, &[piece]), now).await
            }
            Job::Segment { .. } => fixture.store.jobs().complete_segment(claim.lease, now).await,
            Job::Assemble { .. } => fixture.store.jobs().complete_item(claim.lease, result(), 6, now).await,
        }
        .unwrap();
        fixture.check().await;
    }
}
