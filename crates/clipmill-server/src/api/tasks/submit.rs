//! `POST …/submit`: validates, prices and stores a task in one step, without touching the network.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Request, State};
use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::media::{ContentHash, Facts};
use clipmill_core::message;
use clipmill_core::plan::{Warning, estimate_prices};
use clipmill_core::pricing::PriceList;
use clipmill_core::request::model::{MixOptions, TaskRequest};
use clipmill_core::request::{Accepted, FieldError, Input, InputRole};
use clipmill_core::results::ResultRef;
use clipmill_core::speech::{Speech, transcript_url};
use clipmill_store::{NewItem, NewTask, Quota, ResultSource, SubmitOutcome, TemplateRef, Upload};
use serde_json::json;

use crate::api::blocking::run_with_permit;
use crate::api::extract::body::read_json;
use crate::api::templates::expand::{ExpandedRequest, read};
use crate::app::App;
use crate::auth::{Caller, Submit};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::http::permits::Permit;
use crate::observe::traces;
use crate::view::{Answer, Envelope, SubmissionSchema, SubmitView};
use crate::{result_inputs, settings};

pub(crate) const UPLOAD_SCHEME: &str = "upload://";

/// Submit a task.
///
/// Checks and prices the request and stores the task; nothing is fetched yet. With a `clientTaskId`, sending
/// the same body again returns the first task and costs nothing.
#[utoipa::path(post, path = "/open-api/v1/video-process/submit", operation_id = "submitTask", tag = "tasks",
    security(("apiKey" = ["submit"])),
    request_body(content = SubmissionSchema, description = "A request of any kind, or one of your templates with values."),
    responses((status = 200, description = "The task's number and price.", body = Answer<SubmitView>)))]
pub async fn submit(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<SubmitView>> {
    app.require_disk_space()?;
    let body = read_json(&app, caller.user, request, app.config.limits.submit_body).await?;
    let ExpandedRequest { accepted, template } = read(&app, caller.user, body).await?;
    let uploads = own_uploads(&app, caller.user, &accepted.request).await;
    // Only the caller's own uploads are looked up; if one is missing, declared lengths are used for all.
    let (uploads, upload_error) = match uploads {
        Ok(uploads) => (uploads, None),
        Err(upload_error) => (OwnUploads::default(), Some(upload_error)),
    };
    let facts = uploads.facts(&app).await;
    let warnings = uploads.warnings(&facts);
    let mut priced = price(&app, caller.user, accepted, clock::seed()?, facts).await?;
    priced.warnings.extend(warnings);

    let now = clock::now_ms();
    let task_no = TaskNo::new(now, clock::random()?);
    let task = priced.into_task(caller.user, task_no, settings::quota(&app.config, now), template);
    let submitted = match upload_error {
        None => app.store.tasks().submit(task, now).await?,
        // A repeated submission gets the original response, even if its uploads have been deleted.
        Some(upload_error) => app.store.tasks().submitted_before(&task).await?.ok_or(upload_error)?,
    };
    match submitted {
        SubmitOutcome::Created(task) => Ok(Envelope(SubmitView::new(task, false))),
        SubmitOutcome::Duplicate(task) => Ok(Envelope(SubmitView::new(task, true))),
        SubmitOutcome::Conflict { task_no } => Err(ApiError::client_task_id_conflict(task_no)),
        SubmitOutcome::InsufficientPoints { needed, available } => {
            Err(ApiError::not_enough_points(needed, available))
        }
        SubmitOutcome::AboveLimit { price, max_points } => {
            Err(ApiError::above_price_limit(price, max_points, None))
        }
        SubmitOutcome::TooManyOpenTasks { open, limit } => Err(ApiError::too_many_open_tasks(open, limit)),
        SubmitOutcome::TooManyCancelled { given_up, limit } => {
            Err(ApiError::too_many_cancelled(given_up, limit))
        }
        SubmitOutcome::StorageFull(full) => Err(ApiError::storage_full(full)),
        SubmitOutcome::UploadGone { id } => {
            let url = format!("{UPLOAD_SCHEME}{id}");
            Err(ApiError::invalid(vec![no_such_upload("/params".to_owned(), &url)]))
        }
    }
}

/// A valid request with its price.
pub(crate) struct PricedRequest {
    pub request: TaskRequest,
    request_sha256: [u8; 32],
    pub seed: u64,
    pub items: Vec<NewItem>,
    pub warnings: Vec<Warning>,
}

impl PricedRequest {
    fn new(accepted: Accepted, drawn: u64, facts: &Facts, prices: &PriceList) -> Self {
        let seed = accepted.request.params.seed().unwrap_or(drawn);
        let items = estimate_prices(&accepted.request, seed, facts, prices)
            .into_iter()
            .map(|item| NewItem { seed: item.seed, points: item.points, expected: Some(item.expected) })
            .collect();
        let request_sha256 = accepted.request.fingerprint();
        Self { request: accepted.request, request_sha256, seed, items, warnings: accepted.warnings }
    }

    fn into_task(
        self,
        user: UserId,
        task_no: TaskNo,
        quota: Quota,
        template: Option<TemplateRef>,
    ) -> NewTask {
        NewTask {
            user,
            task_no,
            request: self.request,
            request_sha256: self.request_sha256,
            seed: self.seed,
            items: self.items,
            warnings: self.warnings,
            traceparent: traces::current(),
            quota,
            template,
        }
    }
}

/// From this cost on, planning takes more than a few milliseconds.
const LARGE: usize = 5_000;

/// A permit for planning a request, if planning it takes long.
pub(crate) async fn planning_permit(
    app: &App,
    user: UserId,
    request: &TaskRequest,
) -> ApiResult<Option<Permit>> {
    Ok(if planning_cost(request) < LARGE { None } else { Some(app.semaphores.plans.acquire(user).await?) })
}

/// Outputs times clips, each with its possible overlays.
fn planning_cost(request: &TaskRequest) -> usize {
    let layers = request
        .inputs()
        .iter()
        .filter(|input| matches!(input.role, InputRole::Mask | InputRole::Overlay | InputRole::Fill))
        .count();
    let shots = request.params.total_items().saturating_mul(request.clips().len());
    shots.saturating_mul(1 + layers)
}

/// The price from the known facts about uploads and from declared lengths.
pub(crate) async fn price(
    app: &App,
    user: UserId,
    mut accepted: Accepted,
    drawn: u64,
    facts: Facts,
) -> ApiResult<PricedRequest> {
    let callback_url = accepted.request.callback_url.as_deref();
    accepted.warnings.extend(settings::callback_warning(&app.config, callback_url));
    let prices = app.config.prices();
    let permit = planning_permit(app, user, &accepted.request).await?;
    run_with_permit(permit, move |_| PricedRequest::new(accepted, drawn, &facts, &prices)).await
}

/// The most warnings about uploads without media in one request.
const MAX_WARNED: usize = 100;

/// The uploads and results that a request names, and its texts that were spoken before.
#[derive(Default)]
pub(crate) struct OwnUploads {
    /// The content of each that exists, and of each text that was spoken and each transcript that was made before, by url.
    pub contents: BTreeMap<String, ContentHash>,
    /// The results of tasks, by URL.
    pub results: BTreeMap<String, ResultSource>,
    /// Places in the request that need media although their uploads contain none, and the URLs at them.
    not_media: Vec<(String, String)>,
}

impl OwnUploads {
    /// What is known about the files without fetching any.
    pub async fn facts(&self, app: &App) -> Facts {
        let mut facts = app.media.known(&self.contents).await;
        self.results.iter().for_each(|(url, source)| result_inputs::add_facts(&mut facts, url, source));
        facts
    }

    /// The errors of all places whose results do not exist, or not yet.
    pub fn require_results(&self, request: &TaskRequest) -> ApiResult<()> {
        let missing = request.inputs().into_iter().filter_map(|Input { url, place, .. }| {
            let message = result_inputs::missing(&ResultRef::of_url(url)?, self.results.get(url)?)?;
            Some(result_inputs::field_error(place.to_string(), message, url))
        });
        let missing: Vec<FieldError> = missing.collect();
        if missing.is_empty() { Ok(()) } else { Err(ApiError::invalid(missing)) }
    }

    /// Warnings about uploads without media. Known facts count more: the upload may lack them after a failed probe.
    pub fn warnings(&self, facts: &Facts) -> Vec<Warning> {
        let unknown = self.not_media.iter().filter(|(_, url)| !facts.media.contains_key(url));
        let warn = |(path, _): &(String, String)| Warning {
            path: path.clone(),
            message: message::upload_without_media(),
        };
        unknown.take(MAX_WARNED).map(warn).collect()
    }
}

/// The uploads and results of the request; each must be the caller's own.
pub(crate) async fn own_uploads(app: &App, user: UserId, request: &TaskRequest) -> ApiResult<OwnUploads> {
    let mut uploads_by_id: BTreeMap<&str, Option<Upload>> = BTreeMap::new();
    let (mut errors, mut not_media) = (Vec::new(), Vec::new());
    let mut results: BTreeMap<String, Option<ResultSource>> = BTreeMap::new();
    for Input { url, place, role } in request.inputs() {
        if let Some(result) = ResultRef::of_url(url) {
            if !results.contains_key(url) {
                let source = result_inputs::find(&*app.store, user, &result, clock::now_ms()).await?;
                results.insert(url.to_owned(), source);
            }
            let source = results.get(url).and_then(Option::as_ref);
            let error = result_inputs::refusal(source, role);
            errors.extend(error.map(|message| result_inputs::field_error(place.to_string(), message, url)));
            continue;
        }
        let Some(id) = url.strip_prefix(UPLOAD_SCHEME) else { continue };
        if !uploads_by_id.contains_key(url) {
            let upload = app.store.library().use_upload(user, id, clock::now_ms()).await?;
            uploads_by_id.insert(url, upload);
        }
        match uploads_by_id.get(url) {
            Some(Some(upload)) if upload.is_media || !role.is_media() => {}
            Some(Some(_)) => not_media.push((place.to_string(), url.to_owned())),
            _ => errors.push(no_such_upload(place.to_string(), url)),
        }
    }
    if !errors.is_empty() {
        return Err(ApiError::invalid(errors));
    }
    let content = |upload: Upload| ContentHash(upload.content_sha256.into());
    let contents =
        uploads_by_id.into_iter().filter_map(|(url, upload)| Some((url.to_owned(), content(upload?))));
    let mut contents: BTreeMap<String, ContentHash> = contents.collect();
    let results: BTreeMap<String, ResultSource> =
        results.into_iter().filter_map(|(url, source)| Some((url, source?))).collect();
    let stored = results.iter().filter_map(|(url, source)| Some((url, result_inputs::content(source)?)));
    contents.extend(stored.map(|(url, content)| (url.clone(), content)));
    for url in request.inputs().into_iter().map(|input| input.url) {
        if let Some(speech) = Speech::of_url(url).filter(|_| !contents.contains_key(url))
            && let Some(content) = app.media.spoken(user, &speech).await
        {
            contents.insert(url.to_owned(), content);
        }
    }
    if request.params.mix_options().is_some_and(MixOptions::may_be_transcribed) {
        let mut transcripts = Vec::new();
        for (url, content) in &contents {
            let key = app.media.transcribed(user, content).await;
            transcripts.extend(key.map(|key| (transcript_url(url), key)));
        }
        contents.extend(transcripts);
    }
    Ok(OwnUploads { contents, results, not_media })
}

pub(crate) fn no_such_upload(path: String, url: &str) -> FieldError {
    FieldError { path, message: message::no_such_upload(), got: Some(json!(url)), allowed: None }
}
