//! A service in its own folder, and helpers to call it.

use std::collections::{BTreeMap, BTreeSet};
use std::future::pending;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode, header};
use clipmill_core::editorial::EditorialTimeline;
use clipmill_core::encoding::Encoding;
use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::UserId;
use clipmill_core::media::{AudioInfo, ContentHash, Facts, MediaInfo, Size, VideoInfo};
use clipmill_core::message::{self, Message};
use clipmill_core::plan::{
    Context, DivisionSettings, FrameError, InputKind, Moment, NeededInput, Plan, PlannedClip, PlannedFrame,
    PlannedItem, clip_inputs, editorial_inputs, frame_inputs,
};
use clipmill_core::request::model::TaskRequest;
use clipmill_core::segment::Toolchain;
use clipmill_core::speech::Speech;
use clipmill_media::cache::disk::Disk;
use clipmill_media::previews::excerpt::PlannedAudioExcerpt;
use clipmill_server::App;
use clipmill_server::Config;
use clipmill_server::DataDir;
use clipmill_server::MediaService;
use clipmill_server::SpokenAudio;
use clipmill_server::account::users;
use clipmill_server::clock;
use clipmill_store::sqlite::SqliteStore;
use clipmill_store::{NewUser, Scope, Scopes, Store};
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

use crate::messages;
use crate::on_postgres;
use crate::postgres_server::Database;

pub const API: &str = "/open-api/v1/video-process";

pub struct Service {
    pub router: Router,
    pub store: Arc<dyn Store>,
    pub data: DataDir,
    pub app: Arc<App>,
    pub media: Arc<FakeMedia>,
    _dir: TempDir,
    _database: Option<Database>,
}

/// A user of the service with a key.
pub struct User {
    pub id: UserId,
    pub key: String,
}

#[derive(Debug)]
pub struct ApiResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// Takes files that begin with `MEDIA` for media, and panics at `PANIC`.
#[derive(Default)]
pub struct FakeMedia {
    /// Number of rendered frames.
    pub frames: AtomicUsize,
    /// Number of clips that are being rendered.
    pub clips: AtomicUsize,
    /// Contents of media that were probed.
    probed: Mutex<BTreeSet<String>>,
    /// Users and texts that were spoken.
    pub spoken: Mutex<Vec<(UserId, Speech)>>,
}

#[async_trait]
impl MediaService for FakeMedia {
    async fn probe(&self, path: &Path, sha256: &str) -> Result<Value, TaskError> {
        let bytes = std::fs::read(path)
            .map_err(|e| TaskError::new(ErrorCode::Internal, Message::without_code(e.to_string())))?;
        assert!(!bytes.starts_with(b"PANIC"), "simulated failure");
        if bytes.starts_with(b"SLOW") {
            pending::<()>().await;
        }
        let media = bytes.starts_with(b"MEDIA").then(|| media_of(ContentHash(sha256.into())));
        if media.is_some() {
            self.probed.lock().unwrap().insert(sha256.to_owned());
        }
        let media = media.as_ref().map(clipmill_server::view::media);
        media.ok_or_else(|| TaskError::new(ErrorCode::NotMedia, message::no_audio()))
    }

    async fn spoken(&self, _: UserId, _: &Speech) -> Option<ContentHash> {
        None
    }

    async fn transcribed(&self, _: UserId, _: &ContentHash) -> Option<ContentHash> {
        None
    }

    async fn spoken_audio(&self, user: UserId, speech: &Speech) -> Result<Option<SpokenAudio>, TaskError> {
        let is_spoken = self.spoken.lock().unwrap().contains(&(user, speech.clone()));
        Ok(is_spoken.then(|| SpokenAudio { wav: speech.text.clone().into_bytes() }))
    }

    /// Fails at texts that begin with `FAIL`.
    async fn speak(&self, user: UserId, speech: &Speech) -> Result<SpokenAudio, TaskError> {
        if speech.text.starts_with("FAIL") {
            let message = message::speech_failed("speaker", message::speech_status(500u16));
            return Err(TaskError::new(ErrorCode::SpeechFailed, message));
        }
        self.spoken.lock().unwrap().push((user, speech.clone()));
        Ok(SpokenAudio { wav: speech.text.clone().into_bytes() })
    }

    async fn forget_speech(&self, user: UserId, speech: &Speech) {
        self.spoken.lock().unwrap().retain(|spoken| *spoken != (user, speech.clone()));
    }

    async fn known(&self, uploads: &BTreeMap<String, ContentHash>) -> Facts {
        let probed = self.probed.lock().unwrap();
        let known_uploads = uploads.iter().filter(|(_, content)| probed.contains(&*content.0));
        let media = known_uploads.map(|(url, content)| (url.clone(), Ok(media_of(content.clone()))));
        Facts { media: media.collect(), ..Facts::default() }
    }

    /// Makes every fetch fail.
    async fn plan(&self, request: &TaskRequest, _: u64, _: &BTreeMap<String, ContentHash>) -> Plan {
        arrive(&format!("{request:?}")).await;
        let error = TaskError::new(ErrorCode::DownloadFailed, Message::without_code("simulated failure"))
            .input("https://media.example/a.mp4");
        let items = (1..=request.params.total_items() as u32).map(|item_no| PlannedItem {
            item_no,
            seed: 1,
            recipe: Value::Null,
            footage: Default::default(),
            outcome: Err(error.clone()),
            warnings: vec![],
        });
        Plan { segments: vec![], items: items.collect(), diversity: None, warnings: vec![] }
    }

    /// Files that begin with `MEDIA` can be shown, others not; nothing can be fetched.
    async fn plan_frame(
        &self,
        request: &TaskRequest,
        seed: u64,
        moment: &Moment,
        uploads: &BTreeMap<String, ContentHash>,
    ) -> Result<PlannedFrame, FrameError> {
        arrive(&format!("{request:?}")).await;
        let facts = looked(uploads, |facts| frame_inputs(request, seed, facts, moment));
        let toolchain = toolchain();
        clipmill_core::plan::frame(request, seed, &facts, &context(&toolchain), moment)
    }

    async fn plan_thumbnail(
        &self,
        url: &str,
        upload: Option<ContentHash>,
        at_s: Option<f64>,
    ) -> Result<PlannedFrame, TaskError> {
        arrive(url).await;
        let content = upload.ok_or_else(|| not_fetched(url))?;
        let toolchain = toolchain();
        clipmill_core::plan::thumbnail(&media_of(content), url, &context(&toolchain), at_s)
    }

    async fn probe_url(&self, url: &str, upload: Option<ContentHash>) -> Result<Value, TaskError> {
        arrive(url).await;
        let content = upload.ok_or_else(|| not_fetched(url))?;
        Ok(clipmill_server::view::media(&media_of(content)))
    }

    fn name_frame(&self, planned: &PlannedFrame, width: u32) -> String {
        planned.name(&toolchain(), width).0.to_string()
    }

    async fn plan_clip(
        &self,
        request: &TaskRequest,
        seed: u64,
        moment: &Moment,
        seconds: f64,
        uploads: &BTreeMap<String, ContentHash>,
    ) -> Result<PlannedClip, FrameError> {
        let facts = looked(uploads, |facts| clip_inputs(request, seed, facts, moment));
        let toolchain = toolchain();
        clipmill_core::plan::clip(request, seed, &facts, &context(&toolchain), moment, seconds)
    }

    async fn plan_editorial(
        &self,
        request: &TaskRequest,
        seed: u64,
        item_no: u32,
        contents: &BTreeMap<String, ContentHash>,
    ) -> Result<EditorialTimeline, FrameError> {
        let facts = looked(contents, |facts| editorial_inputs(request, seed, facts, item_no));
        let toolchain = toolchain();
        clipmill_core::plan::editorial_timeline(request, seed, &facts, &context(&toolchain), item_no)
    }

    /// Returns the parameters as text instead of a clip. A clip that begins at seven seconds never finishes.
    async fn make_clip(&self, planned: &PlannedClip) -> Result<Vec<u8>, TaskError> {
        let _in_progress = InProgress::of(&self.clips);
        if planned.at_s == 7.0 {
            pending::<()>().await;
        }
        Ok(format!("MP4 {} {}", planned.at_s, planned.rendition.frames.0).into_bytes())
    }

    async fn plan_audio_excerpt(
        &self,
        url: &str,
        upload: Option<ContentHash>,
        at_s: f64,
        seconds: f64,
    ) -> Result<PlannedAudioExcerpt, TaskError> {
        arrive(url).await;
        let info = media_of(upload.ok_or_else(|| not_fetched(url))?);
        PlannedAudioExcerpt::of(&info, url, at_s, seconds).ok_or_else(|| clipmill_core::plan::no_audio(url))
    }

    async fn make_audio_excerpt(&self, planned: &PlannedAudioExcerpt) -> Result<Vec<u8>, TaskError> {
        Ok(format!("M4A {} {}", planned.at_s, planned.seconds).into_bytes())
    }

    /// Returns the parameters as text instead of an image.
    async fn make_frame(&self, planned: &PlannedFrame, width: u32) -> Result<Vec<u8>, TaskError> {
        self.frames.fetch_add(1, Ordering::Relaxed);
        Ok(format!("JPEG {width} {}", planned.exact.frame.0).into_bytes())
    }
}

/// Counts as long as it lives.
struct InProgress<'c>(&'c AtomicUsize);

impl<'c> InProgress<'c> {
    fn of(count: &'c AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for InProgress<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A file with `slow` in its address never arrives.
async fn arrive(named: &str) {
    if named.contains("slow.mp4") {
        pending::<()>().await;
    }
}

fn toolchain() -> Toolchain {
    Toolchain { ffmpeg: "1".into(), x264: "1".into(), libass: "1".into() }
}

fn context(toolchain: &Toolchain) -> Context<'_> {
    Context {
        toolchain,
        font: Err(message::no_font()),
        encoding: Encoding::standard(1),
        max_item_seconds: 3600,
        max_input_bytes: u64::MAX,
        division: DivisionSettings { width: 2, part_seconds: 30 },
        is_wanted: &|| true,
    }
}

/// Every upload is a video of ten seconds.
fn media_of(content: ContentHash) -> MediaInfo {
    let (video, audio) = (VideoInfo::plain(Size::new(640, 360), 10.0, 30.0), AudioInfo::plain(10.0));
    MediaInfo {
        content,
        size_bytes: 1,
        format: "mp4".into(),
        video: Some(video),
        audio: Some(audio),
        animation: None,
        condition: None,
    }
}

fn not_fetched(url: &str) -> TaskError {
    TaskError::new(ErrorCode::DownloadFailed, Message::without_code("simulated failure")).input(url)
}

fn looked(uploads: &BTreeMap<String, ContentHash>, needed: impl Fn(&Facts) -> Vec<NeededInput>) -> Facts {
    let mut facts = Facts::default();
    loop {
        let needed = needed(&facts);
        if needed.is_empty() {
            return facts;
        }
        for NeededInput { url, kind } in needed {
            if kind == InputKind::Subtitle {
                facts.subtitles.insert(url.clone(), Err(not_fetched(&url)));
                continue;
            }
            let content = uploads.get(&url).cloned();
            let info = content.map(media_of).ok_or_else(|| not_fetched(&url));
            facts.media.insert(url, info);
        }
    }
}

impl Service {
    pub async fn start() -> Self {
        Self::with(|_| ()).await
    }

    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        Self::on_disk(change, |data, keep_free| Disk::new(data.root(), keep_free)).await
    }

    /// With the given disk accounting, which `disk` creates from the data folder and the space to keep free.
    pub async fn on_disk(change: impl FnOnce(&mut Config), disk: impl FnOnce(&DataDir, u64) -> Disk) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let data = DataDir::open(dir.path()).unwrap();
        let (store, database): (Arc<dyn Store>, _) = if on_postgres::chosen() {
            let (store, database) = on_postgres::open().await;
            (store, Some(database))
        } else {
            (Arc::new(SqliteStore::open(&dir.path().join("db")).await.unwrap()), None)
        };
        let mut config = Config::default();
        // Many tests send crowds of requests; the rate limits have tests of their own.
        config.limits.read_burst = 100_000.try_into().unwrap();
        config.limits.submit_burst = 100_000.try_into().unwrap();
        config.limits.preview_burst = 100_000.try_into().unwrap();
        change(&mut config);
        let bound = "127.0.0.1:8080".parse().unwrap();
        let media = Arc::new(FakeMedia::default());
        let disk = disk(&data, config.storage.keep_free.0);
        let app = App::open(store.clone(), config, data.clone(), disk, media.clone(), bound).await.unwrap();
        Self {
            router: clipmill_server::router(app.clone()),
            store,
            data,
            app,
            media,
            _dir: dir,
            _database: database,
        }
    }

    /// Sends callbacks from now on.
    pub fn deliver(&self) {
        let delivery = Arc::new(clipmill_server::delivery::Delivery::new(self.app.clone()));
        tokio::spawn(delivery.run(self.app.stopping.clone(), Default::default()));
    }

    pub async fn user(&self, name: &str, points: u64) -> User {
        let now = clock::now_ms();
        let new = NewUser { name: name.to_owned(), webhook_secret: "whsec_x".to_owned() };
        let id = self.store.users().add(new, now).await.unwrap().id;
        if points > 0 {
            self.store.points().grant(id, points, "to try", now).await.unwrap();
        }
        User { id, key: self.key(id, None).await }
    }

    pub async fn key(&self, user: UserId, expires_at: Option<i64>) -> String {
        users::issue_key(&*self.store, user, Scopes::default(), expires_at).await.unwrap().text
    }

    /// The same user with a key for these scopes only.
    pub async fn scoped(&self, user: &User, scopes: &[Scope]) -> User {
        let scopes = Scopes::of(scopes.iter().copied()).unwrap();
        let key = users::issue_key(&*self.store, user.id, scopes, None).await.unwrap();
        User { id: user.id, key: key.text }
    }

    pub async fn call(&self, request: Request<Body>) -> ApiResponse {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        let response = ApiResponse { status: parts.status, headers: parts.headers, body };
        if let Ok(json) = serde_json::from_slice(&response.body) {
            messages::check(&json);
        }
        response
    }

    pub async fn get(&self, user: &User, path: &str) -> ApiResponse {
        self.call(keyed(user, "GET", path).body(Body::empty()).unwrap()).await
    }

    pub async fn submit(&self, user: &User, body: &Value) -> ApiResponse {
        self.submit_text(user, body.to_string()).await
    }

    pub async fn submit_text(&self, user: &User, body: impl Into<Body>) -> ApiResponse {
        self.post(user, &format!("{API}/submit"), body).await
    }

    /// Sends JSON.
    pub async fn post(&self, user: &User, path: &str, body: impl Into<Body>) -> ApiResponse {
        let request = keyed(user, "POST", path);
        let request = request.header(header::CONTENT_TYPE, "application/json; charset=utf-8");
        self.call(request.body(body.into()).unwrap()).await
    }

    /// JSON by any method.
    pub async fn send(&self, method: &str, user: &User, path: &str, body: &Value) -> ApiResponse {
        let request = keyed(user, method, path).header(header::CONTENT_TYPE, "application/json");
        self.call(request.body(body.to_string().into()).unwrap()).await
    }

    pub async fn upload(&self, user: &User, path: &str, bytes: impl Into<Body>) -> ApiResponse {
        self.call(keyed(user, "POST", path).body(bytes.into()).unwrap()).await
    }
}

impl ApiResponse {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {:?}", self.body))
    }

    /// `data` of a successful response.
    pub fn data(&self) -> Value {
        let mut json = self.json();
        assert_eq!((self.status, &json["code"]), (StatusCode::OK, &json!(0)), "{json}");
        json["data"].take()
    }

    pub fn code(&self) -> u64 {
        self.json()["code"].as_u64().unwrap()
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

/// [`task`] with a name given by the client.
pub fn named_task(client_task_id: &str) -> Value {
    let mut task = task();
    task["clientTaskId"] = json!(client_task_id);
    task
}
