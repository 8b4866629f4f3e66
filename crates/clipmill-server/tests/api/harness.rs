//! A service in a folder of its own, and short ways to ask it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode, header};
use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::UserId;
use clipmill_core::media::ContentHash;
use clipmill_core::plan::{Plan, PlannedItem};
use clipmill_core::request::model::TaskRequest;
use clipmill_server::{App, Config, DataDir, Prober, accounts, clock};
use clipmill_store::sqlite::SqliteStore;
use clipmill_store::{NewUser, Scope, Scopes, Store};
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

pub const API: &str = "/open-api/v1/video-process";

pub struct Service {
    pub router: Router,
    pub store: Arc<dyn Store>,
    pub data: DataDir,
    pub app: Arc<App>,
    _dir: TempDir,
}

/// A user of the service and a key of theirs.
pub struct User {
    pub id: UserId,
    pub key: String,
}

#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// Takes files that begin with `MEDIA` for media, and panics at `PANIC`.
struct FakeProber;

#[async_trait]
impl Prober for FakeProber {
    async fn probe(&self, path: &Path, sha256: &str) -> Result<Value, TaskError> {
        let bytes = std::fs::read(path).map_err(|e| TaskError::new(ErrorCode::Internal, e.to_string()))?;
        assert!(!bytes.starts_with(b"PANIC"), "told to");
        let media = bytes.starts_with(b"MEDIA").then(|| json!({ "content": sha256 }));
        media.ok_or_else(|| TaskError::new(ErrorCode::NotMedia, "not media"))
    }

    /// As if nothing could be fetched.
    async fn plan(&self, request: &TaskRequest, _: u64, _: &BTreeMap<String, ContentHash>) -> Plan {
        let error = TaskError::new(ErrorCode::DownloadFailed, "told to").input("https://media.example/a.mp4");
        let items = (1..=request.params.total_items() as u32).map(|item_no| PlannedItem {
            item_no,
            seed: 1,
            recipe: Value::Null,
            outcome: Err(error.clone()),
            warnings: vec![],
        });
        Plan { segments: vec![], items: items.collect(), diversity: None, warnings: vec![] }
    }
}

impl Service {
    pub async fn start() -> Self {
        Self::with(|_| ()).await
    }

    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let data = DataDir::open(dir.path()).unwrap();
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&dir.path().join("db")).await.unwrap());
        let mut config = Config::default();
        // Crowds of requests are what many tests are about; the limits have their own.
        config.limits.read_burst = 100_000.try_into().unwrap();
        config.limits.submit_burst = 100_000.try_into().unwrap();
        change(&mut config);
        let bound = "127.0.0.1:8080".parse().unwrap();
        let app = App::open(store.clone(), config, data.clone(), Arc::new(FakeProber), bound).await.unwrap();
        Self { router: clipmill_server::router(app.clone()), store, data, app, _dir: dir }
    }

    /// Sends callbacks from now on.
    pub fn deliver(&self) {
        let delivery = Arc::new(clipmill_server::delivery::Delivery::new(self.app.clone()));
        tokio::spawn(delivery.run(self.app.stopping.clone(), Default::default()));
    }

    pub async fn user(&self, name: &str, points: u64) -> User {
        let now = clock::now_ms();
        let new = NewUser { name: name.to_owned(), webhook_secret: "whsec_x".to_owned() };
        let id = self.store.add_user(new, now).await.unwrap().id;
        if points > 0 {
            self.store.grant(id, points, "to try", now).await.unwrap();
        }
        User { id, key: self.key(id, None).await }
    }

    pub async fn key(&self, user: UserId, expires_at: Option<i64>) -> String {
        accounts::issue_key(&*self.store, user, Scopes::default(), expires_at).await.unwrap().text
    }

    /// The same user with a key for these scopes only.
    pub async fn scoped(&self, user: &User, scopes: &[Scope]) -> User {
        let scopes = Scopes::of(scopes.iter().copied()).unwrap();
        let key = accounts::issue_key(&*self.store, user.id, scopes, None).await.unwrap();
        User { id: user.id, key: key.text }
    }

    pub async fn call(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    pub async fn get(&self, user: &User, path: &str) -> Answer {
        self.call(keyed(user, "GET", path).body(Body::empty()).unwrap()).await
    }

    pub async fn submit(&self, user: &User, body: &Value) -> Answer {
        self.submit_text(user, body.to_string()).await
    }

    pub async fn submit_text(&self, user: &User, body: impl Into<Body>) -> Answer {
        self.post(user, &format!("{API}/submit"), body).await
    }

    /// Sends JSON.
    pub async fn post(&self, user: &User, path: &str, body: impl Into<Body>) -> Answer {
        let request = keyed(user, "POST", path);
        let request = request.header(header::CONTENT_TYPE, "application/json; charset=utf-8");
        self.call(request.body(body.into()).unwrap()).await
    }

    pub async fn upload(&self, user: &User, path: &str, bytes: impl Into<Body>) -> Answer {
        self.call(keyed(user, "POST", path).body(bytes.into()).unwrap()).await
    }
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {:?}", self.body))
    }

    /// `data` of a successful answer.
    pub fn data(&self) -> Value {
        let mut json = self.json();
        assert_eq!((self.status, &json["code"]), (StatusCode::OK, &json!(0)), "{json}");
        json["data"].take()
    }

    /// Checks that this is an error in the envelope and returns `data`.
    pub fn error(&self, code: u16) -> Value {
        let json = self.json();
        assert_eq!(json["code"], json!(code), "{json}");
        assert_eq!(self.status.as_u16(), code / 100, "{json}");
        let names: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, ["code", "msg", "data"]);
        assert!(!json["msg"].as_str().unwrap().is_empty());
        json["data"].clone()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

pub fn request(method: &str, path: &str) -> axum::http::request::Builder {
    Request::builder().method(method).uri(path)
}

pub fn keyed(user: &User, method: &str, path: &str) -> axum::http::request::Builder {
    request(method, path).header("X-API-Key", &user.key)
}

/// A task of one video of ten seconds, which costs 20 points.
pub fn task() -> Value {
    json!({
        "taskType": "videoDeduplication",
        "params": { "videoList": [{ "filename": "https://media.example/a.mp4", "duration": 10 }] },
    })
}

/// [`task`] under a name of the client's.
pub fn named_task(client_task_id: &str) -> Value {
    let mut task = task();
    task["clientTaskId"] = json!(client_task_id);
    task
}
