//! `POST /open-api/v1/uploads`: the raw body is a file, to be named by `upload://…` in later requests.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use clipmill_blobs::{About, BlobResult, Bucket, key};
use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::UserId;
use clipmill_core::message;
use clipmill_media::cache::disk::GrowingReservation;
use clipmill_media::cache::mark_used;
use clipmill_store::{MediaKind, NewUpload, StorageFull, UploadFacts, UploadOutcome};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::fs::File;
use tokio::io::{AsyncWriteExt, BufWriter};
use tracing::Instrument;

use crate::api::extract::body::{declared_length, is_form, next_chunk};
use crate::api::extract::query::{Params, short};
use crate::app::App;
use crate::auth::{Caller, Submit};
use crate::clock;
use crate::config::units::ByteSize;
use crate::error::{ApiError, ApiResult};
use crate::http::usage::Share;
use crate::observe::metric;
use crate::settings;
use crate::view::{Answer, Envelope, FileBytes, UploadView};

const MAX_NAME_LENGTH: usize = 255;
const BUFFER: usize = 256 << 10;

/// Upload a file; the raw body is the file, not a form (`multipart/form-data` is refused).
///
/// Use the `url` of the response wherever a request takes a URL. It works for the same user only.
#[utoipa::path(post, path = "/open-api/v1/uploads", operation_id = "uploadFile", tag = "files",
    security(("apiKey" = ["submit"])),
    params(("fileName" = Option<String>, Query, max_length = 255, description = "Display name of the file.")),
    request_body(content = inline(FileBytes), content_type = "application/octet-stream", description = "The file."),
    responses((status = 200, description = "The file's URL and the streams found in it.", body = Answer<UploadView>)))]
pub async fn upload(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    mut params: Params,
    request: Request,
) -> ApiResult<Envelope<UploadView>> {
    let file_name = params.read("fileName", message::short_text(), |text| short(text, MAX_NAME_LENGTH));
    params.finish()?;
    if is_form(request.headers()) {
        return Err(ApiError::form());
    }
    let limit = app.config.limits.upload;
    if declared_length(request.headers()).is_some_and(|length| length > limit.0) {
        return Err(ApiError::too_large(limit));
    }
    if app.semaphores.looks.is_crowded(caller.user) {
        return Err(ApiError::busy());
    }
    let announced = declared_length(request.headers()).unwrap_or(0);
    let mut room = RemainingStorage::of(&app, caller.user).await?;
    // Reserve at least a byte even if no length was announced.
    room.take(announced.max(1))?;
    let space = app.disk.arriving(announced)?;
    let upload = receive(&app, request.into_body(), limit, &mut room, space).await?;
    let id = format!("{:032x}", u128::from_be_bytes(clock::random()?));
    Ok(Envelope(register(&app, caller.user, id, upload, file_name).await?))
}

/// Registers the file as the user's upload and moves it into its place; returns the response data. Once started, it
/// runs to its end even if the client disconnects.
pub(crate) async fn register(
    app: &Arc<App>,
    user: UserId,
    id: String,
    held: CompleteUpload,
    file_name: Option<String>,
) -> ApiResult<UploadView> {
    let app = app.clone();
    let registered = async move {
        let now = clock::now_ms();
        let record = NewUpload {
            id: id.clone(),
            user,
            content_sha256: held.sha256.clone(),
            size_bytes: held.size_bytes,
            file_name,
            created_at: now,
            quota: settings::quota(&app.config, now),
        };
        // Other uploads may have arrived at another process, so the store decides. It is asked before the file is put
        // among the inputs, because a file there may be another user's as well and could not be removed again.
        if let UploadOutcome::StorageFull(full) = app.store.library().add(record).await? {
            return Err(ApiError::storage_full(full));
        }
        let arrived = held.keep(&app).await?;
        metric::count(metric::UPLOADS, &[], 1);
        metric::count(metric::UPLOAD_BYTES, &[], arrived.size_bytes);
        Ok(view(&app, user, &id, arrived).await)
    };
    tokio::spawn(registered.in_current_span()).await.map_err(ApiError::internal)?
}

pub(crate) async fn view(app: &App, user: UserId, id: &str, arrived: StoredUpload) -> UploadView {
    let media = probe(app, user, &arrived).await;
    let StoredUpload { sha256, size_bytes, .. } = arrived;
    let facts =
        media.as_ref().and_then(|media| Some(UploadFacts { kind: kind_of(media)?, media: media.clone() }));
    if let Some(facts) = facts
        && let Err(error) = app.store.library().describe(user, &sha256, facts).await
    {
        // The upload succeeded all the same; only its details are missing in the library.
        tracing::warn!(%error, "the probe result of an upload could not be stored");
    }
    UploadView { url: format!("upload://{id}"), size_bytes, sha256, media }
}

/// A user's remaining storage; uploads that arrive at the same time are counted together.
pub(crate) struct RemainingStorage {
    arriving: Share,
    stored: u64,
    limit: u64,
}

impl RemainingStorage {
    pub async fn of(app: &App, user: UserId) -> ApiResult<Self> {
        let now = clock::now_ms();
        let quota = settings::quota(&app.config, now);
        let stored = match quota.stored_bytes {
            0 => 0,
            _ => app.store.library().stored_bytes(user, quota.uploads_since, now).await?,
        };
        Ok(Self { arriving: app.arriving.share(user), stored, limit: quota.stored_bytes })
    }

    /// Reserves this many bytes for the file, in addition to what was reserved before.
    pub fn take(&mut self, size_bytes: u64) -> ApiResult<()> {
        if self.limit == 0 {
            return Ok(());
        }
        let remaining = self.limit.saturating_sub(self.stored);
        self.arriving.grow_to(size_bytes, remaining).map_err(|arriving| {
            let stored = self.stored.saturating_add(arriving);
            ApiError::storage_full(StorageFull { stored, limit: self.limit })
        })
    }
}

/// A complete file before it is moved into the inputs folder. It is removed when dropped unless it was moved.
pub(crate) struct CompleteUpload {
    path: TempPath,
    pub sha256: String,
    size_bytes: u64,
}

impl CompleteUpload {
    pub fn new(path: TempPath, sha256: String, size_bytes: u64) -> Self {
        Self { path, sha256, size_bytes }
    }

    /// Moves the file to the place for its content, here and in shared storage. A file that exists there already has
    /// the same bytes and stays: a run of ffmpeg that is just being confined to it must find it, and not another of
    /// the same name.
    pub async fn keep(mut self, app: &App) -> ApiResult<StoredUpload> {
        let path = app.data.input(&self.sha256);
        if !is_stored(&path, self.size_bytes) {
            self.path.rename(&path).await?;
        }
        // The response confirms that the file is stored, so it must survive a power cut.
        File::open(app.data.inputs()).await?.sync_all().await?;
        let arrived = StoredUpload { path, sha256: self.sha256, size_bytes: self.size_bytes };
        if let Some(bucket) = app.data.bucket() {
            arrived.share(bucket).await.map_err(ApiError::unavailable)?;
        }
        Ok(arrived)
    }
}

/// Whether a file of this size exists; it counts as used now.
fn is_stored(path: &Path, size_bytes: u64) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| metadata.len() == size_bytes) && mark_used(path)
}

/// A file in its place among the inputs.
pub(crate) struct StoredUpload {
    path: PathBuf,
    sha256: String,
    size_bytes: u64,
}

impl StoredUpload {
    /// A file that was stored before.
    pub fn existing(app: &App, sha256: String, size_bytes: u64) -> Self {
        Self { path: app.data.input(&sha256), sha256, size_bytes }
    }

    async fn share(&self, bucket: &Bucket) -> BlobResult<()> {
        let name = key::input(&self.sha256);
        if bucket.head(&name).await?.is_some() {
            return Ok(());
        }
        let about = About { sha256: Some(self.sha256.clone()), ..About::default() };
        bucket.put(&name, &self.path, &about).await
    }
}

async fn receive(
    app: &App,
    body: Body,
    limit: ByteSize,
    room: &mut RemainingStorage,
    mut space: GrowingReservation,
) -> ApiResult<CompleteUpload> {
    let name = format!("{:032x}.part", u128::from_be_bytes(clock::random()?));
    let mut incoming = IncomingUpload::create(app.data.uploads().join(name)).await?;
    let timeout = app.config.server.stall_timeout.get();
    let mut chunks = body.into_data_stream();
    while let Some(chunk) =
        tokio::time::timeout(timeout, next_chunk(&mut chunks)).await.map_err(|_| stalled(timeout))??
    {
        let size_bytes = incoming.size_bytes + chunk.len() as u64;
        if size_bytes > limit.0 {
            return Err(ApiError::too_large(limit));
        }
        room.take(size_bytes)?;
        space.reach(size_bytes)?;
        incoming.write(&chunk).await?;
    }
    if incoming.size_bytes == 0 {
        return Err(ApiError::unreadable(message::body_empty()));
    }
    incoming.finish().await
}

/// A file that is still arriving; removed when dropped unless it is finished.
struct IncomingUpload {
    path: TempPath,
    file: BufWriter<File>,
    hash: Sha256,
    size_bytes: u64,
}

impl IncomingUpload {
    async fn create(path: PathBuf) -> ApiResult<Self> {
        let file = File::create_new(&path).await?;
        let file = BufWriter::with_capacity(BUFFER, file);
        Ok(Self { path: TempPath::new(path), file, hash: Sha256::new(), size_bytes: 0 })
    }

    async fn write(&mut self, chunk: &Bytes) -> ApiResult<()> {
        self.size_bytes += chunk.len() as u64;
        self.hash.update(chunk);
        Ok(self.file.write_all(chunk).await?)
    }

    async fn finish(mut self) -> ApiResult<CompleteUpload> {
        self.file.flush().await?;
        self.file.get_ref().sync_all().await?;
        let sha256: String = self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(CompleteUpload::new(self.path, sha256, self.size_bytes))
    }
}

/// Removes its file when dropped, also when the client disconnects in the middle.
pub(crate) struct TempPath(Option<PathBuf>);

impl TempPath {
    pub fn new(path: PathBuf) -> Self {
        Self(Some(path))
    }

    async fn rename(&mut self, to: &Path) -> std::io::Result<()> {
        if let Some(from) = self.0.as_ref() {
            tokio::fs::rename(from, to).await?;
        }
        self.0 = None;
        Ok(())
    }
}

impl Drop for TempPath {
    fn drop(&mut self) {
        if let Some(path) = self.0.take()
            && let Err(cause) = std::fs::remove_file(&path)
            && cause.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(%cause, path = %path.display(), "cannot remove a broken upload");
        }
    }
}

async fn probe(app: &App, user: UserId, arrived: &StoredUpload) -> Option<Value> {
    // The file is registered, so it waits for a permit without a timeout.
    let _permit = app.semaphores.looks.acquire_without_timeout(user).await.ok()?;
    let not_media = |error: TaskError| {
        if error.code == ErrorCode::Internal {
            tracing::warn!(%error, "cannot probe an upload");
        }
    };
    let probing = app.media.probe(&arrived.path, &arrived.sha256);
    app.render_time.charge(user, probing).await.map_err(not_media).ok()
}

/// The kind of a file, from its streams.
fn kind_of(media: &Value) -> Option<MediaKind> {
    let has = |part: &str| !media[part].is_null();
    match (has("video"), has("audio")) {
        (true, _) if media["video"]["still"] == true => Some(MediaKind::Image),
        (true, _) => Some(MediaKind::Video),
        (false, true) => Some(MediaKind::Audio),
        (false, false) => None,
    }
}

fn stalled(timeout: Duration) -> ApiError {
    ApiError::unreadable(message::body_stalled(format!("{timeout:?}")))
}
