//! The identity and the secrets of the installation.

use async_trait::async_trait;

use crate::common::clock::Millis;
use crate::common::error::StoreResult;

#[async_trait]
pub trait InstallationStore: Send + Sync + 'static {
    /// A secret of the installation by name. The first call creates it from `fresh`.
    async fn secret(&self, name: &str, fresh: [u8; 32]) -> StoreResult<[u8; 32]>;
    /// The width of this installation: the cores that plans are made for. The first call stores `initial`.
    async fn width(&self, initial: u32) -> StoreResult<u32>;
    /// Changes the width. Processes read it when they start.
    async fn set_width(&self, cores: u32) -> StoreResult<()>;
    /// The identity of this installation.
    async fn identity(&self) -> StoreResult<Installation>;
    /// The secret that signs links; `None` until [`InstallationStore::secret`] has created it.
    async fn link_secret(&self) -> StoreResult<Option<LinkSecret>>;
    /// A new secret signs links from `since` on; the previous one remains valid until `earlier_until`.
    async fn rotate_link_secret(
        &self,
        fresh: [u8; 32],
        since: Millis,
        earlier_until: Millis,
        now: Millis,
    ) -> StoreResult<()>;
}

/// The identity of an installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Installation {
    /// `None` until the first start.
    pub id: Option<[u8; 32]>,
    pub has_tasks: bool,
    /// `None` until the first start; see [`InstallationStore::width`].
    pub width: Option<u32>,
}

/// The secret that signs links, and the previous one after a rotation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LinkSecret {
    pub newest: [u8; 32],
    /// When it begins to sign: by then all processes have loaded it.
    pub since: Millis,
    /// The previous secret, and the time from which it is no longer valid.
    pub earlier: Option<([u8; 32], Millis)>,
}

/// The name of the id of the installation among its secrets.
pub const INSTALLATION: &str = "installation";

/// The name of the secret that signs links.
pub const LINKS: &str = "links";
