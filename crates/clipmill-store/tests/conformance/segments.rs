//! Segments are rendered once for all tasks that need them.

use clipmill_core::ids::UserId;
use clipmill_core::segment::SegmentKey;
use clipmill_store::*;

use super::fixture::{Fixture, LEASE_MS, found, is_lost, plan, result, segment, task_error};

fn present(name: &str) -> NewSegment {
    NewSegment { present: true, ..segment(name, 30) }
}

async fn progress(fixture: &Fixture, user: UserId, task_no: &clipmill_core::ids::TaskNo) -> (u64, u64) {
    let task = fixture.task(user, task_no).await;
    (task.frames_done, task.frames_planned)
}

pub async fn two_tasks_share_running_work(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let first = fixture.queued(user, &[segment("a", 30)]).await;
    let second = fixture.queued(user, &[segment("a", 30)]).await;
    let lease = fixture.claim_segment("a").await;
    let third = fixture.queued(user, &[segment("a", 30)]).await;
    assert!(fixture.try_claim().await.is_none());
    assert_eq!(fixture.states(user, &second).await, (2, vec![2]));
    assert_eq!(fixture.states(user, &third).await, (1, vec![1]));
    fixture.store.jobs().complete_segment(lease, fixture.now()).await.unwrap();
    for task_no in [&first, &second, &third] {
        fixture.deliver(task_no, 1, 10).await;
        assert_eq!(fixture.states(user, task_no).await, (3, vec![3]));
    }
    assert!(fixture.try_claim().await.is_none());
}

/// Concurrent reports are written in one unit; an invalid one does not affect the others.
pub async fn concurrent_reports_are_written_individually(fixture: &Fixture) {
    let (one, other) = (fixture.user(100).await, fixture.user(100).await);
    let pieces = |names: [&str; 3]| names.map(|name| segment(name, 30));
    let tasks = [
        (one, fixture.queued(one, &pieces(["a", "b", "c"])).await),
        (other, fixture.queued(other, &pieces(["c", "d", "e"])).await),
    ];
    // All of these at once, in any order.
    let at_once = async |leases: Vec<Lease>, outputs: bool| {
        let reports = leases.into_iter().map(|lease| {
            let (store, now) = (fixture.store.clone(), fixture.now());
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
        let older = fixture.claim().await.lease;
        fixture.store.leases().release(older, fixture.now()).await.unwrap();
        let mut leases = Vec::new();
        while let Some(claim) = fixture.try_claim().await {
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
        assert_eq!(fixture.states(*user, task_no).await, (3, vec![3; 3]));
        assert_eq!(fixture.task(*user, task_no).await.consumed_points, 21);
        assert_eq!(fixture.balance(*user).await, (79, 0));
    }
}

pub async fn existing_segments_need_no_work(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[present("a")]).await;
    assert_eq!(progress(fixture, user, &task_no).await, (0, 2));
    fixture.deliver(&task_no, 1, 10).await;
    assert_eq!(progress(fixture, user, &task_no).await, (2, 2));

    // Found in the cache while another task still waits for it to be made.
    let waiting = fixture.queued(user, &[segment("b", 30)]).await;
    let lucky = fixture.queued(user, &[present("b")]).await;
    fixture.deliver(&waiting, 1, 10).await;
    fixture.deliver(&lucky, 1, 10).await;
    assert!(fixture.try_claim().await.is_none());
}

pub async fn segments_rendered_during_preflight_are_reused(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let first = fixture.queued(user, &[segment("a", 30)]).await;
    let lease = fixture.claim_segment("a").await;
    let second = fixture.submit(user, &[10]).await;
    let preflight = fixture.claim().await.lease;
    fixture.store.jobs().complete_segment(lease, fixture.now()).await.unwrap();
    let a = segment("a", 30);
    let result = found(vec![Ok(plan(10, &[&a]))], &[a]);
    fixture.store.jobs().complete_preflight(preflight, result, fixture.now()).await.unwrap();
    fixture.deliver(&first, 1, 10).await;
    fixture.deliver(&second, 1, 10).await;
}

pub async fn evicted_segments_are_rendered_again(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let first = fixture.queued(user, &[segment("a", 30)]).await;
    fixture.make_segment("a").await;
    fixture.deliver(&first, 1, 10).await;
    let second = fixture.queued(user, &[segment("a", 30)]).await;
    assert_eq!(progress(fixture, user, &second).await, (0, 32));
    fixture.make_segment("a").await;
    fixture.deliver(&second, 1, 10).await;
    assert_eq!(progress(fixture, user, &first).await, (32, 32));
}

pub async fn missing_segments_are_rendered_again(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[present("a")]).await;
    let lease = fixture.claim_finish(&task_no, 1).await;
    let missing = [SegmentKey("a".into())];
    fixture.store.jobs().segments_missing(lease, &missing, fixture.now()).await.unwrap();
    fixture.make_segment("a").await;
    let lease = fixture.claim_finish(&task_no, 1).await;
    let stranger = [SegmentKey("b".into())];
    let refused = fixture.store.jobs().segments_missing(lease, &stranger, fixture.now()).await;
    assert!(matches!(refused, Err(StoreError::Corrupt(_))), "{refused:?}");
    fixture.store.jobs().complete_item(lease, super::fixture::result(), 10, fixture.now()).await.unwrap();
    assert_eq!(progress(fixture, user, &task_no).await, (2, 2));
}

pub async fn a_cache_that_keeps_nothing_ends_the_item(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30)]).await;
    let mut rounds = 0;
    while fixture.states(user, &task_no).await.0 != 4 {
        fixture.make_segment("a").await;
        let lease = fixture.claim_finish(&task_no, 1).await;
        let missing = [SegmentKey("a".into())];
        fixture.store.jobs().segments_missing(lease, &missing, fixture.now()).await.unwrap();
        rounds += 1;
    }
    assert_eq!(rounds, 10);
    assert!(fixture.try_claim().await.is_none());
}

pub async fn a_failure_fails_the_items_that_wait_for_it(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let [a, b] = ["a", "b"].map(|name| segment(name, 30));
    let first = fixture.submit(user, &[10, 10]).await;
    let plans = vec![Ok(plan(10, &[&a])), Ok(plan(10, &[&b]))];
    fixture.preflight(found(plans, &[a.clone(), b.clone()])).await;
    let second = fixture.queued(user, &[a]).await;
    let lease = fixture.claim_segment("a").await;
    fixture.fail(lease, "broken").await;
    assert_eq!(fixture.states(user, &first).await, (2, vec![4, 1]));
    assert_eq!(fixture.states(user, &second).await, (4, vec![4]));
    fixture.make_segment("b").await;
    fixture.deliver(&first, 2, 10).await;
    let task = fixture.task(user, &first).await;
    assert_eq!((task.state.code(), task.completed_items, task.failed_items), (3, 1, 1));
    assert_eq!(task.frames_done, task.frames_planned);
    assert_eq!(fixture.balance(user).await, (90, 0));
}

pub async fn another_user_gets_a_try_with_their_own_source(fixture: &Fixture) {
    let (ann, bob) = (fixture.user(100).await, fixture.user(100).await);
    let bobs_source = |segment: NewSegment| {
        let mut sources = segment.sources.clone();
        sources.iter_mut().for_each(|source| source.url = "https://bob.example/a.mp4".into());
        NewSegment { sources, ..segment }
    };
    let anns = fixture.queued(ann, &[segment("a", 30)]).await;
    let bobs = fixture.queued(bob, &[bobs_source(segment("a", 30))]).await;
    let claim = fixture.claim().await;
    assert!(matches!(&claim.job, Job::Segment { user, .. } if *user == ann), "{:?}", claim.job);
    fixture.fail(claim.lease, "https://example.com/a.mp4 is gone").await;
    assert_eq!(fixture.states(ann, &anns).await, (4, vec![4]));
    assert_eq!(fixture.states(bob, &bobs).await, (2, vec![2]));
    let claim = fixture.claim().await;
    match &claim.job {
        Job::Segment { user, sources, .. } => {
            assert_eq!((*user, sources[0].url.as_str()), (bob, "https://bob.example/a.mp4"));
        }
        other => panic!("{other:?}"),
    }
    fixture.store.jobs().complete_segment(claim.lease, fixture.now()).await.unwrap();
    fixture.deliver(&bobs, 1, 10).await;
}

pub async fn a_failed_segment_is_retried_for_a_new_task(fixture: &Fixture) {
    let user = fixture.user(100).await;
    fixture.queued(user, &[segment("a", 30)]).await;
    let lease = fixture.claim_segment("a").await;
    fixture.fail(lease, "broken").await;
    let second = fixture.queued(user, &[segment("a", 30)]).await;
    let claim = fixture.claim().await;
    assert_eq!(claim.attempt, 1);
    fixture.store.jobs().complete_segment(claim.lease, fixture.now()).await.unwrap();
    fixture.deliver(&second, 1, 10).await;
}

pub async fn unneeded_work_is_dropped(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let [a, b, c] = ["a", "b", "c"].map(|name| segment(name, 30));
    let first = fixture.submit(user, &[10]).await;
    fixture.preflight(found(vec![Ok(plan(10, &[&a, &b, &c]))], &[a, b.clone(), c])).await;
    let failing = fixture.claim_segment("a").await;
    let running = fixture.claim_segment("b").await;
    fixture.fail(failing, "broken").await;
    assert_eq!(fixture.states(user, &first).await, (4, vec![4]));
    // c is not rendered; the worker that renders b is told to stop.
    assert!(fixture.try_claim().await.is_none());
    assert!(!fixture.store.leases().holds(running).await.unwrap());
    assert!(is_lost(&fixture.store.leases().heartbeat(running, 10, fixture.now(), LEASE_MS).await));
    assert!(fixture.try_claim().await.is_none());
    let second = fixture.queued(user, &[b]).await;
    fixture.make_segment("b").await;
    fixture.deliver(&second, 1, 10).await;
}

pub async fn progress_counts_shared_work_once_and_never_decreases(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let [a, b] = ["a", "b"].map(|name| segment(name, 30));
    let task_no = fixture.submit(user, &[10, 10, 10]).await;
    let plans = vec![Ok(plan(10, &[&a])), Ok(plan(10, &[&a, &b])), Ok(plan(10, &[&a]))];
    fixture.preflight(found(plans, &[a, b])).await;
    // 30 + 30 frames, and 2 + 3 + 2 for assembly.
    assert_eq!(progress(fixture, user, &task_no).await, (0, 67));
    let lease = fixture.claim_segment("a").await;
    for (reported, done) in [(10, 10), (5, 10), (u64::MAX, 30)] {
        fixture.store.leases().heartbeat(lease, reported, fixture.now(), LEASE_MS).await.unwrap();
        assert_eq!(progress(fixture, user, &task_no).await, (done, 67), "{reported} reported");
    }
    let failure = JobFailure { error: task_error("broken"), retry_at: Some(0) };
    fixture.store.jobs().fail(lease, failure, fixture.now()).await.unwrap();
    assert_eq!(progress(fixture, user, &task_no).await, (30, 67));
    fixture.make_segment("a").await;
    fixture.deliver(&task_no, 1, 10).await;
    assert_eq!(progress(fixture, user, &task_no).await, (32, 67));
    let items = fixture.task(user, &task_no).await.items;
    let item_progress: Vec<_> = items.iter().map(|item| (item.frames_done, item.frames_planned)).collect();
    assert_eq!(item_progress, [(32, 32), (30, 63), (30, 32)]);
    fixture.deliver(&task_no, 3, 10).await;
    // Work that only a failed item needed is no longer planned.
    let lease = fixture.claim_segment("b").await;
    fixture.fail(lease, "broken").await;
    assert_eq!(progress(fixture, user, &task_no).await, (34, 34));
}
