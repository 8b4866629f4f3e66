//! Secrets and identity of the installation.

use crate::clock::Millis;

/// The name of the id of the installation among its secrets.
pub const INSTALLATION: &str = "installation";
/// The name of the secret that signs links.
pub const LINKS: &str = "links";

/// The identity of an installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Installation {
    /// `None` until the first start.
    pub id: Option<[u8; 32]>,
    pub has_tasks: bool,
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
