//! The state that all handlers share.

use std::net::SocketAddr;
use std::sync::Arc;

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
use crate::http::usage::Usage;
use crate::links::Links;
use crate::media_service::MediaService;
use crate::previews::frames::FrameCache;
use crate::rate_limits::RateLimits;
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
    pub media: Arc<dyn MediaService>,
    pub(crate) rates: RateLimits,
    pub(crate) readiness: Readiness,
    /// Limits of expensive calls, shared fairly among users.
    pub semaphores: Semaphores,
    pub render_time: Arc<RenderTime>,
    /// Limits of all connections to this process.
    pub http_limits: HttpLimits,
    pub key_uses: KeyUses,
    pub(crate) task_watch: TaskWatch,
    pub(crate) batch_watch: BatchWatch,
    pub(crate) eta: Eta,
    /// Uploads in progress, in bytes for each user.
    pub(crate) arriving: Arc<Usage>,
    /// The number of open event streams of each user.
    pub(crate) event_streams: Arc<Usage>,
    /// Bytes of responses that were not read yet.
    pub(crate) unread: Arc<Usage>,
    /// Sends callbacks.
    pub(crate) sender: Sender,
    pub(crate) frames: FrameCache,
    pub(crate) similarities: SimilarityCache,
    /// Cancelled when the service stops; ends open streams.
    pub stopping: CancellationToken,
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
    /// Fails while the disk is too full to accept more files.
    pub(crate) fn require_disk_space(&self) -> ApiResult<()> {
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
        media: Arc<dyn MediaService>,
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
        let frames = FrameCache::new(semaphores.frames.clone(), render_time.clone());
        let similarities = SimilarityCache::new(semaphores.plans.clone());
        let task_watch = TaskWatch::new(store.clone());
        let batch_watch = BatchWatch::new(store.clone());
        Ok(Arc::new(Self {
            store,
            config,
            links,
            data,
            disk,
            media,
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
