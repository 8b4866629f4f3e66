//! Fixtures of the cases: users, tasks, plans and a scripted worker.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::filter_graph::Graph;
use clipmill_core::footage::Footage;
use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::media::{ContentHash, Size};
use clipmill_core::message::Message;
use clipmill_core::plan::{Rendition, SourceRef};
use clipmill_core::pricing::Tier;
use clipmill_core::request::model::{BaseMixParams, Clip, Group, MixOptions, Params, TaskRequest};
use clipmill_core::segment::{AudioSpec, Continuation, EncoderSettings, SegmentKey, SegmentSpec, VideoSpec};
use clipmill_core::time::{Fps, Frames, Samples};
use clipmill_store::retention::Cutoffs;
use clipmill_store::*;
use tokio::time::Instant;

pub const LEASE_MS: i64 = 30_000;

pub struct Fixture {
    pub store: Arc<dyn Store>,
    clock: AtomicI64,
}

impl Fixture {
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, clock: AtomicI64::new(1_700_000_000_000) }
    }

    /// A time later than any before.
    pub fn now(&self) -> Millis {
        self.clock.fetch_add(1, Ordering::SeqCst)
    }

    pub fn pass(&self, ms: i64) {
        self.clock.fetch_add(ms, Ordering::SeqCst);
    }

    pub async fn check(&self) {
        assert_eq!(self.store.points().audit().await.unwrap(), Vec::<String>::new());
    }

    pub async fn user(&self, points: u64) -> UserId {
        let now = self.now();
        let user = NewUser { name: format!("user {now}"), webhook_secret: "whsec_x".into() };
        let id = self.store.users().add(user, now).await.unwrap().id;
        if points > 0 {
            self.store.points().grant(id, points, "to begin with", now).await.unwrap();
        }
        id
    }

    pub async fn balance(&self, user: UserId) -> (i64, i64) {
        let balance = self.store.points().balance(user).await.unwrap();
        (balance.available, balance.held)
    }

    /// A task whose items cost `points` each.
    pub fn new_task(&self, user: UserId, points: &[u64]) -> NewTask {
        let now = self.now();
        let [.., a, b, c, d] = now.to_be_bytes();
        NewTask {
            user,
            task_no: TaskNo::new(now, [a, b, c, d, 0, 0, 0, 0, 0, 0]),
            request: request(points.len()),
            request_sha256: [7; 32],
            seed: u64::MAX,
            items: points
                .iter()
                .map(|points| NewItem { seed: u64::MAX - 1, points: *points, expected: None })
                .collect(),
            warnings: Vec::new(),
            traceparent: None,
            quota: Quota::default(),
            template: None,
        }
    }

    pub async fn submit(&self, user: UserId, points: &[u64]) -> TaskNo {
        self.submit_task(self.new_task(user, points)).await
    }

    pub async fn submit_task(&self, task: NewTask) -> TaskNo {
        match self.store.tasks().submit(task, self.now()).await.unwrap() {
            SubmitOutcome::Created(submitted) => submitted.task_no,
            other => panic!("not created: {other:?}"),
        }
    }

    pub async fn try_claim(&self) -> Option<Claim> {
        self.try_claim_within(ClaimLimits::default()).await
    }

    pub async fn try_claim_within(&self, limits: ClaimLimits) -> Option<Claim> {
        self.store.queue().claim("worker", self.now(), LEASE_MS, limits).await.unwrap()
    }

    pub async fn claim(&self) -> Claim {
        self.try_claim().await.expect("work to be ready")
    }

    /// Submits all these tasks at the same time.
    pub async fn submit_at_once(&self, tasks: Vec<NewTask>) -> Vec<SubmitOutcome> {
        let submissions = tasks.into_iter().map(|task| {
            let store = self.store.clone();
            tokio::spawn(async move { store.tasks().submit(task, 5).await.unwrap() })
        });
        let mut outcomes = Vec::new();
        for submission in submissions.collect::<Vec<_>>() {
            outcomes.push(submission.await.unwrap());
        }
        outcomes
    }

    /// How long a claim takes; for measurements of how that grows.
    pub async fn median_claim(&self) -> Duration {
        let mut times = Vec::new();
        for _ in 0..150 {
            let started = Instant::now();
            self.claim().await;
            times.push(started.elapsed());
        }
        times.sort();
        times[times.len() / 2]
    }

    /// A user with one delivered output, which measurements copy.
    pub async fn with_an_output(&self) -> UserId {
        let user = self.user(10).await;
        let task_no = self.queued(user, &[segment("a", 30)]).await;
        self.make_segment("a").await;
        self.deliver(&task_no, 1, 1).await;
        user
    }

    /// Durations of pages of outputs, by filter, and of a page of tasks with their images.
    pub async fn median_pages(&self, user: UserId, later: Millis) -> Vec<(&'static str, Duration)> {
        let words = |words: &str| TaskFilter { words: Some(words.to_owned()), ..TaskFilter::default() };
        let all = TaskFilter::default;
        let mut medians = Vec::new();
        for (name, filter, number) in [
            ("first page", all(), 1),
            ("last page", all(), 100),
            ("common word", words("common"), 1),
            ("rare word", words("rare"), 1),
            ("both words", words("common rare"), 1),
            ("from a day on", TaskFilter { from: Some(later), ..all() }, 1),
            ("before a day", TaskFilter { to: Some(later), ..all() }, 1),
        ] {
            let page = Page { number, size: 100 };
            let look = async || self.store.tasks().outputs(user, &filter, page).await.unwrap().list.len();
            medians.push((name, median(async || assert_eq!(look().await, 100, "{name}")).await));
        }
        let page = Page { number: 1, size: 100 };
        let look = async || drop(self.store.tasks().list(user, &all(), page).await.unwrap());
        medians.push(("tasks with pictures", median(look).await));
        let look = async || drop(self.store.batches().grouped_tasks(user, &all(), page).await.unwrap());
        medians.push(("tasks and batches", median(look).await));
        medians
    }

    /// Durations of pages of tasks filtered by words, labels and dates.
    pub async fn median_searches(&self, user: UserId) -> Vec<(String, Duration)> {
        let mut medians = Vec::new();
        for (words, label, number) in [
            ("", "", 1),
            ("", "", 25_000),
            ("autumn", "", 1),
            ("autumn", "", 100),
            ("sku12345", "", 1),
            ("sku12", "", 1),
            ("sku1", "", 1),
            ("sk", "", 1),
            ("first", "", 1),
            ("first", "", 100),
            ("old", "", 1),
            ("aged", "", 1),
            ("", "old", 1),
            ("", "old", 100),
            ("", "shop3", 1),
            ("week5", "shop3", 1),
            ("autumn sale", "", 1),
            ("first sale", "", 1),
            ("first sale", "even", 1),
            ("aged sale", "even", 1),
            ("sku1 week5", "shop3", 1),
            ("", "even", 1),
            ("autumn", "old", 1),
            ("spring", "old", 1),
            ("spring sale", "", 1),
        ] {
            let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            let filter = TaskFilter { words: some(words), label: some(label), ..TaskFilter::default() };
            let page = Page { number, size: 20 };
            let look = async || self.store.tasks().list(user, &filter, page).await.unwrap();
            let page_of_tasks = look().await;
            let name = format!(
                "{words} #{label} page {number}: {} of {}",
                page_of_tasks.list.len(),
                page_of_tasks.total
            );
            medians.push((name, median(async || drop(look().await)).await));
        }
        medians
    }

    /// Claims what must be a preflight and ends it.
    pub async fn preflight(&self, found: PreflightResult) {
        let claim = self.claim().await;
        assert!(matches!(claim.job, Job::Preflight { .. }), "{:?}", claim.job);
        self.store.jobs().complete_preflight(claim.lease, found, self.now()).await.unwrap();
    }

    /// A queued task with one item of one segment each.
    pub async fn queued(&self, user: UserId, segments: &[NewSegment]) -> TaskNo {
        let task_no = self.submit(user, &vec![10; segments.len()]).await;
        let items = segments.iter().map(|segment| Ok(plan(10, &[segment]))).collect();
        self.preflight(found(items, segments)).await;
        task_no
    }

    pub async fn claim_segment(&self, name: &str) -> Lease {
        let claim = self.claim().await;
        match &claim.job {
            Job::Segment { key, .. } if *key.0 == *name => claim.lease,
            other => panic!("not segment {name}: {other:?}"),
        }
    }

    pub async fn make_segment(&self, name: &str) {
        let lease = self.claim_segment(name).await;
        self.store.jobs().complete_segment(lease, self.now()).await.unwrap();
    }

    pub async fn claim_finish(&self, task_no: &TaskNo, item_no: u32) -> Lease {
        let claim = self.claim().await;
        match &claim.job {
            Job::Assemble { task_no: task, item_no: item, .. } if task == task_no && *item == item_no => {
                claim.lease
            }
            other => panic!("not the finish of {task_no}/{item_no}: {other:?}"),
        }
    }

    pub async fn deliver(&self, task_no: &TaskNo, item_no: u32, points: u64) {
        let lease = self.claim_finish(task_no, item_no).await;
        self.store.jobs().complete_item(lease, result(), points, self.now()).await.unwrap();
    }

    pub async fn fail(&self, lease: Lease, error: &str) {
        let failure = JobFailure { error: task_error(error), retry_at: None };
        self.store.jobs().fail(lease, failure, self.now()).await.unwrap();
    }

    pub async fn task(&self, user: UserId, task_no: &TaskNo) -> TaskRecord {
        self.store.tasks().find(user, task_no).await.unwrap().expect("the task to be there")
    }

    /// State of the task, then of its items, by their integers.
    pub async fn states(&self, user: UserId, task_no: &TaskNo) -> (u8, Vec<u8>) {
        let task = self.task(user, task_no).await;
        (task.state.code(), task.items.iter().map(|item| item.state.code()).collect())
    }
}

async fn median(work: impl AsyncFn()) -> Duration {
    let mut times = Vec::new();
    for _ in 0..11 {
        let started = Instant::now();
        work().await;
        times.push(started.elapsed());
    }
    times.sort();
    times[times.len() / 2]
}

/// Text that compresses to no less than half.
pub fn drawn_text(length: usize) -> String {
    let mut state = 1_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'A' + (state >> 60) as u8)
    };
    (0..length).map(|_| draw()).collect()
}

/// The task with this url among those of its clips.
pub fn with_url(mut task: NewTask, url: String) -> NewTask {
    if let Params::BaseVideoMix(params) = &mut task.request.params {
        params.groups[0].videos[0].url = url;
    }
    task
}

pub fn request(items: usize) -> TaskRequest {
    let group = Group {
        videos: vec![Clip { url: "https://example.com/a.mp4".into(), duration_s: None, ..Clip::default() }],
        total_duration_s: None,
    };
    let options = MixOptions::default();
    let params = BaseMixParams { groups: vec![group; items], options, seed: None };
    TaskRequest {
        params: Params::BaseVideoMix(params),
        callback_url: None,
        client_task_id: None,
        name: None,
        labels: Vec::new(),
        max_points: None,
    }
}

/// Whether long tests try all their cases, as `make test-all` does, or a part of them.
pub fn all_cases() -> bool {
    std::env::var_os("CLIPMILL_ALL_CASES").is_some()
}

/// A tenth of a second of silence.
pub fn sound(name: &str) -> NewSegment {
    let spec = AudioSpec {
        source: None,
        stream_index: 0,
        channels: 2,
        ambisonic: false,
        origin_us: 0,
        samples: Samples(4_800),
        loop_period: None,
        tempo_permille: 1_000,
        edge_fade: Samples(0),
        continued: Continuation::default(),
        sounding: None,
        seam: None,
        crossed: None,
        volume_percent: 100,
    };
    NewSegment { spec: SegmentSpec::Audio(spec), sources: Vec::new(), ..segment(name, 3) }
}

pub fn segment(name: &str, frames: u64) -> NewSegment {
    let source = ContentHash("c0".into());
    let encoder = EncoderSettings {
        codec: "libx264".into(),
        preset: "superfast".into(),
        crf_tenths: 210,
        params: String::new(),
        max_rate_kbps: 6_000,
        keyframe_interval: 120,
        threads: 2,
        fallback: None,
    };
    let spec = VideoSpec {
        source: source.clone(),
        stream_index: 0,
        decoder: None,
        fps: Fps::DEFAULT,
        frames: Frames(frames),
        size: Size::new(720, 1280),
        graph: Graph::input(0, 0).into(),
        inputs: vec![],
        captions: None,
        texts: Vec::new(),
        encoder: encoder.into(),
        part: None,
    };
    NewSegment {
        key: SegmentKey(name.into()),
        spec: SegmentSpec::Video(spec),
        sources: vec![SourceRef {
            content: source,
            url: format!("https://example.com/{name}.mp4"),
            condition: None,
        }],
        present: false,
    }
}

pub fn plan(points: u64, segments: &[&NewSegment]) -> ItemPlan {
    let hashes: Vec<SegmentKey> = segments.iter().map(|segment| segment.key.clone()).collect();
    let rendition = Rendition {
        fps: Fps::DEFAULT,
        size: Size::new(720, 1280),
        frames: segments.iter().map(|segment| segment.spec.frames()).sum(),
        tier: Tier::Hd,
        video: hashes.clone(),
        audio: None,
        speech: Vec::new(),
        cover: None,
    };
    ItemPlan { points, rendition, segments: hashes }
}

/// Outcomes of items 1, 2, ….
pub fn found(items: Vec<Result<ItemPlan, TaskError>>, segments: &[NewSegment]) -> PreflightResult {
    let items = (1..).zip(items).map(|(item_no, outcome)| PreflightItem {
        item_no,
        recipe: serde_json::json!({ "item": item_no }),
        footage: Footage::of([(ContentHash("shown".into()), 0..u64::from(item_no) * 30)]),
        warnings: Vec::new(),
        outcome,
    });
    PreflightResult { items: items.collect(), segments: segments.to_vec(), ..PreflightResult::default() }
}

pub fn task_error(message: &str) -> TaskError {
    TaskError::new(ErrorCode::NotMedia, Message::without_code(message))
}

/// An upload of one byte.
pub fn new_upload(user: UserId, id: &str, content: &str, created_at: i64) -> NewUpload {
    let (id, content_sha256) = (id.to_owned(), content.to_owned());
    NewUpload {
        id,
        user,
        content_sha256,
        size_bytes: 1,
        file_name: None,
        created_at,
        quota: Quota::default(),
    }
}

/// Everything from before `before` expires.
pub fn cutoffs(now: i64, before: i64) -> Cutoffs {
    Cutoffs {
        now,
        uploads_used_before: before,
        tasks_ended_before: before,
        attempts_before: before,
        undelivered_before: before,
    }
}

pub fn result() -> ItemResult {
    ItemResult {
        key: "results/1".into(),
        duration_ms: 1_000,
        width: 720,
        height: 1280,
        fps: 30,
        size_bytes: 1,
        sha256: "00".into(),
        video_codec: "h264".into(),
        audio_codec: None,
        quality: serde_json::Value::Null,
        cover: None,
        pictures: None,
        warnings: Vec::new(),
        expires_at: 1,
    }
}

/// Each item's video under replacement names: `a` becomes `a2`.
pub async fn second(fixture: &Fixture, lease: Lease) -> Vec<Fallback> {
    let parts = fixture.store.jobs().item_parts(lease).await.unwrap();
    let renamed = |key: &SegmentKey| SegmentKey(format!("{}2", key.0).into());
    let fallback = |parts: ItemParts| {
        let pictures = parts.rendition.video.iter().map(renamed).collect();
        let replaced = parts.segments.iter().map(|(key, spec)| {
            let other = NewSegment { key: renamed(key), spec: spec.clone(), sources: vec![], present: false };
            (key.clone(), other)
        });
        Fallback {
            item: parts.item,
            was: parts.rendition.clone(),
            rendition: Rendition { video: pictures, ..parts.rendition.clone() },
            replaced: replaced.collect(),
        }
    };
    parts.into_iter().map(fallback).collect()
}

pub fn is_lost(outcome: &StoreResult<()>) -> bool {
    matches!(outcome, Err(StoreError::LeaseLost))
}
