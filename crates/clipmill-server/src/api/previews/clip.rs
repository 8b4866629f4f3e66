//! `POST …/preview/clip`: up to three minutes of a task's output with audio, small and fast to render, by the same planner,
//! renderer and cache as the output.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use clipmill_core::message;
use clipmill_core::request::{ClipRequest, parse_clip};

use super::preview::{SEED, failed_file, failed_moment, placed, read, within_timeout};
use crate::api::tasks::submit::own_uploads;
use crate::app::App;
use crate::auth::{Caller, Submit};
use crate::error::{ApiError, ApiResult};
use crate::view::{FileBytes, PreviewClipSchema};

/// Time limit for rendering the clip once its files are available, in addition to its length.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Up to three minutes of an output with audio, as an MP4; free.
///
/// The clip matches the output, with captions, overlays, transitions, music and voice, but its video is small (360
/// pixels on the short side). Set `params.seed` to preview the output of that seed; without it, all previews use the
/// same random values. The headers `x-at-seconds` and `x-length-seconds` return the start of the clip and the length
/// of the output. Each user can render one clip at a time; closing the connection cancels the work.
#[utoipa::path(post, path = "/open-api/v1/preview/clip", operation_id = "previewClip", tag = "previews",
    security(("apiKey" = ["submit"])),
    request_body(content = PreviewClipSchema, description = "The request to preview, and the seconds."),
    responses((status = 200, description = "The clip.", content_type = "video/mp4", body = inline(FileBytes))))]
pub async fn clip(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Response> {
    let clip_request = read(&app, caller.user, request, parse_clip).await?;
    let ClipRequest { request, moment, seconds } = &clip_request;
    let uploads = own_uploads(&app, caller.user, request).await?.contents;
    let seed = request.params.seed().unwrap_or(SEED);
    let planning = app.media.plan_clip(request, seed, moment, *seconds, &uploads);
    let planned = within_timeout(&app, caller.user, planning).await?;
    let planned = planned.map_err(|error| failed_moment(error, request, moment))?;
    let _long = match planned.is_long() {
        true => Some(app.semaphores.long_clips.acquire(caller.user).await?),
        false => None,
    };
    let _permit = app.semaphores.clips.acquire(caller.user).await?;
    let making = app.render_time.charge(caller.user, app.media.make_clip(&planned));
    let outcome = tokio::time::timeout(TIMEOUT + Duration::from_secs_f64(planned.seconds()), making).await;
    let late = |_| ApiError::no_image(message::clip_too_slow());
    let clip = outcome.map_err(late)?.map_err(|error| failed_file(error, request, moment))?;
    let response = ([(header::CONTENT_TYPE, "video/mp4")], clip).into_response();
    Ok(placed(response, planned.at_s, planned.length_s))
}
