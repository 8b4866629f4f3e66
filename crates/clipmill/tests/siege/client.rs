//! The client of one user.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use reqwest::RequestBuilder;
use serde_json::Value;
use tokio::time::Instant;

use crate::harness::API;

#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    pub host: String,
    key: String,
}

/// A response: the status, `code` of the envelope (0 without an envelope), `data`, and its duration.
#[derive(Debug, Clone)]
pub struct ApiResponse {
    pub status: u16,
    pub code: u64,
    pub data: Value,
    pub length: usize,
    pub took: Duration,
}

impl Client {
    pub fn new(host: &str, key: &str) -> Self {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { http, host: host.to_owned(), key: key.to_owned() }
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.http.get(format!("http://{}{API}{path}", self.host)).header("X-API-Key", &self.key)
    }

    pub fn post(&self, path: &str) -> RequestBuilder {
        self.http.post(format!("http://{}{API}{path}", self.host)).header("X-API-Key", &self.key)
    }

    pub fn head(&self, method: &str, path: &str) -> String {
        format!("{method} {API}{path} HTTP/1.1\r\nHost: {}\r\nX-API-Key: {}\r\n", self.host, self.key)
    }

    pub fn link(&self, url: &str) -> RequestBuilder {
        self.http.get(url)
    }
}

/// Sends a request and reads the whole answer.
pub async fn call(request: RequestBuilder) -> reqwest::Result<ApiResponse> {
    let began = Instant::now();
    let response = request.send().await?;
    let status = response.status().as_u16();
    let bytes = response.bytes().await?;
    let took = began.elapsed();
    let envelope: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let code = envelope["code"].as_u64().unwrap_or(0);
    Ok(ApiResponse { status, code, data: envelope["data"].clone(), length: bytes.len(), took })
}

/// By kind of attack and outcome.
pub type ResponseCounts = BTreeMap<&'static str, BTreeMap<String, usize>>;

#[derive(Default)]
pub struct Tally(Mutex<ResponseCounts>);

impl Tally {
    pub fn count(&self, kind: &'static str, outcome: &str) {
        *self.0.lock().unwrap().entry(kind).or_default().entry(outcome.to_owned()).or_default() += 1;
    }

    pub fn answers(&self) -> ResponseCounts {
        self.0.lock().unwrap().clone()
    }
}
