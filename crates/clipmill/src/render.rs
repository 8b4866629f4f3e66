//! `clipmill render`: one request, no server, no points.

use std::collections::{HashMap, HashSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use anyhow::Context;
use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::message;
use clipmill_core::plan::{Diversity, Plan, PlannedItem, PlannedSegment, Rendition, Warning, most_alike};
use clipmill_core::segment::SegmentKey;
use clipmill_core::similarity::{PictureHashes, Similarities};
use clipmill_core::task::TaskState;
use clipmill_media::cache::Handover;
use clipmill_media::cache::disk::{self, Disk};
use clipmill_media::engine::Engine;
use clipmill_media::ingest::source_file::SourceFile;
use clipmill_media::output::assemble::{AssembleError, Output};
use clipmill_media::segment::failure::SegmentError;
use clipmill_media::segment::render::Made;
use clipmill_server::clock;
use futures_util::{StreamExt, stream};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};

use crate::cli::RenderArgs;
use crate::local::{Prepared, prepare};
use crate::plan::print_diversity;
use crate::report::{say, say_json};
use crate::stopping::Signals;

pub async fn run(args: RenderArgs) -> anyhow::Result<ExitCode> {
    let mut signals = Signals::listen()?;
    let kept = Kept::default();
    let status = tokio::select! {
        done = render(&args, &kept) => {
            kept.leave();
            return done;
        }
        status = signals.next() => status,
    };
    // Work in progress was dropped, and its processes with it. A second signal ends the program at once.
    tokio::spawn(async move { std::process::exit(signals.next().await.into()) });
    kept.leave();
    eprintln!("clipmill: stopped; {}", kept.told());
    Ok(ExitCode::from(status))
}

/// What a run has made that must be removed if it is stopped.
#[derive(Default)]
struct Kept {
    engine: OnceLock<Arc<Engine>>,
    segments: AtomicU64,
    outputs: Mutex<Vec<PathBuf>>,
}

impl Kept {
    fn outputs(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.outputs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes unfinished files.
    fn leave(&self) {
        if let Some(engine) = self.engine.get() {
            engine.renderer.cache.leave();
            engine.sources.leave();
        }
    }

    fn told(&self) -> String {
        let outputs: Vec<String> = self.outputs().iter().map(|path| path.display().to_string()).collect();
        let outputs = if outputs.is_empty() { "no output was finished".into() } else { outputs.join(", ") };
        let segments = self.segments.load(Ordering::Relaxed);
        let segments = if segments == 1 { "1 segment".into() } else { format!("{segments} segments") };
        let place = self
            .engine
            .get()
            .map(|engine| format!(" in {}", engine.renderer.cache.root().display()))
            .unwrap_or_default();
        format!("kept: {outputs}; {segments}{place}, which the next run uses")
    }
}

async fn render(args: &RenderArgs, kept: &Kept) -> anyhow::Result<ExitCode> {
    let mut prepared = prepare(&args.request, args.seed, &args.local, args.json).await?;
    let _ = kept.engine.set(prepared.engine.clone());
    writable(&args.out).with_context(|| format!("cannot write into {}", args.out.display()))?;
    let bar = progress_bar(&prepared, args.json);
    let mut segments = make_segments(&prepared, kept, &bar).await;
    // Copying may fall back on a device, and that on libx264.
    while prepared.plan_by_fallback(&segments.lost()) {
        tracing::warn!(
            "segments could not be made as planned; whole outputs are encoded by what they fall back on"
        );
        segments = make_segments(&prepared, kept, &bar).await;
    }
    let (items, seen) = assemble_items(&prepared, &segments, args, kept, &bar).await;
    let diversity = compared(&prepared.plan, &seen);
    bar.finish_and_clear();
    keep_to_size(&prepared).await;
    let failed = items.iter().filter(|item| item["error"].is_object()).count();
    if args.json {
        say_json(&json!({
            "items": items, "segments": segments.summary(), "warnings": warnings(&prepared),
            "diversity": diversity,
        }));
    } else {
        print_plain(&items, &prepared, &segments);
        print_diversity(diversity.as_ref());
    }
    Ok(ExitCode::from(u8::from(failed > 0)))
}

/// Creates the folder for the outputs, and checks before all work that files can be written there.
fn writable(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let trial = folder.join(format!(".clipmill-{}", std::process::id()));
    let written = std::fs::write(&trial, "x");
    // Even if writing failed, the file may exist.
    let _ = std::fs::remove_file(&trial);
    written
}

/// Adds the folder to an error about a full disk, which the command line need not hide.
fn with_folder(error: TaskError, cache: &Path, out: &Path) -> TaskError {
    if error.message != disk::full().message {
        return error;
    }
    let free = |folder: &Path| Disk::new(folder, 0).free_bytes().unwrap_or(0);
    let folder = if free(out) < free(cache) { out } else { cache };
    let message = message::no_space(folder.display().to_string());
    TaskError { message, ..error }
}

/// Keeps the cache to its size; what cannot be removed now is removed another time.
async fn keep_to_size(prepared: &Prepared) {
    let (cache, max, now) = (prepared.engine.renderer.cache.clone(), prepared.cache_bytes, clock::now());
    let evicted = tokio::task::spawn_blocking(move || cache.evict(max, &HashSet::new(), now)).await;
    if !matches!(evicted, Ok(Ok(_))) {
        tracing::warn!(?evicted, "the cache could not be kept to its size");
    }
}

/// The result of each segment.
struct Segments(HashMap<SegmentKey, Result<Made, SegmentError>>);

impl Segments {
    fn count(&self, made: Made) -> usize {
        self.0.values().filter(|outcome| matches!(outcome, Ok(found) if *found == made)).count()
    }

    fn summary(&self) -> Value {
        json!({ "rendered": self.count(Made::Rendered), "cached": self.count(Made::Cached) })
    }

    /// The first failure among the segments of an item.
    fn failure(&self, hashes: &[SegmentKey]) -> Option<TaskError> {
        hashes.iter().find_map(|hash| match self.0.get(hash)?.as_ref().err()? {
            SegmentError::Failed(error) => Some(error.clone()),
            SegmentError::FallBack(reason) => Some(TaskError::new(ErrorCode::RenderFailed, reason.clone())),
        })
    }

    /// The segments that have a fallback.
    fn lost(&self) -> HashSet<SegmentKey> {
        let lost = self.0.iter().filter(|(_, made)| matches!(made, Err(SegmentError::FallBack(_))));
        lost.map(|(hash, _)| hash.clone()).collect()
    }
}

async fn make_segments(prepared: &Prepared, kept: &Kept, bar: &ProgressBar) -> Segments {
    let done = AtomicU64::new(0);
    let used = used_segments(prepared);
    let jobs = used.into_iter().enumerate().map(|(index, segment)| {
        let done = &done;
        async move {
            let outcome = make_segment(prepared, index, segment, done, bar).await;
            kept.segments.fetch_add(u64::from(outcome.is_ok()), Ordering::Relaxed);
            (segment.hash.clone(), outcome)
        }
    });
    Segments(stream::iter(jobs).buffer_unordered(prepared.slots).collect().await)
}

/// Segments of items that can be made, in the order of the plan.
fn used_segments(prepared: &Prepared) -> Vec<&PlannedSegment> {
    let renditions = prepared.plan.items.iter().filter_map(|item| item.outcome.as_ref().ok());
    let used: std::collections::HashSet<SegmentKey> =
        renditions.flat_map(|rendition| rendition.segments()).collect();
    prepared.plan.segments.iter().filter(|segment| used.contains(&segment.hash)).collect()
}

async fn make_segment(
    prepared: &Prepared,
    index: usize,
    segment: &PlannedSegment,
    done: &AtomicU64,
    bar: &ProgressBar,
) -> Result<Made, SegmentError> {
    let engine = &prepared.engine;
    let sources = segment.sources.iter().cloned();
    let files: Vec<SourceFile> =
        sources.map(|source| SourceFile { path: engine.sources.path(&source.content), source }).collect();
    let mut reported = 0;
    let mut advance = |frames: u64| {
        bar.set_position(
            done.fetch_add(frames.saturating_sub(reported), Ordering::Relaxed)
                + frames.saturating_sub(reported),
        );
        reported = reported.max(frames);
    };
    let attempt = format!("render-{}-{index}", std::process::id());
    let made = engine.renderer.segment(&attempt, &segment.hash, &segment.spec, &files, &mut advance).await;
    advance(segment.spec.frames().0);
    made
}

async fn assemble_items(
    prepared: &Prepared,
    segments: &Segments,
    args: &RenderArgs,
    kept: &Kept,
    bar: &ProgressBar,
) -> (Vec<Value>, Vec<(u32, PictureHashes)>) {
    let jobs = prepared.plan.items.iter().map(|item| async move {
        let (view, seen) = assemble_item(prepared, segments, item, &args.out).await;
        kept.outputs().extend(view["path"].as_str().map(PathBuf::from));
        bar.inc(item.outcome.as_ref().map_or(0, |rendition| rendition.frames.0 / 10));
        (item.item_no, view, seen)
    });
    let mut items: Vec<_> = stream::iter(jobs).buffer_unordered(prepared.slots).collect().await;
    items.sort_by_key(|(item_no, _, _)| *item_no);
    let told =
        |(item_no, view, seen): (u32, Value, Option<PictureHashes>)| (view, seen.map(|seen| (item_no, seen)));
    let (views, seen): (Vec<Value>, Vec<_>) = items.into_iter().map(told).unzip();
    (views, seen.into_iter().flatten().collect())
}

/// How alike the outputs are, as they were planned and as they look.
fn compared(plan: &Plan, seen: &[(u32, PictureHashes)]) -> Option<Diversity> {
    let mut diversity = plan.diversity.clone()?;
    let found = Similarities::of(seen);
    let fps = plan.items.iter().find_map(|item| Some(item.outcome.as_ref().ok()?.fps))?;
    let footage: Vec<_> = plan.items.iter().map(|item| (item.item_no, item.footage.clone())).collect();
    diversity.compare(&found, most_alike(&found, &footage, fps));
    Some(diversity)
}

/// The item in the form of the status endpoint, and the hashes of its frames.
async fn assemble_item(
    prepared: &Prepared,
    segments: &Segments,
    item: &PlannedItem,
    out: &Path,
) -> (Value, Option<PictureHashes>) {
    let mut view = json!({
        "itemNo": item.item_no, "seed": item.seed, "recipe": item.recipe, "warnings": item.warnings,
        "path": null, "coverPath": null, "error": null,
    });
    let path = out.join(format!("{}.mp4", item.item_no));
    match make_output(prepared, segments, item, &path).await {
        Ok((rendition, output)) => {
            let url_of = |hash: &SegmentKey| prepared.url_of(hash);
            let warnings = item.warnings.iter().cloned().chain(output.warnings(url_of));
            view["warnings"] = json!(warnings.collect::<Vec<_>>());
            view["path"] = json!(path);
            describe(&mut view, rendition, &output);
            (view, output.pictures)
        }
        Err(error) => {
            let error = with_folder(error, prepared.engine.renderer.cache.root(), out);
            view["status"] = json!(TaskState::Failed.code());
            view["error"] = json!(error);
            (view, None)
        }
    }
}

async fn make_output<'a>(
    prepared: &Prepared,
    segments: &Segments,
    item: &'a PlannedItem,
    path: &Path,
) -> Result<(&'a Rendition, Output), TaskError> {
    let rendition = item.outcome.as_ref().map_err(Clone::clone)?;
    if let Some(error) = segments.failure(&rendition.segments()) {
        return Err(error);
    }
    let attempt = format!("finish-{}-{}", std::process::id(), item.item_no);
    let finish = || prepared.engine.renderer.assemble(&attempt, rendition, path, Handover::Copy);
    let finished = match finish().await {
        Err(AssembleError::Missing(lost) | AssembleError::Mismatched(lost)) => {
            make_again(prepared, &lost).await?;
            finish().await
        }
        finished => finished,
    };
    let failed = |message| TaskError::new(ErrorCode::RenderFailed, message);
    match finished {
        Ok(output) => Ok((rendition, output)),
        Err(AssembleError::Failed(error)) => Err(error),
        Err(AssembleError::Missing(lost)) => Err(failed(message::segments_missing(lost.len()))),
        Err(AssembleError::Mismatched(lost)) => Err(failed(message::segments_differ(lost.len()))),
    }
}

/// Makes segments again that existed a moment ago.
async fn make_again(prepared: &Prepared, lost: &[SegmentKey]) -> Result<(), TaskError> {
    let lost = prepared.plan.segments.iter().enumerate().filter(|(_, segment)| lost.contains(&segment.hash));
    for (index, segment) in lost {
        // Other items may need the same segments.
        let _alone = prepared.engine.renderer.cache.alone(&segment.hash).await;
        make_segment(prepared, index, segment, &AtomicU64::new(0), &ProgressBar::hidden()).await?;
    }
    Ok(())
}

/// The fields of the status endpoint.
fn describe(view: &mut Value, rendition: &Rendition, output: &Output) {
    view["status"] = json!(TaskState::Completed.code());
    view["duration"] = json!(rendition.frames.seconds(rendition.fps));
    view["frames"] = json!(rendition.frames.0);
    view["width"] = json!(rendition.size.width);
    view["height"] = json!(rendition.size.height);
    view["fps"] = json!(rendition.fps.get());
    view["sizeBytes"] = json!(output.size_bytes);
    view["sha256"] = json!(output.sha256);
    view["videoCodec"] = json!("h264");
    view["audioCodec"] = json!(rendition.sound.as_ref().map(|_| "aac"));
    view["quality"] = json!(output.quality);
    view["coverPath"] = json!(output.cover.as_ref().map(|cover| &cover.path));
}

fn warnings(prepared: &Prepared) -> Vec<&Warning> {
    prepared.warnings.iter().chain(&prepared.plan.warnings).collect()
}

fn print_plain(items: &[Value], prepared: &Prepared, segments: &Segments) {
    for warning in warnings(prepared) {
        eprintln!("warning: {}: {}", warning.path, warning.message);
    }
    for item in items {
        for warning in item["warnings"].as_array().into_iter().flatten() {
            eprintln!(
                "warning: item {}: {}",
                item["itemNo"],
                warning["message"].as_str().unwrap_or_default()
            );
        }
        match (item["path"].as_str(), &item["error"]) {
            (Some(path), _) => say(format_args!(
                "{path}  {}x{}  {} fps  {:.2} s  {:.1} MB",
                item["width"],
                item["height"],
                item["fps"],
                item["duration"].as_f64().unwrap_or_default(),
                item["sizeBytes"].as_f64().unwrap_or_default() / 1e6
            )),
            (None, error) => {
                let text = |field: &str| error[field].as_str().unwrap_or_default();
                eprintln!(
                    "item {} failed: {} {} {}",
                    item["itemNo"],
                    text("code"),
                    text("input"),
                    text("message")
                );
            }
        }
    }
    eprintln!(
        "segments: {} rendered, {} from the cache",
        segments.count(Made::Rendered),
        segments.count(Made::Cached)
    );
}

/// A bar on a terminal; nothing if a program reads the output.
fn progress_bar(prepared: &Prepared, quiet: bool) -> ProgressBar {
    let pictures: u64 = used_segments(prepared).iter().map(|segment| segment.spec.frames().0).sum();
    let renditions = prepared.plan.items.iter().filter_map(|item| item.outcome.as_ref().ok());
    let total = pictures + renditions.map(|rendition| rendition.frames.0 / 10).sum::<u64>();
    let shown = !quiet && std::io::stderr().is_terminal();
    let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} frames {eta}");
    let bar = ProgressBar::with_draw_target(Some(total), target);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
