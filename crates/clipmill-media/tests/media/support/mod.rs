//! A folder with generated sources, a renderer over it, and measurements of the results.

pub mod audio;
pub mod draw;
pub mod measure;

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use clipmill_core::encoding::Encoding;
use clipmill_core::error::TaskError;
use clipmill_core::media::{Condition, ContentHash, Facts, MediaInfo, Size};
use clipmill_core::plan::{Context, DivisionSettings, Plan, PlannedSegment, SourceRef, by_fallback, plan};
use clipmill_core::request::model::*;
use clipmill_core::segment::{SegmentKey, Toolchain};
use clipmill_core::time::Fps;
use clipmill_media::cache::{Cache, DeliveryMethod};
use clipmill_media::digest::digest;
use clipmill_media::failure::SegmentError;
use clipmill_media::ffmpeg::process::{Ffmpeg, Limits};
use clipmill_media::fonts::Fonts;
use clipmill_media::ingest::probe::{ProbeOutcome, probe, probe_or_repair, repair};
use clipmill_media::output::assemble::{AssembleError, Output};
use clipmill_media::segment::render::SegmentOrigin;
use clipmill_media::segment::renderer::Renderer;
use clipmill_media::source_file::SourceFile;
use clipmill_media::toolchain;

pub use measure::*;

pub struct Fixture {
    pub folder: tempfile::TempDir,
    pub renderer: Renderer,
    pub toolchain: Toolchain,
    pub facts: Facts,
    /// Length of the parts of long videos; 0 renders each as a whole.
    pub part_seconds: u64,
    pub encoding: Encoding,
    pub paths: HashMap<ContentHash, PathBuf>,
    outputs: Cell<u32>,
}

/// One finished output and the origin of its segments.
pub struct Rendered {
    pub path: PathBuf,
    pub output: Output,
    pub size: Size,
    pub rendered: usize,
    pub cached: usize,
}

impl Fixture {
    pub async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ffmpeg = Ffmpeg::default();
        let toolchain =
            toolchain::detect(&ffmpeg).await.expect("ffmpeg must be installed: run scripts/install-deps.sh");
        let cache = Cache::open(&folder.path().join("cache")).await.unwrap();
        Self {
            folder,
            renderer: Renderer { ffmpeg, cache, hardware: None },
            toolchain,
            facts: Facts::default(),
            part_seconds: 0,
            encoding: Encoding::standard(0),
            paths: HashMap::new(),
            outputs: Cell::new(0),
        }
    }

    /// Makes a source file with ffmpeg and probes it; `args` are split at white space, `|` represents a space within an
    /// argument.
    pub async fn source(&mut self, name: &str, args: &str) -> String {
        let path = self.folder.path().join(name);
        ffmpeg(args, &path).await;
        self.learn(name, &path).await
    }

    /// Makes small still images of many shapes, formats and depths; returns their names.
    pub async fn small_pictures(&mut self) -> Vec<&'static str> {
        let mut names = Vec::new();
        for (name, size, format) in [
            ("thin.png", "1:64", "rgb24"),
            ("flat.png", "64:1", "rgba"),
            ("dot.png", "1:1", "gray"),
            ("odd.png", "33:57", "rgb48be"),
            ("deep.png", "64:48", "gray16be"),
            ("bits.png", "64:48", "monob"),
            ("clear.png", "64:48", "ya16be"),
            ("few.png", "64:48", "pal8"),
            ("deep-clear.png", "64:48", "rgba64be"),
            ("odd.jpg", "33:57", "yuvj420p"),
            ("grey.jpg", "64:48", "gray"),
            ("clear.webp", "64:48", "yuva420p"),
            ("plain.webp", "33:57", "yuv420p"),
            ("one.gif", "64:48", "pal8"),
            ("plain.avif", "64:48", "yuv420p"),
        ] {
            // Cropped from a larger one: the source cannot be as small.
            let cut = format!("format=rgb24,crop={size}:exact=1,format={format}");
            self.source(name, &format!("-f lavfi -i testsrc2=s=64x64 -frames:v 1 -vf {cut} -strict -1"))
                .await;
            names.push(name);
        }
        names
    }

    /// Uses an existing file as the source called `name`.
    pub async fn learn(&mut self, name: &str, path: &Path) -> String {
        let (sha256, _) = digest(path).await.unwrap();
        let content = ContentHash(sha256.into());
        let (info, path) = self.probed(path, &content).await;
        self.facts.media.insert(name.to_owned(), info.map_err(|error| error.input(name)));
        self.paths.insert(content, path);
        name.to_owned()
    }

    /// The facts, and the path of the file that is read: of a repaired copy, if it needs repair.
    async fn probed(&self, path: &Path, content: &ContentHash) -> (Result<MediaInfo, TaskError>, PathBuf) {
        let ffmpeg = &self.renderer.ffmpeg;
        let repair = match probe_or_repair(ffmpeg, path, content.clone()).await {
            Ok(ProbeOutcome::Usable(info)) => return (Ok(*info), path.to_owned()),
            Ok(ProbeOutcome::Repairable(repair)) => repair,
            Err(error) => return (Err(error), path.to_owned()),
        };
        let copy = self.folder.path().join(format!("{}.repaired", content.0));
        repair::make(ffmpeg, path, &repair, self.folder.path(), &copy).await.unwrap();
        let condition = Condition { repair: Some(repair), broken_off: None };
        let info = probe(ffmpeg, &copy, content.clone()).await;
        (info.map(|info| MediaInfo { condition: Some(condition.into()), ..info }), copy)
    }

    /// The path of a source.
    pub fn path(&self, name: &str) -> PathBuf {
        self.paths[&self.facts.media[name].as_ref().unwrap().content].clone()
    }

    pub fn plan(&self, params: Params) -> Plan {
        static FONTS: LazyLock<Fonts> = LazyLock::new(|| Fonts::load(None).unwrap());
        let request = TaskRequest {
            params,
            callback_url: None,
            client_task_id: None,
            name: None,
            labels: Vec::new(),
            max_points: None,
        };
        let context = Context {
            toolchain: &self.toolchain,
            font: Ok(&*FONTS),
            encoding: self.encoding,
            max_item_seconds: 3600,
            max_input_bytes: u64::MAX,
            division: DivisionSettings { width: 2, part_seconds: self.part_seconds },
            is_wanted: &|| true,
        };
        plan(&request, request.params.seed().unwrap_or(1), &self.facts, &context)
    }

    /// Renders every item, or panics with the reason.
    pub async fn render(&self, params: Params) -> Vec<Rendered> {
        self.try_render(params).await.unwrap_or_else(|error| panic!("{error} ({:?})", error.input))
    }

    /// Renders an only item, or panics with the reason.
    pub async fn render_one(&self, params: Params) -> Rendered {
        self.render(params).await.remove(0)
    }

    /// Renders every item; returns the first error, from any stage.
    pub async fn try_render(&self, params: Params) -> Result<Vec<Rendered>, TaskError> {
        let mut plan = self.plan(params);
        let (mut rendered, mut cached, mut next) = (0, 0, 0);
        while let Some(segment) = plan.segments.get(next).cloned() {
            let files = self.files(&segment);
            let attempt = format!("s{next}");
            next += 1;
            match self.renderer.segment(&attempt, &segment.key, &segment.spec, &files, |_| {}).await {
                Ok(SegmentOrigin::Rendered) => rendered += 1,
                Ok(SegmentOrigin::Cached) => cached += 1,
                Err(SegmentError::FallBack(_)) => self.plan_again(&mut plan, &segment.key),
                Err(SegmentError::Failed(error)) => return Err(error),
            }
        }
        let mut outputs = Vec::new();
        for item in plan.items {
            let rendition = item.outcome?;
            self.outputs.set(self.outputs.get() + 1);
            let path = self.folder.path().join(format!("out{}.mp4", self.outputs.get()));
            let mut output =
                match self.renderer.assemble("finish", &rendition, &path, DeliveryMethod::Copy).await {
                    Ok(output) => output,
                    Err(AssembleError::Failed(error)) => return Err(error),
                    Err(error) => panic!("{error}"),
                };
            if let Some(plan) = &rendition.cover {
                let files = self.files_of(&plan.sources);
                output.cover = Some(self.renderer.make_cover("cover", plan, &path, &files).await?);
            }
            outputs.push(Rendered { path, output, size: rendition.size, rendered, cached });
        }
        Ok(outputs)
    }

    /// Renders the outputs that need a segment with its fallback.
    fn plan_again(&self, plan: &mut Plan, lost: &SegmentKey) {
        for item in &mut plan.items {
            let Ok(rendition) = &mut item.outcome else { continue };
            let used = rendition.segments();
            if !used.contains(lost) {
                continue;
            }
            let of_item: Vec<_> =
                plan.segments.iter().filter(|segment| used.contains(&segment.key)).cloned().collect();
            let specs: Vec<_> = of_item.iter().map(|one| (one.key.clone(), one.spec.clone())).collect();
            let again = by_fallback(rendition, &specs, &self.toolchain).expect("something to fall back on");
            for (old, hash, spec) in again.replaced {
                let old = of_item.iter().find(|segment| segment.key == old).unwrap();
                plan.segments.push(PlannedSegment { key: hash, spec, sources: old.sources.clone() });
            }
            *rendition = again.rendition;
        }
    }

    /// The files that a segment is made from.
    pub fn files(&self, segment: &PlannedSegment) -> Vec<SourceFile> {
        self.files_of(&segment.sources)
    }

    fn files_of(&self, sources: &[SourceRef]) -> Vec<SourceFile> {
        let file = |source: &SourceRef| SourceFile {
            source: source.clone(),
            path: self.paths[&source.content].clone(),
        };
        sources.iter().map(file).collect()
    }

    /// The files in the folder of unfinished work, of which every process has its own.
    pub fn leftovers(&self) -> Vec<PathBuf> {
        let list = |folder: &Path| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let processes = list(&self.folder.path().join("cache/tmp")).filter(|path| path.is_dir());
        processes.flat_map(|folder| list(&folder).collect::<Vec<_>>()).collect()
    }
}

/// Every `n`th of these cases, beginning with the first; all of them for `make test-all`.
pub fn every_nth<C: IntoIterator>(n: usize, cases: C) -> impl Iterator<Item = C::Item> {
    let step = if std::env::var_os("CLIPMILL_ALL_CASES").is_some() { 1 } else { n };
    cases.into_iter().step_by(step)
}

/// All pairs of both lists.
pub fn pairs<A: Clone, B: Clone>(
    first: impl IntoIterator<Item = A>,
    second: impl IntoIterator<Item = B> + Clone,
) -> Vec<(A, B)> {
    let of = |one: A| second.clone().into_iter().map(move |other| (one.clone(), other));
    first.into_iter().flat_map(of).collect()
}

pub async fn ffmpeg(args: &str, output: &Path) {
    let mut args: Vec<OsString> = args.split_whitespace().map(|word| word.replace('|', " ").into()).collect();
    args.push(output.into());
    Ffmpeg::default().run_ffmpeg(&args, None, Limits::wall(Duration::from_secs(300)), |_| {}).await.unwrap();
}

pub fn options(size: (u32, u32), fps: u32) -> MixOptions {
    MixOptions { size: Size::new(size.0, size.1), fps: Fps::new(fps).unwrap(), ..MixOptions::default() }
}

pub fn group(urls: &[&str]) -> Group {
    Group { videos: urls.iter().map(|url| clip(url)).collect(), total_duration_s: None }
}

pub fn clip(url: &str) -> Clip {
    Clip { url: url.to_owned(), duration_s: None, ..Clip::default() }
}

/// A change of one clip; `change` switches options on.
pub fn dedup(urls: &[&str], change: impl FnOnce(&mut DedupOptions)) -> Params {
    let mut options = DedupOptions::default();
    change(&mut options);
    let videos = urls.iter().map(|url| clip(url)).collect();
    Params::VideoDeduplication(DedupParams { videos, options, seed: Some(1) })
}

/// One output of scenes that have one clip each; `change` adds to it.
pub fn pro(scenes: &[(f64, &str)], options: MixOptions, change: impl FnOnce(&mut ProMixParams)) -> Params {
    let scene = |&(duration_s, url): &(f64, &str)| Scene {
        key: url.to_owned(),
        name: url.to_owned(),
        duration_s,
        length: SceneLength::Duration,
        text: None,
        clip_start: None,
        resources: vec![clip(url)],
        audio: vec![],
    };
    let mut params = ProMixParams {
        scenes: scenes.iter().map(scene).collect(),
        audio_mode: AudioMode::Split,
        generate_count: 1,
        combinations: vec![],
        starts: vec![],
        fill: vec![],
        options,
        seed: Some(1),
    };
    change(&mut params);
    Params::ProVideoMix(params)
}

pub fn base(groups: Vec<Group>, options: MixOptions) -> Params {
    Params::BaseVideoMix(BaseMixParams { groups, options, seed: Some(1) })
}
