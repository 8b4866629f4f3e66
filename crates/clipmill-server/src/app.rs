//! What all handlers share.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use clipmill_core::error::TaskError;
use clipmill_store::{Store, StoreError};
use tokio::sync::Semaphore;

use crate::auth::KeyUses;
use crate::clock;
use crate::config::Config;
use crate::data_dir::DataDir;
use crate::links::Links;

/// JSON bodies above [`SMALL_BODY`] that may be in memory at the same time.
const LARGE_BODIES: usize = 4;
/// Bytes of a JSON body that anyone may send without waiting for a turn.
pub const SMALL_BODY: usize = 1 << 20;

pub struct App {
    pub store: Arc<dyn Store>,
    pub config: Config,
    pub links: Links,
    pub data: DataDir,
    pub prober: Arc<dyn Prober>,
    /// Turns for large JSON bodies: parsed, they take many times their size.
    pub large_bodies: Arc<Semaphore>,
    pub key_uses: KeyUses,
}

/// Looks into a media file; made by whoever can.
#[async_trait]
pub trait Prober: Send + Sync + 'static {
    /// Facts about the file, as the client will see them; an error when it is not media.
    async fn probe(&self, path: &Path, sha256: &str) -> Result<serde_json::Value, TaskError>;
}

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("no random bytes from the operating system: {0}")]
    Random(#[from] std::io::Error),
}

impl App {
    /// `bound` is the address that the listener really got: links begin with it when no public one is
    /// configured.
    pub async fn open(
        store: Arc<dyn Store>,
        config: Config,
        data: DataDir,
        prober: Arc<dyn Prober>,
        bound: SocketAddr,
    ) -> Result<Arc<Self>, OpenError> {
        let secret = store.secret("links", clock::random()?).await?;
        let links = Links::new(config.server.base_url(bound), secret, config.server.link_lifetime);
        let large_bodies = Arc::new(Semaphore::new(LARGE_BODIES));
        let key_uses = KeyUses::default();
        Ok(Arc::new(Self { store, config, links, data, prober, large_bodies, key_uses }))
    }
}
