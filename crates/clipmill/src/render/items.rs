//! Outputs of a request: joins and checks them, and describes them as the status endpoint does.

use std::path::{Path, PathBuf};

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::message;
use clipmill_core::plan::{Diversity, Plan, PlannedItem, Rendition, Warning, most_alike};
use clipmill_core::segment::SegmentKey;
use clipmill_core::similarity::{FrameHashes, Similarities};
use clipmill_core::task::TaskState;
use clipmill_media::cache::DeliveryMethod;
use clipmill_media::cache::disk::Disk;
use clipmill_media::error::disk_full;
use clipmill_media::output::assemble::{AssembleError, Output};
use clipmill_media::source_file::SourceFile;
use futures_util::{StreamExt, stream};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use tracing::Instrument;

use super::segments::{Segments, make_segment};
use super::stop_report::RunProgress;
use crate::local::PreparedRequest;

/// Renders all outputs of a request; returns the items in the format of the status endpoint, and the hashes of their
/// frames.
pub async fn assemble_items(
    prepared: &PreparedRequest,
    segments: &Segments,
    file: impl Fn(u32) -> PathBuf,
    progress: &RunProgress,
    bar: &ProgressBar,
) -> (Vec<Value>, Vec<(u32, FrameHashes)>) {
    let jobs = prepared.plan.items.iter().map(|item| {
        let file = file(item.item_no);
        async move {
            let span = tracing::trace_span!("output", item = item.item_no);
            let (view, hashes) = assemble_item(prepared, segments, item, &file).instrument(span).await;
            if view["path"].is_string() {
                progress.note_output(file);
            }
            bar.inc(item.outcome.as_ref().map_or(0, |rendition| rendition.frames.0 / 10));
            (item.item_no, view, hashes)
        }
    });
    let mut items: Vec<_> = stream::iter(jobs).buffer_unordered(prepared.context.slots).collect().await;
    items.sort_by_key(|(item_no, _, _)| *item_no);
    let split = |(item_no, view, hashes): (u32, Value, Option<FrameHashes>)| {
        (view, hashes.map(|hashes| (item_no, hashes)))
    };
    let (views, hashes): (Vec<Value>, Vec<_>) = items.into_iter().map(split).unzip();
    (views, hashes.into_iter().flatten().collect())
}

/// The similarity of the outputs, both planned and visual.
pub fn compared(plan: &Plan, hashes: &[(u32, FrameHashes)]) -> Option<Diversity> {
    let mut diversity = plan.diversity.clone()?;
    let similarities = Similarities::of(hashes);
    let fps = plan.items.iter().find_map(|item| Some(item.outcome.as_ref().ok()?.fps))?;
    let footage: Vec<_> = plan.items.iter().map(|item| (item.item_no, item.footage.clone())).collect();
    diversity.compare(&similarities, most_alike(&similarities, &footage, fps));
    Some(diversity)
}

/// Renders one item; returns it in the format of the status endpoint, and the hashes of its frames.
async fn assemble_item(
    prepared: &PreparedRequest,
    segments: &Segments,
    item: &PlannedItem,
    path: &Path,
) -> (Value, Option<FrameHashes>) {
    let mut view = json!({
        "itemNo": item.item_no, "seed": item.seed, "recipe": item.recipe, "warnings": item.warnings,
        "path": null, "coverPath": null, "error": null,
    });
    match make_output(prepared, segments, item, path).await {
        Ok((rendition, mut output)) => {
            let of_cover = make_cover(prepared, item, rendition, path, &mut output).await;
            let url_of = |key: &SegmentKey| prepared.url_of(key);
            let warnings = item.warnings.iter().cloned().chain(output.warnings(url_of)).chain(of_cover);
            view["warnings"] = json!(warnings.collect::<Vec<_>>());
            view["path"] = json!(path);
            describe(&mut view, rendition, &output);
            (view, output.pictures)
        }
        Err(error) => {
            let out = path.parent().unwrap_or(Path::new("."));
            let error = with_folder(error, prepared.context.engine.renderer.cache.root(), out);
            view["status"] = json!(TaskState::Failed.code());
            view["error"] = json!(error);
            (view, None)
        }
    }
}

async fn make_output<'a>(
    prepared: &PreparedRequest,
    segments: &Segments,
    item: &'a PlannedItem,
    path: &Path,
) -> Result<(&'a Rendition, Output), TaskError> {
    let rendition = item.outcome.as_ref().map_err(Clone::clone)?;
    if let Some(error) = segments.failure(&rendition.segments()) {
        return Err(error);
    }
    let attempt = format!("finish-{}-{}-{}", std::process::id(), prepared.row, item.item_no);
    let finish = async || {
        let _turn = prepared.context.permits.acquire().await;
        prepared.context.engine.renderer.assemble(&attempt, rendition, path, DeliveryMethod::Copy).await
    };
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

/// Makes the cover that the request sets. If that fails, the output keeps the automatic one, with a warning.
async fn make_cover(
    prepared: &PreparedRequest,
    item: &PlannedItem,
    rendition: &Rendition,
    path: &Path,
    output: &mut Output,
) -> Option<Warning> {
    let plan = rendition.cover.as_deref()?;
    let engine = &prepared.context.engine;
    let sources = plan.sources.iter().cloned();
    let files: Vec<SourceFile> =
        sources.map(|source| SourceFile { path: engine.sources.path_of(&source), source }).collect();
    let attempt = format!("cover-{}-{}-{}", std::process::id(), prepared.row, item.item_no);
    match engine.renderer.make_cover(&attempt, plan, path, &files).await {
        Ok(cover) => {
            output.cover = Some(cover);
            None
        }
        Err(error) => {
            let message = message::cover_not_made(error.message);
            Some(Warning { path: "/params/options/cover".into(), message })
        }
    }
}

/// Renders segments again that have just been evicted.
async fn make_again(prepared: &PreparedRequest, lost: &[SegmentKey]) -> Result<(), TaskError> {
    let lost = prepared.plan.segments.iter().enumerate().filter(|(_, segment)| lost.contains(&segment.key));
    for (index, segment) in lost {
        make_segment(prepared, index, segment, &ProgressBar::hidden()).await?;
    }
    Ok(())
}

/// An error about a full disk, with the folder, which is not a secret on the command line.
fn with_folder(error: TaskError, cache: &Path, out: &Path) -> TaskError {
    if error.message != disk_full().message {
        return error;
    }
    let free = |folder: &Path| Disk::new(folder, 0).free_bytes().unwrap_or(0);
    let folder = if free(out) < free(cache) { out } else { cache };
    let message = message::no_space(folder.display().to_string());
    TaskError { message, ..error }
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
    view["audioCodec"] = json!(rendition.audio.as_ref().map(|_| "aac"));
    view["quality"] = json!(output.quality);
    view["coverPath"] = json!(output.cover.as_ref().map(|cover| &cover.path));
}
