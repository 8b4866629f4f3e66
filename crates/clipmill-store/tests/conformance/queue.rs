//! The order of claims, and the operator's view and control of the queue.

use clipmill_core::error::ErrorCode;
use clipmill_core::ids::UserId;
use clipmill_store::*;

use super::fixture::{Fixture, LEASE_MS, found, is_lost, plan, result, segment, sound, task_error};

fn user_of(claim: &Claim) -> UserId {
    match &claim.job {
        Job::Preflight { user, .. } | Job::Segment { user, .. } | Job::Assemble { user, .. } => *user,
    }
}

pub async fn the_user_with_the_fewest_running_jobs_is_next(fixture: &Fixture) {
    let [ann, bob, cleo] = [fixture.user(100).await, fixture.user(100).await, fixture.user(100).await];
    for user in [ann, ann, ann, ann, bob, bob, cleo] {
        fixture.submit(user, &[1]).await;
    }
    let mut turns = Vec::new();
    while let Some(claim) = fixture.try_claim().await {
        turns.push(user_of(&claim));
    }
    assert_eq!(turns, [ann, bob, cleo, ann, bob, ann, ann]);
}

/// The worker has one slot, so no job is running whenever it claims.
pub async fn ten_thousand_items_delay_another_users_first_by_one_item(fixture: &Fixture) {
    let (ann, bob) = (fixture.user(10_000).await, fixture.user(10).await);
    let pieces: Vec<NewSegment> = (0..100).map(|number| segment(&format!("s{number:03}"), 30)).collect();
    fixture.queued(ann, &pieces).await;
    for _ in 0..3 {
        let claim = fixture.claim().await;
        assert_eq!(user_of(&claim), ann);
        fixture.fail(claim.lease, "broken").await;
    }
    fixture.submit(bob, &[1]).await;
    let mut before_bob = 0;
    loop {
        let claim = fixture.claim().await;
        if user_of(&claim) == bob {
            break;
        }
        before_bob += 1;
        fixture.fail(claim.lease, "broken").await;
    }
    assert!(before_bob <= 1, "{before_bob}");
}

/// A worker claims only kinds of work that it can do; the first partition of a user may contain none of them.
pub async fn a_worker_gets_only_what_it_can_do(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30)]).await;
    fixture.submit(user, &[1]).await;
    let only = |kind: JobKind| ClaimLimits { kinds: [kind].into_iter().collect(), ..ClaimLimits::default() };
    assert!(fixture.try_claim_within(only(JobKind::Assemble)).await.is_none());
    let claim = fixture.try_claim_within(only(JobKind::Segment)).await.unwrap();
    assert!(matches!(claim.job, Job::Segment { .. }));
    assert!(fixture.try_claim_within(only(JobKind::Segment)).await.is_none());
    fixture.store.jobs().complete_segment(claim.lease, fixture.now()).await.unwrap();
    let claim = fixture.try_claim_within(only(JobKind::Preflight)).await.unwrap();
    assert!(matches!(claim.job, Job::Preflight { .. }));
    let claim = fixture.try_claim_within(only(JobKind::Assemble)).await.unwrap();
    assert!(matches!(claim.job, Job::Assemble { task_no: task, .. } if task == task_no));
}

pub async fn among_equal_users_the_least_recently_served_is_next(fixture: &Fixture) {
    let (ann, bob) = (fixture.user(100).await, fixture.user(100).await);
    fixture.submit(ann, &[1]).await;
    fixture.submit(bob, &[1]).await;
    let first = fixture.claim().await;
    assert_eq!(user_of(&first), ann);
    fixture.store.leases().release(first.lease, fixture.now()).await.unwrap();
    // Neither has running jobs; bob was never served.
    assert_eq!(user_of(&fixture.claim().await), bob);
    assert_eq!(user_of(&fixture.claim().await), ann);
}

pub async fn the_longest_segment_of_an_item_comes_first(fixture: &Fixture) {
    let user = fixture.user(100).await;
    fixture.submit(user, &[1, 1]).await;
    let pieces = [("a", 10), ("b", 90), ("c", 50), ("d", 900)].map(|(name, frames)| segment(name, frames));
    let [a, b, c, d] = &pieces;
    let items = vec![Ok(plan(1, &[a, b, c])), Ok(plan(1, &[c, d]))];
    fixture.preflight(found(items, &pieces)).await;
    for name in ["b", "c", "a", "d"] {
        fixture.claim_segment(name).await;
    }
}

/// Within an item audio comes first; segments of an earlier item still come before those of a later one.
pub async fn audio_of_an_item_is_claimed_before_video(fixture: &Fixture) {
    let user = fixture.user(100).await;
    fixture.submit(user, &[1, 1]).await;
    let pieces = [segment("a", 900), sound("b"), segment("c", 9_000_000), sound("d")];
    let [a, b, c, d] = &pieces;
    let items = vec![Ok(plan(1, &[a, b])), Ok(plan(1, &[c, d]))];
    fixture.preflight(found(items, &pieces)).await;
    for name in ["b", "a", "d", "c"] {
        fixture.claim_segment(name).await;
    }
}

pub async fn several_jobs_are_claimed_at_once_in_turn(fixture: &Fixture) {
    let (many, few) = (fixture.user(100).await, fixture.user(100).await);
    let pieces = ["a", "b", "c", "d"].map(|name| segment(name, 30));
    fixture.queued(many, &pieces).await;
    fixture.queued(few, &[segment("x", 30)]).await;
    let claim = async |max, limits| {
        fixture.store.queue().claim_several("w", max, fixture.now(), LEASE_MS, limits).await.unwrap()
    };
    let names = |claims: &[Claim]| -> Vec<String> {
        let name = |claim: &Claim| match &claim.job {
            Job::Segment { key, .. } => key.0.to_string(),
            other => panic!("{other:?}"),
        };
        let mut names: Vec<String> = claims.iter().map(name).collect();
        names.sort();
        names
    };
    assert!(claim(0, ClaimLimits::default()).await.is_empty());
    let first = claim(2, ClaimLimits::default()).await;
    assert_eq!(names(&first), ["a", "x"], "one of each user");
    // With limits, one at a time, and none beyond them.
    let capped = ClaimLimits { per_user: 2, ..ClaimLimits::default() };
    assert_eq!(names(&claim(9, capped).await), ["b"]);
    assert!(claim(9, capped).await.is_empty());
    assert_eq!(names(&claim(9, ClaimLimits::default()).await), ["c", "d"], "as many as there are");
    assert!(claim(9, ClaimLimits::default()).await.is_empty());
    for claim in first {
        fixture.store.jobs().complete_segment(claim.lease, fixture.now()).await.unwrap();
    }
}

pub async fn nothing_is_claimed_while_paused(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30)]).await;
    let lease = fixture.claim_segment("a").await;
    assert!(fixture.store.queue().pause(None, fixture.now()).await.unwrap());
    assert!(!fixture.store.queue().pause(None, fixture.now()).await.unwrap());
    assert!(fixture.store.queue().overview(fixture.now(), 9).await.unwrap().pause.is_some());
    // Running work continues.
    fixture.store.leases().heartbeat(lease, 3, fixture.now(), LEASE_MS).await.unwrap();
    fixture.store.jobs().complete_segment(lease, fixture.now()).await.unwrap();
    assert!(fixture.try_claim().await.is_none());
    assert!(fixture.store.queue().resume().await.unwrap());
    assert!(!fixture.store.queue().resume().await.unwrap());
    fixture.deliver(&task_no, 1, 1).await;
    assert_eq!(fixture.store.queue().overview(fixture.now(), 9).await.unwrap().pause, None);
}

pub async fn work_is_requeued(fixture: &Fixture) {
    let user = fixture.user(100).await;
    fixture.queued(user, &[segment("a", 30), segment("b", 30), segment("c", 30)]).await;
    let [a, b] = [fixture.claim_segment("a").await, fixture.claim_segment("b").await];
    let failure = JobFailure { error: task_error("broken"), retry_at: Some(fixture.now() + 1_000_000) };
    let c = fixture.claim_segment("c").await;
    fixture.store.jobs().fail(c, failure, fixture.now()).await.unwrap();
    assert!(fixture.try_claim().await.is_none());

    assert_eq!(fixture.store.queue().requeue(&Requeue::Delayed).await.unwrap(), 1);
    let claim = fixture.claim().await;
    assert_eq!((claim.lease.work, claim.attempt), (c.work, 2));
    assert_eq!(fixture.store.queue().requeue(&Requeue::Job(a.work)).await.unwrap(), 1);
    assert_eq!(fixture.store.queue().requeue(&Requeue::Job(a.work)).await.unwrap(), 0);
    assert!(is_lost(&fixture.store.leases().heartbeat(a, 1, fixture.now(), LEASE_MS).await));
    assert_eq!(fixture.claim().await.attempt, 1);
    assert!(is_lost(&fixture.store.jobs().complete_segment(a, fixture.now()).await));

    assert_eq!(fixture.store.queue().requeue(&Requeue::Worker("nobody".into())).await.unwrap(), 0);
    assert_eq!(fixture.store.queue().requeue(&Requeue::Worker("worker".into())).await.unwrap(), 3);
    assert!(is_lost(&fixture.store.jobs().complete_segment(b, fixture.now()).await));
    assert_eq!(fixture.claim().await.lease.work, a.work);
}

pub async fn the_overview_counts_waiting_and_running_work(fixture: &Fixture) {
    let overview = fixture.store.queue().overview(fixture.now(), 9).await.unwrap();
    assert_eq!((overview.depths.len(), overview.users.len(), overview.running.len()), (0, 0, 0));
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    fixture.pass(5_000);
    let lease = fixture.claim_segment("a").await;
    fixture.submit(user, &[1]).await;
    fixture.pass(2_000);

    let overview = fixture.store.queue().overview(fixture.now(), 9).await.unwrap();
    let mut depths: Vec<_> =
        overview.depths.iter().map(|d| (d.kind.as_str(), d.state.as_str(), d.count)).collect();
    depths.sort_unstable();
    let expected = [
        ("finish", "waiting", 2),
        ("preflight", "ready", 1),
        ("segment", "ready", 1),
        ("segment", "running", 1),
    ];
    assert_eq!(depths, expected);
    let oldest = overview.depths.iter().map(|depth| depth.oldest_ms).max().unwrap();
    assert!((7_000..8_000).contains(&oldest), "{oldest}");
    let user_name = overview.users.first().unwrap().user_name.clone();
    assert_eq!(overview.users, [UserLoad { user_name: user_name.clone(), ready: 2, running: 1 }]);
    let running = overview.running.first().unwrap();
    assert_eq!(
        (running.work, running.kind, &running.task_no),
        (lease.work, JobKind::Segment, &Some(task_no))
    );
    assert_eq!((running.user_name.as_str(), running.worker.as_str()), (user_name.as_str(), "worker"));
    assert!((2_000..3_000).contains(&running.running_ms), "{running:?}");
    assert!((LEASE_MS - 3_000..LEASE_MS - 2_000).contains(&running.lease_left_ms), "{running:?}");
}

pub async fn workers_report_themselves(fixture: &Fixture) {
    let info = |name: &str, draining| WorkerInfo {
        name: name.into(),
        host: "host".into(),
        version: "1.0".into(),
        slots: 4,
        kinds: [JobKind::Segment, JobKind::Assemble].into_iter().collect(),
        draining,
        speed: draining.then_some(1_500),
    };
    let user = fixture.user(100).await;
    fixture.submit(user, &[1]).await;
    fixture.claim().await;
    let seen = async |name, draining| {
        fixture.store.workers().record(&info(name, draining), fixture.now()).await.unwrap()
    };
    assert_eq!((seen("worker", false).await, seen("other", false).await), (1, 2));
    fixture.pass(40_000);
    assert_eq!(seen("other", false).await, 1, "the other one has not been heard of for long");
    assert_eq!(seen("other", true).await, 0, "it takes nothing any more");
    let workers = fixture.store.workers().list(fixture.now()).await.unwrap();
    let listed_workers: Vec<_> = workers.iter().map(|w| (w.info.clone(), w.alive, w.running)).collect();
    assert_eq!(listed_workers, [(info("other", true), true, 0), (info("worker", false), false, 1)]);
    fixture.store.workers().remove("other").await.unwrap();
    assert_eq!(fixture.store.workers().list(fixture.now()).await.unwrap().len(), 1);
    fixture.pass(25 * 3_600_000);
    fixture.store.workers().record(&info("third", false), fixture.now()).await.unwrap();
    let names: Vec<_> =
        fixture.store.workers().list(fixture.now()).await.unwrap().into_iter().map(|w| w.info.name).collect();
    assert_eq!(names, ["third"]);
}

pub async fn remaining_work_and_throughput_are_reported(fixture: &Fixture) {
    let load = async || fixture.store.queue().load(fixture.now()).await.unwrap();
    assert_eq!(load().await, Load::default());
    let (ann, bob) = (fixture.user(100).await, fixture.user(100).await);
    let first = fixture.queued(ann, &[segment("a", 280)]).await;
    let second = fixture.queued(ann, &[segment("b", 560)]).await;
    fixture.queued(bob, &[segment("c", 28)]).await;
    let unplanned = fixture.submit(ann, &[1]).await;
    // The assembly of 28 frames counts as one frame.
    assert_eq!(load().await.work_left, [(ann, 290 + 580), (bob, 29)]);
    let mut left = Vec::new();
    for task_no in [&first, &second, &unplanned] {
        left.push(fixture.task(ann, task_no).await.work_left);
    }
    assert_eq!(left, [Some(290), Some(290 + 580), None]);

    let kinds = |kinds: &[JobKind]| kinds.iter().copied().collect();
    let seen = async |name: &str, slots, speed, draining, kinds| {
        let (name, host, version) = (name.to_owned(), "host".to_owned(), "1".to_owned());
        let info = WorkerInfo { name, host, version, slots, kinds, draining, speed };
        fixture.store.workers().record(&info, fixture.now()).await.unwrap();
    };
    seen("gone", 9, Some(9_000), false, JobKinds::default()).await;
    fixture.pass(40_000);
    seen("new", 2, None, false, JobKinds::default()).await;
    assert_eq!(load().await.speed, None, "nobody has measured yet");
    seen("fast", 4, Some(3_000), false, kinds(&[JobKind::Segment])).await;
    seen("slow", 2, Some(1_500), false, JobKinds::default()).await;
    seen("leaving", 9, Some(9_000), true, JobKinds::default()).await;
    seen("planner", 9, Some(9_000), false, kinds(&[JobKind::Preflight])).await;
    assert_eq!(load().await.speed, Some(8 * (4 * 3_000 + 2 * 1_500) / 6));
    fixture.store.queue().pause(None, fixture.now()).await.unwrap();
    assert_eq!(load().await.speed, None, "nothing is claimed");
}

pub async fn failures_are_listed_latest_first(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let list = async |size| {
        let page = Page { number: 1, size };
        fixture.store.operations().failed_items(None, None, page).await.unwrap().list
    };
    assert_eq!(list(9).await, []);
    let first = fixture.queued(user, &[segment("a", 30)]).await;
    let lease = fixture.claim_segment("a").await;
    fixture.fail(lease, "broken").await;
    let second = fixture.submit(user, &[1, 1]).await;
    fixture.preflight(found(vec![Err(task_error("bad 1")), Err(task_error("bad 2"))], &[])).await;
    let failures = list(9).await;
    let listed_failures: Vec<_> =
        failures.iter().map(|f| (&f.task_no, f.item_no, f.error.message.english())).collect();
    assert_eq!(listed_failures, [(&second, 2, "bad 2"), (&second, 1, "bad 1"), (&first, 1, "broken")]);
    assert!(failures.iter().all(|failure| failure.finished_at.is_some()));
    assert_eq!(list(1).await.len(), 1);
    let page = Page { number: 1, size: 2 };
    let name = fixture.store.users().find(user).await.unwrap().unwrap().name.to_uppercase();
    for (search, expected) in
        [(Some(second.to_string()), 2), (Some(name), 3), (None, 3), (Some("%".to_owned()), 0)]
    {
        let listed = fixture.store.operations().failed_items(None, search.as_deref(), page).await.unwrap();
        assert_eq!((listed.total, listed.list.len()), (expected, expected.min(2) as usize), "{search:?}");
    }
    let of_code = fixture
        .store
        .operations()
        .failed_items(Some(ErrorCode::Internal), Some(second.as_str()), page)
        .await
        .unwrap();
    assert_eq!(of_code.total, if failures[0].error.code == ErrorCode::Internal { 2 } else { 0 });
}

fn item_of(claim: &Claim) -> u32 {
    match &claim.job {
        Job::Assemble { item_no, .. } => *item_no,
        other => panic!("not a finish: {other:?}"),
    }
}

pub async fn an_assembling_worker_gets_a_share_of_the_assemblies(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let piece = segment("a", 30);
    fixture.submit(user, &[1; 9]).await;
    fixture.submit(user, &[1; 2]).await;
    for items in [9, 2] {
        let plans = (0..items).map(|_| Ok(plan(1, &[&piece]))).collect();
        fixture.preflight(found(plans, std::slice::from_ref(&piece))).await;
    }
    fixture.make_segment("a").await;
    let more_of = async |lease: Lease, claimers: u32, max: u32, limits: ClaimLimits| {
        let more = More { lease, claimers, max };
        fixture.store.queue().claim_more("worker", more, fixture.now(), LEASE_MS, limits).await.unwrap()
    };
    let any = ClaimLimits::default();
    let first = fixture.claim().await;
    assert_eq!(item_of(&first), 1);
    // Two claimers share nine assemblies: five are for this one.
    let more = more_of(first.lease, 2, 8, any).await;
    assert_eq!(more.iter().map(item_of).collect::<Vec<_>>(), [2, 3, 4, 5]);
    assert!(more.iter().all(|claim| claim.attempt == 1));
    // The leased assemblies can be completed, each once.
    for claim in &more {
        assert!(fixture.store.leases().holds(claim.lease).await.unwrap());
        fixture.store.jobs().complete_item(claim.lease, result(), 1, fixture.now()).await.unwrap();
        assert!(is_lost(&fixture.store.jobs().complete_item(claim.lease, result(), 1, fixture.now()).await));
    }
    assert!(more_of(first.lease, 2, 1, any).await.is_empty(), "no more than were asked for");
    let capped = ClaimLimits { per_user: 2, ..any };
    let more = more_of(first.lease, 1, 8, capped).await;
    assert_eq!(more.iter().map(item_of).collect::<Vec<_>>(), [6], "running jobs per user are limited");
    assert!(more_of(first.lease, 1, 8, capped).await.is_empty());
    fixture.store.queue().pause(None, fixture.now()).await.unwrap();
    assert!(more_of(first.lease, 1, 8, any).await.is_empty(), "the queue is paused");
    fixture.store.queue().resume().await.unwrap();
    // While another user waits for their turn, no worker gets several.
    let other = fixture.user(10).await;
    fixture.submit(other, &[1]).await;
    assert!(more_of(first.lease, 1, 8, any).await.is_empty());
    let claim = fixture.claim().await;
    assert_eq!(user_of(&claim), other);
    assert!(more_of(claim.lease, 1, 8, any).await.is_empty(), "a preflight is done alone");
    let more = more_of(first.lease, 1, 8, any).await;
    assert_eq!(more.iter().map(item_of).collect::<Vec<_>>(), [7, 8, 9], "of this task only");
    fixture.store.jobs().complete_item(first.lease, result(), 1, fixture.now()).await.unwrap();
    let gone = fixture.store.queue().claim_more(
        "worker",
        More { lease: first.lease, claimers: 1, max: 8 },
        fixture.now(),
        LEASE_MS,
        any,
    );
    assert!(matches!(gone.await, Err(StoreError::LeaseLost)));
    fixture.fail(claim.lease, "broken").await;
}

pub async fn fetching_and_rendering_work_is_limited_separately(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let limits =
        |per_user: u32, kinds: &[JobKind]| ClaimLimits { per_user, kinds: kinds.iter().copied().collect() };
    let (fetching, rendering) =
        (limits(1, &[JobKind::Preflight]), limits(1, &[JobKind::Segment, JobKind::Assemble]));
    fixture.submit(user, &[1]).await;
    fixture.preflight(found(vec![Ok(plan(1, &[&segment("a", 30)]))], &[segment("a", 30)])).await;
    fixture.submit(user, &[1]).await;
    fixture.submit(user, &[1]).await;
    let fetched = fixture.try_claim_within(fetching).await.expect("a first preflight");
    assert!(fixture.try_claim_within(fetching).await.is_none(), "a user's share is one");
    let piece =
        fixture.try_claim_within(rendering).await.expect("what renders does not wait for what fetches");
    assert!(matches!(piece.job, Job::Segment { .. }));
    assert!(fixture.try_claim_within(rendering).await.is_none());
    fixture.fail(fetched.lease, "broken").await;
    assert!(fixture.try_claim_within(fetching).await.is_some(), "the share is free again");
}

pub async fn an_assembling_worker_gets_more_while_others_render_segments(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let (piece, next) = (segment("a", 30), ["b", "c"].map(|name| segment(name, 30)));
    fixture.submit(user, &[1; 9]).await;
    let mut plans: Vec<_> = (0..7).map(|_| Ok(plan(1, &[&piece]))).collect();
    plans.extend(next.iter().map(|next| Ok(plan(1, &[next]))));
    let pieces = [vec![piece], next.to_vec()].concat();
    fixture.preflight(found(plans, &pieces)).await;
    fixture.make_segment("a").await;
    let first = fixture.claim().await;
    let more_of = async |claimers: u32, kinds: JobKinds| {
        let (more, limits) =
            (More { lease: first.lease, claimers, max: 8 }, ClaimLimits { per_user: 0, kinds });
        let more =
            fixture.store.queue().claim_more("worker", more, fixture.now(), LEASE_MS, limits).await.unwrap();
        more.iter().map(item_of).collect::<Vec<_>>()
    };
    assert_eq!(item_of(&first), 1);
    // Two of four claimers have a segment to render: the six remaining outputs, with the first, are for the other two.
    assert_eq!(more_of(4, JobKinds::default()).await, [2, 3, 4]);
    // Claimers that render no segments are all available for the outputs.
    assert_eq!(more_of(3, [JobKind::Assemble].into_iter().collect()).await, [5]);
    assert_eq!(more_of(3, JobKinds::default()).await, [6, 7], "both others have a segment to make");
}

pub async fn outputs_that_wait_for_a_worker_are_listed(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let [a, b, c] = ["a", "b", "c"].map(|name| segment(name, 50));
    fixture.submit(user, &[10, 10, 10]).await;
    let plans = vec![Ok(plan(10, &[&a, &b])), Ok(plan(10, &[&b])), Ok(plan(10, &[&c]))];
    fixture.preflight(found(plans, &[a, b, c])).await;
    let waiting = async |worker: &str, max: u32| {
        let outputs = fixture.store.jobs().outputs_waiting(worker, max).await.unwrap();
        outputs.into_iter().map(|output| output.video.len()).collect::<Vec<_>>()
    };
    assert!(waiting("worker", 9).await.is_empty(), "nothing is being made");
    let lease = fixture.claim_segment("a").await;
    assert_eq!(waiting("worker", 9).await, [2]);
    let other = fixture.claim_segment("b").await;
    assert_eq!((waiting("worker", 9).await, waiting("worker", 1).await), (vec![2, 1], vec![2]));
    assert!(waiting("another", 9).await.is_empty());
    fixture.store.jobs().complete_segment(lease, fixture.now()).await.unwrap();
    assert_eq!(waiting("worker", 9).await, [2, 1], "both wait for the other");
    fixture.store.jobs().complete_segment(other, fixture.now()).await.unwrap();
    assert!(waiting("worker", 9).await.is_empty());
}
