//! Deletion: only of ended and unused data, under a job's lease, and never of the ledger.

use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::message::Message;
use clipmill_core::request::SharePage;
use clipmill_core::request::model::Params;
use clipmill_core::segment::SegmentKey;
use clipmill_core::similarity::{FrameHash, FrameHashes};
use clipmill_store::metrics::Waiting;
use clipmill_store::retention::{Cutoffs, ExpiredCounts, MaintenanceLease};
use clipmill_store::*;

use super::fixture::{Fixture, cutoffs, found, new_upload, plan, result, segment};
use super::leases::{assert_all_lost, by_maintenance_lease};

const DAY: i64 = 86_400_000;
const RETENTION: &str = "retention";
const MANY: u32 = 1_000;

impl Fixture {
    async fn job(&self) -> MaintenanceLease {
        let claimed =
            self.store.retention().claim_maintenance(RETENTION, "me", self.now(), 60_000).await.unwrap();
        claimed.expect("the job to be free")
    }

    /// Everything older than this many days may be deleted.
    fn older_than(&self, days: i64) -> Cutoffs {
        let now = self.now();
        let before = now - days * DAY;
        cutoffs(now, before)
    }

    /// A task of one delivered item whose files end a day from now.
    async fn delivered(&self, user: UserId, name: &str, callback: Option<&str>) -> TaskNo {
        let segment = segment(name, 30);
        let mut task = self.new_task(user, &[10]);
        task.request.callback_url = callback.map(str::to_owned);
        let task_no = self.submit_task(task).await;
        self.preflight(super::fixture::found(vec![Ok(super::fixture::plan(10, &[&segment]))], &[segment]))
            .await;
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
        let upload = new_upload(user, id, content, self.now());
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

pub async fn a_job_is_run_by_one_process_at_a_time(fixture: &Fixture) {
    let store = &fixture.store;
    assert_eq!(store.retention().maintenance_ended_at(RETENTION).await.unwrap(), None);
    let first = fixture.job().await;
    assert_eq!(
        store.retention().claim_maintenance(RETENTION, "other", fixture.now(), 60_000).await.unwrap(),
        None
    );
    assert!(
        store
            .retention()
            .claim_maintenance("something else", "other", fixture.now(), 60_000)
            .await
            .unwrap()
            .is_some()
    );
    store.retention().renew_maintenance(&first, fixture.now(), 60_000).await.unwrap();
    fixture.pass(60_001);
    let second = fixture.job().await;
    assert!(second.fence > first.fence);
    // A process that has lost the job deletes nothing more.
    assert_all_lost(&by_maintenance_lease(fixture, &first).await, "another has the job");
    let ended = fixture.now();
    store.retention().end_maintenance(&second, ended).await.unwrap();
    assert_eq!(store.retention().maintenance_ended_at(RETENTION).await.unwrap(), Some(ended));
    assert_all_lost(&by_maintenance_lease(fixture, &second).await, "the job is done");
    // A clock that was a year ahead does not block the job after it was corrected.
    let ahead = store
        .retention()
        .claim_maintenance(RETENTION, "ahead", fixture.now() + 365 * DAY, 60_000)
        .await
        .unwrap()
        .unwrap();
    let right = fixture.job().await;
    assert!(right.fence > ahead.fence);
}

pub async fn expired_results_are_deleted(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.delivered(user, "a", None).await;
    let keys: Vec<String> = vec![format!("{task_no}/1.mp4"), format!("{task_no}/1.jpg")];
    let stored_keys = fixture.store.retention().result_keys(task_no.as_str()).await.unwrap();
    assert_eq!(stored_keys, keys.iter().cloned().collect());
    let task = fixture.task(user, &task_no).await;
    assert_eq!(fixture.store.tasks().frame_hashes(task.id).await.unwrap(), [(1, seen())]);
    let job = fixture.job().await;
    assert_eq!(
        fixture.store.retention().expire_results(&job, &fixture.older_than(90), MANY).await.unwrap(),
        vec![]
    );
    fixture.pass(DAY);
    // This task has an item that has ended, and has not ended itself.
    let open = fixture.queued(user, &[segment("b", 30), segment("c", 30)]).await;
    fixture.make_segment("b").await;
    fixture.deliver(&open, 1, 1).await;

    let expired = fixture.store.retention().expired(&fixture.older_than(90)).await.unwrap();
    assert_eq!(expired, ExpiredCounts { results: 1, result_bytes: 100, ..ExpiredCounts::default() });
    let job = fixture.job().await;
    let removed =
        fixture.store.retention().expire_results(&job, &fixture.older_than(90), MANY).await.unwrap();
    assert_eq!(
        removed.into_iter().map(|removed| (removed.keys, removed.size_bytes)).collect::<Vec<_>>(),
        [(keys, 100)]
    );
    assert!(fixture.store.retention().result_keys(task_no.as_str()).await.unwrap().is_empty());
    assert!(
        fixture.store.tasks().frame_hashes(task.id).await.unwrap().is_empty(),
        "nothing is left to be compared"
    );
    assert_eq!(
        fixture.store.retention().expire_results(&job, &fixture.older_than(90), MANY).await.unwrap(),
        vec![]
    );
    assert!(!fixture.store.retention().result_keys(open.as_str()).await.unwrap().is_empty());
    // The item still describes its result.
    assert_eq!(fixture.task(user, &task_no).await.items[0].result.as_ref().unwrap().size_bytes, 100);
}

pub async fn uploads_are_deleted_unless_an_open_task_uses_them(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let stranger = fixture.user(100).await;
    for (id, content) in [("unused", "c1"), ("open", "c2"), ("used", "c3")] {
        fixture.upload(user, id, content).await;
    }
    let open = fixture.submit_upload(user, "open").await;
    // Using another user's upload does not keep it.
    let named = fixture.task_with_upload(stranger, "unused");
    assert!(matches!(
        fixture.store.tasks().submit(named, fixture.now()).await.unwrap(),
        SubmitOutcome::UploadGone { .. }
    ));
    fixture.pass(7 * DAY);
    assert_eq!(fixture.store.library().use_upload(stranger, "used", fixture.now()).await.unwrap(), None);
    let used = fixture.store.library().use_upload(user, "used", fixture.now()).await.unwrap().unwrap();
    assert_eq!(used.content_sha256, "c3");

    let job = fixture.job().await;
    assert_eq!(fixture.store.retention().expired(&fixture.older_than(6)).await.unwrap().uploads, 1);
    assert_eq!(
        fixture.store.retention().expire_uploads(&job, &fixture.older_than(6), MANY).await.unwrap(),
        1
    );
    let mut there = Vec::new();
    for (id, content) in [("unused", "c1"), ("open", "c2"), ("used", "c3")] {
        let exists = fixture.store.library().upload(user, id).await.unwrap().is_some();
        assert_eq!(fixture.store.library().is_uploaded(content).await.unwrap(), exists);
        there.push(exists);
    }
    assert_eq!(there, [false, true, true]);
    fixture.store.tasks().cancel(user, &open, fixture.now()).await.unwrap();
    assert_eq!(
        fixture.store.retention().expire_uploads(&job, &fixture.older_than(6), MANY).await.unwrap(),
        1
    );
    fixture.pass(7 * DAY);
    let job = fixture.job().await;
    assert_eq!(
        fixture.store.retention().expire_uploads(&job, &fixture.older_than(6), MANY).await.unwrap(),
        1
    );
}

pub async fn tasks_are_deleted_with_everything_but_the_ledger(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let store = &fixture.store;
    let old = fixture.delivered(user, "a", Some("https://client.example/hook")).await;
    let waiting = fixture.delivered(user, "b", Some("https://client.example/hook")).await;
    let due = store.callbacks().claim(fixture.now(), 1_000, MANY).await.unwrap().unwrap();
    assert_eq!(due.subject.number(), old.as_str());
    for (step, then) in [AttemptOutcome::RetryAt(0), AttemptOutcome::GiveUp].into_iter().enumerate() {
        let due = if step == 0 {
            due.clone()
        } else {
            store.callbacks().claim(fixture.now(), 1_000, MANY).await.unwrap().unwrap()
        };
        assert_eq!(due.subject.number(), old.as_str(), "a retry at 0 comes first");
        let error = Some(Message::without_code("no"));
        let attempt = DeliveryAttempt { started_at: fixture.now(), duration_ms: None, status: None, error };
        store.callbacks().report_attempt(&due.lease, attempt, then, fixture.now()).await.unwrap();
    }
    let open = fixture.queued(user, &[segment("a", 30)]).await;
    let records = store
        .points()
        .movements(user, &MovementFilter::default(), Page { number: 1, size: 99 })
        .await
        .unwrap();
    fixture.pass(90 * DAY);
    let job = fixture.job().await;

    let expired = store.retention().expired(&fixture.older_than(89)).await.unwrap();
    let counts = (expired.results, expired.tasks, expired.attempts, expired.segments);
    assert_eq!(counts, (2, 1, 1, 0), "{expired:?}");
    assert_eq!(store.retention().expire_attempts(&job, &fixture.older_than(89), MANY).await.unwrap(), 1);
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
    assert_eq!(store.retention().expire_tasks(&job, &fixture.older_than(89), MANY).await.unwrap(), 0);
    assert_eq!(store.retention().expire_results(&job, &fixture.older_than(89), 1).await.unwrap().len(), 1);
    assert_eq!(store.retention().expire_results(&job, &fixture.older_than(89), 1).await.unwrap().len(), 1);
    assert_eq!(store.retention().expire_tasks(&job, &fixture.older_than(89), MANY).await.unwrap(), 1);
    let there = async |task_no| store.tasks().find(user, task_no).await.unwrap().is_some();
    assert_eq!((there(&old).await, there(&waiting).await, there(&open).await), (false, true, true));
    // Of the segments, "a" is rendered again for the open task and "b" still belongs to the other.
    assert_eq!(store.retention().expire_segments(&job, MANY).await.unwrap(), 0);
    let after = store
        .points()
        .movements(user, &MovementFilter::default(), Page { number: 1, size: 99 })
        .await
        .unwrap();
    assert_eq!(after, records);

    store.tasks().cancel(user, &open, fixture.now()).await.unwrap();
    fixture.pass(90 * DAY);
    let job = fixture.job().await;
    assert_eq!(store.retention().expire_tasks(&job, &fixture.older_than(89), MANY).await.unwrap(), 1);
    assert_eq!(store.retention().expire_segments(&job, MANY).await.unwrap(), 1);
    // A deleted segment can be needed again.
    fixture.queued(user, &[segment("a", 30)]).await;
    fixture.make_segment("a").await;
}

/// A task that ended before the others may be deleted before them.
pub async fn a_share_lasts_as_long_as_its_last_task(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let (late, early) = (fixture.submit(user, &[1]).await, fixture.submit(user, &[1]).await);
    let cancel = async |task_no| fixture.store.tasks().cancel(user, task_no, fixture.now()).await.unwrap();
    cancel(&early).await;
    fixture.pass(10 * DAY);
    cancel(&late).await;
    let tasks = vec![(early.clone(), None), (late.clone(), None)];
    let new = NewShare { tasks, expires_at: None, page: SharePage::default(), max: 9, max_items: 9 };
    let ShareOutcome::Made(both) = fixture.store.shares().add(user, new, fixture.now()).await.unwrap() else {
        panic!("not made");
    };
    assert_eq!(both.task_no, late);
    fixture.pass(85 * DAY);
    let job = fixture.job().await;
    assert_eq!(fixture.store.retention().expire_tasks(&job, &fixture.older_than(90), MANY).await.unwrap(), 1);
    let left = fixture.store.shares().find(both.id).await.unwrap().unwrap();
    assert_eq!(left.tasks, [SharedTask { place: Some(2), task_no: late, items: None }]);
    assert_eq!(fixture.store.retention().expire_tasks(&job, &fixture.older_than(80), MANY).await.unwrap(), 1);
    assert_eq!(fixture.store.shares().find(both.id).await.unwrap(), None);
}

pub async fn a_forgotten_client_task_id_is_free_again(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let submit = async || {
        let mut task = fixture.new_task(user, &[10]);
        task.request.client_task_id = Some("mine".into());
        fixture.store.tasks().submit(task, fixture.now()).await.unwrap()
    };
    let SubmitOutcome::Created(first) = submit().await else { panic!("not created") };
    fixture.store.tasks().cancel(user, &first.task_no, fixture.now()).await.unwrap();
    fixture.pass(90 * DAY);
    assert!(matches!(submit().await, SubmitOutcome::Duplicate(again) if again.task_no == first.task_no));
    let job = fixture.job().await;
    assert_eq!(fixture.store.retention().expire_tasks(&job, &fixture.older_than(89), MANY).await.unwrap(), 1);
    assert!(matches!(submit().await, SubmitOutcome::Created(_)));
}

pub async fn inputs_of_open_items_are_in_use(fixture: &Fixture) {
    let user = fixture.user(100).await;
    assert!(fixture.store.retention().sources_in_use().await.unwrap().is_empty());
    let task_no = fixture.queued(user, &[segment("a", 30)]).await;
    assert_eq!(fixture.store.retention().sources_in_use().await.unwrap(), ["c0".to_owned()].into());
    fixture.store.tasks().cancel(user, &task_no, fixture.now()).await.unwrap();
    assert!(fixture.store.retention().sources_in_use().await.unwrap().is_empty());
}

pub async fn metrics_report_the_state(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let before = fixture.now();
    fixture.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    fixture.submit(user, &[10]).await;
    let cancelled = {
        let mut task = fixture.new_task(user, &[10]);
        task.request.callback_url = Some("https://client.example/hook".into());
        fixture.submit_task(task).await
    };
    fixture.store.tasks().cancel(user, &cancelled, fixture.now()).await.unwrap();
    fixture.claim().await;
    let stands = fixture.store.metrics().snapshot(fixture.now()).await.unwrap();
    assert_eq!((stands.points_available, stands.points_held), (70, 30));
    let count = |waiting: Option<&Waiting>| waiting.map_or(0, |waiting| waiting.count);
    let work = |kind: &str, state: &str| count(stands.work.get(state).and_then(|kinds| kinds.get(kind)));
    assert_eq!((work("preflight", "ready"), work("preflight", "running")), (0, 1));
    assert_eq!((work("segment", "ready"), work("finish", "ready")), (2, 0));
    assert_eq!((count(stands.tasks.get(&0)), count(stands.tasks.get(&1))), (1, 1));
    assert!(stands.tasks[&1].since.unwrap() > before);
    assert_eq!((stands.workers, count(stands.events.get("due"))), (1, 1));
    assert!(!stands.paused);
    fixture.store.queue().pause(None, fixture.now()).await.unwrap();
    assert!(fixture.store.metrics().snapshot(fixture.now()).await.unwrap().paused);
    fixture.store.queue().resume().await.unwrap();
    assert!(!fixture.store.metrics().snapshot(fixture.now()).await.unwrap().paused);

    let moved = fixture.store.metrics().moved_since(0).await.unwrap();
    let points = |kind| moved.points.iter().find(|(k, _)| *k == kind).map(|(_, points)| *points);
    assert_eq!((points(MovementType::Grant), points(MovementType::Release)), (Some(100), Some(10)));
    assert_eq!(fixture.store.metrics().moved_since(moved.up_to).await.unwrap().points, vec![]);
}

pub async fn counts_of_many_rows_are_shared(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let segments: Vec<_> = (0..1200).map(|n| segment(&format!("s{n}"), 30)).collect();
    fixture.submit(user, &[10]).await;
    fixture.preflight(found(vec![Ok(plan(10, &segments.iter().collect::<Vec<_>>()))], &segments)).await;
    let counted = async |now| {
        let stands = fixture.store.metrics().snapshot(now).await.unwrap();
        let count = |state| {
            stands.work.get(state).and_then(|kinds| kinds.get("segment")).map_or(0, |waiting| waiting.count)
        };
        (count("ready"), count("running"))
    };
    let first = fixture.now();
    assert_eq!(counted(first).await, (1200, 0));
    fixture.claim().await;
    assert_eq!(counted(first + 100).await, (1200, 0), "counted a moment ago");
    assert_eq!(counted(first + 200).await, (1199, 1));
    fixture.claim().await;
    assert_eq!(counted(first + 100).await, (1198, 2), "the clock was set back");
    fixture.claim().await;
    let later = first + 1000;
    fixture.store.retention().claim_maintenance("counts", "another", later, 60_000).await.unwrap().unwrap();
    assert_eq!(counted(later).await, (1198, 2), "another counts");
    assert_eq!(counted(later + 200_000).await, (1197, 3), "another died while it counted");
}

pub async fn counts_of_a_long_queue_are_shared(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let segments: Vec<_> = (0..1200).map(|n| segment(&format!("s{n}"), 30)).collect();
    fixture.submit(user, &[10]).await;
    fixture.preflight(found(vec![Ok(plan(10, &segments.iter().collect::<Vec<_>>()))], &segments)).await;
    let now = fixture.now();
    let overview = async |now| {
        let overview = fixture.store.queue().overview(now, 9).await.unwrap();
        let running = overview.depths.iter().filter(|depth| depth.state == QueueState::Running);
        let (counted, load) = (running.map(|depth| depth.count).sum::<u64>(), &overview.users[0]);
        assert_eq!((load.running, load.ready), (counted, 1200 - counted));
        (counted, overview.running.len(), overview.pause.is_some())
    };
    assert_eq!(overview(now).await, (0, 0, false));
    fixture.claim().await;
    fixture.store.queue().pause(None, now).await.unwrap();
    assert_eq!(
        overview(now + 50).await,
        (0, 1, true),
        "counted a moment ago; pieces and the pause are those of now"
    );
    assert_eq!(overview(now + 1000).await, (1, 1, true));
    assert_eq!(fixture.store.queue().overview(now + 1000, 0).await.unwrap().users.len(), 0);
}

pub async fn segments_are_needed_until_their_items_are_assembled(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let (a, b) = (segment("a", 30), segment("b", 30));
    let task_no = fixture.submit(user, &[10, 10]).await;
    fixture.preflight(found(vec![Ok(plan(10, &[&a])), Ok(plan(10, &[&a, &b]))], &[a, b])).await;
    let needed = async |of: &[&str]| {
        let of: Vec<_> = of.iter().map(|name| SegmentKey((*name).into())).collect();
        let mut needed = fixture.store.jobs().needed_segments(&of).await.unwrap();
        needed.sort();
        needed.iter().map(|key| key.0.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(needed(&["b", "never planned", "a"]).await, "a b");
    assert_eq!((needed(&["b"]).await, needed(&[]).await), ("b".to_owned(), String::new()));
    fixture.make_segment("a").await;
    fixture.deliver(&task_no, 1, 10).await;
    assert_eq!(needed(&["a", "b"]).await, "a b", "the second item is still to be made");
    fixture.make_segment("b").await;
    fixture.deliver(&task_no, 2, 10).await;
    assert_eq!(needed(&["a", "b"]).await, "");
}

pub async fn work_and_callbacks_know_the_trace_of_their_task(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let trace = |n: u8| format!("00-{:032x}-{:016x}-01", n, n);
    let submit = async |n: u8| {
        let task = NewTask { traceparent: Some(trace(n)), ..fixture.new_task(user, &[10]) };
        fixture.submit_task(task).await
    };
    let (first, _) = (submit(1).await, submit(2).await);
    assert_eq!(fixture.store.traces().of_task(&first).await.unwrap(), Some(trace(1)));
    let segment = segment("a", 30);
    for n in [1, 2] {
        let claim = fixture.claim().await;
        assert_eq!(fixture.store.traces().of_job(claim.lease.work).await.unwrap(), Some(trace(n)));
        let result = super::fixture::found(
            vec![Ok(super::fixture::plan(10, &[&segment]))],
            std::slice::from_ref(&segment),
        );
        fixture.store.jobs().complete_preflight(claim.lease, result, fixture.now()).await.unwrap();
    }
    let claim = fixture.claim().await;
    assert_eq!(fixture.store.traces().of_job(claim.lease.work).await.unwrap(), Some(trace(1)));
    fixture.store.jobs().complete_segment(claim.lease, fixture.now()).await.unwrap();
    let finish = fixture.claim().await;
    assert_eq!(fixture.store.traces().of_job(finish.lease.work).await.unwrap(), Some(trace(1)));
    let silent = fixture.submit(user, &[0]).await;
    assert_eq!(fixture.store.traces().of_task(&silent).await.unwrap(), None);
}
