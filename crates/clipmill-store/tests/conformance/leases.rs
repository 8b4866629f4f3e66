//! Leases: one holder at a time, and nothing written without one.

use std::collections::BTreeSet;

use clipmill_core::ids::WorkId;
use clipmill_core::segment::SegmentKey;
use clipmill_store::retention::{Cutoffs, JobLease};
use clipmill_store::*;

use super::world::{LEASE_MS, World, found, is_lost, plan, result, second, segment, task_error};

/// The results of methods called with `lease`, by the method's name.
macro_rules! tried {
    ($store:expr; $($method:ident ( $($argument:expr),* ))*) => {
        vec![$((stringify!($method), $store.$method($($argument),*).await.map(drop))),*]
    };
}

pub type Tried = Vec<(&'static str, StoreResult<()>)>;

/// Calls every method that takes the lease of a job, with `lease`. `fallbacks` were read while it was valid.
async fn by_lease(world: &World, lease: Lease, fallbacks: &[Fallback]) -> Tried {
    let now = world.now();
    let piece = segment("a", 30);
    let failure = || WorkFailure { error: task_error("stale"), retry_at: None };
    let more = More { lease, claimers: 1, most: 9 };
    let mut outcomes = tried!(world.store.leases();
        heartbeat(lease, 29, now, LEASE_MS)
        hand_back(lease, now)
        starved(lease, now)
        put_off(lease, now, now)
    );
    outcomes.extend(tried!(world.store.jobs();
        fail(lease, failure(), now)
        fail(lease, WorkFailure { retry_at: Some(now), ..failure() }, now)
        complete_preflight(lease, found(vec![Ok(plan(1, &[&piece]))], std::slice::from_ref(&piece)), now)
        await_results(lease, now)
        complete_segment(lease, now)
        segments_missing(lease, &[SegmentKey("a".into())], now)
        only_output(lease)
        item_parts(lease)
        use_fallback(lease, Vec::new(), now)
        use_fallback(lease, fallbacks.to_vec(), now)
        complete_item(lease, result(), 1, now)
    ));
    outcomes.extend(tried!(world.store.queue();
        claim_more("worker", more, now, LEASE_MS, ClaimLimits::default())
    ));
    outcomes
}

/// The same check for the lease of an event.
pub async fn by_event_lease(world: &World, lease: &EventLease) -> Tried {
    let attempt = DeliveryAttempt { started_at: world.now(), duration_ms: None, status: None, error: None };
    tried!(world.store.callbacks(); report_attempt(lease, attempt, AttemptOutcome::Delivered, world.now()))
}

/// The same check for the lease of a job.
pub async fn by_job_lease(world: &World, lease: &JobLease) -> Tried {
    let now = world.now();
    let cutoffs = Cutoffs {
        now,
        uploads_used_before: now,
        tasks_ended_before: now,
        attempts_before: now,
        undelivered_before: now,
    };
    tried!(world.store.retention();
        renew_job(lease, now, LEASE_MS)
        end_job(lease, now)
        shed_results(lease, &cutoffs, 9)
        shed_uploads(lease, &cutoffs, 9)
        shed_tasks(lease, &cutoffs, 9)
        shed_segments(lease, 9)
        shed_requests(lease, &cutoffs, 9)
        shed_attempts(lease, &cutoffs, 9)
    )
}

pub fn assert_all_lost(tried: &Tried, when: &str) {
    let done: Vec<_> = tried.iter().filter(|(_, outcome)| !is_lost(outcome)).collect();
    assert!(done.is_empty(), "{when}: {done:?}");
}

/// Methods of the store that take a lease, directly or inside another argument.
fn methods_that_take_a_lease() -> BTreeSet<String> {
    let source = [
        include_str!("../../src/queue/mod.rs"),
        include_str!("../../src/queue/leases/mod.rs"),
        include_str!("../../src/queue/jobs/mod.rs"),
        include_str!("../../src/tasks/callbacks/mod.rs"),
        include_str!("../../src/upkeep/retention/mod.rs"),
    ]
    .concat();
    let mut carriers: Vec<String> = ["Lease", "EventLease", "JobLease"].map(str::to_owned).to_vec();
    let names = |text: &str, carriers: &[String]| {
        text.split(|c: char| !c.is_alphanumeric()).any(|word| carriers.iter().any(|carrier| carrier == word))
    };
    for body in source.split("pub struct ").skip(1) {
        let name: String = body.chars().take_while(|c| c.is_alphanumeric()).collect();
        if names(body.split("\n}").next().unwrap(), &carriers[..3]) && !carriers.contains(&name) {
            carriers.push(name);
        }
    }
    let methods = source.split("async fn ").skip(1).filter_map(|method| {
        let (name, arguments) = method.split_once('(').unwrap();
        let arguments = arguments.split(';').next().unwrap().split("->").next().unwrap();
        names(arguments, &carriers).then(|| name.to_owned())
    });
    methods.collect()
}

pub async fn every_method_that_takes_a_lease_is_tried(world: &World) {
    let lease = Lease { work: WorkId(-1), fence: 1 };
    let event = EventLease { event_id: "evt_none".to_owned(), fence: 1 };
    let job = JobLease { name: "none".to_owned(), fence: 1 };
    let mut tried = by_lease(world, lease, &[]).await;
    tried.extend(by_event_lease(world, &event).await);
    tried.extend(by_job_lease(world, &job).await);
    assert_all_lost(&tried, "leases that nobody ever had");
    let mut tried_methods: BTreeSet<String> = tried.into_iter().map(|(name, _)| name.to_owned()).collect();
    // `holds` returns the reason why the others fail.
    assert!(!world.store.leases().holds(lease).await.unwrap());
    tried_methods.extend(["holds", "keep"].map(str::to_owned));
    assert_eq!(tried_methods, methods_that_take_a_lease());
}

async fn rescue_later(world: &World) {
    world.pass(LEASE_MS + 1);
    assert_eq!(world.store.leases().rescue(world.now()).await.unwrap(), 1);
}

pub async fn a_stale_lease_changes_nothing(world: &World) {
    let user = world.user(100).await;
    let task_no = world.submit(user, &[10]).await;
    let piece = segment("a", 30);
    for stage in 0..3 {
        let stale = world.claim().await.lease;
        let when = format!("stage {stage}");
        let fallbacks = second(world, stale).await;
        assert_eq!(fallbacks.len(), usize::from(stage > 0), "{when}");
        rescue_later(world).await;
        let before = world.task(user, &task_no).await;
        // First while the work is free, then while another has it.
        assert_all_lost(&by_lease(world, stale, &fallbacks).await, &when);
        let live = world.claim().await.lease;
        assert!(live.work == stale.work && live.fence > stale.fence);
        assert_all_lost(&by_lease(world, stale, &fallbacks).await, &when);
        assert!(
            world.store.leases().holds(live).await.unwrap()
                && !world.store.leases().holds(stale).await.unwrap()
        );
        assert_eq!(world.task(user, &task_no).await, before, "{when}");
        let now = world.now();
        match stage {
            0 => {
                let result = found(vec![Ok(plan(10, &[&piece]))], std::slice::from_ref(&piece));
                world.store.jobs().complete_preflight(live, result, now).await.unwrap();
            }
            1 => world.store.jobs().complete_segment(live, now).await.unwrap(),
            _ => world.store.jobs().complete_item(live, result(), 10, now).await.unwrap(),
        }
        assert_all_lost(&by_lease(world, live, &fallbacks).await, &when);
    }
    assert_eq!(world.states(user, &task_no).await, (3, vec![3]));
}

pub async fn a_lease_is_valid_only_for_its_kind_of_work(world: &World) {
    let user = world.user(100).await;
    world.submit(user, &[10]).await;
    let lease = world.claim().await.lease;
    assert!(is_lost(&world.store.jobs().complete_segment(lease, 1).await));
    assert!(is_lost(&world.store.jobs().complete_item(lease, result(), 1, 1).await));
    world.store.leases().heartbeat(lease, 0, world.now(), LEASE_MS).await.unwrap();
}

pub async fn sixty_four_racers_deliver_once(world: &World) {
    let user = world.user(100).await;
    let task_no = world.queued(user, &[segment("a", 30)]).await;
    world.make_segment("a").await;
    let lease = world.claim_finish(&task_no, 1).await;
    let racers: Vec<_> = (0..64)
        .map(|_| {
            let store = world.store.clone();
            tokio::spawn(async move { store.jobs().complete_item(lease, result(), 10, 5).await })
        })
        .collect();
    let (mut won, mut lost) = (0, 0);
    for racer in racers {
        match racer.await.unwrap() {
            Ok(()) => won += 1,
            Err(StoreError::LeaseLost) => lost += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!((won, lost), (1, 63));
    assert_eq!(world.balance(user).await, (90, 0));
    assert_eq!(world.task(user, &task_no).await.consumed_points, 10);
}

pub async fn returning_work_does_not_count_as_an_attempt(world: &World) {
    let user = world.user(100).await;
    world.queued(user, &[segment("a", 30)]).await;
    for _ in 0..20 {
        let claim = world.claim().await;
        assert_eq!(claim.attempt, 1);
        world.store.leases().hand_back(claim.lease, world.now()).await.unwrap();
    }
}

pub async fn postponing_work_does_not_count_as_an_attempt(world: &World) {
    let user = world.user(100).await;
    world.queued(user, &[segment("a", 30)]).await;
    for _ in 0..20 {
        let claim = world.claim().await;
        assert_eq!(claim.attempt, 1);
        let now = world.now();
        world.store.leases().put_off(claim.lease, now + 15_000, now).await.unwrap();
        assert!(is_lost(&world.store.leases().put_off(claim.lease, now, now).await), "it was given up");
        assert!(world.try_claim().await.is_none(), "it waits");
        world.pass(15_001);
    }
}

pub async fn the_third_failure_ends_the_work(world: &World) {
    let user = world.user(100).await;
    let task_no = world.queued(user, &[segment("a", 30)]).await;
    for attempt in 1..=3 {
        let claim = world.claim().await;
        assert_eq!(claim.attempt, attempt);
        let failure = WorkFailure { error: task_error("broken"), retry_at: Some(world.now()) };
        world.store.jobs().fail(claim.lease, failure, world.now()).await.unwrap();
    }
    assert_eq!(world.states(user, &task_no).await, (4, vec![4]));
    assert!(world.try_claim().await.is_none());
    assert_eq!(world.balance(user).await, (100, 0));
}

/// Preflight, segments and assembly: two failures and up to nine lost leases are tolerated; the third failure ends
/// the work.
pub async fn each_kind_of_work_is_tried_three_times_not_counting_lost_leases(world: &World) {
    for (stage, state) in [(0, 6), (1, 4), (2, 4)] {
        let user = world.user(100).await;
        let name = format!("s{stage}");
        let task_no = match stage {
            0 => world.submit(user, &[10]).await,
            _ => world.queued(user, &[segment(&name, 30)]).await,
        };
        if stage == 2 {
            world.make_segment(&name).await;
        }
        let earliest = world.states(user, &task_no).await.0;
        for attempt in 1..=3 {
            for _ in 0..3 {
                assert_eq!(world.claim().await.attempt, attempt);
                rescue_later(world).await;
            }
            assert!(world.states(user, &task_no).await.0 >= earliest, "a task never moves backwards");
            let claim = world.claim().await;
            assert_eq!(claim.attempt, attempt);
            let failure = WorkFailure { error: task_error("broken"), retry_at: Some(world.now() + 50) };
            world.store.jobs().fail(claim.lease, failure, world.now()).await.unwrap();
            assert!(world.try_claim().await.is_none(), "it waits, or it is over");
            world.pass(50);
        }
        assert_eq!(world.states(user, &task_no).await, (state, vec![state]), "stage {stage}");
        assert_eq!(world.balance(user).await, (100, 0));
        assert!(world.try_claim().await.is_none());
    }
}

pub async fn a_failure_waits_for_its_time(world: &World) {
    let user = world.user(100).await;
    let task_no = world.queued(user, &[segment("a", 30)]).await;
    let lease = world.claim().await.lease;
    let retry_at = Some(world.now() + 1_000);
    let failure = WorkFailure { error: task_error("broken"), retry_at };
    world.store.jobs().fail(lease, failure, world.now()).await.unwrap();
    assert!(world.try_claim().await.is_none());
    world.pass(1_000);
    assert_eq!(world.claim().await.attempt, 2);
    assert_eq!(world.states(user, &task_no).await, (2, vec![2]));
}

pub async fn expired_leases_are_revoked(world: &World) {
    let user = world.user(100).await;
    world.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    let kept = world.claim().await.lease;
    world.claim().await;
    world.pass(LEASE_MS - 100);
    world.store.leases().heartbeat(kept, 1, world.now(), LEASE_MS).await.unwrap();
    assert_eq!(world.store.leases().rescue(world.now()).await.unwrap(), 0);
    world.pass(200);
    assert_eq!(world.store.leases().rescue(world.now()).await.unwrap(), 1);
    world.store.leases().heartbeat(kept, 1, world.now(), LEASE_MS).await.unwrap();
    world.claim_segment("b").await;
    assert_eq!(world.store.leases().rescue_all(world.now()).await.unwrap(), 2);
    assert!(is_lost(&world.store.leases().heartbeat(kept, 1, world.now(), LEASE_MS).await));
}

pub async fn the_tenth_lost_lease_ends_the_work(world: &World) {
    let user = world.user(100).await;
    let task_no = world.submit(user, &[10]).await;
    for lost in 1..=10 {
        assert_eq!(world.states(user, &task_no).await, (0, vec![0]), "before loss {lost}");
        assert_eq!(world.claim().await.attempt, 1);
        rescue_later(world).await;
    }
    assert_eq!(world.states(user, &task_no).await, (6, vec![6]));
    let error = world.task(user, &task_no).await.items.remove(0).error.unwrap();
    assert!(error.retryable && error.code.as_str() == "INTERNAL", "{error:?}");
    assert_eq!(world.balance(user).await, (100, 0));
    assert!(world.try_claim().await.is_none());
}

/// Its holders are alive, so the work never fails, and each lease lasts twice as long as the previous one, up to 32
/// times.
pub async fn a_slow_machine_gets_longer_leases(world: &World) {
    let user = world.user(100).await;
    let task_no = world.submit(user, &[10]).await;
    let mut times = 1;
    for lost in 0..12 {
        let claim = world.claim().await;
        assert_eq!((i64::from(claim.lease_times), claim.attempt), (times, 1), "after {lost}");
        // Both the claimed and the renewed lease last this long.
        for _ in 0..2 {
            world.pass(times * LEASE_MS - 1);
            assert_eq!(world.store.leases().rescue(world.now()).await.unwrap(), 0, "after {lost}");
            world.store.leases().heartbeat(claim.lease, 0, world.now(), LEASE_MS).await.unwrap();
        }
        if lost % 3 == 0 {
            // The holder reports it while it still has the work.
            world.store.leases().starved(claim.lease, world.now()).await.unwrap();
        } else {
            world.pass(times * LEASE_MS + 1);
            assert_eq!(world.store.leases().rescue(world.now()).await.unwrap(), 1);
            // Another worker may have the job when it reports this; repeating the report changes nothing.
            let other = if lost % 3 == 1 { None } else { Some(world.claim().await.lease) };
            for _ in 0..3 {
                assert!(is_lost(&world.store.leases().starved(claim.lease, world.now()).await));
            }
            if let Some(other) = other {
                assert!(world.store.leases().holds(other).await.unwrap());
                world.store.leases().hand_back(other, world.now()).await.unwrap();
            }
        }
        times = (times * 2).min(32);
    }
    for lost in 1..=10 {
        assert_eq!(world.states(user, &task_no).await, (0, vec![0]), "before dead machine {lost}");
        world.claim().await;
        world.pass(32 * LEASE_MS + 1);
        assert_eq!(world.store.leases().rescue(world.now()).await.unwrap(), 1);
    }
    assert_eq!(world.states(user, &task_no).await, (6, vec![6]));
}

/// Requeued or ended work does not indicate a slow machine.
pub async fn requeued_work_has_leases_as_before(world: &World) {
    let user = world.user(100).await;
    let task_no = world.submit(user, &[10]).await;
    let taken = world.claim().await.lease;
    world.store.queue().requeue(&Requeue::Work(taken.work)).await.unwrap();
    assert!(is_lost(&world.store.leases().starved(taken, world.now()).await));
    let claim = world.claim().await;
    assert_eq!(claim.lease_times, 1);
    world.store.tasks().cancel(user, &task_no, world.now()).await.unwrap();
    assert!(is_lost(&world.store.leases().starved(claim.lease, world.now()).await));
    assert!(world.try_claim().await.is_none());
}

pub async fn a_user_at_their_limit_does_not_delay_others(world: &World) {
    let limits = ClaimLimits { per_user: 2, ..ClaimLimits::default() };
    let (ann, bob) = (world.user(100).await, world.user(100).await);
    for _ in 0..3 {
        world.submit(ann, &[1]).await;
    }
    world.submit(bob, &[1]).await;
    let claim_for = async |expected| {
        let claim = world.try_claim_within(limits).await;
        let user = claim.as_ref().map(|claim| match &claim.job {
            Job::Preflight { user, .. } => *user,
            other => panic!("not a preflight: {other:?}"),
        });
        assert_eq!(user, expected);
        claim.map(|claim| claim.lease)
    };
    let first = claim_for(Some(ann)).await.unwrap();
    claim_for(Some(bob)).await;
    claim_for(Some(ann)).await;
    claim_for(None).await;
    world.store.leases().hand_back(first, world.now()).await.unwrap();
    claim_for(Some(ann)).await;
    claim_for(None).await;
    // Work whose lease is lost does not count as in progress.
    world.pass(LEASE_MS + 1);
    assert_eq!(world.store.leases().rescue(world.now()).await.unwrap(), 3);
    claim_for(Some(bob)).await;
    claim_for(Some(ann)).await;
    claim_for(Some(ann)).await;
    claim_for(None).await;
    assert!(world.try_claim().await.is_some(), "without a limit the fourth is ready");
}

pub async fn leases_are_kept_together(world: &World) {
    let user = world.user(100).await;
    let task_no = world.queued(user, &[segment("a", 30), segment("b", 30), segment("c", 30)]).await;
    let [a, b, c] =
        [world.claim_segment("a").await, world.claim_segment("b").await, world.claim_segment("c").await];
    world.store.queue().requeue(&Requeue::Work(b.work)).await.unwrap();
    world.pass(LEASE_MS / 2);
    let beat = |lease, renews, frames_done| Heartbeat { lease, renews, frames_done };
    let beats = [beat(a, true, Some(10)), beat(b, true, Some(20)), beat(c, false, Some(5))];
    assert_eq!(world.store.leases().keep(&beats, world.now(), LEASE_MS).await.unwrap(), [true, false, true]);
    assert_eq!(world.task(user, &task_no).await.frames_done, 15, "what a lost lease reports is nothing");
    // Reporting progress does not renew the lease.
    world.pass(LEASE_MS / 2 + 1);
    assert_eq!(world.store.leases().rescue(world.now()).await.unwrap(), 1);
    let looks = [beat(c, false, None), beat(a, false, None)];
    assert_eq!(world.store.leases().keep(&looks, world.now(), LEASE_MS).await.unwrap(), [false, true]);
    assert_eq!(world.store.leases().keep(&[], world.now(), LEASE_MS).await.unwrap(), [false; 0]);
}
