//! Work without a server: reading a request file, gathering its sources, planning.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::media::Facts;
use clipmill_core::message;
use clipmill_core::plan::{Plan, PlannedSegment, Warning, by_fallback};
use clipmill_core::request::model::TaskRequest;
use clipmill_core::request::template::Values;
use clipmill_core::request::{Accepted, parse_json, parse_value};
use clipmill_core::segment::SegmentKey;
use clipmill_core::speech::{Speech, transcribed_url};
use clipmill_media::engine::{Engine, EngineSettings};
use clipmill_media::ingest::fetch::FileKind;
use clipmill_media::ingest::sources::{SourceLocation, Sources};
use clipmill_server::Config;
use clipmill_server::clock;
use clipmill_server::installation::this_width;
use clipmill_server::worker::{Threads, backoff_ms};
use serde_json::Value;
use tokio::sync::Semaphore;
use url::Url;

use crate::batch_input::{BatchInput, is_template, policy, read_file, template_of};
use crate::cli::{LocalArgs, ValuesArgs};
use crate::progress::bar;
use crate::report::{refused, wrong, wrong_values};

/// The engine and the settings of rendering on this machine.
#[derive(Clone)]
pub struct RenderContext {
    pub engine: Arc<Engine>,
    pub slots: usize,
    /// Jobs that run at the same time, for all requests.
    pub permits: Arc<Semaphore>,
    /// Threads of all encodes.
    pub threads: Arc<Threads>,
    /// The size limit of the cache.
    pub cache_bytes: u64,
}

/// A request with everything that its rendering needs.
pub struct PreparedRequest {
    pub context: RenderContext,
    /// The row of the table; 1 if there is no table.
    pub row: u32,
    pub warnings: Vec<Warning>,
    pub plan: Plan,
}

impl RenderContext {
    async fn open(local: &LocalArgs) -> anyhow::Result<Self> {
        let config = Config::load(local.config.as_deref(), std::env::vars());
        let config = config.map_err(|error| wrong(error.to_string()))?;
        let engine = Engine::open(settings(&config, local, &cache_folder(local)?)).await?;
        let slots = config.worker.slot_count();
        Ok(Self {
            engine: Arc::new(engine),
            slots,
            permits: Arc::new(Semaphore::new(slots.max(1))),
            threads: Arc::new(Threads::new(slots)),
            cache_bytes: config.storage.cache_size.0,
        })
    }
}

impl PreparedRequest {
    /// The location of a segment's source.
    pub fn url_of(&self, key: &SegmentKey) -> Option<&str> {
        let segment = self.plan.segments.iter().find(|segment| segment.key == *key)?;
        segment.sources.first().map(|source| source.url.as_str())
    }

    /// Replans the outputs that use one of these segments as a whole, with the fallback of their encoder; `false` if
    /// there is none.
    pub fn plan_by_fallback(&mut self, lost: &HashSet<SegmentKey>) -> bool {
        let Plan { items, segments, .. } = &mut self.plan;
        let mut has_changed = false;
        for item in items {
            let Ok(rendition) = &mut item.outcome else { continue };
            let used: HashSet<SegmentKey> = rendition.segments().into_iter().collect();
            if used.is_disjoint(lost) {
                continue;
            }
            let of_item = segments.iter().filter(|segment| used.contains(&segment.key));
            let specs: Vec<_> = of_item.map(|segment| (segment.key.clone(), segment.spec.clone())).collect();
            let Some(again) = by_fallback(rendition, &specs, &self.context.engine.toolchain) else {
                continue;
            };
            for (old, key, spec) in again.replaced {
                let sources = segments.iter().find(|segment| segment.key == old);
                let sources = sources.map(|segment| segment.sources.clone()).unwrap_or_default();
                if segments.iter().all(|segment| segment.key != key) {
                    segments.push(PlannedSegment { key, spec, sources });
                }
            }
            *rendition = again.rendition;
            has_changed = true;
        }
        has_changed
    }
}

/// Errors of the request are reported in the API's format if the output is `json`.
pub async fn prepare(
    file: &Path,
    values: &ValuesArgs,
    seed: Option<u64>,
    local: &LocalArgs,
    json: bool,
) -> anyhow::Result<PreparedRequest> {
    let accepted = read_request(file, values, json)?;
    let context = RenderContext::open(local).await?;
    Ok(Planner::new(context, folder_of(file), seed)?.plan(1, accepted).await)
}

/// The requests of all rows of a table.
pub async fn prepare_rows(
    sheet: &BatchInput,
    requests: Vec<(u32, Accepted)>,
    seed: Option<u64>,
    local: &LocalArgs,
    json: bool,
) -> anyhow::Result<Vec<PreparedRequest>> {
    let context = RenderContext::open(local).await?;
    let mut planner = Planner::new(context, sheet.template_folder.clone(), seed)?;
    let bar = bar(requests.len() as u64, "rows checked", json);
    let mut prepared = Vec::new();
    for (row, accepted) in requests {
        prepared.push(planner.plan(row, accepted).await);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(prepared)
}

/// Plans requests one after another; facts about a file are shared by all.
struct Planner {
    context: RenderContext,
    folder: PathBuf,
    facts: Facts,
    seed: Option<u64>,
    drawn: u64,
}

impl Planner {
    fn new(context: RenderContext, folder: PathBuf, seed: Option<u64>) -> anyhow::Result<Self> {
        let random_seed = clock::seed().context("no random bytes from the operating system")?;
        Ok(Self { context, folder, facts: Facts::default(), seed, drawn: random_seed })
    }

    async fn plan(&mut self, row: u32, Accepted { request, warnings }: Accepted) -> PreparedRequest {
        let random_seed = self.drawn ^ u64::from(row.saturating_sub(1));
        let seed = self.seed.or(request.params.seed()).unwrap_or(random_seed);
        self.gather(&request, seed).await;
        let mut plan = self.context.engine.plan(&request, seed, &self.facts);
        // With another width, the same recipe gives other frames.
        for recipe in plan.items.iter_mut().filter_map(|item| item.recipe.as_object_mut()) {
            recipe.insert("width".to_owned(), self.context.engine.width().into());
        }
        PreparedRequest { context: self.context.clone(), row, warnings, plan }
    }

    /// Probes the files of a request. Temporary failures are retried as often as by a service.
    async fn gather(&mut self, request: &TaskRequest, seed: u64) {
        for attempt in 1.. {
            let facts = std::mem::take(&mut self.facts);
            let sources = &self.context.engine.sources;
            let locate = |url| locate(sources, self.folder.clone(), url);
            self.facts = sources.gather(request, seed, facts, locate).await;
            let Some(error) = self.facts.transient_failure() else { return };
            let Some(delay) = backoff_ms(attempt).map(Duration::from_millis) else { return };
            let input = error.input.as_deref().unwrap_or("an input");
            eprintln!(
                "clipmill: {input}: {}. Attempt {attempt} failed; retrying in {} s.",
                error.message,
                delay.as_secs()
            );
            tokio::time::sleep(delay).await;
            self.facts.forget_transient_failures();
        }
    }
}

fn settings(config: &Config, local: &LocalArgs, cache: &Path) -> EngineSettings {
    let width = local.width.unwrap_or_else(this_width);
    clipmill_server::settings::engine_settings(config, width, cache.to_owned(), cache.join("inputs"))
}

fn read_request(file: &Path, values: &ValuesArgs, json: bool) -> anyhow::Result<Accepted> {
    let value = parse_json(&read_file(file)?).map_err(|error| refused(file, error, json))?;
    if !is_template(&value) && values.set.is_empty() {
        return parse_value(&value, &policy()).map_err(|error| refused(file, error, json));
    }
    let (_, template) = template_of(value, &policy()).map_err(|error| refused(file, error, json))?;
    let mut row = Values::new();
    for assignment in &values.set {
        let (name, value) = assignment
            .split_once('=')
            .ok_or_else(|| wrong(format!("--set {assignment}: use the form NAME=VALUE")))?;
        row.insert(name.to_owned(), Value::String(value.to_owned()));
    }
    let rows = vec![(1, row)];
    let mut sheet =
        BatchInput { template, template_folder: folder_of(file), rows, rows_folder: PathBuf::new() };
    sheet.make_absolute();
    let mut accepted = sheet.accepted().map_err(|errors| wrong_values(file, errors, json))?;
    accepted.pop().map(|(_, accepted)| accepted).context("a template without a row")
}

/// The folder that paths in a file are relative to.
pub fn folder_of(file: &Path) -> PathBuf {
    file.parent().map(Path::to_owned).unwrap_or_default()
}

/// Web addresses are fetched, texts are spoken, and audio is transcribed; everything else is a path, relative to the request's folder.
async fn locate(sources: &Sources, folder: PathBuf, url: String) -> Result<SourceLocation, TaskError> {
    if let Some(speech) = Speech::of_url(&url) {
        return sources.speak("", &speech).await.map(SourceLocation::Stored);
    }
    if let Some(inner) = transcribed_url(&url) {
        let located = Box::pin(locate(sources, folder, inner.to_owned())).await?;
        let content = sources.obtain(located, FileKind::Media).await?;
        return sources.transcript("", &content).await.map(SourceLocation::Transcript);
    }
    match Url::parse(&url) {
        Ok(parsed) if matches!(parsed.scheme(), "http" | "https") => Ok(SourceLocation::Remote(parsed)),
        Ok(parsed) if parsed.scheme() == "file" => parsed
            .to_file_path()
            .map(SourceLocation::Local)
            .map_err(|()| TaskError::new(ErrorCode::UrlScheme, message::not_a_local_file())),
        Ok(parsed) if parsed.scheme() == "upload" => {
            Err(TaskError::new(ErrorCode::UrlScheme, message::uploads_on_servers()))
        }
        _ => Ok(SourceLocation::Local(folder.join(url))),
    }
}

fn cache_folder(local: &LocalArgs) -> anyhow::Result<PathBuf> {
    if let Some(cache) = &local.cache {
        return Ok(cache.clone());
    }
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
    base.map(|base| base.join("clipmill"))
        .ok_or_else(|| wrong("no home folder for the segment cache; set one with --cache"))
}
