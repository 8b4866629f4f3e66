//! `/open-api/v1/admin/…`: what operators see and do, for keys with the scope `admin`. Changes are logged.

use std::sync::Arc;

use axum::extract::{Request, State};
use clipmill_core::error::ErrorCode;
use clipmill_core::ids::{UserId, WorkId};
use clipmill_core::message;
use clipmill_core::request::{FieldError, parse_grant, parse_new_user};
use clipmill_store::{Requeue, StoreError};
use serde_json::json;

use crate::account::users::{self, AddError};
use crate::api::extract::body::read_json;
use crate::api::extract::query::{PageParams, Params};
use crate::app::{App, SMALL_BODY};
use crate::clock;
use crate::config::units::ByteSize;
use crate::error::{ApiError, ApiResult};
use crate::http::auth::{Admin, Caller};
use crate::settings::request_policy;
use crate::view::{
    Answer, Envelope, FailureView, GrantSchema, GrantView, NewUserSchema, NewUserView, PageView, PausedView,
    QueueView, RequeuedView, UserView, WorkersView,
};

/// The most users with work, and the most pieces of running work, that are listed.
const MOST: u32 = 200;
const LIMIT: ByteSize = ByteSize(SMALL_BODY as u64);

/// How much waits, for how long, and what is under way.
#[utoipa::path(get, path = "/open-api/v1/admin/queue", operation_id = "showQueue", tag = "admin",
    responses((status = 200, description = "The queue.", body = Answer<QueueView>)))]
pub async fn queue(_: Caller<Admin>, State(app): State<Arc<App>>) -> ApiResult<Envelope<QueueView>> {
    Ok(Envelope(app.store.queue(clock::now_ms(), MOST).await?.into()))
}

/// Begin no more work; what runs goes on.
#[utoipa::path(post, path = "/open-api/v1/admin/queue/pause", operation_id = "pauseQueue", tag = "admin",
    responses((status = 200, description = "Nothing new is begun.", body = Answer<PausedView>)))]
pub async fn pause(caller: Caller<Admin>, State(app): State<Arc<App>>) -> ApiResult<Envelope<PausedView>> {
    let changed = app.store.pause(clock::now_ms()).await?;
    tracing::info!(key = caller.key_id, changed, "an operator pauses the queue");
    Ok(Envelope(PausedView { paused: true, changed }))
}

/// Begin work again.
#[utoipa::path(post, path = "/open-api/v1/admin/queue/resume", operation_id = "resumeQueue", tag = "admin",
    responses((status = 200, description = "Work is begun again.", body = Answer<PausedView>)))]
pub async fn resume(caller: Caller<Admin>, State(app): State<Arc<App>>) -> ApiResult<Envelope<PausedView>> {
    let changed = app.store.resume().await?;
    tracing::info!(key = caller.key_id, changed, "an operator resumes the queue");
    Ok(Envelope(PausedView { paused: false, changed }))
}

/// Make work ready again at once: one piece, all of one worker, or all that waits for its next try.
#[utoipa::path(post, path = "/open-api/v1/admin/queue/requeue", operation_id = "requeueWork", tag = "admin",
    params(
        ("workId" = Option<i64>, Query, minimum = 1, description = "One piece of work."),
        ("worker" = Option<String>, Query, description = "Everything that this worker has; all that is delayed when neither is given."),
    ),
    responses((status = 200, description = "How much is ready again.", body = Answer<RequeuedView>)))]
pub async fn requeue(
    caller: Caller<Admin>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<RequeuedView>> {
    let work =
        params.read("workId", message::one_or_more(), |text| text.parse().ok().filter(|id: &i64| *id > 0));
    let what = match (work, params.text("worker")) {
        (Some(id), _) => Requeue::Work(WorkId(id)),
        (None, Some(worker)) => Requeue::Worker(worker.to_owned()),
        (None, None) => Requeue::Delayed,
    };
    params.finish()?;
    let requeued = app.store.requeue(&what).await?;
    tracing::info!(key = caller.key_id, ?what, requeued, "an operator requeues work");
    Ok(Envelope(RequeuedView { requeued }))
}

/// Workers that told of themselves within the last day.
#[utoipa::path(get, path = "/open-api/v1/admin/workers", operation_id = "listWorkers", tag = "admin",
    responses((status = 200, description = "All of them.", body = Answer<WorkersView>)))]
pub async fn workers(_: Caller<Admin>, State(app): State<Arc<App>>) -> ApiResult<Envelope<WorkersView>> {
    let list: Vec<_> = app.store.workers(clock::now_ms()).await?.into_iter().map(Into::into).collect();
    Ok(Envelope(WorkersView { total: list.len(), list }))
}

/// Users, newest first.
#[utoipa::path(get, path = "/open-api/v1/admin/users", operation_id = "listUsers", tag = "admin",
    params(PageParams, ("search" = Option<String>, Query, description = "Part of a name.")),
    responses((status = 200, description = "A page of users.", body = Answer<PageView<UserView>>)))]
pub async fn users(
    _: Caller<Admin>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<PageView<UserView>>> {
    let page = params.page();
    // A control character could end the pattern early, so that everything would match.
    let search = params.read("search", message::plain_text_only(), |text| {
        (!text.chars().any(char::is_control)).then(|| text.to_owned())
    });
    params.finish()?;
    let found = app.store.users(search.as_deref(), page).await?;
    let list = found.list.into_iter().map(Into::into).collect();
    Ok(Envelope(PageView { list, total: found.total, page_no: page.number, page_size: page.size }))
}

/// Make a user and a key of theirs, which is told only here.
#[utoipa::path(post, path = "/open-api/v1/admin/users", operation_id = "addUser", tag = "admin",
    request_body(content = NewUserSchema, description = "A name nobody has, and points to begin with."),
    responses((status = 200, description = "The user, key and secret.", body = Answer<NewUserView>)))]
pub async fn add_user(
    caller: Caller<Admin>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<NewUserView>> {
    let body = read_json(&app, caller.user, request, LIMIT).await?;
    let wanted = parse_new_user(&body.bytes, &request_policy(&app.config))?;
    let account =
        users::add(&*app.store, &wanted.name, wanted.points).await.map_err(|error| match error {
            AddError::Store(StoreError::Exists(_)) => taken(&wanted.name),
            AddError::Store(error) => error.into(),
            AddError::Random(error) => error.into(),
        })?;
    tracing::info!(
        key = caller.key_id,
        user = account.user.0,
        points = wanted.points,
        "an operator adds a user"
    );
    Ok(Envelope(NewUserView {
        user_id: account.user.0,
        name: wanted.name,
        api_key: account.api_key,
        webhook_secret: account.webhook_secret,
    }))
}

/// Give points to a user.
#[utoipa::path(post, path = "/open-api/v1/admin/grants", operation_id = "grantPoints", tag = "admin",
    request_body(content = GrantSchema, description = "Whom, how many, and why."),
    responses((status = 200, description = "What the user has afterwards.", body = Answer<GrantView>)))]
pub async fn grant(
    caller: Caller<Admin>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<GrantView>> {
    let body = read_json(&app, caller.user, request, LIMIT).await?;
    let wanted = parse_grant(&body.bytes, &request_policy(&app.config))?;
    let user = UserId(wanted.user_id);
    app.store.user(user).await?.ok_or_else(ApiError::not_found)?;
    let balance = app.store.grant(user, wanted.points, &wanted.remark, clock::now_ms()).await?;
    tracing::info!(key = caller.key_id, user = user.0, points = wanted.points, "an operator grants points");
    Ok(Envelope(GrantView {
        user_id: user.0,
        points: wanted.points,
        balance: balance.available,
        held: balance.held,
    }))
}

/// Items of all users that ended without an output, the latest first.
#[utoipa::path(get, path = "/open-api/v1/admin/failures", operation_id = "listFailures", tag = "admin",
    params(PageParams, ("code" = Option<String>, Query, description = "Only failures of this kind, such as `MEDIA_DAMAGED`.")),
    responses((status = 200, description = "A page of failures.", body = Answer<PageView<FailureView>>)))]
pub async fn failures(
    _: Caller<Admin>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<PageView<FailureView>>> {
    let page = params.page();
    let code = params.read("code", message::a_failure_code(), |text| {
        ErrorCode::ALL.into_iter().find(|code| code.as_str() == text)
    });
    params.finish()?;
    let found = app.store.failed_items(code, page).await?;
    let list = found.list.into_iter().map(Into::into).collect();
    Ok(Envelope(PageView { list, total: found.total, page_no: page.number, page_size: page.size }))
}

fn taken(name: &str) -> ApiError {
    ApiError::invalid(vec![FieldError {
        path: "/name".to_owned(),
        message: message::user_exists(),
        got: Some(json!(name)),
        allowed: None,
    }])
}
