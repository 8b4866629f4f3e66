//! `…/drafts`: saves, shows and deletes drafts.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use clipmill_core::ids::{DraftNo, UserId};
use clipmill_core::message;
use clipmill_core::request::model::TaskType;
use clipmill_core::request::{FieldError, parse_draft, uploads_in};
use clipmill_store::{DraftOutcome, Millis, NewDraft};
use serde_json::json;

use crate::api::blocking::run_blocking;
use crate::api::extract::body::read_json;
use crate::api::extract::query::{PageParams, Params, moment};
use crate::app::{App, SMALL_BODY};
use crate::auth::{Caller, Submit};
use crate::clock;
use crate::config::units::ByteSize;
use crate::error::{ApiError, ApiResult};
use crate::settings::{quota, request_policy};
use crate::view::{
    Answer, ChangedDraftSchema, DraftOverviewView, DraftView, Envelope, NewDraftSchema, PageView,
};

/// The most drafts of one user.
const MAX_DRAFTS: u32 = 100;

type PathNo = Result<Path<String>, PathRejection>;

/// Save a draft: a request that is not finished yet. Its `body` is not validated. Uploads that it names are kept as
/// long as the draft.
#[utoipa::path(post, path = "/open-api/v1/drafts", operation_id = "addDraft", tag = "drafts",
    security(("apiKey" = ["submit"])),
    request_body(content = NewDraftSchema, description = "The draft, at most 1 MiB."),
    responses((status = 200, description = "Number of the draft.", body = Answer<DraftOverviewView>)))]
pub async fn add(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<DraftOverviewView>> {
    let now = clock::now_ms();
    let number = DraftNo::new(now, clock::random()?);
    let (new, _) = read(&app, caller.user, number, false, request).await?;
    respond(app.store.drafts().add(new, now).await?)
}

/// Your drafts, most recently changed first.
#[utoipa::path(get, path = "/open-api/v1/drafts", operation_id = "listDrafts", tag = "drafts",
    security(("apiKey" = ["submit"])),
    params(PageParams),
    responses((status = 200, description = "A page of drafts, without their bodies.", body = Answer<PageView<DraftOverviewView>>)))]
pub async fn list(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<PageView<DraftOverviewView>>> {
    let page = params.page();
    params.finish()?;
    let drafts = app.store.drafts().list(caller.user, page).await?;
    let list = drafts.list.into_iter().map(Into::into).collect();
    Ok(Envelope(PageView { list, total: drafts.total, page_no: page.number, page_size: page.size }))
}

/// A draft with its body.
#[utoipa::path(get, path = "/open-api/v1/drafts/{draftNo}", operation_id = "getDraft", tag = "drafts",
    security(("apiKey" = ["submit"])),
    params(("draftNo" = String, Path, description = "Number of the draft.")),
    responses((status = 200, description = "The draft.", body = Answer<DraftView>)))]
pub async fn get(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    number: PathNo,
) -> ApiResult<Envelope<DraftView>> {
    let draft = app.store.drafts().find(caller.user, &draft_no(number)?).await?;
    Ok(Envelope(draft.ok_or_else(ApiError::not_found)?.into()))
}

/// Save a change of a draft. It succeeds only if `updateTime` is still that of the stored draft, so that a change made
/// elsewhere is not overwritten.
#[utoipa::path(put, path = "/open-api/v1/drafts/{draftNo}", operation_id = "replaceDraft", tag = "drafts",
    security(("apiKey" = ["submit"])),
    params(("draftNo" = String, Path, description = "Number of the draft.")),
    request_body(content = ChangedDraftSchema, description = "The complete draft, at most 1 MiB."),
    responses((status = 200, description = "The draft's new `updateTime`.", body = Answer<DraftOverviewView>)))]
pub async fn replace(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    number: PathNo,
    request: Request,
) -> ApiResult<Envelope<DraftOverviewView>> {
    let number = draft_no(number)?;
    let (new, expected) = read(&app, caller.user, number, true, request).await?;
    let saved = app.store.drafts().replace(new, expected, clock::now_ms()).await?;
    respond(saved.ok_or_else(ApiError::not_found)?)
}

/// Delete a draft. Tasks submitted from it are kept.
#[utoipa::path(delete, path = "/open-api/v1/drafts/{draftNo}", operation_id = "deleteDraft", tag = "drafts",
    security(("apiKey" = ["submit"])),
    params(("draftNo" = String, Path, description = "Number of the draft.")),
    responses((status = 200, description = "Deleted.", body = Answer<Option<String>>)))]
pub async fn delete(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    number: PathNo,
) -> ApiResult<Envelope<Option<String>>> {
    let was_deleted = app.store.drafts().delete(caller.user, &draft_no(number)?).await?;
    if was_deleted { Ok(Envelope(None)) } else { Err(ApiError::not_found()) }
}

fn draft_no(number: PathNo) -> ApiResult<DraftNo> {
    number.ok().and_then(|Path(text)| DraftNo::parse(&text)).ok_or_else(ApiError::not_found)
}

/// Reads a draft, and the time of the version that it replaces.
async fn read(
    app: &App,
    user: UserId,
    draft_no: DraftNo,
    replaces: bool,
    request: Request,
) -> ApiResult<(NewDraft, Millis)> {
    app.require_disk_space()?;
    let limit = ByteSize(SMALL_BODY as u64);
    let body = read_json(app, user, request, limit).await?;
    let policy = request_policy(&app.config);
    let parsed = run_blocking(move || {
        let draft = parse_draft(&body.bytes, replaces, &policy)?;
        let uploads = uploads_in(&draft.body);
        ApiResult::Ok((draft.body.to_string(), uploads, draft))
    });
    let (body, uploads, draft) = parsed.await??;
    // Numbers can be longer than they were sent.
    if body.len() as u64 > limit.0 {
        return Err(ApiError::too_large(limit));
    }
    let expected = draft.update_time.filter(|_| replaces).map(|text| read_moment(&text)).transpose()?;
    let new = NewDraft {
        user,
        draft_no,
        name: draft.name,
        task_type: draft.task_type.map(TaskType::as_str),
        body,
        uploads,
        quota: quota(&app.config, clock::now_ms()),
        max: MAX_DRAFTS,
    };
    Ok((new, expected.unwrap_or_default()))
}

fn read_moment(text: &str) -> ApiResult<Millis> {
    moment(text).ok_or_else(|| {
        let message = message::must_be(message::a_moment());
        let path = "/updateTime".to_owned();
        ApiError::invalid(vec![FieldError { path, message, got: Some(json!(text)), allowed: None }])
    })
}

fn respond(outcome: DraftOutcome) -> ApiResult<Envelope<DraftOverviewView>> {
    match outcome {
        DraftOutcome::Saved(about) => Ok(Envelope(about.into())),
        DraftOutcome::Conflict { updated_at } => Err(ApiError::draft_changed(updated_at)),
        DraftOutcome::StorageFull(full) => Err(ApiError::storage_full(full)),
        DraftOutcome::TooMany { limit } => Err(ApiError::too_many_drafts(limit)),
    }
}
