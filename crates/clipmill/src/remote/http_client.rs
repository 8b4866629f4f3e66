//! The API of a service, over HTTP with a key.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use async_trait::async_trait;
use clipmill_server::mcp::{ApiClient, Body, Call, LocalFile, Reply, Unreachable};
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Url};
use tokio_util::io::ReaderStream;

use crate::cli::ServiceArgs;
use crate::report::{with_causes, wrong};

const KEY: &str = "x-api-key";
/// The time for connecting to the service.
const CONNECTING: Duration = Duration::from_secs(10);
/// The time for a response. An estimate that probes files may take a minute. Uploads have no limit here: the service
/// itself ends stalled ones.
const ANSWERING: Duration = Duration::from_secs(120);

/// Calls the API over HTTP.
pub struct HttpClient {
    client: Client,
    base: String,
    /// The folder that files must be in; `None` allows any.
    files: Option<PathBuf>,
}

impl HttpClient {
    /// Creates a client. With a folder, it uploads only files of that folder.
    pub fn new(args: &ServiceArgs, files: Option<&Path>) -> anyhow::Result<Self> {
        let unset = "an API key is required: set CLIPMILL_API_KEY or --key";
        let key = args.key.as_deref().map(str::trim).filter(|key| !key.is_empty());
        let mut key = HeaderValue::from_str(key.ok_or_else(|| wrong(unset))?)
            .map_err(|_| wrong("the API key contains invalid characters"))?;
        key.set_sensitive(true);
        let url = Url::parse(&args.url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = url.ok_or_else(|| {
            wrong(format!("`{}` is not an address such as https://clips.example.com", args.url))
        })?;
        let files = files.map(|folder| {
            folder.canonicalize().map_err(|error| wrong(format!("--files {}: {error}", folder.display())))
        });
        let client = Client::builder()
            .default_headers(HeaderMap::from_iter([(KEY.parse()?, key)]))
            .connect_timeout(CONNECTING)
            // The key is sent only to the address that the user set.
            .redirect(Policy::none())
            .build()
            .context("cannot create an HTTP client")?;
        Ok(Self { client, base: url.as_str().trim_end_matches('/').to_owned(), files: files.transpose()? })
    }

    /// The canonical path of a file or folder, if it is in the folder of `--files`; relative paths start there.
    async fn allowed(&self, path: &Path) -> Result<PathBuf, Unreachable> {
        // An empty path joined to a folder is that folder; alone, it is invalid.
        let from = self.files.as_deref().unwrap_or(Path::new("."));
        let real = tokio::fs::canonicalize(from.join(path)).await;
        let real = real.map_err(|error| unreadable(path, &error))?;
        if self.files.as_ref().is_some_and(|folder| !real.starts_with(folder)) {
            return Err(Unreachable(format!("{} is not in the folder that --files allows", real.display())));
        }
        Ok(real)
    }

    /// The file's content as a stream.
    async fn with_file(&self, request: RequestBuilder, path: &Path) -> Result<RequestBuilder, Unreachable> {
        let path = self.allowed(path).await?;
        let read_error = |error: std::io::Error| unreadable(&path, &error);
        let length = tokio::fs::metadata(&path).await.map_err(read_error)?;
        if !length.is_file() {
            return Err(Unreachable(format!("{} is not a file", path.display())));
        }
        let file = tokio::fs::File::open(&path).await.map_err(read_error)?;
        let body = reqwest::Body::wrap_stream(ReaderStream::new(file));
        Ok(request.header(CONTENT_LENGTH, length.len()).body(body))
    }
}

#[async_trait]
impl ApiClient for HttpClient {
    async fn call(&self, call: Call) -> Result<Reply, Unreachable> {
        let request = self.client.request(call.method, format!("{}{}", self.base, call.path));
        let request = match call.body {
            Body::None => request.timeout(ANSWERING),
            Body::Json(text) => {
                request.header(CONTENT_TYPE, "application/json").body(text).timeout(ANSWERING)
            }
            Body::Bytes(bytes) => request.body(bytes).timeout(ANSWERING),
            Body::File(path) => self.with_file(request, &path).await?,
        };
        let response = request.send().await.map_err(unreachable)?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Ok(Reply { status, headers, body: response.bytes().await.map_err(unreachable)? })
    }

    fn sends_files(&self) -> bool {
        true
    }

    async fn list_files(&self, folder: &Path) -> Result<Vec<LocalFile>, Unreachable> {
        let real = self.allowed(folder).await?;
        let read_error = |error: std::io::Error| unreadable(&real, &error);
        let mut entries = tokio::fs::read_dir(&real).await.map_err(read_error)?;
        let mut files = Vec::new();
        while let Some(entry) = entries.next_entry().await.map_err(read_error)? {
            let name = entry.file_name();
            // Links that lead elsewhere or nowhere cannot be sent, so they are not listed.
            let Ok(about) = tokio::fs::metadata(entry.path()).await else { continue };
            if name.as_encoded_bytes().starts_with(b".") || self.allowed(&entry.path()).await.is_err() {
                continue;
            }
            if about.is_file() || about.is_dir() {
                let size_bytes = about.is_file().then_some(about.len());
                files.push(LocalFile { path: folder.join(name), size_bytes });
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Unreachable {
    Unreachable(format!("{}: {error}", path.display()))
}

/// The error with its causes, because only these contain the reason.
fn unreachable(error: reqwest::Error) -> Unreachable {
    Unreachable(format!("the service cannot be reached: {}", with_causes(&error.into())))
}
