//! Segments are rendered once for all tasks that need them.

use clipmill_core::ids::UserId;
use clipmill_core::segment::SegmentKey;
use clipmill_store::*;

use super::world::{LEASE_MS, World, found, is_lost, plan, result, segment, task_error};

fn present(name: &str) -> NewSegment {
    NewSegment { present: true, ..segment(name, 30) }
}

async fn progress(world: &World, user: UserId, task_no: &clipmill_core::ids::TaskNo) -> (u64, u64) {
    let task = world.task(user, task_no).await;
    (task.frames_done, task.frames_planned)
}

pub async fn two_tasks_share_running_work(world: &World) {
    let user = world.user(100).await;
    let first = world.queued(user, &[segment("a", 30)]).await;
    let second = world.queued(user, &[segment("a", 30)]).await;
    let lease = world.claim_segment("a").await;
    let third = world.queued(user, &[segment("a", 30)]).await;
    assert!(world.try_claim().await.is_none());
    assert_eq!(world.states(user, &second).await, (2, vec![2]));
    assert_eq!(world.states(user, &third).await, (1, vec![1]));
    world.store.jobs().complete_segment(lease, world.now()).await.unwrap();
    for task_no in [&first, &second, &third] {
        world.deliver(task_no, 1, 10).await;
        assert_eq!(world.states(user, task_no).await, (3, vec![3]));
    }
    assert!(world.try_claim().await.is_none());
}

/// Concurrent reports are written in one unit; an invalid one does not affect the others.
pub async fn concurrent_reports_are_written_individually(world: &World) {
    let (one, other) = (world.user(100).await, world.user(100).await);
    let pieces = |names: [&str; 3]| names.map(|name| segment(name, 30));
    let tasks = [
        (one, world.queued(one, &pieces(["a", "b", "c"])).await),
        (other, world.queued(other, &pieces(["c", "d", "e"])).await),
    ];
    // All of these at once, in any order.
    let at_once = async |leases: Vec<Lease>, outputs: bool| {
        let reports = leases.into_iter().map(|lease| {
            let (store, now) = (world.store.clone(), world.now());
            tokio::spawn(async move {
                match outputs {
                    true => store.jobs().complete_item(lease, result(), 7, now).await,
                    false => store.jobs().complete_segment(lease, now).await,
                }
            })
        });
        let mut outcomes = Vec::new();
        for report in reports.collect::<Vec<_>>() {
            outcomes.push(report.await.unwrap());
        }
        outcomes
    };
    // Claims all ready work; the first job twice, so that there is an older lease of the same work.
    let claim_all = async || {
        let older = world.claim().await.lease;
        world.store.leases().hand_back(older, world.now()).await.unwrap();
        let mut leases = Vec::new();
        while let Some(claim) = world.try_claim().await {
            leases.push(claim.lease);
        }
        let again =
            leases.iter().position(|lease| lease.work == older.work).expect("the work to be claimed again");
        leases.swap(0, again);
        // While the last one is written, the older lease comes before that which replaced it.
        let last = leases.pop().unwrap();
        [vec![last, older], leases, vec![last]].concat()
    };
    let check = |outcomes: &[StoreResult<()>], good: usize| {
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), good);
        assert!(outcomes.iter().all(|outcome| outcome.is_ok() || is_lost(outcome)));
        assert!(is_lost(&outcomes[1]), "the older lease");
    };
    check(&at_once(claim_all().await, false).await, 5);
    let leases = claim_all().await;
    assert!(at_once(leases.clone(), false).await.iter().all(is_lost), "not for work of this kind");
    check(&at_once(leases, true).await, 6);
    for (user, task_no) in &tasks {
        assert_eq!(world.states(*user, task_no).await, (3, vec![3; 3]));
        assert_eq!(world.task(*user, task_no).await.consumed_points, 21);
        assert_eq!(world.balance(*user).await, (79, 0));
    }
}

pub async fn existing_segments_need_no_work(world: &World) {
    let user = world.user(100).await;
    let task_no = world.queued(user, &[present("a")]).await;
    assert_eq!(progress(world, user, &task_no).await, (0, 2));
    world.deliver(&task_no, 1, 10).await;
    assert_eq!(progress(world, user, &task_no).await, (2, 2));

    // Found in the cache while another task still waits for it to be made.
    let waiting = world.queued(user, &[segment("b", 30)]).await;
    let lucky = world.queued(user, &[present("b")]).await;
    world.deliver(&waiting, 1, 10).await;
    world.deliver(&lucky, 1, 10).await;
    assert!(world.try_claim().await.is_none());
}

pub async fn segments_rendered_during_preflight_are_reused(world: &World) {
    let user = world.user(100).await;
    let first = world.queued(user, &[segment("a", 30)]).await;
    let lease = world.claim_segment("a").await;
    let second = world.submit(user, &[10]).await;
    let preflight = world.claim().await.lease;
    world.store.jobs().complete_segment(lease, world.now()).await.unwrap();
    let a = segment("a", 30);
    let result = found(vec![Ok(plan(10, &[&a]))], &[a]);
    world.store.jobs().complete_preflight(preflight, result, world.now()).await.unwrap();
    world.deliver(&first, 1, 10).await;
    world.deliver(&second, 1, 10).await;
}

pub async fn evicted_segments_are_rendered_again(world: &World) {
    let user = world.user(100).await;
    let first = world.queued(user, &[segment("a", 30)]).await;
    world.make_segment("a").await;
    world.deliver(&first, 1, 10).await;
    let second = world.queued(user, &[segment("a", 30)]).await;
    assert_eq!(progress(world, user, &second).await, (0, 32));
    world.make_segment("a").await;
    world.deliver(&second, 1, 10).await;
    assert_eq!(progress(world, user, &first).await, (32, 32));
}

pub async fn missing_segments_are_rendered_again(world: &World) {
    let user = world.user(100).await;
    let task_no = world.queued(user, &[present("a")]).await;
    let lease = world.claim_finish(&task_no, 1).await;
    let missing = [SegmentKey("a".into())];
    world.store.jobs().segments_missing(lease, &missing, world.now()).await.unwrap();
    world.make_segment("a").await;
    let lease = world.claim_finish(&task_no, 1).await;
    let stranger = [SegmentKey("b".into())];
    let refused = world.store.jobs().segments_missing(lease, &stranger, world.now()).await;
    assert!(matches!(refused, Err(StoreError::Corrupt(_))), "{refused:?}");
    world.store.jobs().complete_item(lease, super::world::result(), 10, world.now()).await.unwrap();
    assert_eq!(progress(world, user, &task_no).await, (2, 2));
}

pub async fn a_cache_that_keeps_nothing_ends_the_item(world: &World) {
    let user = world.user(100).await;
    let task_no = world.queued(user, &[segment("a", 30)]).await;
    let mut rounds = 0;
    while world.states(user, &task_no).await.0 != 4 {
        world.make_segment("a").await;
        let lease = world.claim_finish(&task_no, 1).await;
        let missing = [SegmentKey("a".into())];
        world.store.jobs().segments_missing(lease, &missing, world.now()).await.unwrap();
        rounds += 1;
    }
    assert_eq!(rounds, 10);
    assert!(world.try_claim().await.is_none());
}

pub async fn a_failure_fails_the_items_that_wait_for_it(world: &World) {
    let user = world.user(100).await;
    let [a, b] = ["a", "b"].map(|name| segment(name, 30));
    let first = world.submit(user, &[10, 10]).await;
    let plans = vec![Ok(plan(10, &[&a])), Ok(plan(10, &[&b]))];
    world.preflight(found(plans, &[a.clone(), b.clone()])).await;
    let second = world.queued(user, &[a]).await;
    let lease = world.claim_segment("a").await;
    world.fail(lease, "broken").await;
    assert_eq!(world.states(user, &first).await, (2, vec![4, 1]));
    assert_eq!(world.states(user, &second).await, (4, vec![4]));
    world.make_segment("b").await;
    world.deliver(&first, 2, 10).await;
    let task = world.task(user, &first).await;
    assert_eq!((task.state.code(), task.completed_items, task.failed_items), (3, 1, 1));
    assert_eq!(task.frames_done, task.frames_planned);
    assert_eq!(world.balance(user).await, (90, 0));
}

pub async fn another_user_gets_a_try_with_their_own_source(world: &World) {
    let (ann, bob) = (world.user(100).await, world.user(100).await);
    let bobs_source = |segment: NewSegment| {
        let mut sources = segment.sources.clone();
        sources.iter_mut().for_each(|source| source.url = "https://bob.example/a.mp4".into());
        NewSegment { sources, ..segment }
    };
    let anns = world.queued(ann, &[segment("a", 30)]).await;
    let bobs = world.queued(bob, &[bobs_source(segment("a", 30))]).await;
    let claim = world.claim().await;
    assert!(matches!(&claim.job, Job::Segment { user, .. } if *user == ann), "{:?}", claim.job);
    world.fail(claim.lease, "https://example.com/a.mp4 is gone").await;
    assert_eq!(world.states(ann, &anns).await, (4, vec![4]));
    assert_eq!(world.states(bob, &bobs).await, (2, vec![2]));
    let claim = world.claim().await;
    match &claim.job {
        Job::Segment { user, sources, .. } => {
            assert_eq!((*user, sources[0].url.as_str()), (bob, "https://bob.example/a.mp4"));
        }
        other => panic!("{other:?}"),
    }
    world.store.jobs().complete_segment(claim.lease, world.now()).await.unwrap();
    world.deliver(&bobs, 1, 10).await;
}

pub async fn a_failed_segment_is_retried_for_a_new_task(world: &World) {
    let user = world.user(100).await;
    world.queued(user, &[segment("a", 30)]).await;
    let lease = world.claim_segment("a").await;
    world.fail(lease, "broken").await;
    let second = world.queued(user, &[segment("a", 30)]).await;
    let claim = world.claim().await;
    assert_eq!(claim.attempt, 1);
    world.store.jobs().complete_segment(claim.lease, world.now()).await.unwrap();
    world.deliver(&second, 1, 10).await;
}

pub async fn unneeded_work_is_dropped(world: &World) {
    let user = world.user(100).await;
    let [a, b, c] = ["a", "b", "c"].map(|name| segment(name, 30));
    let first = world.submit(user, &[10]).await;
    world.preflight(found(vec![Ok(plan(10, &[&a, &b, &c]))], &[a, b.clone(), c])).await;
    let failing = world.claim_segment("a").await;
    let running = world.claim_segment("b").await;
    world.fail(failing, "broken").await;
    assert_eq!(world.states(user, &first).await, (4, vec![4]));
    // c is not rendered; the worker that renders b is told to stop.
    assert!(world.try_claim().await.is_none());
    assert!(!world.store.leases().holds(running).await.unwrap());
    assert!(is_lost(&world.store.leases().heartbeat(running, 10, world.now(), LEASE_MS).await));
    assert!(world.try_claim().await.is_none());
    let second = world.queued(user, &[b]).await;
    world.make_segment("b").await;
    world.deliver(&second, 1, 10).await;
}

pub async fn progress_counts_shared_work_once_and_never_decreases(world: &World) {
    let user = world.user(100).await;
    let [a, b] = ["a", "b"].map(|name| segment(name, 30));
    let task_no = world.submit(user, &[10, 10, 10]).await;
    let plans = vec![Ok(plan(10, &[&a])), Ok(plan(10, &[&a, &b])), Ok(plan(10, &[&a]))];
    world.preflight(found(plans, &[a, b])).await;
    // 30 + 30 frames, and 2 + 3 + 2 for assembly.
    assert_eq!(progress(world, user, &task_no).await, (0, 67));
    let lease = world.claim_segment("a").await;
    for (reported, done) in [(10, 10), (5, 10), (u64::MAX, 30)] {
        world.store.leases().heartbeat(lease, reported, world.now(), LEASE_MS).await.unwrap();
        assert_eq!(progress(world, user, &task_no).await, (done, 67), "{reported} reported");
    }
    let failure = WorkFailure { error: task_error("broken"), retry_at: Some(0) };
    world.store.jobs().fail(lease, failure, world.now()).await.unwrap();
    assert_eq!(progress(world, user, &task_no).await, (30, 67));
    world.make_segment("a").await;
    world.deliver(&task_no, 1, 10).await;
    assert_eq!(progress(world, user, &task_no).await, (32, 67));
    let items = world.task(user, &task_no).await.items;
    let item_progress: Vec<_> = items.iter().map(|item| (item.frames_done, item.frames_planned)).collect();
    assert_eq!(item_progress, [(32, 32), (30, 63), (30, 32)]);
    world.deliver(&task_no, 3, 10).await;
    // Work that only a failed item needed is no longer planned.
    let lease = world.claim_segment("b").await;
    world.fail(lease, "broken").await;
    assert_eq!(progress(world, user, &task_no).await, (34, 34));
}
