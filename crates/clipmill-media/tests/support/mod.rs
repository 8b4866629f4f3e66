//! A folder with generated sources, a renderer over it, and rulers for what comes out.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clipmill_core::media::{ContentHash, Facts, Size};
use clipmill_core::plan::{Context, Plan, plan};
use clipmill_core::request::model::*;
use clipmill_core::segment::Toolchain;
use clipmill_core::time::Fps;
use clipmill_media::cache::Cache;
use clipmill_media::finish::{Output, digest};
use clipmill_media::probe::probe;
use clipmill_media::process::{Ffmpeg, Limits, Program};
use clipmill_media::render::{Made, Renderer};
use clipmill_media::toolchain;

pub struct Lab {
    pub folder: tempfile::TempDir,
    pub renderer: Renderer,
    pub toolchain: Toolchain,
    pub facts: Facts,
    paths: HashMap<ContentHash, PathBuf>,
}

/// One finished output and how its segments came to be.
pub struct Rendered {
    pub path: PathBuf,
    pub output: Output,
    pub rendered: usize,
    pub cached: usize,
}

impl Lab {
    pub async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ffmpeg = Ffmpeg::default();
        let toolchain =
            toolchain::detect(&ffmpeg).await.expect("ffmpeg must be installed: run scripts/install-deps.sh");
        let cache = Cache::open(&folder.path().join("cache")).await.unwrap();
        Self {
            folder,
            renderer: Renderer { ffmpeg, cache },
            toolchain,
            facts: Facts::default(),
            paths: HashMap::new(),
        }
    }

    /// Makes a source file with ffmpeg and learns its facts; `args` are split at white space, `|` stands for
    /// a space inside one.
    pub async fn source(&mut self, name: &str, args: &str) -> String {
        let path = self.folder.path().join(name);
        ffmpeg(args, &path).await;
        self.learn(name, &path).await
    }

    /// Takes an existing file as the source called `name`.
    pub async fn learn(&mut self, name: &str, path: &Path) -> String {
        let (sha256, _) = digest(path).await.unwrap();
        let content = ContentHash(sha256);
        let info = probe(&self.renderer.ffmpeg, path, content.clone()).await;
        self.facts.media.insert(name.to_owned(), info.map_err(|error| error.input(name)));
        self.paths.insert(content, path.to_owned());
        name.to_owned()
    }

    pub fn plan(&self, params: Params) -> Plan {
        let request = TaskRequest { params, callback_url: None, client_task_id: None };
        let context = Context {
            toolchain: &self.toolchain,
            font: Err("no fonts here".into()),
            encoder_threads: 2,
            max_item_seconds: 3600,
        };
        plan(&request, request.params.seed().unwrap_or(1), &self.facts, &context)
    }

    /// Renders every item, or panics with the reason.
    pub async fn render(&self, params: Params) -> Vec<Rendered> {
        let plan = self.plan(params);
        let (mut rendered, mut cached) = (0, 0);
        for (i, segment) in plan.segments.iter().enumerate() {
            let source = segment.spec.source().map(|content| self.paths[content].as_path());
            let made =
                self.renderer.segment(&format!("s{i}"), &segment.hash, &segment.spec, source, |_| {}).await;
            match made.unwrap_or_else(|error| panic!("segment {i}: {error}")) {
                Made::Rendered => rendered += 1,
                Made::Cached => cached += 1,
            }
        }
        let mut outputs = Vec::new();
        for item in &plan.items {
            let rendition =
                item.outcome.as_ref().unwrap_or_else(|error| panic!("item {}: {error}", item.item_no));
            let path = self.folder.path().join(format!("out-{}-{}.mp4", item.seed, item.item_no));
            let output = self.renderer.finish(&format!("f{}", item.item_no), rendition, &path).await;
            let output = output.unwrap_or_else(|error| panic!("item {}: {error}", item.item_no));
            outputs.push(Rendered { path, output, rendered, cached });
        }
        outputs
    }
}

pub async fn ffmpeg(args: &str, output: &Path) {
    let mut args: Vec<OsString> = args.split_whitespace().map(|word| word.replace('|', " ").into()).collect();
    args.push(output.into());
    Ffmpeg::default().run_ffmpeg(&args, None, Limits::wall(Duration::from_secs(300)), |_| {}).await.unwrap();
}

/// What ffmpeg writes to its standard output.
pub async fn raw(input: &Path, args: &str) -> Vec<u8> {
    let mut all: Vec<OsString> = ["-v", "error", "-nostdin", "-i"].map(OsString::from).to_vec();
    all.push(input.into());
    all.extend(args.split_whitespace().map(|word| OsString::from(word.replace('|', " "))));
    all.push("-".into());
    let limits = Limits::wall(Duration::from_secs(300)).stdout_bytes(1 << 30);
    Ffmpeg::default().output(Program::Ffmpeg, &all, limits).await.unwrap()
}

/// Mean luma of each frame, 0 to 255.
pub async fn lumas(input: &Path) -> Vec<u8> {
    raw(input, "-map 0:v:0 -fps_mode passthrough -vf scale=1:1:flags=area,format=gray -f rawvideo").await
}

/// MD5 of each decoded frame.
pub async fn frame_hashes(input: &Path) -> Vec<String> {
    let text = raw(input, "-map 0:v:0 -fps_mode passthrough -f framemd5").await;
    let text = String::from_utf8(text).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.rsplit(',').next().unwrap().trim().to_owned()).collect()
}

/// Decoded sound, one channel, 48 kHz.
pub async fn samples(input: &Path) -> Vec<f32> {
    let bytes = raw(input, "-map 0:a:0 -ac 1 -ar 48000 -f f32le").await;
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
}

/// Root mean square of a part of the sound, in dB below full scale.
pub fn level_db(samples: &[f32], from_s: f64, to_s: f64) -> f64 {
    let part = &samples[(from_s * 48_000.0) as usize..((to_s * 48_000.0) as usize).min(samples.len())];
    let power = part.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / part.len().max(1) as f64;
    10.0 * power.max(1e-12).log10()
}

pub fn options(size: (u32, u32), fps: u32) -> MixOptions {
    MixOptions {
        size: Size::new(size.0, size.1),
        fill: FillMode::None,
        background: Background::Black,
        fps: Fps::new(fps).unwrap(),
        is_shortest: false,
        music: None,
        voice: None,
        subtitle: None,
        original_volume: 100,
    }
}

pub fn group(urls: &[&str]) -> Group {
    Group { videos: urls.iter().map(|url| clip(url)).collect(), total_duration_s: None }
}

pub fn clip(url: &str) -> Clip {
    Clip { url: url.to_owned(), duration_s: None }
}

pub fn base(groups: Vec<Group>, options: MixOptions) -> Params {
    Params::BaseVideoMix(BaseMixParams { groups, options, seed: Some(1) })
}
