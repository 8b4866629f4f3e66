//! Leases: one holder at a time, and nothing written without one.

use std::collections::BTreeSet;

use clipmill_core::ids::JobId;
use clipmill_core::segment::SegmentKey;
use clipmill_store::retention::MaintenanceLease;
use clipmill_store::*;

use super::fixture::{Fixture, LEASE_MS, cutoffs, found, is_lost, plan, result, second, segment, task_error};

/// The results of methods called with `lease`, by the method's name.
macro_rules! tried {
    ($store:expr; $($method:ident ( $($argument:expr),* ))*) => {
        vec![$((stringify!($method), $store.$method($($argument),*).await.map(drop))),*]
    };
}

pub type Tried = Vec<(&'static str, StoreResult<()>)>;

/// Calls every method that takes the lease of a job, with `lease`. `fallbacks` were read while it was valid.
async fn by_lease(fixture: &Fixture, lease: Lease, fallbacks: &[Fallback]) -> Tried {
    let now = fixture.now();
    let piece = segment("a", 30);
    let failure = || JobFailure { error: task_error("stale"), retry_at: None };
    let more = More { lease, claimers: 1, max: 9 };
    let mut outcomes = tried!(fixture.store.leases();
        heartbeat(lease, 29, now, LEASE_MS)
        release(lease, now)
        extend_next_lease(lease, now)
        snooze(lease, now, now)
    );
    outcomes.extend(tried!(fixture.store.jobs();
        fail(lease, failure(), now)
        fail(lease, JobFailure { retry_at: Some(now), ..failure() }, now)
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
    outcomes.extend(tried!(fixture.store.queue();
        claim_more("worker", more, now, LEASE_MS, ClaimLimits::default())
    ));
    outcomes
}

/// The same check for the lease of an event.
pub async fn by_event_lease(fixture: &Fixture, lease: &EventLease) -> Tried {
    let attempt = DeliveryAttempt { started_at: fixture.now(), duration_ms: None, status: None, error: None };
    tried!(fixture.store.callbacks(); report_attempt(lease, attempt, AttemptOutcome::Delivered, fixture.now()))
}

/// The same check for the lease of a job.
pub async fn by_maintenance_lease(fixture: &Fixture, lease: &MaintenanceLease) -> Tried {
    let now = fixture.now();
    let cutoffs = cutoffs(now, now);
    tried!(fixture.store.retention();
        renew_maintenance(lease, now, LEASE_MS)
        end_maintenance(lease, now)
        expire_results(lease, &cutoffs, 9)
        expire_uploads(lease, &cutoffs, 9)
        expire_tasks(lease, &cutoffs, 9)
        expire_segments(lease, 9)
        expire_requests(lease, &cutoffs, 9)
        expire_attempts(lease, &cutoffs, 9)
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
        include_str!("../../src/maintenance/retention/mod.rs"),
    ]
    .concat();
    let mut carriers: Vec<String> = ["Lease", "EventLease", "MaintenanceLease"].map(str::to_owned).to_vec();
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

pub async fn every_method_that_takes_a_lease_is_tried(fixture: &Fixture) {
    let lease = Lease { work: JobId(-1), fence: 1 };
    let event = EventLease { event_id: "evt_none".to_owned(), fence: 1 };
    let job = MaintenanceLease { name: "none".to_owned(), fence: 1 };
    let mut tried = by_lease(fixture, lease, &[]).await;
    tried.extend(by_event_lease(fixture, &event).await);
    tried.extend(by_maintenance_lease(fixture, &job).await);
    assert_all_lost(&tried, "leases that nobody ever had");
    let mut tried_methods: BTreeSet<String> = tried.into_iter().map(|(name, _)| name.to_owned()).collect();
    // `holds` returns the reason why the others fail.
    assert!(!fixture.store.leases().holds(lease).await.unwrap());
    tried_methods.extend(["holds", "keep"].map(str::to_owned));
    assert_eq!(tried_methods, methods_that_take_a_lease());
}

async fn rescue_later(fixture: &Fixture) {
    fixture.pass(LEASE_MS + 1);
    assert_eq!(fixture.store.leases().rescue(fixture.now()).await.unwrap(), 1);
}

pub async fn a_stale_lease_changes_nothing(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.submit(user, &[10]).await;
    let piece = segment("a", 30);
    for stage in 0..3 {
        let stale = fixture.claim().await.lease;
        let when = format!("stage {stage}");
        let fallbacks = second(fixture, stale).await;
        assert_eq!(fallbacks.len(), usize::from(stage > 0), "{when}");
        rescue_later(fixture).await;
        let before = fixture.task(user, &task_no).await;
        // First while the work is free, then while another has it.
        assert_all_lost(&by_lease(fixture, stale, &fallbacks).await, &when);
        let live = fixture.claim().await.lease;
        assert!(live.work == stale.work && live.fence > stale.fence);
        assert_all_lost(&by_lease(fixture, stale, &fallbacks).await, &when);
        assert!(
            fixture.store.leases().holds(live).await.unwrap()
                && !fixture.store.leases().holds(stale).await.unwrap()
        );
        assert_eq!(fixture.task(user, &task_no).await, before, "{when}");
        let now = fixture.now();
        match stage {
            0 => {
                let result = found(vec![Ok(plan(10, &[&piece]))], std::slice::from_ref(&piece));
                fixture.store.jobs().complete_preflight(live, result, now).await.unwrap();
            }
            1 => fixture.store.jobs().complete_segment(live, now).await.unwrap(),
            _ => fixture.store.jobs().complete_item(live, result(), 10, now).await.unwrap(),
        }
        assert_all_lost(&by_lease(fixture, live, &fallbacks).await, &when);
    }
    assert_eq!(fixture.states(user, &task_no).await, (3, vec![3]));
}

pub async fn a_lease_is_valid_only_for_its_kind_of_work(fixture: &Fixture) {
    let user = fixture.user(100).await;
    fixture.submit(user, &[10]).await;
    let lease = fixture.claim().await.lease;
    assert!(is_lost(&fixture.store.jobs().complete_segment(lease, 1).await));
    assert!(is_lost(&fixture.store.jobs().complete_item(lease, result(), 1, 1).await));
    fixture.store.leases().heartbeat(lease, 0, fixture.now(), LEASE_MS).await.unwrap();
}

pub async fn sixty_four_racers_deliver_once(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30)]).await;
    fixture.make_segment("a").await;
    let lease = fixture.claim_finish(&task_no, 1).await;
    let racers: Vec<_> = (0..64)
        .map(|_| {
            let store = fixture.store.clone();
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
    assert_eq!(fixture.balance(user).await, (90, 0));
    assert_eq!(fixture.task(user, &task_no).await.consumed_points, 10);
}

pub async fn returning_work_does_not_count_as_an_attempt(fixture: &Fixture) {
    let user = fixture.user(100).await;
    fixture.queued(user, &[segment("a", 30)]).await;
    for _ in 0..20 {
        let claim = fixture.claim().await;
        assert_eq!(claim.attempt, 1);
        fixture.store.leases().release(claim.lease, fixture.now()).await.unwrap();
    }
}

pub async fn postponing_work_does_not_count_as_an_attempt(fixture: &Fixture) {
    let user = fixture.user(100).await;
    fixture.queued(user, &[segment("a", 30)]).await;
    for _ in 0..20 {
        let claim = fixture.claim().await;
        assert_eq!(claim.attempt, 1);
        let now = fixture.now();
        fixture.store.leases().snooze(claim.lease, now + 15_000, now).await.unwrap();
        assert!(is_lost(&fixture.store.leases().snooze(claim.lease, now, now).await), "it was given up");
        assert!(fixture.try_claim().await.is_none(), "it waits");
        fixture.pass(15_001);
    }
}

pub async fn the_third_failure_ends_the_work(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30)]).await;
    for attempt in 1..=3 {
        let claim = fixture.claim().await;
        assert_eq!(claim.attempt, attempt);
        let failure = JobFailure { error: task_error("broken"), retry_at: Some(fixture.now()) };
        fixture.store.jobs().fail(claim.lease, failure, fixture.now()).await.unwrap();
    }
    assert_eq!(fixture.states(user, &task_no).await, (4, vec![4]));
    assert!(fixture.try_claim().await.is_none());
    assert_eq!(fixture.balance(user).await, (100, 0));
}

/// Preflight, segments and assembly: two failures and up to nine lost leases are tolerated; the third failure ends
/// the work.
pub async fn each_kind_of_work_is_tried_three_times_not_counting_lost_leases(fixture: &Fixture) {
    for (stage, state) in [(0, 6), (1, 4), (2, 4)] {
        let user = fixture.user(100).await;
        let name = format!("s{stage}");
        let task_no = match stage {
            0 => fixture.submit(user, &[10]).await,
            _ => fixture.queued(user, &[segment(&name, 30)]).await,
        };
        if stage == 2 {
            fixture.make_segment(&name).await;
        }
        let earliest = fixture.states(user, &task_no).await.0;
        for attempt in 1..=3 {
            for _ in 0..3 {
                assert_eq!(fixture.claim().await.attempt, attempt);
                rescue_later(fixture).await;
            }
            assert!(fixture.states(user, &task_no).await.0 >= earliest, "a task never moves backwards");
            let claim = fixture.claim().await;
            assert_eq!(claim.attempt, attempt);
            let failure = JobFailure { error: task_error("broken"), retry_at: Some(fixture.now() + 50) };
            fixture.store.jobs().fail(claim.lease, failure, fixture.now()).await.unwrap();
            assert!(fixture.try_claim().await.is_none(), "it waits, or it is over");
            fixture.pass(50);
        }
        assert_eq!(fixture.states(user, &task_no).await, (state, vec![state]), "stage {stage}");
        assert_eq!(fixture.balance(user).await, (100, 0));
        assert!(fixture.try_claim().await.is_none());
    }
}

pub async fn a_failure_waits_for_its_time(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30)]).await;
    let lease = fixture.claim().await.lease;
    let retry_at = Some(fixture.now() + 1_000);
    let failure = JobFailure { error: task_error("broken"), retry_at };
    fixture.store.jobs().fail(lease, failure, fixture.now()).await.unwrap();
    assert!(fixture.try_claim().await.is_none());
    fixture.pass(1_000);
    assert_eq!(fixture.claim().await.attempt, 2);
    assert_eq!(fixture.states(user, &task_no).await, (2, vec![2]));
}

pub async fn expired_leases_are_revoked(fixture: &Fixture) {
    let user = fixture.user(100).await;
    fixture.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    let kept = fixture.claim().await.lease;
    fixture.claim().await;
    fixture.pass(LEASE_MS - 100);
    fixture.store.leases().heartbeat(kept, 1, fixture.now(), LEASE_MS).await.unwrap();
    assert_eq!(fixture.store.leases().rescue(fixture.now()).await.unwrap(), 0);
    fixture.pass(200);
    assert_eq!(fixture.store.leases().rescue(fixture.now()).await.unwrap(), 1);
    fixture.store.leases().heartbeat(kept, 1, fixture.now(), LEASE_MS).await.unwrap();
    fixture.claim_segment("b").await;
    assert_eq!(fixture.store.leases().rescue_all(fixture.now()).await.unwrap(), 2);
    assert!(is_lost(&fixture.store.leases().heartbeat(kept, 1, fixture.now(), LEASE_MS).await));
}

pub async fn the_tenth_lost_lease_ends_the_work(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.submit(user, &[10]).await;
    for lost in 1..=10 {
        assert_eq!(fixture.states(user, &task_no).await, (0, vec![0]), "before loss {lost}");
        assert_eq!(fixture.claim().await.attempt, 1);
        rescue_later(fixture).await;
    }
    assert_eq!(fixture.states(user, &task_no).await, (6, vec![6]));
    let error = fixture.task(user, &task_no).await.items.remove(0).error.unwrap();
    assert!(error.retryable && error.code.as_str() == "INTERNAL", "{error:?}");
    assert_eq!(fixture.balance(user).await, (100, 0));
    assert!(fixture.try_claim().await.is_none());
}

/// Its holders are alive, so the work never fails, and each lease lasts twice as long as the previous one, up to 32
/// times.
pub async fn a_slow_machine_gets_longer_leases(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.submit(user, &[10]).await;
    let mut times = 1;
    for lost in 0..12 {
        let claim = fixture.claim().await;
        assert_eq!((i64::from(claim.lease_times), claim.attempt), (times, 1), "after {lost}");
        // Both the claimed and the renewed lease last this long.
        for _ in 0..2 {
            fixture.pass(times * LEASE_MS - 1);
            assert_eq!(fixture.store.leases().rescue(fixture.now()).await.unwrap(), 0, "after {lost}");
            fixture.store.leases().heartbeat(claim.lease, 0, fixture.now(), LEASE_MS).await.unwrap();
        }
        if lost % 3 == 0 {
            // The holder reports it while it still has the work.
            fixture.store.leases().extend_next_lease(claim.lease, fixture.now()).await.unwrap();
        } else {
            fixture.pass(times * LEASE_MS + 1);
            assert_eq!(fixture.store.leases().rescue(fixture.now()).await.unwrap(), 1);
            // Another worker may have the job when it reports this; repeating the report changes nothing.
            let other = if lost % 3 == 1 { None } else { Some(fixture.claim().await.lease) };
            for _ in 0..3 {
                assert!(is_lost(&fixture.store.leases().extend_next_lease(claim.lease, fixture.now()).await));
            }
            if let Some(other) = other {
                assert!(fixture.store.leases().holds(other).await.unwrap());
                fixture.store.leases().release(other, fixture.now()).await.unwrap();
            }
        }
        times = (times * 2).min(32);
    }
    for lost in 1..=10 {
        assert_eq!(fixture.states(user, &task_no).await, (0, vec![0]), "before dead machine {lost}");
        fixture.claim().await;
        fixture.pass(32 * LEASE_MS + 1);
        assert_eq!(fixture.store.leases().rescue(fixture.now()).await.unwrap(), 1);
    }
    assert_eq!(fixture.states(user, &task_no).await, (6, vec![6]));
}

/// Requeued or ended work does not indicate a slow machine.
pub async fn requeued_work_has_leases_as_before(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.submit(user, &[10]).await;
    let taken = fixture.claim().await.lease;
    fixture.store.queue().requeue(&Requeue::Job(taken.work)).await.unwrap();
    assert!(is_lost(&fixture.store.leases().extend_next_lease(taken, fixture.now()).await));
    let claim = fixture.claim().await;
    assert_eq!(claim.lease_times, 1);
    fixture.store.tasks().cancel(user, &task_no, fixture.now()).await.unwrap();
    assert!(is_lost(&fixture.store.leases().extend_next_lease(claim.lease, fixture.now()).await));
    assert!(fixture.try_claim().await.is_none());
}

pub async fn a_user_at_their_limit_does_not_delay_others(fixture: &Fixture) {
    let limits = ClaimLimits { per_user: 2, ..ClaimLimits::default() };
    let (ann, bob) = (fixture.user(100).await, fixture.user(100).await);
    for _ in 0..3 {
        fixture.submit(ann, &[1]).await;
    }
    fixture.submit(bob, &[1]).await;
    let claim_for = async |expected| {
        let claim = fixture.try_claim_within(limits).await;
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
    fixture.store.leases().release(first, fixture.now()).await.unwrap();
    claim_for(Some(ann)).await;
    claim_for(None).await;
    // Work whose lease is lost does not count as in progress.
    fixture.pass(LEASE_MS + 1);
    assert_eq!(fixture.store.leases().rescue(fixture.now()).await.unwrap(), 3);
    claim_for(Some(bob)).await;
    claim_for(Some(ann)).await;
    claim_for(Some(ann)).await;
    claim_for(None).await;
    assert!(fixture.try_claim().await.is_some(), "without a limit the fourth is ready");
}

pub async fn leases_are_kept_together(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30), segment("b", 30), segment("c", 30)]).await;
    let [a, b, c] = [
        fixture.claim_segment("a").await,
        fixture.claim_segment("b").await,
        fixture.claim_segment("c").await,
    ];
    fixture.store.queue().requeue(&Requeue::Job(b.work)).await.unwrap();
    fixture.pass(LEASE_MS / 2);
    let beat = |lease, renews, frames_done| Heartbeat { lease, renews, frames_done };
    let heartbeats = [beat(a, true, Some(10)), beat(b, true, Some(20)), beat(c, false, Some(5))];
    assert_eq!(
        fixture.store.leases().keep(&heartbeats, fixture.now(), LEASE_MS).await.unwrap(),
        [true, false, true]
    );
    assert_eq!(fixture.task(user, &task_no).await.frames_done, 15, "what a lost lease reports is nothing");
    // Reporting progress does not renew the lease.
    fixture.pass(LEASE_MS / 2 + 1);
    assert_eq!(fixture.store.leases().rescue(fixture.now()).await.unwrap(), 1);
    let looks = [beat(c, false, None), beat(a, false, None)];
    assert_eq!(fixture.store.leases().keep(&looks, fixture.now(), LEASE_MS).await.unwrap(), [false, true]);
    assert_eq!(fixture.store.leases().keep(&[], fixture.now(), LEASE_MS).await.unwrap(), [false; 0]);
}
