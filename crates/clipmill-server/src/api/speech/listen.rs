//! `POST …/speech`: a text to listen to.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::UserId;
use clipmill_core::pricing::SpeechUse;
use clipmill_core::request::parse_listening;
use clipmill_core::speech::Speech;
use clipmill_store::{ListeningOutcome, ListeningPrice};
use tracing::Instrument;

use crate::api::extract::body::read_json;
use crate::app::{App, SMALL_BODY};
use crate::auth::{Caller, Submit};
use crate::clock;
use crate::config::units::ByteSize;
use crate::error::{ApiError, ApiResult};
use crate::media_service::SpokenAudio;
use crate::settings::request_policy;
use crate::view::{FileBytes, ListeningSchema};

/// The points that the call cost.
const POINTS: HeaderName = HeaderName::from_static("x-dot-count");

/// A text spoken by the speech service, as WAV: to choose a voice before a task uses it. Costs points by its
/// characters (header `x-dot-count`); the same text with the same voice and speed is free while its audio is kept.
#[utoipa::path(post, path = "/open-api/v1/speech", operation_id = "hearText", tag = "previews",
    security(("apiKey" = ["submit"])),
    request_body(content = ListeningSchema, description = "The text, and how to speak it."),
    responses((status = 200, description = "The audio.", content_type = "audio/wav", body = inline(FileBytes),
        headers(("x-dot-count" = u64, description = "The points that the call cost.")))))]
pub async fn listen(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Response> {
    let body = read_json(&app, caller.user, request, ByteSize(SMALL_BODY as u64)).await?;
    let speech = parse_listening(&body.bytes, &request_policy(&app.config))?;
    // With one permit per user, the quota is exact.
    let _permit = app.semaphores.speech.acquire(caller.user).await?;
    if let Some(audio) = app.media.spoken_audio(caller.user, &speech).await.map_err(failed)? {
        return Ok(response(audio, 0));
    }
    let price = price(&app, &speech);
    let allowed = app.store.points().check_listening(caller.user, price, clock::now_ms()).await?;
    refuse(allowed)?;
    app.require_disk_space()?;
    // A client that does not wait pays as well.
    let speaking = speak(app.clone(), caller.user, speech, price);
    let audio = tokio::spawn(speaking.in_current_span()).await.map_err(ApiError::internal)??;
    Ok(response(audio, price.points))
}

/// Speaks a text and charges it. Audio that cannot be charged is forgotten, so that it is not free later.
async fn speak(app: Arc<App>, user: UserId, speech: Speech, price: ListeningPrice) -> ApiResult<SpokenAudio> {
    let audio = app.render_time.charge(user, app.media.speak(user, &speech)).await.map_err(failed)?;
    let charged = app.store.points().charge_listening(user, price, clock::now_ms()).await;
    let charged = charged.map_err(ApiError::from).and_then(refuse);
    if let Err(error) = charged {
        app.media.forget_speech(user, &speech).await;
        return Err(error);
    }
    Ok(audio)
}

fn price(app: &App, speech: &Speech) -> ListeningPrice {
    let characters = speech.characters();
    let points = app.config.prices().speech_points(SpeechUse::Text(characters));
    let daily_characters = app.config.speech.listen_characters_per_day.into();
    ListeningPrice { characters, points, daily_characters }
}

fn refuse(outcome: ListeningOutcome) -> ApiResult<()> {
    match outcome {
        ListeningOutcome::Allowed => Ok(()),
        ListeningOutcome::QuotaUsedUp { characters, limit } => {
            Err(ApiError::listened_too_much(characters, limit, clock::now_ms()))
        }
        ListeningOutcome::TooFew { needed, available } => Err(ApiError::not_enough_points(needed, available)),
    }
}

fn failed(error: TaskError) -> ApiError {
    match error.code {
        ErrorCode::SpeechFailed => ApiError::speech_failed(&error.message),
        _ => error.into(),
    }
}

fn response(audio: SpokenAudio, points: u64) -> Response {
    let mut response = ([(header::CONTENT_TYPE, "audio/wav")], audio.wav).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(POINTS, HeaderValue::from(points));
    response
}
