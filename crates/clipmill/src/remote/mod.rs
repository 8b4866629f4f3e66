//! A client of a running service, for commands.

pub mod downloads;
pub mod http_client;
pub mod upload;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;
use clipmill_server::file_names;
use clipmill_server::mcp::{ApiClient, Body, Call, Reply};
use futures_util::StreamExt;
use reqwest::header::CONTENT_DISPOSITION;
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, sleep};

use crate::cli::ServiceArgs;
use crate::report::{UsageError, describe_fields};
use http_client::HttpClient;

/// A service that responded before may be unavailable for this long, for example during an upgrade.
const TIMEOUT: Duration = Duration::from_secs(300);
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(15);
/// A download without any byte for this long is aborted.
const STANDSTILL: Duration = Duration::from_secs(60);

pub struct Service {
    door: HttpClient,
    /// The client for links, which sends no key.
    links: reqwest::Client,
    reached: AtomicBool,
}

/// Why a call has no successful response.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("{}", describe(.envelope))]
    Refused { status: u16, envelope: Value },
    #[error("{0}")]
    Unreachable(String),
}

impl Failure {
    pub fn code(&self) -> u64 {
        match self {
            Self::Refused { envelope, .. } => envelope["code"].as_u64().unwrap_or_default(),
            Self::Unreachable(_) => 0,
        }
    }
}

impl Service {
    pub fn new(args: &ServiceArgs) -> anyhow::Result<Self> {
        let links = reqwest::Client::builder().read_timeout(STANDSTILL).build();
        Ok(Self {
            door: HttpClient::new(args, None)?,
            links: links.context("cannot create an HTTP client")?,
            reached: AtomicBool::new(false),
        })
    }

    /// `data` of the response.
    pub async fn ask(&self, call: Call) -> Result<Value, Failure> {
        let reply = self.fetch(call).await?;
        let mut envelope: Option<Value> = serde_json::from_slice(&reply.body).ok();
        let data = envelope.as_mut().and_then(|envelope| envelope.get_mut("data")).map(Value::take);
        data.ok_or_else(|| {
            Failure::Unreachable("the response is not from the clipmill API: check --url".to_owned())
        })
    }

    /// All entries of a paged list.
    pub async fn list(&self, call: &Call) -> Result<Vec<Value>, Failure> {
        let mut all = Vec::new();
        for page in 1_u32.. {
            let call = call.clone().with("pageNo", Some(page)).with("pageSize", Some(100));
            let mut response = self.ask(call).await?;
            let total = response["total"].as_u64().unwrap_or_default();
            let entries = response["list"].as_array_mut().map(std::mem::take).unwrap_or_default();
            let ended = entries.is_empty();
            all.extend(entries);
            if ended || all.len() as u64 >= total {
                break;
            }
        }
        Ok(all)
    }

    /// A successful response with any content. All calls of commands can safely be repeated.
    pub async fn fetch(&self, call: Call) -> Result<Reply, Failure> {
        let (end, mut pause) = (Instant::now() + TIMEOUT, FIRST_PAUSE);
        loop {
            let failure = match self.door.call(call.clone()).await {
                Ok(reply) if (200..300).contains(&reply.status) => {
                    self.reached.store(true, Ordering::Relaxed);
                    return Ok(reply);
                }
                Ok(reply) => {
                    let failure = Failure::of(&reply);
                    if !matches!(reply.status, 429 | 500 | 502..=504) {
                        return Err(failure);
                    }
                    let seconds = reply.header("retry-after").and_then(|text| text.parse().ok());
                    pause = seconds.map_or(pause, Duration::from_secs);
                    failure
                }
                Err(unreachable) => Failure::Unreachable(unreachable.0),
            };
            let may_come_back =
                matches!(failure, Failure::Refused { .. }) || self.reached.load(Ordering::Relaxed);
            if !may_come_back || Instant::now() + pause > end {
                return Err(failure);
            }
            sleep(pause).await;
            pause = (pause * 2).min(MAX_PAUSE);
        }
    }

    /// Downloads a link; returns the service's name for the file. No partial file is left behind.
    pub async fn take(&self, link: &str, file: &Path) -> anyhow::Result<Option<String>> {
        let outcome = self.take_into(link, file).await;
        if outcome.is_err() {
            let _ = tokio::fs::remove_file(file).await;
        }
        outcome
    }

    async fn take_into(&self, link: &str, file: &Path) -> anyhow::Result<Option<String>> {
        let response = self.links.get(link).send().await?.error_for_status()?;
        let disposition = response.headers().get(CONTENT_DISPOSITION).and_then(|value| value.to_str().ok());
        let name = disposition.and_then(file_names::of_header);
        let cannot = || format!("cannot write {}", file.display());
        let mut output = tokio::fs::File::create(file).await.with_context(cannot)?;
        let mut chunks = response.bytes_stream();
        while let Some(chunk) = chunks.next().await {
            output.write_all(&chunk?).await.with_context(cannot)?;
        }
        output.flush().await.with_context(cannot)?;
        Ok(name)
    }

    pub async fn post(&self, path: impl Into<String>, body: &Value) -> Result<Value, Failure> {
        self.ask(Call::post(path, Body::json(body))).await
    }
}

impl Failure {
    fn of(reply: &Reply) -> Self {
        match serde_json::from_slice::<Value>(&reply.body) {
            Ok(envelope) if envelope["code"].is_u64() => Self::Refused { status: reply.status, envelope },
            _ => Self::Unreachable(format!(
                "the service responded with status {} and not in the format of the API",
                reply.status
            )),
        }
    }
}

/// An error for the caller: either a mistake that the caller can correct, or a failure.
pub fn failed(failure: Failure) -> anyhow::Error {
    match failure {
        Failure::Refused { status, .. } if (400..500).contains(&status) && !matches!(status, 402 | 429) => {
            anyhow::Error::new(UsageError(failure.to_string()))
        }
        _ => anyhow::Error::new(failure),
    }
}

/// The text of an API error, with each wrong field or cell.
fn describe(envelope: &Value) -> String {
    let mut text = envelope["msg"].as_str().unwrap_or("refused").to_owned();
    let errors = envelope["data"]["errors"].as_array().map(Vec::as_slice).unwrap_or_default();
    if errors.len() > 1 {
        text.push_str(&describe_fields(errors));
    }
    text
}
