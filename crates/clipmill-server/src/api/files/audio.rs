//! `POST …/sound`: an excerpt of a file's audio.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use clipmill_core::request::{AudioExcerptRequest, parse_audio_excerpt};

use super::probe::{own, wrong};
use crate::api::extract::body::read_json;
use crate::api::previews::preview::{placed, within_timeout};
use crate::app::{App, SMALL_BODY};
use crate::auth::{Caller, Submit};
use crate::config::units::ByteSize;
use crate::error::ApiResult;
use crate::settings::request_policy;
use crate::view::{FileBytes, SoundRequestSchema};

/// Up to a minute of a file's original audio, as AAC in MP4.
/// For playback and waveforms; also works for videos. The headers `x-at-seconds` and
/// `x-length-seconds` return the start of the excerpt and the length of the file's audio.
#[utoipa::path(post, path = "/open-api/v1/sound", operation_id = "hearFile", tag = "previews",
    security(("apiKey" = ["submit"])),
    request_body(content = SoundRequestSchema, description = "The file, and the seconds to return."),
    responses((status = 200, description = "The audio.", content_type = "audio/mp4", body = inline(FileBytes))))]
pub async fn audio(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Response> {
    let body = read_json(&app, caller.user, request, ByteSize(SMALL_BODY as u64)).await?;
    let AudioExcerptRequest { url, at_s, seconds } =
        parse_audio_excerpt(&body.bytes, &request_policy(&app.config))?;
    let upload = own(&app, caller.user, &url).await?;
    let planning = app.media.plan_audio_excerpt(&url, upload, at_s, seconds);
    let planned = within_timeout(&app, caller.user, planning).await?.map_err(|error| wrong(error, &url))?;
    let _permit = app.semaphores.frames.acquire(caller.user).await?;
    let making = app.media.make_audio_excerpt(&planned);
    let audio = app.render_time.charge(caller.user, making).await.map_err(|error| wrong(error, &url))?;
    let response = ([(header::CONTENT_TYPE, "audio/mp4")], audio).into_response();
    Ok(placed(response, planned.at_s, planned.length_s))
}
