//! `…/templates`: creates, changes, shows and deletes templates.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use clipmill_core::ids::{TemplateNo, UserId};
use clipmill_core::message;
use clipmill_core::plan::Warning;
use clipmill_core::request::template::{NewTemplate, check_template, parse_template};
use clipmill_core::request::{FieldError, RequestError};
use clipmill_store::{SaveOutcome, SavedTemplate};

use crate::api::blocking::run_blocking;
use crate::api::extract::body::{JsonBody, read_json};
use crate::api::extract::query::{PageParams, Params, short};
use crate::api::files::references::{require_uploads, upload_gone};
use crate::app::App;
use crate::auth::{Caller, Read, Submit};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::settings::request_policy;
use crate::view::{
    Answer, Envelope, NewTemplateSchema, PageView, SavedTemplateView, TemplateOverviewView, TemplateView,
};

/// The most templates of one user.
const MAX_TEMPLATES: u32 = 1_000;
/// The most bytes of all versions of all templates of one user.
const MAX_BYTES: u64 = 256 << 20;
const MAX_NAME_LENGTH: usize = 120;

type PathNo = Result<Path<String>, PathRejection>;

/// Save a template: a request with `{{variables}}` in its strings. The template is validated with its defaults. Parts
/// that depend on variables without a default are validated when the values are supplied.
#[utoipa::path(post, path = "/open-api/v1/templates", operation_id = "addTemplate", tag = "templates",
    security(("apiKey" = ["submit"])),
    request_body(content = NewTemplateSchema, description = "The template; `version` has no effect here."),
    responses((status = 200, description = "Number of the template.", body = Answer<SavedTemplateView>)))]
pub async fn add(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<SavedTemplateView>> {
    app.require_disk_space()?;
    let body = read_json(&app, caller.user, request, app.config.limits.submit_body).await?;
    let (new, warnings) = read(&app, caller.user, body).await?;
    let now = clock::now_ms();
    let new = record(caller.user, TemplateNo::new(now, clock::random()?), new);
    respond(app.store.templates().add(new, now).await?, warnings)
}

/// Your templates, most recently changed first.
#[utoipa::path(get, path = "/open-api/v1/templates", operation_id = "listTemplates", tag = "templates",
    security(("apiKey" = ["read"])),
    params(
        PageParams,
        ("q" = Option<String>, Query, max_length = 120, description = "Only templates whose name contains this (case-insensitive)."),
    ),
    responses((status = 200, description = "A page of templates, without their requests.", body = Answer<PageView<TemplateOverviewView>>)))]
pub async fn list(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<PageView<TemplateOverviewView>>> {
    let page = params.page();
    let part =
        params.read("q", message::text_of_at_most(MAX_NAME_LENGTH), |text| short(text, MAX_NAME_LENGTH));
    params.finish()?;
    let template_page = app.store.templates().list(caller.user, part.as_deref(), page).await?;
    let list = template_page.list.into_iter().map(Into::into).collect();
    Ok(Envelope(PageView { list, total: template_page.total, page_no: page.number, page_size: page.size }))
}

/// A template with its request and variables.
#[utoipa::path(get, path = "/open-api/v1/templates/{templateNo}", operation_id = "getTemplate", tag = "templates",
    security(("apiKey" = ["read"])),
    params(
        ("templateNo" = String, Path, description = "Number of the template."),
        ("version" = Option<u32>, Query, minimum = 1, description = "One of the last 50 versions; the newest by default."),
    ),
    responses((status = 200, description = "The template.", body = Answer<TemplateView>)))]
pub async fn get(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    number: PathNo,
    mut params: Params,
) -> ApiResult<Envelope<TemplateView>> {
    let version = params.read("version", message::one_or_more(), |text| text.parse().ok().filter(|n| *n > 0));
    params.finish()?;
    let number = template_no(number)?;
    let template = app.store.templates().find(caller.user, &number, version).await?;
    Ok(Envelope(template.ok_or_else(ApiError::not_found)?.into()))
}

/// Save a new version of a template. Tasks and batches keep the version they were created from.
#[utoipa::path(put, path = "/open-api/v1/templates/{templateNo}", operation_id = "replaceTemplate", tag = "templates",
    security(("apiKey" = ["submit"])),
    params(("templateNo" = String, Path, description = "Number of the template.")),
    request_body(content = NewTemplateSchema, description = "The complete template. If `version` is set, it must still be the newest version."),
    responses((status = 200, description = "The new version.", body = Answer<SavedTemplateView>)))]
pub async fn replace(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    number: PathNo,
    request: Request,
) -> ApiResult<Envelope<SavedTemplateView>> {
    let number = template_no(number)?;
    app.require_disk_space()?;
    let body = read_json(&app, caller.user, request, app.config.limits.submit_body).await?;
    let (new, warnings) = read(&app, caller.user, body).await?;
    let expected = new.replaces;
    let new = record(caller.user, number, new);
    let saved = app.store.templates().replace(new, expected, clock::now_ms()).await?;
    respond(saved.ok_or_else(ApiError::not_found)?, warnings)
}

/// Delete a template with all its versions. Tasks made from it are kept.
#[utoipa::path(delete, path = "/open-api/v1/templates/{templateNo}", operation_id = "deleteTemplate", tag = "templates",
    security(("apiKey" = ["submit"])),
    params(("templateNo" = String, Path, description = "Number of the template.")),
    responses((status = 200, description = "Deleted.", body = Answer<Option<String>>)))]
pub async fn delete(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    number: PathNo,
) -> ApiResult<Envelope<Option<String>>> {
    let was_deleted = app.store.templates().delete(caller.user, &template_no(number)?).await?;
    if was_deleted { Ok(Envelope(None)) } else { Err(ApiError::not_found()) }
}

fn template_no(number: PathNo) -> ApiResult<TemplateNo> {
    number.ok().and_then(|Path(text)| TemplateNo::parse(&text)).ok_or_else(ApiError::not_found)
}

/// Reads and checks a template; the uploads that it names must be the caller's.
async fn read(app: &App, user: UserId, body: JsonBody) -> ApiResult<(NewTemplate, Vec<Warning>)> {
    let policy = request_policy(&app.config);
    let work = move || {
        let new = parse_template(&body.bytes, &policy)?;
        let checked = check_template(&new.template, &policy);
        let wrong = |errors: Vec<FieldError>| RequestError::Invalid { total: errors.len(), errors };
        checked.map_err(wrong).map(|warnings| (new, warnings))
    };
    let (new, warnings) = run_blocking(work).await??;
    require_uploads(app, user, new.template.uploads()).await?;
    Ok((new, warnings))
}

fn record(user: UserId, template_no: TemplateNo, new: NewTemplate) -> SavedTemplate {
    let NewTemplate { name, template, .. } = new;
    SavedTemplate { user, template_no, name, template, max_bytes: MAX_BYTES, max: MAX_TEMPLATES }
}

fn respond(outcome: SaveOutcome, warnings: Vec<Warning>) -> ApiResult<Envelope<SavedTemplateView>> {
    match outcome {
        SaveOutcome::Saved(about) => Ok(Envelope(SavedTemplateView::new(about, warnings))),
        SaveOutcome::Conflict { version } => Err(ApiError::template_changed(version)),
        SaveOutcome::StorageFull(full) => Err(ApiError::storage_full(full)),
        SaveOutcome::TooMany { limit } => Err(ApiError::too_many_templates(limit)),
        SaveOutcome::UploadGone { id } => Err(upload_gone(vec![("/request".to_owned(), &*id)], &id)),
    }
}
