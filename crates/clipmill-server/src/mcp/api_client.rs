//! The client through which tools call the API, with the types of calls and replies.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use axum::http::{HeaderMap, Method};
use bytes::Bytes;
use serde::Serialize;
use serde_json::Value;
use url::form_urlencoded::byte_serialize;

/// Calls the API with the key of one caller.
#[async_trait]
pub trait ApiClient: Send + Sync + 'static {
    async fn call(&self, call: Call) -> Result<Reply, Unreachable>;

    /// Whether files of the agent's own machine can be sent.
    fn sends_files(&self) -> bool {
        false
    }

    /// The files and folders of a folder of the agent's own machine, sorted by name.
    async fn list_files(&self, _folder: &Path) -> Result<Vec<LocalFile>, Unreachable> {
        Err(Unreachable("files are on the agent's own machine".to_owned()))
    }
}

/// One API call.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub method: Method,
    /// The path with its query.
    pub path: String,
    pub body: Body,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    None,
    /// JSON in the form in which it is sent.
    Json(Bytes),
    /// Bytes of a file, sent unchanged.
    Bytes(Bytes),
    /// A file of the agent's own machine, sent unchanged.
    File(PathBuf),
}

/// A file or folder of the agent's own machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LocalFile {
    /// Path for `upload_file`.
    pub path: PathBuf,
    /// `None` for a folder.
    pub size_bytes: Option<u64>,
}

/// The reply of the API.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// Why a call was not made, or got no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreachable(pub String);

impl Body {
    pub fn json(value: &Value) -> Self {
        Self::Json(value.to_string().into())
    }
}

impl Call {
    pub fn get(path: impl Into<String>) -> Self {
        Self { method: Method::GET, path: path.into(), body: Body::None }
    }

    pub fn post(path: impl Into<String>, body: Body) -> Self {
        Self { method: Method::POST, path: path.into(), body }
    }

    pub fn put(path: impl Into<String>, body: Body) -> Self {
        Self { method: Method::PUT, path: path.into(), body }
    }

    /// Escapes a text as one segment of a path.
    pub fn step(text: &str) -> String {
        byte_serialize(text.as_bytes()).collect()
    }

    /// Adds a parameter if it has a value.
    pub fn with(mut self, name: &str, value: Option<impl Display>) -> Self {
        if let Some(value) = value {
            let sign = if self.path.contains('?') { '&' } else { '?' };
            let value: String = byte_serialize(value.to_string().as_bytes()).collect();
            self.path = format!("{}{sign}{name}={value}", self.path);
        }
        self
    }
}

impl Reply {
    /// A header's value, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}
