//! The address of the client that sent a request, for limits of calls without a key.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::Request;
use clipmill_media::ingest::fetch::IpNet;

use super::peers::one_client;
use crate::config::Server;
use crate::settings;

pub use crate::context::ClientAddress;

/// The address of the client; for IPv6, its /64. Only configured proxies (`server.trusted_proxies`) are believed when
/// they name another address than that of the connection.
pub fn client(request: &Request, config: &Server) -> IpAddr {
    let peer = request.extensions().get::<ClientAddress>().map(|client| client.0);
    let peer = peer.unwrap_or(Ipv4Addr::UNSPECIFIED.into());
    let forwarded = request.headers().get_all("x-forwarded-for").iter();
    let forwarded = forwarded.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    let forwarded: Vec<&str> = forwarded.collect();
    one_client(behind_proxies(peer, &forwarded, &settings::networks(&config.trusted_proxies)))
}

/// Each proxy appends the address it was called from, so the last one that is not a proxy's is the client's. Earlier
/// ones come from the client, who can invent them.
fn behind_proxies(peer: IpAddr, forwarded: &[&str], proxies: &[IpNet]) -> IpAddr {
    let mut address = peer;
    for earlier in forwarded.iter().rev() {
        if !proxies.iter().any(|net| net.contains(address)) {
            break;
        }
        let Some(earlier) = address_of(earlier.trim()) else { break };
        address = earlier.to_canonical();
    }
    address
}

/// An address in the forms that proxies write: some add the port.
fn address_of(text: &str) -> Option<IpAddr> {
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|socket| socket.ip());
    text.parse().ok().or_else(with_port).or_else(bracketed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_proxies_name_the_client() {
        let proxies: Vec<IpNet> = ["10.0.0.0/8".parse().unwrap()].into();
        let check = |peer: &str, forwarded: &[&str], client: &str| {
            let address = behind_proxies(peer.parse().unwrap(), forwarded, &proxies);
            assert_eq!(address, client.parse::<IpAddr>().unwrap(), "{peer} {forwarded:?}");
        };
        check("8.8.8.8", &[], "8.8.8.8");
        check("8.8.8.8", &["1.1.1.1"], "8.8.8.8");
        check("10.0.0.1", &["1.1.1.1"], "1.1.1.1");
        check("10.0.0.1", &["9.9.9.9", " 1.1.1.1", "10.0.0.2"], "1.1.1.1");
        check("10.0.0.1", &["1.1.1.1", "nonsense"], "10.0.0.1");
        check("10.0.0.1", &[], "10.0.0.1");
        check("10.0.0.1", &["::ffff:1.1.1.1"], "1.1.1.1");
        check("10.0.0.1", &["1.1.1.1:1234", "10.0.0.2:80"], "1.1.1.1");
        check("10.0.0.1", &["[2001:db8::1]:1234"], "2001:db8::1");
        check("10.0.0.1", &["[2001:db8::1]"], "2001:db8::1");
    }
}
