//! Limits how many connections one address may have, so that no single client can occupy all.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use clipmill_media::ingest::fetch::{IpNet, outside};

use crate::config::Server;
use crate::http::usage::{Share, Usage};
use crate::settings;

/// The limit and the connections of peers.
#[derive(Debug, Default)]
pub struct Peers {
    /// The most connections of one address; 0 means no limit.
    max: u64,
    proxies: Vec<IpNet>,
    open: Arc<Usage<IpAddr>>,
}

/// A connection of a peer, counted until it is dropped.
pub type PeerConnection = Share<IpAddr>;

impl Peers {
    pub fn new(config: &Server) -> Self {
        Self {
            max: config.connections_per_address.into(),
            proxies: settings::networks(&config.trusted_proxies),
            open: Arc::default(),
        }
    }

    /// Counts one more connection of the peer; `None` if it has reached the limit.
    pub fn admit(&self, peer: IpAddr) -> Option<PeerConnection> {
        let peer = peer.to_canonical();
        let mut connection = self.open.share(one_client(peer));
        if self.is_counted(peer) {
            connection.grow_to(1, self.max).ok()?;
        }
        Some(connection)
    }

    /// A private address may be a proxy's until the operator has configured which addresses are.
    fn is_counted(&self, peer: IpAddr) -> bool {
        let may_be_proxy = match self.proxies.as_slice() {
            [] => !outside(peer),
            proxies => proxies.iter().any(|net| net.contains(peer)),
        };
        self.max > 0 && !may_be_proxy
    }
}

/// The address that represents one client: for IPv6, a whole /64.
pub fn one_client(peer: IpAddr) -> IpAddr {
    match peer {
        IpAddr::V4(_) => peer,
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peers(max: u64, proxies: &[&str]) -> Peers {
        let proxies = proxies.iter().map(|net| net.parse().unwrap()).collect();
        Peers { max, proxies, open: Arc::default() }
    }

    fn admitted(peers: &Peers, addresses: &[&str]) -> Vec<bool> {
        let mut open = Vec::new();
        let admit = |address: &&str| {
            let admitted = peers.admit(address.parse().unwrap());
            let is = admitted.is_some();
            open.extend(admitted);
            is
        };
        addresses.iter().map(admit).collect()
    }

    #[test]
    fn an_address_on_the_internet_has_so_many_connections_and_others_have_theirs() {
        let peers = peers(2, &[]);
        let outcome = admitted(&peers, &["8.8.8.8", "8.8.8.8", "8.8.8.8", "::ffff:8.8.8.8", "8.8.4.4"]);
        assert_eq!(outcome, [true, true, false, false, true]);
        assert_eq!(admitted(&peers, &["8.8.8.8", "8.8.8.8"]), [true, true], "those were closed");
    }

    #[test]
    fn a_whole_64_is_one_client() {
        let addresses = ["2600:1:2:3::1", "2600:1:2:3:ffff::2", "2600:1:2:4::1"];
        assert_eq!(admitted(&peers(1, &[]), &addresses), [true, false, true]);
    }

    #[test]
    fn private_addresses_count_once_proxies_are_configured() {
        let addresses = ["10.0.0.1", "10.0.0.1", "127.0.0.1", "127.0.0.1", "8.8.8.8", "8.8.8.8"];
        assert_eq!(admitted(&peers(1, &[]), &addresses), [true, true, true, true, true, false]);
        assert_eq!(admitted(&peers(1, &["10.0.0.0/8"]), &addresses), [true, true, true, false, true, false]);
        assert_eq!(admitted(&peers(1, &["8.8.8.0/24"]), &addresses), [true, false, true, false, true, true]);
    }

    #[test]
    fn nothing_means_no_limit() {
        assert_eq!(admitted(&peers(0, &["10.0.0.0/8"]), &["8.8.8.8"; 9]), [true; 9]);
    }
}
