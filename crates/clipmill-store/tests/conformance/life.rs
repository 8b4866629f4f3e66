//! A short series of tasks with all possible events. Tests interrupt it at any place, and it must still complete.

#![allow(dead_code, reason = "not every test program uses all of it")]

use clipmill_core::ids::UserId;
use clipmill_core::message::Message;
use clipmill_store::retention::Cutoffs;
use clipmill_store::*;

use super::world::{LEASE_MS, World, found, is_lost, plan, result, second, segment, task_error};

/// The initial points of the user of a life.
pub const POINTS: u64 = 100;

/// The user whose life it is.
pub async fn user(store: &dyn Store) -> UserId {
    let new = NewUser { name: "ann".into(), webhook_secret: "whsec_x".into() };
    let user = store.users().add(new, 1).await.unwrap().id;
    store.points().grant(user, POINTS, "to begin with", 1).await.unwrap();
    user
}

/// Everything that moves points: holds, new prices, settlements, a failure, a cancellation, a rejection.
pub async fn life(world: &World, user: UserId) {
    let mut task = world.new_task(user, &[10, 10, 10]);
    task.request.callback_url = Some("https://example.com/done".into());
    let first = world.submit_task(task).await;
    let [a, b] = ["a", "b"].map(|name| segment(name, 30));
    let plans = vec![Ok(plan(4, &[&a])), Ok(plan(15, &[&b])), Err(task_error("bad"))];
    world.preflight(found(plans, &[a, b])).await;
    world.make_segment("a").await;
    world.deliver(&first, 1, 3).await;
    let lease = world.claim_segment("b").await;
    world.fail(lease, "broken").await;

    let second = world.queued(user, &[segment("c", 30), segment("d", 30)]).await;
    world.make_segment("c").await;
    world.deliver(&second, 1, 10).await;
    world.store.tasks().cancel(user, &second, world.now()).await.unwrap();

    world.submit(user, &[5]).await;
    world.preflight(found(vec![Err(task_error("bad"))], &[])).await;
}

/// How many [`errands`] there are.
pub const ERRANDS: usize = 5;

/// Further units of work, done after a life; none of them moves points.
pub async fn errands(world: &World, user: UserId, which: usize) {
    world.pass(100_000_000);
    match which {
        0 => accounts(world, user).await,
        1 => work(world, user).await,
        2 => events(world).await,
        3 => outputs_together(world, user).await,
        _ => letting_go(world).await,
    }
}

async fn accounts(world: &World, user: UserId) {
    let store = &world.store;
    store.users().add(NewUser { name: "bob".into(), webhook_secret: "whsec_y".into() }, 1).await.unwrap();
    store.installation().secret("links", [1; 32]).await.unwrap();
    store.users().rotate_secret(user, "whsec_z", world.now()).await.unwrap();
    let key = NewKey {
        user,
        key_sha256: [1; 32],
        prefix: "cm_live_x".into(),
        scopes: Scopes::of([Scope::Read]).unwrap(),
        expires_at: None,
    };
    let key = store.keys().add(key, world.now()).await.unwrap();
    store.keys().record_use(key, world.now()).await.unwrap();
    store.keys().revoke(key, world.now()).await.unwrap();
    let upload = NewUpload {
        id: "1".into(),
        user,
        content_sha256: "aa".into(),
        size_bytes: 1,
        file_name: None,
        created_at: 1,
        quota: Quota::default(),
    };
    store.library().add(upload).await.unwrap();
    store.library().use_upload(user, "1", world.now()).await.unwrap();
    store.try_writing(world.now()).await.unwrap();
}

async fn work(world: &World, user: UserId) {
    let store = &world.store;
    let task_no = world.queued(user, &[segment("e", 30), segment("f", 30)]).await;
    let info = WorkerInfo {
        name: "worker".into(),
        host: "here".into(),
        version: "1".into(),
        slots: 1,
        kinds: WorkKinds::default(),
        draining: false,
        speed: None,
    };
    store.workers().record(&info, world.now()).await.unwrap();
    let lease = world.claim_segment("e").await;
    store.leases().heartbeat(lease, 10, world.now(), LEASE_MS).await.unwrap();
    store.leases().hand_back(lease, world.now()).await.unwrap();
    store.leases().starved(world.claim_segment("e").await, world.now()).await.unwrap();
    store.leases().put_off(world.claim_segment("e").await, world.now(), world.now()).await.unwrap();
    world.claim_segment("e").await;
    store.queue().requeue(&Requeue::Worker("worker".into())).await.unwrap();
    let lost = world.claim_segment("e").await;
    world.pass(2 * LEASE_MS + 1);
    assert_eq!(store.leases().rescue(world.now()).await.unwrap(), 1);
    let late = store.leases().starved(lost, world.now()).await;
    if !is_lost(&late) {
        late.unwrap();
        panic!("it was taken back");
    }
    store.queue().pause(None, world.now()).await.unwrap();
    store.queue().resume().await.unwrap();
    world.make_segment("e").await;
    let lease = world.claim_finish(&task_no, 1).await;
    let missing = [clipmill_core::segment::SegmentKey("e".into())];
    store.jobs().segments_missing(lease, &missing, world.now()).await.unwrap();
    store.tasks().cancel(user, &task_no, world.now()).await.unwrap();
    store.workers().remove("worker").await.unwrap();
}

/// Assemblies leased in groups, and outputs that another encoder re-encodes.
async fn outputs_together(world: &World, user: UserId) {
    let store = &world.store;
    let piece = segment("g", 30);
    world.submit(user, &[1; 3]).await;
    let plans = (0..3).map(|_| Ok(plan(1, &[&piece]))).collect();
    world.preflight(found(plans, std::slice::from_ref(&piece))).await;
    let lease = world.claim_segment("g").await;
    let fallbacks = second(world, lease).await;
    store.jobs().use_fallback(lease, fallbacks, world.now()).await.unwrap();
    world.make_segment("g2").await;
    let first = world.claim().await;
    let more = More { lease: first.lease, claimers: 1, most: 8 };
    let more = store
        .queue()
        .claim_more("worker", more, world.now(), LEASE_MS, ClaimLimits::default())
        .await
        .unwrap();
    assert_eq!(more.len(), 2);
    for claim in more {
        store.leases().hand_back(claim.lease, world.now()).await.unwrap();
    }
    store.leases().hand_back(first.lease, world.now()).await.unwrap();
}

async fn events(world: &World) {
    let store = &world.store;
    let attempt = |error: Option<&str>| DeliveryAttempt {
        started_at: 1,
        duration_ms: Some(7),
        status: None,
        error: error.map(Message::without_code),
    };
    let due = store.callbacks().claim(world.now(), LEASE_MS, 9).await.unwrap().expect("an event of the life");
    store
        .callbacks()
        .report_attempt(&due.lease, attempt(Some("no")), AttemptOutcome::GiveUp, world.now())
        .await
        .unwrap();
    store.callbacks().redeliver(due.user, &due.subject, world.now()).await.unwrap();
    let due = store.callbacks().claim(world.now(), LEASE_MS, 9).await.unwrap().expect("the same again");
    store
        .callbacks()
        .report_attempt(&due.lease, attempt(None), AttemptOutcome::Delivered, world.now())
        .await
        .unwrap();
}

async fn letting_go(world: &World) {
    let store = &world.store;
    let lease = store
        .retention()
        .claim_job("retention", "me", world.now(), 60_000)
        .await
        .unwrap()
        .expect("a free job");
    store.retention().renew_job(&lease, world.now(), 60_000).await.unwrap();
    let now = world.now();
    let cutoffs = Cutoffs {
        now,
        uploads_used_before: now,
        tasks_ended_before: 0,
        attempts_before: now,
        undelivered_before: now,
    };
    store.retention().shed_results(&lease, &cutoffs, 9).await.unwrap();
    store.retention().shed_uploads(&lease, &cutoffs, 9).await.unwrap();
    store.retention().shed_tasks(&lease, &cutoffs, 9).await.unwrap();
    store.retention().shed_segments(&lease, 9).await.unwrap();
    store.retention().shed_attempts(&lease, &cutoffs, 9).await.unwrap();
    store.retention().end_job(&lease, world.now()).await.unwrap();
}

/// All started work ends, and all points are accounted for.
pub async fn comes_to_an_end(world: &World, user: UserId, after: &str) {
    world.pass(1_000_000);
    world.check().await;
    world.store.leases().rescue_all(world.now()).await.unwrap();
    world.check().await;
    world.store.queue().resume().await.unwrap();
    work_off(world).await;
    let page = Page { number: 1, size: 100 };
    let tasks = world.store.tasks().list(user, &TaskFilter::default(), page).await.unwrap().list;
    assert!(tasks.iter().all(|task| task.state.is_final()), "{after}: {tasks:?}");
    let spent: u64 = tasks.iter().map(|task| task.consumed_points).sum();
    assert_eq!(world.balance(user).await, ((POINTS - spent) as i64, 0), "{after}");
}

/// Executes all ready work, and work that becomes ready meanwhile.
pub async fn work_off(world: &World) {
    while let Some(claim) = world.try_claim().await {
        let now = world.now();
        match claim.job {
            Job::Preflight { request, .. } => {
                let piece = segment("a", 30);
                let plans = (0..request.params.total_items()).map(|_| Ok(plan(6, &[&piece]))).collect();
                world.store.jobs().complete_preflight(claim.lease, found(plans, &[piece]), now).await
            }
            Job::Segment { .. } => world.store.jobs().complete_segment(claim.lease, now).await,
            Job::Assemble { .. } => world.store.jobs().complete_item(claim.lease, result(), 6, now).await,
        }
        .unwrap();
        world.check().await;
    }
}
