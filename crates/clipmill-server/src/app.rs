//! The state that all handlers share.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use clipmill_core::error::TaskError;
use clipmill_core::media::{ContentHash, Facts};
use clipmill_core::plan::{FrameError, Moment, Plan, PlannedClip, PlannedFrame, needed_inputs};
use clipmill_core::request::model::TaskRequest;
use clipmill_media::audio::excerpt::PlannedAudioExcerpt;
use clipmill_media::cache::disk::Disk;
use clipmill_store::installation::LINKS;
use clipmill_store::{LinkSecret, Store, StoreError};
use tokio_util::sync::CancellationToken;

use crate::account::key_uses::KeyUses;
use crate::batch_watch::BatchWatch;
use crate::clock;
use crate::config::Config;
use crate::data_dir::DataDir;
use crate::error::{ApiError, ApiResult};
use crate::eta::Eta;
use crate::http::HttpLimits;
use crate::http::permits::Semaphores;
use crate::http::rate_limits::RateLimits;
use crate::http::usage::Usage;
use crate::links::Links;
use crate::previews::frames::FrameCache;
use crate::readiness::Readiness;
use crate::render_time::RenderTime;
use crate::settings;
use crate::similarities::SimilarityCache;
use crate::task_watch::TaskWatch;
use crate::webhook::Sender;

/// JSON bodies up to this size are small.
pub const SMALL_BODY: usize = 1 << 20;

pub struct App {
    pub store: Arc<dyn Store>,
    pub config: Config,
    pub links: Links,
    pub data: DataDir,
    /// The account of the disk that holds the data folder.
    pub disk: Disk,
    pub prober: Arc<dyn Prober>,
    pub(crate) rates: RateLimits,
    pub(crate) readiness: Readiness,
    /// Limits of expensive calls, shared fairly among users.
    pub semaphores: Semaphores,
    pub render_time: Arc<RenderTime>,
    /// Bounds of all connections to this process.
    pub http_limits: HttpLimits,
    pub key_uses: KeyUses,
    pub(crate) task_watch: TaskWatch,
    pub(crate) batch_watch: BatchWatch,
    pub(crate) eta: Eta,
    /// Uploads in progress, in bytes for each user.
    pub(crate) arriving: Arc<Usage>,
    /// The number of open event streams of each user.
    pub(crate) event_streams: Arc<Usage>,
    /// Bytes of answers that were not read yet.
    pub(crate) unread: Arc<Usage>,
    /// Sends callbacks.
    pub(crate) sender: Sender,
    pub(crate) frames: FrameCache,
    pub(crate) similarities: SimilarityCache,
    /// Cancelled when the service stops: streams that would never end, end then.
    pub stopping: CancellationToken,
}

/// Probes media files and plans requests; implemented where ffmpeg is known.
#[async_trait]
pub trait Prober: Send + Sync + 'static {
    /// Why this process cannot process media now, if it is supposed to.
    fn obstacle(&self) -> Option<String> {
        None
    }

    /// Facts about the file in the form that clients see; an error if it is not media.
    async fn probe(&self, path: &Path, sha256: &str) -> Result<serde_json::Value, TaskError>;

    /// The number of files that planning the request begins with.
    fn count_inputs(&self, request: &TaskRequest, seed: u64) -> usize {
        needed_inputs(request, seed, &Facts::default()).len()
    }

    /// Facts about these uploads that are known on this machine; nothing is fetched.
    async fn known(&self, uploads: &BTreeMap<String, ContentHash>) -> Facts;

    /// Fetches and probes the files that the request needs, and plans it. `uploads` has the content hashes of all `upload://`
    /// urls in it.
    async fn plan(&self, request: &TaskRequest, seed: u64, uploads: &BTreeMap<String, ContentHash>) -> Plan;

    /// Plans one frame of the request, from no more files than it needs.
    async fn plan_frame(
        &self,
        request: &TaskRequest,
        seed: u64,
        moment: &Moment,
        uploads: &BTreeMap<String, ContentHash>,
    ) -> Result<PlannedFrame, FrameError>;

    /// Plans one frame of a file as it is; `upload` is the content hash of an `upload://` url.
    async fn plan_thumbnail(
        &self,
        url: &str,
        upload: Option<ContentHash>,
        at_s: Option<f64>,
    ) -> Result<PlannedFrame, TaskError>;

    /// Facts about the file at a url in the form that clients see.
    async fn probe_url(&self, url: &str, upload: Option<ContentHash>)
    -> Result<serde_json::Value, TaskError>;

    /// The key of a frame: frames with the same key look the same.
    fn name_frame(&self, planned: &PlannedFrame, width: u32) -> String;

    /// Makes the frame, as a JPEG no wider than `width`.
    async fn make_frame(&self, planned: &PlannedFrame, width: u32) -> Result<Vec<u8>, TaskError>;

    /// Plans `seconds` of an output of the request, from a moment on.
    async fn plan_clip(
        &self,
        request: &TaskRequest,
        seed: u64,
        moment: &Moment,
        seconds: f64,
        uploads: &BTreeMap<String, ContentHash>,
    ) -> Result<PlannedClip, FrameError>;

    /// Makes them, as an MP4.
    async fn make_clip(&self, planned: &PlannedClip) -> Result<Vec<u8>, TaskError>;

    /// Looks for seconds of the sound of a file; `upload` tells the contents of an `upload://` url.
    async fn plan_audio_excerpt(
        &self,
        url: &str,
        upload: Option<ContentHash>,
        at_s: f64,
        seconds: f64,
    ) -> Result<PlannedAudioExcerpt, TaskError>;

    /// Makes them, as AAC in MP4.
    async fn make_audio_excerpt(&self, planned: &PlannedAudioExcerpt) -> Result<Vec<u8>, TaskError>;
}

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("no random bytes from the operating system: {0}")]
    Random(#[from] std::io::Error),
    #[error("the sender of callbacks cannot start: {0}")]
    Sender(#[from] clipmill_media::error::MediaError),
}

impl App {
    /// Fails while the disk is so full that nothing more should be stored on it.
    pub(crate) fn require_room(&self) -> ApiResult<()> {
        if self.disk.is_nearly_full() {
            return Err(ApiError::unavailable(
                "the disk of the data folder is nearly full: free space on it",
            ));
        }
        Ok(())
    }

    /// `bound` is the address that the listener got: links begin with it if no public url is configured.
    pub async fn open(
        store: Arc<dyn Store>,
        config: Config,
        data: DataDir,
        disk: Disk,
        prober: Arc<dyn Prober>,
        bound: SocketAddr,
    ) -> Result<Arc<Self>, OpenError> {
        let newest = store.installation().secret(LINKS, clock::random()?).await?;
        let first = LinkSecret { newest, since: 0, earlier: None };
        let secret = store.installation().link_secret().await?.unwrap_or(first);
        let links = Links::new(config.server.base_url(bound), &secret, config.server.link_lifetime);
        let links = links.leading_to(data.bucket().cloned());
        let rates = RateLimits::new(&config.limits);
        let readiness = Readiness::new(store.clone());
        let key_uses = KeyUses::default();
        let sender = Sender::new(settings::fetch_policy(&config.fetch), &config.callbacks)?;
        let http_limits = HttpLimits::from(&config.server);
        let semaphores = Semaphores::new(&config.limits, http_limits.max_connections);
        let render_time = Arc::new(RenderTime::default());
        let frames = FrameCache::new(semaphores.pictures.clone(), render_time.clone());
        let similarities = SimilarityCache::new(semaphores.plans.clone());
        let task_watch = TaskWatch::new(store.clone());
        let batch_watch = BatchWatch::new(store.clone());
        Ok(Arc::new(Self {
            store,
            config,
            links,
            data,
            disk,
            prober,
            rates,
            readiness,
            semaphores,
            http_limits,
            key_uses,
            task_watch,
            batch_watch,
            eta: Eta::default(),
            arriving: Arc::default(),
            event_streams: Arc::default(),
            unread: Arc::default(),
            sender,
            render_time,
            frames,
            similarities,
            stopping: CancellationToken::new(),
        }))
    }
}
