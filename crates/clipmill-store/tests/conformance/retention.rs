//! Deletion: only of ended and unused data, under a job's lease, and never of the ledger.

use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::message::Message;
use clipmill_core::request::SharePage;
use clipmill_core::request::model::Params;
use clipmill_core::segment::SegmentKey;
use clipmill_core::similarity::{FrameHash, FrameHashes};
use clipmill_store::metrics::Waiting;
use clipmill_store::retention::{Cutoffs, ExpiredCounts, JobLease};
use clipmill_store::*;

use super::leases::{assert_all_lost, by_job_lease};
use super::world::{World, found, plan, result, segment};

const DAY: i64 = 86_400_000;
const JOB: &str = "retention";
const MANY: u32 = 1_000;

impl World {
    async fn job(&self) -> JobLease {
        let claimed = self.store.retention().claim_job(JOB, "me", self.now(), 60_000).await.unwrap();
        claimed.expect("the job to be free")
    }

    /// Everything older than this many days may be deleted.
    fn older_than(&self, days: i64) -> Cutoffs {
        let now = self.now();
        let before = now - days * DAY;
        Cutoffs {
            now,
            uploads_used_before: before,
            tasks_ended_before: before,
            attempts_before: before,
            undelivered_before: before,
        }
    }

    /// A task of one delivered item whose files end a day from now.
    async fn delivered(&self, user: UserId, name: &str, callback: Option<&str>) -> TaskNo {
        let segment = segment(name, 30);
        let mut task = self.new_task(user, &[10]);
        task.request.callback_url = callback.map(str::to_owned);
        let task_no = self.submit_task(task).await;
        self.preflight(super::world::found(vec![Ok(super::world::plan(10, &[&segment]))], &[segment])).await;
        self.make_segment(name).await;
        let lease = self.claim_finish(&task_no, 1).await;
        let cover = Some(Cover { key: format!("{task_no}/1.jpg"), sha256: "11".into() });
        let key = format!("{task_no}/1.mp4");
        let expires_at = self.now() + DAY;
        let result =
            ItemResult { key, cover, pictures: Some(seen()), size_bytes: 100, expires_at, ..result() };
        self.store.jobs().complete_item(lease, result, 7, self.now()).await.unwrap();
        task_no
    }

    async fn upload(&self, user: UserId, id: &str, content: &str) {
        let upload = NewUpload {
            id: id.to_owned(),
            user,
            content_sha256: content.to_owned(),
            size_bytes: 1,
            file_name: None,
            created_at: self.now(),
            quota: Quota::default(),
        };
        self.store.library().add(upload).await.unwrap();
    }

    fn task_with_upload(&self, user: UserId, id: &str) -> NewTask {
        let mut task = self.new_task(user, &[0]);
        if let Params::BaseVideoMix(params) = &mut task.request.params {
            params.groups[0].videos[0].url = format!("upload://{id}");
        }
        task
    }

    async fn submit_upload(&self, user: UserId, id: &str) -> TaskNo {
        self.submit_task(self.task_with_upload(user, id)).await
    }
}

/// Hashes of an output's frames.
fn seen() -> FrameHashes {
    FrameHashes(vec![FrameHash { plain: 1 << 63, mirrored: 7 }, FrameHash::default()])
}

pub async fn a_job_is_run_by_one_process_at_a_time(world: &World) {
    let store = &world.store;
    assert_eq!(store.retention().job_ended_at(JOB).await.unwrap(), None);
    let first = world.job().await;
    assert_eq!(store.retention().claim_job(JOB, "other", world.now(), 60_000).await.unwrap(), None);
    assert!(
        store.retention().claim_job("something else", "other", world.now(), 60_000).await.unwrap().is_some()
    );
    store.retention().renew_job(&first, world.now(), 60_000).await.unwrap();
    world.pass(60_001);
    let second = world.job().await;
    assert!(second.fence > first.fence);
    // A process that has lost the job deletes nothing more.
    assert_all_lost(&by_job_lease(world, &first).await, "another has the job");
    let ended = world.now();
    store.retention().end_job(&second, ended).await.unwrap();
    assert_eq!(store.retention().job_ended_at(JOB).await.unwrap(), Some(ended));
    assert_all_lost(&by_job_lease(world, &second).await, "the job is done");
    // A clock that was a year ahead does not block the job after it was corrected.
    let ahead =
        store.retention().claim_job(JOB, "ahead", world.now() + 365 * DAY, 60_000).await.unwrap().unwrap();
    let right = world.job().await;
    assert!(right.fence > ahead.fence);
}

pub async fn expired_results_are_deleted(world: &World) {
    let user = world.user(100).await;
    let task_no = world.delivered(user, "a", None).await;
    let keys: Vec<String> = vec![format!("{task_no}/1.mp4"), format!("{task_no}/1.jpg")];
    let stored_keys = world.store.retention().result_keys(task_no.as_str()).await.unwrap();
    assert_eq!(stored_keys, keys.iter().cloned().collect());
    let task = world.task(user, &task_no).await;
    assert_eq!(world.store.tasks().frame_hashes(task.id).await.unwrap(), [(1, seen())]);
    let job = world.job().await;
    assert_eq!(
        world.store.retention().shed_results(&job, &world.older_than(90), MANY).await.unwrap(),
        vec![]
    );
    world.pass(DAY);
    // This task has an item that has ended, and has not ended itself.
    let open = world.queued(user, &[segment("b", 30), segment("c", 30)]).await;
    world.make_segment("b").await;
    world.deliver(&open, 1, 1).await;

    let expired = world.store.retention().expired(&world.older_than(90)).await.unwrap();
    assert_eq!(expired, ExpiredCounts { results: 1, result_bytes: 100, ..ExpiredCounts::default() });
    let job = world.job().await;
    let shed = world.store.retention().shed_results(&job, &world.older_than(90), MANY).await.unwrap();
    assert_eq!(shed.into_iter().map(|shed| (shed.keys, shed.size_bytes)).collect::<Vec<_>>(), [(keys, 100)]);
    assert!(world.store.retention().result_keys(task_no.as_str()).await.unwrap().is_empty());
    assert!(
        world.store.tasks().frame_hashes(task.id).await.unwrap().is_empty(),
        "nothing is left to be compared"
    );
    assert_eq!(
        world.store.retention().shed_results(&job, &world.older_than(90), MANY).await.unwrap(),
        vec![]
    );
    assert!(!world.store.retention().result_keys(open.as_str()).await.unwrap().is_empty());
    // The item still describes its result.
    assert_eq!(world.task(user, &task_no).await.items[0].result.as_ref().unwrap().size_bytes, 100);
}

pub async fn uploads_are_deleted_unless_an_open_task_uses_them(world: &World) {
    let user = world.user(100).await;
    let stranger = world.user(100).await;
    for (id, content) in [("unused", "c1"), ("open", "c2"), ("used", "c3")] {
        world.upload(user, id, content).await;
    }
    let open = world.submit_upload(user, "open").await;
    // Using another user's upload does not keep it.
    let named = world.task_with_upload(stranger, "unused");
    assert!(matches!(
        world.store.tasks().submit(named, world.now()).await.unwrap(),
        SubmitOutcome::UploadGone { .. }
    ));
    world.pass(7 * DAY);
    assert_eq!(world.store.library().use_upload(stranger, "used", world.now()).await.unwrap(), None);
    let used = world.store.library().use_upload(user, "used", world.now()).await.unwrap().unwrap();
    assert_eq!(used.content_sha256, "c3");

    let job = world.job().await;
    assert_eq!(world.store.retention().expired(&world.older_than(6)).await.unwrap().uploads, 1);
    assert_eq!(world.store.retention().shed_uploads(&job, &world.older_than(6), MANY).await.unwrap(), 1);
    let mut there = Vec::new();
    for (id, content) in [("unused", "c1"), ("open", "c2"), ("used", "c3")] {
        let exists = world.store.library().upload(user, id).await.unwrap().is_some();
        assert_eq!(world.store.library().is_uploaded(content).await.unwrap(), exists);
        there.push(exists);
    }
    assert_eq!(there, [false, true, true]);
    world.store.tasks().cancel(user, &open, world.now()).await.unwrap();
    assert_eq!(world.store.retention().shed_uploads(&job, &world.older_than(6), MANY).await.unwrap(), 1);
    world.pass(7 * DAY);
    let job = world.job().await;
    assert_eq!(world.store.retention().shed_uploads(&job, &world.older_than(6), MANY).await.unwrap(), 1);
}

pub async fn tasks_are_deleted_with_everything_but_the_ledger(world: &World) {
    let user = world.user(100).await;
    let store = &world.store;
    let old = world.delivered(user, "a", Some("https://client.example/hook")).await;
    let waiting = world.delivered(user, "b", Some("https://client.example/hook")).await;
    let due = store.callbacks().claim(world.now(), 1_000, MANY).await.unwrap().unwrap();
    assert_eq!(due.subject.number(), old.as_str());
    for (step, then) in [AttemptOutcome::RetryAt(0), AttemptOutcome::GiveUp].into_iter().enumerate() {
        let due = if step == 0 {
            due.clone()
        } else {
            store.callbacks().claim(world.now(), 1_000, MANY).await.unwrap().unwrap()
        };
        assert_eq!(due.subject.number(), old.as_str(), "a retry at 0 comes first");
        let error = Some(Message::without_code("no"));
        let attempt = DeliveryAttempt { started_at: world.now(), duration_ms: None, status: None, error };
        store.callbacks().report_attempt(&due.lease, attempt, then, world.now()).await.unwrap();
    }
    let open = world.queued(user, &[segment("a", 30)]).await;
    let records = store
        .points()
        .movements(user, &MovementFilter::default(), Page { number: 1, size: 99 })
        .await
        .unwrap();
    world.pass(90 * DAY);
    let job = world.job().await;

    let expired = store.retention().expired(&world.older_than(89)).await.unwrap();
    let counts = (expired.results, expired.tasks, expired.attempts, expired.segments);
    assert_eq!(counts, (2, 1, 1, 0), "{expired:?}");
    assert_eq!(store.retention().shed_attempts(&job, &world.older_than(89), MANY).await.unwrap(), 1);
    let left = store
        .callbacks()
        .find(user, &Subject::Task(old.clone()))
        .await
        .unwrap()
        .unwrap()
        .event
        .unwrap()
        .attempts;
    assert_eq!(left.len(), 1, "the last attempt stays");
    // The task is kept while it has files.
    assert_eq!(store.retention().shed_tasks(&job, &world.older_than(89), MANY).await.unwrap(), 0);
    assert_eq!(store.retention().shed_results(&job, &world.older_than(89), 1).await.unwrap().len(), 1);
    assert_eq!(store.retention().shed_results(&job, &world.older_than(89), 1).await.unwrap().len(), 1);
    assert_eq!(store.retention().shed_tasks(&job, &world.older_than(89), MANY).await.unwrap(), 1);
    let there = async |task_no| store.tasks().find(user, task_no).await.unwrap().is_some();
    assert_eq!((there(&old).await, there(&waiting).await, there(&open).await), (false, true, true));
    // Of the segments, "a" is rendered again for the open task and "b" still belongs to the other.
    assert_eq!(store.retention().shed_segments(&job, MANY).await.unwrap(), 0);
    let after = store
        .points()
        .movements(user, &MovementFilter::default(), Page { number: 1, size: 99 })
        .await
        .unwrap();
    assert_eq!(after, records);

    store.tasks().cancel(user, &open, world.now()).await.unwrap();
    world.pass(90 * DAY);
    let job = world.job().await;
    assert_eq!(store.retention().shed_tasks(&job, &world.older_than(89), MANY).await.unwrap(), 1);
    assert_eq!(store.retention().shed_segments(&job, MANY).await.unwrap(), 1);
    // A deleted segment can be needed again.
    world.queued(user, &[segment("a", 30)]).await;
    world.make_segment("a").await;
}

/// A task that ended before the others may be deleted before them.
pub async fn a_share_lasts_as_long_as_its_last_task(world: &World) {
    let user = world.user(100).await;
    let (late, early) = (world.submit(user, &[1]).await, world.submit(user, &[1]).await);
    let cancel = async |task_no| world.store.tasks().cancel(user, task_no, world.now()).await.unwrap();
    cancel(&early).await;
    world.pass(10 * DAY);
    cancel(&late).await;
    let tasks = vec![(early.clone(), None), (late.clone(), None)];
    let new = NewShare { tasks, expires_at: None, page: SharePage::default(), most: 9, most_items: 9 };
    let ShareOutcome::Made(both) = world.store.shares().add(user, new, world.now()).await.unwrap() else {
        panic!("not made");
    };
    assert_eq!(both.task_no, late);
    world.pass(85 * DAY);
    let job = world.job().await;
    assert_eq!(world.store.retention().shed_tasks(&job, &world.older_than(90), MANY).await.unwrap(), 1);
    let left = world.store.shares().find(both.id).await.unwrap().unwrap();
    assert_eq!(left.tasks, [SharedTask { place: Some(2), task_no: late, items: None }]);
    assert_eq!(world.store.retention().shed_tasks(&job, &world.older_than(80), MANY).await.unwrap(), 1);
    assert_eq!(world.store.shares().find(both.id).await.unwrap(), None);
}

pub async fn a_forgotten_client_task_id_is_free_again(world: &World) {
    let user = world.user(100).await;
    let submit = async || {
        let mut task = world.new_task(user, &[10]);
        task.request.client_task_id = Some("mine".into());
        world.store.tasks().submit(task, world.now()).await.unwrap()
    };
    let SubmitOutcome::Created(first) = submit().await else { panic!("not created") };
    world.store.tasks().cancel(user, &first.task_no, world.now()).await.unwrap();
    world.pass(90 * DAY);
    assert!(matches!(submit().await, SubmitOutcome::Duplicate(again) if again.task_no == first.task_no));
    let job = world.job().await;
    assert_eq!(world.store.retention().shed_tasks(&job, &world.older_than(89), MANY).await.unwrap(), 1);
    assert!(matches!(submit().await, SubmitOutcome::Created(_)));
}

pub async fn inputs_of_open_items_are_in_use(world: &World) {
    let user = world.user(100).await;
    assert!(world.store.retention().sources_in_use().await.unwrap().is_empty());
    let task_no = world.queued(user, &[segment("a", 30)]).await;
    assert_eq!(world.store.retention().sources_in_use().await.unwrap(), ["c0".to_owned()].into());
    world.store.tasks().cancel(user, &task_no, world.now()).await.unwrap();
    assert!(world.store.retention().sources_in_use().await.unwrap().is_empty());
}

pub async fn metrics_report_the_state(world: &World) {
    let user = world.user(100).await;
    let before = world.now();
    world.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    world.submit(user, &[10]).await;
    let cancelled = {
        let mut task = world.new_task(user, &[10]);
        task.request.callback_url = Some("https://client.example/hook".into());
        world.submit_task(task).await
    };
    world.store.tasks().cancel(user, &cancelled, world.now()).await.unwrap();
    world.claim().await;
    let stands = world.store.metrics().snapshot(world.now()).await.unwrap();
    assert_eq!((stands.points_available, stands.points_held), (70, 30));
    let count = |waiting: Option<&Waiting>| waiting.map_or(0, |waiting| waiting.count);
    let work = |kind: &str, state: &str| count(stands.work.get(state).and_then(|kinds| kinds.get(kind)));
    assert_eq!((work("preflight", "ready"), work("preflight", "running")), (0, 1));
    assert_eq!((work("segment", "ready"), work("finish", "ready")), (2, 0));
    assert_eq!((count(stands.tasks.get(&0)), count(stands.tasks.get(&1))), (1, 1));
    assert!(stands.tasks[&1].since.unwrap() > before);
    assert_eq!((stands.workers, count(stands.events.get("due"))), (1, 1));
    assert!(!stands.paused);
    world.store.queue().pause(None, world.now()).await.unwrap();
    assert!(world.store.metrics().snapshot(world.now()).await.unwrap().paused);
    world.store.queue().resume().await.unwrap();
    assert!(!world.store.metrics().snapshot(world.now()).await.unwrap().paused);

    let moved = world.store.metrics().moved_since(0).await.unwrap();
    let points = |kind| moved.points.iter().find(|(k, _)| *k == kind).map(|(_, points)| *points);
    assert_eq!((points(MovementType::Grant), points(MovementType::Release)), (Some(100), Some(10)));
    assert_eq!(world.store.metrics().moved_since(moved.up_to).await.unwrap().points, vec![]);
}

pub async fn counts_of_many_rows_are_shared(world: &World) {
    let user = world.user(100).await;
    let segments: Vec<_> = (0..1200).map(|n| segment(&format!("s{n}"), 30)).collect();
    world.submit(user, &[10]).await;
    world.preflight(found(vec![Ok(plan(10, &segments.iter().collect::<Vec<_>>()))], &segments)).await;
    let counted = async |now| {
        let stands = world.store.metrics().snapshot(now).await.unwrap();
        let count = |state| {
            stands.work.get(state).and_then(|kinds| kinds.get("segment")).map_or(0, |waiting| waiting.count)
        };
        (count("ready"), count("running"))
    };
    let first = world.now();
    assert_eq!(counted(first).await, (1200, 0));
    world.claim().await;
    assert_eq!(counted(first + 100).await, (1200, 0), "counted a moment ago");
    assert_eq!(counted(first + 200).await, (1199, 1));
    world.claim().await;
    assert_eq!(counted(first + 100).await, (1198, 2), "the clock was set back");
    world.claim().await;
    let later = first + 1000;
    world.store.retention().claim_job("counts", "another", later, 60_000).await.unwrap().unwrap();
    assert_eq!(counted(later).await, (1198, 2), "another counts");
    assert_eq!(counted(later + 200_000).await, (1197, 3), "another died while it counted");
}

pub async fn counts_of_a_long_queue_are_shared(world: &World) {
    let user = world.user(100).await;
    let segments: Vec<_> = (0..1200).map(|n| segment(&format!("s{n}"), 30)).collect();
    world.submit(user, &[10]).await;
    world.preflight(found(vec![Ok(plan(10, &segments.iter().collect::<Vec<_>>()))], &segments)).await;
    let now = world.now();
    let overview = async |now| {
        let overview = world.store.queue().overview(now, 9).await.unwrap();
        let running = overview.depths.iter().filter(|depth| depth.state == QueueState::Running);
        let (counted, load) = (running.map(|depth| depth.count).sum::<u64>(), &overview.users[0]);
        assert_eq!((load.running, load.ready), (counted, 1200 - counted));
        (counted, overview.running.len(), overview.pause.is_some())
    };
    assert_eq!(overview(now).await, (0, 0, false));
    world.claim().await;
    world.store.queue().pause(None, now).await.unwrap();
    assert_eq!(
        overview(now + 50).await,
        (0, 1, true),
        "counted a moment ago; pieces and the pause are those of now"
    );
    assert_eq!(overview(now + 1000).await, (1, 1, true));
    assert_eq!(world.store.queue().overview(now + 1000, 0).await.unwrap().users.len(), 0);
}

pub async fn segments_are_needed_until_their_items_are_assembled(world: &World) {
    let user = world.user(100).await;
    let (a, b) = (segment("a", 30), segment("b", 30));
    let task_no = world.submit(user, &[10, 10]).await;
    world.preflight(found(vec![Ok(plan(10, &[&a])), Ok(plan(10, &[&a, &b]))], &[a, b])).await;
    let needed = async |of: &[&str]| {
        let of: Vec<_> = of.iter().map(|name| SegmentKey((*name).into())).collect();
        let mut needed = world.store.jobs().needed_segments(&of).await.unwrap();
        needed.sort();
        needed.iter().map(|key| key.0.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(needed(&["b", "never planned", "a"]).await, "a b");
    assert_eq!((needed(&["b"]).await, needed(&[]).await), ("b".to_owned(), String::new()));
    world.make_segment("a").await;
    world.deliver(&task_no, 1, 10).await;
    assert_eq!(needed(&["a", "b"]).await, "a b", "the second item is still to be made");
    world.make_segment("b").await;
    world.deliver(&task_no, 2, 10).await;
    assert_eq!(needed(&["a", "b"]).await, "");
}

pub async fn work_and_callbacks_know_the_trace_of_their_task(world: &World) {
    let user = world.user(100).await;
    let trace = |n: u8| format!("00-{:032x}-{:016x}-01", n, n);
    let submit = async |n: u8| {
        let task = NewTask { traceparent: Some(trace(n)), ..world.new_task(user, &[10]) };
        world.submit_task(task).await
    };
    let (first, _) = (submit(1).await, submit(2).await);
    assert_eq!(world.store.traces().of_task(&first).await.unwrap(), Some(trace(1)));
    let segment = segment("a", 30);
    for n in [1, 2] {
        let claim = world.claim().await;
        assert_eq!(world.store.traces().of_work(claim.lease.work).await.unwrap(), Some(trace(n)));
        let result = super::world::found(
            vec![Ok(super::world::plan(10, &[&segment]))],
            std::slice::from_ref(&segment),
        );
        world.store.jobs().complete_preflight(claim.lease, result, world.now()).await.unwrap();
    }
    let claim = world.claim().await;
    assert_eq!(world.store.traces().of_work(claim.lease.work).await.unwrap(), Some(trace(1)));
    world.store.jobs().complete_segment(claim.lease, world.now()).await.unwrap();
    let finish = world.claim().await;
    assert_eq!(world.store.traces().of_work(finish.lease.work).await.unwrap(), Some(trace(1)));
    let silent = world.submit(user, &[0]).await;
    assert_eq!(world.store.traces().of_task(&silent).await.unwrap(), None);
}
