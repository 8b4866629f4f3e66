//! `clipmill render`: a request, or a template with a table, without server and points.

mod items;
mod result_output;
mod segments;
mod stop_report;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clipmill_media::cache::none_needed;
use clipmill_server::clock;
use futures_util::{StreamExt, stream};
use indicatif::ProgressBar;
use serde_json::Value;

use crate::batch_input::{BatchInput, Names, is_about_naming, policy, read_rows, read_template};
use crate::cli::RenderArgs;
use crate::local::{PreparedRequest, RenderContext, folder_of, prepare, prepare_rows};
use crate::progress;
use crate::report::{wrong, wrong_rows};
use crate::results::{self, Cells, Line};
use crate::signals::Signals;
use items::{assemble_items, compared};
use result_output::RenderedRequest;
use segments::{make_segments, used_segments};
use stop_report::RunProgress;

/// Rows in progress at the same time: while outputs of one row are assembled, segments of the next are rendered.
const ROWS_AT_ONCE: usize = 2;

pub async fn run(args: RenderArgs) -> anyhow::Result<ExitCode> {
    let mut signals = Signals::listen()?;
    let progress = RunProgress::default();
    let status = tokio::select! {
        done = render(&args, &progress) => {
            progress.leave();
            return done;
        }
        status = signals.next() => status,
    };
    // Running work is aborted with its processes. A second signal ends the program without waiting for that.
    tokio::spawn(async move { std::process::exit(signals.next().await.into()) });
    progress.leave();
    eprintln!("clipmill: stopped; {}", progress.summary());
    Ok(ExitCode::from(status))
}

async fn render(args: &RenderArgs, progress: &RunProgress) -> anyhow::Result<ExitCode> {
    match &args.rows {
        Some(table) => render_rows(args, table, progress).await,
        None => render_one(args, progress).await,
    }
}

async fn render_one(args: &RenderArgs, progress: &RunProgress) -> anyhow::Result<ExitCode> {
    if args.naming.name_by.is_some() {
        return Err(wrong("--name-by names the videos of a table: set one with --rows"));
    }
    let prepared = prepare(&args.request, &args.values, args.seed, &args.local, args.json).await?;
    progress.works_with(&prepared.context.engine);
    results::writable(&args.out)?;
    let context = prepared.context.clone();
    let bar = bar(std::slice::from_ref(&prepared), args.json);
    let rendered = make(prepared, |item| args.out.join(format!("{item}.mp4")), progress, &bar).await;
    bar.finish_and_clear();
    keep_to_size(&context).await;
    Ok(rendered.print_result(args.json))
}

async fn render_rows(args: &RenderArgs, table: &Path, progress: &RunProgress) -> anyhow::Result<ExitCode> {
    let (_, template) = read_template(&args.request, &policy(), args.json)?;
    let (template_folder, rows_folder) = (folder_of(&args.request), folder_of(table));
    let mut sheet = BatchInput { template, template_folder, rows: read_rows(table)?, rows_folder };
    let cells = Cells::of(&sheet.rows);
    sheet.make_absolute();
    let mut accepted = sheet.accepted().map_err(|errors| wrong_rows(table, errors, args.json))?;
    for (_, row) in &mut accepted {
        row.warnings.retain(|warning| !is_about_naming(&warning.path, &sheet.template, &args.naming));
    }
    let names = Names::of(&sheet, &args.naming)?;
    results::writable(&args.out)?;
    let all = prepare_rows(&sheet, accepted, args.seed, &args.local, args.json).await?;
    let Some(context) = all.first().map(|prepared| prepared.context.clone()) else {
        return Err(wrong(format!("{}: no row", table.display())));
    };
    progress.works_with(&context.engine);
    let bar = bar(&all, args.json);
    let rows = stream::iter(all).map(|prepared| {
        let (row, several, names) = (prepared.row, prepared.plan.items.len() > 1, &names);
        let file = move |item: u32| args.out.join(names.file(row, several.then_some(item)));
        make(prepared, file, progress, &bar)
    });
    let (mut rows, mut rendered_rows, mut lines) =
        (rows.buffer_unordered(ROWS_AT_ONCE), Vec::new(), BTreeMap::new());
    while let Some(rendered) = rows.next().await {
        lines.extend(table_lines(&rendered));
        // An interrupted run leaves a table of the finished videos.
        results::write(&args.out, &cells, lines.values())?;
        rendered_rows.push(rendered);
    }
    bar.finish_and_clear();
    keep_to_size(&context).await;
    rendered_rows.sort_by_key(|rendered| rendered.prepared.row);
    Ok(result_output::print_row_results(&rendered_rows, &args.out, args.json))
}

/// All outputs of a request.
async fn make(
    prepared: PreparedRequest,
    file: impl Fn(u32) -> PathBuf,
    progress: &RunProgress,
    bar: &ProgressBar,
) -> RenderedRequest {
    let mut prepared = prepared;
    let mut segments = make_segments(&prepared, progress, bar).await;
    // Copied outputs may fall back on a device, and those on libx264.
    while prepared.plan_by_fallback(&segments.lost()) {
        tracing::warn!(
            "segments could not be rendered as planned; their outputs are re-encoded with the fallback encoder"
        );
        bar.inc_length(frames(&prepared));
        segments = make_segments(&prepared, progress, bar).await;
    }
    let (items, hashes) = assemble_items(&prepared, &segments, file, progress, bar).await;
    let diversity = compared(&prepared.plan, &hashes);
    RenderedRequest { prepared, items, segments, diversity }
}

fn table_lines(rendered: &RenderedRequest) -> Vec<((u32, u32), Line)> {
    let row = rendered.prepared.row;
    let line = |item: &Value| {
        let number = item["itemNo"].as_u64().and_then(|number| u32::try_from(number).ok()).unwrap_or(1);
        let file = item["path"].as_str().and_then(|path| Path::new(path).file_name());
        let file = file.map(|name| name.to_string_lossy().into_owned());
        let error = item["error"]["message"].as_str().map(str::to_owned);
        ((row, number), Line { row, task_no: String::new(), item: number, file, error })
    };
    rendered.items.iter().map(line).collect()
}

/// Evicts from the cache of the command line, which no other process does. A later run removes files that cannot be
/// removed now.
async fn keep_to_size(context: &RenderContext) {
    let (cache, max, now) = (context.engine.renderer.cache.clone(), context.cache_bytes, clock::now());
    let evicted = tokio::task::spawn_blocking(move || cache.evict(max, now, none_needed)).await;
    if !matches!(evicted, Ok(Ok(_))) {
        tracing::warn!(?evicted, "the cache could not be reduced to its size limit");
    }
}

fn bar(all: &[PreparedRequest], quiet: bool) -> ProgressBar {
    let outputs = |prepared: &PreparedRequest| -> u64 {
        let renditions = prepared.plan.items.iter().filter_map(|item| item.outcome.as_ref().ok());
        renditions.map(|rendition| rendition.frames.0 / 10).sum()
    };
    let total = all.iter().map(|prepared| frames(prepared) + outputs(prepared)).sum();
    progress::bar(total, "frames {eta}", quiet)
}

/// Video frames of all segments in use.
fn frames(prepared: &PreparedRequest) -> u64 {
    used_segments(prepared).iter().map(|segment| segment.spec.frames().0).sum()
}
