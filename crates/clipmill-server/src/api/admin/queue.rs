//! The queue and its workers.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header;
use clipmill_core::ids::JobId;
use clipmill_core::message;
use clipmill_core::request::{PauseRequest, parse_pause};
use clipmill_store::Requeue;

use super::LIMIT;
use crate::api::extract::body::read_json;
use crate::api::extract::query::Params;
use crate::app::App;
use crate::auth::{Admin, Caller};
use crate::clock;
use crate::error::ApiResult;
use crate::settings::request_policy;
use crate::view::{Answer, Envelope, PauseRequestSchema, PausedView, QueueView, RequeuedView, WorkersView};

/// The most users with work, and the most running jobs, that a response lists.
const MAX_JOBS: u32 = 200;

/// Waiting and running work, and waiting times.
#[utoipa::path(get, path = "/open-api/v1/admin/queue", operation_id = "showQueue", tag = "admin",
    security(("apiKey" = ["admin"])),
    responses((status = 200, description = "The queue.", body = Answer<QueueView>)))]
pub async fn queue(_: Caller<Admin>, State(app): State<Arc<App>>) -> ApiResult<Envelope<QueueView>> {
    Ok(Envelope(app.store.queue().overview(clock::now_ms(), MAX_JOBS).await?.into()))
}

/// Pause the queue: no new work starts, running work continues. Users with waiting tasks see the reason.
/// Calling it again with another reason replaces the reason.
#[utoipa::path(post, path = "/open-api/v1/admin/queue/pause", operation_id = "pauseQueue", tag = "admin",
    security(("apiKey" = ["admin"])),
    request_body(content = Option<PauseRequestSchema>, description = "Message for users; optional."),
    responses((status = 200, description = "No new work starts.", body = Answer<PausedView>)))]
pub async fn pause(
    caller: Caller<Admin>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<PausedView>> {
    let PauseRequest { reason } = wish(&caller, &app, request).await?;
    let has_changed = app.store.queue().pause(reason.as_deref(), clock::now_ms()).await?;
    tracing::info!(key = caller.key_id, changed = has_changed, reason, "queue paused");
    Ok(Envelope(PausedView { paused: true, changed: has_changed }))
}

/// Clients of earlier releases send no body.
async fn wish(caller: &Caller<Admin>, app: &App, request: Request) -> ApiResult<PauseRequest> {
    if !request.headers().contains_key(header::CONTENT_TYPE) {
        return Ok(PauseRequest::default());
    }
    let body = read_json(app, caller.user, request, LIMIT).await?;
    if body.bytes.is_empty() {
        return Ok(PauseRequest::default());
    }
    Ok(parse_pause(&body.bytes, &request_policy(&app.config))?)
}

/// Resume the queue.
#[utoipa::path(post, path = "/open-api/v1/admin/queue/resume", operation_id = "resumeQueue", tag = "admin",
    security(("apiKey" = ["admin"])),
    responses((status = 200, description = "The queue is resumed.", body = Answer<PausedView>)))]
pub async fn resume(caller: Caller<Admin>, State(app): State<Arc<App>>) -> ApiResult<Envelope<PausedView>> {
    let has_changed = app.store.queue().resume().await?;
    tracing::info!(key = caller.key_id, changed = has_changed, "queue resumed");
    Ok(Envelope(PausedView { paused: false, changed: has_changed }))
}

/// Make jobs ready again at once: a single job, all jobs of one worker, or all delayed jobs.
#[utoipa::path(post, path = "/open-api/v1/admin/queue/requeue", operation_id = "requeueWork", tag = "admin",
    security(("apiKey" = ["admin"])),
    params(
        ("workId" = Option<i64>, Query, minimum = 1, description = "Number of a job."),
        ("worker" = Option<String>, Query, description = "All jobs of this worker. Without `workId` and `worker`: all delayed jobs."),
    ),
    responses((status = 200, description = "Number of jobs that are ready again.", body = Answer<RequeuedView>)))]
pub async fn requeue(
    caller: Caller<Admin>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<RequeuedView>> {
    let work =
        params.read("workId", message::one_or_more(), |text| text.parse().ok().filter(|id: &i64| *id > 0));
    let what = match (work, params.text("worker")) {
        (Some(id), _) => Requeue::Job(JobId(id)),
        (None, Some(worker)) => Requeue::Worker(worker.to_owned()),
        (None, None) => Requeue::Delayed,
    };
    params.finish()?;
    let requeued = app.store.queue().requeue(&what).await?;
    tracing::info!(key = caller.key_id, ?what, requeued, "jobs requeued");
    Ok(Envelope(RequeuedView { requeued }))
}

/// Workers that have reported within the last day.
#[utoipa::path(get, path = "/open-api/v1/admin/workers", operation_id = "listWorkers", tag = "admin",
    security(("apiKey" = ["admin"])),
    responses((status = 200, description = "The workers.", body = Answer<WorkersView>)))]
pub async fn workers(_: Caller<Admin>, State(app): State<Arc<App>>) -> ApiResult<Envelope<WorkersView>> {
    let list: Vec<_> = app.store.workers().list(clock::now_ms()).await?.into_iter().map(Into::into).collect();
    Ok(Envelope(WorkersView { total: list.len(), list }))
}
