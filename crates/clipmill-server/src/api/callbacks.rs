//! `…/callbacks`: the log of a task's callback, redelivery, and a test of an address.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::message;
use clipmill_core::request::{FieldError, parse_callback_test};
use clipmill_store::{CallbackRecord, DeliveryAttempt, RedeliverOutcome, Subject};
use serde_json::json;

use crate::api::extract::body::read_json;
use crate::app::{App, SMALL_BODY};
use crate::auth::{Caller, Read, Submit};
use crate::clock;
use crate::config::units::ByteSize;
use crate::error::{ApiError, ApiResult};
use crate::settings::request_policy;
use crate::view::{Answer, CallbackTestRequestSchema, CallbackTestView, CallbackView, Envelope, sample_task};
use crate::webhook::{self, Message};

/// State of a task's callback, and every attempt to deliver it.
#[utoipa::path(get, path = "/open-api/v1/video-process/callbacks/{taskNo}", operation_id = "getCallback", tag = "callbacks",
    security(("apiKey" = ["read"])),
    params(("taskNo" = String, Path, description = "Task number from the submission's response.")),
    responses((status = 200, description = "The callback and its attempts.", body = Answer<CallbackView>)))]
pub async fn callback(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    task_no: Result<Path<String>, PathRejection>,
) -> ApiResult<Envelope<CallbackView>> {
    let task_no = read(task_no)?;
    Ok(Envelope(standing(&app, caller.user, &Subject::Task(task_no)).await?.into()))
}

/// The delivery status of a task's or batch's callback.
pub(crate) async fn standing(app: &App, user: UserId, subject: &Subject) -> ApiResult<CallbackRecord> {
    app.store.callbacks().find(user, subject).await?.ok_or_else(ApiError::not_found)
}

/// Makes the callback due. In an error, `path` is the parameter with the number and `allowed` the accepted kinds.
pub(crate) async fn send_again(
    app: &App,
    user: UserId,
    subject: &Subject,
    (path, allowed): (&str, message::Message),
) -> ApiResult<CallbackRecord> {
    let outcome = app.store.callbacks().redeliver(user, subject, clock::now_ms()).await?;
    match outcome.ok_or_else(ApiError::not_found)? {
        RedeliverOutcome::Due | RedeliverOutcome::Sending => standing(app, user, subject).await,
        RedeliverOutcome::NoEvent => Err(ApiError::invalid(vec![FieldError {
            path: path.to_owned(),
            message: message::nothing_to_send(),
            got: Some(json!(subject.number())),
            allowed: Some(allowed),
        }])),
    }
}

/// Send a task's callback again.
/// The event is sent at once with the same ID and the full retry schedule, even if it was delivered or failed before.
#[utoipa::path(post, path = "/open-api/v1/video-process/callbacks/{taskNo}/redeliver", operation_id = "redeliverCallback", tag = "callbacks",
    security(("apiKey" = ["submit"])),
    params(("taskNo" = String, Path, description = "Task number from the submission's response.")),
    responses((status = 200, description = "The updated callback.", body = Answer<CallbackView>)))]
pub async fn redeliver(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    task_no: Result<Path<String>, PathRejection>,
) -> ApiResult<Envelope<CallbackView>> {
    let place = ("/path/taskNo", message::allowed_ended_task());
    let callback = send_again(&app, caller.user, &Subject::Task(read(task_no)?), place).await?;
    Ok(Envelope(callback.into()))
}

/// Send a sample callback to an address. The sample is signed like a real callback, describes a task that does not
/// exist, and contains `"test": true`. It is sent once.
#[utoipa::path(post, path = "/open-api/v1/video-process/callbacks/test", operation_id = "testCallback", tag = "callbacks",
    security(("apiKey" = ["submit"])),
    request_body(content = CallbackTestRequestSchema, description = "The address to test."),
    responses((status = 200, description = "The receiver's response.", body = Answer<CallbackTestView>)))]
pub async fn test(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<CallbackTestView>> {
    let body = read_json(&app, caller.user, request, ByteSize(SMALL_BODY as u64)).await?;
    let (test, warnings) = parse_callback_test(&body.bytes, &request_policy(&app.config))?;
    let _permit = app.semaphores.callback_tests.acquire(caller.user).await?;
    let now = clock::now_ms();
    let secrets = app.store.users().signing_secrets(caller.user, now).await?;
    let id = format!("evt_test_{}", hex::encode(clock::random::<10>()?));
    let sample = sample_task(&test, caller.user, &app.links, now);
    let message = Message { test: true, ..Message::new(test.event, now, sample) };
    let envelope = webhook::Envelope { id: &id, url: &test.url, secrets: &secrets };
    let received = app.sender.send(&envelope, &message, now).await;
    let warnings = warnings.into_iter().map(Into::into).collect();
    let attempt = DeliveryAttempt {
        started_at: now,
        duration_ms: Some(received.duration.as_millis() as u64),
        status: received.status,
        error: received.refused.map(|refused| refused.message),
    };
    Ok(Envelope(CallbackTestView::new(id, attempt, warnings)))
}

fn read(task_no: Result<Path<String>, PathRejection>) -> ApiResult<TaskNo> {
    task_no.ok().and_then(|Path(text)| TaskNo::parse(&text)).ok_or_else(ApiError::not_found)
}
