//! Properties of every accepted link, for tests and the fuzz target.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use super::guard::check_url;
use super::policy::FetchPolicy;

/// Returns whether the link would be followed.
pub fn check_link(text: &str) -> bool {
    let Ok(url) = Url::parse(text) else { return false };
    if check_url(&url, &FetchPolicy::default()).is_err() {
        return false;
    }
    assert!(matches!(url.scheme(), "http" | "https"), "{url}");
    assert!(url.username().is_empty() && url.password().is_none(), "{url}");
    assert!(matches!(url.port_or_known_default(), Some(80 | 443)), "{url}");
    let outside = match url.host() {
        Some(Host::Ipv4(address)) => is_outside(address.into()),
        Some(Host::Ipv6(address)) => is_outside(address.into()),
        Some(Host::Domain(name)) => name.parse::<IpAddr>().is_err(),
        None => false,
    };
    assert!(outside, "{url}");
    true
}

/// Determined in a different way than in the guard.
fn is_outside(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => outside_v4(v4),
        IpAddr::V6(v6) => outside_v6(v6),
    }
}

fn outside_v4(address: Ipv4Addr) -> bool {
    let [a, b, ..] = address.octets();
    let inside = address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_multicast();
    !inside && a != 0 && a < 240 && !(a == 100 && (64..128).contains(&b))
}

fn outside_v6(address: Ipv6Addr) -> bool {
    let inside = address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        || address.is_unique_local()
        || address.is_unicast_link_local();
    let [.., high, low] = address.segments();
    let last = Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    let embeds = address.to_ipv4().is_some() || address.segments().starts_with(&[0x64, 0xff9b, 0, 0, 0, 0]);
    !inside && (!embeds || outside_v4(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_passes() {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/urls");
        let (mut followed, mut refused) = (0, 0);
        for entry in std::fs::read_dir(file).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            if check_link(text.trim_end()) { followed += 1 } else { refused += 1 }
        }
        assert!(followed >= 2 && refused >= 8, "{followed} followed, {refused} refused");
    }

    #[test]
    fn internal_addresses_are_recognized() {
        let check =
            |text: &str, outside: bool| assert_eq!(is_outside(text.parse().unwrap()), outside, "{text}");
        for inner in ["127.9.9.9", "10.0.0.1", "100.64.0.1", "0.1.2.3", "::1", "fd00::1", "::ffff:10.0.0.1"] {
            check(inner, false);
        }
        check("64:ff9b::7f00:1", false);
        check("8.8.8.8", true);
        check("2606:4700::1111", true);
    }
}
