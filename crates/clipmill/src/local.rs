//! Work without a server: reading a request file, gathering its sources, planning.

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::media::Facts;
use clipmill_core::message;
use clipmill_core::plan::{Plan, PlannedSegment, Warning, by_fallback};
use clipmill_core::request::model::TaskRequest;
use clipmill_core::request::{Policy, RequestError, parse};
use clipmill_core::segment::SegmentKey;
use clipmill_media::engine::{Engine, EngineSettings};
use clipmill_media::ingest::sources::Located;
use clipmill_server::Config;
use clipmill_server::clock;
use clipmill_server::error::ApiError;
use url::Url;

use crate::cli::LocalArgs;
use crate::report::{say_json, wrong};

/// No request file is larger; the API has the same limit.
const MAX_REQUEST_BYTES: u64 = 32 * 1024 * 1024;

/// A request with everything that its rendering needs.
pub struct Prepared {
    pub engine: Arc<Engine>,
    pub warnings: Vec<Warning>,
    pub plan: Plan,
    pub slots: usize,
    /// The size limit of the cache.
    pub cache_bytes: u64,
}

impl Prepared {
    /// Where the source of a segment came from.
    pub fn url_of(&self, hash: &SegmentKey) -> Option<&str> {
        let segment = self.plan.segments.iter().find(|segment| segment.hash == *hash)?;
        segment.sources.first().map(|source| source.url.as_str())
    }

    /// Plans the outputs that use one of these segments again as a whole, with the fallback of their encoder; `false` if there is
    /// none.
    pub fn plan_by_fallback(&mut self, lost: &HashSet<SegmentKey>) -> bool {
        let Plan { items, segments, .. } = &mut self.plan;
        let mut changed = false;
        for item in items {
            let Ok(rendition) = &mut item.outcome else { continue };
            let used: HashSet<SegmentKey> = rendition.segments().into_iter().collect();
            if used.is_disjoint(lost) {
                continue;
            }
            let of_item = segments.iter().filter(|segment| used.contains(&segment.hash));
            let specs: Vec<_> = of_item.map(|segment| (segment.hash.clone(), segment.spec.clone())).collect();
            let Some(again) = by_fallback(rendition, &specs, &self.engine.toolchain) else { continue };
            for (old, hash, spec) in again.replaced {
                let sources = segments.iter().find(|segment| segment.hash == old);
                let sources = sources.map(|segment| segment.sources.clone()).unwrap_or_default();
                if segments.iter().all(|segment| segment.hash != hash) {
                    segments.push(PlannedSegment { hash, spec, sources });
                }
            }
            *rendition = again.rendition;
            changed = true;
        }
        changed
    }
}

/// Errors of the request are reported in the API's format if the output is `json`.
pub async fn prepare(
    file: &Path,
    seed: Option<u64>,
    local: &LocalArgs,
    json: bool,
) -> anyhow::Result<Prepared> {
    let config =
        Config::load(local.config.as_deref(), std::env::vars()).map_err(|error| wrong(error.to_string()))?;
    let (request, warnings) = read_request(file, json)?;
    let engine = Engine::open(settings(&config, &cache_folder(local)?)).await?;
    let seed = match seed.or(request.params.seed()) {
        Some(seed) => seed,
        None => clock::seed().context("no random numbers from the operating system")?,
    };
    let folder = file.parent().map(Path::to_owned).unwrap_or_default();
    let facts =
        engine.sources.gather(&request, seed, Facts::default(), |url| locate(folder.clone(), url)).await;
    let plan = engine.plan(&request, seed, &facts);
    Ok(Prepared {
        engine: Arc::new(engine),
        warnings,
        plan,
        slots: config.worker.slot_count(),
        cache_bytes: config.storage.cache_size.0,
    })
}

fn settings(config: &Config, cache: &Path) -> EngineSettings {
    clipmill_server::settings::engine_settings(config, cache.to_owned(), cache.join("inputs"))
}

fn read_request(file: &Path, json: bool) -> anyhow::Result<(TaskRequest, Vec<Warning>)> {
    let mut body = Vec::new();
    let mut read = |source: &mut dyn Read| source.take(MAX_REQUEST_BYTES + 1).read_to_end(&mut body);
    let outcome = if file == Path::new("-") {
        read(&mut std::io::stdin())
    } else {
        std::fs::File::open(file).and_then(|mut source| read(&mut source))
    };
    outcome.map_err(|error| wrong(format!("{}: {error}", file.display())))?;
    if body.len() as u64 > MAX_REQUEST_BYTES {
        return Err(wrong(format!("{}: larger than {MAX_REQUEST_BYTES} bytes", file.display())));
    }
    let policy = Policy { allow_local_paths: true, ..Policy::default() };
    match parse(&body, &policy) {
        Ok(accepted) => Ok((accepted.request, accepted.warnings)),
        Err(error) => {
            let explained = explain(file, &error);
            if json {
                say_json(&ApiError::from(error).envelope());
            }
            Err(wrong(explained))
        }
    }
}

fn explain(file: &Path, error: &RequestError) -> String {
    match error {
        RequestError::Syntax { line, column, message } => {
            format!("{}:{line}:{column}: {message}", file.display())
        }
        RequestError::Invalid { errors, .. } => {
            let lines = errors.iter().map(|error| format!("\n  {}: {}", error.path, error.message));
            format!("{}: the request is not valid:{}", file.display(), lines.collect::<String>())
        }
    }
}

/// Web addresses are fetched; everything else is a path, relative to the request's folder.
async fn locate(folder: PathBuf, url: String) -> Result<Located, TaskError> {
    match Url::parse(&url) {
        Ok(parsed) if matches!(parsed.scheme(), "http" | "https") => Ok(Located::Remote(parsed)),
        Ok(parsed) if parsed.scheme() == "file" => parsed
            .to_file_path()
            .map(Located::Local)
            .map_err(|()| TaskError::new(ErrorCode::UrlScheme, message::not_a_local_file())),
        Ok(parsed) if parsed.scheme() == "upload" => {
            Err(TaskError::new(ErrorCode::UrlScheme, message::uploads_on_servers()))
        }
        _ => Ok(Located::Local(folder.join(url))),
    }
}

fn cache_folder(local: &LocalArgs) -> anyhow::Result<PathBuf> {
    if let Some(cache) = &local.cache {
        return Ok(cache.clone());
    }
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
    base.map(|base| base.join("clipmill"))
        .ok_or_else(|| wrong("no home folder to keep segments in; give one with --cache"))
}
