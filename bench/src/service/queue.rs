//! A queue as the service writes it: planned tasks of several users, whose segments wait to be rendered.
//!
//! Tasks are submitted and their preflights claimed by the store. Planning would take it half an hour for a million
//! segments, so it plans the first task only, and the resulting rows are multiplied ([`super::multiply`]).

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, bail};
use clipmill_core::encoding::Encoding;
use clipmill_core::filter_graph::Graph;
use clipmill_core::ids::{TaskId, TaskNo, UserId};
use clipmill_core::media::{ContentHash, Size};
use clipmill_core::plan::{Rendition, SourceRef};
use clipmill_core::pricing::Tier;
use clipmill_core::request::{Policy, parse};
use clipmill_core::segment::{SegmentKey, SegmentSpec, VideoSpec};
use clipmill_core::time::{Fps, Frames};
use clipmill_store::sqlite::SqliteStore;
use clipmill_store::*;
use serde_json::json;

use super::multiply::{Copy, multiply};

const USERS: usize = 10;
/// Maximum number of segments of one task.
const PER_TASK: usize = 2_000;
const NOW: Millis = 1_800_000_000_000;

/// The only place that knows how a claim is made.
pub async fn claim(store: &dyn Store, limits: ClaimLimits) -> anyhow::Result<Claim> {
    store.queue().claim("bench", NOW, 600_000, limits).await?.context("no work is ready")
}

/// Tasks with so many segments to render; `planned` of them are planned by the store, the others by copying.
pub async fn fill(path: &Path, rows: usize, planned: usize) -> anyhow::Result<()> {
    let store = SqliteStore::open(path).await?;
    let per_task = rows.div_ceil(USERS).min(PER_TASK);
    let tasks = submitted(&store, rows.div_ceil(per_task)).await?;
    let leases = preflights(&store, tasks.len()).await?;
    let mut copies = Vec::new();
    for (number, task) in tasks.iter().enumerate() {
        let first = number * per_task;
        let count = per_task.min(rows - first);
        if number >= planned.max(1) && count == per_task {
            copies.push(Copy { task: *task, distance: first });
            continue;
        }
        let lease = leases.get(task).context("a task without a preflight")?;
        let segments = (first..first + count).map(segment).collect();
        store.jobs().complete_preflight(*lease, plan(segments), NOW).await?;
    }
    store.close().await;
    let template = tasks.first().context("an empty queue")?;
    multiply(path, *template, &copies).await
}

/// Submits tasks for the users in turn.
async fn submitted(store: &dyn Store, count: usize) -> anyhow::Result<Vec<TaskId>> {
    let mut users = Vec::new();
    for number in 0..USERS {
        let new = NewUser { name: format!("user {number}"), webhook_secret: "whsec_x".into() };
        let user = store.users().add(new, NOW).await?.id;
        store.points().grant(user, 1 << 40, "bench", NOW).await?;
        users.push(user);
    }
    let mut tasks = Vec::new();
    for (number, user) in (0..count).zip(users.into_iter().cycle()) {
        tasks.push(submit(store, user, number).await?);
    }
    Ok(tasks)
}

/// The leases of all preflights.
async fn preflights(store: &dyn Store, count: usize) -> anyhow::Result<HashMap<TaskId, Lease>> {
    let mut leases = HashMap::new();
    for _ in 0..count {
        let claim = claim(store, ClaimLimits::default()).await?;
        let Job::Preflight { task, .. } = claim.job else { bail!("no preflight: {:?}", claim.job) };
        leases.insert(task, claim.lease);
    }
    Ok(leases)
}

async fn submit(store: &dyn Store, user: UserId, number: usize) -> anyhow::Result<TaskId> {
    let body = json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [{ "videos": [{ "url": "https://example.com/a.mp4" }] }] } });
    let request = parse(body.to_string().as_bytes(), &Policy::default())?.request;
    let mut random = [0; 10];
    random[..8].copy_from_slice(&(number as u64).to_be_bytes());
    let task = NewTask {
        traceparent: None,
        user,
        task_no: TaskNo::new(NOW, random),
        request,
        request_sha256: [7; 32],
        seed: 1,
        items: vec![NewItem { seed: 1, points: 1, expected: None }],
        warnings: vec![],
        quota: Quota::default(),
        template: None,
    };
    match store.tasks().submit(task, NOW).await? {
        SubmitOutcome::Created(submitted) => Ok(submitted.task_id),
        other => bail!("not created: {other:?}"),
    }
}

/// The key of a segment: without order at its beginning, as real ones are, and its number at the end, so that the
/// database can generate it too.
fn key(number: usize) -> SegmentKey {
    SegmentKey(format!("{:08x}{number:056}", number as u64 * 2_654_435_761 % (1 << 32)).into())
}

fn segment(number: usize) -> NewSegment {
    // The number again, which occurs in no other text of a segment.
    let source = ContentHash(format!("{number:064}").into());
    let url = format!("https://example.com/{number:064}.mp4");
    let spec = VideoSpec {
        source: source.clone(),
        stream_index: 0,
        decoder: None,
        fps: Fps::DEFAULT,
        frames: Frames(150),
        size: Size::new(720, 1280),
        graph: Graph::input(0, 0).into(),
        inputs: vec![],
        captions: None,
        texts: vec![],
        encoder: Encoding::standard(2).settings(None, Tier::Hd, Fps::DEFAULT).into(),
        part: None,
    };
    NewSegment {
        key: key(number),
        spec: SegmentSpec::Video(spec),
        sources: vec![SourceRef { content: source, url, condition: None }],
        present: false,
    }
}

fn plan(segments: Vec<NewSegment>) -> PreflightResult {
    let hashes: Vec<_> = segments.iter().map(|segment| segment.key.clone()).collect();
    let rendition = Rendition {
        fps: Fps::DEFAULT,
        size: Size::new(720, 1280),
        frames: segments.iter().map(|segment| segment.spec.frames()).sum(),
        tier: Tier::Hd,
        video: hashes.clone(),
        audio: None,
        speech: vec![],
        cover: None,
    };
    let item = PreflightItem {
        item_no: 1,
        recipe: json!({}),
        footage: Default::default(),
        warnings: vec![],
        outcome: Ok(ItemPlan { points: 1, rendition, segments: hashes }),
    };
    PreflightResult { items: vec![item], segments, ..PreflightResult::default() }
}

#[cfg(test)]
mod tests {
    use super::super::multiply::tests::dump;
    use super::*;

    #[tokio::test]
    async fn copies_equal_the_rows_of_the_store() {
        let folder = tempfile::tempdir().unwrap();
        let (copied, real) = (folder.path().join("copied.db"), folder.path().join("real.db"));
        fill(&copied, 200, 1).await.unwrap();
        fill(&real, 200, usize::MAX).await.unwrap();
        let (copied, real) = (dump(&copied).await, dump(&real).await);
        assert!(real.iter().filter(|row| row.starts_with("work: ")).count() > 200);
        assert_eq!(copied, real);
    }

    #[tokio::test]
    async fn copied_tasks_are_completed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("queue.db");
        // The last task is shorter than the others.
        fill(&path, 25, 1).await.unwrap();
        let store = SqliteStore::open(&path).await.unwrap();
        let (mut made, mut finishes) = (0, 0);
        while let Some(claim) =
            store.queue().claim("test", NOW, 600_000, ClaimLimits::default()).await.unwrap()
        {
            match claim.job {
                Job::Segment { key: name, spec, sources, .. } => {
                    let number: usize = name.0[8..].parse().unwrap();
                    let expected = segment(number);
                    assert_eq!((&name, &*spec, sources), (&key(number), &expected.spec, expected.sources));
                    store.jobs().complete_segment(claim.lease, NOW).await.unwrap();
                    made += 1;
                }
                Job::Assemble { inputs, rendition, .. } => {
                    assert!(rendition.video.iter().all(|key| inputs.contains_key(key)));
                    finishes += 1;
                }
                Job::Preflight { .. } => panic!("a preflight was left"),
            }
        }
        assert_eq!((made, finishes), (25, 9));
        assert_eq!(store.points().audit().await.unwrap(), Vec::<String>::new());
        store.close().await;
    }
}
