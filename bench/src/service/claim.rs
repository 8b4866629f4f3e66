//! What handing out work costs when a little or a lot of it waits.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail};
use clipmill_core::encoding::Encoding;
use clipmill_core::filter_graph::Graph;
use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::media::{ContentHash, Size};
use clipmill_core::plan::{Rendition, SourceRef};
use clipmill_core::pricing::Tier;
use clipmill_core::request::{Policy, parse};
use clipmill_core::segment::{PictureSpec, SegmentHash, SegmentSpec};
use clipmill_core::time::{Fps, Frames};
use clipmill_store::sqlite::SqliteStore;
use clipmill_store::*;
use serde_json::json;

use super::Figure;
use crate::peers::median;

const USERS: usize = 10;
/// Most segments of one task in the long queue.
const PER_TASK: usize = 2_000;
const CLAIMS: usize = 300;
const NOW: Millis = 1_800_000_000_000;

pub async fn measure(folder: &Path, few: usize, many: usize) -> anyhow::Result<Figure> {
    let short = claims_ms(&folder.join("short.db"), few).await?;
    let long = claims_ms(&folder.join("long.db"), many).await?;
    Ok(Figure {
        what: format!("claiming work with {many} rows in the queue, against {few}"),
        found: format!("{long:.2} ms, {short:.2} ms: {:.2}", long / short),
        aim: "≤ 1.5".into(),
    })
}

/// Median time of a claim with so many pieces of work waiting.
async fn claims_ms(path: &Path, rows: usize) -> anyhow::Result<f64> {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(path).await?);
    fill(&*store, rows).await?;
    let mut times = Vec::with_capacity(CLAIMS);
    for _ in 0..CLAIMS {
        let start = Instant::now();
        claim(&*store, ClaimLimits::default()).await?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    store.close().await;
    Ok(median(&times))
}

/// The one place that knows how a claim is made.
async fn claim(store: &dyn Store, limits: ClaimLimits) -> anyhow::Result<Claim> {
    store.claim("bench", NOW, 600_000, limits).await?.context("no work is ready")
}

/// Tasks of several users, planned, with so many segments to be made.
async fn fill(store: &dyn Store, rows: usize) -> anyhow::Result<()> {
    let mut users = Vec::new();
    for number in 0..USERS {
        let new = NewUser { name: format!("user {number}"), webhook_secret: "whsec_x".into() };
        let user = store.add_user(new, NOW).await?.id;
        store.grant(user, 1 << 40, "bench", NOW).await?;
        users.push(user);
    }
    let per_task = rows.div_ceil(USERS).min(PER_TASK);
    for (number, first) in (0..rows).step_by(per_task).enumerate() {
        let user = users[number % USERS];
        submit(store, user, number).await?;
        // Another user's segments may be due before it.
        let limits =
            ClaimLimits { kinds: [WorkKind::Preflight].into_iter().collect(), ..ClaimLimits::default() };
        let claim = claim(store, limits).await?;
        let segments = (first..rows.min(first + per_task)).map(segment).collect();
        store.finish_preflight(claim.lease, planned(segments), NOW).await?;
    }
    Ok(())
}

async fn submit(store: &dyn Store, user: UserId, number: usize) -> anyhow::Result<()> {
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
        items: vec![NewItem { seed: 1, points: 1 }],
        warnings: vec![],
        quota: Quota::default(),
    };
    match store.submit(task, NOW).await? {
        SubmitOutcome::Created(_) => Ok(()),
        other => bail!("not created: {other:?}"),
    }
}

fn segment(number: usize) -> NewSegment {
    let source = ContentHash(format!("{number:064x}"));
    let spec = PictureSpec {
        source: source.clone(),
        stream_index: 0,
        fps: Fps::DEFAULT,
        frames: Frames(150),
        size: Size::new(720, 1280),
        graph: Graph::input(0, 0).into(),
        inputs: vec![],
        captions: None,
        encoder: Encoding::standard(2).settings(None, Tier::Hd, Fps::DEFAULT),
        part: None,
    };
    NewSegment {
        hash: SegmentHash(format!(
            "{:064x}",
            (number as u128).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
        )),
        spec: SegmentSpec::Picture(spec),
        sources: vec![SourceRef { content: source, url: format!("https://example.com/{number}.mp4") }],
        present: false,
    }
}

fn planned(segments: Vec<NewSegment>) -> Preflighted {
    let hashes: Vec<_> = segments.iter().map(|segment| segment.hash.clone()).collect();
    let rendition = Rendition {
        fps: Fps::DEFAULT,
        size: Size::new(720, 1280),
        frames: segments.iter().map(|segment| segment.spec.frames()).sum(),
        tier: Tier::Hd,
        pictures: hashes.clone(),
        sound: None,
    };
    let item = PreflightedItem {
        item_no: 1,
        recipe: json!({}),
        warnings: vec![],
        outcome: Ok(ItemPlan { points: 1, rendition, segments: hashes }),
    };
    Preflighted { items: vec![item], segments, ..Preflighted::default() }
}
