//! The client's host: serves clips and receives callbacks.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::http::Request;

/// Serves clips and receives callbacks.
#[derive(Clone)]
pub struct ClientHost {
    port: u16,
    state: Arc<State>,
}

struct State {
    /// By path.
    files: Mutex<BTreeMap<String, Vec<u8>>>,
    /// IDs of the received events of each task.
    events: Mutex<BTreeMap<String, BTreeSet<String>>>,
    /// Whether files stop in the middle.
    stuck: watch::Sender<bool>,
    waiting: watch::Sender<u32>,
}

impl ClientHost {
    pub async fn open() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let state = State {
            files: Mutex::default(),
            events: Mutex::default(),
            stuck: watch::Sender::new(false),
            waiting: watch::Sender::new(0),
        };
        let client_host = Self { port: listener.local_addr().unwrap().port(), state: Arc::new(state) };
        let serving = client_host.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serving.clone().serve(stream));
            }
        });
        client_host
    }

    /// Serves a file from now on; returns its address.
    pub fn offer(&self, name: &str, bytes: Vec<u8>) -> String {
        self.state.files.lock().unwrap().insert(format!("/{name}"), bytes);
        format!("http://127.0.0.1:{}/{name}", self.port)
    }

    pub fn hook(&self) -> String {
        format!("http://127.0.0.1:{}/hook", self.port)
    }

    /// Whether downloads stop in the middle from now on.
    pub fn set_stuck(&self, stuck: bool) {
        self.state.waiting.send_replace(0);
        self.state.stuck.send_replace(stuck);
    }

    pub fn is_waited_for(&self) -> bool {
        *self.state.waiting.borrow() > 0
    }

    /// IDs of the received events of a task.
    pub fn events_of(&self, task_no: &str) -> BTreeSet<String> {
        self.state.events.lock().unwrap().get(task_no).cloned().unwrap_or_default()
    }

    async fn serve(self, mut stream: TcpStream) -> Option<()> {
        let mut bytes = Vec::new();
        while let Some(request) = Request::next(&mut stream, &mut bytes).await {
            if request.is_post() {
                self.take(&request);
                stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await.ok()?;
            } else {
                self.send(&mut stream, request.path()).await?;
            }
        }
        None
    }

    fn take(&self, request: &Request) {
        let message: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let (id, task) = (request.header("webhook-id"), message["data"]["taskNo"].as_str());
        if let (Some(id), Some(task)) = (id, task) {
            self.state.events.lock().unwrap().entry(task.to_owned()).or_default().insert(id.to_owned());
        }
    }

    async fn send(&self, stream: &mut TcpStream, path: &str) -> Option<()> {
        let file = self.state.files.lock().unwrap().get(path).cloned();
        let Some(file) = file else {
            stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n").await.ok()?;
            return Some(());
        };
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\ncontent-length: {}\r\n\r\n", file.len());
        stream.write_all(head.as_bytes()).await.ok()?;
        let (first, rest) = file.split_at(file.len() / 2);
        stream.write_all(first).await.ok()?;
        let mut stuck = self.state.stuck.subscribe();
        if *stuck.borrow_and_update() {
            self.state.waiting.send_modify(|waiting| *waiting += 1);
            stuck.wait_for(|stuck| !stuck).await.ok()?;
        }
        stream.write_all(rest).await.ok()
    }
}
