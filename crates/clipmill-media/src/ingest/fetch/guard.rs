//! Keeps downloads away from internal networks.
//!
//! A URL is checked before each request and again after each redirect; a host name is checked when the connection is
//! made, so that no second look-up can give another address. Both checks are needed, because the HTTP client skips its
//! resolver for addresses written as numbers.

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::message::{self, Message};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use url::{Host, Url};

use super::network::{IpNet, permitted};
use super::policy::FetchPolicy;

/// Checks everything about a URL that needs no look-up of its host. The URL parser has already turned `2130706433`,
/// `0x7f.1` and the like into the addresses they mean.
pub fn check_url(url: &Url, policy: &FetchPolicy) -> Result<(), TaskError> {
    if !matches!(url.scheme(), "http" | "https") {
        let message = message::scheme_refused(url.scheme());
        return Err(TaskError::new(ErrorCode::UrlScheme, message));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(blocked(message::user_in_link()));
    }
    let port = url.port_or_known_default().unwrap_or(0);
    if !policy.allow_ports.contains(port) {
        return Err(blocked(message::port_blocked(port)));
    }
    let address = match url.host() {
        Some(Host::Ipv4(address)) => IpAddr::V4(address),
        Some(Host::Ipv6(address)) => IpAddr::V6(address),
        Some(Host::Domain(_)) => return Ok(()),
        None => return Err(blocked(message::no_host())),
    };
    if permitted(address, &policy.allow_networks) { Ok(()) } else { Err(blocked(message::address_private())) }
}

/// A host name that resolves to an internal network, or to no public address.
#[derive(Debug, thiserror::Error)]
#[error("the host's addresses are not public")]
struct NotPublic;

/// The client's error if `error` comes from [`GuardedResolver`]; `None` for all other causes.
pub fn blocked_by_resolver(error: &reqwest::Error) -> Option<TaskError> {
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        if cause.is::<NotPublic>() {
            return Some(blocked(message::address_private()));
        }
        source = cause.source();
    }
    None
}

fn blocked(why: Message) -> TaskError {
    TaskError::new(ErrorCode::UrlBlocked, message::link_blocked(why))
}

/// Looks names up through the system and returns only the permitted addresses.
pub struct GuardedResolver {
    exempt: Arc<[IpNet]>,
}

impl GuardedResolver {
    pub fn new(policy: &FetchPolicy) -> Self {
        Self { exempt: policy.allow_networks.as_slice().into() }
    }
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let exempt = Arc::clone(&self.exempt);
        Box::pin(async move {
            let addresses = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(only_permitted(addresses, &exempt)?)
        })
    }
}

fn only_permitted(found: impl Iterator<Item = SocketAddr>, exempt: &[IpNet]) -> Result<Addrs, NotPublic> {
    let addresses: Vec<_> = found.filter(|address| permitted(address.ip(), exempt)).collect();
    if addresses.is_empty() { Err(NotPublic) } else { Ok(Box::new(addresses.into_iter())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, expected: Option<ErrorCode>) {
        let url = Url::parse(url).unwrap();
        let outcome = check_url(&url, &FetchPolicy::default());
        assert_eq!(outcome.err().map(|error| error.code), expected, "{url}");
    }

    #[test]
    fn ordinary_links_pass() {
        check("https://cdn.example.com/a.mp4?sig=a@b", None);
        check("http://93.184.216.34/a.mp4", None);
        check("https://[2606:4700::1111]:443/a.mp4", None);
        check("http://example.com:443/", None);
    }

    #[test]
    fn other_schemes_have_their_own_error() {
        for url in [
            "file:///etc/passwd",
            "ftp://example.com/a",
            "data:video/mp4,x",
            "concat:a|b",
            "subfile,,start,0:x",
        ] {
            match Url::parse(url) {
                Ok(_) => check(url, Some(ErrorCode::UrlScheme)),
                Err(_) => assert!(url.starts_with("subfile"), "{url} is a url"),
            }
        }
    }

    #[test]
    fn addresses_in_every_spelling_are_blocked() {
        for host in [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f.1",
            "0x7f000001",
            "017700000001",
            "127.0.0.1.",
            "0.0.0.0",
            "0",
            "169.254.169.254",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[64:ff9b::7f00:1]",
            "[fd00::1]",
            "[2002:7f00:1::]",
            "１２７.０.０.１",
        ] {
            check(&format!("http://{host}/"), Some(ErrorCode::UrlBlocked));
        }
    }

    #[test]
    fn users_and_ports_are_blocked() {
        check("http://example.com@10.0.0.1/", Some(ErrorCode::UrlBlocked));
        check("http://user@example.com/", Some(ErrorCode::UrlBlocked));
        check("http://:secret@example.com/", Some(ErrorCode::UrlBlocked));
        check("http://example.com:22/", Some(ErrorCode::UrlBlocked));
        check("https://example.com:8443/", Some(ErrorCode::UrlBlocked));
    }

    #[test]
    fn a_name_keeps_only_its_public_addresses() {
        let permitted = |list: &[&str]| {
            let list: Vec<SocketAddr> = list.iter().map(|text| text.parse().unwrap()).collect();
            only_permitted(list.into_iter(), &[]).map(|kept| kept.count()).ok()
        };
        assert_eq!(permitted(&["127.0.0.1:0", "8.8.8.8:0", "[::1]:0"]), Some(1));
        assert_eq!(permitted(&["127.0.0.1:0", "[fe80::1]:0"]), None);
        assert_eq!(permitted(&[]), None);
    }

    /// The spellings of an IPv4 address that URLs accept.
    fn spelled(address: std::net::Ipv4Addr, spelling: u8) -> String {
        let ([a, b, c, d], bits) = (address.octets(), address.to_bits());
        match spelling {
            0 => address.to_string(),
            1 => bits.to_string(),
            2 => format!("0x{bits:X}"),
            3 => format!("0{bits:o}"),
            4 => format!("{a}.{}", bits & 0xff_ffff),
            5 => format!("0{a:o}.0x{b:x}.{}", bits & 0xffff),
            6 => format!("{a}.{b}.{c}.{d}."),
            7 => format!("[::ffff:{address}]"),
            8 => format!("[64:ff9b::{address}]"),
            _ => format!("[::{address}]"),
        }
    }

    proptest::proptest! {
        /// An internal address is never fetched, however it is written.
        #[test]
        fn no_spelling_of_an_inner_address_passes(
            (net, mask) in proptest::sample::select(&[
                (0u32, 8u32), (0x0a00_0000, 8), (0x6440_0000, 10), (0x7f00_0000, 8), (0xa9fe_0000, 16),
                (0xac10_0000, 12), (0xc0a8_0000, 16), (0xe000_0000, 4), (0xf000_0000, 4),
            ]),
            host in proptest::prelude::any::<u32>(),
            spelling in 0..10u8,
            path in "[a-z@/:?#]{0,12}",
        ) {
            let address = std::net::Ipv4Addr::from_bits(net | host & (u32::MAX >> mask));
            let text = format!("http://{}/{path}", spelled(address, spelling));
            if let Ok(url) = Url::parse(&text) {
                proptest::prop_assert!(check_url(&url, &FetchPolicy::default()).is_err(), "{} as {}", text, url);
            }
        }

        #[test]
        fn no_url_does_harm(text in "(https?://)?[-a-z0-9.:@%\\[\\]/?#\\PC]{0,60}") {
            crate::ingest::fetch::check_link(&text);
        }
    }
}
