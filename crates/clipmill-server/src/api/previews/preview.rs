//! `POST …/preview`: one frame of a task's output, by the planner and the sandbox that make the output.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::UserId;
use clipmill_core::media::ContentHash;
use clipmill_core::message::{self, Message};
use clipmill_core::plan::{FrameError, Moment, PlannedFrame};
use clipmill_core::request::model::TaskRequest;
use clipmill_core::request::{FieldError, Policy, PreviewRequest, RequestError, parse_preview};
use clipmill_core::speech::input_name;
use serde_json::{Value, json};

use crate::api::blocking::run_blocking;
use crate::api::extract::body::read_json;
use crate::api::tasks::submit::own_uploads;
use crate::api::templates::expand::expand_within;
use crate::app::App;
use crate::auth::{Caller, Submit};
use crate::error::{ApiError, ApiResult};
use crate::previews::frames::FrameFailure;
use crate::settings::request_policy;
use crate::view::{FileBytes, PreviewSchema};

/// Used for requests without a seed, so that each of their previews draws the same values.
pub(super) const SEED: u64 = 0;
/// The time limit for fetching the files that the frame needs.
const TIMEOUT: Duration = Duration::from_secs(60);

/// One frame of an output, as a JPEG; free. The frame is rendered by the same filters as the output. Set
/// `params.seed` to preview the output of that seed; without it, all previews use the same random values. The headers
/// `x-at-seconds` and `x-length-seconds` return the time of the frame and the length of the output. Files at web
/// addresses are fetched once and kept for a while.
#[utoipa::path(post, path = "/open-api/v1/preview", operation_id = "previewTask", tag = "previews",
    security(("apiKey" = ["submit"])),
    request_body(content = PreviewSchema, description = "The request to preview, and the frame."),
    responses((status = 200, description = "The frame.", content_type = "image/jpeg", body = inline(FileBytes))))]
pub async fn preview(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Response> {
    let preview_request = read(&app, caller.user, request, parse_preview).await?;
    let uploads = own_uploads(&app, caller.user, &preview_request.request).await?.contents;
    let planned = plan(&app, caller.user, &preview_request, &uploads).await?;
    frame(&app, caller.user, &planned, preview_request.width).await.map_err(|failure| match failure {
        FrameFailure::Busy => ApiError::busy(),
        FrameFailure::Failed(error) => failed_file(error, &preview_request.request, &preview_request.moment),
    })
}

/// A request (or a template with values), and the output and time to preview.
pub(super) async fn read<T: Send + 'static>(
    app: &App,
    user: UserId,
    request: Request,
    parse: fn(&Value, &Policy) -> Result<T, RequestError>,
) -> ApiResult<T> {
    let body = read_json(app, user, request, app.config.limits.submit_body).await?;
    let (body, policy) = (expand_within(app, user, body).await?, request_policy(&app.config));
    let work = move || parse(&body, &policy);
    Ok(run_blocking(work).await??)
}

/// The frame, made or from the cache.
pub(crate) async fn frame(
    app: &App,
    user: UserId,
    planned: &PlannedFrame,
    width: u32,
) -> Result<Response, FrameFailure> {
    let name = app.media.name_frame(planned, width);
    let jpeg = app.frames.get(user, &name, app.media.make_frame(planned, width)).await?;
    let response = ([(header::CONTENT_TYPE, "image/jpeg")], jpeg).into_response();
    Ok(placed(response, planned.at_s, planned.length_s))
}

/// Adds headers with the position of the preview in the output and the output's length.
pub(crate) fn placed(mut response: Response, at_s: f64, length_s: f64) -> Response {
    let seconds = |seconds: f64| HeaderValue::from_str(&format!("{seconds:.3}"));
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    for (name, value) in [("x-at-seconds", seconds(at_s)), ("x-length-seconds", seconds(length_s))] {
        // A number is always a valid header value.
        let _ = value.map(|value| headers.insert(HeaderName::from_static(name), value));
    }
    response
}

async fn plan(
    app: &App,
    user: UserId,
    wanted: &PreviewRequest,
    uploads: &BTreeMap<String, ContentHash>,
) -> ApiResult<PlannedFrame> {
    let PreviewRequest { request, moment, .. } = wanted;
    let seed = request.params.seed().unwrap_or(SEED);
    let planning = app.media.plan_frame(request, seed, moment, uploads);
    let planned = within_timeout(app, user, planning).await?;
    planned.map_err(|error| failed_moment(error, request, moment))
}

/// The error for a preview that has no frame.
pub(super) fn failed_moment(error: FrameError, request: &TaskRequest, moment: &Moment) -> ApiError {
    match error {
        FrameError::NoSuchItem(items) => {
            no_such("/itemNo", message::no_such_output(), moment.item_no.into(), 1, items.into())
        }
        FrameError::NoSuchClip(clips) => {
            let clip = moment.clip.unwrap_or_default() as u64;
            no_such("/clip", message::no_such_clip(), clip, 0, (clips as u64).saturating_sub(1))
        }
        FrameError::Task(error) => failed_file(error, request, moment),
    }
}

/// Probes files with a permit of the user and a time limit. Some files may have to be fetched.
pub(crate) async fn within_timeout<T>(
    app: &App,
    user: UserId,
    probing: impl Future<Output = T>,
) -> ApiResult<T> {
    let _permit = app.semaphores.looks.acquire(user).await?;
    let late = |_| ApiError::no_image(message::fetched_too_late());
    tokio::time::timeout(TIMEOUT, app.render_time.charge(user, probing)).await.map_err(late)
}

/// Converts the failure of a file into an error at each place that uses the file at the previewed moment.
pub(super) fn failed_file(error: TaskError, request: &TaskRequest, moment: &Moment) -> ApiError {
    let name = error.input.clone().unwrap_or_default();
    let mut inputs = request.inputs();
    inputs.retain(|input| input_name(input.url) == name);
    let places = moment.narrow(request, inputs).into_iter().map(|input| input.place.to_string());
    failed_at(error, places.collect())
}

/// Converts the failure of the file at `places` into an error.
pub(crate) fn failed_at(error: TaskError, places: Vec<String>) -> ApiError {
    if error.code == ErrorCode::Internal {
        return error.into();
    }
    if places.is_empty() || error.code == ErrorCode::RenderTimeout {
        return ApiError::no_image(error.message);
    }
    let got = error.input.map(Value::String);
    let field = |path| FieldError { path, message: error.message.clone(), got: got.clone(), allowed: None };
    ApiError::invalid(places.into_iter().map(field).collect())
}

fn no_such(path: &str, message: Message, got: u64, min: u64, max: u64) -> ApiError {
    ApiError::invalid(vec![FieldError {
        path: path.to_owned(),
        message,
        got: Some(json!(got)),
        allowed: Some(message::allowed_range(min, max)),
    }])
}
