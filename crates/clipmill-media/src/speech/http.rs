//! The OpenAI-compatible form of a speech service: `POST …/audio/speech` and `POST …/audio/transcriptions`.

use std::path::Path;
use std::time::Duration;

use clipmill_core::message::{self, Message};
use clipmill_core::speech::Speech;
use futures_util::StreamExt;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::multipart::{Form, Part};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use url::Url;

use super::ServiceFailure;
use crate::error::MediaError;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The most characters of a content type in messages.
const SHOWN_TYPE: usize = 60;
/// The most characters of a response in logs.
const SHOWN_BODY: usize = 300;

/// The service of a call.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub base: &'a Url,
    pub model: &'a str,
    pub authorization: Option<&'a HeaderValue>,
}

/// The operator chooses the address, so it may be private. A redirect would send the key elsewhere.
pub(super) fn client() -> Result<Client, MediaError> {
    Ok(Client::builder()
        .user_agent(concat!("clipmill/", env!("CARGO_PKG_VERSION")))
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .connect_timeout(CONNECT_TIMEOUT)
        .build()?)
}

/// Writes the audio of a text to the file `to`.
pub(super) async fn speak(
    client: &Client,
    call: Call<'_>,
    speech: &Speech,
    voice: &str,
    to: &Path,
    max_bytes: u64,
) -> Result<(), ServiceFailure> {
    let mut body = json!({
        "input": speech.text, "voice": voice, "speed": speech.speed, "response_format": "wav",
    });
    if !call.model.is_empty() {
        body["model"] = json!(call.model);
    }
    let response = post(client, call, "audio/speech", &body).await?;
    check_audio(&response)?;
    receive(response, to, max_bytes).await
}

/// The transcript of a WAV file as the service returns it, of at most `max_bytes`.
pub(super) async fn transcribe(
    client: &Client,
    call: Call<'_>,
    wav: Vec<u8>,
    max_bytes: usize,
) -> Result<Vec<u8>, ServiceFailure> {
    let file = Part::bytes(wav).file_name("audio.wav").mime_str("audio/wav").map_err(of_transport)?;
    let form = Form::new().part("file", file).text("response_format", "verbose_json");
    let form =
        ["word", "segment"].into_iter().fold(form, |form, unit| form.text("timestamp_granularities[]", unit));
    let form = if call.model.is_empty() { form } else { form.text("model", call.model.to_owned()) };
    let request = client.post(address(call, "audio/transcriptions")).multipart(form);
    let response = send(request, call).await?;
    let kind = content_type(&response);
    if !kind.is_empty() && !kind.ends_with("json") {
        return Err(failure(message::speech_not_text(kind.chars().take(SHOWN_TYPE).collect::<String>())));
    }
    let (mut body, mut received) = (response.bytes_stream(), Vec::new());
    while let Some(chunk) = body.next().await {
        received.extend_from_slice(&chunk.map_err(of_transport)?);
        if received.len() > max_bytes {
            return Err(failure(message::speech_too_large(max_bytes as u64)));
        }
    }
    Ok(received)
}

fn address(call: Call<'_>, path: &str) -> String {
    format!("{}/{path}", call.base.as_str().trim_end_matches('/'))
}

async fn post(client: &Client, call: Call<'_>, path: &str, body: &Value) -> Result<Response, ServiceFailure> {
    let request = client.post(address(call, path));
    send(request.header(CONTENT_TYPE, "application/json").body(body.to_string()), call).await
}

async fn send(request: RequestBuilder, call: Call<'_>) -> Result<Response, ServiceFailure> {
    let request = match call.authorization {
        Some(key) => request.header(AUTHORIZATION, key.clone()),
        None => request,
    };
    let response = request.send().await.map_err(of_transport)?;
    match response.status() {
        status if status.is_success() => Ok(response),
        status => {
            log_refusal(response, call).await;
            Err(of_status(status))
        }
    }
}

/// Logs the beginning of a response that explains a failure, without the key if it repeats it.
async fn log_refusal(mut response: Response, call: Call<'_>) {
    let status = response.status().as_u16();
    let Ok(Some(body)) = response.chunk().await else { return };
    let text = String::from_utf8_lossy(&body);
    let key = call.authorization.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let text = key.map_or(text.to_string(), |key| text.replace(key, "…"));
    let shown: String = text.chars().take(SHOWN_BODY).collect();
    tracing::warn!(status, response = shown, "a speech service refused a call");
}

/// A refused text or file is refused again; anything else may pass, or the operator can fix it.
fn of_status(status: StatusCode) -> ServiceFailure {
    let refused = [StatusCode::BAD_REQUEST, StatusCode::PAYLOAD_TOO_LARGE, StatusCode::UNPROCESSABLE_ENTITY];
    ServiceFailure { why: message::speech_status(status.as_u16()), retryable: !refused.contains(&status) }
}

fn of_transport(error: reqwest::Error) -> ServiceFailure {
    let is_unreachable = error.is_timeout() || error.is_connect();
    tracing::warn!(error = %error.without_url(), "a speech service does not respond");
    failure(if is_unreachable { message::speech_unreachable() } else { message::speech_broke() })
}

fn failure(why: Message) -> ServiceFailure {
    ServiceFailure { why, retryable: true }
}

/// The content type without parameters, in small letters; empty if there is none.
fn content_type(response: &Response) -> String {
    let header = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    header.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn check_audio(response: &Response) -> Result<(), ServiceFailure> {
    let kind = content_type(response);
    let is_audio = ["audio/", "video/", "application/octet-stream", "binary/octet-stream", "application/ogg"]
        .iter()
        .any(|good| kind.starts_with(good));
    match kind.is_empty() || is_audio {
        true => Ok(()),
        false => Err(failure(message::speech_not_audio(kind.chars().take(SHOWN_TYPE).collect::<String>()))),
    }
}

async fn receive(response: Response, to: &Path, max_bytes: u64) -> Result<(), ServiceFailure> {
    let unwritable = |error: std::io::Error| {
        tracing::error!(%error, path = %to.display(), "the audio of a speech service cannot be stored");
        failure(message::our_fault())
    };
    let mut file = tokio::fs::File::create(to).await.map_err(unwritable)?;
    let (mut body, mut received) = (response.bytes_stream(), 0_u64);
    while let Some(chunk) = body.next().await {
        let chunk = chunk.map_err(of_transport)?;
        received = received.saturating_add(chunk.len() as u64);
        if received > max_bytes {
            return Err(failure(message::speech_too_large(max_bytes)));
        }
        file.write_all(&chunk).await.map_err(unwritable)?;
    }
    file.flush().await.map_err(unwritable)
}
