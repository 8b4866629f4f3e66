//! Random walks: the guarantees hold after each step of users and workers, in any order.

use std::collections::HashMap;

use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::segment::SegmentKey;
use clipmill_core::task::TaskState;
use clipmill_store::*;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::fixture::{Fixture, LEASE_MS, found, plan, result, segment, task_error};

const STEPS: usize = 60;
/// Distinct segments of all tasks of a walk: few, so that many are shared.
const SEGMENTS: [&str; 5] = ["p", "q", "r", "s", "t"];

#[derive(Debug, Clone)]
enum Step {
    Submit {
        user: usize,
        points: Vec<u64>,
    },
    /// Submits a named task, now and then with another body.
    Repeat {
        user: usize,
        name: u8,
        body: u8,
    },
    Cancel {
        user: usize,
        which: usize,
    },
    Claim,
    /// Ends the oldest lease that is held, in a way chosen by `how`.
    End {
        how: u8,
        points: u64,
    },
    Heartbeat {
        frames: u64,
    },
    /// The oldest lease is abandoned and expires.
    Die,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..2_usize, prop::collection::vec(0..30_u64, 1..4))
            .prop_map(|(user, points)| Step::Submit { user, points }),
        1 => (0..2_usize, 0..3_u8, 0..4_u8).prop_map(|(user, name, body)| Step::Repeat { user, name, body }),
        1 => (0..2_usize, 0..20_usize).prop_map(|(user, which)| Step::Cancel { user, which }),
        8 => Just(Step::Claim),
        10 => (any::<u8>(), 0..40_u64).prop_map(|(how, points)| Step::End { how, points }),
        3 => (0..40_u64).prop_map(|frames| Step::Heartbeat { frames }),
        1 => Just(Step::Die),
    ]
}

struct Walk<'a> {
    fixture: &'a Fixture,
    users: [UserId; 2],
    tasks: Vec<(UserId, TaskNo)>,
    held: Vec<Claim>,
    seen: HashMap<TaskNo, TaskRecord>,
    named: HashMap<(usize, u8), (u8, TaskNo)>,
}

pub async fn random_walks_keep_every_promise(fixture: &Fixture) {
    let mut runner = TestRunner::deterministic();
    let strategy = prop::collection::vec(step(), STEPS);
    let mut ends = [0; 7];
    for _ in 0..crate::WALKS {
        let steps = strategy.new_tree(&mut runner).unwrap().current();
        let users = [fixture.user(60).await, fixture.user(200).await];
        let mut walk = Walk {
            fixture,
            users,
            tasks: Vec::new(),
            held: Vec::new(),
            seen: HashMap::new(),
            named: HashMap::new(),
        };
        for (number, step) in steps.iter().enumerate() {
            walk.take(step).await;
            walk.check(&steps[..=number]).await;
        }
        walk.drain().await;
        walk.seen.values().for_each(|task| ends[usize::from(task.state.code())] += 1);
    }
    // Tasks have ended in every way there is: 3, 4, 5 and 6.
    assert!(ends[3..].iter().all(|count| *count > 0), "{ends:?}");
}

impl Walk<'_> {
    async fn take(&mut self, step: &Step) {
        match step {
            Step::Submit { user, points } => self.submit(self.users[*user], points).await,
            Step::Repeat { user, name, body } => self.repeat(*user, *name, body / 3).await,
            Step::Cancel { user, which } => self.cancel(self.users[*user], *which).await,
            Step::Claim => self.held.extend(self.fixture.try_claim().await),
            Step::End { how, points } => self.end(*how, *points).await,
            Step::Heartbeat { frames } => self.heartbeat(*frames).await,
            Step::Die => self.die().await,
        }
    }

    async fn submit(&mut self, user: UserId, points: &[u64]) {
        let task = self.fixture.new_task(user, points);
        if let SubmitOutcome::Created(submitted) =
            self.fixture.store.tasks().submit(task, self.fixture.now()).await.unwrap()
        {
            self.tasks.push((user, submitted.task_no));
        }
    }

    /// One name is one task, and one task has one body.
    async fn repeat(&mut self, user: usize, name: u8, body: u8) {
        let mut task = self.fixture.new_task(self.users[user], &[1, 2]);
        task.request.client_task_id = Some(format!("name {name}"));
        task.request_sha256 = [body; 32];
        let before = self.fixture.balance(self.users[user]).await;
        let outcome = self.fixture.store.tasks().submit(task, self.fixture.now()).await.unwrap();
        let named_task = self.named.get(&(user, name)).cloned();
        match (outcome, named_task) {
            (SubmitOutcome::Created(submitted), None) => {
                self.named.insert((user, name), (body, submitted.task_no.clone()));
                self.tasks.push((self.users[user], submitted.task_no));
                return;
            }
            (SubmitOutcome::Duplicate(submitted), Some((first, task_no))) => {
                assert_eq!((submitted.task_no, body), (task_no, first));
            }
            (SubmitOutcome::Conflict { task_no }, Some((first, original))) => {
                assert_eq!(task_no, original);
                assert_ne!(body, first);
            }
            (SubmitOutcome::InsufficientPoints { .. }, None) => {}
            (outcome, named_task) => panic!("{outcome:?} for {named_task:?}"),
        }
        assert_eq!(self.fixture.balance(self.users[user]).await, before);
    }

    /// Of the user's own tasks only, whatever their state.
    async fn cancel(&mut self, user: UserId, which: usize) {
        let Some((owner, task_no)) = self.tasks.get(which) else { return };
        let before = self.fixture.task(*owner, task_no).await;
        let outcome = self.fixture.store.tasks().cancel(user, task_no, self.fixture.now()).await.unwrap();
        let after = self.fixture.task(*owner, task_no).await;
        let expected = match (user == *owner, before.state) {
            (false, _) => None,
            (true, TaskState::Cancelled) => Some(CancelOutcome::Already),
            (true, state) if state.is_final() => Some(CancelOutcome::TooLate(state)),
            (true, _) => Some(CancelOutcome::Cancelled),
        };
        assert_eq!(outcome, expected, "{before:?}");
        if outcome == Some(CancelOutcome::Cancelled) {
            assert_eq!(after.state, TaskState::Cancelled);
        } else {
            assert_eq!(after, before);
        }
        let delivered = |task: &TaskRecord| {
            let done = task.items.iter().filter(|item| item.state == TaskState::Completed);
            done.cloned().collect::<Vec<_>>()
        };
        assert_eq!(delivered(&after), delivered(&before));
    }

    async fn heartbeat(&self, frames: u64) {
        if let Some(claim) = self.held.first() {
            lost_or_done(
                self.fixture
                    .store
                    .leases()
                    .heartbeat(claim.lease, frames, self.fixture.now(), LEASE_MS)
                    .await,
            );
        }
    }

    async fn die(&mut self) {
        self.held.clear();
        self.fixture.pass(LEASE_MS + 1);
        self.fixture.store.leases().rescue(self.fixture.now()).await.unwrap();
    }

    async fn end(&mut self, how: u8, points: u64) {
        if self.held.is_empty() {
            return;
        }
        let claim = self.held.remove(0);
        let (store, now) = (&self.fixture.store, self.fixture.now());
        let failure = |retry_at| JobFailure { error: task_error("broken"), retry_at };
        let outcome = match (how % 8, &claim.job) {
            (0, _) => store.jobs().fail(claim.lease, failure(None), now).await,
            (1, _) => store.jobs().fail(claim.lease, failure(Some(now)), now).await,
            (2, _) => store.leases().release(claim.lease, now).await,
            (3, Job::Assemble { rendition, .. }) => {
                let missing: Vec<SegmentKey> = rendition.video.first().cloned().into_iter().collect();
                store.jobs().segments_missing(claim.lease, &missing, now).await
            }
            (_, Job::Preflight { request, .. }) => {
                let result = plan_for(request.params.total_items(), how, points);
                store.jobs().complete_preflight(claim.lease, result, now).await
            }
            (_, Job::Segment { .. }) => store.jobs().complete_segment(claim.lease, now).await,
            (_, Job::Assemble { .. }) => store.jobs().complete_item(claim.lease, result(), points, now).await,
        };
        lost_or_done(outcome);
    }

    async fn check(&mut self, steps: &[Step]) {
        self.fixture.check().await;
        for (user, task_no) in &self.tasks {
            let task = self.fixture.task(*user, task_no).await;
            check_sums(&task);
            if let Some(before) = self.seen.get(task_no) {
                check_change(before, &task, steps);
            }
            self.seen.insert(task_no.clone(), task);
        }
    }

    /// Undisturbed work ends, and every point is charged or released.
    async fn drain(&mut self) {
        self.die().await;
        while let Some(claim) = self.fixture.try_claim().await {
            self.held = vec![claim];
            self.end(4, 5).await;
        }
        for (user, task_no) in &self.tasks {
            let task = self.fixture.task(*user, task_no).await;
            assert!(task.state.is_final(), "{task:?}");
            self.seen.insert(task_no.clone(), task);
        }
        for user in self.users {
            assert_eq!(self.fixture.balance(user).await.1, 0);
        }
    }
}

fn lost_or_done(outcome: StoreResult<()>) {
    assert!(matches!(outcome, Ok(()) | Err(StoreError::LeaseLost)), "{outcome:?}");
}

/// A plan of overlapping segments; some are there, some items are bad.
fn plan_for(items: usize, how: u8, points: u64) -> PreflightResult {
    let how = usize::from(how);
    let segments: Vec<NewSegment> = SEGMENTS
        .iter()
        .enumerate()
        .map(|(i, name)| NewSegment { present: (how + i).is_multiple_of(5), ..segment(name, 10 + i as u64) })
        .collect();
    let outcome = |item: usize| {
        if (how + item).is_multiple_of(6) {
            return Err(task_error("bad input"));
        }
        let first = (how / 8 + item) % SEGMENTS.len();
        let used: Vec<&NewSegment> = segments.iter().cycle().skip(first).take(1 + how % 3).collect();
        Ok(plan(points, &used))
    };
    found((0..items).map(outcome).collect(), &segments)
}

fn check_sums(task: &TaskRecord) {
    assert!(task.frames_done <= task.frames_planned, "{task:?}");
    if task.state == TaskState::Completed {
        assert_eq!(task.frames_done, task.frames_planned, "{task:?}");
    }
    let count = |state| task.items.iter().filter(|item| item.state == state).count();
    assert_eq!(task.completed_items as usize, count(TaskState::Completed));
    assert_eq!(task.consumed_points, task.items.iter().map(|item| item.charged).sum::<u64>());
    let live = task.items.iter().any(|item| !item.state.is_final());
    assert_eq!(live, !task.state.is_final(), "{task:?}");
}

fn check_change(before: &TaskRecord, after: &TaskRecord, steps: &[Step]) {
    let legal = before.state == after.state || !before.state.is_final() && before.state < after.state;
    assert!(legal, "{:?} to {:?} by {steps:?}", before.state, after.state);
    assert!(after.frames_done >= before.frames_done, "{before:?} to {after:?}");
    let part = |task: &TaskRecord| task.frames_done as f64 / task.frames_planned.max(1) as f64;
    assert!(part(after) >= part(before), "{before:?} to {after:?}");
}
