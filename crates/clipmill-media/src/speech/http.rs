//! The OpenAI-compatible form of a speech service: `POST …/audio/speech`.

use std::path::Path;
use std::time::Duration;

use clipmill_core::message::{self, Message};
use clipmill_core::speech::Speech;
use futures_util::StreamExt;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use url::Url;

use super::ServiceFailure;
use crate::error::MediaError;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The most characters of a content type in messages.
const SHOWN_TYPE: usize = 60;

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
    most_bytes: u64,
) -> Result<(), ServiceFailure> {
    let mut body = json!({
        "input": speech.text, "voice": voice, "speed": speech.speed, "response_format": "wav",
    });
    if !call.model.is_empty() {
        body["model"] = json!(call.model);
    }
    let response = post(client, call, "audio/speech", &body).await?;
    check_audio(&response)?;
    receive(response, to, most_bytes).await
}

async fn post(client: &Client, call: Call<'_>, path: &str, body: &Value) -> Result<Response, ServiceFailure> {
    let url = format!("{}/{path}", call.base.as_str().trim_end_matches('/'));
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.extend(call.authorization.map(|key| (AUTHORIZATION, key.clone())));
    let response = client.post(url).headers(headers).body(body.to_string()).send().await;
    let response = response.map_err(of_transport)?;
    match response.status() {
        status if status.is_success() => Ok(response),
        status => Err(of_status(status)),
    }
}

/// A refused text is refused again; anything else may pass, or the operator can fix it.
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

fn check_audio(response: &Response) -> Result<(), ServiceFailure> {
    let header = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = header.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_audio = ["audio/", "video/", "application/octet-stream", "binary/octet-stream", "application/ogg"]
        .iter()
        .any(|good| kind.starts_with(good));
    match kind.is_empty() || is_audio {
        true => Ok(()),
        false => Err(failure(message::speech_not_audio(kind.chars().take(SHOWN_TYPE).collect::<String>()))),
    }
}

async fn receive(response: Response, to: &Path, most_bytes: u64) -> Result<(), ServiceFailure> {
    let unwritable = |error: std::io::Error| {
        tracing::error!(%error, path = %to.display(), "the audio of a speech service cannot be stored");
        failure(message::our_fault())
    };
    let mut file = tokio::fs::File::create(to).await.map_err(unwritable)?;
    let (mut body, mut received) = (response.bytes_stream(), 0_u64);
    while let Some(chunk) = body.next().await {
        let chunk = chunk.map_err(of_transport)?;
        received = received.saturating_add(chunk.len() as u64);
        if received > most_bytes {
            return Err(failure(message::speech_too_large(most_bytes)));
        }
        file.write_all(&chunk).await.map_err(unwritable)?;
    }
    file.flush().await.map_err(unwritable)
}
