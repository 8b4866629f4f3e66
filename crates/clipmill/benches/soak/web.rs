//! The outside world: a host of inputs, and a receiver of callbacks that sometimes fails.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use crate::http::Request;

/// One of this many messages gets an error as the first response.
const FAILS: usize = 10;

/// The received callbacks of a task.
#[derive(Debug, Clone, Default)]
pub struct Hooks {
    /// Ids of the messages.
    pub ids: BTreeSet<String>,
    pub types: BTreeSet<String>,
    pub calls: usize,
    pub answered: usize,
}

#[derive(Clone)]
pub struct Web {
    pub port: u16,
    folder: PathBuf,
    hooks: Arc<Mutex<BTreeMap<String, Hooks>>>,
}

impl Web {
    pub async fn start(folder: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let web = Self { port, folder: folder.to_owned(), hooks: Arc::default() };
        let serving = web.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serving.clone().serve(stream));
            }
        });
        web
    }

    /// By task number.
    pub fn hooks(&self) -> BTreeMap<String, Hooks> {
        self.hooks.lock().unwrap().clone()
    }

    async fn serve(self, mut stream: TcpStream) {
        let Some(request) = Request::next(&mut stream, &mut Vec::new()).await else { return };
        let path = request.path().split('?').next().unwrap_or("/");
        let response = if request.is_post() { self.hook(&request) } else { self.file(path) };
        let _ = stream.write_all(&response).await;
        let _ = stream.shutdown().await;
    }

    fn file(&self, path: &str) -> Vec<u8> {
        match std::fs::read(self.folder.join(path.trim_start_matches('/'))) {
            Ok(bytes) => respond("200 OK", &bytes),
            Err(_) => respond("404 Not Found", b""),
        }
    }

    fn hook(&self, request: &Request) -> Vec<u8> {
        let id = request.header("webhook-id").unwrap_or("none");
        let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let task_no = body["data"]["taskNo"].as_str().unwrap_or("none").to_owned();
        let mut hooks = self.hooks.lock().unwrap();
        let number = hooks.len();
        let hook = hooks.entry(task_no).or_default();
        hook.ids.insert(id.to_owned());
        hook.types.insert(body["type"].as_str().unwrap_or("none").to_owned());
        hook.calls += 1;
        if hook.calls == 1 && number % FAILS == FAILS - 1 {
            return respond("503 Service Unavailable", b"");
        }
        hook.answered += 1;
        respond("200 OK", b"")
    }
}

fn respond(status: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: video/mp4\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}
