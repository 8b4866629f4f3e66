//! The network addresses that may be connected to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// A block of addresses such as `10.0.0.0/8`; a bare address is a block of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IpNet {
    address: IpAddr,
    prefix: u8,
}

impl IpNet {
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(net), IpAddr::V4(ip)) => {
                same_start(net.to_bits().into(), ip.to_bits().into(), 32, self.prefix)
            }
            (IpAddr::V6(net), IpAddr::V6(ip)) => same_start(net.to_bits(), ip.to_bits(), 128, self.prefix),
            _ => false,
        }
    }
}

impl FromStr for IpNet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a network; write one like 10.0.0.0/8 or fd00::/8");
        let (address, prefix) = match text.trim().split_once('/') {
            Some((address, prefix)) => (address, Some(prefix.parse().map_err(|_| wrong())?)),
            None => (text.trim(), None),
        };
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.unwrap_or(longest);
        if prefix > longest {
            return Err(wrong());
        }
        Ok(Self { address, prefix })
    }
}

/// Whether the first `prefix` of `width` bits are equal.
fn same_start(a: u128, b: u128, width: u8, prefix: u8) -> bool {
    (a ^ b).checked_shr(u32::from(width - prefix)).unwrap_or(0) == 0
}

/// Whether a client's URL may lead to `address`: it is public, or the operator exempted it.
pub fn permitted(address: IpAddr, exempt: &[IpNet]) -> bool {
    let inner = embedded(address);
    exempt.iter().any(|net| net.contains(address) || net.contains(inner)) || is_public(inner)
}

/// Whether `address` is on the public internet rather than on a private network.
pub fn outside(address: IpAddr) -> bool {
    is_public(embedded(address))
}

/// The IPv4 address that an IPv6 address embeds, because connections to it end up there.
fn embedded(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = address else { return address };
    match v6.segments() {
        // These are mapped (::ffff:0:0/96) and NAT64 (64:ff9b::/96) addresses.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => v4(high, low),
        // This is 6to4 (2002::/16).
        [0x2002, high, low, ..] => v4(high, low),
        _ => address,
    }
}

fn v4(high: u16, low: u16) -> IpAddr {
    Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)).into()
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

/// Everything but the blocks that IANA lists as not globally reachable, multicast and reserved addresses.
fn is_public_v4(address: Ipv4Addr) -> bool {
    let special = match address.octets() {
        [0 | 10 | 127, ..] | [224..=255, ..] => true,
        [100, second, ..] => (64..128).contains(&second),
        [169, 254, ..] | [192, 168, ..] => true,
        [172, second, ..] => (16..32).contains(&second),
        [192, 0, 0 | 2, _] | [192, 88, 99, _] => true,
        [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _] => true,
        _ => false,
    };
    !special
}

/// Global unicast (2000::/3) without the blocks for tunnels, translation and documentation.
fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // These are Teredo, benchmarking, ORCHID and the rest of 2001::/23, and documentation.
        [0x2001, 0..0x200, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..0x1000, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(addresses: &str, expected: bool) {
        for address in addresses.split_whitespace() {
            assert_eq!(permitted(address.parse().unwrap(), &[]), expected, "{address}");
        }
    }

    #[test]
    fn public_addresses_are_permitted() {
        check(
            "1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 128.0.0.1 169.253.1.1",
            true,
        );
        check("172.15.255.255 172.32.0.0 192.0.1.1 192.167.1.1 198.17.0.1 198.20.0.1 223.255.255.255", true);
        check("2606:4700::1111 2a00:1450:4001::5 2400:cb00::1 2001:200::1 2001:4860:4860::8888", true);
        check("::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1", true);
    }

    #[test]
    fn internal_addresses_are_blocked() {
        check("0.0.0.0 0.1.2.3 10.0.0.1 127.0.0.1 127.255.255.255 100.64.0.1 100.127.255.255", false);
        check("169.254.169.254 172.16.0.1 172.31.255.255 192.168.0.1 192.0.0.1 192.0.2.1 192.88.99.1", false);
        check(
            "198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255",
            false,
        );
        check(
            ":: ::1 ::127.0.0.1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1 100::1 2001:db8::1 2001::1",
            false,
        );
        check("2001:10::1 2001:20::1 3fff::1 5f00::1 64:ff9b:1::7f00:1 ::ffff:0:127.0.0.1", false);
        check("::ffff:127.0.0.1 ::ffff:0.0.0.0 ::ffff:169.254.169.254 ::ffff:10.1.2.3", false);
        check("64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 2002:7f00:1::1 2002:c0a8:1::1 2002:a00::", false);
    }

    #[test]
    fn exempted_networks_are_permitted() {
        let check = |net: &str, address: &str, expected| {
            let net: IpNet = net.parse().unwrap();
            assert_eq!(permitted(address.parse().unwrap(), &[net]), expected, "{net:?} {address}");
        };
        check("127.0.0.0/8", "127.0.0.1", true);
        check("127.0.0.0/8", "::ffff:127.0.0.1", true);
        check("127.0.0.0/8", "10.0.0.1", false);
        check("127.0.0.1", "127.0.0.2", false);
        check("10.1.2.3/16", "10.1.255.1", true);
        check("0.0.0.0/0", "192.168.1.1", true);
        check("0.0.0.0/0", "::1", false);
        check("::1", "::1", true);
        check("::/0", "fd00::1", true);
        check("fd00::/8", "fe80::1", false);
    }

    #[test]
    fn networks_that_make_no_sense_are_refused() {
        for text in
            ["", "10.0.0.0/33", "::/129", "10.0.0/8", "10.0.0.0/", "10.0.0.0/-1", "localhost", "1/2/3"]
        {
            assert!(text.parse::<IpNet>().is_err(), "{text}");
        }
    }
}
