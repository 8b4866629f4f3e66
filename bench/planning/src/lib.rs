//! Workloads for the planner: the largest accepted request, 100 groups of 100 clips, with the facts about its files,
//! and the scenes whose combinations are hardest to draw. `cargo bench` in this folder measures time (criterion) and
//! memory.

use std::hint::black_box;

use anyhow::anyhow;
use clipmill_core::combination::{Scenes, ShownClip};
use clipmill_core::encoding::Encoding;
use clipmill_core::media::{AudioInfo, ContentHash, Facts, MediaInfo, Size, VideoInfo};
use clipmill_core::plan::{Context, DivisionSettings, Plan, plan};
use clipmill_core::request::model::TaskRequest;
use clipmill_core::request::{Policy, parse};
use clipmill_core::segment::Toolchain;
use serde_json::json;

/// The maximum number of groups of a task, and of clips of a group.
pub const GROUPS: usize = 100;
pub const CLIPS: usize = 100;

/// The time limit for planning the largest request.
pub const AIM_MS: f64 = 50.0;
/// The memory limit for planning, beside the request and the facts.
pub const AIM_MIB: f64 = 64.0;

/// The measured cases: the number of different clips, and the name of the case.
pub const CASES: [(usize, &str); 2] =
    [(100, "100 clips, each in every group"), (GROUPS * CLIPS, "10,000 different clips")];

/// A request of 100 × 100 clips with the facts about its files.
pub struct Largest {
    request: TaskRequest,
    facts: Facts,
    toolchain: Toolchain,
}

impl Largest {
    /// Makes the request with clips of `distinct` files.
    pub fn new(distinct: usize) -> anyhow::Result<Self> {
        let url = |n: usize| format!("https://cdn.example.com/clips/2026/{:05}.mp4", n % distinct);
        let clip = |n: usize| json!({ "url": url(n), "duration": 5.0, "sceneName": "scene" });
        // Each group has its clips in its own order.
        let group = |g: usize| (0..CLIPS).map(|c| clip(g * CLIPS + c * 7 + g)).collect::<Vec<_>>();
        let groups: Vec<_> = (0..GROUPS).map(|g| json!({ "videos": group(g) })).collect();
        let body = json!({ "taskType": "baseVideoMix", "params": {
            "videoList": groups, "options": { "resolution": "720:1280", "resolutionMode": "crop" } } });
        let parsed = parse(body.to_string().as_bytes(), &Policy::default());
        let request = parsed.map_err(|error| anyhow!("{error}"))?.request;
        let mut facts = Facts::default();
        for n in 0..distinct {
            facts.media.insert(url(n), Ok(media(n)));
        }
        let toolchain =
            Toolchain { ffmpeg: "5.1.9".into(), x264: "164 r3095".into(), libass: "0x1701000".into() };
        Ok(Self { request, facts, toolchain })
    }

    pub fn plan(&self) -> Plan {
        let context = Context {
            toolchain: &self.toolchain,
            font: Err(clipmill_core::message::no_font()),
            encoding: Encoding::standard(2),
            max_item_seconds: 3_600,
            max_input_bytes: u64::MAX,
            division: DivisionSettings { width: 2, part_seconds: 30 },
            is_wanted: &|| true,
        };
        plan(black_box(&self.request), 1, &self.facts, &context)
    }
}

fn media(number: usize) -> MediaInfo {
    MediaInfo {
        content: ContentHash(format!("{number:064x}").into()),
        size_bytes: 1_000_000,
        format: "mov,mp4,m4a,3gp,3g2,mj2".into(),
        video: Some(VideoInfo::plain(Size::new(1080, 1920), 5.0, 30.0)),
        audio: Some(AudioInfo::plain(5.0)),
        animation: None,
        condition: None,
    }
}

/// Two hundred outputs of ten scenes that have the same 20 clips of 20 stretches each.
pub fn many() -> (&'static str, Scenes, usize) {
    ("200 outputs: 10 scenes, the same 20 clips of 60 s", scenes(10, &[90], 400, true), 200)
}

/// The hardest cases of drawing combinations: a name, and the scenes.
pub fn draws() -> [(&'static str, Scenes); 7] {
    let unequal = [30, 60, 90, 45, 17];
    [
        ("100 scenes × 100 clips, all different", scenes(100, &[30], 100, false)),
        ("100 scenes, the same 100 clips", scenes(100, &[30], 100, true)),
        ("100 scenes of five lengths, the same 100 clips", scenes(100, &unequal, 100, true)),
        ("100 scenes × 2 clips, all different", scenes(100, &[30], 2, false)),
        ("100 scenes of five lengths, the same 3 clips", scenes(100, &unequal, 3, true)),
        ("5 scenes × 4 clips, all different", scenes(5, &unequal, 4, false)),
        ("10 scenes × 2 clips, all different", scenes(10, &unequal, 2, false)),
    ]
}

/// `count` scenes that have these lengths in turn, each with `clips` clips: the same ones in every scene, or each
/// clip in one scene only.
fn scenes(count: u32, frames: &[u64], clips: u32, same: bool) -> Scenes {
    let clip = |scene: u32, clip: u32, frames: u64| ShownClip {
        file: if same { clip } else { scene * clips + clip },
        frames,
    };
    let shown = (0..count).zip(frames.iter().cycle());
    let shown = shown.map(|(scene, &frames)| (0..clips).map(|number| clip(scene, number, frames)).collect());
    Scenes { shown: shown.collect(), usable: vec![(0..clips).collect(); count as usize], shortest: false }
}
