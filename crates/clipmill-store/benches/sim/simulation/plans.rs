//! Requests and results of preflight: planned by the service's own planner from invented facts.

use std::collections::{HashMap, HashSet};

use clipmill_core::encoding::Encoding;
use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::media::{AudioInfo, ContentHash, Facts, MediaInfo, Size, VideoInfo};
use clipmill_core::plan::{Context, DivisionSettings, PlannedItem, needed_inputs, plan};
use clipmill_core::request::model::TaskRequest;
use clipmill_core::request::{Policy, parse};
use clipmill_core::segment::{SegmentKey, Toolchain};
use clipmill_store::{ItemPlan, NewItem, NewSegment, NewTask, PreflightItem, PreflightResult, Quota};

/// Points of an item.
pub const POINTS: u64 = 10;

/// A basic mix with this many outputs, each of several clips of five seconds with audio, which several outputs share.
pub fn request(name: &str, items: usize, clips: usize, shared: usize) -> TaskRequest {
    let distinct = (items * clips / shared.max(1)).max(clips);
    let url =
        |n: usize| format!("https://media.example.com/{name}/{:05}.mp4?signature={:0>64x}", n % distinct, n);
    let clip = |n: usize| format!(r#"{{"url":"{}","duration":5}}"#, url(n % distinct));
    // Each output has the next clips, so that no two outputs are alike.
    let group = |item: usize| (0..clips).map(|c| clip(item + c)).collect::<Vec<_>>().join(",");
    let groups: Vec<_> = (0..items).map(|item| format!(r#"{{"videos":[{}]}}"#, group(item))).collect();
    let body = format!(
        r#"{{"taskType":"baseVideoMix","callbackUrl":"https://client.example.com/hooks/video",
            "params":{{"videoList":[{}],"options":{{"resolution":"720:1280","resolutionMode":"crop"}}}}}}"#,
        groups.join(",")
    );
    parse(body.as_bytes(), &Policy::default()).unwrap_or_else(|error| panic!("{error}: {body}")).request
}

pub fn task(user: UserId, number: u64, request: TaskRequest) -> NewTask {
    let items = request.params.total_items();
    let mut random = [0; 10];
    random[..8].copy_from_slice(&number.to_be_bytes());
    NewTask {
        user,
        task_no: TaskNo::new(1_700_000_000_000, random),
        request,
        request_sha256: [7; 32],
        seed: number,
        items: (0..items).map(|n| NewItem { seed: n as u64, points: POINTS, expected: None }).collect(),
        warnings: Vec::new(),
        traceparent: None,
        // The service reads these as well.
        quota: Quota { open_tasks: 1_000_000, stored_bytes: 1 << 50, uploads_since: 0, given_up_hourly: 0 },
        template: None,
    }
}

/// The result of a worker's preflight.
pub fn preflighted(request: &TaskRequest, seed: u64) -> PreflightResult {
    let mut facts = Facts::default();
    for input in needed_inputs(request, seed, &facts) {
        facts.media.insert(input.url.clone(), Ok(media(&input.url)));
    }
    let toolchain =
        Toolchain { ffmpeg: "5.1.9".into(), x264: "164 r3095".into(), libass: "0x1701000".into() };
    let context = Context {
        toolchain: &toolchain,
        font: Err(clipmill_core::message::no_font()),
        encoding: Encoding::standard(2),
        max_item_seconds: 3_600,
        max_input_bytes: u64::MAX,
        division: DivisionSettings { width: 2, part_seconds: 30 },
        is_wanted: &|| true,
    };
    let plan = plan(request, seed, &facts, &context);
    let items: Vec<PreflightItem> = plan.items.into_iter().map(item).collect();
    let mut segments: HashMap<SegmentKey, NewSegment> = HashMap::new();
    for segment in plan.segments {
        let (key, spec, sources) = (segment.key, segment.spec, segment.sources);
        segments.insert(key.clone(), NewSegment { key, spec, sources, present: false });
    }
    let mut seen = HashSet::new();
    let used = items.iter().filter_map(|item| item.outcome.as_ref().ok()).flat_map(|plan| &plan.segments);
    let segments = used.filter(|key| seen.insert(*key)).filter_map(|key| segments.remove(key)).collect();
    PreflightResult {
        items,
        segments,
        diversity: plan.diversity,
        warnings: plan.warnings,
        bad_inputs: Vec::new(),
    }
}

fn item(item: PlannedItem) -> PreflightItem {
    let PlannedItem { item_no, recipe, footage, outcome, warnings, .. } = item;
    let outcome =
        outcome.map(|rendition| ItemPlan { points: POINTS, segments: rendition.segments(), rendition });
    PreflightItem { item_no, recipe, footage, warnings, outcome }
}

fn media(url: &str) -> MediaInfo {
    // Any function does that gives different files different names.
    let fnv = |seed: u64| {
        url.bytes().fold(seed, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    };
    let digest = [0xcbf2_9ce4_8422_2325, 17, 91, 5].map(fnv);
    MediaInfo {
        content: ContentHash(digest.map(|part| format!("{part:016x}")).concat().into()),
        size_bytes: 1_000_000,
        format: "mov,mp4,m4a,3gp,3g2,mj2".into(),
        video: Some(VideoInfo::plain(Size::new(1080, 1920), 5.0, 30.0)),
        audio: Some(AudioInfo::plain(5.0)),
        animation: None,
        condition: None,
    }
}
